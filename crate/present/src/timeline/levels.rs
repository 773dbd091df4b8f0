//! Levels of detail of a lane, prepared once: then the time to draw a lane depends on pixels, not on slices.
//!
//! A level of width `w` has the lane's spans with neighbors merged as long as together they are no longer than `w`;
//! longer spans are kept. Where a pixel is at least `w` wide, merged spans could not be distinguished. A level is kept
//! if it is much shorter than the previous one: all of them together are shorter than the lane.

use super::spans::{Spans, SpansVisitor};
use super::tints::Tint;
use stepscope_base::{Interval, Nanos};

/// A lane with fewer spans is drawn from the spans themselves.
const FEW: usize = 2048;

/// The factor by which a level must be shorter than the previous one.
const SHORTER: usize = 3;

/// Merged spans, or a single one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    /// Start of the first one.
    pub(super) start: Nanos,
    /// From there to the last one's end, in ns.
    pub(super) length: f32,
    /// The covered part of that, in ns.
    pub(super) busy: f32,
    /// Index of the first one on the lane; the number of spans follows from the next entry's.
    pub(super) first: u32,
    /// The look of most of them.
    pub(super) tint: Tint,
}

impl Entry {
    fn of(spans: &impl Spans, place: usize) -> Self {
        Self { tint: spans.tint(place), ..Self::without_tint(spans, place) }
    }

    #[expect(clippy::cast_precision_loss, reason = "lengths to be drawn")]
    fn without_tint(spans: &impl Spans, place: usize) -> Self {
        let span = spans.span(place);
        let length = span.len().0 as f32;
        let first = u32::try_from(place).unwrap_or(u32::MAX);
        Self { start: span.start, length, busy: length, first, tint: Tint::default() }
    }

    #[expect(clippy::cast_precision_loss, reason = "lengths to be drawn")]
    fn length_to(&self, next: &Self) -> f32 {
        (next.start - self.start).0 as f32 + next.length
    }
}

#[derive(Clone, Debug)]
struct Level {
    /// The greatest length of merged spans, in ns.
    width: f64,
    entries: Vec<Entry>,
}

/// The levels of a lane, the finest first; none for a short lane.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels(Vec<Level>);

impl Levels {
    /// Prepares the levels of a lane.
    pub(super) fn of<S: Spans>(spans: &S) -> Self {
        let mut levels: Vec<Level> = Vec::new();
        let mut last = spans.len();
        if last < FEW {
            return Self::default();
        }
        let joinable = joinable(spans);
        for (power, pairs) in joinable.iter().enumerate() {
            // The smallest possible level has no span that could be merged with its neighbor.
            if power % 2 == 1 || (spans.len() - *pairs) * SHORTER > last {
                continue;
            }
            let width = 2_f64.powi(i32::try_from(power).unwrap_or(63));
            let entries = match levels.last() {
                Some(level) => join(level.entries.iter().copied(), width, |entry| entry.tint),
                None => {
                    // Most spans are merged with a longer one, whose tint counts.
                    let entries = (0..spans.len()).map(|place| Entry::without_tint(spans, place));
                    join(entries, width, |entry| spans.tint(entry.first as usize))
                }
            };
            if entries.len() * SHORTER <= last {
                last = entries.len();
                levels.push(Level { width, entries });
                if last < FEW / 2 {
                    break;
                }
            }
        }
        Self(levels)
    }

    /// Passes on the entries to draw for a window, given the width of a pixel in ns, by start; each with the number of
    /// its spans.
    pub(super) fn each<S: Spans>(&self, spans: &S, window: Interval, pixel: f64, mut take: impl FnMut(Entry, u32)) {
        let fits = self.0.iter().take_while(|level| level.width <= pixel).last();
        let Some(level) = fits else {
            let mut place = first_in(spans.len(), window.start, |place| spans.span(place).start);
            while place < spans.len() {
                let entry = Entry::of(spans, place);
                if entry.start >= window.end {
                    break;
                }
                take(entry, 1);
                place += 1;
            }
            return;
        };
        let entries = &level.entries;
        let from = first_in(entries.len(), window.start, |place| entries[place].start);
        for (index, entry) in entries.iter().enumerate().skip(from) {
            if entry.start >= window.end {
                break;
            }
            let end = entries.get(index + 1).map_or(spans.len(), |next| next.first as usize);
            take(*entry, u32::try_from(end).unwrap_or(u32::MAX) - entry.first);
        }
    }

    /// Bytes in memory.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.0.iter().map(|level| size_of_val(&level.entries[..])).sum()
    }
}

/// Index of the first span that may extend into a window: the last one that starts before it, else the first.
pub(super) fn first_in(len: usize, from: Nanos, start: impl Fn(usize) -> Nanos) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low.midpoint(high);
        if start(middle) < from {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low.saturating_sub(1)
}

/// Number of consecutive spans that are sampled, in each [`EVERY`] spans: a long lane is about the same everywhere.
const LOOKED_AT: usize = 64;
const EVERY: usize = 1024;

