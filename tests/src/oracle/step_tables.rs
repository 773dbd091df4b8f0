//! Tables of the average step: per step they match the steps' own tables, and with the left-out part the whole trace.

use std::collections::BTreeMap;

use serde_json::Value;
use stepscope::Code;
use stepscope::Rank;
use stepscope::analyze::PointSource;
use stepscope::export::report_json::{ReportRequest, request, topic};
use stepscope::trace::Class;

/// Most steps whose own tables are compared: tables of many take long.
const MOST: usize = 6;

/// A table, its columns that are sums, and for some of them the keys in the left-out part.
type Scoped = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const TABLES: [Scoped; 5] = [
    (
        "operators",
        &["calls", "host_total_ns", "host_self_ns", "device_self_sum_ns"],
        &[("calls", "operator_calls"), ("host_self_ns", "host_self_ns")],
    ),
    ("kernels", &["calls", "total_ns"], &[("calls", "kernels"), ("total_ns", "kernel_ns")]),
    (
        "copies",
        &["calls", "total_ns", "bytes"],
        &[("calls", "copies"), ("total_ns", "copy_ns"), ("bytes", "copy_bytes")],
    ),
    ("communication", &["calls", "total_ns"], &[]),
    ("synchronizations", &["calls", "total_ns"], &[]),
];

/// The columns that tell rows apart.
const KEYS: [&str; 10] = [
    "name",
    "class",
    "operation",
    "group_name",
    "group_size",
    "dtype",
    "bytes_per_call",
    "operator",
    "range",
    "function",
];

/// Rows of a table by their keys.
type Rows = BTreeMap<String, BTreeMap<String, f64>>;

/// Compares the page's tables of all steps with those of each step, and of the whole trace; and the step's length with
/// the profiler's own step trace.
///
/// # Errors
///
/// If they are not the same.
pub fn step_tables(rank: &Rank) -> Result<(), String> {
    headline(rank)?;
    if !rank.trace.has_events() {
        return Ok(());
    }
    let average = selection(rank, average_step())?;
    let whole = selection(rank, request::Selection::default())?;
    communication(&whole)?;
    let Some(count) = average["averaged_steps"].as_u64() else {
        let same = TABLES.iter().all(|(name, ..)| average[*name] == whole[*name]);
        return if same { Ok(()) } else { Err("without marked steps all steps are the whole trace".to_owned()) };
    };
    let counted = rank.analysis.steps.counted();
    equal("averaged steps", counted.len() as f64, count as f64, 0.0)?;
    if let [step] = counted[..] {
        only_step(rank, step, &average)?;
    }
    let each = counted.iter().take(if counted.len() > MOST { 0 } else { MOST });
    let each: Vec<Value> = each.map(|step| selection(rank, of_step(*step))).collect::<Result<_, _>>()?;
    for (name, columns, left_out) in TABLES {
        let tables = [&average, &whole].map(|selection| rows(&selection[name], columns));
        let [average_rows, whole_rows] = &tables;
        let steps: Vec<Rows> = each.iter().map(|selection| rows(&selection[name], columns)).collect();
        // A mean is rounded to whole ns in each row.
        let slack = count as f64;
        for (key, row) in average_rows {
            for (column, value) in row {
                let what = format!("{name} {key} {column}");
                let of = |rows: &Rows| rows.get(key).and_then(|row| row.get(column)).copied().unwrap_or_default();
                if !steps.is_empty() {
                    equal(&what, steps.iter().map(of).sum(), value * count as f64, slack)?;
                }
                if value * count as f64 > of(whole_rows) + slack {
                    return Err(format!(
                        "{what}: {value} in each of {count} steps, {} in the whole trace",
                        of(whole_rows)
                    ));
                }
            }
        }
        for (column, key) in left_out {
            let sum = |rows: &Rows| rows.values().filter_map(|row| row.get(*column)).sum::<f64>();
            let left: f64 =
                average["left_out"].as_array().into_iter().flatten().filter_map(|left| left[*key].as_f64()).sum();
            let together = sum(average_rows) * count as f64 + left;
            equal(&format!("all {name} {column}"), sum(whole_rows), together, slack * (average_rows.len() + 1) as f64)?;
        }
    }
    outside(rank, &average)
}

/// The kernels that communicate are those of the table of kernels.
fn communication(whole: &Value) -> Result<(), String> {
    for column in ["calls", "total_ns"] {
        let sum = |table: &str, is_such: fn(&Value) -> bool| -> f64 {
            let rows = whole[table].as_array().into_iter().flatten();
            rows.filter(|row| is_such(row)).filter_map(|row| row[column].as_f64()).sum()
        };
        let kernels = sum("kernels", |row| row["class"] == "communication");
        equal(&format!("communication {column}"), kernels, sum("communication", |_| true), 0.0)?;
    }
    Ok(())
}

