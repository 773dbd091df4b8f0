//! The step budget and its causes.

use schemars::JsonSchema;
use serde::Serialize;

use super::Named;
use super::table::{RowOf, TableRows, rows_of};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    BranchTable, Budget, BudgetBranch, BudgetCause, BudgetMean, BudgetTimes, BudgetWhole, CauseFunctionContext,
    CauseFunctionTable, CauseKind, CauseTable, DeviceBudget, FewSteps, JobBudget, LeafTable, LongestTable, Step,
    budget, cause_functions,
};
use stepscope_present::budget::{
    few_steps_sentence, first_sentences, hiding_sentence, late_names, partial_sentence, rank_cause_sentence,
    rank_sentences, saving_sentence, split_sentence,
};
use stepscope_table::Table;
use stepscope_table::messages::Language;
use stepscope_trace::Trace;

/// The step budget of a rank, and the causes of lost time.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BudgetReport {
    budget: BudgetMeanReport,
    causes: Vec<BudgetCauseReport>,
    /// The functions of the host, or the activities of devices, that most of each cause is in.
    #[schemars(schema_with = "rows_of::<CauseFunctionTable>")]
    cause_functions: TableRows,
}

/// The mean step budget of the ranks of a job, and the causes of lost time.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct JobBudgetReport {
    budget: BudgetMeanReport,
    causes: Vec<BudgetCauseReport>,
}

impl JobBudgetReport {
    /// The budget of a job, with sentences in a language.
    pub(super) fn of(job: &JobBudget, language: Language) -> Self {
        // A job's budget has nothing from a single rank's trace.
        let BudgetReport { mut budget, causes, .. } = BudgetReport::with(
            (&Trace::default(), &[]),
            &job.mean,
            None,
            (first_sentences(&job.mean, language), language),
        );
        budget.ranks = Some(job.ranks);
        Self { budget, causes }
    }
}

/// The split of a rank's exposed communication.
#[derive(Debug, JsonSchema, Serialize)]
struct InJobReport {
    /// The part in which it waits for other ranks, per window.
    waiting_ns: i64,
    /// The part of transfers, likewise; none where ranks of the job are missing.
    transfer_ns: Option<i64>,
}

impl InJobReport {
    fn of(mean: &BudgetMean) -> Option<Self> {
        let split = mean.in_job.as_ref()?;
        Some(Self { waiting_ns: split.waiting.0, transfer_ns: split.transfer.map(|time| time.0) })
    }
}

/// The mean window, and on request all windows of all devices.
#[derive(Debug, JsonSchema, Serialize)]
struct BudgetMeanReport {
    /// `steps`, or `trace` if the whole trace is one window.
    windows: &'static str,
    /// The number of windows averaged, without warm-up and partial steps.
    counted: u64,
    /// The number of devices averaged.
    device_count: u64,
    /// The number of ranks averaged, if it is the budget of a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<u64>,
    /// The kind of the first line.
    first_line: &'static str,
    /// The first line in words, with the fix.
    sentences: Vec<String>,
    /// The split of exposed communication by the other ranks' traces, of ranks of a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_job: Option<InJobReport>,
    /// The sum of all branches: the mean length of a window, including the time between windows if that is a
    /// branch.
    length_ns: i64,
    /// `periods` if shares of causes refer to the time from step to step, not to windows.
    #[serde(skip_serializing_if = "Option::is_none")]
    shares_of: Option<&'static str>,
    /// The mean time between windows, not included in their length.
    #[serde(skip_serializing_if = "Option::is_none")]
    between_ns: Option<i64>,
    branches: Vec<BudgetBranchReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    devices: Option<Vec<BudgetDeviceReport>>,
}

/// A branch of the step budget; `leaves` only if it has several.
#[derive(Debug, JsonSchema, Serialize)]
struct BudgetBranchReport {
    #[serde(flatten)]
    row: RowOf<BranchTable<false>>,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<LeafTable<false>>")]
    leaves: TableRows,
}

