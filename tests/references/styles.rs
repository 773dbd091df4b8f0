//! nvprof's, MindSpore's and the TensorBoard plugin's own outputs, compared with ours in their layouts.

use std::path::Path;

use serde_json::Value as Json;
use stepscope::Rank;
use stepscope::analyze::{nvprof_summary, tensorboard_overview};
use stepscope_style::nvprof::NvprofStyle;
use stepscope_style::{TimeUnit, mindspore, nvprof, tensorboard};
use stepscope_tests::files::{files_of, folder_ranks, load, real_traces, text_of};

use super::comparison::Comparison;

/// nvprof's summary as a guide shows it: CUDA 8's layout without the column of types, and retyped, so that its columns
/// do not line up; cells and their order are compared.
#[test]
fn nvprofs_summary_is_printed_again() {
    let Some(folder) = real_traces() else { return };
    let text = text_of(&folder.join("nvprof/summary.txt"));
    let trace = load("summary.txt", &text, 1 << 10).expect("a summary").trace;
    let ours = nvprof::summary(&trace, &nvprof_summary(&trace), NvprofStyle::default());
    let rows = |text: &str| -> Vec<String> {
        let cells =
            text.lines().map(|line| line.trim_start_matches(" GPU activities:").trim_start_matches("      API calls:"));
        let rows = cells.filter(|line| line.contains('%') && !line.contains("Time(%)"));
        rows.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let theirs = String::from_utf8(text).expect("text");
    assert_eq!(rows(&ours), rows(&theirs));
    assert!(rows(&theirs).len() > 30, "{} rows", rows(&theirs).len());
    let process = theirs.lines().next().expect("a line");
    assert_eq!(ours.lines().next(), Some(process));
    // In the guide's own layout, byte by byte.
    let style = NvprofStyle { before_9: true, ..NvprofStyle::default() };
    assert_eq!(nvprof::summary(&trace, &nvprof_summary(&trace), style).trim_end(), theirs.trim_end());
}

/// MindSpore's tables of step traces, byte by byte; MindInsight's summary of one of them.
#[test]
fn mindspores_step_traces_are_written_again() {
    let Some(folder) = real_traces() else { return };
    let mut compared = 0;
    for job in [
        "profiler",
        "run_1/normal_run/profiler",
        "run_3/normal_run/profiler",
        "run_4/normal_run/profiler",
        "cluster_propose",
    ] {
        let files = files_of(&folder.join("mindspore").join(job));
        let tables = files.iter().filter(|(name, _)| name.starts_with("step_trace_raw_") && name.ends_with(".csv"));
        for (name, bytes) in tables {
            let named = vec![(format!("{job}/{name}"), bytes.clone())];
            let config = stepscope::analyze::AnalysisConfig::standard();
            let ranks = folder_ranks(&named, 1 << 12, &config).expect("a rank").ranks;
            let report = ranks[0].analysis.step_trace.as_ref().unwrap_or_else(|| panic!("{job}/{name}: no step trace"));
            let expected = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
            let ours = mindspore::detail_csv(&ranks[0].trace, report);
            let line = ours.lines().zip(expected.lines()).position(|(ours, theirs)| ours != theirs);
            assert_eq!((line, ours.len()), (None, expected.len()), "{job}/{name}");
            compared += 1;
        }
    }
    assert_eq!(compared, 9);
    let files: Vec<_> = files_of(&folder.join("mindspore/run_1/normal_run/profiler"))
        .into_iter()
        .filter(|(name, _)| name.starts_with("step_trace"))
        .map(|(name, bytes)| (format!("profiler/{name}"), bytes))
        .collect();
    let config = stepscope::analyze::AnalysisConfig::standard();
    let ranks = folder_ranks(&files, 1 << 12, &config).expect("ranks").ranks;
    let found = ranks.iter().find_map(|rank| Some((&rank.trace, rank.analysis.step_trace.as_ref()?)));
    let (trace, report) = found.expect("a step trace");
    let expected = "fp_start: Default/Cast-op6\nbp_end: Default/TransData-op7\ntotal_steps: 322\n\
                    total_time: 205.3809 ms\niteration_interval: 0.2038 ms (0.1%)\n\
                    fp_and_bp: 118.054 ms (57.48%)\ntail: 87.1231 ms (42.42%)\n";
    assert_eq!(mindspore::summary(trace, report, TimeUnit::Milliseconds), expected);
}

/// The plugin's overview: average step, and the lines of its GPU summary.
pub(crate) fn tensorboard(rank: &Rank, trace: &str, reference: &Path, found: &mut Vec<Comparison>) {
    let report = tensorboard_overview(&rank.trace, &rank.analysis.steps);
    let text = tensorboard::overview(&rank.trace, &report, TimeUnit::Microseconds);
    let mut add = |key: String, expected: f64, ours: f64, tolerance: f64| {
        found.push(Comparison::close("tensorboard overview", trace, key, expected, ours, tolerance));
    };
    let read = |name: &str| -> Json {
        let text = std::fs::read(reference.join("tensorboard").join(name)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    };
    let average = &read("overview.json")["performance"][0];
    let children = average["children"].as_array().cloned().unwrap_or_default();
    let cells = |name: &str| -> Vec<f64> {
        let row = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("");
        row.split_whitespace().filter_map(|cell| cell.parse().ok()).collect()
    };
    for row in children.iter().chain([average]) {
        let name = row["name"].as_str().expect("a name");
        let ours = cells(&format!("{name}  "));
        let cell = |column: usize| ours.get(column).copied().unwrap_or(f64::NAN);
        // Their doubles are off by parts of a microsecond, which rounding can turn into a whole one.
        add(name.to_owned(), row["value"].as_f64().expect("a time"), cell(0), 1.0);
        add(format!("{name} share"), row["extra"].as_f64().expect("a share"), cell(1), 0.010_1);
    }
    let shown = text.lines().skip_while(|line| *line != "Execution Summary").skip(3);
    let rows = shown.take_while(|line| !line.is_empty()).count();
    add("rows".into(), usize_float(children.len() + 1), usize_float(rows), 0.0);
    let summary = read("gpu_summary.json");
    for line in summary.as_array().into_iter().flatten() {
        let (title, value) = (line["title"].as_str().expect("a title"), line["value"].as_str().expect("a value"));
        let expected = format!("{title:<30}  {value}");
        let same = text.lines().any(|ours| ours == expected.trim_end());
        add(format!("line {title}"), 1.0, if same { 1.0 } else { 0.0 }, 0.0);
    }
}

#[expect(clippy::cast_precision_loss, reason = "a count of rows")]
fn usize_float(count: usize) -> f64 {
    count as f64
}
