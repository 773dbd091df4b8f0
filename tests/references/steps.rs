//! Every real trace: the tables of all steps, compared with each step and the whole trace, and steps that the profiler
//! recorded.

use std::path::{Path, PathBuf};

use stepscope::analyze::{
    AnalysisConfig, OperatorsConfig, StepChoice, StepSource, idle_in_steps, overview, step_tables as tables,
};
use stepscope::{Nanos, Rank};
use stepscope_tests::files::{files_of, folder_ranks, load_file, real_traces};
use stepscope_tests::oracle::step_tables;

/// Files above this size are left to other tests: this one makes the tables of every step.
const LARGE: u64 = 6 << 20;

/// All files below a folder.
pub(crate) fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            below(&path, found);
        } else if path.metadata().is_ok_and(|metadata| metadata.len() <= LARGE) {
            found.push(path);
        }
    }
}

pub(crate) fn rank_of(path: &Path) -> Option<Rank> {
    let file = std::fs::read(path).expect("a file");
    let name = path.to_string_lossy();
    let loaded = load_file(&name, &file, 1 << 18).ok()?;
    Some(Rank::new(&name, file.len() as u64, loaded, &AnalysisConfig::standard()))
}

#[test]
fn all_steps_are_the_average_of_each() {
    let Some(folder) = real_traces() else { return };
    let mut files = Vec::new();
    for part in ["pytorch", "more", "paddle_gpu_synthetic", "nvprof", "generated"] {
        below(&folder.join(part), &mut files);
    }
    let mut problems = Vec::new();
    let mut read = 0;
    for path in &files {
        let Some(rank) = rank_of(path) else { continue };
        read += 1;
        if let Err(error) = step_tables(&rank) {
            problems.push(format!("{}: {error}", path.display()));
        }
    }
    for run in std::fs::read_dir(folder.join("mindspore")).expect("runs").flatten().map(|entry| entry.path()) {
        if !run.is_dir() {
            continue;
        }
        let Ok(found) = folder_ranks(&files_of(&run), 1 << 16, &AnalysisConfig::standard()) else { continue };
        for rank in &found.ranks {
            read += 1;
            if let Err(error) = step_tables(rank) {
                problems.push(format!("{}, rank {:?}: {error}", run.display(), rank.rank));
            }
        }
    }
    assert!(problems.is_empty(), "{} of {read} traces\n{}", problems.len(), problems.join("\n"));
    assert!(read > 100, "only {read} traces were read");
}

/// A matrix product of the only step took 12.79 ms in all and 8.855 ms in the step: the average of one step is the step.
#[test]
fn kernels_launched_outside_of_the_step_are_not_the_steps() {
    let Some(folder) = real_traces() else { return };
    let rank = rank_of(&folder.join("pytorch/h100_qwen.json.gz")).expect("a trace");
    let of = |choice| tables(&rank.trace, &rank.analysis, choice, OperatorsConfig::standard());
    let name = |row: &&stepscope::analyze::KernelRow| {
        rank.trace.strings.get(row.name).starts_with("sm90_xmma_gemm_bf16bf16_bf16f32") && row.time.calls > 100
    };
    let time = |choice| of(choice).kernels.iter().find(name).expect("the kernel").time.total.0 / 10_000;
    assert_eq!([StepChoice::Whole, StepChoice::Average, StepChoice::One(0)].map(time), [1278, 885, 885]);
    assert!(of(StepChoice::Average).left_out.iter().any(|left| left.steps == 0 && left.sums.kernels > 0));
}

#[test]
fn a_cut_timeline_shows_the_steps_that_it_has() {
    let Some(folder) = real_traces() else { return };
    let files = files_of(&folder.join("mindspore/run_1/normal_run"));
    let ranks = folder_ranks(&files, 1 << 16, &AnalysisConfig::standard()).expect("ranks").ranks;
    let analysis = &ranks[0].analysis;
    assert_eq!((analysis.steps.covered(), analysis.steps.steps.len()), (14, 322));
    let average = &analysis.average;
    assert_eq!((average.steps, average.covered_steps), (321, 13));
    assert!((average.length.0 - 205_380_930).abs() <= 10, "{average:?}");
    let idle = overview(analysis, None).tiles[4].share.expect("a share");
    assert!(idle < 0.02, "idle {idle}");
    // The time of steps that the timeline does not show is neither busy nor idle: 51.8 % of the window.
    let (whole, idle) = (&analysis.devices[0].time, &analysis.idle[0].times);
    assert!(whole.idle.0 < 30_000_000 && whole.uncovered.0 > 34_000_000_000, "{whole:?}");
    assert_eq!(whole.busy + whole.idle + whole.uncovered, whole.window);
    assert_eq!((idle.idle(), idle.uncovered), (whole.idle, whole.uncovered));
    // For the average step, the table agrees with tile and chart.
    let of_steps = idle_in_steps(analysis, &analysis.idle, StepChoice::Average).expect("steps")[0];
    assert_eq!((of_steps.divisor, of_steps.uncovered.0), (13, 0));
    assert!((of_steps.idle.0 / 13 - average.device.idle.0).abs() <= 1, "{of_steps:?}");
}

/// The first of many steps, whose beginning the profiler does not know, is in no average, as in its own.
#[test]
fn the_first_step_of_a_step_trace_is_not_averaged() {
    let Some(folder) = real_traces() else { return };
    // The folder's own name shows which files are one run.
    let files: Vec<_> = files_of(&folder.join("mindspore/profiler"))
        .into_iter()
        .map(|(name, bytes)| (format!("profiler/{name}"), bytes))
        .collect();
    let ranks = folder_ranks(&files, 1 << 16, &AnalysisConfig::standard()).expect("ranks").ranks;
    let ten = &ranks.iter().find(|rank| rank.rank == Some(10)).expect("rank 10").analysis;
    assert!((ten.average.length.0 - 130_497_200).abs() <= 10, "{:?}", ten.average);
    // Its timeline and its table are of different runs: the timeline's steps count, and a warning says so.
    let zero = &ranks[0].analysis;
    assert!(zero.mindspore.step_trace.as_ref().is_some_and(|found| found.is_of_other_steps(&zero.steps)));
    assert!(zero.step_trace.as_ref().is_some_and(|found| !found.is_of_other_steps(&zero.steps)));
}

/// A timeline since its first task and a table of the device's counter: the table gives the length of a step.
#[test]
fn initialization_is_no_step() {
    let Some(folder) = real_traces() else { return };
    let read = |path: &str| std::fs::read(folder.join("mindspore").join(path)).expect("a file");
    let files = [
        ("job/profiler/ascend_timeline_display_0.json", "profiler/ascend_timeline_display_0.json"),
        ("job/profiler/step_trace_raw_0_detail_time.csv", "run_3/normal_run/profiler/step_trace_raw_1_detail_time.csv"),
    ];
    let files = files.map(|(name, path)| (name.to_owned(), read(path)));
    let ranks = folder_ranks(&files, 1 << 16, &AnalysisConfig::standard()).expect("ranks").ranks;
    let analysis = &ranks[0].analysis;
    assert_eq!(analysis.steps.source, StepSource::Table);
    assert_eq!((analysis.average.steps, analysis.average.length), (1, Nanos(23_709_050)));
}
