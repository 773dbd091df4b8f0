//! The call tree, by columns: a tree has thousands of nodes.

use schemars::JsonSchema;
use serde::Serialize;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use stepscope_analyze::{
    CallCoverage, CallGrouping, CallNode, CallScope, Called, LaunchedBy, Rank, call_groupings, call_tree,
    has_call_tree, working_call_tree,
};
use stepscope_base::Nanos;
use stepscope_trace::Trace;

/// The call tree of a rank, or its tree of modules, of ranges or by phases. Each list in `nodes` has one value per node; callers come before callees.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CallTreeReport {
    /// The kind of nodes: `calls`, `modules`, `ranges`, or `phases` with the calls in them.
    grouping: &'static str,
    /// The groupings for which the trace has something.
    groupings: Vec<&'static str>,
    /// Host time, summed over the threads of the tree.
    host_ns: i64,
    /// The range of time, if one was asked for: device time is then what ran in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<CallRangeReport>,
    /// Device time of activities launched by calls of the tree.
    device_ns: i64,
    /// Device time of activities without a recorded launch.
    device_unlinked_ns: i64,
    /// The number of steps by which times are divided; call counts are not divided.
    steps: u64,
    /// The number of nodes that are too short to be listed.
    left_out: usize,
    /// The time in modules, ranges or phases; absent for calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<CallCoverageReport>,
    /// The number of threads that only wait; they are no nodes unless they were asked for.
    waiting_threads: usize,
    /// Host time, summed over these.
    waiting_ns: i64,
    names: Vec<String>,
    nodes: CallTreeNodesReport,
}

/// A range of time, in the rank's time.
#[derive(Debug, JsonSchema, Serialize)]
struct CallRangeReport {
    start_ns: i64,
    end_ns: i64,
    length_ns: i64,
    /// The part of the trace's time that lies in it; null for a trace without any time.
    share: Option<f64>,
}

/// The time in modules, ranges or phases, and the time outside.
#[derive(Debug, JsonSchema, Serialize)]
struct CallCoverageReport {
    /// Host time in them.
    host_ns: i64,
    /// Device time of activities launched in them.
    device_ns: i64,
    /// Device time of activities launched outside of all of them, largest first.
    outside: Vec<LaunchedOutsideReport>,
    /// In a tree by phases: the phases that were found, in the order of a step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    phases: Vec<FoundPhaseReport>,
}

/// A phase that was found in the trace.
#[derive(Debug, JsonSchema, Serialize)]
struct FoundPhaseReport {
    phase: &'static str,
    /// The source by which it was recognized.
    source: &'static str,
}

/// Device time of activities launched outside of all modules, ranges or phases.
#[derive(Debug, JsonSchema, Serialize)]
struct LaunchedOutsideReport {
    /// `graph` for launches of graphs, otherwise the phase of the launching call.
    by: &'static str,
    /// The source by which the phase was recognized; `absent` for graphs and outside of all phases.
    source: &'static str,
    device_ns: i64,
}

#[derive(Debug, Default, JsonSchema, Serialize)]
struct CallTreeNodesReport {
    /// An index into `names`.
    name: Vec<u32>,
    /// The index of the caller; -1 for a thread.
    parent: Vec<i32>,
    /// The class; empty for a thread, `phase` for a phase.
    class: Vec<&'static str>,
    calls: Vec<u64>,
    host_ns: Vec<i64>,
    /// Without callees; for a thread, the time outside of all modules, ranges or phases.
    host_self_ns: Vec<i64>,
    device_ns: Vec<i64>,
    device_self_ns: Vec<i64>,
    /// The event of the longest call; -1 for a thread, and if no call starts in the range.
    longest: Vec<i64>,
    /// The length of that call.
    longest_ns: Vec<i64>,
}

