//! Loading and analysing, in the session's worker.

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::error::to_js;
use super::event_text::PlaceReport;
use super::load::RankLoad;
use super::recorded::Rows;
use crate::analyze::{AnalysisConfig, CompareConfig, Definition, Sides};
use crate::error::{Error, ErrorKind};
use crate::export::perfetto::{self, ExportConfig, Level};
use crate::export::report_json::{Ask, Diff, DiffSide, PeersReport, Summary, json, span_of, topic};
use crate::present::timeline::Timeline;
use crate::read::{EventPlace, event_place};
use crate::sort::CompactSort;
use crate::summary::Rank;
use crate::trace::EventId;

/// The loaded traces and what a person chose.
#[wasm_bindgen]
pub struct Session {
    pub(super) ranks: Vec<Rank>,
    /// The ranks' timeline, once it is asked for.
    pub(super) timeline: Option<Timeline>,
    config: AnalysisConfig,
    /// Whether the next rank takes the place of those that are there.
    replacing: bool,
}

#[wasm_bindgen]
impl Session {
    /// A session without traces.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript knows no Default")]
    pub fn new() -> Self {
        Self { ranks: Vec::new(), timeline: None, config: AnalysisConfig::standard(), replacing: false }
    }

    /// Reads what is left of a rank and analyses it; the session's ranks stay sorted. Gives the rank's number, if it
    /// has one.
    ///
    /// # Errors
    ///
    /// As [`RankLoad::push`], and if there is no event.
    pub fn add(&mut self, load: RankLoad) -> Result<Option<f64>, JsValue> {
        let rank = load.finish(&self.config)?;
        let number = rank.rank;
        self.make_way();
        self.timeline = None;
        self.ranks.push(rank);
        self.ranks.compact_sort_by_key(|rank| rank.rank);
        #[expect(clippy::cast_precision_loss, reason = "ranks are few")]
        Ok(number.map(|number| number as f64))
    }

    /// Lets the next ranks take the place of those that are there: these stay until there is one.
    pub fn begin(&mut self) {
        self.replacing = true;
    }

    /// Forgets what the next ranks take the place of: one of them is sure to come.
    pub fn make_way(&mut self) {
        if std::mem::take(&mut self.replacing) {
            self.clear();
        }
    }

    /// Forgets ranks that came in place of others, though more were to come; those that still stood their place stay.
    pub fn drop_new(&mut self) {
        if !std::mem::take(&mut self.replacing) {
            self.clear();
        }
    }

    /// Forgets all traces.
    pub fn clear(&mut self) {
        self.ranks = Vec::new();
        self.timeline = None;
    }

    /// Chooses whose definition is shown beside ours, by its name.
    pub fn define(&mut self, name: &str) {
        self.config.definition = Definition::named(name).unwrap_or_default();
        for rank in &mut self.ranks {
            rank.redefine(self.config.definition);
        }
    }

    /// The summary of all ranks, as `stepscope summary --json` prints it, as JSON; without what can be long, which
    /// [`report`](Self::report) gives.
    pub fn summary(&self) -> Vec<u8> {
        Summary::without_tables(&self.ranks).to_json()
    }

    /// The whole summary as the text that `stepscope summary --json` prints.
    pub fn summary_json(&self) -> Vec<u8> {
        Summary::of(&self.ranks).to_json_pretty()
    }

    /// A report on a rank by its topic's name, as JSON; nothing if the trace has nothing for it.
    ///
    /// # Errors
    ///
    /// If what is asked of it is no `Ask`.
    pub fn report(&self, rank: usize, name: &str, ask: JsValue) -> Result<Option<Vec<u8>>, JsValue> {
        let ask: Ask = serde_wasm_bindgen::from_value(ask)?;
        Ok(self.ranks.get(rank).and_then(|rank| topic(rank, name, &ask)))
    }

    /// Where a rank's event stands: `{rank, file, format, at, is_json}`, as JSON; nothing if there is no such event.
    pub fn event_place(&self, rank: usize, event: u32) -> Option<Vec<u8>> {
        let rank = self.ranks.get(rank)?;
        let EventPlace { file, at, is_json } = event_place(&rank.trace, EventId(event))?;
        Some(json(&PlaceReport { rank: &rank.file, file: &file.name, format: file.format, at, is_json }))
    }

    /// The counterparts of a rank's collective on all ranks, as JSON; nothing if the event is no collective.
    pub fn peers(&self, rank: usize, event: u32) -> Option<Vec<u8>> {
        PeersReport::of(&self.ranks, rank, event).map(|report| json(&report))
    }

    /// What a rank contributes to a comparison, for [`compare`](Self::compare) of this or of another worker's session;
    /// nothing if there is no such rank. `shapes` tells calls with different shapes apart.
    pub fn compare_side(&self, rank: usize, shapes: bool) -> Option<Vec<u8>> {
        Some(DiffSide::of(self.ranks.get(rank)?, CompareConfig { shapes }).to_bytes())
    }

    /// What is different in a rank from what [`compare_side`](Self::compare_side) gave with the same `shapes`, as
    /// `stepscope diff --json` prints it; nothing if there is no such rank.
    pub fn compare(&self, rank: usize, side: &[u8], shapes: bool) -> Option<Vec<u8>> {
        let a = DiffSide::from_bytes(side)?;
        let b = DiffSide::of(self.ranks.get(rank)?, CompareConfig { shapes });
        Some(Diff::between(Sides { a: &a, b: &b }).to_json())
    }

    /// The rows of a recorded table of a rank, by its index: `{texts, values}`, both a list per row, as JSON.
    pub fn recorded(&self, rank: usize, table: usize) -> Option<Vec<u8>> {
        let table = self.ranks.get(rank).and_then(|rank| rank.trace.recorded.get(table))?;
        Some(json(&Rows::of(table)))
    }

    /// Writes a Perfetto trace of the given ranks (by index) and hands it over in pieces: all of the time, or a span of
    /// it, as its two ends in ns from the first rank's own start.
    ///
    /// # Errors
    ///
    /// What `piece` throws.
    pub fn export(
        &self,
        ranks: &[usize],
        summary: bool,
        span: Option<Vec<f64>>,
        piece: &Function,
    ) -> Result<(), JsValue> {
        let chosen: Vec<&Rank> = ranks.iter().filter_map(|index| self.ranks.get(*index)).collect();
        let level = if summary { Level::Summary } else { Level::Detail };
        let span = span.and_then(|ends| Some(span_of((*ends.first()?, *ends.get(1)?))));
        let mut sink = Pieces { piece, error: None };
        let result = perfetto::write(&chosen, ExportConfig { level, span }, &mut sink);
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
