//! Launches, queues and idle time: METRICS section 5.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;
use stepscope::Rank;
use stepscope::analyze::{IdleClass, IdleTimes, Launch, launch_rows};

use super::comparison::{Comparison, float};
use super::tables::Table;

/// `expected.json`: what the independent script gives under METRICS' own definitions, to the nanosecond.
pub(crate) fn expected(rank: &Rank, trace: &str, expected: &Value, found: &mut Vec<Comparison>) {
    const REFERENCE: &str = "expected idle";
    let mut add = |key: String, expected: &Value, ours: u64| {
        let number = |value: &Value| value.as_i64().unwrap_or_else(|| panic!("{trace}: {key}: {value} is no number"));
        let ours = i64::try_from(ours).expect("few");
        found.push(Comparison::exact(REFERENCE, trace, key.clone(), number(expected), ours));
    };
    let launches = &rank.analysis.launches;
    // The script has no entry for what has no activities.
    let nothing = serde_json::json!({"calls": 0, "pairs": 0, "unlinked": 0, "short": 0, "slow": 0, "late": 0});
    let of_launches = expected.get("launch").unwrap_or(&nothing);
    for (key, ours) in [
        ("calls", launches.total.calls),
        ("pairs", launches.total.activities),
        ("unlinked", launches.unlinked),
        ("short", launches.total.short),
        ("slow", launches.total.slow),
        // METRICS counts all long delays, whatever explains them.
        ("late", launches.total.delayed),
    ] {
        add(format!("launch {key}"), &of_launches[key], ours);
    }
    let mut queues: BTreeMap<String, _> =
        rank.analysis.queues.iter().map(|queue| (queue.stream.stream.to_string(), queue)).collect();
    let none = serde_json::Map::new();
    let mut means = Vec::new();
    for (stream, of_stream) in expected["queue_per_call"].as_object().unwrap_or(&none) {
        let ours = queues.remove(stream).unwrap_or_else(|| panic!("{trace}: no queue of stream {stream}"));
        add(format!("queue {stream} points"), &of_stream["points"], 2 * ours.calls);
        add(format!("queue {stream} max"), &of_stream["max"], ours.waiting.max);
        add(format!("queue {stream} blocked"), &of_stream["blocked"], ours.blocked.0.unsigned_abs());
        let expected = of_stream["time_mean"].as_f64().expect("a mean");
        let key = format!("queue {stream} mean");
        // Two doubles of the same integers, which the script divides in another order.
        means.push(Comparison::close(REFERENCE, trace, key, expected, ours.waiting.mean.unwrap_or(0.0), 1e-9));
    }
    for stream in queues.keys() {
        add(format!("queue {stream}"), &Value::from(0), 1);
    }
    let mut streams: BTreeMap<String, IdleTimes> = streams(rank);
    for (stream, of_stream) in expected["idle_classes"].as_object().unwrap_or(&none) {
        let ours = streams.remove(stream).unwrap_or_else(|| panic!("{trace}: no stream {stream}"));
        for class in IdleClass::ALL {
            let time = ours.classes[class as usize].0.unsigned_abs();
            add(format!("idle {stream} {}", class.name()), &of_stream[class.name()], time);
        }
    }
    for stream in streams.keys() {
        add(format!("idle {stream}"), &Value::from(0), 1);
    }
    found.extend(means);
}

fn streams(rank: &Rank) -> BTreeMap<String, IdleTimes> {
    let devices = rank.analysis.idle.iter();
    devices.flat_map(|device| &device.streams).map(|(stream, times)| (stream.stream.to_string(), *times)).collect()
}

/// `HolisticTraceAnalysis`: idle classes and queues per stream, and its rows of launches.
pub(crate) fn hta(rank: &Rank, trace: &str, reference: &Path, found: &mut Vec<Comparison>) {
    let folder = reference.join("hta");
    let mut add = |key: String, expected: f64, ours: f64, tolerance: f64| {
        found.push(Comparison::close("hta idle", trace, key, expected, ours, tolerance));
    };
    if let Some(table) = Table::read(&folder.join("idle_time_breakdown.csv")) {
        let streams = streams(rank);
        for row in &table.rows {
            let (stream, class) = (table.cell(row, "stream"), table.cell(row, "idle_category"));
            let ours = streams.get(stream).unwrap_or_else(|| panic!("{trace}: no stream {stream}"));
            let index = IdleClass::ALL.iter().position(|known| known.name() == class);
            let index = index.unwrap_or_else(|| panic!("no class {class}"));
            let expected = table.number(row, "idle_time") * 1e3;
            // HTA rounds to 10 ns, and its doubles near 2^42 µs are off by up to half a nanosecond: for a sum of
            // such errors, four standard deviations.
            let tolerance = 5.0 + 2.0 * (ours.gaps[index] as f64).sqrt();
            add(format!("idle {stream} {class}"), expected, float(ours.classes[index]), tolerance);
        }
    }
    if let Some(table) = Table::read(&folder.join("queue_length_summary.csv")) {
        for row in &table.rows {
            let stream = table.cell(row, "stream");
            let queues = &rank.analysis.queues;
            let ours = queues.iter().find(|queue| queue.stream.stream.to_string() == stream);
            let ours = ours.unwrap_or_else(|| panic!("{trace}: no queue of stream {stream}"));
            let number = |column: &str| table.number(row, column);
            add(format!("queue {stream} points"), number("queue_length_count"), 2.0 * ours.calls as f64, 0.0);
            add(format!("queue {stream} max"), number("queue_length_max"), ours.waiting.max as f64, 0.0);
        }
    }
    if let Some(table) = launch_stats(&folder) {
        let call = |launch: &Launch| rank.trace.call(launch.call).map_or(0, |call| call.correlation);
        let mut ours: BTreeMap<String, Launch> =
            launch_rows(&rank.trace).iter().map(|launch| (call(launch).to_string(), *launch)).collect();
        for row in &table.rows {
            let correlation = table.cell(row, "correlation");
            let launch = ours.remove(correlation).unwrap_or_else(|| panic!("{trace}: no call {correlation}"));
            for (column, ours) in
                [("cpu_duration", launch.cpu), ("gpu_duration", launch.gpu), ("launch_delay", launch.delay)]
            {
                // Times of the file are whole ns here; the doubles of the difference of two such are off by one.
                let expected = table.number(row, column) * 1e3;
                add(format!("launch {correlation} {column}"), expected, float(ours), 2.0);
            }
        }
        add("launches beyond HTA's".into(), 0.0, ours.len() as f64, 0.0);
    }
}

/// One row per call, in a file that is compressed where it is long; without any rows where HTA found none.
fn launch_stats(folder: &Path) -> Option<Table> {
    let name = folder.join("cuda_kernel_launch_stats.csv");
    let table = Table::read(&name).or_else(|| {
        let file = fs::File::open(name.with_extension("csv.gz")).ok()?;
        let mut text = String::new();
        GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
        Some(Table::of(&text))
    });
    table.filter(|table| !table.rows.is_empty())
}
