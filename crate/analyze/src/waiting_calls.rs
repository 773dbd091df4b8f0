//! The calls of a runtime that wait for a device.

use super::by_name::ByName;
use super::critical::pageable_calls;
use super::idle::{CallMeaning, call_meaning};
use stepscope_base::{CompactSort as _, Interval};
use stepscope_trace::{Class, EventId, Layer, ProcessId, Trace};

/// The calls of the runtime that return once a device has done something: those that wait by their names, and copies
/// from or to pageable memory that return once these are done.
pub(crate) struct WaitingCalls<'a> {
    trace: &'a Trace,
    /// Whether calls of a name wait.
    names: ByName<bool>,
    /// Those that return once a copy from or to pageable memory is done.
    copies: Vec<EventId>,
    /// Those that a device's own queue lists once more.
    repeated: Vec<EventId>,
}

impl<'a> WaitingCalls<'a> {
    pub(crate) fn of(trace: &'a Trace) -> Self {
        let names = ByName::of(trace, |name| matches!(call_meaning(name), CallMeaning::Waits | CallMeaning::Copies));
        let mut waiting = Self { trace, names, copies: pageable_calls(trace), repeated: Vec::new() };
        waiting.repeated = waiting.listed_by_devices();
        waiting
    }

    /// Waits in the queue of a device (MTIA) within one of a process without a device. Numbers of processes and devices
    /// may be the same, as in a container.
    fn listed_by_devices(&mut self) -> Vec<EventId> {
        let trace = self.trace;
        let used = || trace.tracks.iter().filter(|track| !track.rows().is_empty());
        let mut devices: Vec<ProcessId> =
            used().filter(|track| track.layer == Layer::Device).map(|track| track.process).collect();
        devices.compact_sort();
        devices.dedup();
        let has_device = |process: ProcessId| devices.binary_search(&process).is_ok();
        if !used().any(|track| track.layer != Layer::Device && has_device(track.process)) {
            return Vec::new();
        }
        let waits: Vec<EventId> = trace.slices_of(Class::RuntimeCall).filter(|id| self.has(*id)).collect();
        let process = |id: &EventId| trace.tracks[trace.slices.track(*id).index()].process;
        let (there, here): (Vec<EventId>, Vec<EventId>) = waits.into_iter().partition(|id| has_device(process(id)));
        let mut spans: Vec<Interval> = here.into_iter().map(|id| trace.slices.interval(id)).collect();
        spans.compact_sort_by_key(|span| span.start);
        // The latest end of those that begin no later than each.
        for place in 1..spans.len() {
            spans[place].end = spans[place].end.max(spans[place - 1].end);
        }
        let is_within = |id: &EventId| {
            let own = trace.slices.interval(*id);
            let before = spans.partition_point(|span| span.start <= own.start);
            before > 0 && spans[before - 1].end >= own.end
        };
        let mut repeated: Vec<EventId> = there.into_iter().filter(is_within).collect();
        repeated.compact_sort();
        repeated
    }

    /// Whether a call of the runtime is one of them.
    pub(crate) fn has(&mut self, call: EventId) -> bool {
        let waits = self.names.get(self.trace, self.trace.slices.name(call));
        (waits || self.copies.binary_search(&call).is_ok()) && self.repeated.binary_search(&call).is_err()
    }
}
