//! `stepscope export`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Printed, folder, program, trace};

fn export(output: &Path) -> Command {
    let mut command = program();
    command.arg("export").arg("-o").arg(output);
    command
}

fn device_time(file: &Path) -> Value {
    let text = Printed::of(program().args(["summary", "--json"]).arg(file)).success();
    let summary: Value = serde_json::from_str(&text).expect("--json prints JSON");
    summary["ranks"][0]["device_time"].clone()
}

#[test]
fn an_export_reads_back_the_same_compressed_or_not() {
    let folder = folder("export");
    let file = trace(&folder, "a.json", 0);
    for name in ["out.json", "out.json.gz"] {
        let output = folder.join(name);
        let printed = Printed::of(export(&output).arg(&file));
        assert_eq!((printed.code, printed.out.as_str()), (Some(0), ""), "{}", printed.err);
        assert!(printed.err.contains(" slices, "), "{}", printed.err);
        let start = std::fs::read(&output).expect("the export");
        assert_eq!(start.starts_with(&[0x1f, 0x8b]), name.ends_with(".gz"));
        assert_eq!(device_time(&output), device_time(&file));
    }
}

#[test]
fn several_ranks_are_merged_only_when_asked() {
    let folder = folder("merge");
    let files = [trace(&folder, "rank0.json", 0), trace(&folder, "rank1.json", 1)];
    let output = folder.join("out.json");
    let message = Printed::of(export(&output).args(&files)).failure(1);
    assert!(message.contains("--merge"), "{message}");
    assert!(!output.exists());
    assert_eq!(Printed::of(export(&output).args(&files).arg("--merge")).code, Some(0));
    let merged = std::fs::metadata(&output).expect("the export").len();
    assert_eq!(Printed::of(export(&output).args(&files).args(["--ranks", "1"])).code, Some(0));
    assert!(std::fs::metadata(&output).expect("the export").len() < merged);
    assert_eq!(device_time(&output), device_time(&files[1]));
    let none = Printed::of(export(&output).args(&files).args(["--ranks", "7"])).failure(1);
    assert!(none.contains("none of the traces"), "{none}");
}

#[test]
fn a_summary_holds_no_single_kernel() {
    let folder = folder("level");
    let file = trace(&folder, "a.json", 0);
    let output = folder.join("out.json");
    assert_eq!(Printed::of(export(&output).arg(&file).arg("--summary")).code, Some(0));
    let text = std::fs::read(&output).expect("the export");
    let written: Value = serde_json::from_slice(&text).expect("the export is JSON");
    let events = written["traceEvents"].as_array().expect("its events");
    let categories = events.iter().filter_map(|event| event["cat"].as_str());
    assert!(categories.clone().count() > 0 && categories.clone().all(|category| category == "stepscope"));
    let steps = events.iter().filter(|event| event["name"].as_str().is_some_and(|name| name.starts_with("step ")));
    assert_eq!(steps.count(), 4);
    Printed::of(export(&output).arg(&file).args(["--summary", "--detail"])).failure(2);
}

