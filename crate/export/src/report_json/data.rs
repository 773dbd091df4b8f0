//! Data loading: MindData's pipeline, data loaders, and waits for them.

use schemars::JsonSchema;
use serde::Serialize;

use super::idle::HistogramBarReport;
use super::mindspore::PipelineReport;
use super::table::{TableRows, rows_of};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    DataLoading, LoaderQueueTable, LongestWaitTable, Phase, Pipeline, StepWaits, Steps, WaitsTable, data_loading,
    get_next_sizes, loader_queues, queue_samples,
};
use stepscope_table::Table;
use stepscope_trace::Trace;

/// Waits of the host for a data loader.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct LoadingReport {
    kind: &'static str,
    waits: u64,
    total_ns: i64,
    mean_ns: i64,
    median_ns: i64,
    min_ns: i64,
    max_ns: i64,
    histogram: Vec<HistogramBarReport>,
    average: WaitsReport,
    waiting_steps: u64,
    #[schemars(schema_with = "rows_of::<WaitsTable>")]
    steps: TableRows,
    #[schemars(schema_with = "rows_of::<LongestWaitTable>")]
    longest: TableRows,
    /// The queues of loaders that this tool's recorder counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "rows_of::<LoaderQueueTable>")]
    queues: Option<TableRows>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct WaitsReport {
    waits: u64,
    total_ns: i64,
    longest_ns: i64,
    longest_slice: Option<u32>,
    waiting_ns: i64,
    host_step_ns: i64,
    waiting_share_of_host_step: Option<f64>,
    exposed_ns: i64,
}

impl LoadingReport {
    /// The report; nothing if the trace shows no waiting.
    pub(super) fn of(rank: &Rank) -> Option<Self> {
        let (trace, analysis) = (&rank.trace, &rank.analysis);
        shows_loading(rank)
            .then(|| data_loading(trace, &analysis.steps, &analysis.known_categories()))?
            .map(|found| Self::new(trace, &analysis.steps, &found))
    }

    fn new(trace: &Trace, steps: &Steps, found: &DataLoading) -> Self {
        let times = &found.waits.statistics;
        let bars = found.waits.histogram.bars();
        let queues = loader_queues(trace);
        Self {
            kind: found.kind.name(),
            waits: times.calls,
            total_ns: times.total.0,
            mean_ns: times.mean.0,
            median_ns: times.median.0,
            min_ns: times.min.0,
            max_ns: times.max.0,
            histogram: bars
                .map(|(bar, count)| HistogramBarReport { from_ns: bar.start.0, to_ns: bar.end.0, count })
                .collect(),
            average: WaitsReport::of(&found.average),
            waiting_steps: found.waiting_steps,
            steps: TableRows::of(Table::of::<WaitsTable>(&found.rows(steps), &())),
            longest: TableRows::of(Table::of::<LongestWaitTable>(&found.longest, trace)),
            queues: (!queues.is_empty()).then(|| TableRows::of(Table::of::<LoaderQueueTable>(&queues, trace))),
        }
    }
}

impl WaitsReport {
    fn of(waits: &StepWaits) -> Self {
        let StepWaits { calls, total, longest, longest_wait, waiting, host, exposed } = *waits;
        Self {
            waits: calls,
            total_ns: total.0,
            longest_ns: longest.0,
            longest_slice: longest_wait.get().map(|id| id.0),
            waiting_ns: waiting.0,
            host_step_ns: host.0,
            waiting_share_of_host_step: waiting.ratio_of(host),
            exposed_ns: exposed.0,
        }
    }
}

/// Whether a step waits for data anywhere; all analyses have this already.
fn shows_loading(rank: &Rank) -> bool {
    rank.analysis.phases.steps.iter().any(|phases| phases[Phase::Dataloader as usize].calls > 0)
}

/// Whether the trace has anything about data loading.
pub(super) fn has_data(rank: &Rank) -> bool {
    rank.analysis.mindspore.pipeline.is_some() || shows_loading(rank)
}

/// The data pipeline, its queues, and waits for data.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DataReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    pipeline: Option<PipelineReport>,
    /// Queue size and capacity at each step.
    queue: Vec<QueueSampleReport>,
    /// Size of the device's queue whenever `GetNext` took data from it.
    get_next_sizes: Vec<f64>,
    /// Queue size of each operator in each sample.
    queues: Vec<OperatorQueue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loading: Option<LoadingReport>,
    /// Batches ready at each request, by loader, in the order of `loading.queues`.
    ready: Vec<Vec<f64>>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct QueueSampleReport {
    /// The step's number.
    step: Option<i64>,
    size: Option<i64>,
    capacity: Option<i64>,
    get_ns: Option<f64>,
    push_ns: Option<f64>,
    total_ns: Option<f64>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct OperatorQueue {
    id: i64,
    sizes: Vec<i64>,
    /// The time between two samples; none where it is not known.
    interval_ns: Option<f64>,
}

impl DataReport {
    /// The report; none if the trace has nothing about data loading.
    pub(super) fn of(rank: &Rank) -> Option<Self> {
        let pipeline = rank.analysis.mindspore.pipeline.as_ref();
        let report = Self {
            pipeline: pipeline.map(PipelineReport::of),
            queue: queue_samples(&rank.trace)
                .into_iter()
                .map(|sample| QueueSampleReport {
                    step: sample.step,
                    size: sample.size,
                    capacity: sample.capacity,
                    get_ns: sample.get,
                    push_ns: sample.push,
                    total_ns: sample.total,
                })
                .collect(),
            get_next_sizes: get_next_sizes(&rank.trace),
            queues: pipeline.map_or_else(Vec::new, queues),
            loading: LoadingReport::of(rank),
            ready: loader_queues(&rank.trace).into_iter().map(|queue| queue.ready).collect(),
        };
        has_data(rank).then_some(report)
    }
}

fn queues(pipeline: &Pipeline) -> Vec<OperatorQueue> {
    let queued = pipeline.operators.iter().filter(|operator| !operator.sizes.is_empty());
    queued
        .map(|operator| OperatorQueue {
            id: operator.id,
            sizes: operator.sizes.clone(),
            interval_ns: operator.interval,
        })
        .collect()
}
