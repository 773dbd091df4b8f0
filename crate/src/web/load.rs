//! A rank that is being read, in the session's worker.

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::error::{plain, to_js};
use super::sources::{BlobAt, SourceList};
use crate::wire::ProgressReport;
use stepscope_analyze::AnalysisConfig;
use stepscope_analyze::Rank;
use stepscope_base::{Error, ErrorKind};
use stepscope_input::Loader;
use stepscope_read::{Counts, ShardReading};
use stepscope_trace;
use stepscope_trace::Loaded;

/// A rank that is being read, file by file.
#[wasm_bindgen]
pub struct RankLoad {
    loader: Option<Loader>,
    name: String,
    bytes: u64,
    /// Its number, from the user or the rules.
    rank: Option<u64>,
    /// Its trace, if another worker read it, or it was finished.
    loaded: Option<Loaded>,
}

#[wasm_bindgen]
impl RankLoad {
    /// Starts to read a rank by its name; `bytes` is the packed size of its files.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "files' sizes, from JavaScript")]
        let bytes = bytes.max(0.0) as u64;
        Self { loader: None, name: name.to_owned(), bytes, rank: None, loaded: None }
    }

    /// A rank that another worker has read: `next` returns each chunk from its [`serialize`](Self::serialize).
    ///
    /// # Errors
    ///
    /// If chunks are missing.
    pub fn deserialize(name: &str, bytes: f64, next: &Function) -> Result<Self, JsValue> {
        let missing = || to_js(&Error::new(ErrorKind::Io("pieces of the trace are missing".to_owned())));
        let (trace, warnings) = stepscope_trace::deserialize(&mut |piece| fill(next, piece)).ok_or_else(missing)?;
        Ok(Self { loaded: Some(Loaded { trace, warnings }), ..Self::new(name, bytes) })
    }

    /// Reads the rest of the rank and passes it on in chunks, for [`deserialize`](Self::deserialize) in another
    /// worker.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push), and if there is no event.
    pub fn serialize(mut self, piece: &Function) -> Result<(), JsValue> {
        let Loaded { trace, warnings } = self.taken()?;
        stepscope_trace::serialize(trace, warnings, &mut |bytes| hand(piece, bytes));
        Ok(())
    }

    /// Ends the current file and begins the next one: a source by its number.
    ///
    /// # Errors
    ///
    /// If the file that ends gave no result: an object with `code`, `file`, `position`, `message`. The next one is
    /// begun in any case.
    pub fn begin(&mut self, list: &SourceList, number: usize) -> Result<(), JsValue> {
        let Some(source) = list.sources.list().get(number) else { return Ok(()) };
        let ended = match &mut self.loader {
            None => {
                self.loader = Some(Loader::new(&source.path));
                Ok(())
            }
            Some(loader) => loader.next_file(&source.path),
        };
        source.begin(self.loader());
        ended.map_err(|error| to_js(&error))
    }

    fn loader(&mut self) -> &mut Loader {
        self.loader.get_or_insert_with(|| Loader::new(&self.name))
    }

    /// Sets the rank, whatever the trace says.
    pub fn set_rank(&mut self, rank: f64) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank, from JavaScript")]
        let rank = rank.max(0.0) as u64;
        self.rank = Some(rank);
    }

    /// Reads the next unpacked bytes of the current file.
    ///
    /// # Errors
    ///
    /// If its format is unknown, or it cannot be read.
    pub fn push(&mut self, bytes: &Uint8Array) -> Result<(), JsValue> {
        let len = bytes.length() as usize;
        let loader = self.loader();
        bytes.copy_to(loader.space(len));
        loader.advance(len).map_err(|error| to_js(&error))
    }

    /// Stops reading the current file at the first event that begins at this byte or later: another worker may read
    /// from there.
    pub fn stop_at(&mut self, byte: f64) {
        self.loader().stop_at(byte_of(byte));
    }

    /// Whether it has reached such an event.
    pub fn is_stopped(&self) -> bool {
        self.loader.as_ref().is_some_and(|loader| loader.stopped().is_some())
    }

    /// The byte of the current file that is needed next.
    #[expect(clippy::cast_precision_loss, reason = "JavaScript's sizes")]
    pub fn next_byte(&self) -> f64 {
        self.loader.as_ref().map_or(0, Loader::next_byte) as f64
    }

    /// Merges a shard that another worker has read, if it begins at the stop: `next` returns each chunk from its
    /// [`ShardLoad::serialize`]. In any case `stop` is the next stop.
    pub fn join(&mut self, next: &Function, stop: f64) -> bool {
        self.loader().join(&mut |part| fill(next, part), byte_of(stop))
    }

    /// Reads the current file, a source by its number, with random access. `size` and `read` are those of the file
    /// that contains it, and `report` gets the number of bytes read.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read(
        &mut self,
        list: &SourceList,
        number: usize,
        size: f64,
        read: &Function,
        report: &Function,
    ) -> Result<(), JsValue> {
        let Some(source) = list.sources.list().get(number) else { return Ok(()) };
        let mut file = BlobAt::cached(read, size);
        let mut part = source.part(&mut file);
        #[expect(clippy::cast_precision_loss, reason = "JavaScript's sizes")]
        let mut progress = |bytes: u64| {
            // Errors of the page's callback do not stop reading.
            let _ = report.call1(&JsValue::NULL, &JsValue::from_f64(bytes as f64));
        };
        self.loader().read(&mut part, &mut progress).map_err(|error| to_js(&error))
    }

    /// Finishes the trace; otherwise [`Session::add`](super::session::Session::add) does that before its analysis.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push), and if there is no event.
    pub fn finish(&mut self) -> Result<(), JsValue> {
        self.loaded = Some(self.taken()?);
        Ok(())
    }

    /// Notes that the packed data is damaged from this point.
    pub fn damaged(&mut self, what: &str) {
        self.loader().container_damaged(what);
    }

    /// The progress: `{bytes, events, slices, activities}`.
    pub fn progress(&self) -> JsValue {
        // Called before the first file, it must not begin one.
        let progress = self.loader.as_ref().map(Loader::progress).unwrap_or_default();
        let Counts { events, slices, activities } = progress.counts;
        plain(&ProgressReport { bytes: progress.bytes, events, slices, activities })
    }

    pub(super) fn analyzed(mut self, config: &AnalysisConfig) -> Result<Rank, JsValue> {
        let loaded = self.taken()?;
        Ok(Rank::new(&self.name, self.bytes, loaded, config))
    }

    fn taken(&mut self) -> Result<Loaded, JsValue> {
        if let Some(loaded) = self.loaded.take() {
            return Ok(loaded);
        }
        let mut loader = self.loader.take().unwrap_or_else(|| Loader::new(&self.name));
        if let Some(rank) = self.rank {
            loader.set_rank(rank);
        }
        loader.finish().map_err(|error| to_js(&error))
    }
}

