//! Activity of a device at each moment: one sweep over the sets of its activities, since a large trace has millions of
//! them.

use stepscope_analyze::{DeviceReport, DeviceSets, IdleSpans, IntervalSet};
use stepscope_base::{CompactSort as _, Interval, Nanos};

/// Classes of a device's activity at a moment: the first one that applies, but computing and communicating at once are
/// one of their own. Their times add up to the device's window. The last two are the part of the steps before the first
/// recorded activity, and the time without activity in steps that the timeline does not cover.
pub(super) const DOING: [&str; 8] =
    ["kernel", "overlap", "communication", "memcpy", "memset", "idle", "delay", "annotation"];

/// Activity of a device in its window and in the steps around it: before the first recorded activity it may run work
/// from before the recording.
pub(super) fn doing_in_steps(device: &DeviceReport, spans: &IdleSpans) -> Vec<(Interval, u32)> {
    const IDLE: u32 = 5;
    const BEFORE_FIRST: u32 = 6;
    const UNCOVERED: u32 = 7;
    let idle =
        |outside: Interval| spans.idle.clip(outside).intervals().iter().map(|span| (*span, IDLE)).collect::<Vec<_>>();
    let mut found: Vec<(Interval, u32)> = spans.before_first.map(|span| (span, BEFORE_FIRST)).into_iter().collect();
    found.extend(idle(Interval::new(Nanos::MIN, device.window.start)));
    for (span, part) in doing(&device.sets, device.window) {
        if part != IDLE || device.uncovered.is_empty() {
            found.push((span, part));
            continue;
        }
        let uncovered = device.uncovered.clip(span);
        let idle = IntervalSet::from_interval(span).difference(&uncovered);
        let start = found.len();
        found.extend(idle.intervals().iter().map(|span| (*span, IDLE)));
        found.extend(uncovered.intervals().iter().map(|span| (*span, UNCOVERED)));
        found[start..].compact_sort_by_key(|(span, _)| span.start);
    }
    found.extend(idle(Interval::new(device.window.end, Nanos::MAX)));
    found
}

/// Activity of a device in a window, as spans by start with indices in [`DOING`].
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

/// Index in [`DOING`] by a bit for each of: computing, communicating, copying, setting memory.
const PARTS: [u32; 16] = [5, 0, 2, 1, 3, 0, 2, 1, 4, 0, 2, 1, 3, 0, 2, 1];

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop_assert_eq, proptest};

    use super::*;

    fn set() -> impl Strategy<Value = IntervalSet> {
        proptest::collection::vec((0_i64..200, 1_i64..30), 0..12).prop_map(|spans| {
            IntervalSet::of(spans.iter().map(|(start, length)| Interval::new(Nanos(*start), Nanos(start + length))))
        })
    }

    #[test]
    fn before_the_first_activity_and_in_steps_not_covered_nothing_is_known() {
        let span = |start, end| Interval::new(Nanos(start), Nanos(end));
        let device = DeviceReport {
            window: span(30, 90),
            sets: DeviceSets { compute: IntervalSet::of([span(30, 40), span(80, 90)]), ..DeviceSets::default() },
            known_from: Nanos(30),
            uncovered: IntervalSet::from_interval(span(50, 70)),
            ..DeviceReport::default()
        };
        let idle = IntervalSet::of([span(40, 50), span(70, 80), span(90, 95)]);
        let spans = IdleSpans { device: 0, idle, before_first: Some(span(10, 30)) };
        let found: Vec<(i64, i64, &str)> = doing_in_steps(&device, &spans)
            .into_iter()
            .map(|(span, part)| (span.start.0, span.end.0, DOING[part as usize]))
            .collect();
        assert_eq!(
            found,
            [
                (10, 30, "delay"),
                (30, 40, "kernel"),
                (40, 50, "idle"),
                (50, 70, "annotation"),
                (70, 80, "idle"),
                (80, 90, "kernel"),
                (90, 95, "idle"),
            ]
        );
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
