//! The step trace and the throughput of any framework's steps.

use schemars::JsonSchema;
use serde::Serialize;

use super::table::{RowOf, TableRows, rows_of};
use stepscope_analyze::{
    Benchmark, Extremes, PointSource, StepCollectiveTable, StepTimes, StepTrace, StepTraceTable, Steps, UnknownPoint,
};
use stepscope_table::Table;
use stepscope_trace::Trace;

/// MindSpore's step trace.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct StepTraceReport {
    source: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    forward_start: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    backward_end: String,
    average_is_recorded: bool,
    /// Whether that average is of other steps than the table lists.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    average_is_of_other_steps: bool,
    /// Whether the profiler's table has other steps than the timeline.
    is_of_other_steps: bool,
    average: StepPartsReport,
    steps: Vec<TracedStepReport>,
    /// Operators named by the user that the trace does not have; then all else is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<UnknownPointReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct UnknownPointReport {
    name: String,
    near: Vec<String>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct TracedStepReport {
    #[serde(flatten)]
    row: RowOf<StepTraceTable<false>>,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<StepCollectiveTable>")]
    collectives: TableRows,
}

/// The parts of the average step.
#[derive(Debug, JsonSchema, Serialize)]
struct StepPartsReport {
    total_ns: i64,
    iteration_interval_ns: i64,
    forward_and_backward_ns: i64,
    tail_ns: i64,
}

impl StepPartsReport {
    fn of(times: &StepTimes) -> Self {
        Self {
            total_ns: times.total.0,
            iteration_interval_ns: times.iteration_interval.0,
            forward_and_backward_ns: times.forward_and_backward.0,
            tail_ns: times.tail.0,
        }
    }
}

impl StepTraceReport {
    pub(super) fn of(trace: &Trace, steps: &Steps, found: &StepTrace) -> Self {
        let collectives =
            |times: &StepTimes| TableRows::of(Table::of::<StepCollectiveTable>(&times.collective_rows(), trace));
        let rows = RowOf::<StepTraceTable<false>>::all(&found.steps, &());
        let step = |(row, times)| TracedStepReport { row, collectives: collectives(times) };
        Self {
            source: found.source.name(),
            forward_start: found.forward_start.clone(),
            backward_end: found.backward_end.clone(),
            average_is_recorded: found.recorded_average,
            average_is_of_other_steps: found.averages_other_steps(),
            is_of_other_steps: found.is_of_other_steps(steps),
            average: StepPartsReport::of(&found.average),
            steps: rows.zip(&found.steps).map(step).collect(),
            unknown: Vec::new(),
        }
    }

    /// The report on names that the trace does not have.
    pub(super) fn of_unknown(points: Vec<UnknownPoint>) -> Self {
        Self {
            source: PointSource::Named.name(),
            forward_start: String::new(),
            backward_end: String::new(),
            average_is_recorded: false,
            average_is_of_other_steps: false,
            is_of_other_steps: false,
            average: StepPartsReport::of(&StepTimes::default()),
            steps: Vec::new(),
            unknown: points
                .into_iter()
                .map(|point| UnknownPointReport { name: point.name, near: point.near })
                .collect(),
        }
    }
}

/// Paddle's throughput table, times in seconds.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct BenchmarkReport {
    /// The number of steps with a known cost: those that have a next one.
    steps: u64,
    /// The number of steps that enter averages.
    of_steps: u64,
    /// No step has a next one, so each counts until its own end.
    own_lengths: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reader_cost: Option<ExtremesReport>,
    batch_cost: ExtremesReport,
    ips: ExtremesReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    reader_ratio: Option<f64>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct ExtremesReport {
    avg: f64,
    max: f64,
    min: f64,
}

impl ExtremesReport {
    fn of(values: Extremes) -> Self {
        Self { avg: values.avg, max: values.max, min: values.min }
    }
}

impl BenchmarkReport {
    pub(super) fn of(found: &Benchmark) -> Self {
        Self {
            steps: found.steps,
            of_steps: found.of,
            own_lengths: found.own_lengths,
            samples: found.samples,
            reader_cost: found.reader_cost.map(ExtremesReport::of),
            batch_cost: ExtremesReport::of(found.batch_cost),
            ips: ExtremesReport::of(found.ips),
            reader_ratio: found.reader_ratio,
        }
    }
}
