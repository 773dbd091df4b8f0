//! A job's ranks together: clocks, collectives, links, stages and stragglers. METRICS section 8.
//!
//! ```text
//! Trace + Analysis ──► RankDigest ─┐            ┌► clocks ► collectives, links
//!                       …          ├► matching ─┤
//! Trace + Analysis ──► RankDigest ─┘            └► ranks, stages ► stragglers, by replay
//! ```
//!
//! A rank is digested as soon as it is read, so that its trace can be dropped. Cost is linear in the number of parts of
//! collectives, but for the sorting of starts.

mod clock;
mod clock_correction;
mod clock_evidence;
mod clocks;
mod digest;
mod drill_down;
mod fingerprint;
mod groups;
mod inserted;
mod left_out;
mod matching;
mod operation;
mod outliers;
mod parallel;
mod parallel_kind;
mod parallel_layout;
mod parallel_table;
mod peers;
mod progress;
mod rank_table;
mod recorded;
mod relation;
mod replay;
mod row_source;
mod rows;
mod stages;
mod straggler_table;
mod stragglers;
mod tables;
mod tasks;
#[cfg(test)]
mod tests;
mod together;
mod verdict;
mod waiting;
mod warnings;

pub use self::clock::{ClockCorrection, ClockSource, Clocks, RankClock};
pub(crate) use self::digest::folder_of;
pub use self::digest::{CollectivePart, DigestGroup, NO_STEP, RankDigest, StepDigest, StepGap};
pub use self::drill_down::{
    DrillDownHint, DrillDownKind, DrillDownLook, DrillDownMetric, DrillDownNumber, DrillDownStep, drill_down,
};
pub use self::fingerprint::Fingerprint;
pub use self::groups::{GroupTable, JobGroup};
pub use self::inserted::InsertedCollectives;
pub use self::matching::{Matched, MatchedBy, Matching, PartOf};
pub use self::operation::CollectiveKind;
pub(crate) use self::operation::collective_of;
pub use self::outliers::OutlierRule;
pub use self::parallel::{GridFault, ParallelGrid, ParallelStrategy};
pub use self::parallel_kind::{ParallelKind, ParallelSource};
pub use self::parallel_layout::Shared;
pub use self::parallel_table::CutTable;
pub use self::peers::{Peer, PeerPart, Peers};
pub use self::rank_table::RankTable;
pub use self::recorded::{RecordedRank, RecordedTimes};
pub use self::relation::{Apart, ApartReason, Relation};
pub use self::row_source::RowSource;
pub use self::rows::{Between, Mark, RankRow, StageRow, StageTable, Waiting};
pub use self::straggler_table::StragglerTable;
pub use self::stragglers::{LongerCompute, SlowAlone, Straggler, StragglerCause, StragglerPlace};
pub use self::tables::{
    CollectiveContext, CollectiveRow, CollectiveSums, CollectiveTable, CollectiveTimes, JobLink, LinkTable,
};
pub use self::tasks::CollectiveTasks;
pub use self::verdict::{Coverage, StragglerVerdict};
pub use self::waiting::TransferAlone;
pub use self::warnings::{JobCode, JobWarning};

use self::clocks::{Settled, settle};
use self::left_out::LeftOut;
use self::replay::ComparableSteps;
use self::stragglers::Evidence;
use self::together::Joined;
use stepscope_base::{CompactSort as _, Nanos};

/// The results of a job's ranks together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    /// The number of ranks of the job, by their traces; fewer may be present.
    pub world_size: u64,
    /// The ranks, in the order in which they were given.
    pub ranks: Vec<RankRow>,
    /// Their clocks.
    pub clocks: Clocks,
    /// The process groups that are used.
    pub groups: Vec<JobGroup>,
    /// The parallel layout: the size of the largest group of each kind, or as the user gives it.
    pub parallel: Vec<Shared>,
    /// The layout by the traces, if the user gives one.
    pub parallel_told: Option<Vec<Shared>>,
    /// The layout by `MindSpore`, if it has one.
    pub strategy: Option<ParallelStrategy>,
    /// The stages of the pipeline; none if there is no pipeline.
    pub stages: Vec<StageRow>,
    /// The matching of parts to collectives.
    pub matching: Matching,
    /// By collective: its times; none for those with a single part.
    pub times: Vec<Option<CollectiveTimes>>,
    /// By rank: the time of its communication without waiting for others.
    pub transfers: Vec<TransferAlone>,
    /// Collectives by operation, then by operation and group.
    pub collectives: Vec<CollectiveRow>,
    /// Links between two ranks.
    pub links: Vec<JobLink>,
    /// The stragglers, the most gain first.
    pub stragglers: Vec<Straggler>,
    /// The ranks that are slow on their own and delay no others.
    pub slow_alone: Vec<SlowAlone>,
    /// Time by which a step would be shorter without all of that; none if there is nothing, or the time is unknown.
    pub gain: Option<Nanos>,
    /// Whether stragglers can be found.
    pub verdict: StragglerVerdict,
    /// The part of the job that this covers.
    pub coverage: Coverage,
    /// Whether these are ranks of one job, and which are not.
    pub relation: Relation,
    /// The warnings.
    pub warnings: Vec<JobWarning>,
}

