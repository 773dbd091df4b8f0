//! Reports that are asked for by name: the page gets them when it shows them.

use serde::Deserialize;

use super::data::{DataReport, has_data};
use super::event::EventReport;
use super::resources::ResourcesReport;
use super::row::{RowAsk, RowReport};
use super::step_trace::StepTraceReport;
use super::text::json;
use super::{
    AdviceReport, BudgetReport, CallTreeReport, CriticalAsk, CriticalReport, IdleThresholds, KernelUseReport,
    MemoryReport, RangeReport, Selection, WhyIdle,
};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    AdviceConfig, Analysis, Change, KernelGrouping, OperatorGrouping, OperatorsConfig, RangeConfig, RuleSet,
    StepChoice, StepTraceConfig, has_call_tree, has_memory, has_resources, step_trace_of, unknown_points,
};
use stepscope_base::{Interval, Nanos};
use stepscope_table::Table;
use stepscope_table::messages::Language;
use stepscope_trace::{Trace, TrackId};

/// What is asked of a topic; each takes of it what it knows.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Ask {
    /// A step by its index; none for the whole trace, or for the average step.
    pub step: Option<usize>,
    /// Whether tables are wanted of the average step, where no step is named.
    pub average: bool,
    /// How operators are grouped, by its name; by name if that is none.
    pub grouping: String,
    /// Whether operators that are only children of the same name are merged.
    pub merge: bool,
    /// What kind of resources points are wanted of, by its name.
    pub kind: String,
    /// How kernels are grouped, by its name; by name if that is none.
    pub kernel_grouping: String,
    /// Changes to replay, such as `overlap` or `kernel=gemm*:2`; what names none is left out.
    pub what_if: Vec<String>,
    /// The part of time that curves show or that is told of, in ns from the trace's start; all of it if none.
    pub span_ns: Option<(f64, f64)>,
    /// Another part of time, which that is compared with.
    pub other_span_ns: Option<(f64, f64)>,
    /// The tracks of which slices are added up, by their places in the trace; of all if none.
    pub tracks: Option<Vec<usize>>,
    /// A table of which a row is looked into: `operators`, `kernels`, `copies`, `launches`.
    pub table: String,
    /// The row's place in it.
    pub row: usize,
    /// An event by its number.
    pub event: Option<u32>,
    /// Thresholds of launches and idle times.
    pub thresholds: IdleThresholds,
    /// The operator with which a step's forward pass begins.
    pub forward_start: Option<String>,
    /// The operator with which a step's backward pass ends.
    pub backward_end: Option<String>,
    /// A set of rules by its name; ours if that is none.
    pub rules: String,
    /// Thresholds of rules by name; what names none is left out.
    pub rule_thresholds: Vec<(String, f64)>,
    /// The language of sentences, by its code; English if that is none.
    pub language: String,
}

impl Ask {
    fn choice(&self) -> StepChoice {
        match self.step {
            Some(step) => StepChoice::One(step),
            None if self.average => StepChoice::Average,
            None => StepChoice::Whole,
        }
    }

    fn span(&self) -> Option<Interval> {
        self.span_ns.map(span_of)
    }

    /// The tracks of which slices are added up, by their places in the trace; those of no track are left out.
    fn tracks(&self, trace: &Trace) -> Option<Vec<TrackId>> {
        let known = |tracks: &Vec<usize>| {
            let known = tracks.iter().filter(|track| **track < trace.tracks.len());
            known.map(|track| TrackId::from_index(*track)).collect()
        };
        self.tracks.as_ref().map(known)
    }

    fn kernels(&self) -> KernelGrouping {
        KernelGrouping::named(&self.kernel_grouping).unwrap_or(KernelGrouping::Name)
    }

    fn operators(&self) -> OperatorsConfig {
        OperatorsConfig {
            grouping: OperatorGrouping::named(&self.grouping).unwrap_or(OperatorGrouping::Name),
            merge_only_children: self.merge,
        }
    }

    pub(super) fn advice(&self) -> AdviceConfig {
        let mut config = AdviceConfig::of(RuleSet::named(&self.rules).unwrap_or_default());
        for (name, value) in &self.rule_thresholds {
            config.set_threshold(name, *value);
        }
        config
    }
}

/// A part of time by its ends in ns, as a person drew it.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "a place in a chart, in ns")]
pub fn span_of((from, to): (f64, f64)) -> Interval {
    Interval::new(Nanos(from.floor() as i64), Nanos(to.ceil() as i64))
}

/// A report by its name.
struct Topic {
    name: &'static str,
    /// Whether the trace has anything for it: the page shows no tab of it otherwise.
    has: fn(&Rank) -> bool,
    /// The report as JSON; nothing if the trace has nothing for it.
    report: fn(&Rank, &Ask) -> Option<Vec<u8>>,
    /// The same with its tables apart, where it has any.
    apart: Option<fn(&Rank, &Ask) -> Option<Answer>>,
}

impl Topic {
    const fn new(name: &'static str, has: fn(&Rank) -> bool, report: fn(&Rank, &Ask) -> Option<Vec<u8>>) -> Self {
        Self { name, has, report, apart: None }
    }

    /// Hands the rows of tables over by columns.
    const fn apart(mut self, apart: fn(&Rank, &Ask) -> Option<Answer>) -> Self {
        self.apart = Some(apart);
        self
    }
}

/// A report as the page gets it.
#[derive(Debug)]
pub struct Answer {
    /// What is no table, as JSON.
    pub json: Vec<u8>,
    /// Its tables.
    pub tables: Vec<Table>,
}

fn selection(rank: &Rank, ask: &Ask) -> Selection {
    Selection::of(rank, ask.choice(), ask.operators())
}

