//! Operators as MindSpore's tables have them. METRICS section 4.

use std::collections::BTreeMap;

use super::cells::{count_in, number_in, table, text_in, time_in};
use stepscope_base::{CompactSort, Nanos, div_half_even};
use stepscope_trace::{Cell, RecordedTable, Trace};

/// Operators of one type, or of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorShare {
    /// The type.
    pub name: String,
    /// Their total time.
    pub total: Nanos,
    /// Number of runs, from the table.
    pub calls: i64,
    /// Mean time of a run.
    pub mean: Nanos,
    /// Their share of all operators' time, from the profiler where it is recorded, else of the table.
    pub share: f64,
}

/// An operator on the AI core.
#[derive(Clone, Debug, PartialEq)]
pub struct AicoreOperator {
    /// Its full name, with scopes.
    pub name: String,
    /// The kernel's name.
    pub kernel: String,
    /// Its type.
    pub kind: String,
    /// Mean time of a run.
    pub mean: Nanos,
    /// Number of runs.
    pub calls: i64,
    /// Floating-point operations and their number per second, on the cube unit, then on the vector unit; old versions
    /// have one number for both units, the first two.
    pub flops: [Option<f64>; 4],
    /// Whether the first two of `flops` are for both units together.
    pub is_of_both: bool,
    /// Shapes, types and formats of inputs and outputs, as JSON.
    pub info: String,
}

/// Whether full names of operators are from another network than a trace: hardly any is in it, with or without scopes.
/// A few names may occur in both networks.
pub(crate) fn are_of_others<'a>(trace: &Trace, names: impl Iterator<Item = &'a str>) -> bool {
    let is_shown = |name: &str| {
        let own = name.rsplit('/').next().unwrap_or_default();
        [name, own].into_iter().any(|name| trace.strings.find(name).is_some())
    };
    let (shown, all) = names.fold((0_u64, 0_u64), |(shown, all), name| (shown + u64::from(is_shown(name)), all + 1));
    shown * 10 < all
}

/// An operator's times, per run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorMean {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: String,
    /// Mean time of a run.
    pub mean: Nanos,
    /// The time that its dispatch takes.
    pub dispatch: Nanos,
    /// Number of runs.
    pub calls: i64,
}

/// An operator of the host or of a GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostOperator {
    /// Its name, with scopes where the table has them.
    pub name: String,
    /// Its type.
    pub kind: String,
    /// The place where it ran, from the table; empty where that is not recorded.
    pub side: String,
    /// Number of runs, where recorded.
    pub calls: Option<i64>,
    /// Mean time of a run.
    pub mean: Nanos,
    /// The id of its recorded table.
    pub table: &'static str,
}

/// An operator of one step, with its shapes, which may change between steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeRow {
    /// The step's number.
    pub step: i64,
    /// The place where it ran, such as `gpu`.
    pub side: String,
    /// Its type.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its time.
    pub time: Nanos,
    /// Its inputs' shapes.
    pub shapes: String,
}

fn mean(total: Nanos, calls: i64) -> Nanos {
    Nanos(i64::try_from(div_half_even(i128::from(total.0), i128::from(calls))).unwrap_or_default())
}

fn by_total(mut rows: Vec<OperatorShare>) -> Vec<OperatorShare> {
    rows.compact_sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.name.cmp(&b.name)));
    rows
}

/// Operators on the AI core by type, the longest first.
#[must_use]
pub fn aicore_types(trace: &Trace) -> Vec<OperatorShare> {
    let Some(table) = table(trace, "aicore_type") else { return Vec::new() };
    let row = |row: &Vec<Cell>| {
        let (total, calls) = (time_in(table, row, "total_time"), count_in(table, row, "execution_frequency"));
        let share = number_in(table, row, "percent").unwrap_or_default();
        let name = text_in(table, row, "kernel_type").to_owned();
        OperatorShare { name, total, calls, mean: mean(total, calls), share }
    };
    by_total(table.rows.iter().map(row).collect())
}

