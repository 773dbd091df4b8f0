//! Sets of points in time, as sorted disjoint intervals. METRICS: `U(S)`, `S∩T`, `S−T`.

use stepscope_base::{Interval, Nanos};

/// Length of the part of an interval after `until`, the end of the covered time; then covers the interval. Intervals
/// come by start.
pub(super) fn newly_covered(until: &mut Nanos, inside: Interval) -> Nanos {
    let new = (inside.end - inside.start.max(*until)).max(Nanos::ZERO);
    *until = Nanos::max(*until, inside.end);
    new
}

/// A set of points in time. Its intervals are sorted, disjoint, not empty, and do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntervalSet(Vec<Interval>);

impl IntervalSet {
    /// The empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The union of intervals in any order, which may overlap.
    ///
    /// ```
    /// use stepscope::{Interval, Nanos, analyze::IntervalSet};
    ///
    /// let spans = [(5, 9), (0, 3), (3, 4), (8, 12)].map(|(a, b)| Interval::new(Nanos(a), Nanos(b)));
    /// let union = IntervalSet::of(spans);
    /// assert_eq!(union.len(), Nanos(11)); // 0..4 and 5..12
    /// ```
    #[must_use]
    pub fn of(intervals: impl IntoIterator<Item = Interval>) -> Self {
        let mut list: Vec<Interval> = intervals.into_iter().filter(|interval| !interval.is_empty()).collect();
        if !list.is_sorted() {
            // Mostly a few sorted runs, one per track: a merge sort finds them.
            list.sort();
        }
        list.dedup_by(|next, last| {
            let joined = next.start <= last.end;
            if joined {
                last.end = last.end.max(next.end);
            }
            joined
        });
        Self(list)
    }

    /// The set of one interval's points.
    #[must_use]
    pub fn from_interval(interval: Interval) -> Self {
        Self::of([interval])
    }

    /// The intervals.
    #[must_use]
    pub fn intervals(&self) -> &[Interval] {
        &self.0
    }

    /// The length of the set.
    #[must_use]
    pub fn len(&self) -> Nanos {
        self.0.iter().map(|interval| interval.len()).sum()
    }

    /// Whether it has no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// From the first point to the last; `None` for the empty set.
    #[must_use]
    pub fn hull(&self) -> Option<Interval> {
        Some(Interval::new(self.0.first()?.start, self.0.last()?.end))
    }

    /// Whether a point is in it: an interval has its start but not its end.
    #[must_use]
    pub fn has(&self, point: Nanos) -> bool {
        let after = self.0.partition_point(|interval| interval.start <= point);
        after.checked_sub(1).is_some_and(|index| point < self.0[index].end)
    }

    /// The points inside a window.
    #[must_use]
    pub fn clip(&self, window: Interval) -> Self {
        let from = self.0.partition_point(|interval| interval.end <= window.start);
        let inside = self.0[from..].iter().take_while(|interval| interval.start < window.end);
        Self(inside.map(|interval| interval.intersection(window)).filter(|part| !part.is_empty()).collect())
    }

    /// The length of the points inside a window.
    #[must_use]
    pub fn len_in(&self, window: Interval) -> Nanos {
        let from = self.0.partition_point(|interval| interval.end <= window.start);
        let inside = self.0[from..].iter().take_while(|interval| interval.start < window.end);
        inside.map(|interval| interval.intersection(window).len()).sum()
    }

    /// The points in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.0.as_slice(), other.0.as_slice());
        let mut joined: Vec<Interval> = Vec::with_capacity(left.len().max(right.len()));
        loop {
            let (next, rest) = match (left.first(), right.first()) {
                (Some(a), Some(b)) if b.start < a.start => (b, &mut right),
                (Some(a), _) => (a, &mut left),
                (None, Some(b)) => (b, &mut right),
                (None, None) => break,
            };
            match joined.last_mut() {
                Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
                _ => joined.push(*next),
            }
            *rest = &rest[1..];
        }
        Self(joined)
    }

    /// The points in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut common = Vec::new();
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let part = a.intersection(**b);
            if !part.is_empty() {
                common.push(part);
            }
            if a.end <= b.end {
                left.next();
            } else {
                right.next();
            }
        }
        Self(common)
    }

    /// The points in this set but not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut rest = Vec::with_capacity(self.0.len());
        let mut holes = other.0.iter().peekable();
        for interval in &self.0 {
            let mut start = interval.start;
            while let Some(hole) = holes.peek() {
                if hole.end <= start {
                    holes.next();
                    continue;
                }
                if hole.start >= interval.end {
                    break;
                }
                if hole.start > start {
                    rest.push(Interval::new(start, hole.start));
                }
                start = hole.end;
                if start >= interval.end {
                    // The hole may extend into the next interval, so it is kept.
                    break;
                }
            }
            if start < interval.end {
                rest.push(Interval::new(start, interval.end));
            }
        }
        Self(rest)
    }
}

/// Unions intervals that come by start without storing them all: for a track's slices.
#[derive(Debug, Default)]
pub(super) struct Merger {
    merged: Vec<Interval>,
}

impl Merger {
    /// Adds an interval that starts no earlier than those before it.
    #[inline]
    pub(super) fn add(&mut self, interval: Interval) {
        if interval.is_empty() {
            return;
        }
        match self.merged.last_mut() {
            Some(last) if interval.start <= last.end => last.end = last.end.max(interval.end),
            _ => self.merged.push(interval),
        }
    }

    /// The union: disjoint intervals by start.
    pub(super) fn into_intervals(self) -> Vec<Interval> {
        self.merged
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};

    use super::*;

    fn set(spans: &[(i64, i64)]) -> IntervalSet {
        IntervalSet::of(spans.iter().map(|(start, end)| Interval::new(Nanos(*start), Nanos(*end))))
    }

    fn points(set: &IntervalSet) -> Vec<i64> {
        set.intervals().iter().flat_map(|interval| interval.start.0..interval.end.0).collect()
    }

    fn sets() -> impl Strategy<Value = Vec<(i64, i64)>> {
        prop::collection::vec((0..60_i64, 0..12_i64).prop_map(|(start, len)| (start, start + len)), 0..12)
    }

    proptest! {
        #[test]
        fn algebra_is_that_of_sets_of_points(a in sets(), b in sets(), window in (0..60_i64, 0..30_i64)) {
            let (a, b) = (set(&a), set(&b));
            let both = |keep: &dyn Fn(bool, bool) -> bool| -> Vec<i64> {
                (0..80).filter(|point| keep(points(&a).contains(point), points(&b).contains(point))).collect()
            };
            prop_assert_eq!(points(&a.union(&b)), both(&|x, y| x || y));
            prop_assert_eq!(points(&a.intersection(&b)), both(&|x, y| x && y));
            prop_assert_eq!(points(&a.difference(&b)), both(&|x, y| x && !y));
            let window = Interval::new(Nanos(window.0), Nanos(window.0 + window.1));
            prop_assert_eq!(a.clip(window), a.intersection(&IntervalSet::from_interval(window)));
            prop_assert_eq!(a.len().0, i64::try_from(points(&a).len()).unwrap_or_default());
            for result in [a.union(&b), a.intersection(&b), a.difference(&b)] {
                let sorted = result.intervals().windows(2).all(|pair| pair[0].end <= pair[1].start);
                prop_assert_eq!(sorted, true);
            }
        }
    }
}
