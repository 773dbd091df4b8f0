//! Paddle's Distribution Summary: communication, computation, overlap, as shares of the steps' time.

use super::value::{Value, Values};
use crate::{Steps, work_split};
use stepscope_base::Nanos;
use stepscope_trace::Trace;

pub(super) fn values(trace: &Trace, steps: &Steps) -> Values {
    let found = work_split(trace);
    let total: Nanos = steps.steps.iter().map(|step| step.mark.len()).sum();
    vec![
        ("profile_step_ns", Value::Time(total)),
        ("communication_ns", Value::Time(found.communication)),
        ("computation_ns", Value::Time(found.computation)),
        ("overlap_ns", Value::Time(found.overlap)),
        ("communication_of_profile_step", Value::Ratio(found.communication.ratio_of(total))),
        ("computation_of_profile_step", Value::Ratio(found.computation.ratio_of(total))),
        ("overlap_of_profile_step", Value::Ratio(found.overlap.ratio_of(total))),
    ]
}
