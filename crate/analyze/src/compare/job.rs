//! Comparison of two jobs: their steps, ranks and causes, as means over the ranks.

use super::causes::{CauseChange, Outcome, SideCauses, cause_changes, outcome};
use super::sides::Sides;
use crate::{BudgetMean, Job, JobBudget, Rank, RankRow, job_of, mean};
use stepscope_base::{CompactSort, Nanos};

/// One of two jobs, without its traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSide {
    /// The causes of lost time, as means over the ranks.
    pub causes: SideCauses,
    /// Number of ranks in these means.
    pub averaged: u64,
    /// Number of ranks of the job, of which some may not be open.
    pub world_size: u64,
    /// The ranks that the job's averages include, by their number.
    pub ranks: Vec<SideRank>,
}

/// A rank of one of two jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideRank {
    /// Its number.
    pub rank: u64,
    /// The mean length of its steps.
    pub step: Nanos,
    /// Its own time, with the time to the next step and without exposed communication; none where that is not known.
    pub own: Option<Nanos>,
}

impl JobSide {
    /// The job of ranks. None if they are not of one job, or fewer than two are averaged.
    #[must_use]
    pub fn of(ranks: &[Rank]) -> Option<Self> {
        let has_events = |rank: &&Rank| rank.trace.has_events();
        Self::of_job(&job_of(ranks)?, &ranks.iter().filter(has_events).collect::<Vec<_>>())
    }

    /// The same of a job that is known, with its ranks in the order of its rows. Without a device there is no step
    /// budget: causes are not known, and the length is the mean of the ranks' steps.
    #[must_use]
    pub fn of_job(job: &Job, ranks: &[&Rank]) -> Option<Self> {
        let averaged: Vec<&RankRow> = if job.is_one() { job.averaged().collect() } else { Vec::new() };
        if averaged.len() < 2 {
            return None;
        }
        let budgets: Vec<Option<&BudgetMean>> = ranks.iter().map(|rank| rank.step_budget()).collect();
        let budget = JobBudget::of(job, &budgets);
        let are_marked = match &budget {
            Some(budget) => budget.mean.are_marked,
            None => ranks.iter().all(|rank| rank.analysis.steps.source.is_marked()),
        };
        let mut causes = SideCauses::of_budget(budget.as_ref().map(|budget| &budget.mean), are_marked, ranks);
        if budget.is_none() {
            causes.length = mean(averaged.iter().map(|row| row.step).sum(), averaged.len() as u64);
        }
        let of = |row: &&RankRow| SideRank { rank: row.rank, step: row.step, own: row.own };
        Some(Self {
            causes,
            averaged: budget.map_or(averaged.len() as u64, |budget| budget.ranks),
            world_size: job.world_size,
            ranks: averaged.iter().map(of).collect(),
        })
    }
}

/// The change from one job to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobComparison {
    /// The mean window of the ranks.
    pub length: Sides<Nanos>,
    /// The causes of both, those that changed most first.
    pub causes: Vec<CauseChange>,
    /// Predicted and achieved saving, if a large cause of the first one is gone.
    pub outcome: Option<Outcome>,
    /// The ranks by their number; none on a side that lacks it.
    pub ranks: Vec<(u64, Sides<Option<SideRank>>)>,
}

/// Compares the second job with the first.
#[must_use]
pub fn compare_jobs(sides: Sides<&JobSide>) -> JobComparison {
    let causes = sides.map(|side| &side.causes);
    let changes = cause_changes(causes);
    let mut numbers: Vec<u64> = [sides.a, sides.b].iter().flat_map(|side| &side.ranks).map(|one| one.rank).collect();
    numbers.compact_sort();
    numbers.dedup();
    let find = |number: u64| sides.map(|side| side.ranks.iter().find(|one| one.rank == number).copied());
    JobComparison {
        length: causes.map(|side| side.length),
        outcome: outcome(causes, &changes),
        causes: changes,
        ranks: numbers.into_iter().map(|number| (number, find(number))).collect(),
    }
}
