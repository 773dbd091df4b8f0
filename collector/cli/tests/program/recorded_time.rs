//! Words for traces without marked steps.

use std::path::{Path, PathBuf};

use serde_json::Value;
use stepscope_tests::files::root;

use crate::support::{Printed, folder, program};

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(read) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    found
}

/// In a trace without marked steps, no sentence says that it is about a step.
#[test]
fn recorded_time_is_not_called_a_step() {
    const OF_STEPS: [&str; 9] = [
        "of the step",
        "per step",
        "one step",
        "One step",
        "the step would",
        "of this step",
        "of a step",
        "of the steps:",
        "Steps by",
    ];
    // This rule is about the steps in the profiler's own tables.
    const OF_TABLES: &str = "data_processing";
    const IN_CHINESE: [&str; 4] = ["每步", "步损失", "步的 ", "一步。"];
    let fixtures = root().join("tests/fixtures");
    let (mut seen, mut wrong) = (0, Vec::new());
    for format in entries(&fixtures) {
        for case in entries(&format).into_iter().filter(|case| case.join("expected/summary.json").exists()) {
            let expected = std::fs::read_to_string(case.join("expected/summary.json")).expect("a golden file");
            let expected: Value = serde_json::from_str(&expected).expect("JSON");
            let ranks = expected["ranks"].as_array().expect("ranks");
            if ranks.is_empty() || ranks.iter().any(|rank| rank["step_source"] != "whole_trace") {
                continue;
            }
            let input = entries(&case)
                .into_iter()
                .find(|path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"input")));
            let input = input.expect("each case has an input");
            for table in ["", "budget", "advice", "steps", "phases", "critical"] {
                let by: &[&str] = if table.is_empty() { &[] } else { &["--by", table] };
                let text = Printed::of(program().arg("summary").args(by).arg(&input)).success();
                for words in OF_STEPS {
                    let lines = text.lines().filter(|line| line.contains(words) && !line.starts_with(OF_TABLES));
                    wrong.extend(lines.map(|line| format!("{}, --by {table:?}: {line}", case.display())));
                }
            }
            let out = folder("recorded_time").join("report.md");
            for (language, unwanted) in [("en", &OF_STEPS[..]), ("zh", &IN_CHINESE[..])] {
                let written =
                    Printed::of(program().args(["report", "--language", language, "-o"]).arg(&out).arg(&input));
                assert_eq!(written.code, Some(0), "{}", written.err);
                let text = std::fs::read_to_string(&out).expect("a report");
                for words in unwanted {
                    let lines = text.lines().filter(|line| line.contains(words));
                    wrong.extend(lines.map(|line| format!("{}, report in {language}: {line}", case.display())));
                }
            }
            seen += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 20, "{seen} fixtures mark no steps");
}
