//! Loading and analysis, in the session's worker.

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::error::to_js;
use super::load::RankLoad;
use super::recorded::rows_of;
use super::table::answer_to_js;
use super::text::language_of;
use crate::wire::EventPlaceReport;
use stepscope_analyze::Rank;
use stepscope_analyze::{AnalysisConfig, CompareConfig, Definition, GivenPeaks, Sides};
use stepscope_base::{Error, ErrorKind};
use stepscope_export::perfetto::{Export, ExportConfig, GraphChoice, Level};
use stepscope_export::report_json::{Diff, DiffSide, RankSet, ReportRequest, json, span_of};
use stepscope_present::timeline::Timeline;
use stepscope_read::{EventPlace, event_place};
use stepscope_trace::{EventId, TrackId};

/// The most bytes of all traces: about half of their memory with all analyses and drawings. 1 GB is left for a rank
/// that is being read, and for the browser.
const BUDGET: usize = 512 << 20;

/// The loaded traces and the user's settings.
#[wasm_bindgen]
pub struct Session {
    pub(super) ranks: RankSet,
    /// The ranks' timeline, created on first use.
    pub(super) timeline: Option<Timeline>,
    config: AnalysisConfig,
    /// The Perfetto trace that is being written.
    exported: Option<Export>,
    /// Whether the next rank replaces the present ones.
    replacing: bool,
}

#[wasm_bindgen]
impl Session {
    /// A session without traces.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript knows no Default")]
    pub fn new() -> Self {
        Self {
            ranks: RankSet::new(BUDGET),
            timeline: None,
            config: AnalysisConfig::standard(),
            exported: None,
            replacing: false,
        }
    }

    /// Reads the rest of a rank and analyzes it; the session's ranks stay sorted. `origin` is the source that it was
    /// read from, for [`origin`](Self::origin). Returns the rank's number, if it has one.
    ///
    /// # Errors
    ///
    /// As [`RankLoad::push`], and if there is no event.
    pub fn add(&mut self, load: RankLoad, origin: usize) -> Result<Option<f64>, JsValue> {
        let rank = load.analyzed(&self.config)?;
        let number = rank.rank;
        self.make_way();
        self.timeline = None;
        self.ranks.add(rank, origin);
        #[expect(clippy::cast_precision_loss, reason = "ranks are few")]
        Ok(number.map(|number| number as f64))
    }

