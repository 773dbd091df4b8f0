//! Paddle's Distribution Summary: communication, computation, overlap, as shares of the steps' time.
//!
//! Communication is the union of the host's ranges of collectives (in Paddle's traces the category
//! `Communication` and operators whose name says so; `nccl:`, `gloo:`, `mpi:` in PyTorch's) and the communication
//! kernels; computation is the union of the other kernels.
//!
//! Not per device: Paddle puts the kernels of all devices into one list of ranges (`DistributedSummary`).
//! It looks at the whole trace, so that a share can exceed 1.

use super::{Value, Values};
use crate::analyze::{DeviceSets, IntervalSet, Steps};
use crate::trace::{Activity, Class, EventId, Trace};
use crate::units::Nanos;

pub(super) fn values(trace: &Trace, steps: &Steps) -> Values {
    let device = DeviceSets::of(trace, &trace.activities);
    let communication = trace.category_named("Communication");
    let is_paddle = trace.category_named("ProfileStep").is_some();
    let named = trace.strings.map(|name| {
        let says_so = || {
            let name = name.to_ascii_lowercase();
            ["allreduce", "broadcast", "rpc"].iter().any(|word| name.contains(word))
        };
        ["nccl:", "gloo:", "mpi:"].iter().any(|library| name.starts_with(library)) || (is_paddle && says_so())
    });
    let is_range = |id: EventId| {
        let class = trace.slices.class(id);
        let is_host = class == Class::Operator || (class == Class::Annotation && !is_paddle);
        is_host && (named[trace.slices.name(id).index()] || Some(trace.slices.category(id)) == communication)
    };
    let host = IntervalSet::of(trace.slices.ids().filter(|id| is_range(*id)).map(|id| trace.slices.interval(id)));
    // In Paddle's own traces, whatever such a range launched communicates, and may compute all the same.
    let launched_in_one = |activity: &&Activity| {
        let call = activity.call.get().filter(|_| is_paddle && trace.slices.class(activity.event) == Class::Kernel);
        call.is_some_and(|call| trace.slices.ancestors(call).any(is_range))
    };
    let launched = trace.activities.iter().filter(launched_in_one);
    let launched = IntervalSet::of(launched.map(|activity| trace.slices.interval(activity.event)));
    let communication = host.union(&launched).union(&device.communication);
    let computation = device.compute;
    let overlap = communication.intersection(&computation).len();
    let total: Nanos = steps.steps.iter().map(|step| step.host.len()).sum();
    vec![
        ("profile_step_ns", Value::Time(total)),
        ("communication_ns", Value::Time(communication.len())),
        ("computation_ns", Value::Time(computation.len())),
        ("overlap_ns", Value::Time(overlap)),
        ("communication_of_profile_step", Value::Ratio(communication.len().ratio_of(total))),
        ("computation_of_profile_step", Value::Ratio(computation.len().ratio_of(total))),
        ("overlap_of_profile_step", Value::Ratio(overlap.ratio_of(total))),
    ]
}