/// For each power of two, the approximate number of spans that could be merged with the next one without being longer.
fn joinable(spans: &impl Spans) -> Vec<usize> {
    let mut pairs = vec![0_u64; 64];
    let len = spans.len();
    let (run, every) = if len > 64 * EVERY { (LOOKED_AT, EVERY) } else { (len, len) };
    for from in (0..len).step_by(every) {
        let mut before = spans.span(from);
        for place in from + 1..len.min(from + run) {
            let span = spans.span(place);
            let length = (span.end - before.start).0.max(1);
            pairs[64 - length.leading_zeros() as usize] += 1;
            before = span;
        }
    }
    // Pairs of a length below 2^n are counted at n.
    for power in 1..64 {
        pairs[power] += pairs[power - 1];
    }
    let of_all = (len - 1) as u64;
    let seen = pairs[63].max(1);
    pairs.iter().map(|pairs| usize::try_from(pairs * of_all / seen).unwrap_or(len)).collect()
}

fn join(entries: impl Iterator<Item = Entry>, width: f64, tint: impl Fn(&Entry) -> Tint) -> Vec<Entry> {
    let mut joined: Vec<Entry> = Vec::new();
    // The part of the open entry that its tint covers.
    let mut most = 0.0;
    for entry in entries {
        if let Some(open) = joined.last_mut() {
            let length = open.length_to(&entry);
            if f64::from(length) <= width {
                open.length = length;
                open.busy += entry.busy;
                if entry.busy > most {
                    most = entry.busy;
                    open.tint = tint(&entry);
                }
                continue;
            }
        }
        most = entry.busy;
        joined.push(Entry { tint: tint(&entry), ..entry });
    }
    joined
}

/// Prepares levels of any spans.
pub(super) struct Prepare;

impl SpansVisitor<Levels> for Prepare {
    fn visit<S: Spans>(self, spans: &S) -> Levels {
        Levels::of(spans)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::*;
    use crate::timeline::spans::Plain;

    fn tint(place: usize) -> Tint {
        Tint(u8::try_from(place % 3).unwrap())
    }

    fn lane(gaps: &[(i64, i64)]) -> Plain {
        let mut at = 0;
        let span = |(gap, length): &(i64, i64)| {
            let start = at + gap;
            at = start + length;
            Interval::new(Nanos(start), Nanos(at))
        };
        Plain(gaps.iter().map(span).collect(), tint)
    }

    fn drawn(levels: &Levels, spans: &Plain, window: Interval, pixel: f64) -> Vec<(Entry, u32)> {
        let mut found = Vec::new();
        levels.each(spans, window, pixel, |entry, count| found.push((entry, count)));
        found
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_that_is_wide_is_joined(
            seed in proptest::collection::vec((0_i64..400, 0_i64..900), 1..60),
            power in 0_i32..24,
        ) {
            let spans = lane(&(0..6000).map(|at| seed[(at * 7 + at / 13) % seed.len()]).collect::<Vec<_>>());
            let levels = Levels::of(&spans);
            let pixel = 2_f64.powi(power);
            let whole = Interval::new(Nanos(0), spans.0.last().unwrap().end + Nanos(1));
            let found = drawn(&levels, &spans, whole, pixel);
            let counted: u32 = found.iter().map(|(_, count)| count).sum();
            prop_assert_eq!(counted as usize, spans.0.len());
            let busy: f64 = found.iter().map(|(entry, _)| f64::from(entry.busy)).sum();
            let exact: i64 = spans.0.iter().map(|span| span.len().0).sum();
            prop_assert!((busy - exact as f64).abs() <= 1.0 + exact as f64 * 1e-4, "{busy} of {exact}");
            for (entry, count) in &found {
                prop_assert!(*count == 1 || f64::from(entry.length) <= pixel, "{entry:?} {count} at {pixel}");
                prop_assert_eq!(entry.start, spans.0[entry.first as usize].start);
                let last = spans.0[(entry.first + count - 1) as usize];
                let length = (last.end - entry.start).0 as f32;
                prop_assert!((entry.length - length).abs() <= length * 1e-5, "{entry:?} ends {last:?}");
            }
            prop_assert!(levels.bytes() <= spans.0.len() * 24, "{} bytes", levels.bytes());
        }
    }

    #[test]
    fn a_dense_lane_takes_no_more_than_a_few_entries_per_pixel() {
        let spans = lane(&(0..200_000).map(|at| (at % 7, 3 + at % 11)).collect::<Vec<_>>());
        let levels = Levels::of(&spans);
        let end = spans.0.last().unwrap().end;
        for zoom in 0..12 {
            let window = Interval::new(Nanos(end.0 / 3), Nanos(end.0 / 3 + (end.0 >> zoom) / 2));
            let pixel = window.len().0 as f64 / 1000.0;
            let found = drawn(&levels, &spans, window, pixel).len();
            assert!(found <= 1000 * 24 + 2, "{found} entries at zoom {zoom}");
        }
    }

    #[test]
    fn a_window_begins_with_what_reaches_into_it() {
        let spans = lane(&[(0, 10), (5, 10), (5, 10)]);
        let starts = |from, to| -> Vec<i64> {
            let window = Interval::new(Nanos(from), Nanos(to));
            drawn(&Levels::default(), &spans, window, 1.0).iter().map(|(entry, _)| entry.start.0).collect()
        };
        assert_eq!(starts(20, 31), [15, 30]);
        assert_eq!(starts(0, 1), [0]);
        assert_eq!(starts(100, 200), [30]);
    }
}
