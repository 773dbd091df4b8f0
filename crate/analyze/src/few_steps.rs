//! Time that is lost in a few of the steps: a mean over all hides these.

use crate::mean;
use stepscope_base::{CompactSort as _, Nanos};

/// A few steps that have more than half of the time of a cause, or of a rank's excess.
#[derive(Clone, Debug, PartialEq)]
pub struct FewSteps {
    /// Their names, in the order of time.
    pub names: Vec<String>,
    /// The number of steps that they are a part of.
    pub of: u64,
    /// The mean of that time in one of them, and in one of the others.
    pub means: [Nanos; 2],
}

/// The fewest steps of which some can be apart from the others.
const LEAST: usize = 3;

/// Several steps are few where all are at least that many times as many; one always is.
const FEW: usize = 4;

/// Each of the few steps has that many times as much of it as the mean of the others.
const APART: i64 = 3;

impl FewSteps {
    /// The steps that have more than half of the time, if these are few, and apart from the others; given the time in each
    /// step that counts, with its name.
    pub(crate) fn among(times: &[(Nanos, &str)]) -> Option<Self> {
        if times.len() < LEAST {
            return None;
        }
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.compact_sort_by_key(|index| (std::cmp::Reverse(times[*index].0), *index));
        let all: Nanos = times.iter().map(|(time, _)| *time).sum();
        let (mut most, mut count) = (Nanos::ZERO, 0);
        while most + most <= all {
            most += times[*order.get(count)?].0;
            count += 1;
        }
        // Others that are much like these are no usual steps, either.
        while let Some(next) = order.get(count).map(|index| times[*index].0).filter(|next| is_alike(*next, most, count))
        {
            most += next;
            count += 1;
        }
        let means = [mean(most, count as u64), mean(all - most, (times.len() - count) as u64)];
        order.truncate(count);
        let least = order.last().map_or(Nanos::ZERO, |index| times[*index].0);
        order.compact_sort();
        let is_few = count == 1 || FEW * count <= times.len();
        (is_few && least.0 >= APART.saturating_mul(means[1].0)).then(|| Self {
            names: order.iter().map(|index| times[*index].1.to_owned()).collect(),
            of: times.len() as u64,
            means,
        })
    }

    /// The names of the first three.
    #[must_use]
    pub fn first_names(&self) -> String {
        const MOST: usize = 3;
        let more = if self.names.len() > MOST { ", …" } else { "" };
        self.names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ") + more
    }

    /// Their share of that time.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "numbers of steps")]
    pub fn share(&self) -> f64 {
        let few = self.names.len() as f64;
        let [few, others] = [self.means[0].0 as f64 * few, self.means[1].0 as f64 * (self.of as f64 - few)];
        few / (few + others)
    }

    /// The sum with those of another rank; none where they are other steps.
    pub(crate) fn plus(mut self, other: &Self) -> Option<Self> {
        for (sum, mean) in self.means.iter_mut().zip(other.means) {
            *sum += mean;
        }
        (self.names == other.names && self.of == other.of).then_some(self)
    }
}

/// Whether a time is at least half of the mean of some.
fn is_alike(time: Nanos, sum: Nanos, count: usize) -> bool {
    time > Nanos::ZERO && time + time >= mean(sum, count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(times: &[i64]) -> Option<(Vec<String>, [i64; 2])> {
        let names: Vec<String> = (0..times.len()).map(|index| index.to_string()).collect();
        let named: Vec<(Nanos, &str)> =
            times.iter().zip(&names).map(|(time, name)| (Nanos(*time), name.as_str())).collect();
        FewSteps::among(&named).map(|few| (few.names, few.means.map(|mean| mean.0)))
    }

    #[test]
    fn one_long_step_is_told_from_the_others() {
        assert_eq!(among(&[10, 90, 20, 0]), Some((vec!["1".to_owned()], [90, 10])));
        assert_eq!(among(&[0, 0, 7]), Some((vec!["2".to_owned()], [7, 0])));
        let few = FewSteps::among(&[(Nanos(10), "a"), (Nanos(90), "b"), (Nanos(20), "c")]).expect("a long step");
        assert_eq!((few.share(), few.of), (0.75, 3));
    }

    #[test]
    fn time_that_is_in_all_steps_is_in_no_few() {
        assert_eq!(among(&[10, 10, 10, 10]), None);
        assert_eq!(among(&[0, 0, 0, 0]), None);
        assert_eq!(among(&[30, 20, 10]), None, "more than the others, but not apart from them");
        assert_eq!(among(&[1, 100]), None, "of two steps, nothing shows which one is usual");
        assert_eq!(among(&[50, 50, 50, 1, 1, 1]), None, "half of the steps are not few");
        let uneven = [24, 24, 24, 24, 24, 24, 50, 100];
        assert_eq!(among(&uneven), None, "the smaller of two is not apart from the others");
    }

    #[test]
    fn every_tenth_step_is_a_few() {
        let times: Vec<i64> = (0..40).map(|step| if step % 10 == 3 { 1000 } else { 10 }).collect();
        let (names, means) = among(&times).expect("few steps");
        assert_eq!((names.join(" "), means), ("3 13 23 33".to_owned(), [1000, 10]));
    }
}