#[derive(Debug, JsonSchema, Serialize)]
struct BudgetDeviceReport {
    device: i64,
    trace: BudgetTimesReport,
    steps: Vec<BudgetStepReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct BudgetStepReport {
    step: String,
    counts: bool,
    #[serde(flatten)]
    times: BudgetTimesReport,
}

/// A window and its leaves, which add up to its length.
#[derive(Debug, JsonSchema, Serialize)]
struct BudgetTimesReport {
    length_ns: i64,
    leaves: Named<i64>,
}

impl BudgetTimesReport {
    fn of(times: &BudgetTimes) -> Self {
        let leaves = times.leaves().map(|(leaf, time)| (leaf.name(), time.0));
        Self { length_ns: times.total().0, leaves: Named(leaves.collect()) }
    }
}

/// A cause of lost time.
#[derive(Debug, JsonSchema, Serialize)]
struct BudgetCauseReport {
    #[serde(flatten)]
    row: RowOf<CauseTable<false>>,
    /// The ranks, links or stages that are late, in words; only of jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    late: Option<String>,
    /// The saving in words, if the two bounds are far apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    saves: Option<String>,
    /// The most time per window that can be hidden beside computation, if that is less than the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    can_hide_ns: Option<i64>,
    /// This in words, if it is less than the saving.
    #[serde(skip_serializing_if = "Option::is_none")]
    hides: Option<String>,
    /// The known part of what it rests on in words, if that is not enough for the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<String>,
    /// The split of a rank's exposed communication by the other ranks' traces in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    split: Option<String>,
    /// The cause that makes the late rank late, and its remedy, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank_cause: Option<String>,
    /// The few steps that most of its time is in, if it is not spread over the steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    few_steps: Option<FewStepsReport>,
    leaves: Named<i64>,
    #[schemars(schema_with = "rows_of::<LongestTable>")]
    longest: TableRows,
}

/// A few steps that have more than half of a cause's time, or of the longer own time of a rank.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct FewStepsReport {
    /// Their names, in the order of time.
    steps: Vec<String>,
    /// The number of steps that they are a part of.
    of: u64,
    /// Their share of that time.
    share: f64,
    /// The mean of that time in one of them.
    mean_ns: i64,
    /// The mean of that time in one of the other steps.
    others_mean_ns: i64,
    /// This in words; only of causes.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl FewStepsReport {
    pub(super) fn of(few: &FewSteps, text: Option<String>) -> Self {
        let [mean_ns, others_mean_ns] = few.means.map(|mean| mean.0);
        Self { steps: few.names.clone(), of: few.of, share: few.share(), mean_ns, others_mean_ns, text }
    }
}

/// The split of a cause that is a rank's exposed communication.
fn split_of(mean: &BudgetMean, cause: &BudgetCause, language: Language) -> Option<String> {
    let split = mean.in_job.as_ref().filter(|_| cause.kind == CauseKind::Communication)?;
    Some(split_sentence(split, language))
}

impl BudgetCauseReport {
    fn all(trace: &Trace, mean: &BudgetMean, language: Language) -> Vec<Self> {
        let report = |(row, cause): (_, &BudgetCause)| Self {
            row,
            late: Some(late_names(&cause.late, language)).filter(|late| !late.is_empty()),
            saves: saving_sentence(cause, mean, language),
            can_hide_ns: cause.can_hide.map(|time| time.0),
            hides: hiding_sentence(cause, language),
            partial: partial_sentence(cause.kind, cause.confidence, language),
            split: split_of(mean, cause, language),
            rank_cause: cause.rank_cause.map(|by| rank_cause_sentence(&by, language)),
            few_steps: cause
                .few_steps
                .as_ref()
                .map(|few| FewStepsReport::of(few, Some(few_steps_sentence(few, language)))),
            leaves: Named(cause.leaves.iter().map(|(leaf, time)| (leaf.name(), time.0)).collect()),
            longest: TableRows::of(Table::of::<LongestTable>(&cause.longest_rows(), trace)),
        };
        RowOf::all(&mean.causes, &()).zip(&mean.causes).map(report).collect()
    }
}

