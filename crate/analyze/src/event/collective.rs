//! Events that communicate.

use stepscope_trace::{Class, EventId, Trace};

use crate::time_categories::names_collective;

/// Whether a slice is a collective, in which other ranks may take part.
#[must_use]
pub fn is_collective(trace: &Trace, id: EventId) -> bool {
    trace.collective(id).is_some() || communicates(trace, id) || names_collective(trace.name_of(id))
}

/// Whether a slice is a communication kernel.
pub(super) fn communicates(trace: &Trace, id: EventId) -> bool {
    trace.slices.class(id) == Class::Kernel && trace.activity(id).is_some_and(|activity| activity.communication)
}
