//! Assignment of a row's slices to lanes in which no two overlap partly.

use stepscope_base::{Interval, Nanos};

/// Perfetto keeps 512 levels; deeper slices go to the next lane.
const DEEPEST: usize = 500;

/// The way in which slices may share a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// One inside another, as calls are.
    Nested,
    /// One after another, as kernels of a stream are.
    Flat,
}

/// Assigns lanes to slices that arrive by start, longer ones first.
///
/// Slices that all overlap each other partly need a lane each. A tree over the lanes finds the first lane with room,
/// and the lanes with ended slices, without a scan of all lanes.
#[derive(Debug)]
pub(super) struct Lanes {
    sharing: Sharing,
    /// Per lane, the ends of the slices that are still open, the innermost last.
    open: Vec<Vec<Nanos>>,
    /// The lanes' states, from `tree.len() / 2` on; before them, each node sums up the two below it,
    /// `2 * node` and `2 * node + 1`.
    tree: Vec<State>,
}

/// The state of a lane, or of a subtree of lanes.
#[derive(Clone, Copy, Debug)]
struct State {
    /// The earliest end of an innermost open slice; `Nanos::MAX` without one.
    ends: Nanos,
    /// The latest end of a slice that fits.
    room: Nanos,
}

impl State {
    /// The state of an unused lane.
    const NO_LANE: Self = Self { ends: Nanos::MAX, room: Nanos::MIN };

    fn of(open: &[Nanos], sharing: Sharing) -> Self {
        match (open.last(), sharing) {
            (None, _) => Self { ends: Nanos::MAX, room: Nanos::MAX },
            (Some(end), Sharing::Nested) if open.len() < DEEPEST => Self { ends: *end, room: *end },
            (Some(end), _) => Self { ends: *end, room: Nanos::MIN },
        }
    }

    fn both(self, other: Self) -> Self {
        Self { ends: self.ends.min(other.ends), room: self.room.max(other.room) }
    }
}

impl Lanes {
    pub(super) fn new(sharing: Sharing) -> Self {
        Self { sharing, open: Vec::new(), tree: vec![State::NO_LANE; 2] }
    }

    /// The first lane a slice fits into.
    pub(super) fn place(&mut self, span: Interval) -> usize {
        // A slice that ends at `Nanos::MAX` stays open: empty lanes have the same value.
        while let Some(lane) = self.first(|state| state.ends <= span.start && state.ends < Nanos::MAX) {
            while self.open[lane].last().is_some_and(|end| *end <= span.start) {
                self.open[lane].pop();
            }
            self.update(lane);
        }
        let lane = self.first(|state| state.room >= span.end).unwrap_or_else(|| self.add());
        self.open[lane].push(span.end);
        self.update(lane);
        lane
    }

    /// The number of lanes.
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// The first lane that meets a condition; two lanes together must meet it exactly if one of them does.
    fn first(&self, holds: impl Fn(&State) -> bool) -> Option<usize> {
        let leaves = self.tree.len() / 2;
        let mut node = 1;
        if !holds(&self.tree[node]) {
            return None;
        }
        while node < leaves {
            node *= 2;
            if !holds(&self.tree[node]) {
                node += 1;
            }
        }
        Some(node - leaves)
    }

    /// A new lane.
    fn add(&mut self) -> usize {
        let lane = self.open.len();
        self.open.push(Vec::new());
        if lane == self.tree.len() / 2 {
            self.tree = vec![State::NO_LANE; 4 * lane];
            (0..lane).for_each(|lane| self.update(lane));
        }
        lane
    }

    fn update(&mut self, lane: usize) {
        let mut node = self.tree.len() / 2 + lane;
        self.tree[node] = State::of(&self.open[lane], self.sharing);
        while node > 1 {
            node /= 2;
            self.tree[node] = self.tree[2 * node].both(self.tree[2 * node + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(sharing: Sharing, spans: &[(i64, i64)]) -> Vec<usize> {
        let mut lanes = Lanes::new(sharing);
        spans.iter().map(|(start, end)| lanes.place(Interval::new(Nanos(*start), Nanos(*end)))).collect()
    }

    #[test]
    fn what_crosses_goes_to_the_next_lane() {
        let spans = [(0, 10), (1, 5), (4, 8), (5, 9), (10, 12)];
        assert_eq!(lanes(Sharing::Nested, &spans), [0, 0, 1, 0, 0]);
        assert_eq!(lanes(Sharing::Flat, &spans), [0, 1, 2, 1, 0]);
    }

    /// Lanes by the plain definition: the first one, of all, that has room.
    fn by_definition(sharing: Sharing, spans: &[(i64, i64)]) -> Vec<usize> {
        let mut lanes: Vec<Vec<(i64, i64)>> = Vec::new();
        let mut place = |start: i64, end: i64| {
            let fits = |lane: &Vec<(i64, i64)>| {
                let open: Vec<i64> = lane.iter().map(|span| span.1).filter(|other| *other > start).collect();
                match sharing {
                    Sharing::Nested => open.len() < DEEPEST && open.iter().all(|other| *other >= end),
                    Sharing::Flat => open.is_empty(),
                }
            };
            let lane = lanes.iter().position(fits).unwrap_or(lanes.len());
            if lane == lanes.len() {
                lanes.push(Vec::new());
            }
            lanes[lane].push((start, end));
            lane
        };
        spans.iter().map(|(start, end)| place(*start, *end)).collect()
    }

    proptest::proptest! {
        #[test]
        fn any_slices_get_the_lanes_of_the_plain_definition(
            mut spans in proptest::collection::vec((0_i64..60, 0_i64..30), 0..80),
        ) {
            spans.iter_mut().for_each(|(start, end)| *end += *start);
            spans.sort_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
            for sharing in [Sharing::Nested, Sharing::Flat] {
                proptest::prop_assert_eq!(lanes(sharing, &spans), by_definition(sharing, &spans));
            }
        }
    }

    #[test]
    fn deep_slices_go_to_the_next_lane_and_come_back() {
        let deep: Vec<(i64, i64)> = (0..1200).map(|level| (level, 10_000 - level)).chain([(9_800, 9_801)]).collect();
        assert_eq!(lanes(Sharing::Nested, &deep), by_definition(Sharing::Nested, &deep));
    }

    #[test]
    fn slices_that_all_cross_get_a_lane_each() {
        let count = 100_000;
        let spans: Vec<(i64, i64)> = (0..count).map(|index| (index, count + index)).collect();
        for sharing in [Sharing::Nested, Sharing::Flat] {
            assert!(lanes(sharing, &spans).into_iter().eq(0..spans.len()));
        }
        // All of them have ended: the first lane is free again.
        let again = lanes(Sharing::Nested, &[&spans[..], &[(2 * count, 2 * count + 1)]].concat());
        assert_eq!(again.last(), Some(&0));
    }
}
