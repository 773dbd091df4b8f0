//! Replays of a trace with one thing changed. METRICS section 11.

use super::graph::{Edge, EdgeKind, ExecutionGraph, NONE, Node, NodeKind, starts_late};
use crate::steps::{Steps, matches};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{Class, NameId, Trace};

/// A change of the program in a replay.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Nothing: the replay gives the recorded times.
    Nothing,
    /// Communication is fully overlapped: it begins when it can and takes its time, on streams of its own, and nothing
    /// but other communication waits for it.
    Overlap,
    /// Data is ready: the waits for the data loader take no time.
    Data,
    /// Launches are free, as those inside a CUDA graph are: launching calls take no time, and activities begin as soon
    /// as their streams and dependencies allow. An activity that began late for an unknown reason begins as late after
    /// its call.
    Launches,
    /// Kernels of a name take less time.
    Kernel {
        /// Their name, in which `*` stands for anything.
        name: String,
        /// The speedup; more than zero.
        factor: f64,
    },
}

impl Change {
    /// A stable name, without a kernel's.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Overlap => "overlap",
            Self::Data => "data",
            Self::Launches => "launches",
            Self::Kernel { .. } => "kernel",
        }
    }

    /// Parses a change: its [`name`](Self::name), or `kernel=NAME:FACTOR`.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        if let Some(kernel) = text.strip_prefix("kernel=") {
            // Names of kernels have colons of their own.
            let (name, factor) = kernel.rsplit_once(':')?;
            let factor: f64 = factor.parse().ok()?;
            return (factor.is_finite() && factor > 0.0).then(|| Self::Kernel { name: name.to_owned(), factor });
        }
        [Self::Nothing, Self::Overlap, Self::Data, Self::Launches].into_iter().find(|change| change.name() == text)
    }
}

/// A step before and after the change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayedStep {
    /// As recorded.
    pub before: Interval,
    /// After the change: extended by the activities that it launches, as recorded steps are.
    pub after: Interval,
}

/// The steps of the same program with one thing changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// Every step, in order. A single one may become longer, since it may begin earlier than it would have.
    pub steps: Vec<ReplayedStep>,
    /// The mean length of the steps that enter averages, as recorded and after the change: never longer.
    pub mean: [Nanos; 2],
    /// Number of steps in the means.
    pub counted: u64,
    /// Number of changed calls, activities and waits.
    pub changed: u64,
}

/// The differences of a replay from the recorded trace.
pub(super) trait Different {
    /// Whether a node no longer waits for another one.
    fn drops(&self, edge: &Edge, from: &Node, to: &Node) -> bool;
    /// Least delay of a node after another one.
    fn after(&self, edge: &Edge, from: &Node, to: &Node) -> Nanos;
    /// Length of a node.
    fn length(&self, index: usize, node: &Node) -> Nanos;
}

/// Whether a node other than communication waits for communication.
pub(super) fn communication_waits(edge: &Edge, from: NodeKind, to: NodeKind) -> bool {
    from.communicates()
        && !to.communicates()
        && matches!(edge.kind, EdgeKind::Stream | EdgeKind::Event | EdgeKind::Return)
}

/// A change, made ready for one trace.
struct Changed<'a> {
    trace: &'a Trace,
    change: &'a Change,
    /// By name: whether its kernels are faster.
    names: Vec<bool>,
    factor: f64,
}

impl Different for Changed<'_> {
    fn drops(&self, edge: &Edge, from: &Node, to: &Node) -> bool {
        match self.change {
            Change::Overlap => communication_waits(edge, from.kind, to.kind),
            Change::Data => edge.kind == EdgeKind::Worker,
            _ => false,
        }
    }

    fn after(&self, edge: &Edge, from: &Node, to: &Node) -> Nanos {
        match (edge.kind, self.change) {
            (EdgeKind::Launch, Change::Launches) => {
                let call = self.trace.activity(to.slice).and_then(|activity| activity.call.get());
                let returned = call.map_or(from.end, |call| self.trace.slices.end(call));
                let delay = from.at + edge.after - returned.max(from.at);
                if starts_late(delay) { delay } else { Nanos::ZERO }
            }
            (EdgeKind::Loading, Change::Data) => Nanos::ZERO,
            _ => edge.after,
        }
    }

    fn length(&self, _: usize, node: &Node) -> Nanos {
        let length = node.end - node.at;
        let free = match (self.change, node.kind) {
            (Change::Launches, NodeKind::Call { launches, .. }) => launches,
            (Change::Data, NodeKind::Call { loading, .. }) => loading,
            (Change::Kernel { .. }, NodeKind::Activity { .. }) => {
                let slices = &self.trace.slices;
                let faster = self.names[slices.name(node.slice).index()] && slices.class(node.slice) == Class::Kernel;
                return if faster { shortened(length, self.factor) } else { length };
            }
            _ => false,
        };
        if free { Nanos::ZERO } else { length }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "lengths of kernels are far below 2^52 ns"
)]
fn shortened(length: Nanos, factor: f64) -> Nanos {
    Nanos((length.0 as f64 / factor).round() as i64)
}

