//! Reports by topic, which the page requests when it shows them.

use std::sync::Arc;

use super::data::{DataReport, has_data};
use super::event::EventReport;
use super::request::{self, ReportRequest, choice, kernels, operators, span_of};
use super::resources::ResourcesReport;
use super::row::{RowReport, RowRequest};
use super::step_trace::StepTraceReport;
use super::table::apart;
use super::text::json;
use super::{
    AdviceReport, BudgetReport, CallTreeReport, CriticalReport, CriticalRequest, KernelUseReport, MemoryReport,
    RangeReport, Selection, WhyIdle,
};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    Analysis, CallGrouping, RangeConfig, call_groupings, has_call_tree, has_memory, has_printed_summary, has_resources,
    step_trace_of, unknown_points,
};
use stepscope_base::Interval;
use stepscope_table::Table;

/// Whether a trace has anything for a topic.
type HasTopic = fn(&Rank) -> bool;

/// All topics by name, and whether a trace has anything for each; the page shows no tab otherwise.
const TOPICS: [(&str, HasTopic); 14] = [
    ("selection", |rank| rank.trace.has_events()),
    ("budget", has_activities),
    ("call_tree", |rank| has_call_tree(&rank.trace)),
    ("why_idle", has_activities),
    ("row", |rank| rank.trace.has_events()),
    ("event", |rank| !rank.trace.slices.is_empty()),
    ("range", |rank| rank.trace.has_events()),
    // If it is not found automatically, the user may name its points.
    ("step_trace", |rank| rank.analysis.step_trace.is_some() || rank.trace.has_events()),
    ("data", has_data),
    ("resources", |rank| has_resources(&rank.trace)),
    ("kernel_use", has_kernels),
    ("critical_path", has_steps),
    ("memory", |rank| has_memory(&rank.trace)),
    ("advice", has_advice),
];

fn has_activities(rank: &Rank) -> bool {
    !rank.trace.activities.is_empty()
}

fn has_kernels(rank: &Rank) -> bool {
    !rank.analysis.kernels.is_empty()
}

/// Whether some rule can be judged: by steps, by MindSpore's tables, or by totals that nvprof or msprof wrote.
fn has_advice(rank: &Rank) -> bool {
    let has_totals = || has_printed_summary(&rank.trace) || rank.trace.recorded_as("op_summary").next().is_some();
    has_steps(rank) || !rank.analysis.mindspore.is_empty() || has_totals()
}

fn has_steps(rank: &Rank) -> bool {
    !rank.analysis.steps.steps.is_empty()
}

/// A report as the page gets it.
#[derive(Debug)]
pub struct Answer {
    /// The report without its tables, as JSON.
    pub json: Vec<u8>,
    /// Its tables.
    pub tables: Vec<Arc<Table>>,
}

fn selection(rank: &Rank, request: &request::Selection) -> Selection {
    Selection::of(rank, choice(request.step, request.average), operators(&request.grouping, request.merge))
}

fn used(rank: &Rank, request: &request::KernelUse) -> Option<KernelUseReport> {
    has_kernels(rank)
        .then(|| KernelUseReport::of(rank, choice(request.step, request.average), kernels(&request.kernel_grouping)))
}

fn row(rank: &Rank, request: &request::Row) -> Option<Vec<u8>> {
    let request = RowRequest {
        table: &request.table,
        row: request.row,
        choice: choice(request.step, request.average),
        operators: operators(&request.grouping, request.merge),
        kernels: kernels(&request.kernel_grouping),
    };
    RowReport::of(rank, &request).map(|report| json(&report))
}

fn range(rank: &Rank, request: &request::Range) -> Option<Vec<u8>> {
    let tracks = request.tracks(&rank.trace);
    let of = |span: Interval| RangeConfig { span, tracks: tracks.clone() };
    let span = request.span_ns.map_or_else(|| rank.trace.span(), span_of);
    let other = request.other_span_ns.map(span_of).map(of);
    rank.trace.has_events().then(|| json(&RangeReport::of(rank, &of(span), other.as_ref())))
}

