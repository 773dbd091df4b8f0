//! The tables of operators, kernels and copies.

use serde::Serialize;

use super::table::TableRows;
use crate::analyze::{
    CopyRow, Covered, GivenPeaks, KernelContext, KernelRow, KernelTable, LeftOut, OperatorRow, Operators, OperatorsAre,
    OperatorsConfig, PerStep, StepChoice, copy_use, step_tables,
};
use crate::summary::Rank;
use crate::table::{Count, Table};
use crate::trace::{Class, Trace};

/// The tables of a rank, of one of its steps, or of the average step: then counts and sums are per step.
#[derive(Debug, Serialize)]
pub struct Tables {
    /// `slices`, where the trace has no operators and the table holds all slices of the host.
    /// The step that they are of, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<String>,
    /// They are of the average step: sums and counts are divided by so many steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    averaged_steps: Option<u64>,
    /// What these averages leave out, with its sums.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOutReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operators_are: Option<&'static str>,
    operators: Vec<OperatorReport>,
    unlinked: UnlinkedReport,
    kernels: TableRows,
    copies: Vec<CopyReport>,
}

impl Tables {
    pub(super) fn whole(rank: &Rank) -> Self {
        let analysis = &rank.analysis;
        let sums = (&analysis.operators, &analysis.kernels[..], &analysis.copies[..]);
        Self::from_reports((&rank.trace, &analysis.peaks), sums, PerStep::WHOLE)
    }

    /// The tables of a step, of the average step, or of the whole trace.
    #[must_use]
    pub fn of(rank: &Rank, choice: StepChoice, config: OperatorsConfig) -> Self {
        // What every file's analysis has computed anyway.
        if choice.scope(&rank.analysis.steps).is_none() && config == rank.analysis.operators_config {
            return Self::whole(rank);
        }
        let found = step_tables(&rank.trace, &rank.analysis, choice, config);
        let sums = (&found.operators, &found.kernels[..], &found.copies[..]);
        let step = match found.choice {
            StepChoice::One(step) => rank.analysis.steps.steps.get(step).map(|step| step.name.clone()),
            StepChoice::Average | StepChoice::Whole => None,
        };
        Self {
            step,
            averaged_steps: (found.choice == StepChoice::Average).then_some(found.divisor),
            left_out: found.left_out.iter().map(LeftOutReport::of).collect(),
            ..Self::from_reports((&rank.trace, &rank.analysis.peaks), sums, PerStep(found.divisor))
        }
    }

    fn from_reports(
        (trace, peaks): (&Trace, &GivenPeaks),
        (operators, kernels, copies): (&Operators, &[KernelRow], &[CopyRow]),
        per: PerStep,
    ) -> Self {
        Self {
            step: None,
            averaged_steps: None,
            left_out: Vec::new(),
            operators_are: (operators.are == OperatorsAre::Slices).then_some("slices"),
            operators: operators.rows.iter().map(|row| OperatorReport::of(trace, row, per)).collect(),
            unlinked: UnlinkedReport {
                activities: per.count(operators.unlinked_activities),
                device_ns: per.time(operators.unlinked_device).0,
                device_sum_ns: per.time(operators.unlinked_device_sum).0,
            },
            kernels: TableRows(Table::of::<KernelTable>(kernels, &KernelContext { trace, per })),
            copies: copies.iter().map(|row| CopyReport::of(trace, row, peaks, per)).collect(),
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
    calls: Count,
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
    fn of(trace: &Trace, row: &OperatorRow, per: PerStep) -> Self {
        Self {
            name: row.name.clone(),
            class: row.class.name(),
            shapes: trace.strings.get(row.shapes).to_owned(),
            types: trace.strings.get(row.types).to_owned(),
            stack: row.stack.iter().map(|name| trace.strings.get(*name).to_owned()).collect(),
            thread: thread(trace, row),
            calls: per.count(row.calls),
            host_total_ns: per.time(row.host_total).0,
            host_self_ns: per.time(row.host_self).0,
            host_mean_ns: row.host_mean().0,
            host_min_ns: row.host_min.0,
            host_max_ns: row.host_max.0,
            device_total_ns: per.time(row.device_total).0,
            device_self_ns: per.time(row.device_self).0,
            device_total_sum_ns: per.time(row.device_total_sum).0,
            device_self_sum_ns: per.time(row.device_self_sum).0,
        }
    }
}

/// The thread of a row, where rows tell it apart; else empty.
fn thread(trace: &Trace, row: &OperatorRow) -> String {
    row.thread.get().map_or_else(String::new, |track| trace.place_label(&trace.tracks[track.index()]))
}

#[derive(Debug, Serialize)]
struct UnlinkedReport {
    activities: Count,
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
struct CopyReport {
    name: String,
    class: &'static str,
    calls: Count,
    total_ns: i64,
    mean_ns: i64,
    median_ns: i64,
    min_ns: i64,
    max_ns: i64,
    bytes: Option<Count>,
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
    fn of(trace: &Trace, row: &CopyRow, peaks: &GivenPeaks, per: PerStep) -> Self {
        let used = copy_use(trace, row, peaks);
        Self {
            name: trace.strings.get(row.name).to_owned(),
            class: if row.class == Class::Memcpy { "memcpy" } else { "memset" },
            calls: per.count(row.time.calls),
            total_ns: per.time(row.time.total).0,
            mean_ns: row.time.mean.0,
            median_ns: row.time.median.0,
            min_ns: row.time.min.0,
            max_ns: row.time.max.0,
            bytes: (row.calls_with_bytes > 0).then(|| per.count(row.bytes)),
            gigabytes_per_second: row.rate().map(value),
            gigabytes_per_second_coverage: row.rate().map(coverage),
            peak_gigabytes_per_second: used.map(|used| used.peak),
            share_of_peak: used.map(|used| used.share.value),
            share_of_peak_coverage: used.map(|used| used.share.coverage),
        }
    }
}

/// Sums of what averages over steps leave out.
#[derive(Debug, Serialize)]
struct LeftOutReport {
    /// How many steps it is; zero for what lies in no step.
    steps: u64,
    operator_calls: u64,
    host_self_ns: i64,
    device_self_ns: i64,
    kernels: u64,
    kernel_ns: i64,
    copies: u64,
    copy_ns: i64,
    copy_bytes: u64,
}

impl LeftOutReport {
    fn of(left: &LeftOut) -> Self {
        let sums = left.sums;
        Self {
            steps: left.steps,
            operator_calls: sums.operator_calls,
            host_self_ns: sums.host_self.0,
            device_self_ns: sums.device_self.0,
            kernels: sums.kernels,
            kernel_ns: sums.kernel_time.0,
            copies: sums.copies,
            copy_ns: sums.copy_time.0,
            copy_bytes: sums.copy_bytes,
        }
    }
}
