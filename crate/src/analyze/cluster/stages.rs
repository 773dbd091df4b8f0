//! Stages of a pipeline: as they are told, else by who sends to whom.

use std::collections::{BTreeMap, BTreeSet};

use super::digest::RankDigest;
use super::groups::{JobGroup, ParallelKind};
use super::matching::Matching;
use super::parallel::ParallelGrid;

/// Per rank, by index, its stage from 0; none if the job has no pipeline. As a person says it, else `MindSpore`'s
/// `parallel_strategy`, else by who sends to whom.
///
/// Ranks that send to each other in groups for pipelines make a chain, or a ring where the last stage sends to the first
/// one. A chain begins at its end with the smaller number, a ring at its smallest. What is neither is no pipeline.
pub(super) fn stages(
    ranks: &[RankDigest],
    groups: &[JobGroup],
    matching: &Matching,
    given: Option<&ParallelGrid>,
) -> Vec<Option<u32>> {
    if let Some(grid) = given {
        let several = grid.sizes().any(|(kind, _)| kind == ParallelKind::Pipeline);
        let stage = |rank: u64| grid.place(rank, ParallelKind::Pipeline).and_then(|stage| u32::try_from(stage).ok());
        return ranks.iter().map(|rank| stage(rank.rank).filter(|_| several)).collect();
    }
    // One rank's tells of all.
    let strategy = ranks.iter().find_map(|rank| rank.strategy.as_ref());
    let told: Vec<Option<u32>> = ranks.iter().map(|rank| strategy?.stage_of(rank.rank)).collect();
    if told.iter().any(Option::is_some) {
        return told;
    }
    let mut neighbours: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for of in &matching.collectives {
        let is_pipeline = groups[of.group].parallel.is_none_or(|(kind, _)| kind == ParallelKind::Pipeline);
        if let Some([from, to]) = of.link.filter(|[from, to]| from != to && is_pipeline) {
            neighbours.entry(from).or_default().insert(to);
            neighbours.entry(to).or_default().insert(from);
        }
    }
    let mut stages: BTreeMap<u64, u32> = BTreeMap::new();
    let ends = neighbours.iter().filter(|(_, others)| others.len() == 1).map(|(rank, _)| *rank);
    let firsts: Vec<u64> = ends.chain(neighbours.keys().copied()).collect();
    for first in firsts {
        let (mut at, mut stage) = (first, 0);
        let mut chain = Vec::new();
        while !stages.contains_key(&at) && neighbours[&at].len() <= 2 {
            stages.insert(at, stage);
            chain.push(at);
            stage += 1;
            let Some(next) = neighbours[&at].iter().find(|rank| !stages.contains_key(*rank)) else { break };
            at = *next;
        }
        // Another way leads on: no chain.
        if neighbours[&at].len() > 2 {
            stages.retain(|rank, _| !chain.contains(rank));
        }
    }
    ranks.iter().map(|rank| stages.get(&rank.rank).copied()).collect()
}