/// Names of kernels that match a pattern; empty if none does.
#[must_use]
pub fn kernels_named(trace: &Trace, pattern: &str) -> Vec<NameId> {
    let named = trace.strings.map(|name| matches(pattern, name));
    let mut names: Vec<NameId> =
        trace.slices_of(Class::Kernel).map(|id| trace.slices.name(id)).filter(|name| named[name.index()]).collect();
    names.compact_sort();
    names.dedup();
    names
}

/// Replays a trace with one thing changed; everything else keeps its length and its dependencies.
///
/// With nothing changed, everything happens when it did. No node begins later than without the change, so no step ends
/// later.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{Change, ExecutionGraph, StepsConfig, what_if};
///
/// // The host launches a kernel of 50 µs, waits for it until 62 µs, and is done at 70 µs.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":70},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":50,"args":{"stream":7,"correlation":9}},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":1,"tid":1,"ts":8,"dur":54}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &StepsConfig::default());
/// let graph = ExecutionGraph::of(&trace, &steps);
/// let faster = Change::Kernel { name: "gemm".to_owned(), factor: 5.0 };
/// assert_eq!(what_if(&trace, &steps, &graph, &Change::Nothing).mean, [Nanos(70_000), Nanos(70_000)]);
/// assert_eq!(what_if(&trace, &steps, &graph, &faster).mean, [Nanos(70_000), Nanos(30_000)]);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn what_if(trace: &Trace, steps: &Steps, graph: &ExecutionGraph, change: &Change) -> Replay {
    let mut changed = Changed { trace, change, names: Vec::new(), factor: 1.0 };
    if let Change::Kernel { name, factor } = change {
        changed.names = trace.strings.map(|known| matches(name, known));
        changed.factor = *factor;
    }
    let mut spans = Vec::new();
    let count = replay(graph, &changed, &mut spans);
    let replayed = replayed_steps(steps, graph, &spans);
    let counted = steps.counted();
    let mean = |length: fn(&ReplayedStep) -> Interval| {
        let total = counted.iter().map(|index| length(&replayed[*index]).len()).sum();
        crate::mean(total, counted.len() as u64)
    };
    let before = mean(|step| step.before);
    // These steps seem longer where the steps before them gain more than they do.
    let mean = [before, mean(|step| step.after).min(before)];
    Replay { steps: replayed, mean, counted: counted.len() as u64, changed: count }
}

/// Finds the span of each node, and returns the number of changes.
pub(super) fn replay(graph: &ExecutionGraph, different: &impl Different, spans: &mut Vec<Interval>) -> u64 {
    spans.clear();
    spans.reserve_exact(graph.nodes.len());
    let mut count = 0;
    for (index, node) in graph.nodes.iter().enumerate() {
        let edges = graph.edges_of(index);
        let mut at = None;
        for edge in edges {
            let from = edge.from as usize;
            if different.drops(edge, &graph.nodes[from], node) {
                count += 1;
                continue;
            }
            let before = spans[from];
            let base = if edge.kind.is_from_start() { before.start } else { before.end };
            let after = different.after(edge, &graph.nodes[from], node);
            count += u64::from(after != edge.after);
            at = at.max(Some((base + after).max(before.start)));
        }
        // A node without other dependencies begins with the node that it no longer waits for.
        let at = at.or_else(|| edges.first().map(|edge| spans[edge.from as usize].start)).unwrap_or(node.at);
        let length = different.length(index, node);
        count += u64::from(length != node.end - node.at);
        spans.push(Interval::new(at, at + length));
    }
    count
}

/// The replayed steps, by the rule of METRICS section 3, given the span of each node.
pub(super) fn replayed_steps(steps: &Steps, graph: &ExecutionGraph, spans: &[Interval]) -> Vec<ReplayedStep> {
    let mut last_end = vec![Nanos::MIN; steps.steps.len()];
    let mut recorded_end = last_end.clone();
    for (node, step) in graph.activities.iter().zip(&steps.step_of_activity) {
        // Steps that the profiler recorded may end before activities that began in them.
        if let Some(step) = step
            && *node != NONE
            && graph.nodes[*node as usize].end <= steps.steps[*step as usize].span.end
        {
            let step = *step as usize;
            last_end[step] = last_end[step].max(spans[*node as usize].end);
            recorded_end[step] = recorded_end[step].max(graph.nodes[*node as usize].end);
        }
    }
    let mut previous = Nanos::MIN;
    let mut replayed = Vec::with_capacity(steps.steps.len());
    let ends = last_end.into_iter().zip(recorded_end);
    for ((step, [begins, ends]), (last, recorded)) in steps.steps.iter().zip(&graph.steps).zip(ends) {
        let of = |node: &u32, recorded| spans.get(*node as usize).map_or(recorded, |span| span.start);
        let (begins, ends) = (of(begins, step.host.start), of(ends, step.host.end));
        // The first step may begin after activities launched before it.
        let waits = if replayed.is_empty() { step.span.start - step.host.start } else { Nanos::ZERO };
        let start = previous.max(begins + waits);
        // A step without a mark ends with its last activity, whatever the host does then.
        let ends = if recorded == step.host.end { last } else { ends };
        let after = Interval::new(start, start.max(ends).max(last));
        previous = after.end;
        replayed.push(ReplayedStep { before: step.span, after });
    }
    replayed
}
