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
    /// The person's or the rule's number for it.
    rank: Option<u64>,
    /// Its trace: another worker read it, or it was finished.
    loaded: Option<Loaded>,
}

#[wasm_bindgen]
impl RankLoad {
    /// Starts to read a rank by its name, whose files have so many bytes, packed as they are.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "files' sizes, from JavaScript")]
        let bytes = bytes.max(0.0) as u64;
        Self { loader: None, name: name.to_owned(), bytes, rank: None, loaded: None }
    }

    /// A rank that another worker has read: `next` gives each piece of what [`serialize`](Self::serialize) handed over there.
    ///
    /// # Errors
    ///
    /// If pieces are missing.
    pub fn deserialize(name: &str, bytes: f64, next: &Function) -> Result<Self, JsValue> {
        let missing = || to_js(&Error::new(ErrorKind::Io("pieces of the trace are missing".to_owned())));
        let (trace, warnings) = stepscope_trace::deserialize(&mut |piece| fill(next, piece)).ok_or_else(missing)?;
        Ok(Self { loaded: Some(Loaded { trace, warnings }), ..Self::new(name, bytes) })
    }

    /// Reads what is left of the rank and hands it over in pieces, for [`deserialize`](Self::deserialize) in another worker.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push), and if there is no event.
    pub fn serialize(mut self, piece: &Function) -> Result<(), JsValue> {
        let Loaded { trace, warnings } = self.taken()?;
        stepscope_trace::serialize(trace, warnings, &mut |bytes| hand(piece, bytes));
        Ok(())
    }

    /// Ends the file at hand and begins the next one: a source by its number.
    ///
    /// # Errors
    ///
    /// If nothing could be made of the file that ends: an object with `code`, `file`, `position`, `message`. The next
    /// one is begun all the same.
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

    /// Says which rank it is, whatever the trace says.
    pub fn set_rank(&mut self, rank: f64) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank, from JavaScript")]
        let rank = rank.max(0.0) as u64;
        self.rank = Some(rank);
    }

    /// Reads the next unpacked bytes of the file at hand.
    ///
    /// # Errors
    ///
    /// If its format is unknown or nothing can be made of it.
    pub fn push(&mut self, bytes: &Uint8Array) -> Result<(), JsValue> {
        let len = bytes.length() as usize;
        let loader = self.loader();
        bytes.copy_to(loader.space(len));
        loader.advance(len).map_err(|error| to_js(&error))
    }

    /// Says that of the file at hand no event is read that begins at this byte or later: another worker may read from there.
    pub fn stop_at(&mut self, byte: f64) {
        self.loader().stop_at(byte_of(byte));
    }

    /// Whether it has come to such an event.
    pub fn is_stopped(&self) -> bool {
        self.loader.as_ref().is_some_and(|loader| loader.stopped().is_some())
    }

    /// The byte of the file at hand that it wants next.
    #[expect(clippy::cast_precision_loss, reason = "JavaScript's sizes")]
    pub fn next_byte(&self) -> f64 {
        self.loader.as_ref().map_or(0, Loader::next_byte) as f64
    }

    /// Takes over a piece that another worker has read, if that begins where this stopped: `next` gives each part of what
    /// [`ShardLoad::serialize`] handed over there. Either way it stops next at another byte.
    pub fn join(&mut self, next: &Function, stop: f64) -> bool {
        self.loader().join(&mut |part| fill(next, part), byte_of(stop))
    }

    /// Reads the file at hand, a source by its number, here and there; `size` and `read` are of the file that it lies
    /// in, and `report` is told how many bytes were read.
    ///
    /// # Errors
    ///
    /// If nothing can be made of it.
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
            // What the page does with it is no reason to stop.
            let _ = report.call1(&JsValue::NULL, &JsValue::from_f64(bytes as f64));
        };
        self.loader().read(&mut part, &mut progress).map_err(|error| to_js(&error))
    }

    /// Makes the trace of what was read; else [`Session::add`](super::session::Session::add) does so before it analyses it.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push), and if there is no event.
    pub fn finish(&mut self) -> Result<(), JsValue> {
        self.loaded = Some(self.taken()?);
        Ok(())
    }

    /// Notes that the packed data is damaged from here on.
    pub fn damaged(&mut self, what: &str) {
        self.loader().container_damaged(what);
    }

    /// How far it is: `{bytes, events, slices, activities}`.
    pub fn progress(&self) -> JsValue {
        // Asked before the first file, it must not begin one.
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

/// A piece of a file that is being read for the session's worker.
#[wasm_bindgen]
pub struct ShardLoad {
    reading: Box<dyn ShardReading>,
}

#[wasm_bindgen]
impl ShardLoad {
    /// Starts to read the events of a source that begin between two of its bytes; nothing if pieces of it cannot be read
    /// apart.
    pub fn of(list: &SourceList, number: usize, from: f64, limit: f64) -> Option<Self> {
        Some(Self { reading: list.sources.piece(number, byte_of(from), byte_of(limit))? })
    }

    /// Reads the next bytes; the first are those at its begin.
    pub fn push(&mut self, bytes: &Uint8Array) {
        let len = bytes.length() as usize;
        bytes.copy_to(self.reading.space(len));
        self.reading.advance(len);
    }

    /// Whether what comes does not matter any more.
    pub fn is_done(&self) -> bool {
        self.reading.is_done()
    }

    /// Hands over what was found, for [`RankLoad::join`] in another worker.
    pub fn serialize(self, piece: &Function) {
        self.reading.serialize(&mut |bytes| hand(piece, bytes));
    }
}

/// Gives bytes to somebody who only collects them.
fn hand(piece: &Function, bytes: &[u8]) {
    let _ = piece.call1(&JsValue::NULL, &Uint8Array::from(bytes));
}

/// Fills in what another worker handed over; whether there was anything left.
fn fill(next: &Function, piece: &mut Vec<u8>) -> bool {
    let given = next.call0(&JsValue::NULL).ok().and_then(|given| given.dyn_into::<Uint8Array>().ok());
    let Some(given) = given else { return false };
    piece.resize(given.length() as usize, 0);
    given.copy_to(piece);
    true
}

/// A place in a file, from JavaScript; infinity is none.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a file, from JavaScript")]
fn byte_of(place: f64) -> u64 {
    place.max(0.0) as u64
}
