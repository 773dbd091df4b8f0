//! Warnings about ranks that belong together.

use std::collections::BTreeSet;

use super::clock::{Clocks, RankClock};
use super::clock_correction;
use super::digest::RankDigest;
use super::left_out::LeftOut;
use super::matching::Matching;
use super::replay::ComparableSteps;
use super::rows::RankRow;

/// Kind of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobCode {
    /// Some ranks of the job are missing: waiting for them looks like being slow.
    MissingRanks,
    /// A rank's number occurs again: only the first of these is compared.
    RepeatedRank,
    /// Ranks have different numbers of collectives of a kind in a step: these were not matched.
    UnequalCounts,
    /// Some collectives lack the part of a present rank: its profiler began later or ended earlier.
    MissingParts,
    /// The numbers of collectives restart: the job was restarted while it was recorded.
    Restart,
    /// Collectives that match by order have no common moment: they were left out.
    NoCommonMoment,
    /// The absolute times of the traces contradict the collectives, which set the clocks.
    ImplausibleClock,
    /// A rank has nothing in common with the others that would show its clock's offset.
    UnknownClock,
    /// A rank's clock drifts.
    ClockDrift,
    /// A rank's clock jumps.
    ClockJump,
    /// The clock of one of two ranks drifts, and no third rank shows which.
    OneClockDrifts,
    /// The clock of one of two such ranks jumps.
    OneClockJumps,
    /// A rank's clock jumps in a step, which is left out of all comparisons.
    StepsLeftOut,
    /// A rank lacks collectives of steps in which others have them: its own time is unknown in these.
    LackingParts,
    /// Ranks that wait for each other share no step: the possible gain may be larger than shown.
    NoCommonStep,
    /// Traces are no ranks of the job that most of them belong to: these are not compared.
    NotOfJob,
}

impl JobCode {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::MissingRanks,
        Self::RepeatedRank,
        Self::UnequalCounts,
        Self::MissingParts,
        Self::Restart,
        Self::NoCommonMoment,
        Self::ImplausibleClock,
        Self::UnknownClock,
        Self::ClockDrift,
        Self::ClockJump,
        Self::OneClockDrifts,
        Self::OneClockJumps,
        Self::StepsLeftOut,
        Self::LackingParts,
        Self::NoCommonStep,
        Self::NotOfJob,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MissingRanks => "missing_ranks",
            Self::RepeatedRank => "repeated_rank",
            Self::UnequalCounts => "unequal_counts",
            Self::MissingParts => "missing_parts",
            Self::Restart => "restart",
            Self::NoCommonMoment => "no_common_moment",
            Self::ImplausibleClock => "implausible_clock",
            Self::UnknownClock => "unknown_clock",
            Self::ClockDrift => "clock_drift",
            Self::ClockJump => "clock_jump",
            Self::OneClockDrifts => "one_clock_drifts",
            Self::OneClockJumps => "one_clock_jumps",
            Self::StepsLeftOut => "steps_left_out",
            Self::LackingParts => "lacking_parts",
            Self::NoCommonStep => "no_common_step",
            Self::NotOfJob => "not_of_job",
        }
    }
}

/// One kind of warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobWarning {
    /// Its kind.
    pub code: JobCode,
    /// Number of its occurrences, or of ranks.
    pub count: u64,
    /// The ranks that it is about, where it is about some of them.
    pub ranks: Vec<u64>,
    /// The steps that it is about, with their rank, where it is about such.
    pub steps: Vec<(u64, String)>,
}

/// Facts that warnings are made from.
pub(super) struct JobFacts<'a> {
    pub(super) matching: &'a Matching,
    pub(super) clocks: &'a Clocks,
    /// Number of collectives without a common moment.
    pub(super) apart: u64,
    pub(super) left_out: &'a LeftOut,
    pub(super) wanted: &'a ComparableSteps<'a>,
}

