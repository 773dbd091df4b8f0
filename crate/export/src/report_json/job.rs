//! Results of a job.

use schemars::JsonSchema;
use serde::Serialize;

use super::budget::{FewStepsReport, JobBudgetReport};
use super::drill_down::DrillDownStepReport;
use super::mindspore::StrategyReport;
use super::table::{RowOf, TableRows, rows_of};
use stepscope_analyze::{
    CollectiveContext, CollectiveTable, GroupTable, Job, JobBudget, JobWarning, LinkTable, LongerCompute, RankRow,
    RankTable, Shared, SlowAlone, StageTable, StragglerTable, drill_down,
};
use stepscope_present::budget::{longer_compute_sentence, slow_alone_sentence};
use stepscope_table::Table;
use stepscope_table::messages::Language;

/// Results of a job.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct JobTables {
    job: JobReport,
    #[schemars(schema_with = "rows_of::<CollectiveTable>")]
    collectives: TableRows,
    #[schemars(schema_with = "rows_of::<StragglerTable>")]
    stragglers: TableRows,
}

impl JobTables {
    pub(super) fn of(job: &Job, budget: Option<&JobBudget>, language: Language) -> Self {
        let job_report = JobReport::of(job, budget, language);
        Self { job: job_report, collectives: collectives_of(job), stragglers: stragglers_of(job) }
    }
}

/// A job: layout, ranks, stages, links, verdict.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct JobReport {
    pub(super) world_size: u64,
    parallel: Vec<JobParallelReport>,
    /// The layout found in the traces, if the user gave another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_told: Option<Vec<JobParallelReport>>,
    #[schemars(schema_with = "rows_of::<GroupTable>")]
    groups: TableRows,
    ranks: Vec<JobRankReport>,
    #[schemars(schema_with = "rows_of::<StageTable>")]
    stages: TableRows,
    #[schemars(schema_with = "rows_of::<LinkTable>")]
    links: TableRows,
    gain_ns_per_step: Option<i64>,
    /// `found`, `none`, or why stragglers cannot be found: `only_tables`, `no_collectives`, `nothing_matched`.
    verdict: &'static str,
    /// Ranks with more own time that do not delay others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    slow_alone: Vec<SlowAloneReport>,
    /// The ranks that compute longer where no straggler is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    longer_compute: Option<LongerComputeReport>,
    coverage: JobCoverageReport,
    implausible_clock: bool,
    unmatched_parts: u64,
    warnings: Vec<JobWarningReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<StrategyReport>,
    /// The steps from the job to the cause of its delay.
    drill_down: Vec<DrillDownStepReport>,
    /// The earlier name of `drill_down`.
    #[schemars(extend("deprecated" = true))]
    walk: Vec<DrillDownStepReport>,
    /// The mean step budget of the ranks, if at least two have one.
    #[serde(flatten)]
    budget: Option<JobBudgetReport>,
}

impl JobReport {
    pub(super) fn of(job: &Job, budget: Option<&JobBudget>, language: Language) -> Self {
        let steps = || drill_down(job).iter().map(|step| DrillDownStepReport::of(job, step)).collect();
        let places: Vec<usize> = (0..job.ranks.len()).collect();
        let rows = RowOf::<RankTable>::all(&places, job);
        let parallel = |shared: &[Shared]| shared.iter().map(JobParallelReport::of).collect();
        Self {
            world_size: job.world_size,
            parallel: parallel(&job.parallel),
            parallel_told: job.parallel_told.as_deref().map(parallel),
            groups: TableRows::of(Table::of::<GroupTable>(&job.groups, &())),
            ranks: rows.zip(&job.ranks).map(|(row, rank)| JobRankReport::of(row, rank)).collect(),
            stages: TableRows::of(Table::of::<StageTable>(&job.stages, &())),
            links: TableRows::of(Table::of::<LinkTable>(&job.links, &())),
            gain_ns_per_step: job.gain.map(|gain| gain.0),
            verdict: job.verdict.name(),
            slow_alone: job.slow_alone.iter().map(|one| SlowAloneReport::of(one, language)).collect(),
            longer_compute: job.longer_compute().map(|found| LongerComputeReport::of(found, language)),
            coverage: JobCoverageReport {
                ranks_compared: job.coverage.ranks,
                collectives_matched: job.coverage.matched,
                collectives: job.coverage.collectives,
            },
            implausible_clock: job.clocks.implausible,
            unmatched_parts: job.matching.unmatched + job.matching.uneven,
            warnings: job.warnings.iter().map(JobWarningReport::of).collect(),
            strategy: job.strategy.as_ref().map(StrategyReport::of),
            drill_down: steps(),
            walk: steps(),
            budget: budget.map(|budget| JobBudgetReport::of(budget, language)),
        }
    }
}

