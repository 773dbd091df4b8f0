//! Numbers as Paddle prints them.

use stepscope_base::Nanos;

/// A share in percent with two decimals; zero if the whole is zero.
#[expect(clippy::cast_precision_loss, reason = "Paddle prints doubles")]
pub(super) fn ratio(part: Nanos, whole: Nanos) -> String {
    let share = if whole == Nanos::ZERO { 0.0 } else { part.0 as f64 / whole.0 as f64 };
    format!("{:.2}", share * 100.0)
}
