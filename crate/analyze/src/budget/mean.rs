//! The budget as it is shown: the mean window of a device, as a tree.

use super::causes::{LISTED_SHARE, SITUATIONS, STARVED, WARM_UP, causes, first_line, functions_of};
use super::functions::CauseFunction;
use super::late::InJob;
use super::leaf::{Branch, BudgetLeaf, BudgetTimes};
use super::report::{Budget, BudgetWhole, DeviceBudget, Longest};
use super::savings::find_savings;
use super::{BudgetCause, FirstLine, Sources, budget_of};
use crate::{Analysis, CauseKind, DeviceTime, FewSteps, InferenceKind, Recorder, Step, mean};
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::Trace;

/// The mean of the windows that count and of the devices.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetMean {
    /// Whether the windows are steps, else one is the whole trace.
    pub are_steps: bool,
    /// Whether the steps are marked; else a whole trace is one.
    pub are_marked: bool,
    /// The whole of all shares.
    pub whole: BudgetWhole,
    /// Number of windows in the mean.
    pub windows: u64,
    /// Number of windows that are inference steps of each kind, the most first; only where there are several kinds.
    pub kinds: Vec<(InferenceKind, u64)>,
    /// Number of devices in the mean.
    pub devices: u64,
    /// The mean length of a window, with the time between it and the next.
    pub length: Nanos,
    /// The mean time between windows that follow each other: one of the branches.
    pub between: Nanos,
    /// The case of the first line.
    pub first: FirstLine,
    /// The time that kernels would take at the device's limit.
    pub at_roof: Portion,
    /// The share of the time in which the thread that launches most could run that it waits for a processor; none where
    /// it is small.
    pub processor_wait: Option<f64>,
    /// The share of the CUDA calls that the trace has, where it has only a sample of them; of several ranks, the least.
    pub sampled_calls: Option<f64>,
    /// The share of the activities in these windows whose launching call is known.
    pub launches_known: f64,
    /// Whether the Python functions of that thread were recorded, each call of them: that takes time of the host.
    pub has_stacks: bool,
    /// The recording's profiler; of several ranks, that of the rank that lacks the most.
    pub recorder: Recorder,
    /// The time of which the cause is not known.
    pub unknown: Portion,
    /// The largest part of that, and the next one where it is at least half as large.
    pub unknown_leaves: Vec<BudgetLeaf>,
    /// The time in which the device idles for a cause that is not known: a part of `unknown`.
    pub unknown_idle: Portion,
    /// The same for `unknown_idle`.
    pub unknown_idle_leaves: Vec<BudgetLeaf>,
    /// The kernels with the most time of those whose limit is not known, with their names; of one rank alone.
    pub limit_unknown_kernels: Vec<(CauseFunction, String)>,
    /// The tree: the branches that have time.
    pub branches: Vec<BudgetBranch>,
    /// The causes, the largest first.
    pub causes: Vec<BudgetCause>,
    /// The split of exposed communication by the other ranks' traces; of ranks of an open job alone.
    pub in_job: Option<InJob>,
}

/// A part of the mean window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Portion {
    /// Its time.
    pub time: Nanos,
    /// Its share of the window.
    pub share: f64,
}

/// A branch of the tree, with its leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetBranch {
    /// The branch.
    pub branch: Branch,
    /// Its time in a mean window.
    pub portion: Portion,
    /// Its leaves, the longest first; none where it is a single one.
    pub leaves: Vec<BudgetTwig>,
}

/// A leaf of the tree as it is shown. The time of kernels of all families at their limits is a single one.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetTwig {
    /// The last part of its message's key.
    pub name: &'static str,
    /// Its time in a mean window.
    pub portion: Portion,
    /// Its longest span, on whatever device.
    pub longest: Option<Longest>,
}

