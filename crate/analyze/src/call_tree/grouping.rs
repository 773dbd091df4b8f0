//! The groupings of a call tree: by all calls of a thread, by modules, by ranges, or by phases.

use super::marks::Marks;
use crate::host_threads::is_of_host;
use crate::operator_parts::OperatorParts;
use crate::phases::{PhaseSource, Phases, is_module};
use crate::steps::Steps;
use stepscope_trace::{Class, EventId, Layer, Trace};

/// The slices of a thread that become nodes of the call tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallGrouping {
    /// All its slices.
    #[default]
    Calls,
    /// Calls of modules, such as `nn.Module: Linear_0`.
    Modules,
    /// Ranges that the program or its libraries mark: `record_function`, NVTX, phases.
    Ranges,
    /// All its slices during a phase that the analysis found, below this phase.
    Phases,
}

impl CallGrouping {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Calls, Self::Modules, Self::Ranges, Self::Phases];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Modules => "modules",
            Self::Ranges => "ranges",
            Self::Phases => "phases",
        }
    }

    /// The grouping with that [`name`](Self::name).
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grouping| grouping.name() == name)
    }
}

/// The groupings that a trace's call tree can have: modules where it has any, ranges where threads have ranges and
/// anything else, and phases where any was found.
#[must_use]
pub fn call_groupings(trace: &Trace, steps: &Steps, phases: &Phases) -> Vec<CallGrouping> {
    let mut groupings = vec![CallGrouping::Calls];
    let tracks = || trace.tracks.iter().filter(|track| is_of_host(track.layer));
    if has_modules(trace) {
        groupings.push(CallGrouping::Modules);
    }
    let ranges = Nodes::of(trace, CallGrouping::Ranges);
    let mut marks = Marks::of(steps);
    let (mut has_ranges, mut has_others) = (false, false);
    for id in tracks().flat_map(stepscope_trace::Track::events) {
        if !ranges.has(id) {
            has_others = true;
        } else if !has_ranges {
            has_ranges = !marks.take(trace.slices.interval(id));
        }
        if has_ranges && has_others {
            groupings.push(CallGrouping::Ranges);
            break;
        }
    }
    if phases.sources != [PhaseSource::Absent; 4] {
        groupings.push(CallGrouping::Phases);
    }
    groupings
}

/// Whether a trace has calls of modules.
pub(super) fn has_modules(trace: &Trace) -> bool {
    let modules = Nodes::of(trace, CallGrouping::Modules);
    let mut python = trace.tracks.iter().filter(|track| track.layer == Layer::Python);
    modules.is_name.contains(&true) && python.any(|track| track.events().any(|id| modules.has(id)))
}

/// The slices that make nodes, where not all do.
pub(super) struct Nodes<'a> {
    trace: &'a Trace,
    grouping: CallGrouping,
    /// By name, whether it is a module's; empty for other groupings.
    is_name: Vec<bool>,
    /// Annotations that are not ranges.
    parts: OperatorParts,
}

impl<'a> Nodes<'a> {
    pub(super) fn of(trace: &'a Trace, grouping: CallGrouping) -> Self {
        let is_name = if grouping == CallGrouping::Modules { trace.strings.map(is_module) } else { Vec::new() };
        Self { trace, grouping, is_name, parts: OperatorParts::of(trace) }
    }

    pub(super) fn has(&self, id: EventId) -> bool {
        let slices = &self.trace.slices;
        let class = slices.class(id);
        match self.grouping {
            CallGrouping::Calls | CallGrouping::Phases => true,
            CallGrouping::Modules => class == Class::PythonFrame && self.is_name[slices.name(id).index()],
            CallGrouping::Ranges => class == Class::Annotation && !self.parts.has(self.trace, id),
        }
    }
}
