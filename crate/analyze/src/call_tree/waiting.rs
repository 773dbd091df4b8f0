//! Threads that only wait, such as a progress bar's monitor and idle workers of a pool: beside the threads that work,
//! they would take half of the host's time.

use crate::by_name::ByName;
use crate::idle::waits_for_lock;
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::{Class, EventId, Trace, TrackId};

/// Least share of its time that such a thread waits.
const LEAST_SHARE: f64 = 0.95;

/// The threads that only wait: they have nothing but Python functions, and spend at least 95 % of their time in those
/// that wait for a lock, an event or a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitingThreads {
    /// Their number.
    pub threads: usize,
    /// Their time in the tree's scope.
    pub host: Nanos,
}

/// Splits threads into those that only wait, in the whole trace, and those that work. If all wait, none is set apart.
pub(super) fn split(trace: &Trace, threads: Vec<Vec<TrackId>>) -> (Vec<Vec<TrackId>>, Vec<Vec<TrackId>>) {
    let mut waits = ByName::of(trace, waits_for_lock);
    let (waiting, working): (Vec<_>, Vec<_>) =
        threads.into_iter().partition(|tracks| only_waits(trace, tracks, &mut waits));
    if working.is_empty() { (working, waiting) } else { (waiting, working) }
}

fn only_waits(trace: &Trace, tracks: &[TrackId], waits: &mut ByName<bool>) -> bool {
    let slices = &trace.slices;
    let events = || tracks.iter().flat_map(|track| trace.tracks[track.index()].events());
    // A thread with operators, launches or ranges works, however much it waits.
    if events().any(|id| slices.class(id) != Class::PythonFrame) {
        return false;
    }
    let mut calls: Vec<EventId> = events().collect();
    calls.compact_sort_by_key(|id| (slices.start(*id), std::cmp::Reverse(slices.end(*id)), id.index()));
    let (mut all, mut waiting) = (Nanos::ZERO, Nanos::ZERO);
    // The calls that have not ended, and whether each waits.
    let mut open: Vec<(Nanos, bool)> = Vec::new();
    let mut until = Nanos(i64::MIN);
    let mut pass = |open: &mut Vec<(Nanos, bool)>, to: Nanos| {
        while let Some((end, is_wait)) = open.last().copied() {
            let passed = end.min(to) - until.min(end.min(to));
            all += passed;
            waiting += if is_wait { passed } else { Nanos::ZERO };
            until = until.max(end.min(to));
            if end > to {
                break;
            }
            open.pop();
        }
        until = to;
    };
    for id in calls {
        pass(&mut open, slices.start(id));
        open.push((slices.end(id), waits.get(trace, slices.name(id))));
    }
    pass(&mut open, Nanos(i64::MAX));
    waiting.ratio_of(all).is_some_and(|share| share >= LEAST_SHARE)
}