impl BudgetMean {
    /// The mean over the steps that count, or a single step by its index; the trace is replayed without each cause.
    #[must_use]
    pub fn of(trace: &Trace, analysis: &Analysis, step: Option<usize>) -> Self {
        let mut sources = Sources::of(trace, analysis);
        let found = budget_of(trace, analysis, step, &mut sources);
        let mut mean = Self::without_replay(trace, &found, analysis.steps.source.is_marked());
        let of_step = step.and_then(|step| analysis.step_devices.get(step)).map(|devices| DeviceTime::mean(devices));
        let device = of_step.unwrap_or(analysis.average.device);
        for cause in &mut mean.causes {
            cause.can_hide = can_hide(cause.kind, &device).filter(|time| *time < cause.score);
        }
        if step.is_none() {
            mean.kinds = kinds_of(analysis);
            for cause in &mut mean.causes {
                cause.few_steps = few_steps(cause, &found, &analysis.steps.steps);
                let first = found.counted.iter().map(|index| analysis.steps.steps[*index].name.as_str());
                // Where later steps allocate, too, a longer warm-up does not end it.
                let is_first = |few: &FewSteps| {
                    few.share() >= WARM_UP_SHARE && first.zip(&few.names).all(|(step, named)| step == named)
                };
                if cause.kind == CauseKind::Allocation && cause.few_steps.as_ref().is_some_and(is_first) {
                    cause.wording = SITUATIONS[WARM_UP];
                }
            }
        }
        let compute = mean.branches.iter().find(|branch| branch.branch == Branch::Compute);
        let compute = compute.map_or(Nanos::ZERO, |branch| branch.portion.time);
        let counted = if found.are_steps { found.counted.as_slice() } else { &[] };
        if mean.first.is_steady() {
            let times = [mean.length, compute, mean.unknown_idle.time];
            find_savings(&mut mean.causes, times, (trace, analysis, &mut sources), counted);
            mean.causes.compact_sort_by_key(|cause| (std::cmp::Reverse(cause.saves()), cause.kind));
            mean.first = first_line(&found, &mean.causes);
        }
        mean
    }

    /// The part in which the device runs kernels whose limit is not known.
    #[must_use]
    pub fn limit_unknown(&self) -> Portion {
        let Self { unknown, unknown_idle, .. } = self;
        Portion { time: unknown.time - unknown_idle.time, share: unknown.share - unknown_idle.share }
    }

    /// The largest cause, if it takes a hundredth or more.
    #[must_use]
    pub fn largest_cause(&self) -> Option<&BudgetCause> {
        self.causes.first().filter(|cause| cause.share >= LISTED_SHARE)
    }

    /// The mean of a budget, with causes by their time alone: without a replay.
    fn without_replay(trace: &Trace, budget: &Budget, are_marked: bool) -> Self {
        let (sum, divisor) = (budget.sum(), budget.divisor());
        let all = sum.total();
        let portion =
            |time: Nanos| Portion { time: mean(time, divisor), share: time.ratio_of(all).unwrap_or_default() };
        let (causes, first) = causes(trace, budget);
        let named = |kernel: CauseFunction| (kernel, trace.name_of(kernel.event).to_owned());
        let branch = |branch: Branch| {
            let time = sum.sum(|leaf| leaf.branch() == branch);
            let twig = |(name, time, longest)| BudgetTwig { name, portion: portion(time), longest };
            let leaves = twigs(budget, &sum, branch).into_iter().map(twig).collect();
            (time > Nanos::ZERO).then(|| BudgetBranch { branch, portion: portion(time), leaves })
        };
        let largest = |is_of: fn(BudgetLeaf) -> bool| {
            let mut leaves: Vec<(BudgetLeaf, Nanos)> = sum.leaves().filter(|(leaf, _)| is_of(*leaf)).collect();
            leaves.compact_sort_by_key(|(_, time)| std::cmp::Reverse(*time));
            let most = leaves.first().map_or(Nanos::ZERO, |(_, time)| *time);
            leaves.retain(|(_, time)| *time + *time >= most);
            leaves.iter().take(2).map(|(leaf, _)| *leaf).collect()
        };
        Self {
            are_steps: budget.are_steps,
            are_marked,
            whole: budget.whole(),
            windows: budget.counted.len() as u64,
            kinds: Vec::new(),
            devices: budget.devices.len() as u64,
            processor_wait: budget.processor_wait.filter(|share| *share >= STARVED),
            sampled_calls: budget.sampled_calls,
            launches_known: budget.launches_known,
            has_stacks: budget.has_stacks,
            recorder: Recorder::with_host(trace),
            length: mean(all, divisor),
            between: budget.between,
            first,
            at_roof: portion(sum.sum(|leaf| matches!(leaf, BudgetLeaf::AtRoof(_)))),
            unknown: portion(sum.sum(BudgetLeaf::is_unknown)),
            unknown_leaves: largest(BudgetLeaf::is_unknown),
            unknown_idle: portion(sum.sum(BudgetLeaf::is_unknown_idle)),
            unknown_idle_leaves: largest(BudgetLeaf::is_unknown_idle),
            limit_unknown_kernels: functions_of(trace, budget, None).into_iter().map(named).collect(),
            branches: Branch::ALL.into_iter().filter_map(branch).collect(),
            causes,
            in_job: None,
        }
    }
}