    /// Restores a rank's trace that was read again; others may be dropped for it.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn restore(&mut self, index: usize, load: RankLoad) -> Result<(), JsValue> {
        let rank = load.analyzed(&self.config)?;
        self.timeline = None;
        self.ranks.restore(index, rank);
        Ok(())
    }

    /// Sets the most bytes of memory for traces.
    pub fn set_budget(&mut self, bytes: f64) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size, from JavaScript")]
        self.ranks.set_budget(bytes.max(0.0) as usize);
    }

    /// Whether a rank's trace is in memory; if so, it counts as used now.
    pub fn is_held(&mut self, index: usize) -> bool {
        self.ranks.touch(index);
        self.ranks.is_held(index)
    }

    /// The ranks whose traces are in memory, by index.
    pub fn held(&self) -> Vec<usize> {
        (0..self.ranks.list().len()).filter(|index| self.ranks.is_held(*index)).collect()
    }

    /// The other ranks.
    pub fn dropped(&self) -> Vec<usize> {
        (0..self.ranks.list().len()).filter(|index| !self.ranks.is_held(*index)).collect()
    }

    /// The source that a rank was read from.
    pub fn origin(&self, index: usize) -> Option<usize> {
        self.ranks.origin(index)
    }

    /// Lets the next ranks replace the present ones, which stay until the first of them.
    pub fn begin(&mut self) {
        self.replacing = true;
    }

    /// Removes the ranks that the next ones replace; at least one is sure to follow.
    pub fn make_way(&mut self) {
        if std::mem::take(&mut self.replacing) {
            self.clear();
        }
    }

    /// Removes ranks that replaced others, although more were expected; ranks not yet replaced stay.
    pub fn drop_new(&mut self) {
        if !std::mem::take(&mut self.replacing) {
            self.clear();
        }
    }

    /// Forgets all traces.
    pub fn clear(&mut self) {
        self.ranks.clear();
        self.timeline = None;
    }

    /// Sets the tool whose definition is shown beside this one's, by its name.
    pub fn define(&mut self, name: &str) {
        self.config.definition = Definition::named(name).unwrap_or_default();
        self.ranks.redefine(self.config.definition);
    }

    /// Sets the user's peaks of the devices, such as `bf16=989, hbm=3350`; an empty text restores those of the data
    /// sheets.
    ///
    /// # Errors
    ///
    /// The invalid part; then nothing changes.
    pub fn give_peaks(&mut self, text: &str) -> Result<(), String> {
        self.config.peaks = GivenPeaks::named(text).map_err(str::to_owned)?;
        self.ranks.give_peaks(&self.config.peaks);
        Ok(())
    }

    /// Whether another definition is shown, or peaks are given: the summary then lacks these for dropped ranks.
    pub fn is_redefined(&self) -> bool {
        self.config.definition != Definition::default() || !self.config.peaks.list().is_empty()
    }

    /// The summary of all ranks, as JSON, as `stepscope summary --json` prints it, without long parts, which
    /// [`report`](Self::report) returns.
    pub fn summary(&mut self) -> Vec<u8> {
        self.ranks.summary_json()
    }

    /// Keeps a rank's part of [`summary_json`](Self::summary_json) in a language, by its code; the rank's trace may
    /// then be dropped. A report has further parts.
    pub fn gather(&mut self, index: usize, language: &str, is_report: bool) {
        self.ranks.gather(index, language_of(language), is_report);
    }

    /// The whole summary from the parts kept in that language, as text, as `stepscope summary --json` prints it.
    pub fn summary_json(&mut self, language: &str) -> Vec<u8> {
        self.ranks.whole_json(language_of(language))
    }

    /// The job of the ranks, `{job, collectives, stragglers}` as in the summary, as JSON; none if fewer than two
    /// ranks have events. Sentences are in that language.
    pub fn job(&mut self, language: &str) -> Option<Vec<u8>> {
        self.ranks.job_json(language_of(language))
    }

    /// The runs of the ranks, as JSON: one unless several are open together.
    pub fn runs(&mut self) -> Vec<u8> {
        self.ranks.runs_json()
    }

    /// Sets the parallel layout of the ranks from a text such as `pp=2,dp=4`, as `--parallel` does; an empty text
    /// restores the traces' layout. Returns the fault of the text, `{code, part, told, ranks}`, as JSON: then nothing
    /// changes.
    pub fn set_layout(&mut self, text: &str) -> Option<Vec<u8>> {
        self.ranks.set_layout(text).err().map(|fault| json(&fault))
    }

    /// A report on a rank by its topic's name, as JSON, with its tables by columns; undefined if the trace has
    /// nothing for it.
    ///
    /// # Errors
    ///
    /// If a setting has the wrong type.
    pub fn report(&mut self, rank: usize, name: &str, request: JsValue) -> Result<JsValue, JsValue> {
        let request = ReportRequest::read(name, serde_wasm_bindgen::Deserializer::from(request))?;
        let answer = request.and_then(|request| self.ranks.report(rank, &request));
        answer.map_or(Ok(JsValue::UNDEFINED), |answer| answer_to_js(&answer))
    }

    /// The position of a rank's event: `{rank, file, format, at, is_json}`, as JSON; none if there is no such event.
    pub fn event_place(&self, rank: usize, event: u32) -> Option<Vec<u8>> {
        let rank = self.ranks.list().get(rank)?;
        let EventPlace { file, at, is_json } = event_place(&rank.trace, EventId(event))?;
        Some(json(&EventPlaceReport { rank: &rank.file, file: &file.name, format: file.format, at, is_json }))
    }

    /// The counterparts of a rank's collective on all ranks, as JSON; none if the event is not a collective.
    pub fn peers(&mut self, rank: usize, event: u32) -> Option<Vec<u8>> {
        self.ranks.peers_json(rank, EventId(event))
    }

    /// A rank's side of a comparison, for [`compare`](Self::compare) in this or in another worker's session; none if
    /// there is no such rank. `shapes` separates calls with different shapes; `job`: with the job that the rank is of.
    pub fn compare_side(&mut self, rank: usize, shapes: bool, job: bool) -> Option<Vec<u8>> {
        let job = if job { self.ranks.job_side() } else { None };
        Some(DiffSide::of(self.ranks.list().get(rank)?, CompareConfig { shapes }).in_job(job).to_bytes())
    }

    /// The difference between a rank and another side, from [`compare_side`](Self::compare_side) with the same
    /// `shapes`, as `stepscope diff --json` prints it; with the difference of their jobs if the other side has one.
    /// Sentences are in a language. None if there is no such rank.
    pub fn compare(&mut self, rank: usize, side: &[u8], shapes: bool, language: &str) -> Option<Vec<u8>> {
        let a = DiffSide::from_bytes(side)?;
        let job = if a.has_job() { self.ranks.job_side() } else { None };
        let b = DiffSide::of(self.ranks.list().get(rank)?, CompareConfig { shapes }).in_job(job);
        Some(Diff::between(Sides { a: &a, b: &b }, language_of(language)).to_json())
    }

    /// The rows of a recorded table of a rank, by its index: `{texts, values}`, both a list per row, as JSON.
    pub fn recorded(&self, rank: usize, table: usize) -> Option<Vec<u8>> {
        let table = self.ranks.list().get(rank).and_then(|rank| rank.trace.recorded.get(table))?;
        Some(json(&rows_of(table)))
    }

    /// Begins a Perfetto trace of the given ranks (by index), passed on in chunks. `span` is a range of time, as its
    /// two ends in ns from the first rank's own start; else all time. `tracks` limits the slices to some tracks, by
    /// index. Graphs of a program can be chosen; with `apart`, each has a lane of steps of its own.
    /// [`export_rank`](Self::export_rank) continues with each of the ranks, in that order, while its trace is in
    /// memory.
    ///
    /// # Errors
    ///
    /// The error that `piece` throws.
    pub fn export_begin(
        &mut self,
        ranks: &[usize],
        summary: bool,
        span: Option<Vec<f64>>,
        tracks: Option<Vec<u32>>,
        graphs: Option<Vec<u32>>,
        apart: bool,
        piece: &Function,
    ) -> Result<(), JsValue> {
        let clocks = self.ranks.clocks(ranks);
        let chosen: Vec<&Rank> = ranks.iter().filter_map(|index| self.ranks.list().get(*index)).collect();
        let level = if summary { Level::Summary } else { Level::Detail };
        let span = span.and_then(|ends| Some(span_of((*ends.first()?, *ends.get(1)?))));
        let graphs = GraphChoice { only: graphs.unwrap_or_default().into_iter().map(u64::from).collect(), apart };
        let config = ExportConfig { level, span, graphs };
        let begin = |sink: &mut Pieces<'_>| Export::begin(&chosen, &clocks, config, sink);
        let export = Pieces::hand(piece, begin)?;
        self.exported = Some(match tracks {
            Some(tracks) => export.only(tracks.into_iter().map(TrackId).collect()),
            None => export,
        });
        Ok(())
    }

    /// Continues with a rank, by some MB; returns whether it is complete. Until then its trace must not change.
    ///
    /// # Errors
    ///
    /// The error that `piece` throws.
    pub fn export_rank(&mut self, index: usize, piece: &Function) -> Result<bool, JsValue> {
        let Some((export, rank)) = self.exported.as_mut().zip(self.ranks.list().get(index)) else { return Ok(true) };
        Pieces::hand(piece, |sink| export.rank(rank, EXPORTED_AT_ONCE, sink))
    }

    /// The share written, from 0 to 1.
    pub fn export_share(&self) -> f64 {
        self.exported.as_ref().map_or(0.0, Export::share)
    }

    /// Cancels the Perfetto trace.
    pub fn export_stop(&mut self) {
        self.exported = None;
    }

    /// Ends the Perfetto trace.
    ///
    /// # Errors
    ///
    /// The error that `piece` throws.
    pub fn export_end(&mut self, piece: &Function) -> Result<(), JsValue> {
        let Some(export) = self.exported.take() else { return Ok(()) };
        Pieces::hand(piece, |sink| export.end(sink)).map(drop)
    }
}

/// Bytes of an export per call, before other requests are served.
const EXPORTED_AT_ONCE: usize = 4 << 20;

/// Passes bytes to a JavaScript function.
struct Pieces<'a> {
    piece: &'a Function,
    error: Option<JsValue>,
}

impl Pieces<'_> {
    /// Passes written bytes to a JavaScript function.
    fn hand<T>(piece: &Function, write: impl FnOnce(&mut Pieces<'_>) -> std::io::Result<T>) -> Result<T, JsValue> {
        let mut sink = Pieces { piece, error: None };
        let result = write(&mut sink);
        match (result, sink.error) {
            (_, Some(error)) => Err(error),
            (Err(error), None) => Err(to_js(&Error::new(ErrorKind::Io(error.to_string())))),
            (Ok(written), None) => Ok(written),
        }
    }
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
