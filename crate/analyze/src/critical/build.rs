//! Builds the graph of a trace: one pass over all calls and activities by time, so that a node's dependencies exist
//! before it.

use super::calls::{Orders, Waits};
use super::collectives::host_collectives;
use super::device::{Streams, Typical, ends};
use super::graph::{Edge, EdgeKind, ExecutionGraph, NONE, Node, NodeKind};
use super::host::{Calls, Hosts, Point, PointKind};
use super::other_threads::OtherThreads;
use super::recorded_waits::RecordedWaits;
use crate::Steps;
use crate::linked::Linked;
use stepscope_base::Nanos;
use stepscope_trace::{EventId, Stream, Trace, TrackId};

/// Largest overlap of two activities that a stream still runs in order: the second may begin while the first drains.
const OVERLAP: Nanos = Nanos(10_000);

/// Delay after all known dependencies from which a node waited for something else as well.
const LATE: Nanos = Nanos(5_000);

/// Longest time from the end of another stream's activity to the beginning of an activity that waited for it.
const JUST_BEFORE: Nanos = Nanos(10_000);

/// Number of streams searched where one of them is meant: those with the most activities.
pub(super) const STREAMS: usize = 64;

/// Number of searched activities that ended just before.
pub(super) const LOOKED_BACK: usize = 16;

#[derive(Clone, Copy)]
pub(super) struct ThreadState {
    /// The latest node.
    pub(super) last: u32,
    /// Whether it waits for data.
    pub(super) loading: bool,
    /// Whether it made a stream wait for an event, and has launched nothing since.
    pub(super) awaits: bool,
    /// The stream on which it launched last.
    pub(super) stream: u32,
    /// The activity launched last on that stream before the thread recorded its latest event, and the same without
    /// communication.
    pub(super) recorded: [u32; 2],
    /// The node of the latest call.
    pub(super) waiting: u32,
    batches: Batches,
}

/// Batches of a thread that workers make.
#[derive(Clone, Copy)]
struct Batches {
    /// The node where the thread got the latest one that was late. After many that were ready: the latest of these.
    last: u32,
    /// The number of those that were ready since.
    ready: u32,
}

impl Batches {
    /// The largest number of batches that are ready between two late ones, of which workers that make several at once
    /// have as many as there are.
    const READY: u32 = 16;

    const NONE: Self = Self { last: NONE, ready: Self::READY };

