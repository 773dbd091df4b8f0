//! Units: integer nanoseconds and half-open intervals of them.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// A point in time or a length of time, in integer nanoseconds.
///
/// Points count from the trace's own start (its origin is kept in `stepscope_trace::Meta`), so that
/// they are exact as JavaScript numbers for 104 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub i64);

impl Nanos {
    /// No time, or the trace's start.
    pub const ZERO: Self = Self(0);
    /// The latest possible point.
    pub const MAX: Self = Self(i64::MAX);
    /// The earliest possible point.
    pub const MIN: Self = Self(i64::MIN);

    /// The later, or longer, of the two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    /// The earlier, or shorter, of the two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// The share `self / whole`; `None` if `whole` is not positive.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a ratio for display")]
    pub fn ratio_of(self, whole: Self) -> Option<f64> {
        (whole.0 > 0).then(|| self.0 as f64 / whole.0 as f64)
    }
}

impl Add for Nanos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Nanos {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Nanos {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Nanos {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Nanos {
    fn sum<I: Iterator<Item = Self>>(lengths: I) -> Self {
        lengths.fold(Self::ZERO, Add::add)
    }
}

/// The half-open span of time `[start, end)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// The first point inside.
    pub start: Nanos,
    /// The first point after.
    pub end: Nanos,
}

impl Interval {
    /// The span from `start` to `end`.
    #[must_use]
    pub fn new(start: Nanos, end: Nanos) -> Self {
        Self { start, end }
    }

    /// Its length; zero if it ends before it starts.
    #[must_use]
    pub fn len(self) -> Nanos {
        (self.end - self.start).max(Nanos::ZERO)
    }

    /// Whether it has no points.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether `other` is wholly inside.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The points in both; empty where they are disjoint.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        let start = self.start.max(other.start);
        Self { start, end: self.end.min(other.end).max(start) }
    }
}

/// `numerator / denominator` rounded to the nearest integer, ties to even.
///
/// Means and medians are rounded this way; a denominator of zero gives zero.
#[must_use]
pub fn div_half_even(numerator: i128, denominator: i128) -> i128 {
    if denominator == 0 {
        return 0;
    }
    let (numerator, denominator) = if denominator < 0 { (-numerator, -denominator) } else { (numerator, denominator) };
    let quotient = numerator.div_euclid(denominator);
    let twice = 2 * numerator.rem_euclid(denominator);
    let up = twice > denominator || (twice == denominator && quotient % 2 != 0);
    quotient + i128::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_even() {
        let cases = [(5, 2, 2), (7, 2, 4), (-5, 2, -2), (-7, 2, -4), (1, 3, 0), (2, 3, 1), (9, 0, 0), (6, -4, -2)];
        for (numerator, denominator, expected) in cases {
            assert_eq!(div_half_even(numerator, denominator), expected, "{numerator}/{denominator}");
        }
    }

    #[test]
    fn touching_intervals_have_nothing_in_common() {
        let touching = Interval::new(Nanos(0), Nanos(5)).intersection(Interval::new(Nanos(5), Nanos(9)));
        assert!(touching.is_empty());
        assert_eq!(touching.len(), Nanos::ZERO);
    }
}