/// A rank with more own time that is not a straggler.
#[derive(Debug, JsonSchema, Serialize)]
struct SlowAloneReport {
    rank: u64,
    longer_share: f64,
    /// The share of all waiting that it causes.
    waiting_share: f64,
    straggler_above: f64,
    /// The few steps that most of the additional time is in, if it is not spread over the steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    few_steps: Option<FewStepsReport>,
    /// This in words.
    text: String,
}

impl SlowAloneReport {
    fn of(found: &SlowAlone, language: Language) -> Self {
        Self {
            rank: found.rank,
            longer_share: found.by,
            waiting_share: found.blamed,
            straggler_above: found.needed,
            few_steps: found.few_steps.as_ref().map(|few| FewStepsReport::of(few, None)),
            text: slow_alone_sentence(found, language),
        }
    }
}

/// Ranks that compute longer than the others and are no stragglers, as their own time is not longer.
#[derive(Debug, JsonSchema, Serialize)]
struct LongerComputeReport {
    /// The one that computes longest first.
    ranks: Vec<u64>,
    /// The first one's excess over the usual time, as a share of that.
    longer_share: f64,
    /// This in words.
    text: String,
}

impl LongerComputeReport {
    fn of(found: LongerCompute, language: Language) -> Self {
        let text = longer_compute_sentence(&found, language);
        Self { ranks: found.ranks, longer_share: found.by, text }
    }
}

/// The part of the job that the verdict is based on.
#[derive(Debug, JsonSchema, Serialize)]
struct JobCoverageReport {
    ranks_compared: u64,
    collectives_matched: u64,
    collectives: u64,
}

#[derive(Debug, JsonSchema, Serialize)]
struct JobParallelReport {
    kind: &'static str,
    size: u64,
    source: &'static str,
}

impl JobParallelReport {
    fn of(shared: &Shared) -> Self {
        Self { kind: shared.kind.name(), size: shared.size, source: shared.source.name() }
    }
}

/// A rank of a job. Times are means over counted steps.
#[derive(Debug, JsonSchema, Serialize)]
struct JobRankReport {
    #[serde(flatten)]
    row: RowOf<RankTable>,
    /// Devices with number and, if known, model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    devices: Vec<String>,
    /// Own time of each step, without the time to the next step; null for steps that are not averaged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    own_of_steps_ns: Vec<Option<i64>>,
    marks: Vec<JobMarkReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct JobMarkReport {
    column: &'static str,
    rule: &'static str,
    by: f64,
}

impl JobRankReport {
    fn of(row: RowOf<RankTable>, rank: &RankRow) -> Self {
        let mark =
            |mark: &stepscope_analyze::Mark| JobMarkReport { column: mark.column, rule: mark.rule.name(), by: mark.by };
        Self {
            row,
            devices: rank.devices.iter().map(|(number, model)| device_name(*number, model)).collect(),
            own_of_steps_ns: rank.own_of_steps.iter().map(|time| time.map(|time| time.0)).collect(),
            marks: rank.marks.iter().map(mark).collect(),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct JobWarningReport {
    code: &'static str,
    count: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranks: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<RankStepReport>,
}

/// A step and its rank.
#[derive(Debug, JsonSchema, Serialize)]
struct RankStepReport {
    rank: u64,
    step: String,
}

impl JobWarningReport {
    fn of(warning: &JobWarning) -> Self {
        let steps = warning.steps.iter().map(|(rank, step)| RankStepReport { rank: *rank, step: step.clone() });
        Self { code: warning.code.name(), count: warning.count, ranks: warning.ranks.clone(), steps: steps.collect() }
    }
}

/// The collectives of a job, by operation and group.
pub(super) fn collectives_of(job: &Job) -> TableRows {
    TableRows::of(Table::of::<CollectiveTable>(&job.collectives, &CollectiveContext { groups: &job.groups }))
}

/// A device by its number, and its model, if known.
///
/// ```
/// assert_eq!(stepscope::export::report_json::device_name(3, "NVIDIA H100"), "3 NVIDIA H100");
/// assert_eq!(stepscope::export::report_json::device_name(0, ""), "0");
/// ```
#[must_use]
pub fn device_name(number: i64, model: &str) -> String {
    let number = number.to_string();
    if model.is_empty() { number } else { [&number, " ", model].concat() }
}

/// The stragglers of a job.
pub(super) fn stragglers_of(job: &Job) -> TableRows {
    TableRows::of(Table::of::<StragglerTable>(&job.stragglers, job))
}
