//! The part of the time in modules, ranges or phases, and the launchers of the rest of the device's time.

use crate::mean;
use crate::phases::{LaunchPhases, Phase, PhaseSource, Phases};
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::{ActivityId, EventId, Trace};

/// The part of the time that is in modules, in ranges, or in phases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallCoverage {
    /// Time of threads in them.
    pub host: Nanos,
    /// Device time launched in them.
    pub device: Nanos,
    /// Device time launched by recorded calls outside of them, by its source, the most first.
    pub outside: Vec<LaunchedOutside>,
    /// In a tree by phases: those that were found, each with the way in which it was recognized.
    pub phases: Vec<(Phase, PhaseSource)>,
}

/// Device time that was launched outside of all modules, ranges or phases, by one launcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchedOutside {
    /// The launcher.
    pub by: LaunchedBy,
    /// The way in which the phase was recognized; empty for graphs and without a phase.
    pub source: PhaseSource,
    /// The sum over activities.
    pub device: Nanos,
}

/// The launcher of activities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchedBy {
    /// A launch of a graph, whose kernels belong to no recorded call.
    Graph,
    /// A call during a phase of its thread.
    Phase(Phase),
}

/// The part of a tree's time on host and devices, per step, that is in modules, ranges or phases. `host_outside` is a sum over
/// the steps. `launched` are the activities launched outside, each with its time that counts.
pub(super) fn coverage(
    trace: &Trace,
    phases: &Phases,
    (host, device, steps): (Nanos, Nanos, u64),
    host_outside: Nanos,
    launched: &[(ActivityId, Nanos)],
) -> CallCoverage {
    let mut of_phase = LaunchPhases::new(trace, phases);
    let mut outside: Vec<LaunchedOutside> = Vec::new();
    for (id, length) in launched {
        let activity = &trace.activities[id.index()];
        let call = [activity.call, activity.operator].into_iter().find_map(EventId::get);
        let is_by_graph = activity.graph != 0 || call.is_some_and(|call| trace.name_of(call).contains("GraphLaunch"));
        let (by, source) = match call.filter(|_| !is_by_graph).map(|call| of_phase.of(call)) {
            Some((phase, source)) => (LaunchedBy::Phase(phase), source),
            None => (LaunchedBy::Graph, PhaseSource::Absent),
        };
        match outside.iter_mut().find(|part| (part.by, part.source) == (by, source)) {
            Some(part) => part.device += *length,
            None => outside.push(LaunchedOutside { by, source, device: *length }),
        }
    }
    let all: Nanos = outside.iter().map(|part| part.device).sum();
    outside.compact_sort_by_key(|part| std::cmp::Reverse(part.device));
    for part in &mut outside {
        part.device = mean(part.device, steps);
    }
    let (host, device) = (host - mean(host_outside, steps), device - mean(all, steps));
    CallCoverage { host, device, outside, phases: Vec::new() }
}
