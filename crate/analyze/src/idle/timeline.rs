//! Activities of one thread by time, with fast sums over any span.

use super::leaves::{HOST_CAUSES, IdleLeaf};
use crate::IntervalSet;
use std::cell::Cell;
use stepscope_base::{CompactSort as _, Interval, Nanos, partition_point_near};

/// Number of segments per stored sum.
const BLOCK: usize = 64;

/// Times of a thread by the first [`HOST_CAUSES`] of [`IdleLeaf::ALL`].
type CauseTimes = [Nanos; HOST_CAUSES];

/// A thread's activities: disjoint segments by time, and nothing recorded between them.
pub(super) struct Timeline {
    segments: Vec<(Interval, IdleLeaf)>,
    /// Per [`BLOCK`] segments, the sums of those before it.
    sums: Vec<CauseTimes>,
    /// The latest result of [`Self::first_after`].
    latest: Cell<usize>,
}

/// Finds the segments of slices that come by start, outer ones first.
#[derive(Default)]
pub(super) struct Segments {
    segments: Vec<(Interval, IdleLeaf)>,
    /// The open slices' ends, with the activity of the thread in each.
    open: Vec<(Nanos, Option<IdleLeaf>)>,
    /// Time until which the segments are known.
    now: Nanos,
}

impl Segments {
    /// Adds a slice, and the activity that it shows.
    #[inline]
    pub(super) fn add(&mut self, span: Interval, leaf: Option<IdleLeaf>) {
        if span.is_empty() {
            return;
        }
        self.close(span.start);
        self.until(span.start);
        let outer = self.open.last().and_then(|(_, leaf)| *leaf);
        self.open.push((span.end, leaf.map_or(outer, |leaf| Some(leaf.inside(outer)))));
    }

    /// Closes the slices that end until a time.
    fn close(&mut self, until: Nanos) {
        while let Some((end, _)) = self.open.last().copied().filter(|(end, _)| *end <= until) {
            self.until(end);
            self.open.pop();
        }
    }

    /// Extends the current activity to a time.
    fn until(&mut self, time: Nanos) {
        let span = Interval::new(self.now, time);
        if let Some((_, Some(leaf))) = self.open.last()
            && *leaf != IdleLeaf::Unrecorded
            && time > self.now
        {
            match self.segments.last_mut() {
                Some((last, of_last)) if last.end == span.start && of_last == leaf => last.end = span.end,
                _ => self.segments.push((span, *leaf)),
            }
        }
        self.now = self.now.max(time);
    }

    /// The timeline. Where nothing is recorded at marked times, for no longer than a limit, the thread is in a range.
    pub(super) fn finish(mut self, marked: &IntervalSet, longest: Nanos) -> Timeline {
        self.close(Nanos::MAX);
        if !marked.is_empty() {
            let silent = marked.difference(&IntervalSet::of(self.segments.iter().map(|(span, _)| *span)));
            let silent = silent.intervals().iter().filter(|span| span.len() <= longest);
            self.segments.extend(silent.map(|span| (*span, IdleLeaf::Range)));
            self.segments.compact_sort_by_key(|(span, _)| span.start);
        }
        let mut sums = vec![CauseTimes::default()];
        let mut sum = CauseTimes::default();
        for block in self.segments.chunks(BLOCK) {
            add_all(block, &mut sum);
            sums.push(sum);
        }
        Timeline { segments: self.segments, sums, latest: Cell::default() }
    }
}

impl Timeline {
    /// The recorded activities, by time.
    pub(super) fn segments(&self) -> &[(Interval, IdleLeaf)] {
        &self.segments
    }

    /// Index of the first segment that ends after a time. Gaps come by time: the next one is close to the latest.
    fn first_after(&self, time: Nanos) -> usize {
        let first = partition_point_near(&self.segments, self.latest.get(), |(span, _)| span.end <= time);
        self.latest.set(first);
        first
    }

