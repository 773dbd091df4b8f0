//! Steps that are no evidence of a rank's work: its clock jumps in them, or its trace lacks collectives of them.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::clock::{ClockCorrection, Clocks, SLACK};
use super::digest::{CollectivePart, RankDigest, StepDigest};
use super::groups::JobGroups;
use super::matching::{Matched, Matching};
use super::operation::CollectiveKind;
use super::tables::part_of;
use crate::mean;
use stepscope_base::{Interval, Nanos};

/// Steps by their rank, both by index.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// Steps in which the clock jumps: none of their times is right.
    spoiled: BTreeMap<usize, BTreeSet<usize>>,
    /// The times between which a clock jumps, and the size of the jump.
    jumps: BTreeMap<usize, (Interval, Nanos)>,
    /// Steps without collectives that other ranks have: the time of these seems to be the rank's own.
    lacking_parts: BTreeMap<usize, BTreeSet<usize>>,
}

impl LeftOut {
    pub(super) fn of(ranks: &[RankDigest], groups: &JobGroups, clocks: &Clocks) -> Self {
        let mut found = Self { lacking_parts: steps_lacking_parts(ranks, groups, clocks), ..Self::default() };
        for (rank, clock) in clocks.ranks.iter().enumerate() {
            let mut steps = match clock.bend {
                ClockCorrection::Jump { after, at, by } => {
                    let between = Interval { start: after, end: at };
                    found.jumps.insert(rank, (between, by));
                    steps_spoiled(&ranks[rank], between, by, clock.goes_back)
                }
                // The time of the jump is unknown.
                _ if clock.goes_back => (0..ranks[rank].steps.len()).collect(),
                _ => continue,
            };
            if clock.goes_back {
                steps.extend(found.lacking_parts.get(&rank).into_iter().flatten());
            }
            if !steps.is_empty() {
                found.spoiled.insert(rank, steps);
            }
        }
        found
    }

    /// Whether a rank's clock jumps in a step.
    pub(super) fn is_spoiled(&self, rank: usize, step: usize) -> bool {
        self.spoiled.get(&rank).is_some_and(|steps| steps.contains(&step))
    }

    /// Whether a step does not show the rank's own time.
    pub(super) fn lacks(&self, rank: usize, step: usize) -> bool {
        self.lacking_parts.get(&rank).is_some_and(|steps| steps.contains(&step))
    }

    /// Whether a rank's clock jumps somewhere.
    pub(super) fn jumps(&self, rank: usize) -> bool {
        self.jumps.contains_key(&rank) || self.spoiled.contains_key(&rank)
    }

    /// Whether a rank's clock jumps in a part of its time.
    pub(super) fn jumps_in(&self, rank: usize, span: Interval) -> bool {
        self.jumps.get(&rank).is_some_and(|(between, by)| holds(span, *between, *by))
    }

    /// The steps of a rank that enter averages, by their index.
    pub(super) fn counted<'a>(
        &'a self,
        ranks: &'a [RankDigest],
        rank: usize,
    ) -> impl Iterator<Item = (usize, &'a StepDigest)> {
        ranks[rank].counted().filter(move |(step, _)| !self.is_spoiled(rank, *step))
    }

    /// The steps among them that show the rank's own time.
    pub(super) fn counted_whole<'a>(
        &'a self,
        ranks: &'a [RankDigest],
        rank: usize,
    ) -> impl Iterator<Item = (usize, &'a StepDigest)> {
        self.counted(ranks, rank).filter(move |(step, _)| !self.lacks(rank, *step))
    }

    /// Whether all parts of a collective are in steps that count; without marked steps, all do.
    pub(super) fn counts(&self, ranks: &[RankDigest], matching: &Matching, of: &Matched) -> bool {
        matching.parts(of).iter().all(|part| self.counts_part(ranks, part.rank as usize, part_of(ranks, *part)))
    }

    /// The same for a part alone.
    pub(super) fn counts_part(&self, ranks: &[RankDigest], index: usize, part: &CollectivePart) -> bool {
        let (rank, step) = (&ranks[index], part.step as usize);
        rank.steps.get(step).map_or(!rank.marked_steps, |of| of.counts && !self.is_spoiled(index, step))
    }

    /// Upper bound of the time that the steps in which a rank's clock jumps add to a mean over all of its steps that
    /// would count. An analysis of its trace alone does not know the jump.
    pub(super) fn added(&self, ranks: &[RankDigest], rank: usize) -> Nanos {
        let spoiled = ranks[rank].counted().filter(|(step, _)| self.is_spoiled(rank, *step));
        let lengths: Nanos = spoiled.map(|(_, step)| step.span.len()).sum();
        let most = self.jumps.get(&rank).map_or(lengths, |(_, by)| lengths.min(Nanos(by.0.saturating_abs())));
        mean(most, ranks[rank].counted().count() as u64)
    }

    /// The steps in which clocks jump and that would count, with their rank's number.
    pub(super) fn named(&self, ranks: &[RankDigest]) -> Vec<(u64, String)> {
        let of_rank = |(rank, steps): (&usize, &BTreeSet<usize>)| {
            let rank = &ranks[*rank];
            let counting = steps.iter().map(|step| &rank.steps[*step]).filter(|step| step.counts);
            counting.map(|step| (rank.rank, step.name.clone())).collect::<Vec<_>>()
        };
        self.spoiled.iter().flat_map(of_rank).collect()
    }
}

