//! HolisticTraceAnalysis: temporal breakdown and overlap, with its rounding to microseconds left out.
//!
//! Device activity is every complete event with a stream other than −1, so that synchronisation and
//! host operators that carry a stream count. With more than one `ProfilerStep`, those without a launching
//! call that starts before the last step's end are dropped.

use super::{Value, Values};
use crate::analyze::{IntervalSet, StepSource, Steps};
use crate::trace::{Class, EventId, NO_SERIAL, Serial, Trace};
use crate::units::Nanos;

pub(super) fn values(trace: &Trace, steps: &Steps) -> Values {
    let events = events(trace, steps);
    let kinds = trace.strings.map(kind);
    let set = |wanted: fn(Kind) -> bool| {
        let chosen = events.iter().filter(|id| wanted(kinds[trace.slices.name(**id).index()]));
        IntervalSet::of(chosen.map(|id| trace.slices.interval(*id)))
    };
    let all = set(|_| true);
    let compute = set(|kind| kind == Kind::Compute);
    let communication = set(|kind| kind == Kind::Communication);
    let window = all.hull().unwrap_or_default().len();
    let idle = window - all.len();
    let overlap = communication.intersection(&compute).len();
    vec![
        ("kernel_time_ns", Value::Time(window)),
        ("idle_time_ns", Value::Time(idle)),
        ("compute_time_ns", Value::Time(compute.len())),
        ("non_compute_time_ns", Value::Time(window - compute.len() - idle)),
        ("communication_ns", Value::Time(communication.len())),
        ("overlap_ns", Value::Time(overlap)),
        ("overlap_of_communication", Value::Ratio(overlap.ratio_of(communication.len()))),
    ]
}

fn events(trace: &Trace, steps: &Steps) -> Vec<EventId> {
    let marks = if steps.source == StepSource::Marks { &steps.steps[..] } else { &[] };
    let activities = trace.activities.iter().map(|activity| (activity.event, activity.correlation));
    let others = trace.stream_arguments.iter().filter(|(_, stream)| *stream != -1);
    let others = others.map(|(id, _)| (*id, trace.call(*id).map_or(NO_SERIAL, |call| call.correlation)));
    let all = activities.chain(others);
    if marks.len() < 2 {
        return all.map(|(id, _)| id).collect();
    }
    let last_end = marks.iter().map(|step| step.host.end).max().unwrap_or(Nanos::MAX);
    let calls = trace.slices_of(Class::RuntimeCall).filter(|id| trace.slices.start(*id) <= last_end);
    let mut launched: Vec<Serial> = calls.filter_map(|id| Some(trace.call(id)?.correlation)).collect();
    launched.sort_unstable();
    all.filter(|(_, correlation)| *correlation != NO_SERIAL && launched.binary_search(correlation).is_ok())
        .map(|(id, _)| id)
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Compute,
    Communication,
    Neither,
}

/// `^nccl.*Kernel` communicates; whatever is no copy, fill or synchronisation computes.
fn kind(name: &str) -> Kind {
    if name.strip_prefix("nccl").is_some_and(|rest| rest.contains("Kernel")) {
        Kind::Communication
    } else if ["Memcpy", "Memset", "Sync"].iter().any(|part| name.contains(part)) || name.starts_with("dma") {
        Kind::Neither
    } else {
        Kind::Compute
    }
}

