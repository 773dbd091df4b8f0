//! The step budget of a job: the mean over its ranks, in which communication is split into transfer and waiting, and waiting is charged to
//! what is late. INSIGHT section 5.

use super::causes::{
    FirstLineFacts, LATE_MIXED, LISTED_SHARE, SITUATIONS, SPLIT_IN_JOB, TRANSFER_IN_JOB, WAITING_FOR_STAGES,
    first_line_of, is_listed,
};
use super::confidence::Confidence;
use super::late::{InJob, LateRankCause};
use super::{Branch, BudgetBranch, BudgetCause, BudgetLeaf, BudgetMean, BudgetTwig, BudgetWhole, CauseKind};
use super::{Late, Longest, Portion, Saving};
use crate::statistics::scaled;
use crate::{Job, RankRow, Straggler, StragglerCause, StragglerPlace, mean};
use stepscope_base::{CompactSort as _, Nanos};

/// The step budget of several ranks of one job.
#[derive(Clone, Debug, PartialEq)]
pub struct JobBudget {
    /// The mean over the ranks: each counts once, however many steps and devices it has.
    pub mean: BudgetMean,
    /// The number of ranks in the mean.
    pub ranks: u64,
    /// The number of ranks of the job.
    pub world_size: u64,
}

impl BudgetMean {
    /// The same for a rank of an open job: with the split of its exposed communication where that is a cause. None where
    /// nothing is split.
    #[must_use]
    pub fn in_job(&self, job: &Job, row: &RankRow) -> Option<Self> {
        if !job.is_one() || !job.is_averaged(row) {
            return None;
        }
        let mut budget = self.clone();
        let cause = budget.causes.iter_mut().find(|cause| cause.kind == CauseKind::Communication)?;
        let is_complete = job.averaged().count() as u64 >= job.world_size;
        let [waiting, transfer, _] = Split::of(row, is_complete).parts_of(cause.time);
        if waiting + transfer == Nanos::ZERO {
            return None;
        }
        let others = late_places(job).into_iter().filter(|one| match one.place {
            // It does not wait for itself, nor for its own stage.
            StragglerPlace::Rank(_) | StragglerPlace::Stage(_) => !one.place.ranks(job).contains(&row.rank),
            StragglerPlace::Link(_) | StragglerPlace::Group(_) => true,
        });
        let waits = waiting.ratio_of(cause.time).is_some_and(|share| share >= LISTED_SHARE);
        let late: Vec<Late> = others.filter(|_| waits).map(|one| Late::of(one.place, job)).collect();
        let is_transfer = (cause.time - transfer).ratio_of(cause.time).is_some_and(|share| share < LISTED_SHARE);
        cause.wording = SITUATIONS[if is_transfer { TRANSFER_IN_JOB } else { SPLIT_IN_JOB }];
        let transfer = Some(transfer).filter(|_| is_complete);
        budget.in_job = Some(InJob { waiting, transfer, late });
        Some(budget)
    }
}

/// The split of a rank's exposed communication, as parts of its own time.
struct Split {
    waiting: Nanos,
    transfer: Nanos,
    alone: Nanos,
}

impl Split {
    /// The split of a rank's communication. Where ranks of the job are missing, time that is not waiting for the ranks
    /// present may be waiting for missing ones.
    fn of(row: &RankRow, is_complete: bool) -> Self {
        let alone = row.communication_alone.unwrap_or_default().max(Nanos::ZERO);
        let told = row.waiting.unwrap_or_default();
        let waiting = told.all.clamp(Nanos::ZERO, alone);
        let transfer = (told.known.clamp(Nanos::ZERO, alone) - waiting).max(Nanos::ZERO);
        Self { waiting, transfer: if is_complete { transfer } else { Nanos::ZERO }, alone }
    }

    /// The parts of a rank's time in communication that are waiting, transfer, and not split: they add up to that time.
    fn parts_of(&self, time: Nanos) -> [Nanos; 3] {
        let [waiting, transfer] = [self.waiting, self.transfer].map(|part| scaled(time, part, self.alone));
        [waiting, transfer, time - waiting - transfer]
    }
}

