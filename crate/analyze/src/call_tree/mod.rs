//! The call tree: time of the host's threads, and device time that they launched, by call stack.
//!
//! A thread's stack is made of its ranges, operators, runtime calls and Python functions, whichever the trace has. Calls with
//! the same stack are one node. The marks of steps are left out, so that all steps share their stacks.
//!
//! With another [`CallGrouping`], only modules or only ranges make nodes. All else that a thread does belongs to the
//! node around it. By phases, calls stand below the phase that runs on their thread when they start, and calls during no
//! phase belong to the thread.

mod by_path;
mod grouping;
mod marks;
mod outside;
mod scope;

pub use by_path::{ModuleTimes, modules_by_path};
pub use grouping::{CallGrouping, call_groupings};
pub use outside::{CallCoverage, LaunchedBy, LaunchedOutside};
pub use scope::CallScope;

use self::grouping::Nodes;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use self::marks::Marks;
use super::host_threads::{ROUNDING, WaitingThreads, is_of_host};
use super::intervals::IntervalSet;
use super::phases::{LaunchPhases, Phase};
use super::{Analysis, mean};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{ActivityId, Class, EventId, NameId, Slices, Trace, TrackId};

/// Most nodes of a tree: those with the least time are left out.
const MOST_NODES: usize = 20_000;

/// The call tree of a step, of the average step, of a range of time, or of the whole trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallTree {
    /// The nodes: each after its caller, siblings by falling time.
    pub nodes: Vec<CallNode>,
    /// The time of all its threads together, which may run at the same time.
    pub host: Nanos,
    /// Time of device activities that a call of the tree launched; in a tree of a range, their time in the range.
    pub device: Nanos,
    /// The same for activities without a recorded launching call.
    pub device_unlinked: Nanos,
    /// Number of nodes that are left out, those with the least time.
    pub left_out: usize,
    /// Number of steps that sums are divided by.
    pub steps: u64,
    /// Coverage by modules, ranges or phases; none in a tree of all calls.
    pub coverage: Option<CallCoverage>,
    /// The threads that only wait, which a tree of [`working`](working_call_tree) threads leaves out.
    pub waiting: WaitingThreads,
}

/// A call stack, by its innermost call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallNode {
    /// The call.
    pub call: Called,
    /// Index of its caller; none for a thread.
    pub parent: Option<usize>,
    /// Its class; none for a thread and for a phase.
    pub class: Option<Class>,
    /// Number of calls that start in the tree's time; not divided by steps. Of a phase, those that no call of it contains.
    pub calls: u64,
    /// Its time, with what it calls.
    pub host: Nanos,
    /// The same without what it calls. For a thread: the time outside of all modules, ranges or phases.
    pub host_self: Nanos,
    /// Time of the device activities that were launched in it, with what it calls: a sum, though activities may run at
    /// the same time.
    pub device: Nanos,
    /// The same without what it calls.
    pub device_self: Nanos,
    /// Its longest call; none for a thread.
    pub longest: Option<EventId>,
}

/// The thing that a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Called {
    /// A thread, by its first track.
    Thread(TrackId),
    /// All calls of a name.
    Name(NameId),
    /// A phase, below its thread.
    Phase(Phase),
}

/// Whether the trace has slices of threads, which the tree is made of.
#[must_use]
pub fn has_call_tree(trace: &Trace) -> bool {
    trace.tracks.iter().any(|track| is_of_host(track.layer) && !track.rows().is_empty())
}

/// Returns the call tree of a scope. `analysis` is that of the trace.
///
/// ```
/// use stepscope::{Interval, Loader, Nanos, analyze};
/// use stepscope::analyze::{AnalysisConfig, CallGrouping, CallScope, StepChoice};
///
/// let text = br#"[
///   {"ph":"X","cat":"python_function","name":"train","pid":1,"tid":1,"ts":0,"dur":100},
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":10,"dur":20},
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":40,"dur":30}
/// ]"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let analysis = analyze::analyze(&trace, &AnalysisConfig::standard());
/// let tree = analyze::call_tree(&trace, &analysis, StepChoice::Whole.into(), CallGrouping::Calls);
/// let [thread, train, mm] = tree.nodes.as_slice() else { panic!() };
/// assert_eq!((thread.host, thread.host_self), (Nanos(100_000), Nanos(0)));
/// assert_eq!((train.host, train.host_self), (Nanos(100_000), Nanos(50_000)));
/// assert_eq!((mm.calls, mm.host), (2, Nanos(50_000)));
/// // The first call is cut at 20 µs.
/// let range = CallScope::Range(Interval::new(Nanos(20_000), Nanos(60_000)));
/// let tree = analyze::call_tree(&trace, &analysis, range, CallGrouping::Calls);
/// assert_eq!((tree.nodes[2].calls, tree.nodes[2].host), (1, Nanos(30_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn call_tree(trace: &Trace, analysis: &Analysis, scope: CallScope, grouping: CallGrouping) -> CallTree {
    tree_of(trace, analysis, scope, grouping, true)
}

