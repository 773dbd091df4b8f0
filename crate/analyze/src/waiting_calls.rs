//! The calls of a runtime that wait for a device.

use super::critical::pageable_calls;
use super::idle::{CallMeaning, call_meaning};
use stepscope_trace::{EventId, Trace};

/// The calls of the runtime that return once a device has done something: those that wait by their names, and copies
/// from or to pageable memory that return once these are done.
pub(crate) struct WaitingCalls<'a> {
    trace: &'a Trace,
    /// By name; none if not seen yet.
    names: Vec<Option<bool>>,
    /// Those that return once a copy from or to pageable memory is done.
    copies: Vec<EventId>,
}

impl<'a> WaitingCalls<'a> {
    pub(crate) fn of(trace: &'a Trace) -> Self {
        Self { trace, names: vec![None; trace.strings.len()], copies: pageable_calls(trace) }
    }

    /// Whether a call of the runtime is one of them.
    pub(crate) fn has(&mut self, call: EventId) -> bool {
        let name = self.trace.slices.name(call);
        let meaning = || call_meaning(self.trace.strings.get(name));
        let waits = *self.names[name.index()]
            .get_or_insert_with(|| matches!(meaning(), CallMeaning::Waits | CallMeaning::Copies));
        waits || self.copies.binary_search(&call).is_ok()
    }
}
