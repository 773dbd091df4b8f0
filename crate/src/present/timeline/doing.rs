//! What a device does at each moment: one sweep over what its activities cover, since a large trace has millions of them.

use crate::analyze::{DeviceReport, DeviceSets, IdleSpans, IntervalSet};
use crate::units::{Interval, Nanos};

/// Classes of what a device does at a moment: of several the first, but computing and communicating at once are one of their own.
/// Their times add up to the device's window, and the last one is the part of the steps before the first recorded activity.
pub(super) const DOING: [&str; 7] = ["kernel", "overlap", "communication", "memcpy", "memset", "idle", "delay"];

/// What a device does in its window and in the steps around it: before the first recorded activity it may run work from
/// before the recording.
pub(super) fn doing_in_steps(device: &DeviceReport, spans: &IdleSpans) -> Vec<(Interval, u32)> {
    const IDLE: u32 = 5;
    const BEFORE_FIRST: u32 = 6;
    let idle = |outside: Interval| spans.idle.clip(outside).intervals().iter().map(|span| (*span, IDLE)).collect::<Vec<_>>();
    let mut found: Vec<(Interval, u32)> = spans.before_first.map(|span| (span, BEFORE_FIRST)).into_iter().collect();
    found.extend(idle(Interval::new(Nanos::MIN, device.window.start)));
    found.extend(doing(&device.sets, device.window));
    found.extend(idle(Interval::new(device.window.end, Nanos::MAX)));
    found
}

/// What a device does from when to when in a window, by start, as places in [`DOING`].
pub(super) fn doing(sets: &DeviceSets, window: Interval) -> Vec<(Interval, u32)> {
    let lists = lists_of(sets);
    let mut found: Vec<(Interval, u32)> =
        Vec::with_capacity(2 * lists.iter().map(|list| list.len()).sum::<usize>() + 1);
    let mut places = [0; 4];
    let mut at = window.start;
    while at < window.end {
        let mut until = window.end;
        let mut active = 0;
        for (bit, (list, place)) in lists.iter().zip(&mut places).enumerate() {
            while list.get(*place).is_some_and(|span| span.end <= at) {
                *place += 1;
            }
            let Some(span) = list.get(*place) else { continue };
            if span.start <= at {
                active |= 1 << bit;
                until = until.min(span.end);
            } else {
                until = until.min(span.start);
            }
        }
        let part = PARTS[active];
        match found.last_mut() {
            Some((last, same)) if *same == part => last.end = until,
            _ => found.push((Interval::new(at, until), part)),
        }
        at = until;
    }
    found
}

fn lists_of(sets: &DeviceSets) -> [&[Interval]; 4] {
    [&sets.compute, &sets.communication, &sets.memcpy, &sets.memset].map(IntervalSet::intervals)
}

/// The place in [`DOING`] by what goes on, a bit each: computing, communicating, copying, filling.
const PARTS: [u32; 16] = [5, 0, 2, 1, 3, 0, 2, 1, 4, 0, 2, 1, 3, 0, 2, 1];

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop_assert_eq, proptest};

    use super::*;
    use crate::units::Nanos;

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
            let sets = DeviceSets { compute, communication, memcpy, memset };
            let found = doing(&sets, window);
            for (part, set) in parts.iter().enumerate() {
                let spans: Vec<Interval> = found.iter().filter(|(_, own)| *own as usize == part).map(|(span, _)| *span).collect();
                prop_assert_eq!(spans, set.clip(window).intervals().to_vec(), "{}", DOING[part]);
            }
            prop_assert_eq!(found.iter().map(|(span, _)| span.len()).sum::<Nanos>(), window.len());
        }
    }
}
