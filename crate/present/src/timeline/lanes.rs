//! The lane of its track on which a slice is drawn: below its parent, on a free one.
//!
//! For cleanly nested slices, that is their depth. Slices that overlap partly are on the next free lane, so that none
//! hides another.

use super::spans::Items;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{EventId, Trace};

/// The largest number of lanes: all others share the last.
const MOST: usize = u16::MAX as usize;

/// Assigns the first free lane from a given one on, to spans that come by start.
///
/// A tree over the lanes finds it without looking at each: a node has the earliest end of those below it.
struct FreeLanes {
    /// The end of the last span on each lane, from `tree.len() / 2` on.
    tree: Vec<Nanos>,
    used: usize,
}

impl FreeLanes {
    fn new() -> Self {
        Self { tree: vec![Nanos::MIN; 128], used: 0 }
    }

    fn leaves(&self) -> usize {
        self.tree.len() / 2
    }

    /// The lane for a span: `from` or a later one.
    fn place(&mut self, from: usize, span: Interval) -> usize {
        let lane = loop {
            match self.first(from, span.start) {
                Some(lane) => break lane.min(MOST - 1),
                None => self.grow(),
            }
        };
        self.used = self.used.max(lane + 1);
        let mut node = self.leaves() + lane;
        self.tree[node] = span.end;
        while node > 1 {
            node /= 2;
            self.tree[node] = self.tree[2 * node].min(self.tree[2 * node + 1]);
        }
        lane
    }

    /// The first lane from one on that is free at a time.
    fn first(&self, from: usize, at: Nanos) -> Option<usize> {
        let leaves = self.leaves();
        if from >= leaves {
            return None;
        }
        let mut node = leaves + from;
        loop {
            if self.tree[node] <= at {
                break;
            }
            // To the next node on the right: upwards while the current one is a right child.
            while node % 2 == 1 {
                node /= 2;
                if node <= 1 {
                    return None;
                }
            }
            node += 1;
        }
        while node < leaves {
            node *= 2;
            if self.tree[node] > at {
                node += 1;
            }
        }
        Some(node - leaves)
    }

    fn grow(&mut self) {
        let leaves = self.leaves();
        let mut tree = vec![Nanos::MIN; 4 * leaves];
        tree[2 * leaves..3 * leaves].copy_from_slice(&self.tree[leaves..]);
        for node in (1..2 * leaves).rev() {
            tree[node] = tree[2 * node].min(tree[2 * node + 1]);
        }
        self.tree = tree;
    }
}

/// The lanes of some spans.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneNumbers {
    /// Number of lanes.
    pub(super) count: usize,
    /// The lane of each; none if it is its depth.
    of: Option<Vec<u16>>,
}

impl LaneNumbers {
    /// A single lane for all.
    pub(super) fn one() -> Self {
        Self { count: 1, of: None }
    }

    /// The lanes of a track's slices.
    pub(super) fn of_track(trace: &Trace, rows: std::ops::Range<usize>) -> Self {
        let slices = &trace.slices;
        let mut ends: Vec<Nanos> = Vec::new();
        for id in rows.clone().map(EventId::from_index) {
            let depth = usize::from(slices.depth(id));
            if depth >= ends.len() {
                ends.resize(depth + 1, Nanos::MIN);
            }
            if ends[depth] > slices.start(id) {
                return Self::around_each_other(trace, rows);
            }
            ends[depth] = slices.end(id);
        }
        Self { count: ends.len(), of: None }
    }

    fn around_each_other(trace: &Trace, rows: std::ops::Range<usize>) -> Self {
        let slices = &trace.slices;
        let mut free = FreeLanes::new();
        let mut lanes: Vec<u16> = Vec::with_capacity(rows.len());
        for id in rows.clone().map(EventId::from_index) {
            let below = slices.parent(id).map_or(0, |parent| usize::from(lanes[parent.index() - rows.start]) + 1);
            let lane = free.place(below.min(MOST - 1), slices.interval(id));
            lanes.push(u16::try_from(lane).unwrap_or(u16::MAX));
        }
        Self { count: free.used, of: Some(lanes) }
    }

    /// The lanes of spans that come by start, each the first free one.
    pub(super) fn of_spans(spans: impl Iterator<Item = Interval>) -> Self {
        let mut free = FreeLanes::new();
        let lanes: Vec<u16> = spans.map(|span| u16::try_from(free.place(0, span)).unwrap_or(u16::MAX)).collect();
        // With a single lane, the list is not needed.
        Self { count: free.used, of: (free.used > 1).then_some(lanes) }
    }