impl CallTreeReport {
    /// The tree of a scope: all calls if the trace does not have the wanted grouping; none if no host thread was
    /// recorded.
    #[must_use]
    pub fn of(rank: &Rank, scope: CallScope, wanted: CallGrouping, with_waiting: bool) -> Option<Self> {
        let trace = &rank.trace;
        if !has_call_tree(trace) {
            return None;
        }
        let groupings = call_groupings(trace, &rank.analysis.steps, &rank.analysis.phases);
        let grouping = if groupings.contains(&wanted) { wanted } else { CallGrouping::Calls };
        let tree_of = if with_waiting { call_tree } else { working_call_tree };
        let tree = tree_of(trace, &rank.analysis, scope, grouping);
        let mut names = Vec::new();
        let mut places: HashMap<Called, u32, FxBuildHasher> = HashMap::default();
        let mut nodes = CallTreeNodesReport::default();
        for node in &tree.nodes {
            let name = *places.entry(node.call).or_insert_with(|| {
                names.push(name_of(trace, node.call));
                (names.len() - 1) as u32
            });
            nodes.push(name, node, node.longest.map_or(Nanos::ZERO, |event| trace.slices.length(event)));
        }
        Some(Self {
            grouping: grouping.name(),
            groupings: groupings.into_iter().map(CallGrouping::name).collect(),
            host_ns: tree.host.0,
            range: CallRangeReport::of(trace, scope),
            device_ns: tree.device.0,
            device_unlinked_ns: tree.device_unlinked.0,
            steps: tree.steps,
            left_out: tree.left_out,
            coverage: tree.coverage.as_ref().map(CallCoverageReport::of),
            waiting_threads: tree.waiting.threads,
            waiting_ns: tree.waiting.host.0,
            names,
            nodes,
        })
    }
}

impl CallRangeReport {
    fn of(trace: &Trace, scope: CallScope) -> Option<Self> {
        let CallScope::Range(range) = scope else { return None };
        let whole = trace.span();
        let share = whole.intersection(range).len().ratio_of(whole.len());
        Some(Self { start_ns: range.start.0, end_ns: range.end.0, length_ns: range.len().0, share })
    }
}

impl CallCoverageReport {
    fn of(coverage: &CallCoverage) -> Self {
        let outside = coverage.outside.iter().map(|outside| LaunchedOutsideReport {
            by: match outside.by {
                LaunchedBy::Graph => "graph",
                LaunchedBy::Phase(phase) => phase.name(),
            },
            source: outside.source.name(),
            device_ns: outside.device.0,
        });
        let found = coverage.phases.iter();
        let found = found.map(|(phase, source)| FoundPhaseReport { phase: phase.name(), source: source.name() });
        Self {
            host_ns: coverage.host.0,
            device_ns: coverage.device.0,
            outside: outside.collect(),
            phases: found.collect(),
        }
    }
}

fn name_of(trace: &Trace, call: Called) -> String {
    match call {
        Called::Thread(track) => trace.thread_label(&trace.tracks[track.index()]),
        Called::Name(name) => trace.strings.get(name).to_owned(),
        Called::Phase(phase) => phase.name().to_owned(),
    }
}

impl CallTreeNodesReport {
    fn push(&mut self, name: u32, node: &CallNode, longest: Nanos) {
        let place = |place: Option<usize>| place.and_then(|place| i32::try_from(place).ok()).unwrap_or(-1);
        self.name.push(name);
        self.parent.push(place(node.parent));
        let of_phase = if let Called::Phase(_) = node.call { "phase" } else { "" };
        self.class.push(node.class.map_or(of_phase, |class| class.name()));
        self.calls.push(node.calls);
        let mut put = |list: fn(&mut Self) -> &mut Vec<i64>, time: Nanos| list(self).push(time.0);
        put(|nodes| &mut nodes.host_ns, node.host);
        put(|nodes| &mut nodes.host_self_ns, node.host_self);
        put(|nodes| &mut nodes.device_ns, node.device);
        put(|nodes| &mut nodes.device_self_ns, node.device_self);
        put(|nodes| &mut nodes.longest_ns, longest);
        self.longest.push(node.longest.map_or(-1, |event| event.index() as i64));
    }
}
