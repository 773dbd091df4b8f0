//! Calls of the runtime that launch, synchronize or capture, and the times at which graphs are captured.

use std::collections::BTreeMap;

use super::intervals::IntervalSet;
use stepscope_base::{CompactSort as _, Interval, Nanos, map_of};
use stepscope_trace::{Class, EventId, Layer, ProcessId, Trace};

/// The effect of a call, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallName {
    Launches,
    BeginsCapture,
    EndsCapture,
    /// It waits until the device has finished everything.
    Synchronizes,
}

impl CallName {
    pub(super) fn of(name: &str) -> Option<Self> {
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        if has(&["StreamBeginCapture"]) {
            Some(Self::BeginsCapture)
        } else if has(&["StreamEndCapture"]) {
            Some(Self::EndsCapture)
        } else if has(&["DeviceSynchronize", "CtxSynchronize"]) {
            Some(Self::Synchronizes)
        } else if has(&["LaunchKernel", "LaunchCooperativeKernel", "GraphLaunch"]) && !has(&["::", "(", "Node"]) {
            Some(Self::Launches)
        } else {
            None
        }
    }
}

/// The times at which graphs are captured, on any thread.
pub(super) fn captured(trace: &Trace) -> IntervalSet {
    let captures = captures(trace, &trace.strings.map(CallName::of));
    captures.values().fold(IntervalSet::new(), |all, one| all.union(one))
}

/// Whether a slice is a call of the runtime or driver.
pub(super) fn is_call(trace: &Trace, id: EventId) -> bool {
    matches!(trace.slices.class(id), Class::RuntimeCall | Class::Synchronization)
}

/// Whether a call's name has an effect.
pub(super) fn does(trace: &Trace, names: &[Option<CallName>], id: EventId, what: CallName) -> bool {
    is_call(trace, id) && names[trace.slices.name(id).index()] == Some(what)
}

/// The times at which the threads of each process capture graphs. Launches of any of its threads may then be recorded
/// into a graph, as those of the backward pass's thread are.
pub(super) fn captures(trace: &Trace, names: &[Option<CallName>]) -> BTreeMap<ProcessId, IntervalSet> {
    let mut marks: BTreeMap<ProcessId, Vec<(Nanos, i64)>> = BTreeMap::new();
    // Most traces have none.
    if !names.iter().any(|name| matches!(name, Some(CallName::BeginsCapture | CallName::EndsCapture))) {
        return BTreeMap::new();
    }
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Host) {
        for id in track.events() {
            let call = trace.slices.interval(id);
            let mark = match () {
                () if does(trace, names, id, CallName::BeginsCapture) => (call.start, 1),
                () if does(trace, names, id, CallName::EndsCapture) => (call.end, -1),
                () => continue,
            };
            marks.entry(track.process).or_default().push(mark);
        }
    }
    let spans = |mut marks: Vec<(Nanos, i64)>| {
        marks.compact_sort();
        // Captures that began before the trace have only an end.
        let (mut open, mut least) = (0, 0);
        for (_, change) in &marks {
            open += change;
            least = open.min(least);
        }
        let (mut open, mut since, mut found) = (-least, Nanos::MIN, Vec::new());
        for (at, change) in marks {
            if open == 0 {
                since = at;
            }
            open += change;
            if open == 0 {
                found.push(Interval::new(since, at));
            }
        }
        found.extend((open > 0).then_some(Interval::new(since, Nanos::MAX)));
        IntervalSet::of(found)
    };
    map_of(marks.into_iter().map(|(process, marks)| (process, spans(marks))))
}
