//! The tables of operators, kernels and copies.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};

use super::table::{TableRows, rows_of, schema_of};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    CopyContext, CopyRow, CopyTable, Covered, GivenPeaks, KernelContext, KernelFamilyRow, KernelFamilyTable, KernelRow,
    KernelTable, LeftOut, OperatorContext, OperatorTable, Operators, OperatorsAre, OperatorsConfig, PerStep,
    StepChoice, VIEW_TABLES, ViewTable, kernel_families, step_tables, view_tables,
};
use stepscope_table::{Count, Description, Table};
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
    #[serde(flatten)]
    view_tables: ViewTables,
}

/// Rows of operators, kernels by family, kernels and copies; the tables of views.
type SumsOf<'a> = (&'a Operators, &'a [KernelFamilyRow], &'a [KernelRow], &'a [CopyRow], Vec<Table>);

impl Tables {
    pub(super) fn whole(rank: &Rank) -> Self {
        let analysis = &rank.analysis;
        let families = kernel_families(&rank.trace, None);
        let view_tables = view_tables(&rank.trace, analysis, StepChoice::Whole, None);
        let sums = (&analysis.operators, &families[..], &analysis.kernels[..], &analysis.copies[..], view_tables);
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
        let view_tables = view_tables(&rank.trace, &rank.analysis, choice, None);
        let sums = (&found.operators, &found.families[..], &found.kernels[..], &found.copies[..], view_tables);
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
        (operators, families, kernels, copies, view_tables): SumsOf<'_>,
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
            view_tables: ViewTables(view_tables.into_iter().map(TableRows::of).collect()),
        }
    }
}

/// The tables that views show, each under its ID.
#[derive(Debug)]
struct ViewTables(Vec<TableRows>);

impl Serialize for ViewTables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().filter(|rows| !rows.hand_over()).map(|rows| (rows.id(), rows)))
    }
}

impl JsonSchema for ViewTables {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ViewTables".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let tables: Vec<Description> = VIEW_TABLES.iter().map(ViewTable::description).collect();
        let properties: Map<String, Json> =
            tables.iter().map(|table| (table.id.to_owned(), schema_of(table, generator).to_value())).collect();
        // The page has them by columns, without these keys.
        json_schema!({"type": "object", "properties": properties})
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