impl BudgetReport {
    /// The budget of a rank with sentences in a language: its mean window, and on request all windows; none if its
    /// events were dropped.
    #[must_use]
    pub fn of(rank: &Rank, has_windows: bool, language: Language) -> Option<Self> {
        let mean = rank.step_budget()?;
        let devices = has_windows.then(|| devices(rank, &budget(&rank.trace, &rank.analysis)));
        let sentences = rank_sentences((&rank.analysis, None), mean, language);
        Some(Self::with((&rank.trace, &rank.analysis.steps.steps), mean, devices, (sentences, language)))
    }

    /// The mean window, or a step by its index, with sentences in a language.
    #[must_use]
    pub fn of_step(rank: &Rank, step: Option<usize>, language: Language) -> Option<Self> {
        let one = step.map(|step| BudgetMean::of(&rank.trace, &rank.analysis, Some(step)));
        Some(Self::of_mean(rank, step, one.as_ref().or_else(|| rank.step_budget())?, language))
    }

    /// The same of a rank in a job: all steps, with the split of its exposed communication.
    pub(super) fn in_job(rank: &Rank, mean: &BudgetMean, language: Language) -> Self {
        Self::of_mean(rank, None, mean, language)
    }

    fn of_mean(rank: &Rank, step: Option<usize>, mean: &BudgetMean, language: Language) -> Self {
        let sentences = rank_sentences((&rank.analysis, step), mean, language);
        Self::with((&rank.trace, &rank.analysis.steps.steps), mean, None, (sentences, language))
    }

    /// Adds the split of exposed communication, which is known when all ranks are.
    pub(super) fn set_in_job(&mut self, mean: &BudgetMean, language: Language) {
        self.budget.sentences = first_sentences(mean, language);
        self.budget.in_job = InJobReport::of(mean);
        let rows = RowOf::all(&mean.causes, &()).zip(&mean.causes);
        for ((row, of), cause) in rows.zip(&mut self.causes) {
            cause.row = row;
            cause.split = split_of(mean, of, language);
        }
    }

    fn with(
        (trace, steps): (&Trace, &[Step]),
        mean: &BudgetMean,
        devices: Option<Vec<BudgetDeviceReport>>,
        (sentences, language): (Vec<String>, Language),
    ) -> Self {
        let of = CauseFunctionContext { trace, steps };
        let leaves = |branch: &BudgetBranch| TableRows::of(Table::of::<LeafTable<false>>(&branch.leaves, trace));
        let branch = |(row, branch)| BudgetBranchReport { row, leaves: leaves(branch) };
        Self {
            budget: BudgetMeanReport {
                windows: if mean.are_steps { "steps" } else { "trace" },
                counted: mean.windows,
                device_count: mean.devices,
                ranks: None,
                first_line: mean.first.name(),
                sentences,
                in_job: InJobReport::of(mean),
                length_ns: mean.length.0,
                shares_of: Some(mean.whole)
                    .filter(|whole| matches!(whole, BudgetWhole::Periods | BudgetWhole::Recorded))
                    .map(BudgetWhole::name),
                between_ns: Some(mean.between.0).filter(|between| *between > 0),
                branches: RowOf::all(&mean.branches, &()).zip(&mean.branches).map(branch).collect(),
                devices,
            },
            causes: BudgetCauseReport::all(trace, mean, language),
            cause_functions: TableRows::of(Table::of::<CauseFunctionTable>(&cause_functions(mean), &of)),
        }
    }
}

/// All windows of all devices.
fn devices(rank: &Rank, found: &Budget) -> Vec<BudgetDeviceReport> {
    let of_device = |device: &DeviceBudget| {
        let steps = rank.analysis.steps.steps.iter().zip(&device.windows).enumerate();
        let of_step = |(index, (step, times)): (usize, (&Step, &BudgetTimes))| BudgetStepReport {
            step: step.name.clone(),
            counts: found.counted.contains(&index),
            times: BudgetTimesReport::of(times),
        };
        BudgetDeviceReport {
            device: device.device,
            trace: BudgetTimesReport::of(&device.trace),
            steps: if found.are_steps { steps.map(of_step).collect() } else { Vec::new() },
        }
    };
    found.devices.iter().map(of_device).collect()
}
