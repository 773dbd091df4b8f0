//! Selects the part of a JSON report for `--by` and `--top`.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};
use stepscope::analyze::{VIEW_TABLES, ViewTable, described_tables};
use stepscope::export::report_json::indented;
use stepscope::table::Description;

use crate::args::{DiffTable, Table};

/// Keys that identify a report and its inputs.
const REPORT: [&str; 4] = ["schema", "inputs", "ranks", "not_a_job"];

/// Keys that identify a rank and the options beside tables.
const RANK: [&str; 12] = [
    "input",
    "rank",
    "world_size",
    "communication_backend",
    "vendor",
    "definition",
    "definition_values",
    "given_peaks",
    "what_if",
    "step",
    "averaged_steps",
    "left_out",
];

/// Keys that identify the compared inputs.
const DIFF: [&str; 5] = ["schema", "a", "b", "step", "job"];

/// Keys that identify two jobs.
const JOB: [&str; 3] = ["averaged", "world_size", "step"];

/// Keys of lists that are tables' rows, beside those of described tables.
const ROWS: [&str; 7] =
    ["classes", "contributions", "counters", "hosts", "kernel_types", "recorded_operators", "tracks"];

/// Keys of lists whose rows add up to a whole.
const WHOLE: [&str; 3] = ["branches", "leaves", "edges"];

/// All keys of lists that are tables' rows, and may be cut.
fn keys_of_rows() -> BTreeSet<&'static str> {
    let last = |table: Description| table.id.rsplit('.').next();
    let all = described_tables().into_iter().filter_map(last).chain(ROWS);
    all.filter(|key| !WHOLE.contains(key)).collect()
}

/// Keys of the tables that a table's view shows, too.
fn in_view(table: Table) -> Vec<&'static str> {
    VIEW_TABLES.iter().filter(|shown| Some(shown.view()) == table.view()).map(ViewTable::id).collect()
}

/// Whether a part of a report has a key, of a rank or beside the ranks.
pub(crate) fn has_key(table: Table, key: &str) -> bool {
    let of_part = keys(table).is_none_or(|(of_rank, beside)| of_rank.contains(&key) || beside.contains(&key));
    of_part || in_view(table).contains(&key)
}

/// Keys of a table in a rank, and those beside the ranks; `None` for all.
fn keys(table: Table) -> Option<(&'static [&'static str], &'static [&'static str])> {
    Some(match table {
        Table::All => return None,
        Table::Devices => (&["devices", "device_time"], &[]),
        Table::Budget => (&["step_source", "budget", "causes", "cause_functions"], &["job"]),
        Table::Steps => (
            &[
                "step_source",
                "whole_step",
                "device_busy_outside_steps_ns",
                "average",
                "steps",
                "graphs",
                "lost_on_host",
            ],
            &[],
        ),
        Table::Phases => (&["step_source", "phase_sources", "average", "steps"], &[]),
        Table::Operators => (&["operators_are", "operators", "unlinked"], &[]),
        Table::Kernels => (&["kernel_families", "kernels"], &[]),
        Table::KernelUse => (&["devices", "kernel_use"], &[]),
        Table::Copies => (&["copies"], &[]),
        Table::Resources => (&["resources"], &[]),
        Table::StepTrace => (&["step_trace"], &[]),
        Table::Benchmark => (&["benchmark"], &[]),
        Table::Pipeline => (&["pipeline", "data_loading"], &[]),
        Table::Recorded => (&["only_tables", "recorded", "mindspore"], &["cluster"]),
        Table::Launches => (&["launches"], &[]),
        Table::Queues => (&["queues"], &[]),
        Table::Idle | Table::Gaps => (&["idle"], &[]),
        Table::Critical => (&["critical_path"], &[]),
        Table::Memory => (&["memory"], &[]),
        Table::Job => (&[], &["cluster", "job", "collectives", "stragglers"]),
        Table::DrillDown => (&[], &["job"]),
        Table::Advice => (&[], &["advice", "advice_conclusion"]),
    })
}

