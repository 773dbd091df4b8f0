//! The tables of operators, kernels and copies.

use serde::Serialize;

use super::times::StatisticsReport;
use crate::analyze::{
    CopyRow, Covered, GivenPeaks, KernelGrouping, KernelRow, OperatorRow, Operators, OperatorsAre, OperatorsConfig,
    Scope, copies_in, copy_use, kernel_rows, operators_in,
};
use crate::summary::Rank;
use crate::trace::{Class, Trace};

/// The tables of a rank or of one of its steps.
#[derive(Debug, Serialize)]
pub struct Tables {
    /// `slices`, where the trace has no operators and the table holds all slices of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    operators_are: Option<&'static str>,
    operators: Vec<OperatorReport>,
    unlinked: UnlinkedReport,
    kernels: Vec<KernelReport>,
    copies: Vec<CopyReport>,
}

impl Tables {
    /// The tables of a step, by its index, or of the whole trace.
    #[must_use]
    pub fn of(rank: &Rank, step: Option<usize>, config: OperatorsConfig) -> Self {
        // What every file's analysis has computed anyway.
        if step.is_none() && config == rank.analysis.operators_config {
            return Self::whole(rank);
        }
        let trace = &rank.trace;
        let scope = step.and_then(|step| Scope::of_step(&rank.analysis.steps, step));
        let operators = operators_in(trace, config, scope.as_ref());
        Self::from_reports(
            trace,
            &operators,
            &kernel_rows(trace, KernelGrouping::Name, scope.as_ref(), &rank.analysis.tensor_cores),
            &copies_in(trace, scope.as_ref()),
            &rank.analysis.peaks,
        )
    }

    pub(super) fn whole(rank: &Rank) -> Self {
        let analysis = &rank.analysis;
        Self::from_reports(&rank.trace, &analysis.operators, &analysis.kernels, &analysis.copies, &analysis.peaks)
    }

    fn from_reports(
        trace: &Trace,
        operators: &Operators,
        kernels: &[KernelRow],
        copies: &[CopyRow],
        peaks: &GivenPeaks,
    ) -> Self {
        Self {
            operators_are: (operators.are == OperatorsAre::Slices).then_some("slices"),
            operators: operators.rows.iter().map(|row| OperatorReport::of(trace, row)).collect(),
            unlinked: UnlinkedReport {
                activities: operators.unlinked_activities,
                device_ns: operators.unlinked_device.0,
                device_sum_ns: operators.unlinked_device_sum.0,
            },
            kernels: kernels.iter().map(|row| KernelReport::of(trace, row)).collect(),
            copies: copies.iter().map(|row| CopyReport::of(trace, row, peaks)).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct OperatorReport {
    name: String,
    class: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    shapes: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    types: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stack: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    thread: String,
    calls: u64,
    host_total_ns: i64,
    host_self_ns: i64,
    host_mean_ns: i64,
    host_min_ns: i64,
    host_max_ns: i64,
    device_total_ns: i64,
    device_self_ns: i64,
    device_total_sum_ns: i64,
    device_self_sum_ns: i64,
}

impl OperatorReport {
    fn of(trace: &Trace, row: &OperatorRow) -> Self {
        Self {
            name: row.name.clone(),
            class: row.class.name(),
            shapes: trace.strings.get(row.shapes).to_owned(),
            types: trace.strings.get(row.types).to_owned(),
            stack: row.stack.iter().map(|name| trace.strings.get(*name).to_owned()).collect(),
            thread: thread(trace, row),
            calls: row.calls,
            host_total_ns: row.host_total.0,
            host_self_ns: row.host_self.0,
            host_mean_ns: row.host_mean().0,
            host_min_ns: row.host_min.0,
            host_max_ns: row.host_max.0,
            device_total_ns: row.device_total.0,
            device_self_ns: row.device_self.0,
            device_total_sum_ns: row.device_total_sum.0,
            device_self_sum_ns: row.device_self_sum.0,
        }
    }
}

/// The thread of a row, where rows tell it apart; else empty.
fn thread(trace: &Trace, row: &OperatorRow) -> String {
    row.thread.get().map_or_else(String::new, |track| trace.place_label(&trace.tracks[track.index()]))
}

#[derive(Debug, Serialize)]
struct UnlinkedReport {
    activities: u64,
    device_ns: i64,
    device_sum_ns: i64,
}

pub(super) fn value(found: Covered) -> f64 {
    found.value
}

pub(super) fn coverage(found: Covered) -> f64 {
    found.coverage
}

#[derive(Debug, Serialize)]
pub(super) struct KernelReport {
    name: String,
    class: &'static str,
    #[serde(flatten)]
    times: StatisticsReport,
    share_of_kernel_time: f64,
    cumulative_share_of_kernel_time: f64,
    blocks_per_sm: Option<f64>,
    /// The share of the time for which the mean is known.
    blocks_per_sm_coverage: Option<f64>,
    occupancy_percent: Option<f64>,
    occupancy_percent_coverage: Option<f64>,
    /// Whether it uses tensor cores, where that is known.
    tensor_cores: Option<bool>,
    /// `used`, `not_used` or `unknown`.
    tensor_core_use: &'static str,
}

impl KernelReport {
    pub(super) fn of(trace: &Trace, row: &KernelRow) -> Self {
        Self {
            name: trace.strings.get(row.name).to_owned(),
            class: if row.communication { "communication" } else { "compute" },
            times: StatisticsReport::of(&row.time),
            share_of_kernel_time: row.share,
            cumulative_share_of_kernel_time: row.cumulative_share,
            blocks_per_sm: row.blocks_per_sm.map(value),
            blocks_per_sm_coverage: row.blocks_per_sm.map(coverage),
            occupancy_percent: row.occupancy_percent.map(value),
            occupancy_percent_coverage: row.occupancy_percent.map(coverage),
            tensor_cores: row.tensor_cores.known(),
            tensor_core_use: row.tensor_cores.name(),
        }
    }
}

#[derive(Debug, Serialize)]
struct CopyReport {
    name: String,
    class: &'static str,
    calls: u64,
    total_ns: i64,
    mean_ns: i64,
    median_ns: i64,
    min_ns: i64,
    max_ns: i64,
    bytes: Option<u64>,
    gigabytes_per_second: Option<f64>,
    /// The share of the time for which the rate is known.
    gigabytes_per_second_coverage: Option<f64>,
    /// The most that the device or its link could, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_gigabytes_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_peak: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_peak_coverage: Option<f64>,
}

impl CopyReport {
    fn of(trace: &Trace, row: &CopyRow, peaks: &GivenPeaks) -> Self {
        let used = copy_use(trace, row, peaks);
        Self {
            name: trace.strings.get(row.name).to_owned(),
            class: if row.class == Class::Memcpy { "memcpy" } else { "memset" },
            calls: row.time.calls,
            total_ns: row.time.total.0,
            mean_ns: row.time.mean.0,
            median_ns: row.time.median.0,
            min_ns: row.time.min.0,
            max_ns: row.time.max.0,
            bytes: (row.calls_with_bytes > 0).then_some(row.bytes),
            gigabytes_per_second: row.rate().map(value),
            gigabytes_per_second_coverage: row.rate().map(coverage),
            peak_gigabytes_per_second: used.map(|used| used.peak),
            share_of_peak: used.map(|used| used.share.value),
            share_of_peak_coverage: used.map(|used| used.share.coverage),
        }
    }
}
