//! Statistics of lengths of time, in exact integers. METRICS section 4; rounding is half to even.

use stepscope_base::{Nanos, div_half_even, sort_times};

/// Statistics of a collection of lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of lengths.
    pub calls: u64,
    /// Their sum.
    pub total: Nanos,
    /// Their mean.
    pub mean: Nanos,
    /// Their median.
    pub median: Nanos,
    /// The shortest.
    pub min: Nanos,
    /// The longest.
    pub max: Nanos,
    /// The sample standard deviation (n − 1); zero for one call.
    pub std: Nanos,
}

impl Statistics {
    /// The statistics of lengths; reorders them.
    #[must_use]
    pub fn of(lengths: &mut [Nanos]) -> Self {
        let total: Nanos = lengths.iter().copied().sum();
        let calls = lengths.len();
        Self {
            calls: calls as u64,
            total,
            mean: mean(total, calls as u64),
            median: median_of_unsorted(lengths),
            min: lengths.iter().copied().reduce(Nanos::min).unwrap_or_default(),
            max: lengths.iter().copied().reduce(Nanos::max).unwrap_or_default(),
            std: sample_deviation(lengths),
        }
    }
}

/// The mean of lengths, given their sum.
#[must_use]
pub fn mean(total: Nanos, calls: u64) -> Nanos {
    narrow(div_half_even(i128::from(total.0), i128::from(calls)))
}

/// Returns a time scaled by the ratio of two others, rounded down; zero where the second is zero.
#[expect(clippy::integer_division, reason = "a whole number of nanoseconds")]
pub(super) fn scaled(time: Nanos, part: Nanos, whole: Nanos) -> Nanos {
    if whole <= Nanos::ZERO {
        return Nanos::ZERO;
    }
    let product = i128::from(time.0) * i128::from(part.0) / i128::from(whole.0);
    Nanos(i64::try_from(product).unwrap_or(i64::MAX))
}

/// The mean of some times, rounded half to even; zero for none. Their sum may be longer than a time can be.
pub(super) fn mean_of(times: impl IntoIterator<Item = Nanos>) -> Nanos {
    let (sum, count) = times.into_iter().fold((0, 0), |(sum, count), time| (sum + i128::from(time.0), count + 1));
    if count == 0 { Nanos::ZERO } else { narrow(div_half_even(sum, count)) }
}

/// The median of sorted lengths; zero for none.
#[must_use]
pub fn median(sorted: &[Nanos]) -> Nanos {
    let middle = sorted.len() / 2;
    match sorted {
        [] => Nanos::ZERO,
        _ if sorted.len() % 2 == 1 => sorted[middle],
        _ => narrow(div_half_even(i128::from(sorted[middle - 1].0) + i128::from(sorted[middle].0), 2)),
    }
}

/// The median of lengths; reorders them, as sorting them all would take far longer.
fn median_of_unsorted(lengths: &mut [Nanos]) -> Nanos {
    let middle = lengths.len() / 2;
    if lengths.is_empty() {
        return Nanos::ZERO;
    }
    let even = lengths.len().is_multiple_of(2);
    let (shorter, upper, _) = lengths.select_nth_unstable(middle);
    let lower = shorter.iter().copied().reduce(Nanos::max).filter(|_| even);
    lower.map_or(*upper, |lower| median(&[lower, *upper]))
}

/// The median of the distances from the median, of sorted lengths.
#[must_use]
pub fn median_absolute_deviation(sorted: &[Nanos]) -> Nanos {
    let middle = median(sorted);
    let mut distances: Vec<Nanos> =
        sorted.iter().map(|length| Nanos(length.0.saturating_sub(middle.0).saturating_abs())).collect();
    sort_times(&mut distances);
    median(&distances)
}

/// √((n Σx² − (Σx)²) / (n (n − 1))), the root of an exact quotient.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "rounded to the nearest ns at the end"
)]
fn sample_deviation(lengths: &[Nanos]) -> Nanos {
    let n = lengths.len() as i128;
    if n < 2 {
        return Nanos::ZERO;
    }
    // Around the first value, so that the squares of long lengths cannot overflow.
    let around = lengths[0].0;
    let (mut sum, mut squares) = (0_i128, 0_i128);
    for length in lengths {
        let offset = i128::from(length.0 - around);
        sum += offset;
        // A square of 63 bits, so that only their sum can overflow.
        squares = squares.saturating_add(offset * offset);
    }
    let spread = n.saturating_mul(squares).saturating_sub(sum.saturating_mul(sum));
    Nanos((spread as f64 / (n * (n - 1)) as f64).sqrt().round_ties_even() as i64)
}

pub(super) fn narrow(value: i128) -> Nanos {
    Nanos(i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn the_median_is_that_of_the_sorted_lengths(lengths in proptest::collection::vec(0_i64..50, 0..40)) {
            let mut lengths: Vec<Nanos> = lengths.into_iter().map(Nanos).collect();
            let found = Statistics::of(&mut lengths);
            lengths.sort_unstable();
            proptest::prop_assert_eq!(found.median, median(&lengths));
            proptest::prop_assert_eq!(Some(&found.min), lengths.first().or(Some(&Nanos::ZERO)));
            proptest::prop_assert_eq!(Some(&found.max), lengths.last().or(Some(&Nanos::ZERO)));
        }
    }

    #[test]
    fn by_hand() {
        let mut lengths = [4, 2, 9, 5].map(Nanos);
        let statistics = Statistics::of(&mut lengths);
        assert_eq!(statistics.calls, 4);
        assert_eq!((statistics.total, statistics.mean), (Nanos(20), Nanos(5)));
        // The median of 4 and 5 is 4.5: to the even 4.
        assert_eq!((statistics.median, statistics.min, statistics.max), (Nanos(4), Nanos(2), Nanos(9)));
        // Squares of −1, −3, 4, 0 are 26; 26 / 3 has the root 2.94.
        assert_eq!(statistics.std, Nanos(3));
        // Distances 2, 0, 1, 5 have the median 1.5: to the even 2.
        lengths.sort_unstable();
        assert_eq!(median_absolute_deviation(&lengths), Nanos(2));
        assert_eq!(Statistics::of(&mut [Nanos(7)]).std, Nanos::ZERO);
        assert_eq!(Statistics::of(&mut []), Statistics::default());
    }
}
