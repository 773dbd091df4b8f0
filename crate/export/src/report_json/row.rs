//! Details of a table row.

use schemars::JsonSchema;
use serde::Serialize;

use super::idle::DistributionReport;
use stepscope_analyze::Rank;
use stepscope_analyze::{
    KernelGrouping, KernelRow, OperatorRow, OperatorsConfig, RowConfig, RowDetail, RowEvent, RowKey, RowTimes,
    RowVariant, StepChoice, Steps, Variant, copies_in, kernel_rows, operators_in, row_detail,
};
use stepscope_trace::{NO_BYTES, Trace};

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowRequest<'a> {
    /// `operators`, `kernels`, `copies` or `launches`.
    pub(super) table: &'a str,
    /// The row's index in that table's report.
    pub(super) row: usize,
    /// The steps of the table.
    pub(super) choice: StepChoice,
    /// The grouping of operators.
    pub(super) operators: OperatorsConfig,
    /// The grouping of kernels.
    pub(super) kernels: KernelGrouping,
}

/// Events of a table row: lengths, slowest, per step, by variant.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct RowReport {
    lengths: DistributionReport,
    slowest: Vec<RowEventReport>,
    first: Vec<RowEventReport>,
    steps: Vec<RowTimesReport>,
    outside: RowTimesReport,
    variant_count: u64,
    variants: Vec<VariantReport>,
}

impl RowReport {
    /// The details of the requested row; none if there is none.
    pub(super) fn of(rank: &Rank, request: &RowRequest<'_>) -> Option<Self> {
        let (trace, steps) = (&rank.trace, &rank.analysis.steps);
        let scope = request.choice.scope(steps);
        let scope = scope.as_ref();
        // Every file's analysis has these already.
        let known = Some(&rank.analysis).filter(|_| scope.is_none());
        let look = |key: RowKey<'_>| {
            Self::from_report(trace, steps, &row_detail(trace, steps, key, scope, RowConfig::standard()))
        };
        match request.table {
            "operators" => {
                let look = |row: &OperatorRow| look(RowKey::Operator(row, request.operators));
                match known.filter(|known| known.operators_config == request.operators) {
                    Some(known) => known.operators.rows.get(request.row).map(look),
                    None => operators_in(trace, request.operators, scope).rows.get(request.row).map(look),
                }
            }
            "kernels" => {
                let look = |row: &KernelRow| look(RowKey::Kernel(row, request.kernels));
                match known.filter(|_| request.kernels == KernelGrouping::Name) {
                    Some(known) => known.kernels.get(request.row).map(look),
                    None => kernel_rows(trace, request.kernels, scope, &rank.analysis.tensor_cores)
                        .get(request.row)
                        .map(look),
                }
            }
            "copies" => copies_in(trace, scope).get(request.row).map(|row| look(RowKey::Copy(row))),
            "launches" => rank.analysis.launches.names.get(request.row).map(|(name, _)| look(RowKey::Launch(*name))),
            _ => None,
        }
    }

    fn from_report(trace: &Trace, steps: &Steps, found: &RowDetail) -> Self {
        let events = |events: &[RowEvent]| events.iter().map(|event| RowEventReport::of(trace, steps, event)).collect();
        Self {
            lengths: DistributionReport::of(&found.lengths),
            slowest: events(&found.slowest),
            first: events(&found.first),
            steps: found.steps.iter().map(RowTimesReport::of).collect(),
            outside: RowTimesReport::of(&found.outside),
            variant_count: found.variant_count,
            variants: found.variants.iter().map(|variant| VariantReport::of(trace, variant)).collect(),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct RowTimesReport {
    calls: u64,
    total_ns: i64,
    device_ns: i64,
}

impl RowTimesReport {
    fn of(times: &RowTimes) -> Self {
        Self { calls: times.calls, total_ns: times.total.0, device_ns: times.device.0 }
    }
}

/// Shapes, types or launch configuration of a variant.
#[derive(Debug, JsonSchema, Serialize)]
struct VariantOf {
    #[serde(skip_serializing_if = "String::is_empty")]
    shapes: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    types: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<[u32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<[u32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
}

impl VariantOf {
    fn of(trace: &Trace, variant: &Variant) -> Self {
        let text = |name| trace.strings.get(name).to_owned();
        let config = variant.config.get().and_then(|config| trace.configs.get(config.index()));
        Self {
            shapes: text(variant.shapes),
            types: text(variant.types),
            grid: config.map(|config| config.grid),
            block: config.map(|config| config.block),
            bytes: (variant.bytes != NO_BYTES).then_some(variant.bytes),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct VariantReport {
    /// The variant; null for all that are not distinguished.
    variant: Option<VariantOf>,
    #[serde(flatten)]
    times: RowTimesReport,
    steps: Vec<RowTimesReport>,
}

impl VariantReport {
    fn of(trace: &Trace, found: &RowVariant) -> Self {
        Self {
            variant: found.variant.as_ref().map(|variant| VariantOf::of(trace, variant)),
            times: RowTimesReport::of(&found.times),
            steps: found.steps.iter().map(RowTimesReport::of).collect(),
        }
    }
}

/// An event of a table row.
#[derive(Debug, JsonSchema, Serialize)]
struct RowEventReport {
    slice: u32,
    name: String,
    start_ns: i64,
    length_ns: i64,
    device_ns: i64,
    /// The step's name.
    step: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<i64>,
    /// The thread, for events that are not on a stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<String>,
    #[serde(flatten)]
    variant: VariantOf,
}

impl RowEventReport {
    fn of(trace: &Trace, steps: &Steps, event: &RowEvent) -> Self {
        let stream = trace.stream_of(event.event);
        let track = &trace.tracks[trace.slices.track(event.event).index()];
        Self {
            slice: event.event.0,
            name: trace.name_of(event.event).to_owned(),
            start_ns: trace.slices.start(event.event).0,
            length_ns: event.length.0,
            device_ns: event.device.0,
            step: event.step.map(|step| steps.steps[step].name.clone()),
            device: stream.map(|stream| stream.device),
            stream: stream.map(|stream| stream.stream),
            thread: stream.is_none().then(|| trace.place_label(track)),
            variant: VariantOf::of(trace, &event.variant),
        }
    }
}
