//! Use of the device by kernels.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::Named;
use super::table::{TableRows, rows_of, schema_of};
use super::tables::{coverage, value};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    Computed, DeviceUse, GivenPeaks, KernelContext, KernelGrouping, KernelRow, KernelTable, KernelUse,
    KernelUseContext, KernelUseTable, Limiter, Occupancy, OperatorFlopsContext, OperatorFlopsTable, Operators,
    OperatorsConfig, PeakKind, Peaks, PerStep, StepChoice, Waves, kernel_use, operator_flops, operators_in,
};
use stepscope_table::{Count, Described, Table};
use stepscope_trace::Trace;

/// Kernels with occupancy, limiter, waves and FLOP/s, and utilization of each device. METRICS section 4.
#[derive(Debug, JsonSchema, Serialize)]
pub struct KernelUseReport {
    #[serde(skip_serializing_if = "TableRows::hand_over")]
    #[schemars(schema_with = "kernel_rows")]
    kernels: TableRows,
    devices: Vec<DeviceUseReport>,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<OperatorFlopsTable>")]
    operators: TableRows,
}

fn kernel_rows(generator: &mut SchemaGenerator) -> Schema {
    schema_of(&Described::of::<KernelUseTable>().after::<KernelTable>().description(), generator)
}

impl KernelUseReport {
    /// The report of a step, of the average step, or of the whole trace.
    #[must_use]
    pub fn of(rank: &Rank, choice: StepChoice, grouping: KernelGrouping) -> Self {
        let (trace, analysis) = (&rank.trace, &rank.analysis);
        let scope = choice.scope(&analysis.steps);
        let per = PerStep(choice.divisor(&analysis.steps));
        let found = kernel_use(trace, grouping, scope.as_ref(), &analysis.peaks);
        let flops = operator_flops(trace, scope.as_ref());
        let by_name = OperatorsConfig::standard();
        let known = scope.is_none() && analysis.operators_config == by_name;
        let of_scope;
        let operators: &Operators = if known || flops.is_empty() {
            &analysis.operators
        } else {
            of_scope = operators_in(trace, by_name, scope.as_ref());
            &of_scope
        };
        Self {
            kernels: TableRows::of(kernel_use_table(trace, &found.rows, grouping, per)),
            devices: found.devices.iter().map(|used| DeviceUseReport::of(used, &analysis.peaks, per)).collect(),
            operators: TableRows::of(Table::of::<OperatorFlopsTable>(
                &flops,
                &OperatorFlopsContext { trace, operators: &operators.rows, per },
            )),
        }
    }
}

/// The table of kernels with their use of the device.
fn kernel_use_table(trace: &Trace, used: &[KernelUse], grouping: KernelGrouping, per: PerStep) -> Table {
    let rows: Vec<KernelRow> = used.iter().map(|used| used.row.clone()).collect();
    let kernels = Table::of::<KernelTable>(&rows, &KernelContext { trace, per });
    kernels.and(Table::of::<KernelUseTable>(used, &KernelUseContext { trace, per, grouping }))
}

#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct OccupancyReport {
    share: f64,
    limiter: &'static str,
    blocks: u32,
    /// Blocks per SM that each limit allows.
    fitting: Named<Option<u32>>,
    warps_per_block: u32,
    warps: u32,
    registers_per_block: u32,
    shared_memory_per_block: u32,
}