    /// The same after another batch, got at a node.
    fn after(self, late: bool, node: u32) -> Self {
        match late {
            true => Self { last: node, ready: 0 },
            false if self.ready < Self::READY => Self { ready: self.ready + 1, ..self },
            false => Self { last: node, ..self },
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct StreamState {
    pub(super) stream: Stream,
    /// The node that ends last so far, and the same without communication.
    pub(super) last: [u32; 2],
    /// Values of `last` before the activities began that overlap now, as branches of a CUDA graph do.
    pub(super) before: [u32; 2],
    /// The activity that was launched last, and the same without communication.
    pub(super) launched: [u32; 2],
    /// The activity that the next launched activity waits for.
    pub(super) awaits: u32,
}

/// Kind of a moment, in the order in which moments of one time are handled.
#[derive(Clone, Copy)]
enum Happens {
    WaitEnds,
    HandOver,
    DataEnds,
    StepEnds,
    StepBegins,
    DataBegins,
    Calls,
    Activity,
}

impl Happens {
    fn of(kind: PointKind) -> Self {
        match kind {
            PointKind::HandOver { .. } => Self::HandOver,
            PointKind::DataEnds { .. } => Self::DataEnds,
            PointKind::StepEnds(_) => Self::StepEnds,
            PointKind::StepBegins(_) => Self::StepBegins,
            PointKind::DataBegins => Self::DataBegins,
            PointKind::Calls(_) => Self::Calls,
        }
    }

    /// Sort key of a moment within its time: the kind, then the row of the point or activity.
    fn with(self, index: usize) -> u64 {
        ((self as u64) << 32) | index as u64
    }
}

pub(super) struct Build<'a> {
    pub(super) trace: &'a Trace,
    pub(super) linked: &'a Linked,
    pub(super) hosts: &'a Hosts,
    pub(super) graph: ExecutionGraph,
    pub(super) threads: Vec<ThreadState>,
    pub(super) streams: Vec<StreamState>,
    pub(super) stream_of_track: Vec<u32>,
    pub(super) typical: Typical,
    /// Activities by their end.
    pub(super) ends: Vec<(Nanos, u64)>,
    /// The waits that the profiler recorded.
    pub(super) told: RecordedWaits,
    /// By activity: the node of the call that launched it, once that is known.
    pub(super) launched_by: Vec<u32>,
    /// By activity: the activity for whose event it waits.
    pub(super) awaits: Vec<u32>,
    /// Candidate edges of the next node, with the time from which each lets it begin.
    pub(super) found: Vec<(Nanos, Edge)>,
}

impl ExecutionGraph {
    /// The graph of a trace. Takes `n log n` time.
    #[must_use]
    pub fn of(trace: &Trace, steps: &Steps) -> Self {
        build(trace, steps, &Linked::of(trace))
    }
}

fn build(trace: &Trace, steps: &Steps, linked: &Linked) -> ExecutionGraph {
    let hosts = Hosts::of(trace, steps, linked);
    let moments = moments(trace, &hosts);
    let streams = Streams::of(trace);
    let ends = ends(trace);
    let told = RecordedWaits::of(trace, &streams);
    let stream = |stream| StreamState { stream, last: [NONE; 2], before: [NONE; 2], launched: [NONE; 2], awaits: NONE };
    let thread = ThreadState {
        last: NONE,
        loading: false,
        awaits: false,
        stream: NONE,
        recorded: [NONE; 2],
        waiting: NONE,
        batches: Batches::NONE,
    };
    let mut build = Build {
        trace,
        linked,
        hosts: &hosts,
        graph: ExecutionGraph {
            nodes: Vec::with_capacity(moments.len()),
            edges: Vec::with_capacity(2 * moments.len()),
            activities: vec![NONE; trace.activities.len()],
            steps: vec![[NONE; 2]; steps.steps.len()],
            tracks: hosts.tracks.clone(),
            collectives: host_collectives(trace),
            others: OtherThreads::of(trace, hosts.tracks[hosts.main as usize]),
        },
        threads: vec![thread; hosts.tracks.len()],
        streams: streams.streams.into_iter().map(stream).collect(),
        stream_of_track: streams.of_track,
        typical: Typical::of(trace, &ends),
        ends,
        told,
        launched_by: vec![NONE; trace.activities.len()],
        awaits: vec![NONE; trace.activities.len()],
        found: Vec::new(),
    };
    for (_, what) in moments {
        let index = (what & u64::from(u32::MAX)) as usize;
        if what >= Happens::Activity.with(0) {
            build.activity(index as u32);
        } else if what >= Happens::HandOver.with(0) {
            build.point(&hosts.points[index]);
        } else {
            build.wait_ends(&hosts.points[index]);
        }
    }
    build.graph
}

/// All points, ends of waits and activities, by time.
fn moments(trace: &Trace, hosts: &Hosts) -> Vec<(Nanos, u64)> {
    let mut moments = Vec::with_capacity(2 * hosts.points.len() + trace.activities.len());
    for (index, point) in hosts.points.iter().enumerate() {
        moments.push((point.at, Happens::of(point.kind).with(index)));
        if let PointKind::Calls(calls) = point.kind
            && hosts.waits(calls, point)
        {
            moments.push((point.end, Happens::WaitEnds.with(index)));
        }
    }
    for (index, activity) in trace.activities.iter().enumerate() {
        moments.push((trace.slices.start(activity.event), Happens::Activity.with(index)));
    }
    // Mostly sorted runs, one per track: a merge sort finds them.
    moments.sort();
    moments
}

impl Hosts {
    /// Whether calls wait: those that take no time do not.
    fn waits(&self, calls: u32, point: &Point) -> bool {
        self.calls[calls as usize].waits != Waits::Nothing && point.end > point.at
    }

    /// Whether a thread is the placeholder for points without a thread.
    fn is_nowhere(&self, thread: u32) -> bool {
        self.tracks[thread as usize] == TrackId::NONE
    }
}

impl Build<'_> {
    /// Adds a node with the candidate edges. The edge that allows the latest beginning gets the recorded delay.
    pub(super) fn node(&mut self, node: Node) -> u32 {
        let number = self.graph.nodes.len() as u32;
        let last = (0..self.found.len()).rev().max_by_key(|index| self.found[*index].0);
        if let Some(last) = last {
            self.found.swap(0, last);
            let edge = &mut self.found[0].1;
            edge.after = node.at - self.graph.base(edge);
        }
        self.graph.edges.extend(self.found.drain(..).map(|(_, edge)| edge));
        let edges_end = self.graph.edges.len() as u32;
        self.graph.nodes.push(Node { edges_end, ..node });
        number
    }

    /// Adds a candidate edge of a node that begins at `at`: it lets the node begin `after` its base, as far as is
    /// known.
    pub(super) fn find(&mut self, from: u32, kind: EdgeKind, after: Nanos, at: Nanos) {
        let mut edge = Edge { from, kind, after };
        let base = self.graph.base(&edge);
        edge.after = after.min(at - base);
        self.found.push((base + after, edge));
    }

    fn point(&mut self, point: &Point) {
        let thread = self.threads[point.thread as usize];
        let (other, kind) = match point.kind {
            PointKind::HandOver { from } => (self.threads[from as usize].last, EdgeKind::Thread),
            PointKind::StepEnds(_) if self.hosts.is_nowhere(point.thread) => {
                (self.ended_last(point.at), EdgeKind::Return)
            }
            _ => (NONE, EdgeKind::Thread),
        };
        if thread.last != NONE {
            let own = if thread.loading { EdgeKind::Loading } else { EdgeKind::Thread };
            // A thread that continues after another one was ready long before.
            let after = if other == NONE { Nanos::MAX } else { Nanos::ZERO };
            self.find(thread.last, own, after, point.at);
        }
        if other != NONE {
            self.find(other, kind, Nanos::MAX, point.at);
        }
        if point.kind == (PointKind::DataEnds { late: true }) && thread.batches.last != NONE {
            self.find(thread.batches.last, EdgeKind::Worker, Nanos::MAX, point.at);
        }
        let (slice, end, kind) = match point.kind {
            PointKind::Calls(number) => {
                let calls = &self.hosts.calls[number as usize];
                let waits = self.hosts.waits(number, point);
                let launches = calls.launched.0 < calls.launched.1 && !waits;
                let end = if waits { point.at } else { point.end };
                (calls.first, end, NodeKind::Call { launches, loading: thread.loading })
            }
            _ => (EventId::NONE, point.at, NodeKind::Point),
        };
        let node = self.node(Node { at: point.at, end, slice, edges_end: 0, thread: point.thread, kind });
        let thread = &mut self.threads[point.thread as usize];
        thread.last = node;
        match point.kind {
            PointKind::HandOver { .. } => {}
            PointKind::DataBegins => thread.loading = true,
            PointKind::DataEnds { late } => {
                thread.loading = false;
                thread.batches = thread.batches.after(late, node);
            }
            PointKind::StepBegins(step) => self.graph.steps[step as usize][0] = node,
            PointKind::StepEnds(step) => self.graph.steps[step as usize][1] = node,
            PointKind::Calls(number) => {
                thread.waiting = node;
                self.calls(point.thread as usize, &self.hosts.calls[number as usize], node);
            }
        }
    }

    /// The node of the activity that ended last before a time.
    fn ended_last(&self, before: Nanos) -> u32 {
        let until = self.ends.partition_point(|(end, _)| *end <= before);
        until.checked_sub(1).map_or(NONE, |last| self.graph.activities[self.ends[last].1 as usize])
    }

    /// Records the activities that calls launch, and the effect of the calls on the order of streams.
    fn calls(&mut self, thread: usize, calls: &Calls, node: u32) {
        match calls.orders {
            Orders::Nothing => {}
            Orders::Records => {
                let launched = |stream: u32| self.streams.get(stream as usize).map_or([NONE; 2], |it| it.launched);
                self.told.record(self.trace, calls.call, launched);
                self.threads[thread].recorded = launched(self.threads[thread].stream);
            }
            Orders::Awaits => {
                let told = self.told.wait(self.trace, calls.call);
                let awaited = told.and_then(|wait| Some((wait.stream, self.told.awaited(wait)?)));
                match awaited.and_then(|(stream, awaited)| Some((self.streams.get_mut(stream as usize)?, awaited))) {
                    Some((stream, awaited)) => stream.awaits = awaited[0],
                    None => self.threads[thread].awaits = true,
                }
            }
        }
        for (_, activity) in &self.linked.pairs()[calls.launched.0 as usize..calls.launched.1 as usize] {
            let event = self.trace.activities[activity.index()].event;
            let stream = self.stream_of(event);
            if stream == NONE {
                continue;
            }
            if std::mem::take(&mut self.threads[thread].awaits) {
                self.awaits[activity.index()] = self.awaited_by(stream, self.trace.slices.start(event));
            }
            let told = std::mem::replace(&mut self.streams[stream as usize].awaits, NONE);
            if told != NONE {
                self.awaits[activity.index()] = told;
            }
            self.launched_by[activity.index()] = node;
            self.threads[thread].stream = stream;
            let communicates = self.trace.activities[activity.index()].communication;
            let launched = &mut self.streams[stream as usize].launched;
            launched[0] = activity.0;
            if !communicates {
                launched[1] = activity.0;
            }
        }
    }

    /// The activity whose event a stream waits for, by guess. Among those launched last on the device's other streams,
    /// it is the one that ended last before `begins`.
    fn awaited_by(&self, stream: u32, begins: Nanos) -> u32 {
        let device = self.streams[stream as usize].stream.device;
        let others = self.streams.iter().take(STREAMS).zip(0..).filter(|(_, number)| *number != stream);
        let launched = others.filter(|(other, _)| other.stream.device == device).map(|(other, _)| other.launched[0]);
        let ended = launched.filter(|activity| *activity != NONE && self.end_of(*activity) <= begins);
        ended.max_by_key(|activity| self.end_of(*activity)).unwrap_or(NONE)
    }

    pub(super) fn stream_of(&self, event: EventId) -> u32 {
        self.stream_of_track[self.trace.slices.track(event).index()]
    }

    pub(super) fn end_of(&self, activity: u32) -> Nanos {
        self.trace.slices.end(self.trace.activities[activity as usize].event)
    }

    fn activity(&mut self, index: u32) {
        let activity = &self.trace.activities[index as usize];
        let span = self.trace.slices.interval(activity.event);
        let stream = self.stream_of(activity.event);
        let call = self.launched_by[index as usize];
        if call != NONE
            && let Some(launching) = activity.call.get()
        {
            let begun = self.graph.nodes[call as usize].at;
            let launching = self.trace.slices.interval(launching);
            let after = launching.start - begun + self.typical.launch(launching, span.start);
            self.find(call, EdgeKind::Launch, after, span.start);
        }
        let awaited = self.awaits[index as usize];
        if awaited != NONE && self.graph.activities[awaited as usize] != NONE {
            self.find(self.graph.activities[awaited as usize], EdgeKind::Event, self.typical.gap, span.start);
        }
        let before = self.before(stream, span.start);
        // If communication does not delay the activity, the node before the communication does.
        let alone = activity.communication || before[0] == before[1];
        for before in before.into_iter().take(if alone { 1 } else { 2 }).filter(|before| *before != NONE) {
            self.find(before, EdgeKind::Stream, self.typical.gap, span.start);
        }
        self.find_unseen(index, stream, span.start);
        let kind = NodeKind::Activity { communicates: activity.communication };
        let node = Node { at: span.start, end: span.end, slice: activity.event, edges_end: 0, thread: NONE, kind };
        let node = self.node(node);
        self.graph.activities[index as usize] = node;
        if let Some(stream) = self.streams.get_mut(stream as usize) {
            stream.before = before;
            let ends_later = |last: u32| last == NONE || self.graph.nodes[last as usize].end <= span.end;
            if ends_later(stream.last[0]) {
                stream.last[0] = node;
            }
            if !activity.communication && ends_later(stream.last[1]) {
                stream.last[1] = node;
            }
        }
    }

    /// The stream's latest node that had ended when an activity began, and the same without communication.
    fn before(&self, stream: u32, begins: Nanos) -> [u32; 2] {
        let Some(stream) = self.streams.get(stream as usize) else { return [NONE; 2] };
        let ended = |node: &u32| *node != NONE && self.graph.nodes[*node as usize].end - begins <= OVERLAP;
        std::array::from_fn(|kind| Some(stream.last[kind]).filter(ended).unwrap_or(stream.before[kind]))
    }

    /// For an activity that begins later than its known dependencies allow, adds another stream's activity that ended
    /// just before.
    fn find_unseen(&mut self, index: u32, stream: u32, at: Nanos) {
        let Some(allowed) = self.found.iter().map(|(allows, _)| *allows).max() else { return };
        if at - allowed <= LATE || stream == NONE {
            return;
        }
        let device = self.streams[stream as usize].stream.device;
        let until = self.ends.partition_point(|(end, _)| *end <= at);
        let before = self.ends[..until].iter().rev().take(LOOKED_BACK);
        let just_before = before.take_while(|(end, _)| *end > allowed && at - *end <= JUST_BEFORE);
        let other = just_before.map(|(_, activity)| *activity as u32).find(|other| {
            let of = self.stream_of(self.trace.activities[*other as usize].event);
            let same_device = self.streams.get(of as usize).is_some_and(|of| of.stream.device == device);
            *other != index && of != stream && same_device && self.graph.activities[*other as usize] != NONE
        });
        if let Some(other) = other {
            self.find(self.graph.activities[other as usize], EdgeKind::Event, Nanos::MAX, at);
        }
    }
}
