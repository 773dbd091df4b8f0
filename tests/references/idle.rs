//! Launches, queues and idle time: METRICS section 5.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;
use stepscope::Rank;
use stepscope::analyze::{IdleClass, IdleLeaf, IdleTimes, Launch, launch_rows};
use stepscope_tests::files::real_traces;

use super::comparison::{Comparison, float};
use super::steps::rank_of;
use super::tables::Table;

/// `expected.json`: the independent script's numbers under METRICS' own definitions, to the nanosecond.
pub(crate) fn expected(rank: &Rank, trace: &str, expected: &Value, found: &mut Vec<Comparison>) {
    const REFERENCE: &str = "expected idle";
    let mut add = |key: String, expected: &Value, ours: u64| {
        let number = |value: &Value| value.as_i64().unwrap_or_else(|| panic!("{trace}: {key}: {value} is no number"));
        let ours = i64::try_from(ours).expect("few");
        found.push(Comparison::exact(REFERENCE, trace, key.clone(), number(expected), ours));
    };
    let launches = &rank.analysis.launches;
    // The script has no entry for streams without activities.
    let nothing = serde_json::json!({"calls": 0, "pairs": 0, "unlinked": 0, "short": 0, "slow": 0, "late": 0});
    let of_launches = expected.get("launch").unwrap_or(&nothing);
    for (key, ours) in [
        ("calls", launches.total.calls),
        ("pairs", launches.total.activities),
        ("unlinked", launches.unlinked),
        ("short", launches.total.short),
        ("slow", launches.total.slow),
        // METRICS counts all long delays, whatever their cause.
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

fn of_trace(folder: &Path, name: &str) -> Rank {
    rank_of(&folder.join("pytorch").join(name)).expect("a trace")
}

/// The device's first activity starts 148 ms after its call: all calls waited for the device's work from before the
/// trace.
#[test]
fn launches_that_wait_for_work_from_before_the_trace_are_not_late() {
    let Some(folder) = real_traces() else {
        eprintln!("SKIPPED: the real traces are not there");
        return;
    };
    let rank = of_trace(&folder, "mi300_vllm_piecewise.json.gz");
    let launches = &rank.analysis.launches;
    let total = &launches.total;
    assert_eq!((total.delayed, total.queued, total.before_first, total.late), (87, 0, 87, 0));
    assert!(launches.latest.is_empty() && launches.names.iter().all(|(_, sum)| sum.late == 0));
    // Tile, tab, step and the comparison's sides have the same time.
    let before_first = rank.analysis.idle[0].before_first;
    assert_eq!(before_first.0, 151_231_271, "from the mark of the step");
    assert_eq!(rank.analysis.step_devices[0][0].before_first, before_first);
    // Launches that the device's own earlier work delays are queued.
    let rank = of_trace(&folder, "v100_rank1of2_test.json.gz");
    let total = &rank.analysis.launches.total;
    assert!(total.queued > 9_000 && total.late == 0, "{total:?}");
}

/// INSIGHT 5, "Measured": a trace, the idle share of its device's window in %, and the unexplained share: the
/// prototype's numbers, rounded to a tenth.
const MEASURED: [(&str, f64, f64); 12] = [
    ("h100_bert", 92.1, 0.0),
    ("b200_rank0of8_eager", 86.3, 0.0),
    ("mi300_sd35", 39.2, 0.0),
    ("a100_rank0of2_nccl", 76.2, 0.0),
    ("mi250_minitoy", 98.3, 0.0),
    ("mi300_resnet_rank0of8", 3.0, 2.6),
    ("h100_timesformer", 1.0, 0.0),
    ("h100_qwen", 8.1, 1.5),
    ("v100_rank1of2_test", 3.7, 0.1),
    ("mi300_vllm_piecewise", 0.2, 0.0),
    ("a100_rank3of8_control", 16.4, 0.0),
    ("sampled_rank0of128", 55.2, 31.8),
];

/// Leaves in the same table, in % of the window. The prototype counts waiting copies as launching calls, and unrecorded
/// time of a thread as such.
const LEAVES: [(&str, IdleLeaf, f64, f64); 5] = [
    ("h100_bert", IdleLeaf::Python, 44.0, 0.5),
    ("h100_bert", IdleLeaf::Operator, 36.0, 0.5),
    ("b200_rank0of8_eager", IdleLeaf::Python, 46.0, 0.5),
    ("mi250_minitoy", IdleLeaf::LaunchingCall, 74.6, 0.2),
    ("sampled_rank0of128", IdleLeaf::QueuedWaiting, 25.3, 0.06),
];

#[test]
fn idle_time_is_what_the_prototype_measured() {
    const UNEXPLAINED: [IdleLeaf; 3] = [IdleLeaf::NoHostRecord, IdleLeaf::StartLate, IdleLeaf::QueuedWaiting];
    let Some(folder) = real_traces() else {
        eprintln!("SKIPPED: the real traces are not there");
        return;
    };
    let mut wrong = Vec::new();
    for (trace, idle, unexplained) in MEASURED {
        let rank = of_trace(&folder, &format!("{trace}.json.gz"));
        let times = &rank.analysis.idle[0].times;
        let share = |time| 100.0 * float(time) / float(times.window);
        let leaf = |leaf: IdleLeaf| share(times.leaves[leaf as usize]);
        let mut check = |what: &str, ours: f64, expected: f64, tolerance: f64| {
            if (ours - expected).abs() > tolerance {
                wrong.push(format!("{trace}: {what} {ours:.3}, not {expected}"));
            }
        };
        check("idle", share(times.idle()), idle, 0.06);
        check("unexplained", UNEXPLAINED.into_iter().map(leaf).sum(), unexplained, 0.06);
        for (_, of, expected, tolerance) in LEAVES.into_iter().filter(|(of, ..)| *of == trace) {
            check(of.name(), leaf(of), expected, tolerance);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