/// The kinds and leaves of the parts that [`Split::parts_of`] returns.
const PARTS: [(CauseKind, BudgetLeaf); 3] = [
    (CauseKind::WaitingForRanks, BudgetLeaf::WaitingForRanks),
    (CauseKind::Transfer, BudgetLeaf::Transfer),
    (CauseKind::Communication, BudgetLeaf::CommunicationNotSplit),
];

impl JobBudget {
    /// The budget of a job, from those of its ranks in the order of its rows; none if the ranks are not of one job, or
    /// fewer than two are averaged. The mean leaves out ranks whose steps capture a graph, ranks without activity of a
    /// device, and ranks without marked steps, or with a sample of their calls, where others have more.
    #[must_use]
    pub fn of(job: &Job, budgets: &[Option<&BudgetMean>]) -> Option<Self> {
        let known = job.ranks.iter().zip(budgets).filter_map(|(row, budget)| Some((row, (*budget)?)));
        let mut of: Vec<(&RankRow, &BudgetMean)> =
            known.filter(|(row, budget)| job.is_averaged(row) && budget.first.has_device_times()).collect();
        let are_steps = of.iter().any(|(_, budget)| budget.are_steps);
        of.retain(|(_, budget)| budget.are_steps == are_steps);
        // Without marks a whole trace is one step, many times as long as those of others.
        let are_marked = of.iter().any(|(_, budget)| budget.are_marked);
        of.retain(|(_, budget)| budget.are_marked == are_marked);
        // A sample says little about its rank.
        if of.iter().any(|(_, budget)| budget.sampled_calls.is_none()) {
            of.retain(|(_, budget)| budget.sampled_calls.is_none());
        }
        if !job.is_one() || of.len() < 2 {
            return None;
        }
        let mean = mean_of(job, &of, [are_steps, are_marked]);
        Some(Self { mean, ranks: of.len() as u64, world_size: job.world_size })
    }
}

fn mean_of(job: &Job, of: &[(&RankRow, &BudgetMean)], [are_steps, are_marked]: [bool; 2]) -> BudgetMean {
    let ranks = of.len() as u64;
    let mean_by = |time: &dyn Fn(&BudgetMean) -> Nanos| mean(of.iter().map(|(_, budget)| time(budget)).sum(), ranks);
    let length = mean_by(&|budget| budget.length);
    let portion = |time: Nanos| Portion { time, share: time.ratio_of(length).unwrap_or_default() };
    let is_complete = of.len() as u64 >= job.world_size;
    let branches =
        Branch::ALL.into_iter().filter_map(|branch| mean_branch((of, is_complete), branch, &portion)).collect();
    let causes = causes_of(job, (of, is_complete), length);
    let [at_roof, unknown, unknown_idle] = [
        mean_by(&|budget| budget.at_roof.time),
        mean_by(&|budget| budget.unknown.time),
        mean_by(&|budget| budget.unknown_idle.time),
    ]
    .map(portion);
    let sampled_calls = of.iter().filter_map(|(_, budget)| budget.sampled_calls).reduce(f64::min);
    let facts = FirstLineFacts {
        length,
        at_roof: at_roof.share,
        unknown: unknown.share,
        unknown_idle: unknown_idle.share,
        captures: false,
        sampled_calls: sampled_calls.is_some(),
    };
    // The rank that lacks the most decides which data is asked for.
    let lacks = |time: fn(&BudgetMean) -> Nanos| of.iter().map(|(_, budget)| *budget).max_by_key(|budget| time(budget));
    BudgetMean {
        are_steps,
        are_marked,
        whole: match of.iter().find(|(_, budget)| budget.whole == BudgetWhole::Periods).or(of.first()) {
            Some((_, budget)) => budget.whole,
            None => BudgetWhole::Steps,
        },
        windows: of.iter().map(|(_, budget)| budget.windows).max().unwrap_or_default(),
        kinds: Vec::new(),
        devices: of.iter().map(|(_, budget)| budget.devices).sum(),
        // Each rank's own thread.
        processor_wait: None,
        sampled_calls,
        launches_known: least_known(of),
        has_stacks: of.iter().any(|(_, budget)| budget.has_stacks),
        recorder: lacks(|budget| budget.unknown_idle.time).map(|one| one.recorder).unwrap_or_default(),
        length,
        between: mean_by(&|budget| budget.between),
        first: first_line_of(&facts, &causes),
        at_roof,
        unknown,
        unknown_leaves: lacks(|budget| budget.unknown.time).map(|one| one.unknown_leaves.clone()).unwrap_or_default(),
        unknown_idle,
        unknown_idle_leaves: lacks(|budget| budget.unknown_idle.time)
            .map(|one| one.unknown_idle_leaves.clone())
            .unwrap_or_default(),
        limit_unknown_kernels: Vec::new(),
        branches,
        causes,
        in_job: None,
    }
}

