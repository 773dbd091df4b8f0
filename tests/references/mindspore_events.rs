//! MindSpore's folders: msprof's timelines, compared with MindInsight's tests, and operators in timelines, compared
//! with MindSpore's own tables.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use stepscope::analyze::{AnalysisConfig, Definition, GraphRow, StepSource, Value, definition_values, graphs};
use stepscope::trace::{Class, EventId, Layer, Trace};
use stepscope::{Code, Interval, Nanos, Rank};
use stepscope_tests::files::{FileOf, FolderRanks, files_of, folder_ranks, real_traces};
use stepscope_tests::oracle::identities;

/// The ranks of a folder's files that match a filter; paths begin with the folder's own name.
fn ranks(folder: &Path, filter: impl Fn(&str) -> bool) -> FolderRanks {
    let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
    let files = files_of(folder).into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes));
    let files: Vec<FileOf> = files.filter(|(path, _)| filter(path)).collect();
    let found = folder_ranks(&files, 1 << 16, &AnalysisConfig::standard());
    let found = found.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for rank in &found.ranks {
        identities(rank).unwrap_or_else(|error| panic!("{}: {error}", rank.file));
    }
    found
}

fn is_timeline(path: &str) -> bool {
    path.contains("/PROF_")
}

/// Number and total length of the profiler's own rows of a name.
fn computed(trace: &Trace, name: &str) -> (usize, Nanos) {
    let rows = trace.slices_of(Class::ProfilerSpan).filter(|id| trace.name_of(*id) == name);
    let spans: Vec<Nanos> = rows.map(|id| trace.slices.length(id)).collect();
    (spans.len(), spans.into_iter().sum())
}

/// The sums of section 9 of EXPECTED.md: name, and for each rank the number of rows and µs.
const OVERLAP: [(&str, [(usize, f64); 2]); 4] = [
    ("Computing", [(1242, 59365.6), (1246, 59414.52)]),
    ("Free", [(1242, 1191.26), (1246, 1178.05)]),
    ("Communication", [(10, 129_172.04), (10, 143_219.24)]),
    ("Communication(Not Overlapped)", [(10, 129_172.04), (10, 143_219.24)]),
];

fn is_near(nanos: Nanos, micros: f64, rows: usize) -> bool {
    // Each row's ends are rounded to the nanosecond, the sums to the hundredth of a microsecond.
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let (found, slack) = (nanos.0 as f64 / 1e3, 0.005 + rows as f64 * 1e-3);
    (found - micros).abs() <= slack
}

#[test]
fn msprof_is_what_mindinsight_shows_of_it() {
    let Some(traces) = real_traces() else { return };
    let found = ranks(&traces.join("mindspore/profiler"), is_timeline);
    assert_eq!(found.ranks.iter().map(|rank| rank.rank).collect::<Vec<_>>(), [Some(0), Some(1)]);
    for (index, rank) in found.ranks.iter().enumerate() {
        let trace = &rank.trace;
        for (name, expected) in OVERLAP {
            let (count, micros) = expected[index];
            let (rows, sum) = computed(trace, name);
            assert_eq!(rows, count, "rank {index}: {name}");
            assert!(is_near(sum, micros, count), "rank {index}: {name} is {sum:?}, not {micros} µs");
        }
        // From the device's activity, by our own definition.
        let device = &rank.analysis.devices[0].time;
        let [computing, free, communication, exposed] = OVERLAP.map(|(_, expected)| expected[index]);
        assert!(is_near(device.compute, computing.1, computing.0), "{:?}", device.compute);
        assert!(is_near(device.communication, communication.1, 10), "{:?}", device.communication);
        assert!(is_near(device.exposed_communication, exposed.1, 10), "{:?}", device.exposed_communication);
        assert_eq!((device.memcpy, device.memset), (Nanos::ZERO, Nanos::ZERO), "copies are the collectives' own");
        // Free time is the time without activities between the first and the last one of each iteration.
        let steps = &rank.analysis.steps;
        assert_eq!((steps.source, steps.steps.len()), (StepSource::Marks, 10));
        let gaps: Nanos = steps.steps.iter().map(|step| gaps_in(trace, step.host)).sum();
        assert!(is_near(gaps, free.1, free.0), "rank {index}: {gaps:?} without activity");
        assert!(is_near(free_by_definition(rank), free.1, free.0), "rank {index}: {:?}", free_by_definition(rank));
        let first: f64 = [47_587.81, 57_532.96][index];
        assert!(is_near(steps.steps[0].host.len(), first, 1), "{:?}", steps.steps[0].host.len());
        assert!(rank.warnings.iter().any(|warning| warning.code == Code::RepeatedTimeline && warning.count == 29));
    }
    // Both count from their machine's start, whose time since 1970 is in their start_info.
    let origins: Vec<i64> = found.ranks.iter().map(|rank| rank.trace.meta.origin_unix_ns.expect("known")).collect();
    assert!((1_692_340_080_000_000_000..1_692_340_090_000_000_000).contains(&origins[0]), "{origins:?}");
    assert!(origins[0].abs_diff(origins[1]) < 1_000_000_000, "{origins:?}");
    assert_eq!(found.ranks[1].trace.meta.devices[0].multiprocessors, Some(32));
}

