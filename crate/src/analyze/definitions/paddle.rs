//! Paddle's Distribution Summary: communication, computation, overlap, as shares of the steps' time.
//!
//! Communication is the union of the host's ranges of collectives (`nccl:`, `gloo:`, `mpi:` in PyTorch's
//! traces) and the communication kernels; computation is the union of the other kernels.
//!
//! Not per device: Paddle puts the kernels of all devices into one list of ranges (`DistributedSummary`).
//! It looks at the whole trace, so that a share can exceed 1.

use super::{Value, Values};
use crate::analyze::{DeviceSets, IntervalSet, Steps};
use crate::trace::{Class, Trace};
use crate::units::Nanos;

pub(super) fn values(trace: &Trace, steps: &Steps) -> Values {
    let device = DeviceSets::of(trace, &trace.activities);
    let named = trace.strings.map(|name| ["nccl:", "gloo:", "mpi:"].iter().any(|library| name.starts_with(library)));
    let ranges = trace
        .slices
        .ids()
        .filter(|id| matches!(trace.slices.class(*id), Class::Operator | Class::Annotation))
        .filter(|id| named[trace.slices.name(*id).index()]);
    let host = IntervalSet::of(ranges.map(|id| trace.slices.interval(id)));
    let communication = host.union(&device.communication);
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