/// Operators of the host, or of a GPU, by type, the longest first.
#[must_use]
pub fn host_types(trace: &Trace) -> Vec<OperatorShare> {
    let of = |id: &str, total: &str, share: &str| -> Option<Vec<OperatorShare>> {
        let table = table(trace, id)?;
        let row = |row: &Vec<Cell>| OperatorShare {
            name: text_in(table, row, "op_type").to_owned(),
            total: time_in(table, row, total),
            calls: count_in(table, row, "type_occurrences"),
            mean: time_in(table, row, "avg_time"),
            share: number_in(table, row, share).unwrap_or_default(),
        };
        Some(by_total(table.rows.iter().map(row).collect()))
    };
    of("gpu_op_type", "total_time", "total_proportion")
        .or_else(|| of("cpu_op_type", "total_compute_time", "percent"))
        .unwrap_or_default()
}

/// Operators on the AI core by name, in the order of the table, with data from other tables.
#[must_use]
pub fn aicore_operators(trace: &Trace) -> Vec<AicoreOperator> {
    let Some(detail) = table(trace, "aicore_detail") else { return Vec::new() };
    let (framework, flops) = (table(trace, "framework"), table(trace, "op_flops"));
    let framework_row = rows_by_name(framework);
    let flops_row = rows_by_name(flops);
    let row = |row: &Vec<Cell>| {
        let name = row.first().and_then(Cell::text).unwrap_or_default();
        let known = |column: &str| {
            let found = framework.zip(framework_row.get(name)).map(|(table, row)| text_in(table, row, column));
            found.unwrap_or_default().to_owned()
        };
        let numbers = flops.zip(flops_row.get(name)).map(|(table, row)| operations(table, row));
        AicoreOperator {
            kernel: known("kernel_name"),
            kind: known("kernel_type"),
            mean: time_in(detail, row, "execution_time"),
            calls: count_in(detail, row, "execution_frequency"),
            flops: numbers.unwrap_or_default(),
            is_of_both: flops.is_some_and(are_of_both),
            info: known("op_info"),
            name: name.to_owned(),
        }
    };
    detail.rows.iter().map(row).collect()
}

fn rows_by_name(table: Option<&RecordedTable>) -> BTreeMap<&str, &[Cell]> {
    let rows = table.into_iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let mut by_name = BTreeMap::new();
    // Among several of a name, the last one counts, as in MindInsight.
    by_name.extend(rows.map(|(table, row)| (text_in(table, row, "full_kernel_name"), row.as_slice())));
    by_name
}

/// Whether a table has the operations of both units as one number.
fn are_of_both(table: &RecordedTable) -> bool {
    table.column("FLOPs").is_some()
}

/// Operations and their rate, on the cube unit and on the vector unit.
fn operations(table: &RecordedTable, row: &[Cell]) -> [Option<f64>; 4] {
    if are_of_both(table) {
        return [number_in(table, row, "FLOPs"), number_in(table, row, "FLOPS"), None, None];
    }
    ["FLOPs(cube)", "FLOPS(cube)", "FLOPs(vec)", "FLOPS(vec)"].map(|name| number_in(table, row, name))
}

/// Operators on the AI CPU by name: total time, dispatch time and number of runs.
fn aicpu(trace: &Trace) -> BTreeMap<String, (Nanos, Nanos, i64)> {
    let mut found: BTreeMap<String, (Nanos, Nanos, i64)> = BTreeMap::new();
    if let Some(table) = table(trace, "aicpu") {
        for row in &table.rows {
            let name = [text_in(table, row, "kernel_type"), text_in(table, row, "node_type_name")].concat();
            let sum = found.entry(name).or_default();
            sum.0 += time_in(table, row, "total_time");
            sum.1 += time_in(table, row, "dispatch_time");
            sum.2 += 1;
        }
    }
    found
}

/// An operator's type: its name up to the number.
fn kind_of(name: &str) -> &str {
    name.split('-').next().unwrap_or(name)
}

