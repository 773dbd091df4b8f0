//! What a device does at each moment: one sweep over what its activities cover, since a large trace has millions of them.

use crate::analyze::DeviceSets;
use crate::units::{Interval, Nanos};

/// Classes of what a device does at a moment: of several the first, but computing and communicating at once are one of their own.
/// Their times add up to the device's window.
pub(super) const DOING: [&str; 6] = ["kernel", "overlap", "communication", "memcpy", "memset", "idle"];

/// The place of idling in [`DOING`].
pub(super) const IDLE: usize = 5;

/// What a device does from when to when in a window, by start, as places in [`DOING`].
pub(super) fn doing(sets: &DeviceSets, window: Interval) -> Vec<(Interval, usize)> {
    let mut lists = [&sets.compute, &sets.communication, &sets.memcpy, &sets.memset].map(|set| set.intervals());
    let mut found: Vec<(Interval, usize)> = Vec::with_capacity(2 * lists.iter().map(|list| list.len()).sum::<usize>());
    let mut at = window.start;
    while at < window.end {
        let mut until = window.end;
        let mut active = [false; 4];
        for (active, list) in active.iter_mut().zip(&mut lists) {
            while let Some((first, rest)) = list.split_first() {
                if first.end > at {
                    *active = first.start <= at;
                    until = until.min(if *active { first.end } else { first.start });
                    break;
                }
                *list = rest;
            }
        }
        let part = match active {
            [true, false, ..] => 0,
            [true, true, ..] => 1,
            [false, true, ..] => 2,
            [_, _, true, _] => 3,
            [_, _, _, true] => 4,
            _ => IDLE,
        };
        push(&mut found, at, until, part);
        at = until;
    }
    found
}

/// Puts a span behind the others, or makes the last one longer if it is the same part of them.
fn push(found: &mut Vec<(Interval, usize)>, start: Nanos, end: Nanos, part: usize) {
    match found.last_mut() {
        Some((last, same)) if *same == part => last.end = end,
        _ => found.push((Interval::new(start, end), part)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop_assert_eq, proptest};

    use super::*;
    use crate::analyze::IntervalSet;

    fn set() -> impl Strategy<Value = IntervalSet> {
        proptest::collection::vec((0_i64..200, 1_i64..30), 0..12).prop_map(|spans| {
            IntervalSet::of(spans.iter().map(|(start, length)| Interval::new(Nanos(*start), Nanos(start + length))))
        })
    }

    proptest! {
        #[test]
        fn each_part_is_what_sets_say(
            compute in set(), communication in set(), memcpy in set(), memset in set(), from in 0_i64..100, length in 1_i64..200,
        ) {
            let window = Interval::new(Nanos(from), Nanos(from + length));
            let kernels = compute.union(&communication);
            let copying = kernels.union(&memcpy);
            let parts = [
                compute.difference(&communication),
                compute.intersection(&communication),
                communication.difference(&compute),
                memcpy.difference(&kernels),
                memset.difference(&copying),
                IntervalSet::from_interval(window).difference(&copying.union(&memset)),
            ];
            let found = doing(&DeviceSets { compute, communication, memcpy, memset }, window);
            for (part, set) in parts.iter().enumerate() {
                let spans: Vec<Interval> = found.iter().filter(|(_, own)| *own == part).map(|(span, _)| *span).collect();
                prop_assert_eq!(spans, set.clip(window).intervals().to_vec(), "{}", DOING[part]);
            }
            prop_assert_eq!(found.iter().map(|(span, _)| span.len()).sum::<Nanos>(), window.len());
        }
    }
}