/// The least share of allocations in the first steps that makes them a warm-up.
const WARM_UP_SHARE: f64 = 0.9;

/// The most time of a cause that can be hidden beside computation: that which runs without it. None for other causes. How
/// much of the computation runs beside copies is not counted: all of it may.
fn can_hide(kind: CauseKind, device: &DeviceTime) -> Option<Nanos> {
    match kind {
        CauseKind::Communication => Some(device.compute - device.overlap),
        CauseKind::Copies => Some(device.compute),
        _ => None,
    }
}

/// The few steps that most of a cause's time is in.
fn few_steps(cause: &BudgetCause, budget: &Budget, steps: &[Step]) -> Option<FewSteps> {
    if !budget.are_steps {
        return None;
    }
    let of_device = |device: &DeviceBudget, index: usize| -> Option<Nanos> {
        Some(match cause.kind {
            // No kernel reaches its limit: these cost what better kernels save.
            CauseKind::AboveRoof(family) => device.savings.get(index)?.above[family as usize],
            CauseKind::Float32Products => device.savings.get(index)?.float32,
            _ => {
                let times = device.windows.get(index)?;
                cause.leaves.iter().map(|(leaf, _)| times.get(*leaf)).sum()
            }
        })
    };
    let time = |index: usize| {
        let sum = budget.devices.iter().filter_map(|device| of_device(device, index)).sum();
        mean(sum, budget.devices.len() as u64)
    };
    let named = budget.counted.iter().filter_map(|index| Some((time(*index), steps.get(*index)?.name.as_str())));
    FewSteps::among(&named.collect::<Vec<_>>())
}

/// The kinds of the inference steps that count, the most first; nothing where all are of one kind.
fn kinds_of(analysis: &Analysis) -> Vec<(InferenceKind, u64)> {
    let mut kinds: Vec<(InferenceKind, u64)> = Vec::new();
    for step in analysis.steps.counted() {
        let Some(kind) = analysis.steps.steps[step].inference.and_then(|facts| facts.kind) else { continue };
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    kinds.compact_sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), kind.name()));
    if kinds.len() > 1 { kinds } else { Vec::new() }
}

/// The leaves of a branch that have time, the longest first.
fn twigs(budget: &Budget, sum: &BudgetTimes, branch: Branch) -> Vec<(&'static str, Nanos, Option<Longest>)> {
    let mut twigs: Vec<(&'static str, Nanos, Option<Longest>)> = Vec::new();
    if matches!(
        branch,
        Branch::ExposedSets | Branch::StateUnknown | Branch::NotRecorded | Branch::BetweenSteps | Branch::OutsideSteps
    ) {
        return twigs;
    }
    for (leaf, time) in sum.leaves().filter(|(leaf, _)| leaf.branch() == branch) {
        let name = if matches!(leaf, BudgetLeaf::AtRoof(_)) { "at_roof" } else { leaf.name() };
        let longest = budget.longest(leaf);
        match twigs.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, sum, known)) => {
                *sum += time;
                *known = [*known, longest].into_iter().flatten().max_by_key(|one| one.part);
            }
            None => twigs.push((name, time, longest)),
        }
    }
    twigs.compact_sort_by_key(|(_, time, _)| std::cmp::Reverse(*time));
    twigs
}
