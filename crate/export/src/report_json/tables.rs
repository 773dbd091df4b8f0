//! The tables of operators, kernels and copies.

use schemars::JsonSchema;
use serde::Serialize;

use super::table::{TableRows, rows_of};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    CommunicationContext, CommunicationRow, CommunicationTable, CopyContext, CopyRow, CopyTable, Covered, GivenPeaks,
    KernelContext, KernelFamilyRow, KernelFamilyTable, KernelRow, KernelTable, LeftOut, OperatorContext, OperatorTable,
    Operators, OperatorsAre, OperatorsConfig, PerStep, StepChoice, communication, kernel_families, step_tables,
};
use stepscope_table::{Count, Table};
use stepscope_trace::Trace;

/// The tables of a rank, of one of its steps, or of the average step: then counts and sums are per step.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Tables {
    /// The name of the step; only for one step.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<String>,
    /// The number of steps by which sums and counts are divided; only for the average step.
    #[serde(skip_serializing_if = "Option::is_none")]
    averaged_steps: Option<u64>,
    /// Sums that the averages leave out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOutReport>,
    /// `slices` if the trace has no operators and the table lists all host slices.
    #[serde(skip_serializing_if = "Option::is_none")]
    operators_are: Option<&'static str>,
    #[serde(skip_serializing_if = "TableRows::hand_over")]
    #[schemars(schema_with = "rows_of::<OperatorTable>")]
    operators: TableRows,
    unlinked: UnlinkedReport,
    #[serde(skip_serializing_if = "TableRows::hand_over")]
    #[schemars(schema_with = "rows_of::<KernelFamilyTable>")]
    kernel_families: TableRows,
    #[serde(skip_serializing_if = "TableRows::hand_over")]
    #[schemars(schema_with = "rows_of::<KernelTable>")]
    kernels: TableRows,
    #[serde(skip_serializing_if = "TableRows::hand_over")]
    #[schemars(schema_with = "rows_of::<CopyTable>")]
    copies: TableRows,
    #[serde(skip_serializing_if = "TableRows::hand_over")]
    #[schemars(schema_with = "rows_of::<CommunicationTable>")]
    communication: TableRows,
}

/// Rows of operators, kernels by family, kernels, copies and communication.
type SumsOf<'a> = (&'a Operators, &'a [KernelFamilyRow], &'a [KernelRow], &'a [CopyRow], &'a [CommunicationRow]);

impl Tables {
    pub(super) fn whole(rank: &Rank) -> Self {
        let analysis = &rank.analysis;
        let families = kernel_families(&rank.trace, None);
        let sent = communication(&rank.trace, None);
        let sums = (&analysis.operators, &families[..], &analysis.kernels[..], &analysis.copies[..], &sent[..]);
        Self::from_reports((&rank.trace, &analysis.peaks), sums, PerStep::WHOLE)
    }

    /// The tables of a step, of the average step, or of the whole trace.
    #[must_use]
    pub fn of(rank: &Rank, choice: StepChoice, config: OperatorsConfig) -> Self {
        // Every file's analysis has these already.
        if choice.scope(&rank.analysis.steps).is_none() && config == rank.analysis.operators_config {
            return Self::whole(rank);
        }
        let found = step_tables(&rank.trace, &rank.analysis, choice, config);
        let sums =
            (&found.operators, &found.families[..], &found.kernels[..], &found.copies[..], &found.communication[..]);
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
        (operators, families, kernels, copies, sent): SumsOf<'_>,
        per: PerStep,
    ) -> Self {
        Self {
            step: None,
            averaged_steps: None,
            left_out: Vec::new(),
            operators_are: (operators.are == OperatorsAre::Slices).then_some("slices"),
            operators: TableRows::of(Table::of::<OperatorTable>(&operators.rows, &OperatorContext { trace, per })),
            unlinked: UnlinkedReport {
                activities: per.count(operators.unlinked_activities),
                device_ns: per.time(operators.unlinked_device).0,
                device_sum_ns: per.time(operators.unlinked_device_sum).0,
            },
            kernel_families: TableRows::of(Table::of::<KernelFamilyTable>(families, &KernelContext { trace, per })),
            kernels: TableRows::of(Table::of::<KernelTable>(kernels, &KernelContext { trace, per })),
            copies: TableRows::of(Table::of::<CopyTable>(copies, &CopyContext { trace, peaks, per })),
            communication: TableRows::of(Table::of::<CommunicationTable>(sent, &CommunicationContext { trace, per })),
        }
    }
}

/// Device activities without an operator.
#[derive(Debug, JsonSchema, Serialize)]
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

/// Sums that averages over steps leave out.
#[derive(Debug, JsonSchema, Serialize)]
struct LeftOutReport {
    /// The number of steps left out; 0 for time outside of steps.
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
