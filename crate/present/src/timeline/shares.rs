//! The share of time that a set covers, as a curve over slots of equal length.

use stepscope_analyze::IntervalSet;
use stepscope_base::{Interval, Nanos};

/// Most slots of a window.
const MOST: i64 = 1000;

/// Length of a slot of a window: one, two or five times a power of ten.
pub(super) fn slot_of(window: Interval) -> Nanos {
    let least = (window.len().0 / MOST).max(1);
    let mut power = 1;
    while least > 5 * power {
        power *= 10;
    }
    let factor = [1, 2, 5].into_iter().find(|factor| factor * power >= least).unwrap_or(10);
    Nanos(factor * power)
}

/// The share of each slot of a window that a set covers, with the start of the slot; the last one may be shorter.
pub(super) fn shares(set: &IntervalSet, window: Interval) -> impl Iterator<Item = (Nanos, f64)> {
    let slot = slot_of(window).0;
    let count = (window.len().0 + slot - 1) / slot;
    let mut covered = vec![0_i64; usize::try_from(count).unwrap_or(0)];
    for Interval { start, end } in set.intervals() {
        let (mut from, end) = (start.0.max(window.start.0) - window.start.0, end.0.min(window.end.0) - window.start.0);
        while from < end {
            let index = from / slot;
            let until = end.min((index + 1) * slot);
            if let Some(covered) = usize::try_from(index).ok().and_then(|index| covered.get_mut(index)) {
                *covered += until - from;
            }
            from = until;
        }
    }
    (0..).zip(covered).map(move |(index, covered)| {
        let start = Nanos(window.start.0 + index * slot);
        let length = slot.min(window.end.0 - start.0);
        #[expect(clippy::cast_precision_loss, reason = "a curve")]
        let share = covered as f64 / length as f64;
        (start, share)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::*;

    #[test]
    fn slots_have_round_lengths() {
        let slot = |length: i64| slot_of(Interval::new(Nanos(7), Nanos(7 + length))).0;
        assert_eq!([0, 1, 1000, 1001, 2500, 5999, 6001, 3_000_000].map(slot), [1, 1, 1, 1, 2, 5, 10, 5000]);
    }

    #[test]
    fn shares_are_of_each_slot() {
        let set =
            IntervalSet::of([(0, 5), (12, 27), (39, 60)].map(|(start, end)| Interval::new(Nanos(start), Nanos(end))));
        let window = Interval::new(Nanos(0), Nanos(9_500));
        let found: Vec<(i64, f64)> = shares(&set, window).take(7).map(|(at, share)| (at.0, share)).collect();
        assert_eq!(found, [(0, 0.5), (10, 0.8), (20, 0.7), (30, 0.1), (40, 1.0), (50, 1.0), (60, 0.0)]);
    }

    proptest! {
        #[test]
        fn shares_add_up_to_what_is_covered(
            spans in proptest::collection::vec((0_i64..90_000, 0_i64..5_000), 0..80),
            from in 0_i64..50_000,
            length in 1_i64..60_000,
        ) {
            let set = IntervalSet::of(spans.iter().map(|(at, length)| Interval::new(Nanos(*at), Nanos(at + length))));
            let window = Interval::new(Nanos(from), Nanos(from + length));
            let slot = slot_of(window).0;
            let found: Vec<(Nanos, f64)> = shares(&set, window).collect();
            prop_assert!(found.iter().all(|(_, share)| (0.0..=1.0).contains(share)));
            let of = |(at, share): &(Nanos, f64)| share * slot.min(window.end.0 - at.0) as f64;
            let sum: f64 = found.iter().map(of).sum();
            prop_assert_eq!(sum.round() as i64, set.clip(window).len().0);
        }
    }
}
