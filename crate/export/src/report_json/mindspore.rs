//! MindSpore's own tables, and the comparison of ranks that they allow.

use schemars::JsonSchema;
use serde::Serialize;

use super::table::{RowOf, TableRows, rows_of};
use stepscope_analyze::{
    AicoreOperatorTable, AicoreSide, AicpuOperatorTable, AicpuSide, Analysis, Cluster, ClusterFlopsTable,
    ClusterLinkTable, ClusterOperatorTable, ClusterStageTable, ClusterTable, CutTable, Evidence, HostOperatorTable,
    HostSide, Judgement, OperatorTypeTable, OutlierTable, ParallelStrategy, Pipeline, PipelineTable, StepTrace,
    StepTraceTable, table_advice,
};
use stepscope_table::Table;

/// MindSpore's tables of a rank.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct MindSporeReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    step_trace: Option<RecordedStepTraceReport>,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<OperatorTypeTable<AicoreSide>>")]
    aicore_types: TableRows,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<AicoreOperatorTable>")]
    aicore_operators: TableRows,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<OperatorTypeTable<AicpuSide>>")]
    aicpu_types: TableRows,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<AicpuOperatorTable>")]
    aicpu_operators: TableRows,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<OperatorTypeTable<HostSide>>")]
    host_types: TableRows,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<HostOperatorTable>")]
    host_operators: TableRows,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<RecordedFindingReport>,
}

