//! Values that are known for a part of the time that they describe.

use stepscope_base::Nanos;
use stepscope_table::Value;

/// A value, and the share of the time that it describes during which it is known.
///
/// A value that is known for less than [`Covered::ENOUGH`] does not describe the whole: it is not shown as if it did.
///
/// ```
/// use stepscope::analyze::Covered;
///
/// let known = Covered { value: 0.5, coverage: 0.9 };
/// let unknown = Covered { value: 0.039, coverage: 0.04 };
/// assert_eq!((known.enough(), unknown.enough()), (Some(0.5), None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covered {
    /// The value over the time during which it is known.
    pub value: f64,
    /// That time as a share of all the time that the value describes.
    pub coverage: f64,
}

impl Covered {
    /// The least coverage at which a value describes the whole.
    pub const ENOUGH: f64 = 0.8;

    /// Returns a value that is known for `known` of `all`; `None` if it is known for none of it.
    #[must_use]
    pub fn of(value: f64, known: Nanos, all: Nanos) -> Option<Self> {
        (known > Nanos::ZERO).then(|| Self { value, coverage: known.ratio_of(all).unwrap_or(1.0).min(1.0) })
    }

    /// Returns the value if it is known for enough of the time.
    #[must_use]
    pub fn enough(&self) -> Option<f64> {
        is_enough(self.coverage).then_some(self.value)
    }

    /// Returns the same coverage with a changed value.
    #[must_use]
    pub fn map(self, change: impl FnOnce(f64) -> f64) -> Self {
        Self { value: change(self.value), ..self }
    }
}

impl From<Covered> for Value<'_> {
    fn from(known: Covered) -> Self {
        Self::Covered(known.value.into(), known.coverage)
    }
}

/// Returns whether a value with that coverage describes the whole.
#[must_use]
pub fn is_enough(coverage: f64) -> bool {
    coverage >= Covered::ENOUGH
}

/// A mean weighted by duration, with the share of all durations that it covers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weighted {
    sum: f64,
    known: Nanos,
    all: Nanos,
}

impl Weighted {
    /// Adds a duration with its value; `None` and values that are not finite are unknown.
    #[expect(clippy::cast_precision_loss, reason = "a mean for display")]
    pub(super) fn add(&mut self, value: Option<f64>, length: Nanos) {
        self.all += length;
        if let Some(value) = value.filter(|value| value.is_finite()) {
            self.sum += value * length.0 as f64;
            self.known += length;
        }
    }

    /// Returns the mean; `None` if no duration has a value.
    #[expect(clippy::cast_precision_loss, reason = "a mean for display")]
    pub(super) fn mean(self) -> Option<Covered> {
        Covered::of(self.sum / self.known.0 as f64, self.known, self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_says_how_much_it_covers() {
        let mut mean = Weighted::default();
        assert_eq!(mean.mean(), None);
        mean.add(Some(0.5), Nanos(30));
        mean.add(Some(1.0), Nanos(10));
        mean.add(None, Nanos(40));
        mean.add(Some(f64::NAN), Nanos(80));
        assert_eq!(mean.mean(), Some(Covered { value: 0.625, coverage: 0.25 }));
        assert_eq!(mean.mean().and_then(|found| found.enough()), None);
    }
}