/// Operators on the AI CPU by type, the longest first.
#[must_use]
pub fn aicpu_types(trace: &Trace) -> Vec<OperatorShare> {
    let mut kinds: BTreeMap<String, (Nanos, i64)> = BTreeMap::new();
    for (name, (total, _, calls)) in aicpu(trace) {
        let sum = kinds.entry(kind_of(&name).to_owned()).or_default();
        *sum = (sum.0 + total, sum.1 + calls);
    }
    let all: Nanos = kinds.values().map(|(total, _)| *total).sum();
    let row = |(name, (total, calls)): (String, (Nanos, i64))| {
        let share = total.ratio_of(all).unwrap_or_default();
        OperatorShare { name, total, calls, mean: mean(total, calls), share }
    };
    by_total(kinds.into_iter().map(row).collect())
}

/// Operators on the AI CPU by name, the longest mean first.
#[must_use]
pub fn aicpu_operators(trace: &Trace) -> Vec<OperatorMean> {
    let row = |(name, (total, dispatch, calls)): (String, (Nanos, Nanos, i64))| OperatorMean {
        kind: kind_of(&name).to_owned(),
        mean: mean(total, calls),
        dispatch: mean(dispatch, calls),
        calls,
        name,
    };
    let mut rows: Vec<OperatorMean> = aicpu(trace).into_iter().map(row).collect();
    rows.compact_sort_by(|a, b| b.mean.cmp(&a.mean).then_with(|| a.name.cmp(&b.name)));
    rows
}

/// Operators of the host, or of a GPU, by name, in the order of the tables.
#[must_use]
pub fn host_operators(trace: &Trace) -> Vec<HostOperator> {
    let of = |id: &'static str, name: &str, mean: &str| -> Vec<HostOperator> {
        let Some(table) = table(trace, id) else { return Vec::new() };
        let row = |row: &Vec<Cell>| HostOperator {
            name: text_in(table, row, name).to_owned(),
            kind: text_in(table, row, "op_type").to_owned(),
            side: text_in(table, row, "op_side").to_owned(),
            calls: table.column("op_occurrences").map(|_| count_in(table, row, "op_occurrences")),
            mean: time_in(table, row, mean),
            table: id,
        };
        table.rows.iter().map(row).collect()
    };
    let mut rows = of("gpu_op_detail", "op_full_name", "op_avg_time");
    rows.extend(of("cpu_op_detail", "full_op_name", "op_avg_time"));
    rows.extend(of("op_compute_time_detail", "op_name", "avg_execution_time"));
    rows
}

/// A step's operators whose type is the given one; of every type without one.
#[must_use]
pub fn dynamic_shapes(trace: &Trace, step: i64, kind: Option<&str>) -> Vec<ShapeRow> {
    let Some(table) = table(trace, "dynamic_shape_operators") else { return Vec::new() };
    let row = |row: &Vec<Cell>| ShapeRow {
        step: count_in(table, row, "step"),
        side: text_in(table, row, "op_side").to_owned(),
        kind: text_in(table, row, "op_type").to_owned(),
        name: text_in(table, row, "op_name").to_owned(),
        time: time_in(table, row, "dur"),
        shapes: text_in(table, row, "shape_info").to_owned(),
    };
    let wanted = |row: &ShapeRow| row.step == step && kind.is_none_or(|kind| row.kind == kind);
    table.rows.iter().map(row).filter(wanted).collect()
}

/// The mean time of each step's operators (or kernels) of a type; zero in steps without one.
#[must_use]
pub fn shape_times(trace: &Trace, kernels: bool, kind: &str) -> Vec<(i64, Nanos)> {
    let id = if kernels { "dynamic_shape_kernel_types" } else { "dynamic_shape_operator_types" };
    let Some(table) = table(trace, id) else { return Vec::new() };
    let mut steps: BTreeMap<i64, Nanos> = BTreeMap::new();
    for row in &table.rows {
        let time = steps.entry(count_in(table, row, "step")).or_default();
        if text_in(table, row, "type") == kind {
            *time = time_in(table, row, "avg");
        }
    }
    steps.into_iter().collect()
}