/// The time without activities in a window, from its first activity to its last.
fn gaps_in(trace: &Trace, window: Interval) -> Nanos {
    let mut spans: Vec<Interval> =
        trace.activities.iter().map(|activity| trace.slices.interval(activity.event)).collect();
    spans.retain(|span| window.contains(*span));
    spans.sort_by_key(|span| span.start);
    let Some(first) = spans.first() else { return Nanos::ZERO };
    let (mut end, mut gaps) = (first.start, Nanos::ZERO);
    for span in spans {
        gaps += (span.start - end).max(Nanos::ZERO);
        end = end.max(span.end);
    }
    gaps
}

/// The lengths in ns of a graph's iterations in msprof's step trace, which calls it a model.
fn iterations(file: &Path, graph: u64) -> Vec<i64> {
    let text = fs::read_to_string(file).expect("a step trace");
    let events: Vec<serde_json::Value> = serde_json::from_str(&text).expect("a list");
    let name = format!("Model ID:{graph}");
    let thread = events.iter().find(|event| event["args"]["name"] == name.as_str()).expect("a thread")["tid"].clone();
    let is_iteration = |event: &&serde_json::Value| event["cat"] == "Iteration Time" && event["tid"] == thread;
    #[expect(clippy::cast_possible_truncation, reason = "ns of a small trace")]
    let nanos = |event: &serde_json::Value| (event["dur"].as_f64().expect("a length") * 1e3).round() as i64;
    events.iter().filter(is_iteration).map(nanos).collect()
}

#[test]
fn each_graph_has_its_own_iterations() {
    let folder = Path::new("fixtures/mindspore/graphs/input/profiler");
    let Rank { trace, analysis, .. } = ranks(folder, |_| true).ranks.remove(0);
    // Each file of the step trace has all iterations of both graphs, and msprof's files have some of them once more.
    let names: Vec<&str> = analysis.steps.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["1:1", "2:1", "1:2", "2:2", "2:3"]);
    let shown: Vec<bool> = analysis.steps.steps.iter().map(|step| step.covered).collect();
    assert_eq!(shown, [true, true, true, true, false], "msprof exported no timeline of the last");
    assert_eq!(trace.instants.len(), 10, "two at the end of each iteration");
    let found = graphs(&trace, &analysis);
    let file = folder.join("PROF_000001_20230818142704322_X/device_0/timeline/step_trace_0_1_1.json");
    for row in &found {
        let lengths = iterations(&file, row.graph);
        assert_eq!(row.iterations, lengths.len() as u64, "graph {}", row.graph);
        assert_eq!(row.total.0, lengths.iter().sum::<i64>(), "graph {}", row.graph);
        let ends = [lengths.iter().min(), lengths.iter().max()].map(|end| *end.expect("an iteration"));
        assert_eq!([row.min.0, row.max.0], ends, "graph {}", row.graph);
    }
    // Planted: forward and backward 180 and 200 µs, then 490, 490 and 550; the tail is the rest.
    let means = |row: &GraphRow| {
        let [pass, tail] = [row.forward_and_backward, row.tail].map(|time| time.map(|time| time.0));
        (row.graph, row.mean.0, pass, tail, row.activities)
    };
    assert_eq!(
        found.iter().map(means).collect::<Vec<_>>(),
        [(1, 310_000, Some(190_000), Some(100_000), 4), (2, 833_333, Some(510_000), Some(313_333), 8)]
    );
}

#[test]
fn one_graph_is_no_table() {
    let Some(traces) = real_traces() else { return };
    for rank in ranks(&traces.join("mindspore/profiler"), is_timeline).ranks {
        assert!(graphs(&rank.trace, &rank.analysis).is_empty(), "{}", rank.file);
        let number = [Some(2), Some(0)][usize::try_from(rank.rank.expect("a rank")).expect("small")];
        assert!(rank.analysis.steps.steps.iter().all(|step| step.graph == number), "its files say which one");
        assert_eq!(rank.analysis.steps.steps[0].name, "1");
    }
}

