//! Memory by operator, compared with the TensorBoard plugin's memory view.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use stepscope::Rank;
use stepscope::analyze::{MemoryConfig, OperatorMemory, memory};

use super::comparison::Comparison;

/// Kilobytes with two decimals, in bytes.
const TOLERANCE: f64 = 5.13;

/// A column of the view, and our value.
type Column = (&'static str, fn(&OperatorMemory) -> i64, f64, f64);

#[expect(clippy::cast_possible_wrap, reason = "allocations of a trace")]
const COLUMNS: [Column; 6] = [
    ("Size Increase (KB)", |row| row.total.net(), 1024.0, TOLERANCE),
    ("Self Size Increase (KB)", |row| row.own.net(), 1024.0, TOLERANCE),
    ("Allocation Count", |row| row.total.allocations as i64, 1.0, 0.0),
    ("Self Allocation Count", |row| row.own.allocations as i64, 1.0, 0.0),
    ("Allocation Size (KB)", |row| row.total.allocated, 1024.0, TOLERANCE),
    ("Self Allocation Size (KB)", |row| row.own.allocated, 1024.0, TOLERANCE),
];

/// `memory_stats.json`: per device and operator.
#[expect(clippy::cast_precision_loss, reason = "bytes of a device are far below 2^53")]
pub(crate) fn tensorboard(rank: &Rank, trace: &str, reference: &Path, found: &mut Vec<Comparison>) {
    let Ok(text) = fs::read(reference.join("tensorboard/memory_stats.json")) else { return };
    let view: Json = serde_json::from_slice(&text).expect("JSON");
    let heads: Vec<&str> = view["columns"]
        .as_array()
        .expect("columns")
        .iter()
        .map(|column| column["name"].as_str().expect("a name"))
        .collect();
    let report = memory(&rank.trace, &MemoryConfig::standard());
    for (device, rows) in view["rows"].as_object().expect("rows by device") {
        let number = device.strip_prefix("GPU").map(|number| number.parse().expect("a number"));
        let place = report.places.iter().find(|place| place.device == number);
        let mut ours: BTreeMap<&str, &OperatorMemory> = BTreeMap::new();
        for row in place.iter().flat_map(|place| &place.operators) {
            ours.extend(row.name.map(|name| (rank.trace.strings.get(name), row)));
        }
        for row in rows.as_array().expect("rows") {
            let name = row[0].as_str().expect("a name");
            for (column, of, unit, tolerance) in COLUMNS {
                let at = heads.iter().position(|head| *head == column).expect("a column of the view");
                let expected = row[at].as_f64().expect("a number") * unit;
                let value = ours.get(name).map_or(f64::NAN, |row| of(row) as f64);
                let key = format!("{device} {name}: {column}");
                found.push(Comparison::close("tensorboard memory", trace, key, expected, value, tolerance));
            }
        }
    }
}