/// A shard of a file that is being read for the session's worker.
#[wasm_bindgen]
pub struct ShardLoad {
    reading: Box<dyn ShardReading>,
}

#[wasm_bindgen]
impl ShardLoad {
    /// Starts to read the events that begin between two bytes of a source; none if the source is not splittable.
    pub fn of(list: &SourceList, number: usize, from: f64, limit: f64) -> Option<Self> {
        Some(Self { reading: list.sources.piece(number, byte_of(from), byte_of(limit))? })
    }

    /// Reads the next bytes, from the shard's begin on.
    pub fn push(&mut self, bytes: &Uint8Array) {
        let len = bytes.length() as usize;
        bytes.copy_to(self.reading.space(len));
        self.reading.advance(len);
    }

    /// Whether further bytes are not needed.
    pub fn is_done(&self) -> bool {
        self.reading.is_done()
    }

    /// Passes the result on, for [`RankLoad::join`] in another worker.
    pub fn serialize(self, piece: &Function) {
        self.reading.serialize(&mut |bytes| hand(piece, bytes));
    }
}

/// Passes bytes to a function that only collects them.
fn hand(piece: &Function, bytes: &[u8]) {
    let _ = piece.call1(&JsValue::NULL, &Uint8Array::from(bytes));
}

/// Receives a chunk from another worker; returns whether there was one.
fn fill(next: &Function, piece: &mut Vec<u8>) -> bool {
    let given = next.call0(&JsValue::NULL).ok().and_then(|given| given.dyn_into::<Uint8Array>().ok());
    let Some(given) = given else { return false };
    piece.resize(given.length() as usize, 0);
    given.copy_to(piece);
    true
}

/// A position in a file, from JavaScript; infinity means none.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a file, from JavaScript")]
fn byte_of(place: f64) -> u64 {
    place.max(0.0) as u64
}
