//! The only step of a trace without marks.

use stepscope_base::Interval;
use stepscope_trace::{Class, EventId, Trace};

/// The whole trace as one step; none without slices.
pub(super) fn whole_step(trace: &Trace) -> Vec<(String, Interval)> {
    whole_trace(trace).into_iter().map(|span| ("0".to_owned(), span)).collect()
}

/// From the first host operator to the last; without any, from the first activity to the last.
fn whole_trace(trace: &Trace) -> Option<Interval> {
    let hull = |ids: &mut dyn Iterator<Item = EventId>| {
        ids.map(|id| trace.slices.interval(id)).reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end)))
    };
    hull(&mut trace.slices_of(Class::Operator))
        .or_else(|| hull(&mut trace.activities.iter().map(|activity| activity.event)))
        .or_else(|| hull(&mut trace.slices.ids()))
}
