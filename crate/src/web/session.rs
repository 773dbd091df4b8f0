//! Loading and analysing, in the session's worker.

use js_sys::{Function, Uint8Array};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::error::{plain, to_js};
use super::recorded::Rows;
use crate::analyze::{AnalysisConfig, Definition, OperatorGrouping, OperatorsConfig};
use crate::error::{Error, ErrorKind};
use crate::export::perfetto::{self, Level};
use crate::export::report_json::{Selection, Summary};
use crate::input::{GunzipEnd, Gunzipper, Loader};
use crate::read::Counts;
use crate::summary::Rank;

/// A file that is being read.
#[wasm_bindgen]
pub struct FileLoad {
    loader: Loader,
    name: String,
    file_bytes: u64,
}

#[derive(Serialize)]
struct ProgressReport {
    bytes: u64,
    events: u64,
    slices: u64,
    activities: u64,
}

#[wasm_bindgen]
impl FileLoad {
    /// Starts to read the file of that name, which has so many bytes (compressed or not).
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, file_bytes: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a file's size, from JavaScript")]
        let file_bytes = file_bytes.max(0.0) as u64;
        Self { loader: Loader::new(name), name: name.to_owned(), file_bytes }
    }

    /// Reads the next uncompressed bytes.
    ///
    /// # Errors
    ///
    /// If the format is unknown: an object with `code`, `file`, `position`, `message`.
    pub fn push(&mut self, bytes: &Uint8Array) -> Result<(), JsValue> {
        let len = bytes.length() as usize;
        bytes.copy_to(self.loader.space(len));
        self.loader.advance(len).map_err(|error| to_js(&error))
    }

    /// Notes that the compressed data is damaged from here on.
    pub fn damaged(&mut self, what: &str) {
        self.loader.container_damaged(what);
    }

    /// How far it is: `{bytes, events, slices, activities}`.
    pub fn progress(&self) -> JsValue {
        let progress = self.loader.progress();
        let Counts { events, slices, activities } = progress.counts;
        plain(&ProgressReport { bytes: progress.bytes, events, slices, activities })
    }
}

/// The loaded traces and what a person chose.
#[wasm_bindgen]
pub struct Session {
    ranks: Vec<Rank>,
    config: AnalysisConfig,
}

/// What the page asks of the tables.
#[derive(Deserialize)]
struct TableOptions {
    /// A step by its index; none for the whole trace.
    step: Option<usize>,
    grouping: String,
    merge: bool,
}

#[wasm_bindgen]
impl Session {
    /// A session without traces.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript knows no Default")]
    pub fn new() -> Self {
        Self { ranks: Vec::new(), config: AnalysisConfig::standard() }
    }

    /// Reads what is left of a file and analyses it; the session's ranks stay sorted.
    ///
    /// # Errors
    ///
    /// As [`FileLoad::push`], and if there is no event.
    pub fn add(&mut self, load: FileLoad) -> Result<(), JsValue> {
        let loaded = load.loader.finish().map_err(|error| to_js(&error))?;
        self.ranks.push(Rank::new(&load.name, load.file_bytes, loaded, &self.config));
        self.ranks.sort_by_key(|rank| rank.rank);
        Ok(())
    }

    /// Forgets all traces.
    pub fn clear(&mut self) {
        self.ranks.clear();
    }

    /// Chooses whose definition is shown beside ours, by its name.
    pub fn define(&mut self, name: &str) {
        self.config.definition = Definition::named(name).unwrap_or_default();
        for rank in &mut self.ranks {
            rank.redefine(self.config.definition);
        }
    }

    /// The summary of all ranks, as `stepscope summary --json` prints it, as an object; without the tables
    /// of operators and kernels, which [`selection`](Self::selection) gives.
    pub fn summary(&self) -> JsValue {
        plain(&Summary::without_tables(&self.ranks))
    }

