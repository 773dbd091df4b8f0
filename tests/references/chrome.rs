//! Chrome traces of JAX, TensorFlow, VizTracer and Node: compared with JAX's own reading of the same run (its
//! `XPlane`), and with counts from the events' text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use stepscope::Rank;
use stepscope::analyze::AnalysisConfig;
use stepscope::trace::{Class, Layer, Trace};
use stepscope_tests::files::{load_file, text_of};
use stepscope_tests::oracle::{identities, reread};

use super::comparison::{Comparison, float};

/// A line of a plane, as JAX's `ProfileData` reads the `.xplane.pb`.
#[derive(Deserialize)]
struct Line {
    line: String,
    names: BTreeMap<String, Total>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Total {
    count: u32,
    total_ns: f64,
}

#[derive(Deserialize)]
struct WallClock {
    step: u32,
    total: f64,
}

/// Compares calls and total time of each name of each thread with JAX's own, and the steps with the script's clock.
pub(crate) fn compare_jax(folder: &Path) -> Vec<Comparison> {
    let mut found = Vec::new();
    for run in ["cnn_py1", "gpt_py0"] {
        let folder = folder.join(run);
        let lines: Vec<Line> = json(&folder.join("xplane_oracle.json"));
        let clock: Vec<WallClock> = json(&folder.join("wallclock_steps.json"));
        for path in
            below(&folder).iter().filter(|path| ends_with(path, &["vm.trace.json.gz", "perfetto_trace.json.gz"]))
        {
            let rank = rank_of(path);
            let name = format!("{run}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            let mut ours = totals(&rank.trace);
            for Line { line, names } in &lines {
                for (of, expected) in names {
                    let Total { count, total_ns } = ours.remove(&(line.clone(), of.clone())).unwrap_or_default();
                    let key = format!("{line} {of}");
                    found.push(Comparison::exact(
                        "jax",
                        &name,
                        format!("{key} calls"),
                        expected.count.into(),
                        count.into(),
                    ));
                    // JAX counts picoseconds; each of our times is rounded to a nanosecond, at both ends.
                    let tolerance = f64::from(expected.count);
                    found.push(Comparison::close(
                        "jax",
                        &name,
                        format!("{key} total"),
                        expected.total_ns,
                        total_ns,
                        tolerance,
                    ));
                }
            }
            for ((line, of), total) in ours {
                found.push(Comparison::exact("jax", &name, format!("{line} {of} calls"), 0, total.count.into()));
            }
            for (step, WallClock { step: number, total }) in rank.analysis.steps.steps.iter().zip(&clock) {
                assert_eq!(step.name, number.to_string());
                let key = format!("step {number}");
                found.push(Comparison::close(
                    "jax",
                    &name,
                    key,
                    total * 1e9,
                    float(step.host.len()),
                    0.01 * total * 1e9,
                ));
            }
            found.push(Comparison::exact(
                "jax",
                &name,
                "steps",
                clock.len() as i64,
                rank.analysis.steps.steps.len() as i64,
            ));
        }
    }
    found
}

/// The sums of slices per thread and name.
fn totals(trace: &Trace) -> BTreeMap<(String, String), Total> {
    let mut totals: BTreeMap<(String, String), Total> = BTreeMap::new();
    for track in &trace.tracks {
        for id in track.events() {
            let thread = trace.strings.get(track.name).to_owned();
            let total = totals.entry((thread, trace.name_of(id).to_owned())).or_default();
            total.count += 1;
            total.total_ns += float(trace.slices.length(id));
        }
    }
    totals
}

/// Reads every Chrome trace below some folders: numbers add up and survive the export, and each name has as many slices
/// as beginnings in the text.
pub(crate) fn read_all(folders: &[PathBuf]) -> Vec<Comparison> {
    let mut found = Vec::new();
    for path in folders.iter().flat_map(|folder| below(folder)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let trace = ends_with(&path, &["trace.json.gz", "trace_viewer.json.gz", ".cpuprofile"])
            || path.parent().is_some_and(|folder| folder.ends_with("node") || folder.ends_with("viztracer"));
        if !trace || name.ends_with(".heapprofile") {
            continue;
        }
        let rank = rank_of(&path);
        found.push(Comparison::of_result("chrome files", &name, identities(&rank).and_then(|()| reread(&rank))));
        if rank.trace.meta.format == "chrome" {
            counts(&rank, &name, &text_of(&path), &mut found);
        } else {
            profile(&rank, &name, &json(&path), &mut found);
        }
    }
    found
}

/// Compares the slices of each name, and the unfinished ones, with the events' text.
fn counts(rank: &Rank, name: &str, text: &[u8], found: &mut Vec<Comparison>) {
    // Node's process was killed while it wrote one of them.
    let document = serde_json::from_slice(text).or_else(|_| serde_json::from_slice(&[text, b"]}"].concat()));
    let document: Value = document.expect("JSON, at most cut");
    let mut expected: BTreeMap<&str, i64> = BTreeMap::new();
    let mut open: BTreeMap<[String; 3], i64> = BTreeMap::new();
    let (mut unfinished, mut unbegun) = (0, 0);
    let mut events: Vec<&Value> = document["traceEvents"].as_array().expect("a list").iter().collect();
    events.sort_by(|a, b| a["ts"].as_f64().partial_cmp(&b["ts"].as_f64()).expect("numbers"));
    for event in events {
        let phase = event["ph"].as_str().unwrap_or_default();
        if matches!(phase, "X" | "B" | "b") {
            *expected.entry(event["name"].as_str().expect("a name")).or_default() += 1;
        }
        let operations = open.entry(["cat", "name", "id"].map(|key| event[key].to_string()));
        match phase {
            "b" => *operations.or_default() += 1,
            "e" => match operations.or_default() {
                0 => unbegun += 1,
                count => *count -= 1,
            },
            _ => {}
        }
    }
    unfinished += open.into_values().sum::<i64>();
    let trace = &rank.trace;
    let sampled = |id: &_| trace.slices.class(*id) == Class::PythonFrame && trace.category_of(*id) == "v8.cpu_profiler";
    for id in trace.slices.ids().filter(|id| !sampled(id)) {
        *expected.entry(trace.name_of(id)).or_default() -= 1;
    }
    let wrong: Vec<_> = expected.into_iter().filter(|(_, count)| *count != 0).collect();
    let result = if wrong.is_empty() { Ok(()) } else { Err(format!("more or fewer slices: {wrong:?}")) };
    found.push(Comparison::of_result("chrome files", name, result));
    let warned = |code: &str| {
        let count = rank.warnings.iter().find(|warning| warning.code.name() == code).map_or(0, |warning| warning.count);
        i64::try_from(count).expect("few")
    };
    found.push(Comparison::exact("chrome files", name, "unfinished", unfinished, warned("unfinished_async")));
    found.push(Comparison::exact("chrome files", name, "unbegun", unbegun, warned("end_without_begin")));
}

/// Compares the time of each function with the sum of its samples' distances, which the file gives.
fn profile(rank: &Rank, name: &str, profile: &Value, found: &mut Vec<Comparison>) {
    let integers =
        |key: &str| profile[key].as_array().expect("a list").iter().map(|one| one.as_i64().expect("integer"));
    let (samples, mut at): (Vec<i64>, i64) =
        (integers("samples").collect(), profile["startTime"].as_i64().expect("µs"));
    let mut times: Vec<i64> = Vec::new();
    for delta in integers("timeDeltas") {
        at += delta;
        times.push(at);
    }
    times.push(profile["endTime"].as_i64().expect("µs"));
    let nodes = profile["nodes"].as_array().expect("a list");
    let function =
        |id: i64| nodes.iter().find(|node| node["id"] == id).expect("a node")["callFrame"]["functionName"].as_str();
    let mut own: BTreeMap<String, i64> = BTreeMap::new();
    for (sample, times) in samples.iter().zip(times.windows(2)) {
        let function = match function(*sample).expect("a text") {
            "" => "(anonymous)",
            function => function,
        };
        *own.entry(function.to_owned()).or_default() += 1000 * (times[1] - times[0]);
    }
    let mut ours: BTreeMap<String, i64> = BTreeMap::new();
    for row in &rank.analysis.operators.rows {
        let function = row.name.split_once(" (").filter(|(before, _)| !before.is_empty());
        let function = function.map_or(row.name.as_str(), |(function, _)| function);
        *ours.entry(function.to_owned()).or_default() += row.host_self.0;
    }
    for (function, expected) in own {
        let self_time = ours.remove(&function).unwrap_or_default();
        found.push(Comparison::exact("chrome files", name, format!("{function} self"), expected, self_time));
    }
    found.extend(
        ours.into_iter().map(|(of, time)| Comparison::exact("chrome files", name, format!("{of} self"), 0, time)),
    );
    assert!(rank.trace.tracks.iter().all(|track| track.layer == Layer::Python));
}

fn rank_of(path: &Path) -> Rank {
    let file = fs::read(path).expect("a file");
    let name = path.to_string_lossy();
    let loaded = load_file(&name, &file, 64 << 10).unwrap_or_else(|error| panic!("{error}"));
    Rank::new(&name, file.len() as u64, loaded, &AnalysisConfig::standard())
}

fn json<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    serde_json::from_slice(&text_of(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn ends_with(path: &Path, endings: &[&str]) -> bool {
    let name = path.to_string_lossy();
    endings.iter().any(|ending| name.ends_with(ending))
}

/// The files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.into_iter().flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}