fn has_kernels(rank: &Rank) -> bool {
    !rank.analysis.kernels.is_empty()
}

fn used(rank: &Rank, ask: &Ask) -> Option<KernelUseReport> {
    has_kernels(rank).then(|| KernelUseReport::of(rank, ask.choice(), ask.kernels()))
}

/// All topics.
const TOPICS: [Topic; 14] = [
    Topic::new("selection", |rank| rank.trace.has_events(), |rank, ask| Some(json(&selection(rank, ask)))).apart(
        |rank, ask| {
            let mut report = selection(rank, ask);
            let tables = report.take();
            Some(Answer { json: json(&report), tables })
        },
    ),
    Topic::new(
        "budget",
        |rank| !rank.trace.activities.is_empty(),
        |rank, ask| {
            let language = Language::named(&ask.language).unwrap_or(Language::English);
            BudgetReport::of_step(rank, ask.step, language).map(|report| json(&report))
        },
    ),
    Topic::new(
        "call_tree",
        |rank| has_call_tree(&rank.trace),
        |rank, ask| CallTreeReport::of(rank, ask.choice()).map(|report| json(&report)),
    ),
    Topic::new(
        "why_idle",
        |rank| !rank.trace.activities.is_empty(),
        |rank, ask| WhyIdle::with(rank, &ask.thresholds, ask.choice()).map(|report| json(&report)),
    ),
    Topic::new(
        "row",
        |rank| rank.trace.has_events(),
        |rank, ask| {
            let Ask { table, row, .. } = ask;
            let (operators, kernels) = (ask.operators(), ask.kernels());
            let ask = RowAsk { table, row: *row, choice: ask.choice(), operators, kernels };
            RowReport::of(rank, &ask).map(|report| json(&report))
        },
    ),
    Topic::new(
        "event",
        |rank| !rank.trace.slices.is_empty(),
        |rank, ask| EventReport::of(rank, ask.event?).map(|report| json(&report)),
    ),
    Topic::new(
        "range",
        |rank| rank.trace.has_events(),
        |rank, ask| {
            let tracks = ask.tracks(&rank.trace);
            let of = |span: Interval| RangeConfig { span, tracks: tracks.clone() };
            let span = ask.span().unwrap_or_else(|| rank.trace.span());
            let other = ask.other_span_ns.map(span_of).map(of);
            rank.trace.has_events().then(|| json(&RangeReport::of(rank, &of(span), other.as_ref())))
        },
    ),
    Topic::new(
        "step_trace",
        // Where it is not found by itself, a person may name its points.
        |rank| rank.analysis.step_trace.is_some() || rank.analysis.steps.source.is_marked(),
        |rank, ask| {
            let config = StepTraceConfig {
                forward_start: ask.forward_start.clone().filter(|name| !name.is_empty()),
                backward_end: ask.backward_end.clone().filter(|name| !name.is_empty()),
            };
            let Analysis { steps, phases, .. } = &rank.analysis;
            let unknown = unknown_points(&rank.trace, &config);
            if !unknown.is_empty() {
                return Some(json(&StepTraceReport::of_unknown(unknown)));
            }
            let found = step_trace_of(&rank.trace, steps, phases, &config);
            found.map(|found| json(&StepTraceReport::of(&rank.trace, steps, &found)))
        },
    ),
    Topic::new("data", has_data, |rank, _| DataReport::of(rank).map(|report| json(&report))),
    Topic::new(
        "resources",
        |rank| has_resources(&rank.trace),
        |rank, ask| Some(json(&ResourcesReport::with_points(rank, ask))),
    ),
    Topic::new("kernel_use", has_kernels, |rank, ask| used(rank, ask).map(|report| json(&report))).apart(
        |rank, ask| {
            let mut report = used(rank, ask)?;
            let tables = report.take();
            Some(Answer { json: json(&report), tables })
        },
    ),
    Topic::new(
        "critical_path",
        |rank| !rank.analysis.steps.steps.is_empty(),
        |rank, ask| {
            let changes: Vec<Change> = ask.what_if.iter().filter_map(|text| Change::named(text)).collect();
            let ask = CriticalAsk { paths: true, step: ask.step, changes: &changes };
            (!rank.analysis.steps.steps.is_empty()).then(|| json(&CriticalReport::of(rank, ask)))
        },
    ),
    Topic::new(
        "memory",
        |rank| has_memory(&rank.trace),
        |rank, ask| MemoryReport::of(rank, ask.span()).map(|report| json(&report)),
    ),
    Topic::new(
        "advice",
        |rank| !rank.analysis.steps.steps.is_empty() || !rank.analysis.mindspore.is_empty(),
        |rank, ask| Some(json(&AdviceReport::of(rank, &ask.advice()))),
    ),
];

/// The report of that name, as JSON; nothing if there is none, or if the trace has nothing for it.
#[must_use]
pub fn topic(rank: &Rank, name: &str, ask: &Ask) -> Option<Vec<u8>> {
    let topic = TOPICS.iter().find(|topic| topic.name == name)?;
    (topic.report)(rank, ask)
}

/// The report of that name with its tables apart; nothing if there is none, or if the trace has nothing for it.
#[must_use]
pub fn answer(rank: &Rank, name: &str, ask: &Ask) -> Option<Answer> {
    let topic = TOPICS.iter().find(|topic| topic.name == name)?;
    match topic.apart {
        Some(apart) => apart(rank, ask),
        None => (topic.report)(rank, ask).map(|json| Answer { json, tables: Vec::new() }),
    }
}

/// The names of what can be asked of a rank.
#[must_use]
pub fn topics_of(rank: &Rank) -> Vec<&'static str> {
    TOPICS.iter().filter(|topic| (topic.has)(rank)).map(|topic| topic.name).collect()
}
