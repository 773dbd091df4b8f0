//! Stages of a pipeline: as given or recorded, else by the messages between ranks.

use std::collections::{BTreeMap, BTreeSet};

use super::digest::RankDigest;
use super::groups::JobGroup;
use super::matching::Matching;
use super::parallel::ParallelGrid;
use super::parallel_kind::{ParallelKind, ParallelSource};

/// The stages of a job.
#[derive(Debug, Default)]
pub(super) struct Stages {
    /// By rank, by index: its stage from 0; none if the job has no pipeline.
    pub(super) of_ranks: Vec<Option<u32>>,
    /// Number of stages.
    pub(super) count: u64,
    /// Whether that number is the whole job's, not that of the present ranks alone.
    pub(super) is_told: bool,
}

/// The stages: as the user gives them, else by `MindSpore`'s `parallel_strategy`, else by the messages between ranks.
///
/// Ranks that send to each other in groups for pipelines make a chain, or a ring where the last stage sends to the
/// first one. A chain begins at its end with the smaller number, a ring at its smallest. Other shapes are no pipeline.
/// If ranks of a chain are missing, the group's list of ranks has all stages in their order.
pub(super) fn stages(
    ranks: &[RankDigest],
    groups: &[JobGroup],
    matching: &Matching,
    given: Option<&ParallelGrid>,
) -> Stages {
    if let Some(grid) = given {
        let size = grid.sizes().find(|(kind, _)| *kind == ParallelKind::Pipeline).map(|(_, size)| size);
        let stage = |rank: u64| grid.place(rank, ParallelKind::Pipeline).and_then(|stage| u32::try_from(stage).ok());
        let of_ranks = ranks.iter().map(|rank| stage(rank.rank).filter(|_| size.is_some())).collect();
        return Stages { of_ranks, count: size.unwrap_or_default(), is_told: true };
    }
    // One rank's strategy is that of all.
    let strategy = ranks.iter().find_map(|rank| rank.strategy.as_ref());
    let told: Vec<Option<u32>> = ranks.iter().map(|rank| strategy?.stage_of(rank.rank)).collect();
    if told.iter().any(Option::is_some) {
        let count = strategy.map_or(0, |strategy| strategy.stages.len() as u64);
        return Stages { of_ranks: told, count, is_told: true };
    }
    let neighbours = neighbours(groups, matching);
    let mut stages = chains(&neighbours);
    let here: BTreeSet<u64> = ranks.iter().map(|rank| rank.rank).collect();
    let world = ranks.iter().filter_map(|rank| rank.world_size).max().unwrap_or_default().max(here.len() as u64);
    let mut is_told = here.len() as u64 == world;
    for group in groups.iter().filter(|group| is_whole_pipeline(group, &here, world, &neighbours)) {
        is_told = true;
        stages.extend(group.ranks.iter().copied().zip(0..));
    }
    Stages {
        of_ranks: ranks.iter().map(|rank| stages.get(&rank.rank).copied()).collect(),
        count: if here.iter().any(|rank| stages.contains_key(rank)) {
            stages.values().max().map_or(0, |last| u64::from(*last) + 1)
        } else {
            0
        },
        is_told,
    }
}

/// The ranks with which each rank exchanges messages of a pipeline.
fn neighbours(groups: &[JobGroup], matching: &Matching) -> BTreeMap<u64, BTreeSet<u64>> {
    let mut neighbours: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for of in &matching.collectives {
        let is_pipeline = groups[of.group].parallel.is_none_or(|(kind, _)| kind == ParallelKind::Pipeline);
        if let Some([from, to]) = of.link.filter(|[from, to]| from != to && is_pipeline) {
            neighbours.entry(from).or_default().insert(to);
            neighbours.entry(to).or_default().insert(from);
        }
    }
    neighbours
}

/// By rank: its stage in the chain or ring that it is a part of.
fn chains(neighbours: &BTreeMap<u64, BTreeSet<u64>>) -> BTreeMap<u64, u32> {
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
        // The way branches: no chain.
        if neighbours[&at].len() > 2 {
            stages.retain(|rank, _| !chain.contains(rank));
        }
    }
    stages
}

/// Whether a group's list is a whole pipeline of which ranks are missing. It is one for pipelines, but not all of the
/// job by its shape alone, and its ranks send only to those before and after them.
fn is_whole_pipeline(
    group: &JobGroup,
    here: &BTreeSet<u64>,
    world: u64,
    neighbours: &BTreeMap<u64, BTreeSet<u64>>,
) -> bool {
    let is_such = match group.parallel {
        Some((ParallelKind::Pipeline, ParallelSource::Shape)) => group.size < world,
        Some((ParallelKind::Pipeline, _)) => true,
        _ => false,
    };
    if !is_such || !group.told || group.ranks.iter().all(|rank| here.contains(rank)) {
        return false;
    }
    let place = |rank: &u64| group.ranks.iter().position(|one| one == rank);
    let last = group.ranks.len().saturating_sub(1);
    group.ranks.iter().enumerate().all(|(at, rank)| {
        let others = neighbours.get(rank).into_iter().flatten();
        let distances = others.map(|other| place(other).map(|other| other.abs_diff(at)));
        distances.into_iter().all(|distance| distance == Some(1) || distance == Some(last))
    })
}
