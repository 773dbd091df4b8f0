//! Times with their shares.

use stepscope::Nanos;
use stepscope::present::text::duration;

use crate::grid::beside_share;

/// A time with its share, as wide as any other such cell.
pub(super) fn with_share(time: Nanos, share: Option<f64>) -> String {
    beside_share(&duration(time), share)
}
