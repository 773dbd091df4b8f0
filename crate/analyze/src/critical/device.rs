//! The devices' streams: typical delays, and the ends of activities.

use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{Stream, Trace};

/// Typical delays of a device, for where a longer wait hides the actual delay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Typical {
    /// From a launching call's end until an idle stream begins, where it does not begin before that.
    pub(super) launch: Nanos,
    /// From a launching call's beginning until an idle stream begins.
    pub(super) call: Nanos,
    /// From one activity's end to the beginning of the next one, which had been launched long before; negative where
    /// they overlap.
    pub(super) gap: Nanos,
}

impl Typical {
    /// Medians of the unambiguous delays, given when activities end. Some typical delays of CUDA on current GPUs take
    /// part, so that one or two measured delays do not decide.
    pub(super) fn of(trace: &Trace, ends: &[(Nanos, u64)]) -> Self {
        /// An activity launched at least this long before its stream was free had been waiting for it.
        const WAITED: Nanos = Nanos(20_000);
        const LAUNCH: (i64, i64) = (0, 50_000);
        const GAP: (i64, i64) = (-5_000, 20_000);
        /// Number of typical CUDA delays that take part.
        const ASSUMED: usize = 7;
        let assumed = |nanos: i64| vec![Nanos(nanos); ASSUMED];
        let (mut launches, mut calls, mut gaps) = (assumed(2_000), assumed(6_000), assumed(1_200));
        let ended = |at: Nanos| ends.partition_point(|(end, _)| *end <= at);
        let mut before = None;
        for activity in &trace.activities {
            let track = trace.slices.track(activity.event);
            let span = trace.slices.interval(activity.event);
            let free = before.filter(|(known, _)| *known == track).map(|(_, end)| end);
            before = Some((track, free.unwrap_or(span.end).max(span.end)));
            let Some(call) = activity.call.get().map(|call| trace.slices.interval(call)) else { continue };
            // The activity may have waited for anything else that ended in between, on any stream.
            match free {
                Some(free) if call.end + WAITED <= free => {
                    if ended(free) >= ended(span.start) {
                        gaps.push(span.start - free);
                    }
                }
                Some(free) if free > call.start => {}
                _ if ended(call.start) < ended(span.start) => {}
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

    /// Delay from a launching call's beginning until its activity can begin.
    pub(super) fn launch(&self, call: Interval, begins: Nanos) -> Nanos {
        // A call that ends after its activity begins may have waited: its end does not show when it launched.
        if call.end <= begins { call.len() + self.launch } else { self.call.min(begins - call.start) }
    }
}

/// The median of some lengths, within bounds.
fn median(lengths: &mut [Nanos], (least, most): (i64, i64)) -> Nanos {
    let (_, median, _) = lengths.select_nth_unstable(lengths.len() / 2);
    Nanos(median.0.clamp(least, most))
}

/// The streams by number: those with the most events first.
#[derive(Debug, Default)]
pub(super) struct Streams {
    pub(super) streams: Vec<Stream>,
    /// By track: its stream's number, out of range if there is none.
    pub(super) of_track: Vec<u32>,
    /// The numbers by stream, sorted.
    numbers: Vec<(Stream, u32)>,
}

impl Streams {
    pub(super) fn of(trace: &Trace) -> Self {
        let of_devices = trace.tracks.iter().filter_map(|track| Some((track.stream?, track.rows().len())));
        let mut count: Vec<(Stream, usize)> = of_devices.collect();
        count.compact_sort();
        count.dedup_by(|next, last| {
            let same = next.0 == last.0;
            if same {
                last.1 += next.1;
            }
            same
        });
        count.compact_sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        let streams: Vec<Stream> = count.into_iter().map(|(stream, _)| stream).collect();
        let mut numbers: Vec<(Stream, u32)> = streams.iter().copied().zip(0..).collect();
        numbers.compact_sort();
        let mut found = Self { streams, of_track: Vec::new(), numbers };
        let of_track = trace.tracks.iter().map(|track| track.stream.map_or(u32::MAX, |stream| found.number(stream)));
        found.of_track = of_track.collect();
        found
    }

    /// A stream's number, out of range if it has no events.
    pub(super) fn number(&self, stream: Stream) -> u32 {
        let found = self.numbers.binary_search_by_key(&stream, |(stream, _)| *stream);
        found.map_or(u32::MAX, |index| self.numbers[index].1)
    }
}

/// The end of each activity with the activity's index, sorted.
pub(super) fn ends(trace: &Trace) -> Vec<(Nanos, u64)> {
    let activities = (0..).zip(&trace.activities);
    let mut ends: Vec<(Nanos, u64)> =
        activities.map(|(index, activity)| (trace.slices.end(activity.event), index)).collect();
    ends.sort();
    ends
}
