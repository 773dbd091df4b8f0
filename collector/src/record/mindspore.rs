//! The options of MindSpore's profiler in `MS_PROFILER_OPTIONS`.

use serde_json::{Map, Value, json};

/// MindSpore's variable. It is read where [`VARIABLE`](super::VARIABLE) is not set, but not in a Python interpreter: MindSpore's own profiler
/// reads it there.
pub const MINDSPORE_VARIABLE: &str = "MS_PROFILER_OPTIONS";

/// A `timeline_limit` limits bytes alone; no recording lasts so long.
const LONG: f64 = 1e9;

/// Data that this recorder cannot record, and the tool that can.
const ELSEWHERE: [(&str, &str); 3] = [
    ("MindSpore's own profiler can", "aicore_metrics l2_cache hbm_ddr pcie parallel_strategy"),
    ("`stepscope record` samples the host", "profile_framework"),
    ("waits for batches are recorded, queues of MindSpore's pipeline are not", "data_process"),
];

/// All names that are MindSpore's alone.
const NAMES: [&str; 12] = [
    "output_path",
    "op_time",
    "profile_memory",
    "profile_communication",
    "aicore_metrics",
    "l2_cache",
    "hbm_ddr",
    "pcie",
    "timeline_limit",
    "data_process",
    "parallel_strategy",
    "profile_framework",
];

/// Replaces MindSpore's names in options by ours. Returns the options that are left out or have another meaning here,
/// and those that cannot be read.
pub(super) fn translate(said: &mut Map<String, Value>) -> (Vec<String>, Vec<String>) {
    let found: Map<String, Value> =
        NAMES.iter().filter_map(|name| said.remove(*name).map(|value| ((*name).to_owned(), value))).collect();
    let (mut notes, mut unknown) = (Vec::new(), Vec::new());
    let mut without = Vec::new();
    for (name, value) in &found {
        match (name.as_str(), value) {
            (_, Value::Null) => {}
            ("output_path", Value::String(path)) => drop(said.entry("output").or_insert_with(|| json!(path))),
            ("op_time", Value::Bool(false)) => without.push("cuda"),
            ("profile_memory", Value::Bool(false)) => without.push("memory"),
            // Collectives are kernels, which are recorded with all others.
            ("op_time" | "profile_memory" | "profile_communication", Value::Bool(_)) => {}
            ("timeline_limit", Value::Number(megabytes)) if megabytes.as_u64().is_some_and(|limit| limit > 0) => {
                let bytes = megabytes.as_u64().unwrap_or_default().saturating_mul(1 << 20);
                said.entry("keep").or_insert_with(|| json!({"seconds": LONG, "bytes": bytes}));
                notes.push(format!("timeline_limit: of a longer recording the latest {megabytes} MB are kept"));
            }
            ("l2_cache" | "hbm_ddr" | "pcie" | "parallel_strategy" | "data_process", Value::Bool(_))
            | ("profile_framework", Value::String(_))
            | ("aicore_metrics", Value::Number(_)) => {}
            _ => unknown.push(format!("{name}: {value}")),
        }
    }
    if !without.is_empty() {
        let all = ["nvtx", "cuda", "python", "memory"];
        let kept: Vec<&str> = all.into_iter().filter(|target| !without.contains(target)).collect();
        said.entry("targets").or_insert_with(|| json!(kept));
    }
    let asked = |name: &&str| match found.get(*name) {
        Some(Value::Bool(is_asked)) => *is_asked,
        Some(Value::Number(number)) => number.as_i64() != Some(-1),
        Some(Value::String(_)) => true,
        _ => false,
    };
    for (who, names) in ELSEWHERE {
        let names: Vec<&str> = names.split(' ').filter(asked).collect();
        if !names.is_empty() {
            notes.push(format!("not recorded: {} ({who})", names.join(", ")));
        }
    }
    unknown.sort();
    (notes, unknown)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use super::super::environment::EnvironmentOptions;
    use crate::Target;

    /// The document's own text, but for the path.
    const DOCUMENT: &str = r#"{"start": true, "output_path": "/XXX", "profile_memory": false,
        "profile_communication": false, "aicore_metrics": 0, "l2_cache": false}"#;

    #[test]
    fn options_of_mindspore_are_ours_by_other_names() -> io::Result<()> {
        let options = EnvironmentOptions::parse(DOCUMENT)?;
        assert!(options.start && options.wants(Target::Cuda) && !options.wants(Target::Memory));
        assert_eq!(options.output, Path::new("/XXX"));
        assert_eq!(options.notes, ["STEPSCOPE_OPTIONS: not recorded: aicore_metrics (MindSpore's own profiler can)"]);
        assert_eq!(options.told_of_unknown(), None);
        let all = r#"{"start":true,"op_time":false,"timeline_limit":20,"aicore_metrics":-1,"l2_cache":true,"hbm_ddr":true,
            "pcie":true,"data_process":true,"parallel_strategy":true,"profile_framework":"all","profile_memory":true,
            "profile_communication":true}"#;
        let options = EnvironmentOptions::parse(all)?;
        assert!(!options.wants(Target::Cuda) && options.wants(Target::Memory) && options.unknown.is_empty());
        assert_eq!(options.keep.map(|keep| keep.bytes), Some(20 << 20));
        let told = options.told().join("\n");
        for part in [
            "the latest 20 MB are kept",
            "not recorded: l2_cache, hbm_ddr, pcie, parallel_strategy (",
            "not recorded: profile_framework (",
            "not recorded: data_process (",
        ] {
            assert!(told.contains(part), "{told}");
        }
        Ok(())
    }

    #[test]
    fn own_names_come_first_and_what_is_wrong_is_told() -> io::Result<()> {
        let text = r#"{"output":"here","output_path":"there","keep":{"seconds":1,"bytes":2},"timeline_limit":7,
            "targets":["nvtx"],"op_time":false,"profile_framework":null,"l2_cache":"yes","data_process":3}"#;
        let options = EnvironmentOptions::parse(text)?;
        assert_eq!((options.output.as_path(), options.keep.map(|keep| keep.bytes)), (Path::new("here"), Some(2)));
        assert_eq!(options.targets, Some(vec![Target::Nvtx]));
        assert_eq!(options.unknown, ["data_process: 3", r#"l2_cache: "yes""#]);
        Ok(())
    }
}
