//! The parallel layout of a model, by the user or by MindSpore's `parallel_strategy`.

use super::parallel_kind::ParallelKind;
use crate::mindspore::{ParallelMode, layout, table};
use stepscope_base::CompactSort as _;
use stepscope_trace::{Cell, Trace};

/// Fault of a text that is no grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridFault {
    /// A part is not a kind with its size.
    NoSize,
    /// A part's kind is unknown.
    UnknownKind,
    /// A kind occurs twice.
    Twice,
    /// There are more ranks than a number holds.
    TooMany,
}

impl GridFault {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::NoSize, Self::UnknownKind, Self::Twice, Self::TooMany];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSize => "no_size",
            Self::UnknownKind => "unknown_kind",
            Self::Twice => "twice",
            Self::TooMany => "too_many",
        }
    }
}

/// The ranks as a grid that the user gives: `pp=2,dp=4,tp=2`. The last dimension's ranks are neighbors, as in PyTorch's
/// `init_device_mesh` and in Megatron, whose usual order is `pp,dp,cp,tp`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParallelGrid {
    /// From the outermost to the innermost: the kind of parallelism, and its size.
    dimensions: Vec<(ParallelKind, u64)>,
}

impl ParallelGrid {
    /// The grid of a text.
    ///
    /// # Errors
    ///
    /// The fault, and the part of the text that has it.
    ///
    /// ```
    /// use stepscope::analyze::{GridFault, ParallelGrid, ParallelKind};
    ///
    /// let grid = ParallelGrid::named("pp=2, dp=4, tp=2").expect("a grid");
    /// assert_eq!(grid.ranks(), 16);
    /// assert_eq!(grid.place(7, ParallelKind::Data), Some(3)); // ranks 6 and 7 share the layers' parts
    /// assert_eq!(ParallelGrid::named("dp=2,dp=4"), Err((GridFault::Twice, "dp=4".to_owned())));
    /// ```
    pub fn named(text: &str) -> Result<Self, (GridFault, String)> {
        let mut dimensions: Vec<(ParallelKind, u64)> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let fault = |fault: GridFault| (fault, part.to_owned());
            let (kind, size) = part.split_once('=').map_or((part, ""), |(kind, size)| (kind.trim(), size.trim()));
            let kind = ParallelKind::of_short_name(kind).ok_or_else(|| fault(GridFault::UnknownKind))?;
            let size: u32 = size.parse().ok().filter(|size| *size > 0).ok_or_else(|| fault(GridFault::NoSize))?;
            if dimensions.iter().any(|(known, _)| *known == kind) {
                return Err(fault(GridFault::Twice));
            }
            dimensions.push((kind, u64::from(size)));
        }
        let ranks = dimensions.iter().try_fold(1_u64, |all, (_, size)| all.checked_mul(*size));
        ranks.ok_or_else(|| (GridFault::TooMany, text.trim().to_owned()))?;
        Ok(Self { dimensions })
    }

    /// Its number of ranks.
    #[must_use]
    pub fn ranks(&self) -> u64 {
        self.dimensions.iter().map(|(_, size)| size).product()
    }

    /// The index of a rank among those of this kind, from 0; none if the grid does not have the kind or the rank.
    #[must_use]
    pub fn place(&self, rank: u64, kind: ParallelKind) -> Option<u64> {
        let dimension = self.dimensions.iter().position(|(known, _)| *known == kind)?;
        (rank < self.ranks()).then(|| self.coordinate(rank, dimension))
    }

    #[expect(clippy::integer_division, reason = "a place in a grid")]
    fn coordinate(&self, rank: u64, dimension: usize) -> u64 {
        let inner: u64 = self.dimensions[dimension + 1..].iter().map(|(_, size)| size).product();
        rank / inner % self.dimensions[dimension].1
    }

    /// The dimensions of more than one rank.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (ParallelKind, u64)> {
        self.dimensions.iter().copied().filter(|(_, size)| *size > 1)
    }

    /// The kind of parallelism of a group of ranks: the dimension in which they differ. Of several, the first in the
    /// order of [`ParallelKind`], so data if it is one of them: gradients are summed over all ranks with other data.
    pub(super) fn kind_of(&self, ranks: &[u64]) -> Option<ParallelKind> {
        let (first, others) = ranks.split_first().filter(|_| ranks.iter().all(|rank| *rank < self.ranks()))?;
        let differs = |dimension: &usize| {
            let of = |rank: u64| self.coordinate(rank, *dimension);
            others.iter().any(|rank| of(*rank) != of(*first))
        };
        let found = (0..self.dimensions.len()).filter(differs).map(|dimension| self.dimensions[dimension].0);
        found.min()
    }
}

/// The parallel layout of a model by MindSpore: its `parallel_strategy` file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParallelStrategy {
    /// Its mode, such as `auto_parallel`.
    pub mode: String,
    /// The ranks of each stage.
    pub stages: Vec<Vec<u64>>,
    /// The cuts of operators' inputs into parts: each way, and the number of operators that use it, the most first.
    pub cuts: Vec<(String, u64)>,
}