/// Whether a clock that goes forward between two times does so in a span: the skipped time is in there.
fn holds(span: Interval, between: Interval, by: Nanos) -> bool {
    let inside = span.end.min(between.end).0.saturating_sub(span.start.max(between.start).0);
    // The size of the jump is known no better.
    by > Nanos::ZERO && inside.saturating_add(SLACK.0.max(by.0 >> 3)) >= by.0
}

/// The steps in which a clock jumps.
fn steps_spoiled(rank: &RankDigest, between: Interval, by: Nanos, goes_back: bool) -> BTreeSet<usize> {
    let steps = || rank.steps.iter().enumerate();
    if by > Nanos::ZERO && goes_back {
        // Later events have earlier times; the step of the jump is the last by time.
        return steps().max_by_key(|(_, step)| step.span.start).map(|(index, _)| index).into_iter().collect();
    }
    // A clock that goes back has the same times twice, before or after the place that divides both best.
    let over = if goes_back { by.0.saturating_neg() } else { 0 };
    let next = rank.parts.iter().map(|part| part.span.end).filter(|end| *end > between.start).min();
    let first = between.start.0.saturating_sub(over);
    let last = next.unwrap_or(between.end).0.saturating_add(over);
    let is_such = |span: Interval| {
        if by > Nanos::ZERO { holds(span, between, by) } else { span.start.0 <= last && span.end.0 >= first }
    };
    // Without marked steps none would be left: a small jump is tolerated.
    let spoils = |step: &StepDigest| {
        rank.marked_steps || by.0.unsigned_abs().saturating_mul(100) > step.span.len().0.unsigned_abs()
    };
    steps().filter(|(_, step)| spoils(step) && is_such(step.span)).map(|(index, _)| index).collect()
}

/// The steps of which a rank lacks collectives that others have in their steps of that name: in groups whose ranks are
/// listed, for operations in which all of these take part.
fn steps_lacking_parts(ranks: &[RankDigest], groups: &JobGroups, clocks: &Clocks) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut index_of: BTreeMap<u64, usize> = BTreeMap::new();
    let mut steps_of: Vec<HashMap<&str, usize, FxBuildHasher>> = Vec::with_capacity(ranks.len());
    // By group, operation and name of the step: the number of parts of each rank.
    let mut counts: BTreeMap<(usize, CollectiveKind, &str), BTreeMap<usize, u64>> = BTreeMap::new();
    for (index, rank) in ranks.iter().enumerate() {
        let is_compared = rank.marked_steps && *index_of.entry(rank.rank).or_insert(index) == index;
        let steps = rank.counted().filter(|_| is_compared).map(|(step, of)| (of.name.as_str(), step));
        steps_of.push(steps.collect());
        let mut own: HashMap<(usize, CollectiveKind, u32), u64, FxBuildHasher> = HashMap::default();
        for part in rank.parts.iter().filter(|part| is_compared && part.kind.synchronizes()) {
            let group = groups.of_rank[index][part.group as usize];
            if groups.list[group].told {
                *own.entry((group, part.kind, part.step)).or_default() += 1;
            }
        }
        for ((group, kind, step), count) in own {
            if let Some(step) = rank.steps.get(step as usize).filter(|step| step.counts) {
                *counts.entry((group, kind, &step.name)).or_default().entry(index).or_default() += count;
            }
        }
    }
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for ((group, _, name), of_ranks) in counts {
        // A clock that goes back moves collectives from step to step: others lack nothing because of that.
        let steady = of_ranks.iter().filter(|(rank, _)| !clocks.ranks[**rank].goes_back);
        let most = steady.map(|(_, count)| *count).max().unwrap_or_default();
        for index in groups.list[group].ranks.iter().filter_map(|number| index_of.get(number)) {
            let Some(step) = steps_of[*index].get(name) else { continue };
            if of_ranks.get(index).is_none_or(|count| *count < most) {
                found.entry(*index).or_default().insert(*step);
            }
        }
    }
    found
}
