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
    // The rows of steps and scopes of 2.0, whose hundreds of identical metadata come first.
    "\"tid\": 100000,",
    "\"tid\": 100001,",
];

pub(super) fn timeline(head: Head<'_>) -> Verdict {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_file_tells() {
        let sniff = |text: &str, whole| timeline(Head { bytes: text.as_bytes(), whole });
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
}