/// All warnings, in the order of [`JobCode`].
pub(super) fn warnings(ranks: &[RankDigest], rows: &[RankRow], told: &JobFacts<'_>) -> Vec<JobWarning> {
    let JobFacts { matching, clocks, apart, left_out, wanted } = *told;
    let mut found = Vec::new();
    let mut add_steps = |code: JobCode, count: u64, ranks: Vec<u64>, steps: Vec<(u64, String)>| {
        if count > 0 {
            found.push(JobWarning { code, count, ranks, steps });
        }
    };
    let mut add = |code: JobCode, count: u64, ranks: Vec<u64>| add_steps(code, count, ranks, Vec::new());
    let mut here = BTreeSet::new();
    let repeated: Vec<u64> = ranks.iter().map(|rank| rank.rank).filter(|rank| !here.insert(*rank)).collect();
    let world = ranks.iter().filter_map(|rank| rank.world_size).max().unwrap_or_default();
    add(JobCode::MissingRanks, world.saturating_sub(here.len() as u64), Vec::new());
    add(JobCode::RepeatedRank, repeated.len() as u64, repeated);
    if here.len() < 2 {
        return found;
    }
    // A rank with tables alone has no moments that a clock could place.
    let has_moments = |rank: &usize| ranks[*rank].recorded.is_none();
    add(JobCode::UnequalCounts, matching.uneven, Vec::new());
    add(JobCode::MissingParts, matching.incomplete, Vec::new());
    add(JobCode::Restart, matching.restarts, Vec::new());
    add(JobCode::NoCommonMoment, apart, Vec::new());
    add(JobCode::ImplausibleClock, u64::from(clocks.implausible), Vec::new());
    let unknown = (0..ranks.len()).filter(has_moments).filter(|rank| !clocks.joined(*rank));
    let unknown: Vec<u64> = unknown.map(|rank| ranks[rank].rank).collect();
    add(JobCode::UnknownClock, unknown.len() as u64, unknown);
    let pairs = clock_correction::joined(ranks.len(), matching).pairs();
    // Two clocks differ, and no third one shows which is right; a clock that goes back is wrong in any case.
    let parts = |is_such: fn(&RankClock) -> bool| {
        let is_open = |rank: usize| {
            let is_such = |of: &usize| is_such(&clocks.ranks[*of]) && !clocks.ranks[*of].goes_back;
            pairs.iter().any(|pair| pair.contains(&rank) && pair.iter().all(is_such))
        };
        let indices = (0..ranks.len()).filter(has_moments).filter(|rank| is_such(&clocks.ranks[*rank]));
        let (open, told): (Vec<usize>, Vec<usize>) = indices.partition(|rank| is_open(*rank));
        [told, open].map(|some| some.into_iter().map(|rank| ranks[rank].rank).collect::<Vec<u64>>())
    };
    let [drifts, one_drifts] = parts(|clock| clock.drifts() && !clock.jumps() && !clock.goes_back);
    let [jumps, one_jumps] = parts(|clock| clock.jumps() || clock.goes_back);
    add(JobCode::ClockDrift, drifts.len() as u64, drifts);
    add(JobCode::ClockJump, jumps.len() as u64, jumps);
    add(JobCode::OneClockDrifts, one_drifts.len() as u64 >> 1, one_drifts);
    add(JobCode::OneClockJumps, one_jumps.len() as u64 >> 1, one_jumps);
    let lacking = || rows.iter().filter(|row| row.own_steps < row.steps && !row.repeated);
    let without: u64 = lacking().map(|row| row.steps - row.own_steps).sum();
    let lacking: Vec<u64> = lacking().map(|row| row.rank).collect();
    let apart = wanted.apart();
    let apart: Vec<u64> = (0..ranks.len()).filter(|rank| apart.contains(rank)).map(|rank| ranks[rank].rank).collect();
    let left_out = left_out.named(ranks);
    add_steps(JobCode::StepsLeftOut, left_out.len() as u64, Vec::new(), left_out);
    add_steps(JobCode::LackingParts, without, lacking, Vec::new());
    add_steps(JobCode::NoCommonStep, apart.len() as u64, apart, Vec::new());
    found
}