/// The [`call_tree`] without the threads that only wait.
#[must_use]
pub fn working_call_tree(trace: &Trace, analysis: &Analysis, scope: CallScope, grouping: CallGrouping) -> CallTree {
    tree_of(trace, analysis, scope, grouping, false)
}

fn tree_of(
    trace: &Trace,
    analysis: &Analysis,
    scope: CallScope,
    grouping: CallGrouping,
    with_waiting: bool,
) -> CallTree {
    let sums = Sums::of(trace, analysis, scope, grouping, with_waiting);
    let threads = sums.nodes.iter().filter(|node| node.parent.is_none());
    let host_outside = threads.map(|node| node.host_self).sum();
    let divisor = scope.divisor(&analysis.steps);
    let waiting = WaitingThreads { host: mean(sums.waiting.host, divisor), ..sums.waiting };
    let tree = CallTree { waiting, ..finish(&sums.nodes, sums.unlinked, divisor) };
    if grouping == CallGrouping::Calls {
        return tree;
    }
    let times = (tree.host, tree.device, tree.steps);
    let mut coverage = outside::coverage(trace, &analysis.phases, times, host_outside, &sums.outside);
    if grouping == CallGrouping::Phases {
        coverage.phases = analysis.phases.known();
    }
    CallTree { coverage: Some(coverage), ..tree }
}

/// The nodes of a call tree, with sums of its steps' times.
struct Sums {
    nodes: Vec<CallNode>,
    /// Time of device activities without a recorded launching call.
    unlinked: Nanos,
    /// The activities that a thread launched outside of its nodes, with their times.
    outside: Vec<(ActivityId, Nanos)>,
    waiting: WaitingThreads,
}

impl Sums {
    fn of(trace: &Trace, analysis: &Analysis, scope: CallScope, grouping: CallGrouping, with_waiting: bool) -> Self {
        let steps = &analysis.steps;
        let mut builder = Builder {
            trace,
            spans: scope.spans(steps),
            marks: Marks::of(steps),
            nodes_of: (grouping != CallGrouping::Calls).then(|| Nodes::of(trace, grouping)),
            phases: (grouping == CallGrouping::Phases).then(|| LaunchPhases::new(trace, &analysis.phases)),
            nodes: Vec::new(),
            children: HashMap::default(),
            node_of: vec![NONE; trace.slices.len()],
        };
        let threads = analysis.host_threads(trace);
        let inside = |(_, times): &(_, IntervalSet)| {
            builder.spans.as_ref().map_or(times.len(), |spans| times.intersection(spans).len())
        };
        let waiting = WaitingThreads { threads: threads.waiting.len(), host: threads.waiting.iter().map(inside).sum() };
        let shown = threads.waiting.iter().filter(|_| with_waiting).map(|(tracks, _)| tracks);
        for tracks in shown.chain(&threads.working) {
            builder.thread(tracks);
        }
        let device_times = scope.device_times(trace, steps);
        let mut unlinked = Nanos::ZERO;
        let mut outside = Vec::new();
        for (index, activity) in trace.activities.iter().enumerate() {
            let id = ActivityId::from_index(index);
            let Some(length) = device_times.of(id) else { continue };
            match [activity.call, activity.operator]
                .into_iter()
                .filter_map(EventId::get)
                .find_map(|id| builder.node_at(id))
            {
                Some(node) => {
                    builder.nodes[node].device_self += length;
                    if builder.nodes[node].parent.is_none() {
                        outside.push((id, length));
                    }
                }
                None => unlinked += length,
            }
        }
        Self { nodes: builder.with_inner_device_times(), unlinked, outside, waiting }
    }
}

/// The value of [`Builder::node_of`] for a slice that is in no node.
const NONE: u32 = u32::MAX;

struct Builder<'a> {
    trace: &'a Trace,
    /// The time that counts; none: all of it.
    spans: Option<IntervalSet>,
    marks: Marks,
    /// The slices that make nodes; none: all of them.
    nodes_of: Option<Nodes<'a>>,
    /// The phase of each call, in a tree by phases.
    phases: Option<LaunchPhases<'a>>,
    nodes: Vec<CallNode>,
    children: HashMap<(usize, Called), usize, FxBuildHasher>,
    node_of: Vec<u32>,
}

