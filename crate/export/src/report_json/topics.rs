//! Reports that are asked for by name: the page gets them when it shows them.

use super::ask::{self, Ask, choice, kernels, operators, span_of};
use super::data::{DataReport, has_data};
use super::event::EventReport;
use super::resources::ResourcesReport;
use super::row::{RowAsk, RowReport};
use super::step_trace::StepTraceReport;
use super::text::json;
use super::{
    AdviceReport, BudgetReport, CallTreeReport, CriticalAsk, CriticalReport, KernelUseReport, MemoryReport,
    RangeReport, Selection, WhyIdle,
};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    Analysis, RangeConfig, has_call_tree, has_memory, has_resources, step_trace_of, unknown_points,
};
use stepscope_base::Interval;
use stepscope_table::Table;

/// All topics by their names, and whether a trace has anything for each: the page shows no tab of it otherwise.
const TOPICS: [(&str, fn(&Rank) -> bool); 14] = [
    ("selection", |rank| rank.trace.has_events()),
    ("budget", has_activities),
    ("call_tree", |rank| has_call_tree(&rank.trace)),
    ("why_idle", has_activities),
    ("row", |rank| rank.trace.has_events()),
    ("event", |rank| !rank.trace.slices.is_empty()),
    ("range", |rank| rank.trace.has_events()),
    // Where it is not found by itself, a person may name its points.
    ("step_trace", |rank| rank.analysis.step_trace.is_some() || rank.analysis.steps.source.is_marked()),
    ("data", has_data),
    ("resources", |rank| has_resources(&rank.trace)),
    ("kernel_use", has_kernels),
    ("critical_path", has_steps),
    ("memory", |rank| has_memory(&rank.trace)),
    ("advice", |rank| has_steps(rank) || !rank.analysis.mindspore.is_empty()),
];

fn has_activities(rank: &Rank) -> bool {
    !rank.trace.activities.is_empty()
}

fn has_kernels(rank: &Rank) -> bool {
    !rank.analysis.kernels.is_empty()
}

fn has_steps(rank: &Rank) -> bool {
    !rank.analysis.steps.steps.is_empty()
}

/// A report as the page gets it.
#[derive(Debug)]
pub struct Answer {
    /// What is no table, as JSON.
    pub json: Vec<u8>,
    /// Its tables.
    pub tables: Vec<Table>,
}

fn selection(rank: &Rank, ask: &ask::Selection) -> Selection {
    Selection::of(rank, choice(ask.step, ask.average), operators(&ask.grouping, ask.merge))
}

fn used(rank: &Rank, ask: &ask::KernelUse) -> Option<KernelUseReport> {
    has_kernels(rank).then(|| KernelUseReport::of(rank, choice(ask.step, ask.average), kernels(&ask.kernel_grouping)))
}

fn row(rank: &Rank, ask: &ask::Row) -> Option<Vec<u8>> {
    let ask = RowAsk {
        table: &ask.table,
        row: ask.row,
        choice: choice(ask.step, ask.average),
        operators: operators(&ask.grouping, ask.merge),
        kernels: kernels(&ask.kernel_grouping),
    };
    RowReport::of(rank, &ask).map(|report| json(&report))
}

fn range(rank: &Rank, ask: &ask::Range) -> Option<Vec<u8>> {
    let tracks = ask.tracks(&rank.trace);
    let of = |span: Interval| RangeConfig { span, tracks: tracks.clone() };
    let span = ask.span_ns.map_or_else(|| rank.trace.span(), span_of);
    let other = ask.other_span_ns.map(span_of).map(of);
    rank.trace.has_events().then(|| json(&RangeReport::of(rank, &of(span), other.as_ref())))
}

fn step_trace(rank: &Rank, ask: &ask::StepTrace) -> Option<Vec<u8>> {
    let config = ask.config();
    let Analysis { steps, phases, .. } = &rank.analysis;
    let unknown = unknown_points(&rank.trace, &config);
    if !unknown.is_empty() {
        return Some(json(&StepTraceReport::of_unknown(unknown)));
    }
    let found = step_trace_of(&rank.trace, steps, phases, &config);
    found.map(|found| json(&StepTraceReport::of(&rank.trace, steps, &found)))
}

fn critical_path(rank: &Rank, ask: &ask::CriticalPath) -> Option<Vec<u8>> {
    let changes = ask.changes();
    let ask = CriticalAsk { paths: true, step: ask.step, changes: &changes };
    has_steps(rank).then(|| json(&CriticalReport::of(rank, ask)))
}

/// The report that is asked for, as JSON; nothing if the trace has nothing for it.
#[must_use]
pub fn topic(rank: &Rank, ask: &Ask) -> Option<Vec<u8>> {
    match ask {
        Ask::Selection(ask) => Some(json(&selection(rank, ask))),
        Ask::Budget(ask) => BudgetReport::of_step(rank, ask.step, ask.language()).map(|report| json(&report)),
        Ask::CallTree(ask) => CallTreeReport::of(rank, choice(ask.step, ask.average)).map(|report| json(&report)),
        Ask::WhyIdle(ask) => {
            WhyIdle::with(rank, &ask.thresholds, choice(ask.step, ask.average)).map(|report| json(&report))
        }
        Ask::Row(ask) => row(rank, ask),
        Ask::Event(ask) => EventReport::of(rank, ask.event?).map(|report| json(&report)),
        Ask::Range(ask) => range(rank, ask),
        Ask::StepTrace(ask) => step_trace(rank, ask),
        Ask::Data => DataReport::of(rank).map(|report| json(&report)),
        Ask::Resources(ask) => Some(json(&ResourcesReport::with_points(rank, &ask.kind))),
        Ask::KernelUse(ask) => used(rank, ask).map(|report| json(&report)),
        Ask::CriticalPath(ask) => critical_path(rank, ask),
        Ask::Memory(ask) => MemoryReport::of(rank, ask.span_ns.map(span_of)).map(|report| json(&report)),
        Ask::Advice(ask) => Some(json(&AdviceReport::of(rank, &ask.config()))),
    }
}

/// The report that is asked for, with its tables apart where it hands their rows over by columns; nothing if the trace has nothing
/// for it.
#[must_use]
pub fn answer(rank: &Rank, ask: &Ask) -> Option<Answer> {
    match ask {
        Ask::Selection(ask) => {
            let mut report = selection(rank, ask);
            let tables = report.take();
            Some(Answer { json: json(&report), tables })
        }
        Ask::KernelUse(ask) => {
            let mut report = used(rank, ask)?;
            let tables = report.take();
            Some(Answer { json: json(&report), tables })
        }
        ask => topic(rank, ask).map(|json| Answer { json, tables: Vec::new() }),
    }
}

/// The names of what can be asked of a rank.
#[must_use]
pub fn topics_of(rank: &Rank) -> Vec<&'static str> {
    TOPICS.iter().filter(|(_, has)| has(rank)).map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::{Ask, TOPICS};

    #[test]
    fn each_topic_can_be_asked_for_by_its_name() {
        for (name, _) in TOPICS {
            assert!(Ask::of(name).is_some(), "{name}");
        }
        assert!(Ask::of("nothing").is_none());
    }
}