    /// Activities in a window, by time; together the pieces are the window.
    pub(super) fn pieces(&self, window: Interval) -> impl Iterator<Item = (Interval, IdleLeaf)> + '_ {
        let first = self.first_after(window.start);
        let inside = self.segments[first..].iter().take_while(move |(span, _)| span.start < window.end);
        let end = Interval::new(window.end, window.end);
        let mut at = window.start;
        let with_silence = inside.copied().chain([(end, IdleLeaf::Unrecorded)]).flat_map(move |(span, leaf)| {
            let span = span.intersection(window);
            let silence = Interval::new(at, span.start);
            at = span.end;
            [(silence, IdleLeaf::Unrecorded), (span, leaf)]
        });
        with_silence.filter(|(span, _)| !span.is_empty())
    }

    /// Adds the activities in a window: exactly its length.
    pub(super) fn add(&self, window: Interval, times: &mut [Nanos]) {
        if window.is_empty() {
            return;
        }
        let first = self.first_after(window.start);
        let begun = |(span, _): &(Interval, IdleLeaf)| span.start < window.end;
        let rest = &self.segments[first..];
        // Most windows are short.
        let near = &rest[..rest.len().min(BLOCK)];
        let count =
            if near.last().is_some_and(begun) { rest.partition_point(begun) } else { near.partition_point(begun) };
        let here = &rest[..count];
        let mut found = CauseTimes::default();
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
        found[IdleLeaf::Unrecorded as usize] = window.len() - recorded;
        for (time, found) in times.iter_mut().zip(found) {
            *time += found;
        }
    }
}

fn add_all(segments: &[(Interval, IdleLeaf)], times: &mut CauseTimes) {
    for (span, leaf) in segments {
        times[*leaf as usize] += span.len();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    proptest! {
        #[test]
        fn each_moment_goes_to_the_first_cause_in_the_chain_else_to_the_innermost_slice(
            slices in proptest::collection::vec((0..HOST_CAUSES, 0_i64..3000, 0_i64..8, 0_i64..300), 0..200),
            windows in proptest::collection::vec((0_i64..3000, 0_i64..3000), 1..20),
        ) {
            // If slices would overlap without nesting, the later one is omitted.
            let mut nested: Vec<(i64, i64, usize)> = Vec::new();
            for (leaf, start, short, long) in slices {
                let (start, end) = (start, start + if leaf % 2 == 0 { short } else { long });
                let crosses = |(from, to, _): &(i64, i64, usize)| {
                    let (outside, inside) = (end <= *from || *to <= start, *from <= start && end <= *to);
                    !(outside || inside || start <= *from && *to <= end)
                };
                if !nested.iter().any(crosses) {
                    nested.push((start, end, leaf));
                }
            }
            nested.sort_by_key(|(start, end, _)| (*start, -end));
            let mut segments = Segments::default();
            let mut moments = vec![IdleLeaf::Unrecorded as usize; 6400];
            for (start, end, leaf) in nested {
                let says = Some(IdleLeaf::ALL[leaf]).filter(|leaf| *leaf != IdleLeaf::Unrecorded);
                segments.add(Interval::new(Nanos(start), Nanos(end)), says);
                let Some(leaf) = says else { continue };
                for moment in &mut moments[start as usize..end as usize] {
                    let first = leaf.min(IdleLeaf::ALL[*moment]);
                    // A range shows nothing where anything else is around it.
                    let keeps = leaf == IdleLeaf::Range && IdleLeaf::ALL[*moment] < IdleLeaf::Range;
                    *moment = match first {
                        _ if first <= IdleLeaf::Allocation => first,
                        _ if keeps => first,
                        _ => leaf,
                    } as usize;
                }
            }
            let timeline = segments.finish(&IntervalSet::new(), Nanos::ZERO);
            for (start, length) in windows {
                let mut expected = CauseTimes::default();
                for leaf in &moments[start as usize..(start + length) as usize] {
                    expected[*leaf] += Nanos(1);
                }
                let mut found = CauseTimes::default();
                timeline.add(Interval::new(Nanos(start), Nanos(start + length)), &mut found);
                prop_assert_eq!(found, expected);
            }
        }
    }
}
