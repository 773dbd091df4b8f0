//! From a trace to its graph: one pass over everything by time, so that what is waited for is there already.

use super::calls::{Orders, Waits};
use super::device::{Typical, awaited_streams, ends, streams};
use super::graph::{Edge, EdgeKind, ExecutionGraph, NONE, Node, NodeKind};
use super::host::{Calls, Hosts, Point, PointKind};
use crate::analyze::Steps;
use crate::analyze::linked::Linked;
use crate::trace::{EventId, NO_SERIAL, Stream, Trace, TrackId};
use crate::units::Nanos;

/// A stream's order is one only where activities overlap no more than this: such as one that begins while the one
/// before it drains.
const OVERLAP: Nanos = Nanos(10_000);

/// What begins so much later than all that is known of lets it, waited for something else.
const LATE: Nanos = Nanos(5_000);

/// It was an activity of another stream, if that ended no longer ago.
const JUST_BEFORE: Nanos = Nanos(10_000);

/// So many streams are looked at where one of them is meant: those that did the most.
const STREAMS: usize = 64;

/// So many activities that ended just before are looked at.
const LOOKED_BACK: usize = 16;

#[derive(Clone, Copy)]
struct ThreadState {
    /// The latest node.
    last: u32,
    /// Whether it waits for data.
    loading: bool,
    /// Whether it made a stream wait for an event, and has launched nothing since.
    awaits: bool,
    /// The stream on which it launched last.
    stream: u32,
    /// The latest call that waits.
    waiting: u32,
}

#[derive(Clone, Copy)]
struct StreamState {
    stream: Stream,
    /// The node that ends last so far, and the same without communication.
    last: [u32; 2],
    /// The same of what had ended before the activities began that overlap now, as branches of a CUDA graph do.
    before: [u32; 2],
    /// The activity that was launched last, and the same without communication.
    launched: [u32; 2],
}

/// What is next by time.
#[derive(Clone, Copy)]
struct Moment {
    at: Nanos,
    /// Of what happens at one time, ends of waits come first, activities last.
    kind: MomentKind,
    index: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MomentKind {
    WaitEnds,
    Host,
    Activity,
}

struct Build<'a> {
    trace: &'a Trace,
    linked: &'a Linked,
    hosts: &'a Hosts,
    graph: ExecutionGraph,
    threads: Vec<ThreadState>,
    streams: Vec<StreamState>,
    stream_of_track: Vec<u32>,
    typical: Typical,
    /// Activities by their end.
    ends: Vec<(Nanos, u32)>,
    /// By the waiting call's correlation.
    awaited_streams: Vec<(u32, i64)>,
    /// By activity: the node of the call that launched it, once that is known.
    launched_by: Vec<u32>,
    /// By activity: the activity for whose event it waits.
    awaits: Vec<u32>,
    /// What a node may wait for: when that lets it begin, by when that came.
    found: Vec<(Nanos, Edge)>,
}

pub(super) fn build(trace: &Trace, steps: &Steps, linked: &Linked) -> ExecutionGraph {
    let hosts = Hosts::of(trace, steps, linked);
    let moments = moments(trace, &hosts);
    let (streams, stream_of_track) = streams(trace);
    let stream = |stream| StreamState { stream, last: [NONE; 2], before: [NONE; 2], launched: [NONE; 2] };
    let thread = ThreadState { last: NONE, loading: false, awaits: false, stream: NONE, waiting: NONE };
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
        },
        threads: vec![thread; hosts.tracks.len()],
        streams: streams.into_iter().map(stream).collect(),
        stream_of_track,
        typical: Typical::of(trace),
        ends: ends(trace),
        awaited_streams: awaited_streams(trace),
        launched_by: vec![NONE; trace.activities.len()],
        awaits: vec![NONE; trace.activities.len()],
        found: Vec::new(),
    };
    for moment in moments {
        let index = moment.index as usize;
        match moment.kind {
            MomentKind::WaitEnds => build.wait_ends(&hosts.points[index]),
            MomentKind::Host => build.point(&hosts.points[index]),
            MomentKind::Activity => build.activity(moment.index),
        }
    }
    build.graph
}

