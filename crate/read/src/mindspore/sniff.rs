//! Recognition of MindSpore's timelines, by their first bytes.

use crate::{Head, Verdict};
use stepscope_base::RejectionReason;

/// Timelines are lists of events (never objects, as PyTorch's are) that have one of these texts.
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
    // The rows of steps and scopes of 2.0, whose hundreds of identical metadata come first. Their numbers alone are
    // not enough: threads have such ids.
    "\"tid\": 100000, \"ts\": 0, \"ph\": \"M\", \"cat\": \"__metadata\", \"args\": {\"sort_index\": -4}",
    "\"tid\": 100001, \"ts\": 0, \"ph\": \"M\", \"cat\": \"__metadata\", \"args\": {\"sort_index\": -3}",
];

pub(super) fn timeline(path: &str, head: Head<'_>) -> Verdict {
    // Any Chrome trace in that folder.
    if is_host_info(path) {
        if head.contains("\"ph\"") {
            return Verdict::Yes;
        }
        // Other formats must not depend on the size of the head.
        if !head.whole {
            return Verdict::NeedMore;
        }
    }
    match head.trimmed().first() {
        Some(b'[') => {}
        Some(b'{') => return Verdict::No(RejectionReason::ObjectNoTimeline),
        None if !head.whole => return Verdict::NeedMore,
        _ => return Verdict::No(RejectionReason::NotJson),
    }
    // Files of PyTorch's profiler on Ascend look the same otherwise; their sign may come last.
    if head.contains("\"cpu_op\"") {
        Verdict::No(RejectionReason::EventsOfPyTorch)
    } else if !head.whole {
        Verdict::NeedMore
    } else if head.contains("\"ph\"") && SIGNS.iter().any(|sign| head.contains(sign)) {
        Verdict::Yes
    } else {
        Verdict::No(RejectionReason::NothingOfMindSpore)
    }
}

/// Whether a path is that of the host's timeline.
pub(super) fn is_host_info(path: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(folder, file)| folder.ends_with("host_info") && file.starts_with("timeline_"))
}

/// The verdict on a file in the profiler's folder that no reader reads; none if it is unknown.
pub(super) fn beside(path: &str) -> Option<Verdict> {
    let mut parts = path.rsplit('/');
    let (file, folder, above) = (parts.next()?, parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let ending = file.rsplit('.').next().unwrap_or(file);
    let of_msprof = above == "host" || above.starts_with("device_") || above.starts_with("PROF_");
    Some(match () {
        () if ending == "done" => Verdict::Nothing(RejectionReason::MsprofDone),
        () if ending == "lock" => Verdict::Nothing(RejectionReason::Lock),
        () if ending == "log" && ["logs", "mindstudio_profiler_log"].contains(&folder) => {
            Verdict::Nothing(RejectionReason::Log)
        }
        () if file.starts_with("end_info") => Verdict::Nothing(RejectionReason::MsprofEnd),
        () if file.starts_with("cpu_framework_") => Verdict::Nothing(RejectionReason::ShapesWithoutTimes),
        () if ending == "db" && folder == "sqlite" && of_msprof => Verdict::Nothing(RejectionReason::MsprofDatabase),
        () if file.contains(".slice_") || (folder == "data" && of_msprof) => {
            Verdict::Unread(RejectionReason::MsprofRecords)
        }
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_file_tells() {
        let sniff = |text: &str, whole| timeline("", Head { bytes: text.as_bytes(), whole });
        let begun = r#"[{"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "CPU OP"#;
        assert_eq!(sniff(begun, true), Verdict::Yes);
        assert_eq!(sniff(begun, false), Verdict::NeedMore, "events of PyTorch may follow");
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
        // PyTorch's events there are recognized, whatever the size of the head.
        let begun = |whole| timeline("run/host_info/timeline_0.json", Head { bytes: br#"[{"cat": "cpu_op""#, whole });
        assert_eq!((begun(false), begun(true)), (Verdict::NeedMore, Verdict::No(RejectionReason::EventsOfPyTorch)));
        for path in ["a/start_info.0.done", "logs/profiler_1.log", "cpu_framework_0.txt", "PROF_1/host/sqlite/x.db"] {
            assert!(matches!(beside(path), Some(Verdict::Nothing(_))), "{path}");
        }
        for path in ["PROF_1/device_0/data/x.bin", "a/hwts.0.slice_3"] {
            assert!(matches!(beside(path), Some(Verdict::Unread(_))), "{path}");
        }
        for path in ["a/notes.txt", "data/train.csv", "train.log", "sqlite/x.db"] {
            assert_eq!(beside(path), None, "{path}");
        }
    }
}
