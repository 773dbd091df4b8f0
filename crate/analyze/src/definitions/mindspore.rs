//! MindSpore's Overlap Analysis: computation, communication, communication not overlapped, and free (neither).
//!
//! Free time is what msprof's rows have, where the trace has these. An export of one iteration has rows from its first
//! operator to its last: without rows, free time is counted like that in each step, so the time between iterations is
//! no part of it.
//!
//! Not per device: a MindSpore process drives one device, and its `step_trace_time.csv` has no column for it. Where a
//! trace has several, they are taken as one, which is free while none of them works.

use super::value::{Value, Values};
use crate::intervals::IntervalSet;
use crate::{DeviceSets, Steps};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, Trace};

pub(super) fn values(trace: &Trace, steps: &Steps) -> Values {
    let span = match (steps.steps.first(), steps.steps.last()) {
        (Some(first), Some(last)) => Interval::new(first.span.start, last.span.end),
        _ => Interval::default(),
    };
    let devices: Vec<DeviceSets> = DeviceSets::by_device(trace).into_values().collect();
    let sets = DeviceSets::together(&devices).clip(span);
    let either = sets.compute.union(&sets.communication);
    // The rows of several devices do not say when none of them works.
    let recorded = recorded_free(trace, span).filter(|_| devices.len() == 1);
    let free = recorded.unwrap_or_else(|| free_in_steps(&either, steps));
    vec![
        ("span_ns", Value::Time(either.len() + free)),
        ("computation_ns", Value::Time(sets.compute.len())),
        ("communication_ns", Value::Time(sets.communication.len())),
        ("communication_not_overlapped_ns", Value::Time(either.len() - sets.compute.len())),
        ("free_ns", Value::Time(free)),
    ]
}

/// The time of the profiler's own rows `Free` of a device, in a span; none without its Overlap Analysis.
fn recorded_free(trace: &Trace, span: Interval) -> Option<Nanos> {
    let category = trace.category_named("overlap_analysis")?;
    let rows = || trace.slices_of(Class::ProfilerSpan).filter(|id| trace.slices.category(*id) == category);
    rows().next()?;
    let free = rows().filter(|id| trace.strings.get(trace.slices.name(*id)) == "Free");
    Some(IntervalSet::of(free.map(|id| trace.slices.interval(id))).clip(span).len())
}

/// The time without any of these activities from the first to the last one of each step.
fn free_in_steps(either: &IntervalSet, steps: &Steps) -> Nanos {
    let of_step = |span: Interval| {
        let busy = either.clip(span);
        let ends = busy.intervals().first().zip(busy.intervals().last());
        ends.map_or(Nanos::ZERO, |(first, last)| last.end - first.start - busy.len())
    };
    steps.steps.iter().map(|step| of_step(step.span)).sum()
}
