//! Whether a file is one of MindSpore's timelines, by its first bytes.

use crate::input::{Head, Verdict};
use crate::refusal::Refusal;

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
    // The rows of steps and scopes of 2.0, whose hundreds of identical metadata come first.
    "\"tid\": 100000,",
    "\"tid\": 100001,",
];

pub(super) fn timeline(path: &str, head: Head<'_>) -> Verdict {
    // Any Chrome trace, but for where it lies.
    if is_host_info(path) && head.contains("\"ph\"") {
        return Verdict::Yes;
    }
    match head.trimmed().first() {
        Some(b'[') => {}
        Some(b'{') => return Verdict::No(Refusal::ObjectNoTimeline),
        None if !head.whole => return Verdict::NeedMore,
        _ => return Verdict::No(Refusal::NotJson),
    }
    // What PyTorch's profiler writes on Ascend looks the same otherwise.
    if head.contains("\"cpu_op\"") {
        Verdict::No(Refusal::EventsOfPyTorch)
    } else if head.contains("\"ph\"") && SIGNS.iter().any(|sign| head.contains(sign)) {
        Verdict::Yes
    } else if !head.whole {
        Verdict::NeedMore
    } else {
        Verdict::No(Refusal::NothingOfMindSpore)
    }
}

/// Whether a path is that of the host's timeline.
pub(super) fn is_host_info(path: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(folder, file)| folder.ends_with("host_info") && file.starts_with("timeline_"))
}

/// Why a file of the profiler's folder adds nothing, by its path; nothing if it might.
pub(super) fn adds_nothing(path: &str) -> Option<Refusal> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let (folder, ending) = (folder.rsplit('/').next().unwrap_or(folder), file.rsplit('.').next().unwrap_or(file));
    match () {
        () if ending == "done" => Some(Refusal::MsprofDone),
        () if file.contains(".slice_") || folder == "data" => Some(Refusal::MsprofRecords),
        () if folder == "logs" || ending == "log" => Some(Refusal::Log),
        () if file.starts_with("end_info") => Some(Refusal::MsprofEnd),
        () if file.starts_with("cpu_framework_") => Some(Refusal::ShapesWithoutTimes),
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