/// The mean of a branch and of its leaves; none where no rank has it.
fn mean_branch(
    (of, is_complete): (&[(&RankRow, &BudgetMean)], bool),
    branch: Branch,
    portion: &dyn Fn(Nanos) -> Portion,
) -> Option<BudgetBranch> {
    let ranks = of.len() as u64;
    let mut sum = Nanos::ZERO;
    let mut leaves: Vec<(&'static str, Nanos)> = Vec::new();
    let mut add = |name: &'static str, time: Nanos| match leaves.iter_mut().find(|(known, _)| *known == name) {
        Some((_, sum)) => *sum += time,
        None => leaves.push((name, time)),
    };
    for (row, budget) in of {
        let Some(own) = budget.branches.iter().find(|own| own.branch == branch) else { continue };
        sum += own.portion.time;
        if branch == Branch::ExposedCommunication {
            let parts = Split::of(row, is_complete).parts_of(own.portion.time);
            PARTS.iter().zip(parts).for_each(|((_, leaf), time)| add(leaf.name(), time));
        } else {
            own.leaves.iter().for_each(|twig| add(twig.name, twig.portion.time));
        }
    }
    leaves.retain(|(_, time)| *time > Nanos::ZERO);
    leaves.compact_sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    let twig =
        |(name, time): (&'static str, Nanos)| BudgetTwig { name, portion: portion(mean(time, ranks)), longest: None };
    let leaves = leaves.into_iter().map(twig).collect();
    (sum > Nanos::ZERO).then(|| BudgetBranch { branch, portion: portion(mean(sum, ranks)), leaves })
}

/// The causes as means over all ranks, with the late parts of the job that they wait for.
fn causes_of(job: &Job, (of, is_complete): (&[(&RankRow, &BudgetMean)], bool), length: Nanos) -> Vec<BudgetCause> {
    let mut sums: Vec<BudgetCause> = Vec::new();
    for (row, budget) in of {
        let split = Split::of(row, is_complete);
        let of_rank = |longest: Longest| Longest { activity: None, host: None, rank: Some(row.rank), ..longest };
        for cause in &budget.causes {
            if cause.kind != CauseKind::Communication {
                let longest = cause.longest.iter().map(|(leaf, longest)| (*leaf, of_rank(*longest))).collect();
                add(&mut sums, BudgetCause { longest, ..cause.clone() });
                continue;
            }
            // Whether a span of communication is transfer or waiting is not known of each: the longest one has a place
            // only where nearly nothing is split.
            let longest_of = |leaf: BudgetLeaf, time: Nanos| {
                let is_most = leaf == BudgetLeaf::CommunicationNotSplit
                    && time.0.saturating_mul(5) >= cause.time.0.saturating_mul(4);
                let known = cause.longest.iter().filter(|_| is_most);
                known.map(|(_, longest)| (leaf, of_rank(*longest))).collect()
            };
            let parts = split.parts_of(cause.time).into_iter().zip(split.parts_of(cause.score));
            for ((kind, leaf), (time, score)) in PARTS.into_iter().zip(parts) {
                let part = |time: Nanos| scaled(time, score, cause.score);
                let saving = cause.saving.map(|saving| saving.each(part));
                let leaves = vec![(leaf, time)];
                let longest = longest_of(leaf, time);
                add(
                    &mut sums,
                    BudgetCause {
                        kind,
                        wording: kind.name(),
                        time,
                        score,
                        saving,
                        can_hide: cause.can_hide.filter(|time| kind != CauseKind::WaitingForRanks && *time < score),
                        few_steps: None,
                        leaves,
                        longest,
                        ..cause.clone()
                    },
                );
            }
        }
    }
    let ranks = of.len() as u64;
    let mut causes: Vec<BudgetCause> = sums.into_iter().map(|sum| sum.of_ranks(ranks)).collect();
    let mut late = late_cause(job, of);
    // Waiting for late parts of the job belongs to their cause.
    if let Some(waiting) = causes.iter_mut().find(|cause| cause.kind == CauseKind::WaitingForRanks) {
        let charged = late.as_mut().map_or(Nanos::ZERO, |late| late.charge(waiting.time));
        let left = waiting.time - charged;
        let part = |time: Nanos| scaled(time, left, waiting.time);
        waiting.saving = waiting.saving.map(|saving| saving.each(part));
        (waiting.score, waiting.time) = (part(waiting.score), left);
        waiting.leaves = vec![(BudgetLeaf::WaitingForRanks, left)];
        if is_mostly_for_stages(of) {
            waiting.wording = SITUATIONS[WAITING_FOR_STAGES];
        }
    }
    causes.extend(late);
    for cause in &mut causes {
        cause.share = cause.score.ratio_of(length).unwrap_or_default();
    }
    causes.retain(|cause| is_listed(cause.score, cause.share));
    causes.compact_sort_by_key(|cause| (std::cmp::Reverse(cause.saves()), cause.kind));
    causes
}

/// The share of the activities whose launching call is known, of the rank with the least.
fn least_known(of: &[(&RankRow, &BudgetMean)]) -> f64 {
    of.iter().map(|(_, budget)| budget.launches_known).fold(1.0, f64::min)
}

/// Whether most of the ranks' waiting is for what other stages of a pipeline send.
fn is_mostly_for_stages(of: &[(&RankRow, &BudgetMean)]) -> bool {
    let waits = of.iter().filter_map(|(row, _)| row.waiting);
    let (all, otherwise) =
        waits.fold((Nanos::ZERO, Nanos::ZERO), |(all, rest), one| (all + one.all, rest + one.otherwise));
    otherwise + otherwise < all
}

/// The parts of a job that are late. A part that gains nothing alone is among them only where none does.
fn late_places(job: &Job) -> Vec<&Straggler> {
    let gains = |one: &&Straggler| one.gain.is_some_and(|gain| gain > Nanos::ZERO);
    let gaining: Vec<&Straggler> = job.stragglers.iter().filter(gains).collect();
    if gaining.is_empty() { job.stragglers.iter().collect() } else { gaining }
}

/// Returns the late parts of a job as one cause: fixing one of several may save nothing. None if fixing all of them
/// saves nothing, or if the saving is not known.
fn late_cause(job: &Job, of: &[(&RankRow, &BudgetMean)]) -> Option<BudgetCause> {
    let gain = job.gain.filter(|gain| *gain > Nanos::ZERO)?;
    let stragglers = late_places(job);
    let first = stragglers.first()?;
    let kind = CauseKind::Late(first.cause);
    let confidence = Confidence::of(kind, least_known(of), 1.0);
    let is_one_reason = stragglers.iter().all(|one| one.cause == first.cause);
    Some(BudgetCause {
        kind,
        wording: if is_one_reason { kind.name() } else { SITUATIONS[LATE_MIXED] },
        late: stragglers.iter().map(|one| Late::of(one.place, job)).collect(),
        rank_cause: rank_cause(job, &stragglers, of),
        time: Nanos::ZERO,
        score: gain,
        share: 0.0,
        saving: None,
        can_hide: None,
        confidence,
        few_steps: None,
        leaves: Vec::new(),
        longest: Vec::new(),
        functions: Vec::new(),
    })
}

/// The cause that makes the first late part late, if that is a rank. Its wait for data is said already.
fn rank_cause(job: &Job, stragglers: &[&Straggler], of: &[(&RankRow, &BudgetMean)]) -> Option<LateRankCause> {
    let first = stragglers.first()?;
    let StragglerPlace::Rank(rank) = first.place else { return None };
    let late: Vec<u64> = stragglers.iter().flat_map(|one| one.place.ranks(job)).collect();
    let own = of.iter().find(|(row, _)| row.rank == rank)?.1;
    let others: Vec<&BudgetMean> =
        of.iter().filter(|(row, _)| !late.contains(&row.rank)).map(|(_, budget)| *budget).collect();
    let is_data = first.cause == StragglerCause::Data;
    if others.is_empty() || is_data { None } else { LateRankCause::of(rank, first.gain?, own, &others) }
}

impl LateRankCause {
    /// The cause that costs a rank most beyond the others; none where that explains less than half of its `gain`.
    fn of(rank: u64, gain: Nanos, own: &BudgetMean, others: &[&BudgetMean]) -> Option<Self> {
        // The late rank hardly waits; the others' communication is mostly waiting for it. The same kernels at a lower
        // clock are further from the limit: that is no cause.
        let is_own = |cause: &&BudgetCause| cause.kind.is_of_idle_time();
        let beyond = |cause: &BudgetCause| {
            let same =
                |budget: &&BudgetMean| budget.causes.iter().find(|one| one.kind == cause.kind).map(|one| one.score);
            cause.score - mean(others.iter().filter_map(same).sum(), others.len() as u64)
        };
        let found = own.causes.iter().filter(is_own).map(|cause| (beyond(cause), cause));
        let (more, cause) = found.max_by_key(|(more, cause)| (*more, std::cmp::Reverse(cause.kind)))?;
        (more.0.saturating_mul(2) >= gain.0).then_some(Self { rank, wording: cause.wording, more })
    }
}

/// Adds a rank's cause to the sums over ranks. The words are those of the rank that loses the most by it.
fn add(sums: &mut Vec<BudgetCause>, cause: BudgetCause) {
    let Some(sum) = sums.iter_mut().find(|sum| sum.kind == cause.kind) else {
        // The share is that of one rank until all are added.
        sums.push(BudgetCause { functions: Vec::new(), ..cause });
        return;
    };
    if cause.share > sum.share {
        (sum.share, sum.wording) = (cause.share, cause.wording);
    }
    sum.saving = match (sum.saving, cause.saving) {
        (None, None) => None,
        (known, of) => {
            Some(known.unwrap_or(Saving::exactly(sum.score)).plus(of.unwrap_or(Saving::exactly(cause.score))))
        }
    };
    // Where it is not limited, all of it can be hidden.
    sum.can_hide = match (sum.can_hide, cause.can_hide) {
        (None, None) => None,
        (known, of) => Some(known.unwrap_or(sum.score) + of.unwrap_or(cause.score)),
    };
    sum.few_steps = sum.few_steps.take().zip(cause.few_steps.as_ref()).and_then(|(known, of_rank)| known.plus(of_rank));
    sum.confidence = sum.confidence.with(cause.confidence);
    sum.time += cause.time;
    sum.score += cause.score;
    for (leaf, time) in cause.leaves {
        match sum.leaves.iter_mut().find(|(known, _)| *known == leaf) {
            Some((_, sum)) => *sum += time,
            None => sum.leaves.push((leaf, time)),
        }
    }
    for (leaf, longest) in cause.longest {
        match sum.longest.iter_mut().find(|(known, _)| *known == leaf) {
            Some((_, known)) if known.part < longest.part => *known = longest,
            Some(_) => {}
            None => sum.longest.push((leaf, longest)),
        }
    }
}

impl BudgetCause {
    /// Charges the part of the ranks' waiting that fixing this cause saves, and returns it. The step is longer by more
    /// than that where the late part waits less than the others.
    fn charge(&mut self, waiting: Nanos) -> Nanos {
        self.time = waiting.min(self.score);
        self.leaves = vec![(BudgetLeaf::WaitingForRanks, self.time)];
        self.time
    }

    /// The mean of a sum over ranks.
    fn of_ranks(mut self, ranks: u64) -> Self {
        let part = |time: Nanos| mean(time, ranks);
        (self.time, self.score) = (part(self.time), part(self.score));
        self.saving = self.saving.map(|saving| saving.each(part));
        self.can_hide = self.can_hide.map(part).filter(|time| *time < self.score);
        self.few_steps.iter_mut().flat_map(|few| &mut few.means).for_each(|time| *time = part(*time));
        self.leaves.iter_mut().for_each(|(_, time)| *time = part(*time));
        self.leaves.compact_sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        self.longest.compact_sort_by_key(|(_, longest)| std::cmp::Reverse(longest.part));
        self
    }
}