/// A call that has not ended.
struct Open {
    end: Nanos,
    node: usize,
    /// The phase that its node is in.
    phase: Phase,
    /// Whether its time is counted as the node's. It is not for a step's mark that nothing is around.
    is_counted: bool,
    /// The time until which its time, or that of calls in it, is counted: each moment of a thread is counted in one
    /// stack.
    until: Nanos,
}

impl Builder<'_> {
    /// The node of a slice, if it has one.
    fn node_at(&self, id: EventId) -> Option<usize> {
        self.node_of.get(id.index()).filter(|node| **node != NONE).map(|node| *node as usize)
    }

    /// The part of a span that counts.
    fn inside(&self, span: Interval) -> Nanos {
        match &self.spans {
            None => span.len(),
            Some(spans) => match spans.intervals() {
                [one] => one.intersection(span).len(),
                _ => spans.clip(span).len(),
            },
        }
    }

    /// Adds the nodes of a thread, its own first.
    fn thread(&mut self, tracks: &[TrackId]) {
        let (trace, slices) = (self.trace, &self.trace.slices);
        let mut events: Vec<EventId> = tracks.iter().flat_map(|track| trace.tracks[track.index()].events()).collect();
        // Among slices that start together, the longer one is outside; among equal ones, the function is outside the
        // operator.
        let is_python = |id: EventId| slices.class(id) == Class::PythonFrame;
        events.compact_sort_by_key(|id| {
            (slices.start(*id), std::cmp::Reverse(slices.end(*id)), !is_python(*id), id.index())
        });
        let thread = self.nodes.len();
        self.nodes.push(CallNode::new(Called::Thread(tracks[0]), None, None));
        let mut thread_until = Nanos(i64::MIN);
        let mut open: Vec<Open> = Vec::new();
        for id in events {
            let whole = slices.interval(id);
            // A slice that ends after the one it starts in was not called by it, unless by rounding only.
            while open.last().is_some_and(|top| top.end <= whole.start || top.end + ROUNDING < whole.end) {
                open.pop();
            }
            let (mut parent, end, mut is_counted, around) =
                open.last().map_or((thread, whole.end, false, Phase::Other), |call| {
                    (call.node, whole.end.min(call.end), call.is_counted, call.phase)
                });
            let phase = self.phases.as_mut().map(|phases| phases.of(id).0);
            let until = open.last_mut().map_or(&mut thread_until, |call| &mut call.until);
            // A call that crosses another one is counted from where that ends.
            let span = Interval::new(whole.start.max(*until).min(end), end);
            *until = end.max(*until);
            let is_mark = self.marks.take(whole);
            if is_mark || phase == Some(Phase::Other) || self.nodes_of.as_ref().is_some_and(|nodes| !nodes.has(id)) {
                self.node_of[id.index()] = u32::try_from(parent).unwrap_or(NONE);
                let call =
                    Open { end, node: parent, phase: around, is_counted: is_counted || !is_mark, until: span.start };
                open.push(call);
                if !is_counted && !is_mark {
                    let inside = self.inside(span);
                    self.nodes[parent].host += inside;
                    self.nodes[parent].host_self += inside;
                }
                continue;
            }
            let inside = self.inside(span);
            let has_started = self.spans.as_ref().is_none_or(|spans| spans.has(whole.start));
            let phase = phase.unwrap_or(around);
            if phase != around {
                parent = self.enter(phase, (thread, parent), inside, is_counted);
                is_counted = true;
                self.nodes[parent].add(id, inside, has_started, slices);
            }
            let node = self.child(parent, Called::Name(slices.name(id)), Some(slices.class(id)));
            self.node_of[id.index()] = u32::try_from(node).unwrap_or(NONE);
            open.push(Open { end, node, phase, is_counted: true, until: span.start });
            self.nodes[node].add(id, inside, has_started, slices);
            // The thread's time is that of its slices: unrecorded time is not known to be work.
            if is_counted {
                self.nodes[parent].host_self -= inside;
            } else {
                self.nodes[parent].host += inside;
            }
        }
    }

    fn child(&mut self, parent: usize, call: Called, class: Option<Class>) -> usize {
        let Self { nodes, children, .. } = self;
        *children.entry((parent, call)).or_insert_with(|| {
            nodes.push(CallNode::new(call, Some(parent), class));
            nodes.len() - 1
        })
    }

    /// The node of a phase that a call begins on a thread. The call's time moves there from all calls around it: each
    /// moment of a thread is in one phase.
    fn enter(&mut self, phase: Phase, (thread, around): (usize, usize), inside: Nanos, is_counted: bool) -> usize {
        if is_counted {
            self.nodes[around].host_self -= inside;
        } else {
            self.nodes[thread].host += inside;
        }
        let mut place = around;
        while let Some(parent) = self.nodes[place].parent {
            self.nodes[place].host -= inside;
            place = parent;
        }
        self.child(thread, Called::Phase(phase), None)
    }

    /// The nodes, with the device times of what they call.
    fn with_inner_device_times(self) -> Vec<CallNode> {
        let mut nodes = self.nodes;
        for node in &mut nodes {
            node.device = node.device_self;
        }
        // A node comes after its caller.
        for place in (0..nodes.len()).rev() {
            if let Some(parent) = nodes[place].parent {
                let device = nodes[place].device;
                nodes[parent].device += device;
            }
        }
        nodes
    }
}