impl MindSporeReport {
    /// The report of a rank with tables beyond the pipeline.
    pub(super) fn of(analysis: &Analysis) -> Self {
        let found = &analysis.mindspore;
        Self {
            step_trace: found.step_trace.as_ref().map(RecordedStepTraceReport::of),
            aicore_types: TableRows::of(Table::of::<OperatorTypeTable<AicoreSide>>(&found.aicore_types, &())),
            aicore_operators: TableRows::of(Table::of::<AicoreOperatorTable>(&found.aicore_operators, &())),
            aicpu_types: TableRows::of(Table::of::<OperatorTypeTable<AicpuSide>>(&found.aicpu_types, &())),
            aicpu_operators: TableRows::of(Table::of::<AicpuOperatorTable>(&found.aicpu_operators, &())),
            host_types: TableRows::of(Table::of::<OperatorTypeTable<HostSide>>(&found.host_types, &())),
            host_operators: TableRows::of(Table::of::<HostOperatorTable>(&found.host_operators, &())),
            findings: table_advice(analysis)
                .iter()
                .filter(|rule| rule.holds)
                .flat_map(RecordedFindingReport::of)
                .collect(),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct RecordedStepTraceReport {
    forward_start: String,
    backward_end: String,
    average_is_recorded: bool,
    average: RowOf<StepTraceTable<true>>,
    #[schemars(schema_with = "rows_of::<StepTraceTable<true>>")]
    steps: TableRows,
}

impl RecordedStepTraceReport {
    fn of(found: &StepTrace) -> Self {
        Self {
            forward_start: found.forward_start.clone(),
            backward_end: found.backward_end.clone(),
            average_is_recorded: found.recorded_average,
            average: RowOf::one(&found.average, &()),
            steps: TableRows::of(Table::of::<StepTraceTable<true>>(&found.steps, &())),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct RecordedFindingReport {
    rule: &'static str,
    value: f64,
    threshold: f64,
    #[serde(skip_serializing_if = "String::is_empty")]
    subject: String,
}

impl RecordedFindingReport {
    /// A rule that holds, one entry for each thing that it names.
    fn of(judgement: &Judgement) -> Vec<Self> {
        let Ok(found) = &judgement.measured else { return Vec::new() };
        let finding = |value: f64, subject: &str| Self {
            rule: judgement.rule.id,
            value,
            threshold: judgement.threshold,
            subject: subject.to_owned(),
        };
        let named = found.evidence.iter().filter_map(|evidence| match evidence {
            Evidence::Named(name, value, _) => Some(finding(*value, name)),
            Evidence::Rank(..) | Evidence::Slice(..) | Evidence::Slices(..) | Evidence::Gap { .. } => None,
        });
        let named: Vec<Self> = named.collect();
        if named.is_empty() { vec![finding(found.value, "")] } else { named }
    }
}

/// A rank's data pipeline.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct PipelineReport {
    verdict: Option<&'static str>,
    keeps_up: bool,
    bottlenecks: Vec<i64>,
    /// Further operators that the queues around them show to be slow, though their queues were never found empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    slow_by_queues: Vec<i64>,
    #[schemars(schema_with = "rows_of::<PipelineTable>")]
    operators: TableRows,
    queue: Option<DataQueueReport>,
    get_next: Option<GetNextReport>,
    /// Whether the device takes data ahead of its steps, by the timeline.
    #[serde(skip_serializing_if = "Option::is_none")]
    get_next_ahead: Option<GetNextAheadReport>,
    /// Mean iteration interval by the step trace.
    interval_ns: Option<i64>,
    /// Longest iteration interval that is not long.
    interval_limit_ns: Option<f64>,
    /// Null with too few samples.
    processors_busy: Option<f64>,
    processors_samples: Option<u64>,
    processors_bound: bool,
}

#[derive(Debug, JsonSchema, Serialize)]
struct DataQueueReport {
    device: bool,
    steps: u64,
    times_empty: u64,
    times_full: u64,
    /// Steps by which it is judged: the first one finds the queue empty because the pipeline starts.
    counted_steps: u64,
    /// Counted steps that found it empty.
    counted_empty: u64,
    /// The first step's time to get data, where it is the pipeline's start: then the means are without that step.
    #[serde(skip_serializing_if = "Option::is_none")]
    start_ns: Option<f64>,
    mean_usage: Option<f64>,
    mean_get_ns: f64,
    mean_push_ns: f64,
    mean_total_ns: f64,
}

#[derive(Debug, JsonSchema, Serialize)]
struct GetNextReport {
    steps: u64,
    times_empty: u64,
    mean_ns: f64,
}

/// The device's operator that gets data, in counted steps, by its timeline.
#[derive(Debug, JsonSchema, Serialize)]
struct GetNextAheadReport {
    steps: u64,
    /// Steps in which no operator computed beside it.
    steps_late: u64,
    /// Mean time per step in which it ran and nothing computed.
    alone_ns: i64,
    /// The mean length of these steps.
    step_ns: i64,
    /// Whether it does not run ahead: late in more than half of several steps, for more than 1 % of the step.
    is_late: bool,
    /// The longest one that ran alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<u32>,
}

impl PipelineReport {
    pub(super) fn of(found: &Pipeline) -> Self {
        let operator = |index: &usize| found.operators.get(*index).map(|operator| operator.id);
        Self {
            verdict: found.verdict.map(stepscope_analyze::DataVerdict::name),
            keeps_up: found.keeps_up,
            bottlenecks: found.bottlenecks.iter().filter_map(operator).collect(),
            slow_by_queues: found.slow_by_queues.iter().filter_map(operator).collect(),
            operators: TableRows::of(Table::of::<PipelineTable>(&found.operators, found)),
            queue: found.queue.map(|queue| DataQueueReport {
                device: queue.device,
                steps: queue.steps,
                times_empty: queue.empty,
                times_full: queue.full,
                counted_steps: found.counted.steps,
                counted_empty: found.counted.empty,
                start_ns: queue.start,
                mean_usage: queue.usage,
                mean_get_ns: queue.get,
                mean_push_ns: queue.push,
                mean_total_ns: queue.total,
            }),
            get_next: found.get_next.map(|found| GetNextReport {
                steps: found.steps,
                times_empty: found.empty,
                mean_ns: found.mean,
            }),
            get_next_ahead: found.get_next_ahead.map(|found| GetNextAheadReport {
                steps: found.steps,
                steps_late: found.late,
                alone_ns: found.alone.0,
                step_ns: found.step.0,
                is_late: found.is_late(),
                example: found.example.map(|event| event.0),
            }),
            interval_ns: found.interval.map(|(interval, _)| interval.mean.0),
            interval_limit_ns: found.interval.map(|(_, limit)| limit),
            processors_busy: found.processor.and_then(|processor| processor.busy()),
            processors_samples: found.processor.map(|processor| processor.samples),
            processors_bound: found.processor.is_some_and(|processor| processor.is_bound()),
        }
    }
}

/// MindSpore's cluster tables.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ClusterReport {
    mode: Option<&'static str>,
    stages: u64,
    world_size: u64,
    #[schemars(schema_with = "rows_of::<ClusterTable>")]
    rows: TableRows,
    communication_rate: Option<f64>,
    between_stages_rate: Option<f64>,
    #[schemars(schema_with = "rows_of::<ClusterStageTable>")]
    within_stages: TableRows,
    #[schemars(schema_with = "rows_of::<ClusterLinkTable>")]
    links: TableRows,
    #[schemars(schema_with = "rows_of::<ClusterOperatorTable>")]
    operators: TableRows,
    #[schemars(schema_with = "rows_of::<ClusterFlopsTable>")]
    flops: TableRows,
    #[schemars(schema_with = "rows_of::<OutlierTable>")]
    outliers: TableRows,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<StrategyReport>,
}

/// Content of a `parallel_strategy` file.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct StrategyReport {
    mode: String,
    /// The ranks of each stage.
    stages: Vec<Vec<u64>>,
    #[schemars(schema_with = "rows_of::<CutTable<false>>")]
    cuts: TableRows,
}

impl StrategyReport {
    pub(super) fn of(found: &ParallelStrategy) -> Self {
        let cuts = TableRows::of(Table::of::<CutTable<false>>(&found.cuts, &()));
        Self { mode: found.mode.clone(), stages: found.stages.clone(), cuts }
    }
}

impl ClusterReport {
    pub(super) fn of(found: &Cluster) -> Self {
        Self {
            mode: found.mode.map(stepscope_analyze::ParallelMode::name),
            stages: found.stages,
            world_size: found.ranks,
            rows: TableRows::of(Table::of::<ClusterTable>(&found.rows, found)),
            communication_rate: found.communication_rate,
            between_stages_rate: found.between_stages,
            within_stages: TableRows::of(Table::of::<ClusterStageTable>(&found.within_stages, &())),
            links: TableRows::of(Table::of::<ClusterLinkTable>(&found.links, &())),
            operators: TableRows::of(Table::of::<ClusterOperatorTable>(&found.operators, &())),
            flops: TableRows::of(Table::of::<ClusterFlopsTable>(&found.flops, &())),
            outliers: TableRows::of(Table::of::<OutlierTable>(&found.outliers, &())),
            strategy: found.strategy.as_ref().map(StrategyReport::of),
        }
    }
}
