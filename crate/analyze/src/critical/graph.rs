//! The dependency graph of a trace's calls and activities, with the delay of each dependency.

use super::other_threads::OtherThreads;
use crate::IdleConfig;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{EventId, TrackId};

/// Dependency graph of a trace's calls and activities. METRICS section 11.
///
/// Nodes are calls of the runtime, activities of the devices, and points of the host's threads: where steps and waits
/// for data begin and end, and where one thread continues after another. A node begins when the last of its
/// dependencies allows it, and keeps its recorded length. One dependency is known to have been the last. Edges lead
/// from nodes that began earlier to later ones, whatever the clocks show, so there is no cycle.
///
/// - A call waits for what its thread did before. A thread that showed nothing while another one did something waited
///   for that one.
/// - An activity waits for the call that launched it, for what its stream did before, and for an event of another
///   stream: where the trace records the wait, where a call of the thread made the stream wait for one, and where it
///   began late and just after another stream's activity had ended.
/// - A call that synchronizes waits for the work launched on the stream, on all streams or before the event. If the
///   trace does not name the stream or event, it waited for the work that ended last during the call.
/// - A launching call that found the queue of its stream full waits until the stream begins something.
/// - A thread gets a batch that was late no sooner after the one before than it did: the workers of the data loader made
///   it in that time, whatever the thread did.
/// - Without device activity, paths also follow operators of other threads by elimination; replays do not change these.
#[derive(Clone, Debug, Default)]
pub struct ExecutionGraph {
    /// By when they begin.
    pub(super) nodes: Vec<Node>,
    /// By the node they lead to; the dependency that came last is the first.
    pub(super) edges: Vec<Edge>,
    /// Each activity's node.
    pub(super) activities: Vec<u32>,
    /// Each step's beginning and end on the host.
    pub(super) steps: Vec<[u32; 2]>,
    /// The tracks of the threads that nodes are on.
    pub(super) tracks: Vec<TrackId>,
    /// The spans of the host's collectives.
    pub(super) collectives: Vec<(Interval, EventId)>,
    /// The work of the process's threads, where no device runs any.
    pub(super) others: OtherThreads,
}

/// Whether an activity that begins this long after its launching call's end waited for something that the trace does
/// not show.
pub(super) fn starts_late(delay: Nanos) -> bool {
    delay >= IdleConfig::standard().kernel_wait
}

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A call, an activity or a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// When it begins.
    pub(super) at: Nanos,
    /// When it ends. For a call that waits, when it begins: its end is a node of its own.
    pub(super) end: Nanos,
    /// The call or activity; none for other points.
    pub(super) slice: EventId,
    /// The index after its last edge.
    pub(super) edges_end: u32,
    /// Its thread's number.
    pub(super) thread: u32,
    pub(super) kind: NodeKind,
}

/// Kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// A point of a thread.
    Point,
    /// A call with those inside it.
    Call {
        /// Whether it launches, and does not wait for that.
        launches: bool,
        /// Whether its thread waits for data.
        loading: bool,
    },
    /// The end of a call that waits.
    WaitEnds,
    /// An activity.
    Activity {
        /// Whether it is a kernel of communication.
        communicates: bool,
    },
}

impl NodeKind {
    pub(super) fn communicates(self) -> bool {
        self == Self::Activity { communicates: true }
    }
}

/// A dependency of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The node that must come first.
    pub(super) from: u32,
    pub(super) kind: EdgeKind,
    /// Delay after that node.
    pub(super) after: Nanos,
}

/// Reason of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeKind {
    /// The thread does one thing after the other; the time between belongs to the thread of the earlier one.
    Thread,
    /// The same, while the thread waits for data.
    Loading,
    /// The call launches the activity: counted from the call's beginning.
    Launch,
    /// The stream does one thing after the other.
    Stream,
    /// An event of another stream.
    Event,
    /// The call itself, as if there were nothing to wait for: counted from its beginning.
    Call,
    /// The activity that the call waits for.
    Return,
    /// The activity that left a place in the full queue for the call: counted from its beginning.
    Place,
    /// The batch before a late one: workers made the late one meanwhile.
    Worker,
}

impl EdgeKind {
    /// Whether the delay counts from the beginning of the earlier node, not from its end.
    pub(super) fn is_from_start(self) -> bool {
        matches!(self, Self::Launch | Self::Call | Self::Place)
    }
}

impl ExecutionGraph {
    /// Number of nodes and of edges.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.edges.len())
    }

    /// The dependencies of a node; the one that came last is the first.
    pub(super) fn edges_of(&self, node: usize) -> &[Edge] {
        let first = node.checked_sub(1).map_or(0, |before| self.nodes[before].edges_end);
        &self.edges[first as usize..self.nodes[node].edges_end as usize]
    }

    /// The recorded time from which an edge's delay counts.
    pub(super) fn base(&self, edge: &Edge) -> Nanos {
        let from = &self.nodes[edge.from as usize];
        if edge.kind.is_from_start() { from.at } else { from.end }
    }
}