/// Everything that happens, by time.
fn moments(trace: &Trace, hosts: &Hosts) -> Vec<Moment> {
    let mut moments = Vec::with_capacity(hosts.points.len() + trace.activities.len());
    for (index, point) in (0..).zip(&hosts.points) {
        moments.push(Moment { at: point.at, kind: MomentKind::Host, index });
        if let PointKind::Calls(calls) = point.kind
            && hosts.waits(calls, point)
        {
            moments.push(Moment { at: point.end, kind: MomentKind::WaitEnds, index });
        }
    }
    for (index, activity) in (0..).zip(&trace.activities) {
        moments.push(Moment { at: trace.slices.start(activity.event), kind: MomentKind::Activity, index });
    }
    moments.sort_by_key(|moment| (moment.at, moment.kind, moment.index));
    moments
}

impl Hosts {
    /// Whether calls wait at all: what takes no time does not.
    fn waits(&self, calls: u32, point: &Point) -> bool {
        self.calls[calls as usize].waits != Waits::Nothing && point.end > point.at
    }

    /// Whether that is no thread, but where what belongs to none is put.
    fn is_nowhere(&self, thread: u32) -> bool {
        self.tracks[thread as usize] == TrackId::NONE
    }
}

impl Build<'_> {
    /// Adds a node that waits for what was found: what should have let it begin last, did when it began.
    fn node(&mut self, node: Node) -> u32 {
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

    /// What a node that begins at a time may wait for; it lets it begin so long afterwards, as far as is known.
    fn find(&mut self, from: u32, kind: EdgeKind, after: Nanos, at: Nanos) {
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
            // A thread that went on after another was ready long before.
            let after = if other == NONE { Nanos::MAX } else { Nanos::ZERO };
            self.find(thread.last, own, after, point.at);
        }
        if other != NONE {
            self.find(other, kind, Nanos::MAX, point.at);
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
            PointKind::DataEnds => thread.loading = false,
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

    /// What calls launch, and what they do to the order of streams.
    fn calls(&mut self, thread: usize, calls: &Calls, node: u32) {
        if calls.orders == Orders::Awaits {
            self.threads[thread].awaits = true;
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

    /// What a stream waits for that was told to wait for an event and begins the next activity then: what was launched
    /// last on another stream of the device, and of several the one that ended last before that.
    fn awaited_by(&self, stream: u32, begins: Nanos) -> u32 {
        let device = self.streams[stream as usize].stream.device;
        let others = self.streams.iter().take(STREAMS).zip(0..).filter(|(_, number)| *number != stream);
        let launched = others.filter(|(other, _)| other.stream.device == device).map(|(other, _)| other.launched[0]);
        let ended = launched.filter(|activity| *activity != NONE && self.end_of(*activity) <= begins);
        ended.max_by_key(|activity| self.end_of(*activity)).unwrap_or(NONE)
    }

    fn stream_of(&self, event: EventId) -> u32 {
        self.stream_of_track[self.trace.slices.track(event).index()]
    }

    fn end_of(&self, activity: u32) -> Nanos {
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
        // Where communication does not hold the stream up, what comes before it does.
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

    /// What of a stream had ended when an activity began, and the same without communication.
    fn before(&self, stream: u32, begins: Nanos) -> [u32; 2] {
        let Some(stream) = self.streams.get(stream as usize) else { return [NONE; 2] };
        let ended = |node: &u32| *node != NONE && self.graph.nodes[*node as usize].end - begins <= OVERLAP;
        std::array::from_fn(|kind| Some(stream.last[kind]).filter(ended).unwrap_or(stream.before[kind]))
    }

    /// Of an activity that begins later than what is known lets it, looks for what else let it: another stream's
    /// activity that ended just before.
    fn find_unseen(&mut self, index: u32, stream: u32, at: Nanos) {
        let Some(allowed) = self.found.iter().map(|(allows, _)| *allows).max() else { return };
        if at - allowed <= LATE || stream == NONE {
            return;
        }
        let device = self.streams[stream as usize].stream.device;
        let until = self.ends.partition_point(|(end, _)| *end <= at);
        let before = self.ends[..until].iter().rev().take(LOOKED_BACK);
        let just_before = before.take_while(|(end, _)| *end > allowed && at - *end <= JUST_BEFORE);
        let other = just_before.map(|(_, activity)| *activity).find(|other| {
            let of = self.stream_of(self.trace.activities[*other as usize].event);
            let same_device = self.streams.get(of as usize).is_some_and(|of| of.stream.device == device);
            *other != index && of != stream && same_device && self.graph.activities[*other as usize] != NONE
        });
        if let Some(other) = other {
            self.find(self.graph.activities[other as usize], EdgeKind::Event, Nanos::MAX, at);
        }
    }

    /// A call that waits ends: when it had begun and come back, or when what it waited for had ended.
    fn wait_ends(&mut self, point: &Point) {
        let PointKind::Calls(number) = point.kind else { return };
        let calls = &self.hosts.calls[number as usize];
        let thread = self.threads[point.thread as usize];
        let mut awaited = Vec::new();
        self.awaited(calls, thread, point, &mut awaited);
        let ended = awaited.iter().map(|node| self.graph.nodes[*node as usize].end);
        let last = ended.filter(|end| *end > point.at).max();
        // Of the time after that, nothing was waiting.
        let returns = last.map_or(point.end - point.at, |last| point.end - last);
        self.find(thread.waiting, EdgeKind::Call, returns, point.end);
        for node in awaited {
            self.find(node, EdgeKind::Return, returns, point.end);
        }
        let node = Node {
            at: point.end,
            end: point.end,
            slice: calls.call,
            edges_end: 0,
            thread: point.thread,
            kind: NodeKind::WaitEnds,
        };
        self.threads[point.thread as usize].last = self.node(node);
    }

    /// The nodes of activities for which a call waits.
    fn awaited(&self, calls: &Calls, thread: ThreadState, point: &Point, awaited: &mut Vec<u32>) {
        let mut add = |activity: u32| {
            if activity == NONE {
                return;
            }
            let node = self.graph.activities[activity as usize];
            if node != NONE && self.graph.nodes[node as usize].end <= point.end {
                awaited.push(node);
            }
        };
        match calls.waits {
            Waits::Nothing => {}
            Waits::Own => {
                let own = &self.linked.pairs()[calls.launched.0 as usize..calls.launched.1 as usize];
                own.iter().for_each(|(_, activity)| add(activity.0));
            }
            Waits::Device => {
                let streams = self.streams.iter().take(STREAMS);
                streams.flat_map(|stream| stream.launched).for_each(add);
            }
            Waits::Stream => {
                let stream = self
                    .told_stream(calls.call, thread)
                    .or_else(|| self.guessed_stream(point))
                    .unwrap_or(thread.stream);
                if let Some(stream) = self.streams.get(stream as usize) {
                    stream.launched.into_iter().for_each(add);
                }
            }
            Waits::Event => add(self.guessed_event(point)),
        }
    }

    /// The stream that the profiler says a call waits for.
    fn told_stream(&self, call: EventId, thread: ThreadState) -> Option<u32> {
        let correlation = self.trace.call(call).map(|call| call.correlation).filter(|id| *id != NO_SERIAL)?;
        let found = self.awaited_streams.binary_search_by_key(&correlation, |(id, _)| *id).ok()?;
        let stream = self.awaited_streams[found].1;
        let device = self.streams.get(thread.stream as usize).map(|stream| stream.stream.device);
        let is_it = |state: &StreamState| {
            state.stream.stream == stream && device.is_none_or(|device| device == state.stream.device)
        };
        self.streams.iter().zip(0..).find(|(state, _)| is_it(state)).map(|(_, number)| number)
    }

    /// The stream whose latest activity ended last while a call waited.
    fn guessed_stream(&self, point: &Point) -> Option<u32> {
        let streams = self.streams.iter().take(STREAMS).zip(0..).filter(|(stream, _)| stream.launched[0] != NONE);
        let ended = streams.map(|(stream, number)| (self.end_of(stream.launched[0]), number));
        ended.filter(|(end, _)| *end > point.at && *end <= point.end).max().map(|(_, number)| number)
    }

    /// The activity that ended last while a call waited, of those that had been launched before.
    fn guessed_event(&self, point: &Point) -> u32 {
        let until = self.ends.partition_point(|(end, _)| *end <= point.end);
        let before = self.ends[..until].iter().rev().take(LOOKED_BACK).take_while(|(end, _)| *end > point.at);
        let launched = |activity: &u32| {
            let call = self.trace.activities[*activity as usize].call.get();
            call.is_some_and(|call| self.trace.slices.start(call) < point.at)
        };
        before.map(|(_, activity)| *activity).find(launched).unwrap_or(NONE)
    }
}
