//! How the model is spread over the ranks, and how that is known.

use std::collections::BTreeMap;

use super::groups::{JobGroup, ParallelKind, ParallelSource};
use super::parallel::{ParallelGrid, ParallelStrategy};

/// What is shared, among how many ranks, who says so.
pub(super) type Spread = Vec<(ParallelKind, u64, ParallelSource)>;

/// As a person says.
pub(super) fn given(grid: &ParallelGrid) -> Spread {
    let sizes: BTreeMap<ParallelKind, u64> = grid.sizes().collect();
    sizes.into_iter().map(|(kind, size)| (kind, size, ParallelSource::Given)).collect()
}

/// As the traces tell: of each kind the size of the largest group; the number of stages; what no group tells as `MindSpore` does.
pub(super) fn told(groups: &[JobGroup], stage_of: &[Option<u32>], strategy: Option<&ParallelStrategy>) -> Spread {
    let mut found: BTreeMap<ParallelKind, (u64, ParallelSource)> = BTreeMap::new();
    for group in groups {
        if let Some((kind, source)) = group.parallel {
            let (size, _) = found.entry(kind).or_insert((0, source));
            *size = (*size).max(group.size);
        }
    }
    if let Some(last) = stage_of.iter().flatten().max() {
        let by_groups = found.get(&ParallelKind::Pipeline).map(|(_, source)| *source);
        let by_strategy = strategy.filter(|strategy| strategy.stages.len() > 1);
        let source = by_strategy.map(|_| ParallelSource::Strategy).or(by_groups).unwrap_or(ParallelSource::Shape);
        let stages = by_strategy.map_or(u64::from(*last) + 1, |strategy| strategy.stages.len() as u64);
        found.insert(ParallelKind::Pipeline, (stages, source));
    }
    if let Some((kind, size)) = strategy.and_then(ParallelStrategy::within_stages) {
        found.entry(kind).or_insert((size, ParallelSource::Strategy));
    }
    found.into_iter().map(|(kind, (size, source))| (kind, size, source)).collect()
}