    /// The whole summary as the text that `stepscope summary --json` prints.
    pub fn summary_json(&self) -> Vec<u8> {
        Summary::of(&self.ranks).to_json_pretty()
    }

    /// The overview and the tables of operators, kernels and copies of a rank, or of one of its steps.
    ///
    /// # Errors
    ///
    /// If the options are not `{step, grouping, merge}`.
    pub fn selection(&self, rank: usize, options: JsValue) -> Result<JsValue, JsValue> {
        let options: TableOptions = serde_wasm_bindgen::from_value(options)?;
        let config = OperatorsConfig {
            grouping: match options.grouping.as_str() {
                "shapes" => OperatorGrouping::NameShapes,
                "type" => OperatorGrouping::Type,
                "stack" => OperatorGrouping::NameStack,
                "category" => OperatorGrouping::Category,
                "thread" => OperatorGrouping::Thread,
                _ => OperatorGrouping::Name,
            },
            merge_only_children: options.merge,
        };
        let found = self.ranks.get(rank).map(|rank| Selection::of(rank, options.step, config));
        Ok(found.map_or(JsValue::NULL, |found| plain(&found)))
    }

    /// The rows of a recorded table of a rank, by its index: `{texts, values}`, both a list per row.
    pub fn recorded(&self, rank: usize, table: usize) -> JsValue {
        let table = self.ranks.get(rank).and_then(|rank| rank.trace.recorded.get(table));
        table.map_or(JsValue::NULL, |table| plain(&Rows::of(table)))
    }

    /// Writes a Perfetto trace of the given ranks (by index) and hands it over in pieces.
    ///
    /// # Errors
    ///
    /// What `piece` throws.
    pub fn export(&self, ranks: &[usize], summary: bool, piece: &Function) -> Result<(), JsValue> {
        let chosen: Vec<&Rank> = ranks.iter().filter_map(|index| self.ranks.get(*index)).collect();
        let level = if summary { Level::Summary } else { Level::Detail };
        let mut sink = Pieces { piece, error: None };
        let result = perfetto::write(&chosen, level, &mut sink);
        match (result, sink.error) {
            (_, Some(error)) => Err(error),
            (Err(error), None) => Err(to_js(&Error::new(ErrorKind::Io(error.to_string())))),
            (Ok(_), None) => Ok(()),
        }
    }
}

/// Hands bytes to a JavaScript function.
struct Pieces<'a> {
    piece: &'a Function,
    error: Option<JsValue>,
}

impl std::io::Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let copy = Uint8Array::from(bytes);
        if let Err(error) = self.piece.call1(&JsValue::NULL, copy.unchecked_ref()) {
            self.error = Some(error);
            return Err(std::io::Error::other("the receiver failed"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Inflates gzip, in the source worker.
#[wasm_bindgen]
pub struct Gunzip {
    gunzip: Gunzipper,
    output: Vec<u8>,
}

#[wasm_bindgen]
impl Gunzip {
    /// An inflater at the start of a file.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript knows no Default")]
    pub fn new() -> Self {
        Self { gunzip: Gunzipper::default(), output: vec![0; 1 << 20] }
    }

    /// Inflates the next compressed bytes and hands over what they give, in pieces.
    ///
    /// # Errors
    ///
    /// What `piece` throws.
    pub fn push(&mut self, input: &[u8], piece: &Function) -> Result<(), JsValue> {
        let mut rest = input;
        loop {
            let (used, written) = self.gunzip.push(rest, &mut self.output);
            rest = &rest[used..];
            if written > 0 {
                piece.call1(&JsValue::NULL, Uint8Array::from(&self.output[..written]).unchecked_ref())?;
            }
            if rest.is_empty() && written < self.output.len() {
                return Ok(());
            }
        }
    }

    /// What is wrong with the file, after its last bytes; nothing if it is whole.
    pub fn finish(&self) -> Option<String> {
        match self.gunzip.finish() {
            GunzipEnd::Whole => None,
            GunzipEnd::Damaged(what) => Some(what),
        }
    }
}
