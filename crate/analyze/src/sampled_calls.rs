//! Traces that have only a sample of the calls that the profiler saw.

use stepscope_base::Interval;
use stepscope_trace::{NO_SERIAL, Serial, Trace};

/// Fewer calls say nothing about the rest.
const ENOUGH: usize = 100;

/// A window with a smaller share of the numbered calls is a sample.
///
/// CUDA numbers each call of its interface, also those that no profiler records: whole steps have 3 % of them or more.
const LEAST: f64 = 0.01;

/// The share of the CUDA calls of a trace among those that CUDA numbered, where that is too small for whole windows; none
/// elsewhere. It must be too small in most windows: the profiler may pause between them, and one of them may have many
/// calls that nothing records.
pub(crate) fn sampled_calls(trace: &Trace, windows: &[Interval]) -> Option<f64> {
    // Other interfaces number their calls otherwise.
    let launch = trace.activities.iter().find_map(|activity| activity.call.get())?;
    if !trace.name_of(launch).starts_with("cu") {
        return None;
    }
    let all = share_of(trace.calls().iter().map(|call| call.correlation)).filter(|share| *share < LEAST)?;
    let numbered: Vec<_> =
        trace.slices.ids().filter_map(|id| Some((trace.slices.start(id), trace.call(id)?.correlation))).collect();
    let is_sample = |window: &&Interval| {
        let inside = numbered.iter().filter(|(start, _)| (window.start..window.end).contains(start));
        share_of(inside.map(|(_, number)| *number)).is_some_and(|share| share < LEAST)
    };
    (windows.iter().filter(is_sample).count() * 2 > windows.len()).then_some(all)
}

/// The number of calls as a share of the numbers from the first to the last; none of too few.
fn share_of(numbers: impl Iterator<Item = Serial>) -> Option<f64> {
    let (mut count, mut first, mut last) = (0_usize, Serial::MAX, 0);
    for number in numbers.filter(|number| *number != NO_SERIAL) {
        count += 1;
        (first, last) = (first.min(number), last.max(number));
    }
    #[expect(clippy::cast_precision_loss, reason = "a share for display")]
    let share = count as f64 / (f64::from(last) - f64::from(first) + 1.0);
    (count >= ENOUGH).then_some(share)
}
