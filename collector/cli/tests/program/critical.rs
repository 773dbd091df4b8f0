//! `stepscope summary --by critical` and `--what-if`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use stepscope_tests::generator::{Difference, Program, ProgramSpec, Waits};

use crate::support::{Printed, folder, program};

fn written(folder: &Path) -> (PathBuf, Program) {
    let spec = ProgramSpec {
        seed: 5,
        steps: 4,
        operators: 12,
        host: 4_000,
        kernel: 30_000,
        collective: 150_000,
        communicating: 30,
        data_wait: 400_000,
        waits: Waits::Stream,
        backward_thread: true,
        tells_waits: true,
        shapes: false,
    };
    let (path, program) = (folder.join("program.json"), Program::new(spec));
    fs::write(&path, program.trace()).expect("a file");
    (path, program)
}

fn summary(path: &Path) -> Command {
    let mut command = program();
    command.arg("summary").arg(path);
    command
}

#[test]
fn paths_as_tables_and_as_json_add_up() {
    let folder = folder("critical");
    let (path, program) = written(&folder);
    let text = Printed::of(summary(&path).args(["--by", "critical", "--top", "0"])).success();
    for expected in
        ["Critical path of a step, on average of 3", "Critical paths by name", "Critical paths of the steps"]
    {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
    assert!(!text.contains("Device time"), "{text}");
    let json = Printed::of(summary(&path).args(["--by", "critical", "--json"])).success();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let found = &json["ranks"][0]["critical_path"];
    let steps = found["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 4);
    for (step, (start, end)) in steps.iter().zip(program.steps(Difference::Nothing)) {
        let classes = step["classes"].as_object().expect("classes").values().filter_map(Value::as_i64);
        assert_eq!((step["length_ns"].as_i64(), classes.sum::<i64>()), (Some(end - start), end - start));
    }
    assert!(found["classes"]["data_loading_ns"].as_i64() > Some(200_000), "{found}");
}

#[test]
fn what_would_be_is_said() {
    let folder = folder("what-if");
    let (path, program) = written(&folder);
    let changes = ["overlap", "data", "launches", "kernel=ampere*:4"];
    let asked = || changes.iter().flat_map(|change| ["--what-if", change]);
    let text = Printed::of(summary(&path).args(asked())).success();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        (lines[0], lines.len()),
        ("What if, on average of the steps; delays of unknown cause stay", 2 + changes.len()),
        "{text}"
    );
    let json: Value =
        serde_json::from_str(&Printed::of(summary(&path).args(asked()).arg("--json")).success()).expect("JSON");
    let found = json["ranks"][0]["what_if"].as_array().expect("a list");
    assert!(json["ranks"][0]["critical_path"].is_null());
    let differences = [Difference::Overlap, Difference::Data, Difference::Launches, Difference::Kernel(4.0)];
    for (found, difference) in found.iter().zip(differences) {
        // The sum of all steps: the mean leaves out the first one, whose wait for data is long.
        let truth: i64 = program.steps(difference).iter().map(|(start, end)| end - start).sum();
        let steps = found["steps"].as_array().expect("steps").iter();
        let predicted: i64 = steps.filter_map(|step| step["new_length_ns"].as_i64()).sum();
        assert!((predicted - truth).abs() * 50 <= truth, "{difference:?}: {predicted} instead of {truth}");
        let of = |key: &str| found[key].as_i64().expect("a time");
        assert_eq!(of("gain_ns_per_step"), of("step_ns") - of("new_step_ns"));
        assert!(of("gain_ns_per_step") > 0, "{found}");
    }
    assert_eq!((&found[3]["change"], &found[3]["kernel"]), (&"kernel".into(), &"ampere*".into()));
}

#[test]
fn changes_of_nothing_are_refused() {
    let folder = folder("what-if-refused");
    let (path, _) = written(&folder);
    let unknown = Printed::of(summary(&path).args(["--what-if", "kernel=gemmm:2"])).failure(1);
    assert!(unknown.contains("no kernel is called gemmm"), "{unknown}");
    for wrong in ["magic", "nothing", "kernel=gemm", "kernel=gemm:0", "kernel=gemm:fast"] {
        let refused = Printed::of(summary(&path).args(["--what-if", wrong])).failure(2);
        assert!(refused.contains("kernel=NAME:K"), "{refused}");
    }
}
