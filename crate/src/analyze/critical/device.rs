//! The devices' streams: how long they usually take between things, and what ends when.

use crate::trace::{Class, EventId, Stream, Trace};
use crate::units::{Interval, Nanos};

/// How long a device usually takes: for when it is not known since something else took longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Typical {
    /// From a launching call's end until an idle stream begins, where it does not begin before that.
    pub(super) launch: Nanos,
    /// From a launching call's beginning until an idle stream begins.
    pub(super) call: Nanos,
    /// From one activity's end to the next one's beginning, which had been launched long before; negative where they
    /// overlap.
    pub(super) gap: Nanos,
}

impl Typical {
    /// The medians of what is beyond doubt.
    pub(super) fn of(trace: &Trace) -> Self {
        /// What was launched so long before a stream was free, had been waiting for it.
        const WAITED: Nanos = Nanos(20_000);
        const LAUNCH: (i64, i64) = (0, 50_000);
        const GAP: (i64, i64) = (-5_000, 20_000);
        let (mut launches, mut calls, mut gaps) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = None;
        for activity in &trace.activities {
            let track = trace.slices.track(activity.event);
            let span = trace.slices.interval(activity.event);
            let free = before.filter(|(known, _)| *known == track).map(|(_, end)| end);
            before = Some((track, free.unwrap_or(span.end).max(span.end)));
            let Some(call) = activity.call.get().map(|call| trace.slices.interval(call)) else { continue };
            match free {
                Some(free) if call.end + WAITED <= free => gaps.push(span.start - free),
                Some(free) if free > call.start => {}
                _ => {
                    calls.push(span.start - call.start);
                    if call.end <= span.start {
                        launches.push(span.start - call.end);
                    }
                }
            }
        }
        Self { launch: median(&mut launches, LAUNCH), call: median(&mut calls, LAUNCH), gap: median(&mut gaps, GAP) }
    }

    /// How long after a launching call's beginning what it launched can begin.
    pub(super) fn launch(&self, call: Interval, begins: Nanos) -> Nanos {
        // What a call waited for before it returned says nothing of when it had launched.
        if call.end <= begins { call.len() + self.launch } else { self.call.min(begins - call.start) }
    }
}

/// The median within bounds; zero of nothing.
fn median(lengths: &mut [Nanos], (least, most): (i64, i64)) -> Nanos {
    if lengths.is_empty() {
        return Nanos::ZERO;
    }
    let middle = lengths.len() / 2;
    let (_, median, _) = lengths.select_nth_unstable(middle);
    Nanos(median.0.clamp(least, most))
}

/// The streams, those that did the most first, and each track's stream by its number.
pub(super) fn streams(trace: &Trace) -> (Vec<Stream>, Vec<u32>) {
    let mut count: Vec<(Stream, usize)> = Vec::new();
    let of_devices = trace.tracks.iter().filter_map(|track| Some((track.stream?, track.rows().len())));
    count.extend(of_devices);
    count.sort_unstable();
    count.dedup_by(|next, last| {
        let same = next.0 == last.0;
        if same {
            last.1 += next.1;
        }
        same
    });
    count.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    let streams: Vec<Stream> = count.into_iter().map(|(stream, _)| stream).collect();
    let mut by_stream: Vec<(Stream, u32)> = streams.iter().copied().zip(0..).collect();
    by_stream.sort_unstable();
    let number = |stream: Stream| {
        let found = by_stream.binary_search_by_key(&stream, |(stream, _)| *stream);
        found.map_or(u32::MAX, |index| by_stream[index].1)
    };
    let numbers = trace.tracks.iter().map(|track| track.stream.map_or(u32::MAX, number)).collect();
    (streams, numbers)
}

/// When each activity ends, by that.
pub(super) fn ends(trace: &Trace) -> Vec<(Nanos, u32)> {
    let activities = (0..).zip(&trace.activities);
    let mut ends: Vec<(Nanos, u32)> =
        activities.map(|(index, activity)| (trace.slices.end(activity.event), index)).collect();
    ends.sort();
    ends
}

/// The streams that the profiler says were waited for, by the waiting call's correlation; sorted.
pub(super) fn awaited_streams(trace: &Trace) -> Vec<(u32, i64)> {
    let told = |id: EventId| {
        let argument = trace.stream_arguments.binary_search_by_key(&id, |(event, _)| *event);
        let row = || trace.stream_of(id).map(|stream| stream.stream);
        let stream = argument.ok().map(|index| trace.stream_arguments[index].1).or_else(row)?;
        Some((trace.call(id)?.correlation, stream))
    };
    let mut awaited: Vec<(u32, i64)> = trace.slices_of(Class::Synchronization).filter_map(told).collect();
    awaited.sort_unstable();
    awaited
}
