//! Sums divided by a number of steps.

use super::mean;
use stepscope_base::Nanos;
use stepscope_table::Count;

/// Divides sums by a number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerStep(pub u64);

impl PerStep {
    /// Leaves sums as they are.
    pub const WHOLE: Self = Self(1);

    /// Returns a length per step, rounded half to even.
    #[must_use]
    pub fn time(self, sum: Nanos) -> Nanos {
        mean(sum, self.0.max(1))
    }

    /// Returns a count per step.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a mean for display")]
    pub fn count(self, sum: u64) -> Count {
        let steps = self.0.max(1);
        if sum.is_multiple_of(steps) { Count::Whole(sum / steps) } else { Count::Mean(sum as f64 / steps as f64) }
    }
}