/// Each step's parts of the step trace, as `summary --json` has them, one after another on a lane below the steps.
#[test]
fn a_summary_has_the_step_trace() {
    let folder = folder("step-trace");
    let output = folder.join("out.json");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    for (input, steps) in [
        ("mindspore/ascend_view/input", 2),
        ("mindspore/msprof_parts/input", 3),
        ("mindspore/graphs/input", 5),
        // Its steps are those of the profiler's table, on the same clock.
        ("mindspore/display_of_1x/input", 2),
        ("mindspore/raw_times_of_an_ascend/input", 1),
        // The table has another clock than the timeline.
        ("mindspore/table_of_another_clock/input", 0),
    ] {
        let input = fixtures.join(input);
        assert_eq!(Printed::of(export(&output).arg(&input).arg("--summary")).code, Some(0), "{input:?}");
        let written: Value = serde_json::from_slice(&std::fs::read(&output).expect("the export")).expect("JSON");
        let events = written["traceEvents"].as_array().expect("its events");
        let lanes: Vec<&str> = events.iter().filter_map(|event| event["args"]["name"].as_str()).collect();
        let lane = events.iter().find(|event| event["args"]["name"] == "Step trace");
        assert_eq!(lane.is_some(), steps > 0, "{lanes:?}");
        let on_lane = |event: &&Value| event["ph"] == "X" && lane.is_some_and(|lane| event["tid"] == lane["tid"]);
        let nanos = |value: &Value| (value.as_f64().expect("a time") * 1000.0).round() as i64;
        let slice = |event: &Value| {
            let name = event["name"].as_str().expect("a name").to_owned();
            // Such events are left out when the export is read back.
            assert_eq!(event["cat"], "stepscope");
            (event["args"]["step"].as_str().map(str::to_owned), name, nanos(&event["ts"]), nanos(&event["dur"]))
        };
        let slices: Vec<_> = events.iter().filter(on_lane).map(slice).collect();
        let text = Printed::of(program().args(["summary", "--json"]).arg(&input)).success();
        let summary: Value = serde_json::from_str(&text).expect("JSON");
        let rank = &summary["ranks"][0];
        let mut told = Vec::new();
        for row in rank["step_trace"]["steps"].as_array().expect("steps").iter().take(steps) {
            let step = rank["steps"].as_array().expect("steps").iter().find(|step| step["name"] == row["name"]);
            let mut at = step.expect("its step")["end_ns"].as_i64().expect("its end");
            at -= row["total_ns"].as_i64().expect("its length");
            let parts = [
                ("iteration_interval", "iteration_interval_ns"),
                ("fp_and_bp", "forward_and_backward_ns"),
                ("tail", "tail_ns"),
            ];
            for (name, key) in parts {
                let length = row[key].as_i64().expect("a length");
                if length > 0 {
                    told.push((row["name"].as_str().map(str::to_owned), name.to_owned(), at, length));
                }
                at += length;
            }
            assert_eq!(at, step.expect("its step")["end_ns"], "the parts add up to the step");
        }
        assert_eq!(slices, told, "{input:?}");
    }
}

#[test]
fn graphs_are_exported_by_choice_together_or_apart() {
    let folder = folder("graphs");
    let output = folder.join("out.json");
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/mindspore/graphs/input");
    let written = |args: &[&str]| -> Vec<Value> {
        assert_eq!(Printed::of(export(&output).arg(&input).args(args)).code, Some(0), "{args:?}");
        let text = std::fs::read(&output).expect("the export");
        let written: Value = serde_json::from_slice(&text).expect("the export is JSON");
        written["traceEvents"].as_array().expect("its events").clone()
    };
    let kernels = |events: &[Value]| -> Vec<String> {
        let of = events.iter().filter(|event| event["cat"] == "kernel").filter_map(|event| event["name"].as_str());
        of.map(str::to_owned).collect()
    };
    let lanes = |events: &[Value]| -> Vec<String> {
        let names = events.iter().filter(|event| event["name"] == "thread_name");
        let names = names.filter_map(|event| event["args"]["name"].as_str());
        names.filter(|name| name.starts_with("Steps") || name.starts_with("Step trace")).map(str::to_owned).collect()
    };
    let all = written(&[]);
    assert_eq!((kernels(&all).len(), lanes(&all)), (12, ["Steps", "Step trace"].map(str::to_owned).to_vec()));
    assert_eq!(
        lanes(&written(&["--split-graphs"])),
        ["Steps", "Step trace"].map(|name| [1, 2].map(|graph| format!("{name} of graph {graph}"))).concat()
    );
    let first = written(&["--graphs", "1"]);
    let mut names = kernels(&first);
    names.dedup();
    assert_eq!(names, ["Default/eval/MatMul-op1", "Default/eval/Softmax-op2"].repeat(2));
    // Nothing of the other graph's iterations is left, not even in the computed lanes: 2 × 150 µs of computation.
    let computed = first.iter().filter(|event| event["cat"] == "stepscope" && event["name"] == "computation");
    let micros: f64 = computed.filter_map(|event| event["dur"].as_f64()).sum();
    assert!((micros - 300.0).abs() < 0.01, "{micros}");
    // Read back, it is a trace of that graph alone, with all of its iterations.
    let text = Printed::of(program().args(["summary", "--json", "--by", "steps"]).arg(&output)).success();
    let summary: Value = serde_json::from_str(&text).expect("--json prints JSON");
    let steps = summary["ranks"][0]["steps"].as_array().expect("steps");
    let graphs: Vec<Option<u64>> = steps.iter().map(|step| step["graph"].as_u64()).collect();
    assert_eq!(graphs, [Some(1), Some(1)]);
    // Both together are the events of the whole in iterations; the mark of each iteration stands at its end, which is
    // in none.
    let sum = kernels(&first).len() + kernels(&written(&["--graphs", "2"])).len();
    assert_eq!((sum, kernels(&written(&["--graphs", "1,2"])).len()), (12, 12));
    let message = Printed::of(export(&output).arg(&input).args(["--graphs", "7"])).failure(1);
    assert!(message.contains("the traces have 1, 2"), "{message}");
    let other = trace(&folder, "a.json", 0);
    let message = Printed::of(export(&output).arg(&other).args(["--graphs", "1"])).failure(1);
    assert!(message.contains("do not say which graph"), "{message}");
}

