//! What is odd about ranks that belong together.

use std::collections::BTreeSet;

use super::clocks::{ClockSource, Clocks};
use super::digest::RankDigest;
use super::matching::Matching;

/// What was odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobCode {
    /// Ranks of the job are not here: who waits for them cannot be told from who is slow.
    MissingRanks,
    /// A rank's number occurs again: only the first of these takes part in what is compared.
    RepeatedRank,
    /// Ranks differ in how many collectives of a kind they have in a step: these were not matched.
    UnequalCounts,
    /// Of some collectives a rank that is here has no part: its profiler began later or ended earlier.
    MissingParts,
    /// The numbers of collectives begin anew: the job was restarted while it was recorded.
    Restart,
    /// What was matched by its order has no moment in common: it was left out.
    NoCommonMoment,
    /// The absolute times of the traces contradict the collectives: clocks were set by these.
    ImplausibleClock,
    /// A rank has nothing in common with the others that would tell how its clock differs.
    UnknownClock,
    /// A rank's clock runs away from the others.
    ClockDrift,
    /// A rank's clock jumps.
    ClockJump,
    /// There are two ranks, and one's clock runs away from the other's.
    OneClockDrifts,
    /// There are two ranks, and one's clock jumps.
    OneClockJumps,
}

impl JobCode {
    /// All of them.
    pub const ALL: [Self; 12] = [
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
        }
    }

    /// One sentence for a person.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::MissingRanks => "Ranks of the job are not here: who waits for them cannot be told from who is slow.",
            Self::RepeatedRank => "A rank's number occurs again: only the first of these is matched with others.",
            Self::UnequalCounts => {
                "Ranks differ in how many collectives of a kind they have in a step: these parts were not matched."
            }
            Self::MissingParts => "Of some collectives a rank that is here has no part.",
            Self::Restart => "The numbers of collectives begin anew: the job was restarted while it was recorded.",
            Self::NoCommonMoment => {
                "Collectives that were matched by their order have no moment in common: they were left out."
            }
            Self::ImplausibleClock => {
                "The absolute times of the traces contradict the collectives, which set the clocks."
            }
            Self::UnknownClock => "Nothing tells how a rank's clock differs from the others'.",
            Self::ClockDrift => "A rank's clock runs away from the others.",
            Self::ClockJump => "A rank's clock jumps.",
            Self::OneClockDrifts => {
                "The clocks of two ranks run apart: one of the two drifts, and nothing tells which."
            }
            Self::OneClockJumps => "The clock of one of two ranks jumps, and nothing tells which.",
        }
    }
}

/// One kind of oddity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobWarning {
    /// What was odd.
    pub code: JobCode,
    /// How often, or of how many ranks.
    pub count: u64,
    /// The ranks that it is about, where it is about some of them.
    pub ranks: Vec<u64>,
}

/// Everything odd, in the order of [`JobCode`]. `apart` is how many collectives have no moment in common.
pub(super) fn warnings(ranks: &[RankDigest], matching: &Matching, clocks: &Clocks, apart: u64) -> Vec<JobWarning> {
    let mut found = Vec::new();
    let mut add = |code: JobCode, count: u64, ranks: Vec<u64>| {
        if count > 0 {
            found.push(JobWarning { code, count, ranks });
        }
    };
    let mut here = BTreeSet::new();
    let repeated: Vec<u64> = ranks.iter().map(|rank| rank.rank).filter(|rank| !here.insert(*rank)).collect();
    let world = ranks.iter().filter_map(|rank| rank.world_size).max().unwrap_or_default();
    add(JobCode::MissingRanks, world.saturating_sub(here.len() as u64), Vec::new());
    add(JobCode::RepeatedRank, repeated.len() as u64, repeated);
    if here.len() < 2 {
        return found;
    }
    // What there are only tables of has no moments that a clock could place.
    let such = |is_such: &dyn Fn(&super::clocks::RankClock) -> bool| -> Vec<u64> {
        let of = ranks.iter().zip(&clocks.ranks).filter(|(rank, clock)| rank.recorded.is_none() && is_such(clock));
        of.map(|(rank, _)| rank.rank).collect()
    };
    add(JobCode::UnequalCounts, matching.uneven, Vec::new());
    add(JobCode::MissingParts, matching.incomplete, Vec::new());
    add(JobCode::Restart, matching.restarts, Vec::new());
    add(JobCode::NoCommonMoment, apart, Vec::new());
    add(JobCode::ImplausibleClock, u64::from(clocks.implausible), Vec::new());
    let unknown = such(&|clock| clock.source == ClockSource::Unknown);
    add(JobCode::UnknownClock, unknown.len() as u64, unknown);
    let drifting = such(&|clock| clock.drifts() && !clock.jumps());
    let jumping = such(&|clock| clock.jumps());
    // Two clocks differ from each other, and no third one tells which is right.
    let each = [
        (JobCode::ClockDrift, JobCode::OneClockDrifts, drifting),
        (JobCode::ClockJump, JobCode::OneClockJumps, jumping),
    ];
    for (code, one_of_two, ranks) in each {
        if ranks.len() == 2 && here.len() == 2 {
            add(one_of_two, 1, ranks);
        } else {
            add(code, ranks.len() as u64, ranks);
        }
    }
    found
}