    /// The lane of a span by its index.
    pub(super) fn at(&self, place: usize) -> Option<usize> {
        self.of.as_ref().map(|lanes| usize::from(lanes[place]))
    }
}

/// Distributes a track's slices to their lanes.
pub(super) fn lanes_of_track(trace: &Trace, rows: std::ops::Range<usize>, numbers: &LaneNumbers) -> Vec<Items> {
    let number = |row: usize| u32::try_from(row).unwrap_or(u32::MAX);
    if numbers.count <= 1 {
        return vec![Items::Rows(number(rows.start)..number(rows.end))];
    }
    let lane_of = |row: usize| {
        let by_depth = || usize::from(trace.slices.depth(EventId::from_index(row)));
        numbers.at(row - rows.start).unwrap_or_else(by_depth).min(numbers.count - 1)
    };
    let mut counts = vec![0; numbers.count];
    for row in rows.clone() {
        counts[lane_of(row)] += 1;
    }
    let mut lanes: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
    for row in rows.clone() {
        lanes[lane_of(row)].push(number(row));
    }
    lanes.into_iter().map(Items::Slices).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::*;
    use stepscope_base::Warnings;
    use stepscope_trace::{Class, Layer, NewSlice, RawId, TraceBuilder};

    fn track(layer: Layer, spans: &[(i64, i64)]) -> Trace {
        let mut builder = TraceBuilder::new();
        let track = builder.track(RawId::Number(1), RawId::Number(1), layer, None);
        let (category, name) = (builder.category(b"cpu_op"), builder.intern(b"op"));
        for (start, end) in spans {
            let (start, end) = (Nanos(*start), Nanos(*end));
            builder.slice(NewSlice { track, class: Class::Operator, category, name, start, end, position: 0 });
        }
        builder.finish(&mut Warnings::default()).expect("a small trace")
    }

    #[test]
    fn nested_slices_lie_at_their_depth() {
        let trace = track(Layer::Host, &[(0, 10), (1, 5), (2, 3), (5, 10), (10, 12)]);
        let numbers = LaneNumbers::of_track(&trace, 0..5);
        assert_eq!((numbers.count, numbers.at(0)), (3, None));
        let lanes: Vec<usize> = lanes_of_track(&trace, 0..5, &numbers).iter().map(Items::len).collect();
        assert_eq!(lanes, [2, 2, 1]);
    }

    #[test]
    fn what_crosses_goes_to_a_free_lane_below_its_parent() {
        let trace = track(Layer::Host, &[(0, 20), (1, 5), (3, 9), (4, 5), (8, 9)]);
        let numbers = LaneNumbers::of_track(&trace, 0..5);
        let lanes: Vec<Option<usize>> = (0..5).map(|place| numbers.at(place)).collect();
        // 3-9 crosses 1-5; 4-5 and 8-9 are inside it.
        assert_eq!(lanes, [Some(0), Some(1), Some(2), Some(3), Some(3)]);
    }

    proptest! {
        #[test]
        fn no_two_of_a_lane_overlap(mut spans in proptest::collection::vec((0_i64..80, 0_i64..40), 1..300)) {
            spans.iter_mut().for_each(|(start, end)| *end += *start);
            for layer in [Layer::Host, Layer::Async] {
                let trace = track(layer, &spans);
                let rows = 0..trace.slices.len();
                let numbers = LaneNumbers::of_track(&trace, rows.clone());
                let lanes = lanes_of_track(&trace, rows, &numbers);
                prop_assert_eq!(lanes.iter().map(Items::len).sum::<usize>(), spans.len());
                for lane in &lanes {
                    for place in 1..lane.len() {
                        let [before, now] = [place - 1, place].map(|place| EventId(lane.number(place)));
                        prop_assert!(trace.slices.end(before) <= trace.slices.start(now));
                    }
                }
            }
        }

        #[test]
        fn each_gets_the_first_free_lane(mut spans in proptest::collection::vec((0_i64..60, 0_i64..200), 1..300)) {
            spans.iter_mut().for_each(|(start, end)| *end += *start);
            spans.sort_unstable();
            let numbers =
                LaneNumbers::of_spans(spans.iter().map(|(start, end)| Interval::new(Nanos(*start), Nanos(*end))));
            let mut ends: Vec<i64> = Vec::new();
            for (place, (start, end)) in spans.iter().enumerate() {
                let lane = ends.iter().position(|other| other <= start).unwrap_or(ends.len());
                ends.resize(ends.len().max(lane + 1), 0);
                ends[lane] = *end;
                prop_assert_eq!(numbers.at(place).unwrap_or(0), lane);
            }
        }
    }
}