/// Activities outside of all steps, counted one by one.
fn outside(rank: &Rank, average: &Value) -> Result<(), String> {
    let steps = &rank.analysis.steps;
    let outside = rank.trace.activities.iter().zip(&steps.step_of_activity).filter(|(_, step)| step.is_none());
    let is_kernel = |activity: &stepscope::trace::Activity| rank.trace.slices.class(activity.event) == Class::Kernel;
    let kernels: Vec<i64> = outside
        .filter(|(activity, _)| is_kernel(activity))
        .map(|(activity, _)| rank.trace.slices.length(activity.event).0)
        .collect();
    let left = average["left_out"].as_array().into_iter().flatten().find(|left| left["steps"] == 0);
    let of = |key: &str| left.and_then(|left| left[key].as_f64()).unwrap_or_default();
    equal("kernels outside of all steps", kernels.len() as f64, of("kernels"), 0.0)?;
    equal("their time", kernels.iter().sum::<i64>() as f64, of("kernel_ns"), 0.0)
}

/// Every number of the average step is that of the only step.
fn only_step(rank: &Rank, step: usize, average: &Value) -> Result<(), String> {
    let mut own = selection(rank, of_step(step))?;
    let mut average = average.clone();
    let shown = &rank.analysis.average;
    for found in [&mut own, &mut average] {
        let found = found.as_object_mut().ok_or("a selection is an object")?;
        ["step", "averaged_steps", "left_out"].iter().for_each(|key| drop(found.remove(*key)));
        // There may be lengths of more steps than the timeline shows.
        if shown.steps != shown.covered_steps {
            found.remove("tiles");
        }
    }
    if own != average {
        let differs = |key: &&String| own[key.as_str()] != average[key.as_str()];
        let keys: Vec<&String> = own.as_object().into_iter().flatten().map(|(key, _)| key).filter(differs).collect();
        return Err(format!("the only step is not the average step: {keys:?}"));
    }
    let of = |request: request::KernelUse| topic(rank, &ReportRequest::KernelUse(request));
    let own = request::KernelUse { step: Some(step), ..request::KernelUse::default() };
    if of(own) == of(request::KernelUse { average: true, ..request::KernelUse::default() }) {
        Ok(())
    } else {
        Err("kernel use of the only step is not the average".to_owned())
    }
}

/// A step is as long as in the profiler's own step trace, to a tick of its counter; unless that is of other steps, and
/// marked so.
fn headline(rank: &Rank) -> Result<(), String> {
    let analysis = &rank.analysis;
    let Some(found) = analysis.step_trace.as_ref().filter(|found| found.source == PointSource::Recorded) else {
        return Ok(());
    };
    if found.steps.is_empty() || (!rank.trace.has_events() && analysis.steps.steps.is_empty()) {
        return Ok(());
    }
    if found.is_of_other_steps(&analysis.steps) {
        let is_said = rank.warnings.iter().any(|warning| warning.code == Code::OtherSteps);
        return if is_said { Ok(()) } else { Err("the step trace is of other steps, and nothing says so".to_owned()) };
    }
    equal("the average step", found.own_average().total.0 as f64, analysis.average.length.0 as f64, 10.0)
}

fn of_step(step: usize) -> request::Selection {
    request::Selection { step: Some(step), ..request::Selection::default() }
}

fn average_step() -> request::Selection {
    request::Selection { average: true, ..request::Selection::default() }
}

fn selection(rank: &Rank, request: request::Selection) -> Result<Value, String> {
    let text = topic(rank, &ReportRequest::Selection(request)).ok_or("no selection")?;
    serde_json::from_slice(&text).map_err(|error| error.to_string())
}

/// The sums of a table's rows.
fn rows(table: &Value, columns: &[&str]) -> Rows {
    let mut found = Rows::new();
    for row in table.as_array().into_iter().flatten() {
        let key = KEYS.map(|key| row[key].to_string()).join(" ");
        let sums = found.entry(key).or_default();
        for column in columns {
            *sums.entry((*column).to_owned()).or_default() += row[*column].as_f64().unwrap_or_default();
        }
    }
    found
}

fn equal(what: &str, expected: f64, found: f64, slack: f64) -> Result<(), String> {
    // Counts per step are not whole.
    if (expected - found).abs() <= slack + 1e-9 * expected.abs() {
        return Ok(());
    }
    Err(format!("{what}: {expected} expected, {found} found"))
}
