//! Requests of the page for a rank: a topic and its settings.

use serde::{Deserialize, Deserializer};

use super::IdleThresholds;
use stepscope_analyze::{
    AdviceConfig, CallGrouping, CallScope, Change, KernelGrouping, OperatorGrouping, OperatorsConfig, RuleSet,
    StepChoice, StepTraceConfig,
};
use stepscope_base::{Interval, Nanos};
use stepscope_table::messages::Language;
use stepscope_trace::{Trace, TrackId};

/// A request, by its topic.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the type in each says it")]
pub enum ReportRequest {
    Selection(Selection),
    Budget(Budget),
    CallTree(CallTree),
    WhyIdle(WhyIdle),
    Row(Row),
    Event(Event),
    Range(Range),
    StepTrace(StepTrace),
    /// Loading of data.
    Data,
    Resources(Resources),
    KernelUse(KernelUse),
    CriticalPath(CriticalPath),
    Memory(Memory),
    Advice(Advice),
}

impl ReportRequest {
    /// Reads the request for a topic by its name; none for an unknown topic. Members that the topic does not have are
    /// ignored.
    ///
    /// # Errors
    ///
    /// If a value has another type.
    pub fn read<'de, D: Deserializer<'de>>(topic: &str, chosen: D) -> Result<Option<Self>, D::Error> {
        Ok(Some(match topic {
            "selection" => Self::Selection(Deserialize::deserialize(chosen)?),
            "budget" => Self::Budget(Deserialize::deserialize(chosen)?),
            "call_tree" => Self::CallTree(Deserialize::deserialize(chosen)?),
            "why_idle" => Self::WhyIdle(Deserialize::deserialize(chosen)?),
            "row" => Self::Row(Deserialize::deserialize(chosen)?),
            "event" => Self::Event(Deserialize::deserialize(chosen)?),
            "range" => Self::Range(Deserialize::deserialize(chosen)?),
            "step_trace" => Self::StepTrace(Deserialize::deserialize(chosen)?),
            "data" => Self::Data,
            "resources" => Self::Resources(Deserialize::deserialize(chosen)?),
            "kernel_use" => Self::KernelUse(Deserialize::deserialize(chosen)?),
            "critical_path" => Self::CriticalPath(Deserialize::deserialize(chosen)?),
            "memory" => Self::Memory(Deserialize::deserialize(chosen)?),
            "advice" => Self::Advice(Deserialize::deserialize(chosen)?),
            _ => return Ok(None),
        }))
    }

    /// The request for a topic by its name, without settings.
    #[must_use]
    pub fn of(topic: &str) -> Option<Self> {
        let nothing = serde::de::value::MapDeserializer::<_, serde::de::value::Error>::new(NOTHING.into_iter());
        Self::read(topic, nothing).ok().flatten()
    }
}

/// An object without members.
const NOTHING: [(&str, &str); 0] = [];

/// Tiles and tables: all kernels, operators and copies.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Selection {
    /// A step by its index; none for the whole trace, or for the average step.
    pub step: Option<usize>,
    /// Whether tables are for the average step, if no step is given.
    pub average: bool,
    /// The grouping of operators, by its name; an unknown one groups by name.
    pub grouping: String,
    /// Whether operators that are only children of the same name are merged.
    pub merge: bool,
}

/// The step budget.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// A step by its index; none for the average step.
    pub step: Option<usize>,
    /// The language of sentences, by its code; English if unknown.
    pub language: String,
}

/// The tree of calls.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CallTree {
    /// As of [`Selection`].
    pub step: Option<usize>,
    /// As of [`Selection`].
    pub average: bool,
    /// A range of time in place of steps, in ns from the trace's start.
    pub span_ns: Option<(f64, f64)>,
    /// The grouping, by its name; all calls if unknown.
    pub grouping: String,
    /// Whether threads that only wait are in it.
    pub waiting: bool,
}

/// Launches and idle times.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct WhyIdle {
    /// As of [`Selection`].
    pub step: Option<usize>,
    /// As of [`Selection`].
    pub average: bool,
    /// Thresholds set by the user.
    pub thresholds: IdleThresholds,
}

/// Details of a table row.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Row {
    /// The table: `operators`, `kernels`, `copies`, `launches`.
    pub table: String,
    /// The row's index in it.
    pub row: usize,
    /// As of [`Selection`].
    pub step: Option<usize>,
    /// As of [`Selection`].
    pub average: bool,
    /// As of [`Selection`].
    pub grouping: String,
    /// As of [`Selection`].
    pub merge: bool,
    /// As of [`KernelUse`].
    pub kernel_grouping: String,
}

