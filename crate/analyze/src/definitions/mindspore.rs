//! MindSpore's Overlap Analysis over the span of the steps: computation, communication, communication
//! not overlapped, and free (neither).
//!
//! Not per device: a MindSpore process drives one device, and its `step_trace_time.csv` has no column for it. Where a
//! trace has several, they are taken as one, which is free while none of them works.

use super::value::{Value, Values};
use crate::{DeviceSets, Steps};
use stepscope_base::Interval;
use stepscope_trace::Trace;

pub(super) fn values(trace: &Trace, steps: &Steps) -> Values {
    let span = match (steps.steps.first(), steps.steps.last()) {
        (Some(first), Some(last)) => Interval::new(first.span.start, last.span.end),
        _ => Interval::default(),
    };
    let sets = DeviceSets::of(trace, &trace.activities).clip(span);
    let either = sets.compute.union(&sets.communication).len();
    vec![
        ("span_ns", Value::Time(span.len())),
        ("computation_ns", Value::Time(sets.compute.len())),
        ("communication_ns", Value::Time(sets.communication.len())),
        ("communication_not_overlapped_ns", Value::Time(either - sets.compute.len())),
        ("free_ns", Value::Time(span.len() - either)),
    ]
}