#[test]
fn parts_of_msprof_alone_give_the_same_device_time() {
    let Some(traces) = real_traces() else { return };
    let folder = traces.join("mindspore/profiler");
    let whole = ranks(&folder, |path| is_timeline(path) && path.contains("device_0"));
    let parts = ranks(&folder, |path| is_timeline(path) && path.contains("device_0") && !path.contains("/msprof_"));
    let times = |found: &FolderRanks| {
        let device = &found.ranks[0].analysis.devices[0].time;
        (device.compute, device.communication, found.ranks[0].analysis.steps.steps.len())
    };
    assert_eq!(times(&whole), times(&parts));
    // Without msprof's own rows, free time by its definition is as long as these say.
    let free = free_by_definition(&parts.ranks[0]);
    assert_eq!(computed(&parts.ranks[0].trace, "Free").0, 0);
    let [_, (_, [(rows, micros), _]), ..] = OVERLAP;
    assert!(is_near(free, micros, rows), "{free:?}");
}

/// Free time by MindSpore's definition.
fn free_by_definition(rank: &Rank) -> Nanos {
    let found = definition_values(&rank.trace, &rank.analysis.steps, Definition::MindSpore);
    let free = found.values.iter().find(|(key, _)| *key == "free_ns").map(|(_, value)| *value);
    let Some(Value::Time(free)) = free else { panic!("{free:?}") };
    free
}

#[test]
fn a_mixed_folder_is_read_once() {
    let Some(traces) = real_traces() else { return };
    let found = ranks(&traces.join("mindspore/profiler"), |_| true);
    let rank = |number| found.ranks.iter().find(|rank: &&Rank| rank.rank == Some(number)).expect("a rank");
    // Its display and GPU timelines are of other runs; msprof's has more.
    assert_eq!(computed(&rank(0).trace, "Computing").0, 1242);
    assert!(rank(0).warnings.iter().any(|warning| warning.code == Code::RepeatedTimeline && warning.count == 31));
    let rank = ranks(&traces.join("mindspore/run_1/normal_run"), |_| true).ranks.remove(0);
    assert_eq!((rank.rank, rank.trace.activities.len()), (Some(1), 2817 + 322 * 11), "tasks and all-reduces");
    // Its steps are in a table, in ticks since the counter's zero; the timeline counts from the first task.
    let steps = &rank.analysis.steps;
    assert_eq!((steps.source, steps.steps.len()), (StepSource::Marks, 322));
    let total: Nanos = steps.steps.iter().map(|step| step.host.len()).sum();
    assert!(
        (total.0 / 322).abs_diff(205_380_930) <= 700_000,
        "{} ns, where MindInsight has 205.3809 ms",
        total.0 / 322
    );
    let all_reduces = rank.trace.activities.iter().filter(|activity| activity.communication);
    let spans: Vec<Interval> = all_reduces.map(|activity| rank.trace.slices.interval(activity.event)).collect();
    let inside = spans.iter().filter(|span| steps.steps.iter().any(|step| step.host.contains(**span))).count();
    assert_eq!((inside, spans.len()), (322 * 11, 322 * 11), "each all-reduce is in its step");
}

/// An operator's type by its name: MindSpore names them `scopes/Type-op12`, or just `Type`.
fn type_of(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.rsplit_once("-op").map_or(name, |(kind, _)| kind)
}

#[test]
fn operators_add_up_to_the_table_of_types() {
    let Some(traces) = real_traces() else { return };
    let folders = fs::read_dir(traces.join("generated/mindspore")).expect("folders").flatten();
    let mut compared = 0;
    for folder in folders.map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let table = files_of(&folder).into_iter().find(|(path, _)| path.ends_with("cpu_op_type_info_0.csv"));
        let Some((_, table)) = table else { continue };
        for raw_only in [false, true] {
            let found = ranks(&folder, |path| {
                path.contains("cpu_op_execute")
                    || (!raw_only && (path.contains("display") || path.contains("trace_view")))
            });
            compared += compare_types(&found.ranks[0], &String::from_utf8_lossy(&table), &folder, raw_only);
        }
    }
    assert!(compared > 300, "{compared} types were compared");
}

fn compare_types(rank: &Rank, table: &str, folder: &Path, raw_only: bool) -> usize {
    let trace = &rank.trace;
    let has = |code| rank.warnings.iter().any(|warning| warning.code == code);
    assert_eq!((has(Code::RawTimes), has(Code::RepeatedTimeline)), (raw_only, !raw_only), "{}", folder.display());
    let mut types: BTreeMap<&str, (u64, Nanos)> = BTreeMap::new();
    for id in trace.slices_of(Class::Operator) {
        let entry = types.entry(type_of(trace.name_of(id))).or_default();
        *entry = (entry.0 + 1, entry.1 + trace.slices.length(id));
    }
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(types.len(), rows.len(), "{}", folder.display());
    for row in &rows {
        let (count, total) = types[row[0]];
        assert_eq!(count.to_string(), row[1], "{} {row:?}", folder.display());
        // Six significant digits in the table; a nanosecond of each call.
        let expected: f64 = row[3].parse().expect("ms");
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let (found, slack) = (total.0 as f64 / 1e6, expected * 5.1e-6 + count as f64 * 1e-6);
        assert!((found - expected).abs() <= slack, "{} {row:?}: {found}", folder.display());
    }
    rows.len()
}

