//! Other tools' tables, compared with ours by their definitions.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use stepscope::Rank;
use stepscope::analyze::{Definition, Value, Values};

use super::comparison::{Comparison, float};
use super::independent::ROLES;
use super::tables::Table;

fn value(values: &Values, key: &str) -> f64 {
    match values.iter().find(|(name, _)| *name == key) {
        Some((_, Value::Time(time))) => float(*time),
        Some((_, Value::Ratio(ratio))) => ratio.unwrap_or(0.0),
        None => panic!("no value {key} in {values:?}"),
    }
}

/// The tools' doubles near 2^42 µs are off by up to a nanosecond each, and such errors add up.
const TOLERANCE: f64 = 100.0;

/// `TraceLens`: `gpu_timeline.csv`, and the independent script's numbers under its definition.
pub(crate) fn tracelens(rank: &mut Rank, trace: &str, reference: &Path, expected: &Json, found: &mut Vec<Comparison>) {
    rank.redefine(Definition::TraceLens);
    let values = &rank.analysis.definition.values;
    let ours = |key: &str| value(values, &format!("{key}_ns"));
    if let Some(linked) = expected["tracelens_linked"].as_object() {
        for (key, expected) in linked {
            let expected = expected.as_f64().expect("a number");
            found.push(Comparison::close("tracelens", trace, format!("script {key}"), expected, ours(key), 0.0));
        }
    }
    let Some(table) = Table::read(&reference.join("tracelens/gpu_timeline.csv")) else { return };
    for row in &table.rows {
        let key = table.cell(row, "type");
        let expected = table.number(row, "time ms") * 1e6;
        found.push(Comparison::close("tracelens", trace, key, expected, ours(key), TOLERANCE));
    }
}

/// `HolisticTraceAnalysis`: temporal breakdown, overlap, kernel types, kernels.
pub(crate) fn hta(rank: &mut Rank, trace: &str, reference: &Path, found: &mut Vec<Comparison>) {
    rank.redefine(Definition::Hta);
    let definition = &rank.analysis.definition;
    let folder = reference.join("hta");
    let ours = |key: &str| value(&definition.values, key);
    let mut add = |key: String, expected: f64, ours: f64, tolerance: f64| {
        found.push(Comparison::close("hta", trace, key, expected, ours, tolerance));
    };
    if let Some(table) = Table::read(&folder.join("temporal_breakdown.csv")) {
        for row in &table.rows {
            for key in ["idle_time", "compute_time", "non_compute_time", "kernel_time"] {
                let expected = table.number(row, &format!("{key}(us)")) * 1e3;
                add(key.into(), expected, ours(&format!("{key}_ns")), TOLERANCE);
            }
        }
    }
    if let Some(table) = Table::read(&folder.join("comm_comp_overlap.csv")) {
        for row in &table.rows {
            let expected = table.number(row, "comp_comm_overlap_pctg");
            add("overlap percent".into(), expected, ours("overlap_of_communication") * 100.0, 0.005_001);
        }
    }
    if let Some(table) = Table::read(&folder.join("gpu_kernel_type_breakdown.csv")) {
        let mut times: BTreeMap<&str, f64> =
            definition.kernel_types.iter().map(|(kind, time)| (kind.as_str(), float(*time))).collect();
        let calls: f64 = definition.kernels.iter().map(|row| row.time.calls as f64).sum();
        for row in &table.rows {
            let kind = table.cell(row, "kernel_type");
            let (expected, ours) = (table.number(row, "sum") * 1e3, times.remove(kind).unwrap_or(f64::NAN));
            add(format!("type {kind}"), expected, ours, TOLERANCE);
            // Each stretch of time is cut to whole microseconds; two stretches per kernel are the most.
            let most = 2000.0 * calls;
            add(format!("type {kind}, give or take"), expected + most / 2.0, ours, most / 2.0);
        }
        for (kind, time) in times {
            add(format!("type {kind}"), 0.0, time, 1000.0);
        }
    }
    if let Some(table) = Table::read(&folder.join("gpu_kernel_breakdown_full.csv")) {
        let mut rows: BTreeMap<(&str, &str), _> =
            definition.kernels.iter().map(|row| ((rank.trace.strings.get(row.name), row.kind), row.time)).collect();
        for row in &table.rows {
            let (name, kind) = (table.cell(row, "name"), table.cell(row, "kernel_type"));
            let Some(ours) = rows.remove(&(name, kind)) else {
                add(format!("kernel {kind} {name}"), table.number(row, "sum (us)") * 1e3, f64::NAN, 0.0);
                continue;
            };
            let columns = [
                ("sum (us)", ours.total, 1.0),
                ("max (us)", ours.max, 0.5),
                ("min (us)", ours.min, 0.5),
                ("mean (us)", ours.mean, 0.51),
                ("stddev", ours.std, 0.51),
            ];
            for (column, time, tolerance) in columns {
                let expected = table.number(row, column) * 1e3;
                add(format!("kernel {kind} {name}: {column}"), expected, float(time), tolerance);
            }
        }
        for ((name, kind), time) in rows {
            add(format!("kernel {kind} {name}"), 0.0, float(time.total), 0.0);
        }
    }
}

/// PyTorch's `TensorBoard` plugin: the steps' categories, their averages, GPU utilization.
pub(crate) fn tensorboard(
    rank: &mut Rank,
    trace: &str,
    reference: &Path,
    expected: &Json,
    found: &mut Vec<Comparison>,
) {
    rank.redefine(Definition::TensorBoard);
    let definition = &rank.analysis.definition;
    let mut add = |key: String, expected: f64, ours: f64, tolerance: f64| {
        found.push(Comparison::close("tensorboard", trace, key, expected, ours, tolerance));
    };
    for (step, values) in &definition.steps {
        for (category, name) in ROLES {
            let Some(expected) = expected["roles_plugin"][step][name].as_f64() else { continue };
            add(format!("script step {step} {name}"), expected, value(values, &format!("{}_ns", category.name())), 0.0);
        }
    }
    let text = fs::read(reference.join("tensorboard/overview.json")).expect("overview.json");
    let overview: Json = serde_json::from_slice(&text).expect("JSON");
    let columns = overview["steps"]["columns"].as_array().expect("columns");
    let rows = overview["steps"]["rows"].as_array().expect("rows");
    add("steps".into(), rows.len() as f64, definition.steps.len() as f64, 0.0);
    for row in rows {
        let name = row[0].as_str().expect("a name");
        let Some((_, values)) = definition.steps.iter().find(|(step, _)| step == name) else { continue };
        for (category, category_name) in ROLES {
            let Some(column) = columns.iter().position(|column| column["name"] == category_name) else { continue };
            let expected = row[column].as_f64().expect("a number") * 1e3;
            let ours = value(values, &format!("{}_ns", category.name()));
            add(format!("step {name} {category_name}"), expected, ours, TOLERANCE);
        }
    }
    let text = fs::read(reference.join("tensorboard/gpu_summary.json")).unwrap_or_default();
    let summary: Json = serde_json::from_slice(&text).unwrap_or_default();
    for line in summary.as_array().into_iter().flatten().filter(|line| line["title"] == "GPU Utilization") {
        let expected: f64 = line["value"].as_str().expect("a text").trim_end_matches(" %").parse().expect("a number");
        add("gpu utilization".into(), expected, value(&definition.values, "gpu_utilization") * 100.0, 0.005_001);
    }
}
