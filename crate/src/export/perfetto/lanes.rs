//! Slices of one row spread over lanes, so that no two of a lane overlap partly.

use crate::units::{Interval, Nanos};

/// Perfetto keeps 512 levels; deeper slices go to the next lane.
const DEEPEST: usize = 500;

/// How slices may share a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// One inside another, as calls are.
    Nested,
    /// One after another, as kernels of a stream are.
    Flat,
}

/// Hands out lanes to slices that come by start, the longer first.
pub(super) struct Lanes {
    sharing: Sharing,
    /// Per lane, the ends of the slices that are still open, the innermost last.
    open: Vec<Vec<Nanos>>,
}

impl Lanes {
    pub(super) fn new(sharing: Sharing) -> Self {
        Self { sharing, open: Vec::new() }
    }

    /// The first lane a slice fits into.
    pub(super) fn place(&mut self, span: Interval) -> usize {
        let sharing = self.sharing;
        let fits = |open: &mut Vec<Nanos>| {
            while open.last().is_some_and(|end| *end <= span.start) {
                open.pop();
            }
            match (open.last(), sharing) {
                (None, _) => true,
                (Some(end), Sharing::Nested) => span.end <= *end && open.len() < DEEPEST,
                (Some(_), Sharing::Flat) => false,
            }
        };
        let lane = self.open.iter_mut().position(fits).unwrap_or_else(|| {
            self.open.push(Vec::new());
            self.open.len() - 1
        });
        self.open[lane].push(span.end);
        lane
    }

    /// How many lanes are in use.
    pub(super) fn len(&self) -> usize {
        self.open.len()
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
}
