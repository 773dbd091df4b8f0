//! `--range`: a part of the time, printed and exported.

use serde_json::Value;

use crate::support::{Printed, folder, program, trace};

fn json(arguments: &[&str], file: &std::path::Path) -> Value {
    let text = Printed::of(program().args(["summary", "--json"]).args(arguments).arg(file)).success();
    serde_json::from_str(&text).expect("--json prints JSON")
}

#[test]
fn a_steps_range_has_the_steps_times() {
    let folder = folder("range");
    let file = trace(&folder, "a.json", 0);
    let summary = json(&[], &file);
    for step in summary["ranks"][0]["steps"].as_array().expect("steps") {
        let name = format!("step:{}", step["name"].as_str().expect("a name"));
        let found = json(&["--range", &name], &file);
        assert_eq!(found["schema"], "stepscope.range/1");
        let range = &found["ranks"][0];
        assert_eq!(range["device_time"], step["device_time"]);
        assert_eq!(range["categories"], step["categories"]);
        assert_eq!((&range["start_ns"], &range["end_ns"]), (&step["start_ns"], &step["end_ns"]));
        let times = format!("{}ns..{}ns", step["start_ns"], step["end_ns"]);
        assert_eq!(&json(&["--range", &times], &file)["ranks"][0], range);
    }
    let whole = json(&["--range", ".."], &file);
    assert_eq!(whole["ranks"][0]["slices"]["count"], summary["inputs"][0]["slices"]);
}

#[test]
fn tables_of_a_range_and_of_two() {
    let folder = folder("range-text");
    let file = trace(&folder, "a.json", 0);
    let print = |arguments: &[&str]| {
        Printed::of(program().arg("summary").env("COLUMNS", "200").args(arguments).arg(&file)).success()
    };
    let first = json(&[], &file)["ranks"][0]["steps"][0]["name"].as_str().expect("a name").to_owned();
    let step = format!("step:{first}");
    let text = print(&["--range", &step]);
    for title in
        ["range ", "Device time, of the range", "Categories", "Slices by name", "Slices by track", "Host threads"]
    {
        assert!(text.contains(title), "{title} is missing in {text}");
    }
    let text = print(&["--range", &step, "--compare-range", ".."]);
    assert!(text.contains("compared with") && text.contains("the largest change first"), "{text}");
    let compared = json(&["--range", &step, "--compare-range", &step], &file);
    let changes = compared["ranks"][0]["changes"].as_array().expect("changes");
    assert!(!changes.is_empty() && changes.iter().all(|row| row["sum_ns"]["change"] == 0));
}

#[test]
fn an_export_of_a_range_reads_back_to_its_device_time() {
    let folder = folder("range-export");
    let file = trace(&folder, "a.json", 0);
    let steps = json(&[], &file)["ranks"][0]["steps"].clone();
    let name = format!("step:{}", steps[1]["name"].as_str().expect("a name"));
    let output = folder.join("part.json");
    let mut export = program();
    export.args(["export", "--range", &name, "-o"]).arg(&output).arg(&file);
    assert_eq!(Printed::of(&mut export).code, Some(0));
    let written: Value = serde_json::from_slice(&std::fs::read(&output).expect("the export")).expect("JSON");
    let range = &json(&["--range", &name], &file)["ranks"][0];
    let events = written["traceEvents"].as_array().expect("events");
    let own = events.iter().filter(|event| event["ph"] == "X" && event["cat"] != "stepscope");
    assert_eq!(own.clone().count() as u64, range["slices"]["count"].as_u64().expect("a count"));
    let cut = own.filter(|event| event["args"]["stepscope clipped"] == true).count();
    let reaching =
        range["slices"]["count"].as_u64().zip(range["slices"]["begun"].as_u64()).map(|(all, begun)| all - begun);
    assert!(cut as u64 >= reaching.expect("counts"), "what began before is cut");
    let parts = |found: &Value| {
        ["busy_ns", "compute_ns", "communication_ns", "memcpy_ns", "overlap_ns", "exposed_communication_ns"]
            .map(|key| found["device_time"][0][key].clone())
    };
    assert_eq!(parts(&json(&[], &output)["ranks"][0]), parts(range));
}

#[test]
fn ranges_that_are_none_are_refused() {
    let folder = folder("range-wrong");
    let file = trace(&folder, "a.json", 0);
    let with = |range: &str| {
        let mut command = program();
        command.args(["summary", "--range", range]).arg(&file);
        Printed::of(&mut command)
    };
    for (range, told) in [("5ms..2ms", "ends before"), ("5..7", "no time such as"), ("12ms", "neither FROM..TO")] {
        let message = with(range).failure(2);
        assert!(message.contains(told), "{message}");
    }
    assert!(with("step:none such").failure(1).contains("no step `none such`"));
    assert!(with("999s..1000s").failure(1).contains("outside"));
    let alone = Printed::of(program().args(["summary", "--compare-range", ".."]).arg(&file)).failure(2);
    assert!(alone.contains("--range"), "{alone}");
}
