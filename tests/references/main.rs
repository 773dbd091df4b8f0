//! Reports on real traces, compared with those of other tools and of an independent script.
//!
//! The traces are next to the project, not in it; without them everything here prints SKIPPED and passes. If a tool
//! differs from METRICS, `fixtures/references/deviations.toml` lists the difference and the reason. A listed deviation
//! that no longer occurs fails the test, as does an unlisted one.

#![expect(clippy::panic, reason = "a test says so what is wrong")]

mod advice;
mod budget;
mod chrome;
mod communication;
mod comparison;
mod events;
mod first_screen;
mod gains;
mod idle;
mod independent;
mod job;
mod job_tools;
mod kernel_names;
mod kernels;
mod memory;
mod mindspore_events;
mod mindspore_tables;
mod paddle_pairs;
mod paddle_style;
mod paddle_tables;
mod promises;
mod roofline;
mod secrets;
mod steps;
mod styles;
mod tables;
mod tools;
mod torch;
mod visualdl;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use serde::Deserialize;
use stepscope::Rank;
use stepscope::analyze::{AnalysisConfig, StepSource, analyze};
use stepscope_tests::files::{load_file, real_traces, root};
use stepscope_tests::oracle::{identities, reread};

use self::comparison::Comparison;

/// Deviations that are known, with their reasons.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deviations {
    deviation: Vec<Deviation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deviation {
    /// Reference whose numbers differ.
    reference: String,
    /// Its traces.
    traces: Vec<String>,
    /// The differing numbers: names, in which `*` stands for anything.
    keys: Vec<String>,
    /// The reason, and the correct side.
    reason: String,
}

/// Comparisons on all traces, by reference.
type Comparisons = BTreeMap<&'static str, Vec<Comparison>>;

/// Compares everything with everything, once for all tests; two traces at a time.
fn comparisons() -> Option<&'static Comparisons> {
    static FOUND: OnceLock<Option<Comparisons>> = OnceLock::new();
    FOUND.get_or_init(|| real_traces().map(|folder| compare_all(&folder))).as_ref()
}

fn compare_all(folder: &Path) -> Comparisons {
    let mut traces = files(&folder.join("pytorch"));
    // The largest first, so that none is left at the end.
    traces.sort_by_key(|path| fs::metadata(path).map_or(0, |metadata| metadata.len()));
    assert_eq!(traces.len(), 22, "traces in {}", folder.display());
    let expected = fs::read(folder.join("reference/expected.json")).expect("expected.json");
    let expected: serde_json::Value = serde_json::from_slice(&expected).expect("JSON");
    let left = Mutex::new(traces);
    let found = Mutex::new(Comparisons::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = { left.lock().expect("no panic").pop() } {
                    let name = trace_name(&path);
                    let new = compare_one(&path, &name, &folder.join("reference").join(&name), &expected[&name]);
                    found.lock().expect("no panic").entry("all").or_default().extend(new);
                }
            });
        }
    });
    let mut by_reference = Comparisons::new();
    for comparison in found.into_inner().expect("no panic").remove("all").unwrap_or_default() {
        by_reference.entry(comparison.reference).or_default().push(comparison);
    }
    by_reference
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file()).collect()
}

fn trace_name(path: &Path) -> String {
    let name = path.file_name().expect("a file").to_string_lossy();
    name.trim_end_matches(".gz").trim_end_matches(".json").to_owned()
}

fn compare_one(path: &Path, name: &str, reference: &Path, expected: &serde_json::Value) -> Vec<Comparison> {
    let file = fs::read(path).expect("a trace");
    let loaded = load_file(name, &file, 256 << 10).unwrap_or_else(|error| panic!("{error}"));
    let mut config = AnalysisConfig::standard();
    let mut rank = Rank::new(name, file.len() as u64, loaded, &config);
    let mut found = vec![Comparison::of_result("export", name, reread(&rank))];
    // The other tools and the script do not know the marks of inference engines.
    config.steps.whole = rank.analysis.steps.source == StepSource::InferenceMarks;
    if config.steps.whole {
        rank.analysis = analyze(&rank.trace, &config);
    }
    independent::exact_device_time(&rank, name, reference, &mut found);
    independent::expected(&rank, name, expected, &mut found);
    idle::expected(&rank, name, expected, &mut found);
    idle::hta(&rank, name, reference, &mut found);
    kernels::estimated(&rank, name, &mut found);
    found.push(Comparison::of_result("identities", name, identities(&rank)));
    tools::tracelens(&mut rank, name, reference, expected, &mut found);
    tools::hta(&mut rank, name, reference, &mut found);
    advice::tensorboard(&rank, name, reference, &mut found);
    styles::tensorboard(&rank, name, reference, &mut found);
    memory::tensorboard(&rank, name, reference, &mut found);
    tools::tensorboard(&mut rank, name, reference, expected, &mut found);
    found
}

/// Checks a reference: every difference is listed, and everything listed differs.
fn check(reference: &str, at_least: usize) {
    let Some(found) = comparisons() else { return };
    let none = Vec::new();
    let found = found.get(reference).unwrap_or(&none);
    assert!(found.len() >= at_least, "only {} numbers of {reference} were compared", found.len());
    eprintln!("{} numbers of {reference} compared", found.len());
    check_against_list(reference, found);
}

