//! The parallel layout of the model, and its sources.

use std::collections::BTreeMap;

use super::groups::JobGroup;
use super::parallel::{ParallelGrid, ParallelStrategy};
use super::parallel_kind::{ParallelKind, ParallelSource};
use super::stages::Stages;

/// A kind of parallelism of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The kind.
    pub kind: ParallelKind,
    /// The number of ranks.
    pub size: u64,
    /// The source.
    pub source: ParallelSource,
}

/// The layout by the user.
pub(super) fn given(grid: &ParallelGrid) -> Vec<Shared> {
    let sizes: BTreeMap<ParallelKind, u64> = grid.sizes().collect();
    sizes.into_iter().map(|(kind, size)| Shared { kind, size, source: ParallelSource::Given }).collect()
}

/// The layout by the traces: for each kind the size of the largest group; the number of stages; `MindSpore`'s kind if
/// no group has it. If ranks are missing, an unknown size counts the present ones.
pub(super) fn told(
    groups: &[JobGroup],
    stages: &Stages,
    strategy: Option<&ParallelStrategy>,
    is_missing: bool,
) -> Vec<Shared> {
    let mut found: BTreeMap<ParallelKind, (u64, ParallelSource)> = BTreeMap::new();
    for group in groups {
        if let Some((kind, source)) = group.parallel {
            let source = if is_missing && !group.sized { ParallelSource::Seen } else { source };
            let known = found.entry(kind).or_insert((0, source));
            if group.size > known.0 {
                *known = (group.size, source);
            }
        }
    }
    if stages.count > 0 {
        let by_groups = groups.iter().filter_map(|group| group.parallel);
        let by_groups =
            by_groups.into_iter().find(|(kind, _)| *kind == ParallelKind::Pipeline).map(|(_, source)| source);
        let by_strategy = strategy.filter(|strategy| strategy.stages.len() > 1).map(|_| ParallelSource::Strategy);
        let source = by_strategy.or(by_groups).unwrap_or(ParallelSource::Shape);
        let source = if stages.is_told { source } else { ParallelSource::Seen };
        found.insert(ParallelKind::Pipeline, (stages.count, source));
    }
    if let Some((kind, size)) = strategy.and_then(ParallelStrategy::within_stages) {
        found.entry(kind).or_insert((size, ParallelSource::Strategy));
    }
    found.into_iter().map(|(kind, (size, source))| Shared { kind, size, source }).collect()
}