/// A summary as text: all of it, or a table and its identification, with at most `top` rows of each table.
pub(crate) fn summary(report: &impl Serialize, by: Option<Table>, top: Option<usize>) -> Result<Vec<u8>, String> {
    part_of_summary(report, by, top).and_then(|part| text(&part))
}

/// The same as a value.
pub(crate) fn part_of_summary(report: &impl Serialize, by: Option<Table>, top: Option<usize>) -> Result<Value, String> {
    part(report, top, |report| {
        let Some((table, (of_rank, beside))) = by.and_then(|table| Some((table, keys(table)?))) else { return };
        let in_view = in_view(table);
        report.retain(|key, _| REPORT.contains(&key.as_str()) || beside.contains(&key.as_str()));
        if let Some(job) = report.get_mut("job").and_then(Value::as_object_mut).filter(|_| table == Table::Budget) {
            job.retain(|key, _| ["budget", "causes"].contains(&key.as_str()));
        }
        let ranks = report.get_mut("ranks").and_then(Value::as_array_mut).into_iter().flatten();
        for rank in ranks.filter_map(Value::as_object_mut) {
            let all = [&RANK[..], of_rank, &in_view].concat();
            rank.retain(|key, _| all.contains(&key.as_str()));
        }
    })
}

/// A comparison as text, likewise.
pub(crate) fn diff(report: &impl Serialize, by: Option<DiffTable>, top: Option<usize>) -> Result<Vec<u8>, String> {
    let part = part(report, top, |report| {
        let Some(table) = by else { return };
        let wanted = match table {
            DiffTable::Causes => "causes",
            DiffTable::Categories => "categories",
            DiffTable::Phases => "phases",
            DiffTable::Contributions => "contributions",
            DiffTable::Operators => "operators",
            DiffTable::Modules => "modules",
            DiffTable::Steps => "steps",
            DiffTable::Ranks => "ranks",
        };
        // Jobs keep the same table, if they have it.
        if let Some(job) = report.get_mut("job").and_then(Value::as_object_mut) {
            job.retain(|key, _| JOB.contains(&key.as_str()) || key == wanted);
        }
        report.retain(|key, _| DIFF.contains(&key.as_str()) || key == wanted);
    });
    part.and_then(|part| text(&part))
}

/// A report as text, with at most `top` rows of each table.
pub(crate) fn rows(report: &impl Serialize, top: Option<usize>) -> Result<Vec<u8>, String> {
    part(report, top, |_| ()).and_then(|part| text(&part))
}

fn part(
    report: &impl Serialize,
    top: Option<usize>,
    choose: impl FnOnce(&mut Map<String, Value>),
) -> Result<Value, String> {
    let mut value = serde_json::to_value(report).map_err(|error| error.to_string())?;
    if let Some(report) = value.as_object_mut() {
        choose(report);
    }
    if let Some(top) = top.filter(|top| *top > 0) {
        // A report's own ranks are no rows, those of a job are.
        let is_row = keys_of_rows();
        let of_report = is_row.iter().copied().filter(|key| *key != "ranks").collect();
        cut(&mut value, [&of_report, &is_row], top);
    }
    Ok(value)
}

fn text(value: &Value) -> Result<Vec<u8>, String> {
    let mut text = indented(&serde_json::to_vec(value).map_err(|error| error.to_string())?);
    text.push(b'\n');
    Ok(text)
}

