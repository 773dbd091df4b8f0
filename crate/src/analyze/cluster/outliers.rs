//! Which of several values is not like the others.

/// By what rule a value was marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlierRule {
    /// Dixon's ratio, for up to 100 values: significant at 99.5 %.
    Dixon,
    /// More than three standard deviations of the others from their mean, for more than 100 values.
    ThreeSigma,
    /// The larger of two, by more than a tenth of the smaller: two values have no spread to be compared with.
    LargerOfTwo,
    /// More than a fifth from the mean, as MindSpore's cluster pages have it.
    FifthFromMean,
    /// Less than four fifths of the mean.
    BelowFourFifths,
}

impl OutlierRule {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dixon => "dixon",
            Self::ThreeSigma => "three_sigma",
            Self::LargerOfTwo => "larger_of_two",
            Self::FifthFromMean => "fifth_from_mean",
            Self::BelowFourFifths => "below_four_fifths",
        }
    }
}

/// What Dixon's ratio reaches by chance in one of 200 samples of normally distributed values, by their number: from 400 000
/// simulated samples each. Up to 7 values the ratio is r10, up to 10 r11, up to 13 r21, then r22.
const CRITICAL: [(usize, f64); 32] = [
    (3, 0.994),
    (4, 0.921),
    (5, 0.824),
    (6, 0.743),
    (7, 0.681),
    (8, 0.722),
    (9, 0.674),
    (10, 0.639),
    (11, 0.708),
    (12, 0.675),
    (13, 0.650),
    (14, 0.673),
    (15, 0.649),
    (16, 0.630),
    (17, 0.610),
    (18, 0.596),
    (19, 0.581),
    (20, 0.569),
    (22, 0.545),
    (24, 0.527),
    (26, 0.510),
    (28, 0.495),
    (30, 0.484),
    (35, 0.460),
    (40, 0.440),
    (45, 0.424),
    (50, 0.409),
    (60, 0.389),
    (70, 0.372),
    (80, 0.360),
    (90, 0.349),
    (100, 0.340),
];

/// The largest number of values for Dixon's test.
const DIXON: usize = 100;

/// The values that are larger than the others by more than chance, by their index, with the rule.
///
/// Several may be so together: then the ratio is that of the smallest of them among those that are not larger, since one
/// would hide behind the other. More than a quarter of the values are no outliers.
pub(super) fn larger(values: &[f64]) -> Option<(Vec<usize>, OutlierRule)> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let sorted: Vec<f64> = order.iter().map(|index| values[*index]).collect();
    let rule = match values.len() {
        0 | 1 => return None,
        2 => OutlierRule::LargerOfTwo,
        count if count <= DIXON => OutlierRule::Dixon,
        _ => OutlierRule::ThreeSigma,
    };
    let most = (values.len() / 4).max(1);
    let is_outlier = |larger: usize| {
        let (others, candidate) = (&sorted[..sorted.len() - larger], sorted[sorted.len() - larger]);
        match rule {
            OutlierRule::LargerOfTwo => candidate > 1.1 * others[0],
            OutlierRule::Dixon => dixon(others, candidate),
            _ => three_sigma(others, candidate),
        }
    };
    let found = (1..=most).rev().find(|larger| is_outlier(*larger))?;
    Some((order[order.len() - found..].to_vec(), rule))
}

/// Whether a value is too far above the others, which are sorted and not larger.
fn dixon(others: &[f64], candidate: f64) -> bool {
    let count = others.len() + 1;
    let (above, below) = match count {
        0..=7 => (0, 0),
        8..=10 => (0, 1),
        11..=13 => (1, 1),
        _ => (1, 2),
    };
    let Some(next) = others.len().checked_sub(1 + above) else { return false };
    // With the candidate the smallest of the larger ones, what it is compared with is the next below.
    let (gap, range) = (candidate - others[next], candidate - others[below.min(next)]);
    let after = CRITICAL.partition_point(|(known, _)| *known < count);
    let Some((_, critical)) = CRITICAL.get(after).or(CRITICAL.last()) else { return false };
    count > 2 && range > 0.0 && gap / range > *critical
}

#[expect(clippy::cast_precision_loss, reason = "a count of ranks")]
fn three_sigma(others: &[f64], candidate: f64) -> bool {
    let count = others.len() as f64;
    let mean = others.iter().sum::<f64>() / count;
    let squares: f64 = others.iter().map(|value| (value - mean) * (value - mean)).sum();
    candidate - mean > 3.0 * (squares / (count - 1.0)).sqrt() && candidate > mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_two_of_eight() {
        let mut values = [100.0, 101.0, 99.0, 100.5, 98.7, 101.3, 100.2, 99.6];
        assert_eq!(larger(&values), None);
        values[3] = 130.0;
        assert_eq!(larger(&values), Some((vec![3], OutlierRule::Dixon)));
        values[5] = 128.0;
        assert_eq!(larger(&values), Some((vec![5, 3], OutlierRule::Dixon)), "one does not hide the other");
        values[5] = 70.0;
        assert_eq!(larger(&values).map(|found| found.0), Some(vec![3]), "one that is smaller does not, either");
    }

    #[test]
    fn few_and_many() {
        assert_eq!(larger(&[1.0]), None);
        assert_eq!(larger(&[1.0, 1.05]), None);
        assert_eq!(larger(&[1.0, 1.2]), Some((vec![1], OutlierRule::LargerOfTwo)));
        assert_eq!(larger(&[1.0, 1.0, 1.0]), None);
        assert_eq!(larger(&[1.0, 1.0001, 1.3]), Some((vec![2], OutlierRule::Dixon)));
        let mut many: Vec<f64> = (0..128_i32).map(|value| 100.0 + f64::from(value % 7)).collect();
        assert_eq!(larger(&many), None);
        many[77] = 140.0;
        assert_eq!(larger(&many), Some((vec![77], OutlierRule::ThreeSigma)));
    }

    #[test]
    fn chance_is_no_outlier() {
        // Sums of uniform values; one of 200 samples is marked at most, and a few more for the several candidates.
        let mut state = 7_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((state >> 40) as u32) / f64::from(1_u32 << 24)
        };
        for count in [3, 8, 12, 16, 64] {
            let marked = (0..2000).filter(|_| {
                let values: Vec<f64> = (0..count).map(|_| (0..12).map(|_| uniform()).sum::<f64>()).collect();
                larger(&values).is_some()
            });
            let marked = marked.count();
            assert!(marked < 100, "{marked} of 2000 samples of {count}");
        }
    }
}