/// An event.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Event {
    /// Its number.
    pub event: Option<u32>,
}

/// A range of time.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Range {
    /// The range, in ns from the trace's start; all time if none.
    pub span_ns: Option<(f64, f64)>,
    /// Another range to compare with.
    pub other_span_ns: Option<(f64, f64)>,
    /// The tracks whose slices are summed, by their indices in the trace; all if none.
    pub tracks: Option<Vec<usize>>,
}

/// Forward, backward and the rest of steps.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct StepTrace {
    /// The operator with which a step's forward pass begins.
    pub forward_start: Option<String>,
    /// The operator with which a step's backward pass ends.
    pub backward_end: Option<String>,
    /// The graph of `MindSpore` whose steps are shown; all without one.
    pub graph: Option<u64>,
}

/// Measurements of the machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Resources {
    /// The kind of resources whose points are requested, by its name.
    pub kind: String,
}

/// Use of the device by kernels.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct KernelUse {
    /// As of [`Selection`].
    pub step: Option<usize>,
    /// As of [`Selection`].
    pub average: bool,
    /// The grouping of kernels, by its name; an unknown one groups by name.
    pub kernel_grouping: String,
}

/// The critical path.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CriticalPath {
    /// A step by its index; none for all.
    pub step: Option<usize>,
    /// Changes to replay, such as `overlap` or `kernel=gemm*:2`; invalid ones are ignored.
    pub what_if: Vec<String>,
}

/// Memory over time.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The range of time of the curves, in ns from the trace's start; all time if none.
    pub span_ns: Option<(f64, f64)>,
}

/// Advice.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Advice {
    /// A set of rules by its name; the default set if unknown.
    pub rules: String,
    /// Thresholds of rules by name; unknown names are ignored.
    pub rule_thresholds: Vec<(String, f64)>,
}

/// A range of time from its ends in ns, as drawn in a chart.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "a place in a chart, in ns")]
pub fn span_of((from, to): (f64, f64)) -> Interval {
    Interval::new(Nanos(from.floor() as i64), Nanos(to.ceil() as i64))
}

/// The steps of tables.
pub(super) fn choice(step: Option<usize>, average: bool) -> StepChoice {
    match step {
        Some(step) => StepChoice::One(step),
        None if average => StepChoice::Average,
        None => StepChoice::Whole,
    }
}

pub(super) fn operators(grouping: &str, merge: bool) -> OperatorsConfig {
    OperatorsConfig {
        grouping: OperatorGrouping::named(grouping).unwrap_or(OperatorGrouping::Name),
        merge_only_children: merge,
    }
}

pub(super) fn kernels(grouping: &str) -> KernelGrouping {
    KernelGrouping::named(grouping).unwrap_or(KernelGrouping::Name)
}

impl Budget {
    pub(super) fn language(&self) -> Language {
        Language::named(&self.language).unwrap_or(Language::English)
    }
}

impl CallTree {
    pub(super) fn scope(&self) -> CallScope {
        let steps = || CallScope::Steps(choice(self.step, self.average));
        self.span_ns.map(span_of).map_or_else(steps, CallScope::Range)
    }

    pub(super) fn grouping(&self) -> CallGrouping {
        CallGrouping::named(&self.grouping).unwrap_or_default()
    }
}

impl Range {
    /// The tracks whose slices are summed; invalid indices are left out.
    pub(super) fn tracks(&self, trace: &Trace) -> Option<Vec<TrackId>> {
        let known = |tracks: &Vec<usize>| {
            let known = tracks.iter().filter(|track| **track < trace.tracks.len());
            known.map(|track| TrackId::from_index(*track)).collect()
        };
        self.tracks.as_ref().map(known)
    }
}

impl StepTrace {
    pub(super) fn config(&self) -> StepTraceConfig {
        let named = |name: &Option<String>| name.clone().filter(|name| !name.is_empty());
        StepTraceConfig {
            forward_start: named(&self.forward_start),
            backward_end: named(&self.backward_end),
            graph: self.graph,
        }
    }
}

impl CriticalPath {
    pub(super) fn changes(&self) -> Vec<Change> {
        self.what_if.iter().filter_map(|text| Change::named(text)).collect()
    }
}

impl Advice {
    pub(super) fn config(&self) -> AdviceConfig {
        let mut config = AdviceConfig::of(RuleSet::named(&self.rules).unwrap_or_default());
        for (name, value) in &self.rule_thresholds {
            config.set_threshold(name, *value);
        }
        config
    }
}
