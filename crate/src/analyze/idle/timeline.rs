//! What one thread did when, so that any stretch of it is summed up at once.

use super::HostTimes;
use super::host::HostActivity;
use crate::analyze::intervals::{IntervalSet, Merger};
use crate::units::{Interval, Nanos};

/// Segments whose sum is kept.
const BLOCK: usize = 64;

/// A thread's activities: disjoint segments by time, and nothing recorded between them.
pub(super) struct Timeline {
    segments: Vec<(Interval, HostActivity)>,
    /// Per [`BLOCK`] segments, what those before it come to.
    sums: Vec<HostTimes>,
}

impl Timeline {
    /// The timeline of a thread by when each activity would apply, by falling priority.
    pub(super) fn of<const N: usize>(spans: [Merger; N]) -> Self {
        let mut segments = Vec::new();
        let mut taken = IntervalSet::new();
        for (spans, activity) in spans.into_iter().zip(HostActivity::ALL) {
            let set = IntervalSet::of(spans.into_intervals());
            segments.extend(set.difference(&taken).intervals().iter().map(|span| (*span, activity)));
            taken = taken.union(&set);
        }
        // Each activity's are sorted: a merge sort finds that.
        segments.sort();
        let mut sums = vec![HostTimes::default()];
        let mut sum = HostTimes::default();
        for block in segments.chunks(BLOCK) {
            add_all(block, &mut sum);
            sums.push(sum);
        }
        Self { segments, sums }
    }

    /// Adds what happened in a window: exactly its length.
    pub(super) fn add(&self, window: Interval, times: &mut HostTimes) {
        let first = self.segments.partition_point(|(span, _)| span.end <= window.start);
        let begun = |(span, _): &(Interval, HostActivity)| span.start < window.end;
        let rest = &self.segments[first..];
        // Most windows are short.
        let near = &rest[..rest.len().min(BLOCK)];
        let count =
            if near.last().is_some_and(begun) { rest.partition_point(begun) } else { near.partition_point(begun) };
        let here = &rest[..count];
        let mut found = HostTimes::default();
        let (from, to) = (first.div_ceil(BLOCK), (first + count) / BLOCK);
        if from < to {
            add_all(&self.segments[first..from * BLOCK], &mut found);
            for (found, (before, after)) in found.iter_mut().zip(self.sums[from].iter().zip(&self.sums[to])) {
                *found += *after - *before;
            }
            add_all(&self.segments[to * BLOCK..first + count], &mut found);
        } else {
            add_all(here, &mut found);
        }
        // The first and the last may reach beyond the window.
        if let (Some((first, of_first)), Some((last, of_last))) = (here.first(), here.last()) {
            found[*of_first as usize] -= (window.start - first.start).max(Nanos::ZERO);
            found[*of_last as usize] -= (last.end - window.end).max(Nanos::ZERO);
        }
        let recorded: Nanos = found.iter().copied().sum();
        found[HostActivity::Unrecorded as usize] = window.len() - recorded;
        for (time, found) in times.iter_mut().zip(found) {
            *time += found;
        }
    }
}

fn add_all(segments: &[(Interval, HostActivity)], times: &mut HostTimes) {
    for (span, activity) in segments {
        times[*activity as usize] += span.len();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    const KINDS: usize = HostActivity::ALL.len() - 1;

    proptest! {
        #[test]
        fn each_moment_goes_to_the_first_activity_that_applies(
            spans in proptest::collection::vec((0..KINDS, 0_i64..3000, 0_i64..8), 0..600),
            windows in proptest::collection::vec((0_i64..3000, 0_i64..3000), 1..20),
        ) {
            let mut spans = spans;
            spans.sort_by_key(|(_, start, _)| *start);
            let mut mergers: [Merger; KINDS] = Default::default();
            let mut moments = vec![KINDS; 6100];
            for (kind, start, length) in &spans {
                mergers[*kind].add(Interval::new(Nanos(*start), Nanos(start + length)));
                for moment in &mut moments[*start as usize..(start + length) as usize] {
                    *moment = (*moment).min(*kind);
                }
            }
            let timeline = Timeline::of(mergers);
            for (start, length) in windows {
                let mut expected = HostTimes::default();
                for kind in &moments[start as usize..(start + length) as usize] {
                    expected[*kind] += Nanos(1);
                }
                let mut found = HostTimes::default();
                timeline.add(Interval::new(Nanos(start), Nanos(start + length)), &mut found);
                prop_assert_eq!(found, expected);
            }
        }
    }
}
