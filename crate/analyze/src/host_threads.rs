//! Threads of the host. Those that only wait, such as a progress bar's monitor and idle workers of a pool, stand beside
//! those that work: they would take half of the host's time.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::by_name::ByName;
use crate::idle::waits_for_lock;
use crate::intervals::IntervalSet;
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{Class, EventId, Layer, RawId, Trace, TrackId};

/// Least share of its time that such a thread waits.
const LEAST_SHARE: f64 = 0.95;

/// The time by which rounding may move a call's end past its caller's.
pub(crate) const ROUNDING: Nanos = Nanos(1_000);

/// The threads that only wait: they have nothing but Python functions, and spend at least 95 % of their time in those
/// that wait for a lock, an event or a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitingThreads {
    /// Their number.
    pub threads: usize,
    /// Their time in the tree's scope.
    pub host: Nanos,
}

/// The threads of the host by their tracks, in the whole trace. If all of them only wait, none is set apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostThreads {
    /// Threads that only wait, with the time of their calls.
    pub(crate) waiting: Vec<(Vec<TrackId>, IntervalSet)>,
    /// Threads that work.
    pub(crate) working: Vec<Vec<TrackId>>,
}

impl HostThreads {
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut waits = ByName::of(trace, waits_for_lock);
        let mut found = Self::default();
        for tracks in threads(trace) {
            match waiting(trace, &tracks, &mut waits) {
                Some(times) => found.waiting.push((tracks, times)),
                None => found.working.push(tracks),
            }
        }
        if found.working.is_empty() {
            found.working = std::mem::take(&mut found.waiting).into_iter().map(|(tracks, _)| tracks).collect();
        }
        found
    }
}

/// Whether tracks of a layer are of threads of the host.
pub(crate) fn is_of_host(layer: Layer) -> bool {
    matches!(layer, Layer::Host | Layer::Python)
}

/// The tracks of each thread.
fn threads(trace: &Trace) -> Vec<Vec<TrackId>> {
    let mut threads: Vec<Vec<TrackId>> = Vec::new();
    let mut places: HashMap<(u32, RawId), usize, FxBuildHasher> = HashMap::default();
    for (index, track) in trace.tracks.iter().enumerate() {
        if is_of_host(track.layer) && !track.rows().is_empty() {
            let place = *places.entry((track.process.0, track.thread)).or_insert_with(|| {
                threads.push(Vec::new());
                threads.len() - 1
            });
            threads[place].push(TrackId::from_index(index));
        }
    }
    threads
}

/// The time of a thread's calls if it only waits.
fn waiting(trace: &Trace, tracks: &[TrackId], waits: &mut ByName<bool>) -> Option<IntervalSet> {
    let slices = &trace.slices;
    let events = || tracks.iter().flat_map(|track| trace.tracks[track.index()].events());
    // A thread with operators, launches or ranges works, however much it waits.
    if events().any(|id| slices.class(id) != Class::PythonFrame) {
        return None;
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
    // Calls that no other call contains.
    let mut outer: Vec<Interval> = Vec::new();
    for id in calls {
        let call = slices.interval(id);
        pass(&mut open, call.start);
        open.push((call.end, waits.get(trace, slices.name(id))));
        let is_inside = |outer: &Interval| outer.end > call.start && call.end <= outer.end + ROUNDING;
        if !outer.last().is_some_and(is_inside) {
            outer.push(call);
        }
    }
    pass(&mut open, Nanos(i64::MAX));
    let only_waits = waiting.ratio_of(all).is_some_and(|share| share >= LEAST_SHARE);
    only_waits.then(|| IntervalSet::of(outer))
}
