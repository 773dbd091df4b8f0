//! Whether a file is one of MindSpore's timelines, by its first bytes.

use crate::input::{Head, Verdict};

/// Timelines are lists of events (never objects, as PyTorch's are) in which one of these stands.
const SIGNS: [&str; 18] = [
    "\"Scope Layer",
    "\"CPU OP",
    "\"Host CPU OP\"",
    "\"HostCpuOps",
    "\"GpuOps\"",
    "\"AICPU OP\"",
    "\"Ascend Hardware\"",
    "\"Overlap Analysis\"",
    "\"Communication Kernel\"",
    "\"HCCL\"",
    "\"CANN\"",
    "\"Step Trace",
    "\"mindspore_to_npu\"",
    "\"scope_level\"",
    "\"op_full_name\"",
    "\"fullname\"",
    // The rows of steps and scopes of 2.0, whose hundreds of identical metadata come first. Their numbers alone
    // would not do: threads have such ids.
    "\"tid\": 100000, \"ts\": 0, \"ph\": \"M\", \"cat\": \"__metadata\", \"args\": {\"sort_index\": -4}",
    "\"tid\": 100001, \"ts\": 0, \"ph\": \"M\", \"cat\": \"__metadata\", \"args\": {\"sort_index\": -3}",
];

pub(super) fn timeline(path: &str, head: Head<'_>) -> Verdict {
    // Any Chrome trace, but for where it lies.
    if is_host_info(path) && head.contains("\"ph\"") {
        return Verdict::Yes;
    }
    match head.trimmed().first() {
        Some(b'[') => {}
        Some(b'{') => return Verdict::No("a JSON object, but its timelines are lists"),
        None if !head.whole => return Verdict::NeedMore,
        _ => return Verdict::No("it does not start like JSON"),
    }
    // What PyTorch's profiler writes on Ascend looks the same otherwise.
    if head.contains("\"cpu_op\"") {
        Verdict::No("a list of events, but they are PyTorch's")
    } else if head.contains("\"ph\"") && SIGNS.iter().any(|sign| head.contains(sign)) {
        Verdict::Yes
    } else if !head.whole {
        Verdict::NeedMore
    } else {
        Verdict::No("JSON without one of MindSpore's or msprof's rows in its beginning")
    }
}

/// Whether a path is that of the host's timeline.
pub(super) fn is_host_info(path: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(folder, file)| folder.ends_with("host_info") && file.starts_with("timeline_"))
}

/// Why a file of the profiler's folder adds nothing, by its path; nothing if it might.
pub(super) fn adds_nothing(path: &str) -> Option<&'static str> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let (folder, ending) = (folder.rsplit('/').next().unwrap_or(folder), file.rsplit('.').next().unwrap_or(file));
    match () {
        () if ending == "done" => Some("msprof's sign that it wrote another file whole"),
        () if file.contains(".slice_") || folder == "data" => {
            Some("msprof's raw records: export them with msprof first")
        }
        () if folder == "logs" || ending == "log" => Some("a log: what it says is not shown"),
        () if file.starts_with("end_info") => Some("when msprof stopped: not shown"),
        () if file.starts_with("cpu_framework_") => Some("shapes of operators' inputs without times: not shown"),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_file_tells() {
        let sniff = |text: &str, whole| timeline("", Head { bytes: text.as_bytes(), whole });
        assert_eq!(
            sniff(r#"[{"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "CPU OP"#, false),
            Verdict::Yes
        );
        assert_eq!(sniff(" \n", false), Verdict::NeedMore);
        assert_eq!(sniff("[{\"ph\": ", false), Verdict::NeedMore);
        for other in [
            r#"{"traceEvents": [{"ph": "X", "tid": "HostCpuOps0"}]}"#,
            r#"[{"ph": "X", "cat": "cpu_op"}, {"name": "Ascend Hardware"}]"#,
            r#"[{"ph": "X", "name": "f"}]"#,
            r#"[{"ph": "X", "name": "f", "pid": 9, "tid": 100000, "ts": 0.0, "dur": 5.0}]"#,
            r#"["HCCL"]"#,
            "op_name,stream",
        ] {
            assert!(matches!(sniff(other, true), Verdict::No(_)), "{other}");
        }
    }

    #[test]
    fn the_path_tells_apart_what_looks_alike_and_what_adds_nothing() {
        let head = Head { bytes: br#"[{"ph": "X", "name": "f"}]"#, whole: true };
        assert_eq!(timeline("run/host_info/timeline_0.json", head), Verdict::Yes);
        assert!(matches!(timeline("run/timeline_0.json", head), Verdict::No(_)));
        for path in ["a/start_info.0.done", "a/data/x.bin", "a/hwts.0.slice_3", "logs/x.txt", "cpu_framework_0.txt"] {
            assert!(adds_nothing(path).is_some(), "{path}");
        }
        assert!(adds_nothing("a/notes.txt").is_none());
    }
}
