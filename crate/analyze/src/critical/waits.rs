//! Calls that wait for the devices, and when they return.

use super::build::{Build, LOOKED_BACK, STREAMS, ThreadState};
use super::calls::Waits;
use super::graph::{EdgeKind, NONE, Node, NodeKind};
use super::host::{Calls, Point, PointKind, SKEW};
use stepscope_base::Nanos;

impl Build<'_> {
    /// Adds the end of a call that waits: it depends on the call's beginning and on the activities that the call waits
    /// for.
    pub(super) fn wait_ends(&mut self, point: &Point) {
        let PointKind::Calls(number) = point.kind else { return };
        let calls = &self.hosts.calls[number as usize];
        let thread = self.threads[point.thread as usize];
        if calls.waits == Waits::Queue {
            self.place_is_free(calls, thread, point);
            return;
        }
        let mut awaited = Vec::new();
        self.awaited(calls, thread, point, &mut awaited);
        let ended = awaited.iter().map(|node| self.graph.nodes[*node as usize].end);
        let last = ended.filter(|end| *end > point.at).max();
        // After that time it waited for nothing. This is negative where the device's clock runs ahead.
        let returns = last.map_or(point.end - point.at, |last| point.end - last);
        self.find(thread.waiting, EdgeKind::Call, returns.max(Nanos::ZERO), point.end);
        for node in awaited {
            self.find(node, EdgeKind::Return, returns, point.end);
        }
        self.wait_end(calls, point);
    }

    /// Adds the end of a call that waits for a place in its stream's queue: what it launches follows that end.
    fn place_is_free(&mut self, calls: &Calls, thread: ThreadState, point: &Point) {
        let launched = &self.linked.pairs()[calls.launched.0 as usize..calls.launched.1 as usize];
        let event = |activity: u32| self.trace.activities[activity as usize].event;
        let stream = launched.first().and_then(|(_, own)| self.streams.get(self.stream_of(event(own.0)) as usize));
        let begun = stream.map_or(NONE, |stream| stream.last[0]);
        self.find(thread.waiting, EdgeKind::Call, self.typical.call, point.end);
        if begun != NONE && self.graph.nodes[begun as usize].at > point.at {
            self.find(begun, EdgeKind::Place, Nanos::MAX, point.end);
        }
        let node = self.wait_end(calls, point);
        for (_, activity) in launched {
            if self.graph.activities[activity.index()] == NONE {
                self.launched_by[activity.index()] = node;
            }
        }
    }

    fn wait_end(&mut self, calls: &Calls, point: &Point) -> u32 {
        let node = Node {
            at: point.end,
            end: point.end,
            slice: calls.call,
            edges_end: 0,
            thread: point.thread,
            kind: NodeKind::WaitEnds,
        };
        let number = self.node(node);
        self.threads[point.thread as usize].last = number;
        number
    }

    /// The nodes of activities for which a call waits.
    fn awaited(&self, calls: &Calls, thread: ThreadState, point: &Point, awaited: &mut Vec<u32>) {
        let mut add = |activity: u32| {
            if activity == NONE {
                return;
            }
            let node = self.graph.activities[activity as usize];
            if node != NONE && self.graph.nodes[node as usize].end <= point.end + SKEW {
                awaited.push(node);
            }
        };
        match calls.waits {
            Waits::Nothing | Waits::Queue => {}
            Waits::Own => {
                let own = &self.linked.pairs()[calls.launched.0 as usize..calls.launched.1 as usize];
                own.iter().for_each(|(_, activity)| add(activity.0));
                if awaited.is_empty() {
                    // By the device's clock its activity begins after the call: it waited for the stream's work before
                    // that.
                    let before = own.iter().filter_map(|(_, activity)| self.just_before(activity.0, point));
                    awaited.extend(before);
                }
            }
            Waits::Device => {
                let streams = self.streams.iter().take(STREAMS);
                streams.flat_map(|stream| stream.launched).for_each(add);
            }
            Waits::Stream => {
                let told = self.told.wait(self.trace, calls.call).map(|wait| wait.stream);
                let stream = told.or_else(|| self.guessed_stream(point)).unwrap_or(thread.stream);
                if let Some(stream) = self.streams.get(stream as usize) {
                    stream.launched.into_iter().for_each(add);
                }
            }
            Waits::Event => {
                let told = self.told.wait(self.trace, calls.call).and_then(|wait| self.told.awaited(wait));
                let guessed = || self.guessed_event(point).map_or(thread.recorded, |activity| [activity; 2]);
                told.unwrap_or_else(guessed).into_iter().for_each(add);
            }
        }
    }

    /// The latest node of an activity's stream, if it ended while the call waited and the activity begins just after
    /// the call's end.
    fn just_before(&self, activity: u32, point: &Point) -> Option<u32> {
        let event = self.trace.activities[activity as usize].event;
        let late = self.trace.slices.start(event) - point.end;
        if late < Nanos::ZERO || late > SKEW {
            return None;
        }
        let stream = self.streams.get(self.stream_of(event) as usize)?;
        let last = Some(stream.last[0]).filter(|node| *node != NONE)?;
        let end = self.graph.nodes[last as usize].end;
        (end > point.at && end <= point.end + SKEW).then_some(last)
    }

    /// The stream whose latest activity ended last while a call waited.
    fn guessed_stream(&self, point: &Point) -> Option<u32> {
        let streams = self.streams.iter().take(STREAMS).zip(0..).filter(|(stream, _)| stream.launched[0] != NONE);
        let ended = streams.map(|(stream, number)| (self.end_of(stream.launched[0]), number));
        ended.filter(|(end, _)| *end > point.at && *end <= point.end).max().map(|(_, number)| number)
    }

    /// The activity that ended last while a call waited, among those launched before.
    fn guessed_event(&self, point: &Point) -> Option<u32> {
        let until = self.ends.partition_point(|(end, _)| *end <= point.end);
        let before = self.ends[..until].iter().rev().take(LOOKED_BACK).take_while(|(end, _)| *end > point.at);
        let launched = |activity: &u32| {
            let call = self.trace.activities[*activity as usize].call.get();
            call.is_some_and(|call| self.trace.slices.start(call) < point.at)
        };
        before.map(|(_, activity)| *activity as u32).find(launched)
    }
}
