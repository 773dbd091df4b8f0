//! Traces that have only a sample of the calls that the profiler saw.

use stepscope_trace::{NO_SERIAL, Trace};

/// Fewer calls say nothing about the rest.
const ENOUGH: u32 = 100;

/// A trace with a smaller share of the numbered calls is a sample.
///
/// CUDA numbers each call of its interface, also those that no profiler records: whole traces have 3 % of them or more.
const LEAST: f64 = 0.01;

/// The share of the CUDA calls in a trace among those that CUDA numbered from the first to the last, where that is too
/// small for a whole trace; none elsewhere.
pub(super) fn few_calls(trace: &Trace) -> Option<f64> {
    // Other interfaces number their calls otherwise.
    let launch = trace.activities.iter().find_map(|activity| activity.call.get())?;
    if !trace.name_of(launch).starts_with("cu") {
        return None;
    }
    let (mut count, mut first, mut last) = (0_u32, u32::MAX, 0);
    for call in trace.calls().iter().filter(|call| call.correlation != NO_SERIAL) {
        count += 1;
        (first, last) = (first.min(call.correlation), last.max(call.correlation));
    }
    let share = f64::from(count) / (f64::from(last) - f64::from(first) + 1.0);
    (count >= ENOUGH && share < LEAST).then_some(share)
}