impl StragglerPlace {
    /// The ranks that it is about.
    #[must_use]
    pub fn ranks(self, job: &Job) -> Vec<u64> {
        self.ranks_of(&job.groups, &job.stages)
    }
}

impl Job {
    /// Whether most of these are ranks of one job. Others have no results together but their clocks.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.relation.is_job
    }

    /// The ranks that the job's averages are over: those with the best source of times of any rank. Ranks with tables
    /// or steps alone are not averaged with ranks whose events were recorded.
    pub fn averaged(&self) -> impl Iterator<Item = &RankRow> {
        let compared = || self.ranks.iter().filter(|row| row.is_compared());
        let best = compared().map(|row| row.source).min();
        compared().filter(move |row| Some(row.source) == best)
    }

    /// Whether a rank is one of [`Self::averaged`].
    #[must_use]
    pub fn is_averaged(&self, row: &RankRow) -> bool {
        row.is_compared() && !self.is_aside(row)
    }

    /// Whether a rank is compared with others, and yet not averaged with them.
    #[must_use]
    pub fn is_aside(&self, row: &RankRow) -> bool {
        row.is_compared() && self.averaged().next().is_some_and(|best| best.source != row.source)
    }

    /// The ranks with [`LongerCompute`] where no straggler is found; none if there is no such rank.
    #[must_use]
    pub fn longer_compute(&self) -> Option<LongerCompute> {
        if self.verdict != StragglerVerdict::None {
            return None;
        }
        let excess = |row: &RankRow, column| row.marks.iter().find(|mark| mark.column == column).map(|mark| mark.by);
        let is_equal = |row: &&RankRow| row.own.is_some() && excess(row, "own").is_none();
        let rows = self.averaged().filter(is_equal);
        let mut found: Vec<(f64, u64)> =
            rows.filter_map(|row| Some((excess(row, "compute").filter(|by| *by > 0.0)?, row.rank))).collect();
        found.compact_sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let (by, _) = *found.first()?;
        Some(LongerCompute { ranks: found.into_iter().map(|(_, rank)| rank).collect(), by })
    }

    /// The clocks of some ranks, given by their rows in the job, where they have one.
    #[must_use]
    pub fn clocks_of(&self, rows: impl IntoIterator<Item = Option<usize>>) -> Vec<Option<RankClock>> {
        rows.into_iter().map(|row| self.clocks.ranks.get(row?).copied()).collect()
    }
}

/// The user's choices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobConfig {
    /// The parallel layout, if the traces lack it or are wrong. It is not used if its number of ranks is not the job's.
    pub parallel: Option<ParallelGrid>,
}

/// Compares the ranks of a job by their traces.
///
/// ```
/// use stepscope::analyze::{RankDigest, job};
///
/// let alone = RankDigest { rank: 3, world_size: Some(8), ..RankDigest::default() };
/// let job = job(&[alone]);
/// assert_eq!((job.world_size, job.ranks[0].rank, job.stragglers.len()), (8, 3, 0));
/// assert_eq!(job.warnings[0].code.name(), "missing_ranks");
/// ```
#[must_use]
pub fn job(ranks: &[RankDigest]) -> Job {
    job_as(ranks, &JobConfig::default())
}