impl ParallelStrategy {
    /// The layout by a rank's file; none if it has none.
    #[must_use]
    pub fn of(trace: &Trace) -> Option<Self> {
        let strategy = table(trace, "parallel_strategy")?;
        // As the reader writes it: `[0, 1]`.
        let numbers = |text: &str| {
            let inside = text.trim_start_matches('[').trim_end_matches(']');
            inside.split(',').filter_map(|number| number.trim().parse().ok()).collect()
        };
        let devices = |row: &Vec<Cell>| strategy.cell(row, "devices").text().map(numbers).unwrap_or_default();
        let mode = strategy.rows.first().and_then(|row| strategy.cell(row, "parallelType").text());
        let mut cuts: std::collections::BTreeMap<&str, u64> = std::collections::BTreeMap::new();
        if let Some(nodes) = table(trace, "parallel_nodes") {
            for cut in nodes.rows.iter().filter_map(|row| nodes.cell(row, "strategy").text()) {
                *cuts.entry(cut).or_default() += 1;
            }
        }
        let mut cuts: Vec<(String, u64)> = cuts.into_iter().map(|(cut, count)| (cut.to_owned(), count)).collect();
        cuts.compact_sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Some(Self {
            mode: mode.unwrap_or_default().to_owned(),
            stages: strategy.rows.iter().map(devices).collect(),
            cuts,
        })
    }

    /// The layout by a rank's file, else by the name of the table of its steps.
    pub(super) fn told(trace: &Trace) -> Option<Self> {
        Self::of(trace).or_else(|| Self::of_layout(layout(trace)?))
    }

    /// The layout by a table's name: its mode, the numbers of stages and of ranks. Stages have equally many ranks, one
    /// after the other.
    fn of_layout((mode, stages, ranks): (Option<ParallelMode>, u64, u64)) -> Option<Self> {
        // More than any job has: a name may contain any number.
        const MOST: u64 = 1 << 20;
        let is_such = stages > 0 && ranks > 0 && ranks <= MOST && ranks.is_multiple_of(stages);
        let of_stage = ranks.checked_div(stages).filter(|_| is_such)?;
        let list = |stage: u64| (stage * of_stage..(stage + 1) * of_stage).collect();
        Some(Self { mode: mode?.name().to_owned(), stages: (0..stages).map(list).collect(), cuts: Vec::new() })
    }

    /// Its number of ranks.
    pub(super) fn ranks(&self) -> u64 {
        self.stages.iter().map(|ranks| ranks.len() as u64).sum()
    }

    /// The kind of parallelism within a stage, and its size, if the mode has one.
    pub(super) fn within_stages(&self) -> Option<(ParallelKind, u64)> {
        let kind = match self.mode.as_str() {
            "data_parallel" | "data-parallel" => ParallelKind::Data,
            "model-parallel" => ParallelKind::Tensor,
            _ => return None,
        };
        let size = self.stages.iter().map(|ranks| ranks.len() as u64).max().filter(|size| *size > 1)?;
        Some((kind, size))
    }

    /// The kind of parallelism of a group of ranks: pipeline for ranks of different stages, that of the mode for ranks
    /// of one stage.
    pub(super) fn kind_of(&self, ranks: &[u64]) -> Option<ParallelKind> {
        let mut stages: Vec<usize> =
            ranks.iter().map(|rank| self.stages.iter().position(|of| of.contains(rank))).collect::<Option<_>>()?;
        stages.compact_sort();
        stages.dedup();
        match stages.len() {
            1 => self.within_stages().map(|(kind, _)| kind),
            count if count > 1 && count == ranks.len() => Some(ParallelKind::Pipeline),
            _ => None,
        }
    }

    /// The stage of a rank, from 0; none without several stages.
    #[must_use]
    pub fn stage_of(&self, rank: u64) -> Option<u32> {
        let stage = self.stages.iter().position(|ranks| ranks.contains(&rank)).filter(|_| self.stages.len() > 1)?;
        u32::try_from(stage).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_of_file_names() {
        let of = |stages, ranks| ParallelStrategy::of_layout((Some(ParallelMode::Pipeline), stages, ranks));
        assert_eq!(of(2, 4).map(|told| told.stages), Some(vec![vec![0, 1], vec![2, 3]]));
        assert_eq!([of(3, 4), of(0, 4), of(2, 0), of(1, u64::MAX)], [None, None, None, None]);
        assert_eq!(ParallelStrategy::of_layout((None, 2, 4)), None);
        let data = ParallelStrategy::of_layout((Some(ParallelMode::Data), 1, 8)).expect("a layout");
        assert_eq!((data.ranks(), data.within_stages()), (8, Some((ParallelKind::Data, 8))));
    }

    #[test]
    fn grids_of_texts() {
        use GridFault as F;
        let of_texts = [
            ("", F::UnknownKind, ""),
            ("dp", F::NoSize, "dp"),
            ("pp=2, dp=", F::NoSize, "dp="),
            ("dp=0", F::NoSize, "dp=0"),
            ("dp=-1", F::NoSize, "dp=-1"),
            ("pp=2,xp=2", F::UnknownKind, "xp=2"),
            ("dp=2,data=3", F::Twice, "data=3"),
            ("dp=4000000000,tp=4000000000,pp=4000000000", F::TooMany, "dp=4000000000,tp=4000000000,pp=4000000000"),
        ];
        for (text, fault, part) in of_texts {
            assert_eq!(ParallelGrid::named(text), Err((fault, part.to_owned())), "{text}");
        }
        let grid = ParallelGrid::named("pp=2,dp=2,tp=2").expect("a grid");
        assert_eq!(grid.kind_of(&[0, 1]), Some(ParallelKind::Tensor));
        assert_eq!(grid.kind_of(&[1, 3]), Some(ParallelKind::Data));
        assert_eq!(grid.kind_of(&[2, 6]), Some(ParallelKind::Pipeline));
        assert_eq!(grid.kind_of(&[4, 5, 6, 7]), Some(ParallelKind::Data), "both differ");
        assert_eq!([grid.kind_of(&[3]), grid.kind_of(&[0, 8])], [None, None]);
        assert_eq!((grid.place(5, ParallelKind::Pipeline), grid.place(8, ParallelKind::Data)), (Some(1), None));
    }
}
