//! The part of a slice that is written.

use stepscope_base::Interval;
use stepscope_trace::{EventId, Trace};

use super::text::Out;

/// The part of a slice that is written.
pub(super) fn inside(out: &Out<'_>, trace: &Trace, id: EventId) -> Interval {
    let whole = trace.slices.interval(id);
    out.cut(whole).unwrap_or(whole)
}