fn check_against_list(reference: &str, found: &[Comparison]) {
    let path = root().join("tests/fixtures/references/deviations.toml");
    let list = fs::read_to_string(&path).expect("deviations.toml");
    let list: Deviations = toml::from_str(&list).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let list: Vec<&Deviation> = list.deviation.iter().filter(|deviation| deviation.reference == reference).collect();
    let mut needed = BTreeSet::new();
    let mut problems = Vec::new();
    for comparison in found.iter().filter(|comparison| !comparison.is_same()) {
        let mut listed = false;
        for (index, deviation) in list.iter().enumerate().filter(|(_, one)| one.traces.contains(&comparison.trace)) {
            assert!(deviation.reason.len() > 20, "a deviation's reason is a sentence: {}", deviation.reason);
            for key in deviation.keys.iter().filter(|pattern| comparison::matches(pattern, &comparison.key)) {
                listed = true;
                needed.extend([(index, comparison.trace.as_str()), (index, key.as_str())]);
            }
        }
        if !listed {
            problems.push(comparison.to_string());
        }
    }
    for (index, deviation) in list.iter().enumerate() {
        let unneeded =
            deviation.traces.iter().chain(&deviation.keys).filter(|one| !needed.contains(&(index, one.as_str())));
        problems.extend(unneeded.map(|one| format!("{one:?} no longer differs: {}", deviation.reason)));
    }
    let shown = problems.len().min(60);
    assert!(problems.is_empty(), "{} problems\n{}\n", problems.len(), problems[..shown].join("\n"));
}

#[test]
fn device_time_is_that_of_the_independent_script() {
    check("exact_device_time", 180);
}

#[test]
fn everything_expected_is_found() {
    check("expected", 1180);
}

#[test]
fn launches_queues_and_idle_times_are_as_expected() {
    check("expected idle", 460);
}

#[test]
fn hta_finds_why_streams_idle() {
    check("hta idle", 85_000);
}

#[test]
fn numbers_add_up() {
    check("identities", 22);
}

#[test]
fn an_export_read_back_has_the_same_numbers() {
    check("export", 22);
}

#[test]
fn tracelens_finds_its_numbers() {
    check("tracelens", 240);
}

#[test]
fn hta_finds_its_numbers() {
    check("hta", 2590);
}

#[test]
fn tensorboard_finds_its_numbers() {
    check("tensorboard", 620);
}

#[test]
fn tensorboard_gives_the_same_advice() {
    check("tensorboard advice", 22 * 7 + 8);
}

#[test]
fn tensorboards_overview_is_printed_alike() {
    check("tensorboard overview", 460);
}

#[test]
fn tensorboard_finds_the_same_memory() {
    check("tensorboard memory", 550);
}

#[test]
fn operators_are_those_of_key_averages() {
    let Some(folder) = real_traces() else { return };
    let found = torch::compare(&folder.join("generated/torch"));
    assert!(found.len() > 500, "only {} numbers of key_averages were compared", found.len());
    check_against_list("key_averages", &found);
}

#[test]
fn the_profiler_estimates_our_occupancy() {
    check("kineto occupancy", 900);
}

#[test]
fn flops_are_those_of_key_averages() {
    let Some(folder) = real_traces() else { return };
    let found = torch::flops(&folder.join("generated/torch"));
    assert!(found.len() >= 6, "only {} numbers of key_averages were compared", found.len());
    check_against_list("key_averages flops", &found);
}

#[test]
fn every_trace_that_pytorch_wrote_can_be_read() {
    let Some(folder) = real_traces() else { return };
    let found = torch::read_all(&folder.join("generated/torch"));
    assert!(found.len() > 40, "only {} files were read", found.len());
    check_against_list("torch files", &found);
}

#[test]
fn paddles_two_exports_of_a_fixture_are_equal() {
    let found = paddle_pairs::compare_fixtures(&root().join("tests/fixtures/paddle"));
    assert!(found.len() >= 16, "only {} numbers were compared", found.len());
    check_against_list("paddle pairs", &found);
}

#[test]
fn paddles_two_exports_of_a_run_are_equal() {
    let Some(folder) = real_traces() else { return };
    let found = paddle_pairs::compare(&folder.join("generated/paddle"));
    assert!(found.len() > 100, "only {} numbers of Paddle's pairs were compared", found.len());
    check_against_list("paddle pairs", &found);
}

#[test]
fn paddles_printed_tables_can_be_computed() {
    let Some(folder) = real_traces() else { return };
    let found = paddle_tables::compare(&folder.join("generated/paddle"));
    assert!(found.len() > 20_000, "only {} numbers of Paddle's tables were compared", found.len());
    check_against_list("paddle tables", &found);
}

#[test]
fn paddles_printed_summaries_are_printed_alike() {
    let Some(folder) = real_traces() else { return };
    let found = paddle_style::compare(&folder.join("generated/paddle"));
    assert!(found.len() > 90, "only {} printed summaries were compared", found.len());
    check_against_list("paddle style", &found);
    paddle_style::benchmark_is_printed_alike(&folder.join("generated/paddle"));
}

#[test]
fn jax_reads_its_own_traces_as_we_do() {
    let Some(folder) = real_traces() else { return };
    let found = chrome::compare_jax(&folder.join("generated/jax"));
    assert!(found.len() > 2500, "only {} numbers of JAX were compared", found.len());
    check_against_list("jax", &found);
}

#[test]
fn every_chrome_trace_can_be_read() {
    let Some(folder) = real_traces() else { return };
    let folders = ["jax", "tensorflow", "viztracer", "node"].map(|name| folder.join("generated").join(name));
    let found = chrome::read_all(&folders);
    assert!(found.len() > 200, "only {} numbers of Chrome traces were compared", found.len());
    check_against_list("chrome files", &found);
}

#[test]
fn visualdl_finds_its_numbers() {
    let Some(folder) = real_traces() else { return };
    let found = visualdl::compare(&folder.join("paddle_gpu_synthetic"));
    assert!(found.len() > 1000, "only {} numbers of VisualDL were compared", found.len());
    check_against_list("visualdl", &found);
}
