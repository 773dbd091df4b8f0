//! Parts of operators that a framework records as ranges.

use stepscope_trace::{EventId, Trace};

/// Paddle's categories of such parts: an operator's inner steps, and the launch of its kernel. Launches are computation
/// on the host, or calls of the device's runtime.
const CATEGORIES: [&str; 3] = ["OperatorInner", "DygraphKernelLaunch", "StaticKernelLaunch"];

/// The slices of a trace that are parts of operators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OperatorParts([Option<u16>; 3]);

impl OperatorParts {
    /// Those of a trace.
    pub(crate) fn of(trace: &Trace) -> Self {
        Self(CATEGORIES.map(|name| trace.category_named(name)))
    }

    /// Whether a slice is such a part.
    #[inline]
    pub(crate) fn has(self, trace: &Trace, id: EventId) -> bool {
        self.0.contains(&Some(trace.slices.category(id)))
    }
}