/// The tree of nodes with sums.
fn finish(nodes: &[CallNode], unlinked: Nanos, divisor: u64) -> CallTree {
    let of_threads =
        |time: fn(&CallNode) -> Nanos| nodes.iter().filter(|node| node.parent.is_none()).map(time).sum::<Nanos>();
    let (host, device) = (of_threads(|node| node.host), of_threads(|node| node.device));
    let (nodes, left_out) = chosen(nodes, host, device);
    let nodes = nodes.into_iter().map(|node| CallNode {
        host: mean(node.host, divisor),
        host_self: mean(node.host_self, divisor),
        device: mean(node.device, divisor),
        device_self: mean(node.device_self, divisor),
        ..node
    });
    CallTree {
        nodes: nodes.collect(),
        host: mean(host, divisor),
        device: mean(device, divisor),
        device_unlinked: mean(unlinked, divisor),
        left_out,
        steps: divisor,
        coverage: None,
        waiting: WaitingThreads::default(),
    }
}

/// The nodes with the most time, in the order in which they are shown, and the number of others that have any time.
fn chosen(nodes: &[CallNode], host: Nanos, device: Nanos) -> (Vec<CallNode>, usize) {
    let share = |node: &CallNode| {
        let of = |part: Nanos, whole: Nanos| part.ratio_of(whole).unwrap_or_default();
        of(node.host, host).max(of(node.device, device))
    };
    let mut by_share: Vec<usize> = (0..nodes.len())
        .filter(|place| nodes[*place].host > Nanos::ZERO || nodes[*place].device > Nanos::ZERO)
        .collect();
    let with_time = by_share.len();
    // A caller has no less time than its node, and comes first where both have the same.
    by_share.compact_sort_by(|a, b| share(&nodes[*b]).total_cmp(&share(&nodes[*a])).then(a.cmp(b)));
    by_share.truncate(MOST_NODES);
    let mut below: HashMap<usize, Vec<usize>, FxBuildHasher> = HashMap::default();
    let mut roots = Vec::new();
    let mut is_chosen = vec![false; nodes.len()];
    by_share.compact_sort();
    for place in &by_share {
        // A caller has no less time than what it calls, so it is chosen, too.
        let parent = nodes[*place].parent;
        if parent.is_none_or(|parent| is_chosen[parent]) {
            is_chosen[*place] = true;
            parent.map_or(&mut roots, |parent| below.entry(parent).or_default()).push(*place);
        }
    }
    let longest_first =
        |places: &mut Vec<usize>| places.compact_sort_by_key(|place| std::cmp::Reverse(nodes[*place].host));
    longest_first(&mut roots);
    below.values_mut().for_each(longest_first);
    let mut shown: Vec<CallNode> = Vec::new();
    let mut waiting: Vec<(usize, Option<usize>)> = roots.iter().rev().map(|place| (*place, None)).collect();
    while let Some((place, parent)) = waiting.pop() {
        let here = shown.len();
        shown.push(CallNode { parent, ..nodes[place].clone() });
        let calls = below.get(&place).map_or(&[][..], Vec::as_slice);
        waiting.extend(calls.iter().rev().map(|child| (*child, Some(here))));
    }
    let left_out = with_time - shown.len();
    (shown, left_out)
}

impl CallNode {
    fn new(call: Called, parent: Option<usize>, class: Option<Class>) -> Self {
        let zero = Nanos::ZERO;
        Self {
            call,
            parent,
            class,
            calls: 0,
            host: zero,
            host_self: zero,
            device: zero,
            device_self: zero,
            longest: None,
        }
    }

    /// Counts a call.
    fn add(&mut self, id: EventId, inside: Nanos, has_started: bool, slices: &Slices) {
        self.calls += u64::from(has_started);
        self.host += inside;
        self.host_self += inside;
        if has_started && self.longest.is_none_or(|known| slices.length(known) < slices.length(id)) {
            self.longest = Some(id);
        }
    }
}