/// The same with the user's choices. Traces that are no ranks of the job that most belong to are not compared.
#[must_use]
pub fn job_as(ranks: &[RankDigest], config: &JobConfig) -> Job {
    let relation = Relation::of(ranks);
    let strangers = relation.strangers(ranks);
    if strangers.is_empty() {
        return Job { relation, ..job_of(ranks, config) };
    }
    let members: Vec<usize> = (0..ranks.len()).filter(|rank| !strangers.contains_key(rank)).collect();
    let digests: Vec<RankDigest> = members.iter().map(|rank| ranks[*rank].clone()).collect();
    let mut job = job_of(&digests, config);
    job.matching.renumber(&members);
    let numbers = strangers.keys().map(|rank| ranks[*rank].rank).collect();
    let (count, steps) = (strangers.len() as u64, Vec::new());
    job.warnings.push(JobWarning { code: JobCode::NotOfJob, count, ranks: numbers, steps });
    for (rank, reason) in strangers {
        // In the order of their indices, so that each is inserted at its own.
        let row = rows::rank_row(ranks, rank, &LeftOut::default(), None);
        job.ranks.insert(rank, RankRow { apart: Some(reason), ..row });
        job.clocks.ranks.insert(rank, RankClock::default());
        job.transfers.insert(rank, TransferAlone::default());
    }
    Job { relation, ..job }
}

/// The results of ranks of one job.
fn job_of(ranks: &[RankDigest], config: &JobConfig) -> Job {
    let told = ranks.iter().filter_map(|rank| rank.world_size).max();
    let fits = |grid: &&ParallelGrid| {
        ranks.iter().all(|rank| rank.rank < grid.ranks()) && told.is_none_or(|size| size == grid.ranks())
    };
    let given = config.parallel.as_ref().filter(fits);
    let strategy = ranks.iter().find_map(|rank| rank.strategy.as_ref());
    let by_strategy = || strategy.map(ParallelStrategy::ranks);
    let world_size = told.or(given.map(ParallelGrid::ranks)).or_else(by_strategy).unwrap_or_default();
    let groups = groups::JobGroups::of(ranks, given);
    let Settled { matching, clocks, apart } = settle(ranks, &groups);
    let left_out = LeftOut::of(ranks, &groups, &clocks);
    let groups = groups.list;
    let times: Vec<Option<CollectiveTimes>> =
        matching.collectives.iter().map(|of| tables::times_of(ranks, &clocks, &matching, of)).collect();
    let collectives = tables::collectives(ranks, &groups, &matching, &times);
    let links = tables::links(ranks, &matching, &times);
    let found_stages = stages::stages(ranks, &groups, &matching, given);
    let mut rows: Vec<RankRow> =
        (0..).zip(&found_stages.of_ranks).map(|(rank, stage)| rows::rank_row(ranks, rank, &left_out, *stage)).collect();
    let mut numbers = std::collections::BTreeSet::new();
    let votes = stragglers::votes(ranks, &matching, &left_out);
    let transfers = TransferAlone::of(ranks, &clocks, &matching, &times, &left_out);
    for ((row, votes), transfer) in rows.iter_mut().zip(&votes).zip(&transfers) {
        [row.votes, row.voted] = votes.counts;
        row.tell_waiting(transfer);
        row.repeated = !numbers.insert(row.rank);
    }
    rows::mark(&mut rows);
    let stages = rows::stage_rows(&rows);
    let together = Joined::by_waiting(ranks, &matching, &left_out);
    let wanted = ComparableSteps::of(ranks, &rows, &left_out, &together);
    let evidence = Evidence {
        ranks,
        rows: &rows,
        votes: &votes,
        stages: &stages,
        groups: &groups,
        matching: &matching,
        times: &times,
        collectives: &collectives,
        links: &links,
        clocks: &clocks,
        left_out: &left_out,
        together: &together,
        wanted: &wanted,
    };
    let (stragglers, gain, slow_alone) = stragglers::stragglers(&evidence);
    let coverage = Coverage::of(ranks, &rows, &matching, &together);
    let verdict = StragglerVerdict::of(&stragglers, &rows, &coverage);
    let odd = warnings::JobFacts { matching: &matching, clocks: &clocks, apart, left_out: &left_out, wanted: &wanted };
    let warnings = warnings::warnings(ranks, &rows, &odd);
    let is_missing = told.is_some_and(|size| size > numbers.len() as u64);
    let parallel_told = given.map(|_| {
        let groups = groups::JobGroups::of(ranks, None).list;
        parallel_layout::told(&groups, &stages::stages(ranks, &groups, &matching, None), strategy, is_missing)
    });
    let parallel = match given {
        Some(grid) => parallel_layout::given(grid),
        None => parallel_layout::told(&groups, &found_stages, strategy, is_missing),
    };
    Job {
        world_size: world_size.max(numbers.len() as u64),
        warnings,
        ranks: rows,
        clocks,
        groups,
        parallel,
        parallel_told,
        strategy: strategy.cloned(),
        stages,
        matching,
        times,
        transfers,
        collectives,
        links,
        stragglers,
        slow_alone,
        gain,
        verdict,
        coverage,
        relation: Relation::default(),
    }
}
