//! The part of a program that a call is in.

use crate::Step;
use crate::steps::marked_step;
use crate::time_categories::names_library_call;
use stepscope_trace::{Class, EventId, Trace};

/// The range of the program around a call of the host, or around the launch of a kernel, copy or memset, else the outermost
/// operator around it; none for other slices. The own name of a call or an activity does not show which part of the program
/// it is.
#[must_use]
pub fn program_part_around(trace: &Trace, steps: &[Step], id: EventId) -> Option<EventId> {
    let id = match trace.slices.class(id) {
        Class::RuntimeCall | Class::Synchronization | Class::Operator => id,
        Class::Kernel | Class::Memcpy | Class::Memset => trace.activity(id)?.call.get()?,
        _ => return None,
    };
    range_around(trace, steps, id).or_else(|| operator_around(trace, id))
}

/// The innermost range of the program around a slice of a host.
#[inline(never)]
pub(crate) fn range_around(trace: &Trace, steps: &[Step], id: EventId) -> Option<EventId> {
    // A mark of a step is around all of it.
    let is_step = |id: EventId| {
        let span = trace.slices.interval(id);
        let place = steps.partition_point(|step| step.mark.start < span.start);
        marked_step(trace.name_of(id)).is_some() || steps.get(place).is_some_and(|step| step.mark == span)
    };
    // The range that a library makes around its own call is no part of the program.
    let is_range = |id: &EventId| {
        let is_such = trace.slices.class(*id) == Class::Annotation;
        is_such && !is_step(*id) && !names_library_call(trace.name_of(*id))
    };
    trace.slices.ancestors(id).find(is_range)
}

/// The outermost operator around a slice of a host.
#[inline(never)]
pub(crate) fn operator_around(trace: &Trace, id: EventId) -> Option<EventId> {
    let is_such = |id: &EventId| trace.slices.class(*id) == Class::Operator && !names_library_call(trace.name_of(*id));
    trace.slices.ancestors(id).filter(is_such).last()
}
