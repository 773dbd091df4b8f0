//! Threads that take turns at launching, such as the backward pass's and the one that waits for it.

use std::cell::OnceCell;

use super::IntervalSet;
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{Class, Trace, TrackId};

/// Calls of a thread belong to one stretch of activity if the time between them is not longer than this.
pub(super) const PAUSE: Nanos = Nanos(100_000);

/// Threads take turns if at most one part in this many of their activity overlaps.
const OVERLAP: i64 = 10;

/// The lanes of a trace: threads that take turns share one. There is at least one lane.
pub(super) struct Lanes<'a> {
    trace: &'a Trace,
    /// The times at which each lane's threads are in calls of the runtime.
    active: Vec<IntervalSet>,
    /// The lane of each track, found on first use.
    lane_of: Vec<OnceCell<usize>>,
    /// The threads that launch, those that launch most first.
    launching: Vec<TrackId>,
}

impl<'a> Lanes<'a> {
    /// Puts the threads that launch into lanes, those that launch most first.
    pub(super) fn of(trace: &'a Trace) -> Self {
        let lane_of = trace.tracks.iter().map(|_| OnceCell::new()).collect();
        let mut lanes = Self { trace, active: Vec::new(), lane_of, launching: Vec::new() };
        let mut launched: Vec<(std::cmp::Reverse<u64>, usize)> =
            (0..trace.tracks.len()).map(|track| (std::cmp::Reverse(0), track)).collect();
        let calls = trace.activities.iter().filter_map(|activity| activity.call.get());
        calls.for_each(|call| launched[trace.slices.track(call).index()].0.0 += 1);
        launched.retain(|(count, _)| count.0 > 0);
        launched.compact_sort();
        for (_, track) in launched {
            let active = lanes.active_of(TrackId::from_index(track));
            let lane = lanes.lane_for(&active).unwrap_or_else(|| {
                lanes.active.push(IntervalSet::new());
                lanes.active.len() - 1
            });
            lanes.active[lane] = lanes.active[lane].union(&active);
            let _ = lanes.lane_of[track].set(lane);
            lanes.launching.push(TrackId::from_index(track));
        }
        if lanes.active.is_empty() {
            lanes.active.push(IntervalSet::new());
        }
        lanes
    }

    /// The number of lanes.
    pub(super) fn len(&self) -> usize {
        self.active.len()
    }

    /// The threads of a lane that launch.
    pub(super) fn launching(&self, lane: usize) -> impl Iterator<Item = TrackId> + '_ {
        self.launching.iter().copied().filter(move |thread| self.lane(*thread) == lane)
    }

    /// The lane of a thread; for one that takes turns with no other, a number that no lane has.
    pub(super) fn lane(&self, thread: TrackId) -> usize {
        *self.lane_of[thread.index()]
            .get_or_init(|| self.lane_for(&self.active_of(thread)).unwrap_or(self.active.len()))
    }

    /// The times at which a thread is in calls of the runtime, with short pauses.
    fn active_of(&self, thread: TrackId) -> IntervalSet {
        let slices = &self.trace.slices;
        let calls = self.trace.tracks[thread.index()].events().filter(|id| slices.class(*id) == Class::RuntimeCall);
        let mut spans: Vec<Interval> = Vec::new();
        for span in calls.map(|id| slices.interval(id)) {
            match spans.last_mut() {
                Some(last) if span.start - last.end <= PAUSE => last.end = last.end.max(span.end),
                _ => spans.push(span),
            }
        }
        IntervalSet::of(spans)
    }

    /// The first lane whose threads take turns with a thread that is active at these times.
    fn lane_for(&self, active: &IntervalSet) -> Option<usize> {
        self.active.iter().position(|lane| {
            let shorter = lane.len().min(active.len());
            lane.intersection(active).len().0.saturating_mul(OVERLAP) <= shorter.0
        })
    }
}