fn step_trace(rank: &Rank, request: &request::StepTrace) -> Option<Vec<u8>> {
    let config = request.config();
    let Analysis { steps, phases, .. } = &rank.analysis;
    let unknown = unknown_points(&rank.trace, &config);
    if !unknown.is_empty() {
        return Some(json(&StepTraceReport::of_unknown(unknown)));
    }
    let found = step_trace_of(&rank.trace, steps, phases, &config);
    found.map(|found| json(&StepTraceReport::of(&rank.trace, steps, &found)))
}

fn critical_path(rank: &Rank, request: &request::CriticalPath) -> Option<Vec<u8>> {
    let changes = request.changes();
    let request = CriticalRequest { paths: true, step: request.step, changes: &changes };
    has_steps(rank).then(|| json(&CriticalReport::of(rank, request)))
}

/// The requested report, as JSON; none if the trace has nothing for it.
#[must_use]
pub fn topic(rank: &Rank, request: &ReportRequest) -> Option<Vec<u8>> {
    match request {
        ReportRequest::Selection(request) => Some(json(&selection(rank, request))),
        ReportRequest::Budget(request) => {
            BudgetReport::of_step(rank, request.step, request.language()).map(|report| json(&report))
        }
        ReportRequest::CallTree(request) => {
            CallTreeReport::of(rank, request.scope(), request.grouping(), request.waiting).map(|report| json(&report))
        }
        ReportRequest::WhyIdle(request) => {
            WhyIdle::with(rank, &request.thresholds, choice(request.step, request.average)).map(|report| json(&report))
        }
        ReportRequest::Row(request) => row(rank, request),
        ReportRequest::Event(request) => EventReport::of(rank, request.event?).map(|report| json(&report)),
        ReportRequest::Range(request) => range(rank, request),
        ReportRequest::StepTrace(request) => step_trace(rank, request),
        ReportRequest::Data => DataReport::of(rank).map(|report| json(&report)),
        ReportRequest::Resources(request) => Some(json(&ResourcesReport::with_points(rank, &request.kind))),
        ReportRequest::KernelUse(request) => used(rank, request).map(|report| json(&report)),
        ReportRequest::CriticalPath(request) => critical_path(rank, request),
        ReportRequest::Memory(request) => {
            MemoryReport::of(rank, request.span_ns.map(span_of)).map(|report| json(&report))
        }
        ReportRequest::Advice(request) => Some(json(&AdviceReport::of(rank, &request.config()))),
    }
}

/// The requested report, with the tables whose rows are passed by columns; none if the trace has nothing for it.
#[must_use]
pub fn answer(rank: &Rank, request: &ReportRequest) -> Option<Answer> {
    answer_of(|| topic(rank, request))
}

/// An answer that a function writes as JSON.
pub(super) fn answer_of(write: impl FnOnce() -> Option<Vec<u8>>) -> Option<Answer> {
    let (json, tables) = apart(write);
    json.map(|json| Answer { json, tables })
}

/// The names of a rank's topics.
#[must_use]
pub fn topics_of(rank: &Rank) -> Vec<&'static str> {
    TOPICS.iter().filter(|(_, has)| has(rank)).map(|(name, _)| *name).collect()
}

/// The names of a rank's call tree groupings; empty without calls.
#[must_use]
pub fn call_groupings_of(rank: &Rank) -> Vec<&'static str> {
    let groupings = if has_call_tree(&rank.trace) {
        call_groupings(&rank.trace, &rank.analysis.steps, &rank.analysis.phases)
    } else {
        Vec::new()
    };
    groupings.into_iter().map(CallGrouping::name).collect()
}

#[cfg(test)]
mod tests {
    use super::{ReportRequest, TOPICS};

    #[test]
    fn each_topic_can_be_asked_for_by_its_name() {
        for (name, _) in TOPICS {
            assert!(ReportRequest::of(name).is_some(), "{name}");
        }
        assert!(ReportRequest::of("nothing").is_none());
    }
}
