//! The part of a program that a call is in.

use crate::Steps;
use crate::steps::marked_step;
use stepscope_trace::{Class, EventId, Trace};

/// The range of the program around a call of the host, else the outermost operator around it; none for other slices. A
/// call's own name, such as that of a copy, does not show which part of the program waits.
#[must_use]
pub fn program_part_around(trace: &Trace, steps: &Steps, id: EventId) -> Option<EventId> {
    if !matches!(trace.slices.class(id), Class::RuntimeCall | Class::Synchronization | Class::Operator) {
        return None;
    }
    // A mark of a step is around all of it.
    let is_step = |id: EventId| {
        let span = trace.slices.interval(id);
        let place = steps.steps.partition_point(|step| step.mark.start < span.start);
        marked_step(trace.name_of(id)).is_some() || steps.steps.get(place).is_some_and(|step| step.mark == span)
    };
    let is_range = |id: &EventId| trace.slices.class(*id) == Class::Annotation && !is_step(*id);
    trace.slices.ancestors(id).find(is_range).or_else(|| {
        let operators = trace.slices.ancestors(id).filter(|id| trace.slices.class(*id) == Class::Operator);
        operators.last()
    })
}