#[test]
fn steps_are_as_long_as_a_clock_around_them_says() {
    let Some(traces) = real_traces() else { return };
    let mut compared = 0;
    for name in ["v2.0_cnn_graph", "v2.0_cnn_pynative"] {
        let folder = traces.join("generated/mindspore").join(name);
        let rank = ranks(&folder, |path| path.contains("display")).ranks.remove(0);
        let clock: Vec<BTreeMap<String, f64>> =
            serde_json::from_slice(&fs::read(folder.join("wallclock_steps.json")).expect("times")).expect("JSON");
        let steps = &rank.analysis.steps;
        assert_eq!((steps.source, steps.steps.len()), (StepSource::Marks, clock.len()), "{name}");
        let overlap = rank.warnings.iter().any(|warning| warning.code == Code::StepsOverlap && warning.count == 7);
        assert_eq!(overlap, name.ends_with("pynative"), "{name}");
        // The first one compiles. From first to last operator, a step is shorter than its call by the host's work
        // before and after; PyNative's steps, which begin at the end of the one before, are longer.
        for (step, clock) in steps.steps.iter().zip(clock).skip(1) {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let share = step.host.len().0 as f64 / 1e9 / clock["total"];
            assert!((0.9..1.05).contains(&share), "{name} {step:?}: {share}");
            compared += 1;
        }
    }
    assert_eq!(compared, 14);
}

/// The profiler of 2.10 marks no step, and its schedule leaves out the first two.
///
/// From one start to the next, as a step ends with its last operator: the host's work between two calls is not in it.
#[test]
fn steps_by_operators_are_as_far_apart_as_a_clock_around_them_says() {
    let Some(traces) = real_traces() else { return };
    for (name, profiled, slack) in [
        ("v2.10_cnn_graph_data", 0, 0.04),
        ("v2.10_cnn_graph_sched", 2, 0.01),
        ("v2.10_cnn_pynative_data", 0, 0.01),
        ("v2.10_cnn_pynative_sched", 2, 0.01),
        ("v2.10_gpt_graph_sched", 2, 0.03),
    ] {
        let folder = traces.join("generated/mindspore").join(name);
        let rank = ranks(&folder, |path| !path.ends_with("wallclock_steps.json")).ranks.remove(0);
        let clock: Vec<BTreeMap<String, f64>> =
            serde_json::from_slice(&fs::read(folder.join("wallclock_steps.json")).expect("times")).expect("JSON");
        let steps = &rank.analysis.steps;
        let number = if profiled == 0 { clock.len() } else { 5 };
        assert_eq!((steps.source, steps.steps.len()), (StepSource::RepeatingOperators, number), "{name}");
        // The first call of all compiles before its first operator.
        let pairs = steps.steps.windows(2).zip(clock.iter().skip(profiled));
        for (pair, clock) in pairs.skip(usize::from(profiled == 0)) {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let share = (pair[1].host.start - pair[0].host.start).0 as f64 / 1e9 / clock["total"];
            assert!((share - 1.0).abs() < slack, "{name} {:?}: {share}", pair[0]);
        }
    }
}

/// Every generated folder opens, whichever parts of it exist.
#[test]
fn every_folder_opens() {
    let Some(traces) = real_traces() else { return };
    for folder in fs::read_dir(traces.join("generated/mindspore")).expect("folders").flatten() {
        if folder.path().to_string_lossy().contains("minddata_slow") {
            continue;
        }
        let found = ranks(&folder.path(), |path| !path.ends_with("wallclock_steps.json"));
        assert_eq!(found.ranks.len(), 1, "{}", folder.path().display());
        let trace = &found.ranks[0].trace;
        let operators: Vec<EventId> = trace.slices_of(Class::Operator).collect();
        assert!(operators.len() > 100, "{}", folder.path().display());
        assert!(operators.iter().all(|id| trace.tracks[trace.slices.track(*id).index()].layer == Layer::Host));
        let new = folder.file_name().to_string_lossy().starts_with("v2.10");
        assert_eq!(trace.meta.origin_unix_ns.is_some(), new, "only new ones count from 1970");
    }
}
