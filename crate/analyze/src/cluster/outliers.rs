//! Outliers among several values.

use stepscope_base::CompactSort as _;

/// Rule by which a value was marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlierRule {
    /// Further above the median of the others than chance explains by their spread, of which 2 % are presumed.
    BeyondSpread,
    /// The larger of two, by more than a tenth of the smaller: two values have no spread to be compared with.
    LargerOfTwo,
    /// Worse than the mean by more than a fifth: MindSpore's cluster pages compare with the mean, too.
    FifthFromMean,
    /// More than a fifth above the median of the others.
    FifthAboveOthers,
    /// Less than four fifths of the median of the others.
    BelowFourFifths,
}

impl OutlierRule {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BeyondSpread => "beyond_spread",
            Self::LargerOfTwo => "larger_of_two",
            Self::FifthFromMean => "fifth_from_mean",
            Self::FifthAboveOthers => "fifth_above_others",
            Self::BelowFourFifths => "below_four_fifths",
        }
    }
}

/// The part of the mean, or of the median of the others, by which a value is far from it.
pub(super) const FIFTH: f64 = 0.2;

/// Presumed standard deviation of the values of healthy ranks, as a part of their median.
const PRESUMED: f64 = 0.02;

/// Number of values that the presumption counts for.
const PRESUMED_OF: f64 = 4.0;

/// Weight of one more value: the median distance from the median has about half the evidence of the standard deviation.
const WORTH: f64 = 0.5;

/// Standard deviation of a normal distribution by the median distance from its median.
const DEVIATIONS: f64 = 1.4826;

/// The values that are larger than the others by more than chance, by their index, with the rule. They are fewer than
/// half, since the larger half of a job does not delay the other one. Of two values it is the larger, by more than a
/// tenth.
///
/// An outlier is so many deviations above the median of the others: 4.5, of more than 8 values 5, of more than 32
/// values 5.5, since of more values one is further away by chance. The deviation of the others comes from the median
/// distance from their median, which one much smaller value does not change. A few values show little of it, and may be
/// alike by chance. So 2 % are presumed, with the weight of four values. Several may be larger together, since each
/// would hide the others: the smallest of them is compared with the rest.
///
/// METRICS names Dixon's test for up to 100 values and three deviations for more. Both are for one value that is far
/// off among many: of three values Dixon's wants two that are alike to a hundredth of the third one's distance, a
/// second outlier hides the first, and of 128 healthy ranks one is three deviations away in every sixth job.
pub(super) fn larger(values: &[f64]) -> Option<(Vec<usize>, OutlierRule)> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.compact_sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let sorted: Vec<f64> = order.iter().map(|index| values[*index]).collect();
    if let [smaller, larger] = sorted[..] {
        return (smaller > 0.0 && larger > 1.1 * smaller).then(|| (vec![order[1]], OutlierRule::LargerOfTwo));
    }
    if sorted.len() < 2 {
        return None;
    }
    let most = minority(sorted.len());
    // If half or more are larger, these are no outliers; one that is larger than these is.
    let half = is_beyond(&sorted, most + 1);
    let is_apart = |count: usize| !half || sorted[sorted.len() - count] > 1.1 * sorted[sorted.len() - count - 1];
    let first = sorted.len() - (1..=most).rev().find(|count| is_beyond(&sorted, *count) && is_apart(*count))?;
    Some((order[first..].to_vec(), OutlierRule::BeyondSpread))
}

/// The largest count below half.
#[expect(clippy::integer_division, reason = "half of a count")]
fn minority(count: usize) -> usize {
    count.saturating_sub(1) / 2
}

/// Whether that many of the largest values are too far above the others.
#[expect(clippy::cast_precision_loss, reason = "a count of ranks")]
fn is_beyond(sorted: &[f64], count: usize) -> bool {
    let (others, larger) = sorted.split_at(sorted.len() - count);
    let median = middle(others);
    if median <= 0.0 {
        return false;
    }
    let told = DEVIATIONS * middle_distance(others, median) / median;
    let others = others.len() as f64;
    let worth = WORTH * (others - 1.0);
    let variance = (PRESUMED_OF * PRESUMED * PRESUMED + worth * told * told) / (PRESUMED_OF + worth);
    let deviations = match sorted.len() {
        0..=8 => 4.5,
        9..=32 => 5.0,
        _ => 5.5,
    };
    // The others' median varies by chance, too.
    larger[0] / median - 1.0 > deviations * (variance * (1.0 + 1.0 / others)).sqrt()
}