#[test]
fn what_cannot_be_written_is_named_and_leaves_nothing() {
    let folder = folder("unwritable");
    let file = trace(&folder, "a.json", 0);
    let output = folder.join("absent").join("out.json");
    let message = Printed::of(export(&output).arg(&file)).failure(1);
    assert!(message.contains("out.json"), "{message}");
    // A folder stands in the file's place: found only at the end of writing.
    let taken = folder.join("taken");
    std::fs::create_dir(&taken).expect("a folder");
    let message = Printed::of(export(&taken).arg(&file)).failure(1);
    assert!(message.contains("taken"), "{message}");
    let left: Vec<_> =
        std::fs::read_dir(&folder).expect("the folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    let without = Printed::of(program().arg("export").arg(&file)).failure(2);
    assert!(without.contains("--output"), "{without}");
}

/// A name defines the format, or nothing is written.
#[test]
fn a_name_of_another_format_is_refused() {
    let folder = folder("export-names");
    let file = trace(&folder, "a.json", 0);
    for name in ["e.csv", "e.html", "e.json.zst"] {
        let message = Printed::of(export(&folder.join(name)).arg(&file)).failure(1);
        assert!(message.contains("export writes .json, .json.gz, .pftrace and .pftrace.gz"), "{message}");
        assert!(!folder.join(name).exists());
    }
    let message = Printed::of(program().args(["report", "-o", "e.csv"]).current_dir(&folder).arg(&file)).failure(1);
    assert!(message.contains("e.csv: report writes .html"), "{message}");
    let given =
        export(&folder.join("e.txt")).args(["--format", "json"]).arg(&file).output().expect("the program starts");
    assert!(given.status.success() && folder.join("e.txt").exists());
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 2);
}

/// `-` is standard output, and as an input standard input.
#[test]
fn a_dash_is_a_standard_stream() {
    let folder = folder("export-dash");
    let file = trace(&folder, "a.json", 0);
    let output = folder.join("out.json");
    assert_eq!(Printed::of(export(&output).arg(&file)).code, Some(0));
    let run = |arguments: &[&str]| {
        let input = std::fs::File::open(&file).expect("the trace");
        Printed::of(program().current_dir(&folder).args(arguments).stdin(input))
    };
    let piped = run(&["export", "-o", "-", "a.json"]);
    assert_eq!(piped.code, Some(0), "{}", piped.err);
    assert!(piped.out.as_bytes() == std::fs::read(&output).expect("the export"), "the same bytes");
    assert!(piped.err.starts_with("standard output: ") && piped.err.contains(" slices, "), "{}", piped.err);
    let report = run(&["report", "-o", "-", "-"]);
    assert!(report.code == Some(0) && report.out.starts_with("<!doctype html>"), "{}", report.err);
    assert_eq!(run(&["report", "-o", "-", "--print-path", "a.json"]).code, Some(1));
    let summary = run(&["summary", "--json", "-"]);
    let summary: Value = serde_json::from_str(&summary.success()).expect("JSON");
    assert_eq!(summary["ranks"][0]["device_time"], device_time(&file));
    assert!(!folder.join("-").exists() && !folder.join("-.html").exists());
}