impl OccupancyReport {
    pub(super) fn of(found: &Occupancy) -> Self {
        Self {
            share: found.share,
            limiter: found.limiter.name(),
            blocks: found.blocks,
            fitting: Named(Limiter::ALL.iter().map(|limiter| limiter.name()).zip(found.fitting).collect()),
            warps_per_block: found.warps_per_block,
            warps: found.warps,
            registers_per_block: found.registers_per_block,
            shared_memory_per_block: found.shared_memory_per_block,
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct WavesReport {
    blocks: u64,
    at_once: u64,
    waves: f64,
    last: f64,
    tail: f64,
}

impl WavesReport {
    pub(super) fn of(found: &Waves) -> Self {
        Self { blocks: found.blocks, at_once: found.at_once, waves: found.waves, last: found.last, tail: found.tail }
    }
}

/// FLOPs computed from input shapes of operators.
#[derive(Debug, JsonSchema, Serialize)]
struct ComputedReport {
    computed_flops: Option<Count>,
    flops_per_second: Option<f64>,
    /// The share of the time of kernels whose operator has a formula for FLOPs, for which FLOPs are known.
    flops_per_second_coverage: Option<f64>,
    share_of_peak: Option<f64>,
    share_of_peak_coverage: Option<f64>,
}

impl ComputedReport {
    fn of(computed: &Computed, per: PerStep) -> Self {
        let (rate, share) = (computed.per_second(), computed.share_of_peak());
        Self {
            computed_flops: (computed.calls > 0).then(|| per.count(computed.flops)),
            flops_per_second: rate.map(value),
            flops_per_second_coverage: rate.map(coverage),
            share_of_peak: share.map(value),
            share_of_peak_coverage: share.map(coverage),
        }
    }
}

/// Utilization of a device.
#[derive(Debug, JsonSchema, Serialize)]
struct DeviceUseReport {
    device: i64,
    model: Option<&'static str>,
    /// `nvidia`, `amd`, `ascend` or `unknown`; decides names of units.
    vendor: &'static str,
    span_ns: i64,
    sm_efficiency: Option<f64>,
    sm_efficiency_coverage: Option<f64>,
    theoretical_occupancy: Option<f64>,
    theoretical_occupancy_coverage: Option<f64>,
    achieved_occupancy: Option<f64>,
    achieved_occupancy_coverage: Option<f64>,
    tensor_cores: Option<f64>,
    tensor_cores_coverage: Option<f64>,
    #[serde(flatten)]
    computed: ComputedReport,
    flops_per_second_of_span: Option<f64>,
    peak_share_of_span: Option<f64>,
    peak_share_of_span_coverage: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peaks: Option<DevicePeaksReport>,
}

/// Peaks from the data sheet or given by the user; null if unknown.
#[derive(Debug, JsonSchema, Serialize)]
struct DevicePeaksReport {
    memory_gigabytes_per_second: Option<f64>,
    link_gigabytes_per_second: Option<f64>,
    teraflops_per_second: Named<Option<f64>>,
    /// The source of the data sheet values; empty if all peaks were given.
    source: &'static str,
    /// The names of peaks given by the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    given: Vec<&'static str>,
}

impl DevicePeaksReport {
    fn of(peaks: &Peaks, source: &'static str, given: &GivenPeaks) -> Self {
        let known = |kind: PeakKind| Some(kind.of(peaks)).filter(|rate| *rate > 0.0);
        let rates = PeakKind::ALL.into_iter().filter(|(kind, _)| !matches!(kind, PeakKind::Memory | PeakKind::Link));
        let is_given = |kind: PeakKind| given.list().iter().any(|(other, _)| *other == kind);
        let named = PeakKind::ALL.into_iter().filter(|(kind, _)| is_given(*kind));
        Self {
            memory_gigabytes_per_second: known(PeakKind::Memory),
            link_gigabytes_per_second: known(PeakKind::Link),
            teraflops_per_second: Named(rates.map(|(kind, name)| (name, known(kind))).collect()),
            source,
            given: named.map(|(_, name)| name).collect(),
        }
    }
}

impl DeviceUseReport {
    fn of(used: &DeviceUse, given: &GivenPeaks, per: PerStep) -> Self {
        let source = used.model.map_or("", |model| model.source);
        Self {
            device: used.device,
            model: used.model.map(|model| model.name),
            vendor: used.vendor.name(),
            span_ns: used.span.len().0,
            sm_efficiency: used.sm_efficiency.map(value),
            sm_efficiency_coverage: used.sm_efficiency.map(coverage),
            theoretical_occupancy: used.occupancy.map(value),
            theoretical_occupancy_coverage: used.occupancy.map(coverage),
            achieved_occupancy: used.achieved_occupancy.map(value),
            achieved_occupancy_coverage: used.achieved_occupancy.map(coverage),
            tensor_cores: used.tensor_cores.map(value),
            tensor_cores_coverage: used.tensor_cores.map(coverage),
            computed: ComputedReport::of(&used.computed, per),
            flops_per_second_of_span: used.flops_per_second_of_span().map(value),
            peak_share_of_span: used.peak_share_of_span().map(value),
            peak_share_of_span_coverage: used.peak_share_of_span().map(coverage),
            peaks: used.peaks.map(|peaks| DevicePeaksReport::of(&peaks, source, given)),
        }
    }
}
