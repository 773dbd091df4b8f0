//! Times with their shares.

use stepscope::Nanos;
use stepscope::present::text::{duration, percent_or_dash};

/// A time with its share, as wide as any other such cell.
pub(super) fn with_share(time: Nanos, share: Option<f64>) -> String {
    format!("{}  {:>7}", duration(time), percent_or_dash(share))
}