/// Keeps the first rows of each table: those with the first keys here, and with the others inside. The number of
/// left-out rows stands beside them, by key.
fn cut(value: &mut Value, [tables, inside]: [&BTreeSet<&str>; 2], top: usize) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| cut(item, [inside; 2], top)),
        Value::Object(object) => {
            let mut left_out = Map::new();
            for (key, value) in &mut *object {
                if let Some(rows) =
                    value.as_array_mut().filter(|rows| rows.len() > top && tables.contains(key.as_str()))
                {
                    left_out.insert(key.clone(), Value::from(rows.len() - top));
                    rows.truncate(top);
                }
                cut(value, [inside; 2], top);
            }
            if !left_out.is_empty() {
                object.insert("left_out".to_owned(), Value::Object(left_out));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use serde_json::{Value, json};
    use stepscope::table::View;

    use super::*;

    fn parsed(text: &[u8]) -> Value {
        serde_json::from_slice(text).unwrap()
    }

    #[test]
    fn a_table_and_whose_it_is() {
        let report = json!({
            "schema": "stepscope.summary/1", "inputs": [{"name": "a"}], "cluster": {}, "job": {}, "advice": [],
            "ranks": [{"input": "a", "rank": 3, "kernels": [], "steps": [1], "definition": "stepscope"}],
        });
        let kernels = parsed(&summary(&report, Some(Table::Kernels), None).unwrap());
        assert_eq!(
            kernels,
            json!({
                "schema": "stepscope.summary/1", "inputs": [{"name": "a"}],
                "ranks": [{"input": "a", "rank": 3, "kernels": [], "definition": "stepscope"}],
            })
        );
        let job = parsed(&summary(&report, Some(Table::DrillDown), None).unwrap());
        assert_eq!(job["ranks"], json!([{"input": "a", "rank": 3, "definition": "stepscope"}]));
        assert!(job.get("job").is_some() && job.get("advice").is_none());
    }

    #[test]
    fn a_table_of_any_view_is_in_a_part() {
        for view in View::ALL {
            let parts = Table::value_variants().iter().filter(|table| table.view() == Some(view));
            assert_eq!(parts.count(), 1, "{view:?}");
        }
    }

    #[test]
    fn rows_are_left_out_and_counted() {
        let (histogram, branches) = ([1, 2, 3], [4, 5, 6]);
        let kernels = json!([{"steps": [1, 2, 3]}, {}, {}]);
        let job = json!({"ranks": [1, 2, 3]});
        let report =
            json!({"ranks": [1, 2, 3], "kernels": kernels, "histogram": histogram, "branches": branches, "job": job});
        let two = parsed(&rows(&report, Some(2)).unwrap());
        assert_eq!(
            two,
            json!({
                "ranks": [1, 2, 3], "histogram": [1, 2, 3], "branches": [4, 5, 6], "left_out": {"kernels": 1},
                "kernels": [{"steps": [1, 2], "left_out": {"steps": 1}}, {}],
                "job": {"ranks": [1, 2], "left_out": {"ranks": 1}},
            })
        );
        for all in [None, Some(0), Some(3)] {
            assert_eq!(parsed(&rows(&report, all).unwrap()), report);
        }
    }

    /// Each key of a summary belongs to a table.
    #[test]
    fn every_key_is_of_a_table() {
        let of_rank: BTreeSet<&str> = Table::value_variants()
            .iter()
            .filter_map(|table| keys(*table))
            .flat_map(|(of_rank, _)| of_rank)
            .chain(&RANK)
            .copied()
            .collect();
        let source = include_str!("../../../crate/export/src/report_json/mod.rs");
        let (_, fields) = source.split_once("pub struct RankReport {").unwrap();
        let (fields, _) = fields.split_once("\n}").unwrap();
        // Flattened fields have keys of their own; the time of the clock is in each of these tables.
        const OTHER: [&str; 6] = ["tables", "why_idle", "critical", "topics", "call_groupings", "origin_unix_ns"];
        for line in fields.lines().map(str::trim).filter(|line| line.contains(": ") && !line.starts_with("//")) {
            let key = line.split(':').next().unwrap();
            assert!(of_rank.contains(key) || OTHER.contains(&key), "{key} is in no table");
        }
    }
}