/// The middle one of the distances of sorted values from a value, the upper one of two. The nearest half are side by
/// side.
#[expect(clippy::integer_division, reason = "the middle of a list")]
fn middle_distance(sorted: &[f64], from: f64) -> f64 {
    let half = sorted.len() / 2;
    let (mut first, mut last) = (0, sorted.len() - half - 1);
    while first < last {
        let middle = usize::midpoint(first, last);
        if from - sorted[middle] > sorted[middle + half + 1] - from {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    (from - sorted[first]).abs().max((sorted[first + half] - from).abs())
}

/// The median of sorted values; 0 if there are none.
#[expect(clippy::integer_division, reason = "the middle of a list")]
pub(super) fn middle(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[half],
        _ => f64::midpoint(sorted[half - 1], sorted[half]),
    }
}

/// The median of sorted values but one; 0 if there is no other.
#[expect(clippy::integer_division, reason = "the middle of a list")]
pub(super) fn middle_but(sorted: &[f64], place: usize) -> f64 {
    let other = |index: usize| sorted[if index < place { index } else { index + 1 }];
    let Some(count) = sorted.len().checked_sub(1).filter(|count| *count > 0) else { return 0.0 };
    f64::midpoint(other((count - 1) / 2), other(count / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variation of a rank's own time over 6 steps of 36 kernels: of each kernel, of each step, or of the whole, up
    /// and down.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Varies {
        Kernels,
        Steps,
        Rank,
    }

    #[test]
    fn of_a_larger_half_none_is_chosen() {
        for (small, large) in [(2, 2), (3, 3), (4, 4), (8, 8), (3, 5), (1, 2)] {
            let values = [vec![1.0; small], vec![1.5; large]].concat();
            assert_eq!(larger(&values), None, "{values:?}");
        }
        // But one that is larger than these, and all of fewer than half.
        assert_eq!(larger(&[1.0, 1.5, 1.0, 1.5, 2.5, 1.5]), Some((vec![4], OutlierRule::BeyondSpread)));
        assert_eq!(larger(&[1.0, 1.5, 1.0, 1.5, 1.0]), Some((vec![1, 3], OutlierRule::BeyondSpread)));
    }

    struct Chance(u64);

    impl Chance {
        fn part(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((self.0 >> 40) as u32) / f64::from(1_u32 << 23) - 1.0
        }

        fn own(&mut self, varies: Varies, by: f64) -> f64 {
            let count = match varies {
                Varies::Kernels => 216,
                Varies::Steps => 6,
                Varies::Rank => 1,
            };
            100.0 * (1.0 + by * (0..count).map(|_| self.part()).sum::<f64>() / f64::from(count))
        }
    }

    /// Number of jobs, of 200, in which the outliers are not exactly the ranks that take that much longer.
    fn wrong(varies: Varies, by: f64, ranks: usize, slow: usize, more: f64) -> usize {
        let jobs = (0..200).filter(|seed| {
            let mut chance = Chance(*seed * 977 + 13);
            (0..20).for_each(|_| _ = chance.part());
            let first = ranks.saturating_sub(slow) / 3;
            let is_slow = |rank: &usize| (first..first + slow).contains(rank);
            let longer = |rank| if is_slow(&rank) { 1.0 + more } else { 1.0 };
            let values: Vec<f64> = (0..ranks).map(|rank| longer(rank) * chance.own(varies, by)).collect();
            let mut found = larger(&values).map(|found| found.0).unwrap_or_default();
            found.compact_sort();
            found != (0..ranks).filter(is_slow).collect::<Vec<_>>()
        });
        jobs.count()
    }

    const WORLDS: [usize; 8] = [2, 3, 4, 5, 8, 16, 64, 128];

    #[test]
    fn healthy_ranks_are_no_outliers() {
        for ranks in WORLDS {
            for by in [0.01, 0.02, 0.03, 0.04, 0.05] {
                for varies in [Varies::Kernels, Varies::Steps] {
                    assert_eq!(wrong(varies, by, ranks, 0, 0.0), 0, "{ranks} {varies:?} {by}");
                }
            }
            // Ranks that differ for good: by up to 6 % from each other in all.
            assert_eq!(wrong(Varies::Rank, 0.03, ranks, 0, 0.0), 0, "{ranks}");
        }
    }

    #[test]
    fn a_slow_minority_is_found() {
        for ranks in WORLDS {
            let minority = minority(ranks).max(1);
            for slow in [1, 2, 5].into_iter().filter(|slow| *slow < minority).chain([minority]) {
                for more in [0.15, 0.2, 0.3, 0.5] {
                    for by in [0.01, 0.02, 0.03, 0.04, 0.05] {
                        assert_eq!(wrong(Varies::Kernels, by, ranks, slow, more), 0, "{slow} of {ranks}: {more}, {by}");
                    }
                    assert_eq!(wrong(Varies::Steps, 0.03, ranks, slow, more), 0, "{slow} of {ranks}: {more}");
                }
                assert_eq!(wrong(Varies::Rank, 0.03, ranks, slow, 0.3), 0, "{slow} of {ranks}");
            }
        }
    }

    #[test]
    fn one_hides_no_other() {
        let mut values = [100.0, 101.0, 99.0, 100.5, 98.7, 101.3, 100.2, 99.6];
        assert_eq!(larger(&values), None);
        values[3] = 115.0;
        assert_eq!(larger(&values), Some((vec![3], OutlierRule::BeyondSpread)));
        values[5] = 160.0;
        assert_eq!(larger(&values), Some((vec![3, 5], OutlierRule::BeyondSpread)));
        values[5] = 70.0;
        assert_eq!(larger(&values).map(|found| found.0), Some(vec![3]), "one that is smaller does not, either");
    }

    #[test]
    fn few() {
        assert_eq!(larger(&[]), None);
        assert_eq!(larger(&[1.0]), None);
        assert_eq!(larger(&[1.0, 1.05]), None);
        assert_eq!(larger(&[1.0, 1.2]), Some((vec![1], OutlierRule::LargerOfTwo)));
        assert_eq!(larger(&[1.0, 1.0, 1.0]), None);
        assert_eq!(larger(&[1.0, 1.03, 1.3]), Some((vec![2], OutlierRule::BeyondSpread)));
        assert_eq!(larger(&[0.0, 0.0, 1.0]), None, "there is nothing to be compared with");
        assert_eq!(larger(&[1.0, 1.3, 1.3]), None, "most are so");
    }

    #[test]
    fn the_middle_distance_is_that_of_the_sorted_distances() {
        let mut chance = Chance(5);
        for count in 1..60 {
            let mut values: Vec<f64> = (0..count).map(|_| (chance.part() * 20.0).round()).collect();
            values.compact_sort_by(f64::total_cmp);
            for from in [middle(&values), chance.part() * 30.0] {
                let mut distances: Vec<f64> = values.iter().map(|value| (value - from).abs()).collect();
                distances.compact_sort_by(f64::total_cmp);
                assert_eq!(
                    middle_distance(&values, from).to_bits(),
                    distances[distances.len() / 2].to_bits(),
                    "{values:?}"
                );
            }
        }
    }

    #[test]
    fn the_middle_of_the_others() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        assert_eq!([0, 1, 2, 3].map(|place| middle_but(&sorted, place)), [4.0, 4.0, 2.0, 2.0]);
        assert_eq!([0, 1, 2].map(|place| middle_but(&sorted[..3], place)), [3.0, 2.5, 1.5]);
        assert_eq!((middle_but(&[1.0], 0), middle_but(&[], 0)), (0.0, 0.0));
        assert_eq!((middle(&sorted), middle(&sorted[..3]), middle(&[])), (3.0, 2.0, 0.0));
    }
}
