//! Files of known tools that are not read: the error then has a hint.

use crate::Head;
use stepscope_base::RejectionReason;

/// The signs of a tool's files: their first bytes, or their names.
struct Known {
    reason: RejectionReason,
    /// The first bytes.
    begins: &'static [u8],
    /// Text within the first part; empty if none is needed.
    holds: &'static str,
    /// The beginning and the end of the name; empty for any.
    named: [&'static str; 2],
}

const SQLITE: &[u8] = b"SQLite format 3\0";

const KNOWN: [Known; 16] = [
    Known { reason: RejectionReason::RocpdDatabase, begins: SQLITE, holds: "rocpd_", named: ["", ""] },
    // Its list of tables may not be on the first page.
    Known { reason: RejectionReason::RocpdDatabase, begins: SQLITE, holds: "", named: ["", "_results.db"] },
    Known { reason: RejectionReason::AscendDatabase, begins: SQLITE, holds: "CANN_API", named: ["", ""] },
    Known { reason: RejectionReason::AscendDatabase, begins: SQLITE, holds: "StepTraceTime", named: ["", ""] },
    Known {
        reason: RejectionReason::AscendDatabase,
        begins: SQLITE,
        holds: "",
        named: ["ascend_pytorch_profiler", ".db"],
    },
    Known {
        reason: RejectionReason::AscendDatabase,
        begins: SQLITE,
        holds: "",
        named: ["ascend_mindspore_profiler", ".db"],
    },
    Known { reason: RejectionReason::AscendDatabase, begins: SQLITE, holds: "", named: ["msprof_", ".db"] },
    Known { reason: RejectionReason::XPlane, begins: b"", holds: "", named: ["", ".xplane.pb"] },
    Known { reason: RejectionReason::NsightCompute, begins: b"NVR", holds: "", named: ["", ""] },
    Known { reason: RejectionReason::RocprofJson, begins: b"{", holds: "rocprofiler-sdk", named: ["", ""] },
    // Pickle's protocols 2 to 5; segments or traces come first.
    Known { reason: RejectionReason::MemorySnapshot, begins: b"\x80", holds: "device_traces", named: ["", ""] },
    Known { reason: RejectionReason::MemorySnapshot, begins: b"\x80", holds: "segments", named: ["", ""] },
    Known {
        reason: RejectionReason::Speedscope,
        begins: b"{",
        holds: "speedscope.app/file-format-schema",
        named: ["", ""],
    },
    Known { reason: RejectionReason::ExecutionTrace, begins: b"{", holds: "-chakra.", named: ["", ""] },
    // Kineto's traces have process groups, too, but not their states.
    Known { reason: RejectionReason::FlightRecorder, begins: b"{", holds: "\"pg_status\"", named: ["", ""] },
    Known { reason: RejectionReason::FlightRecorder, begins: b"\x80", holds: "pg_config", named: ["", ""] },
];

/// The reason why a file of a known tool is not read; none for other files.
pub(crate) fn reason(path: &str, head: Head<'_>) -> Option<RejectionReason> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let file = file.strip_suffix(".gz").unwrap_or(file);
    let is_it = |known: &&Known| {
        let [begin, end] = known.named;
        head.bytes.starts_with(known.begins)
            && file.starts_with(begin)
            && file.ends_with(end)
            && (known.holds.is_empty() || head.contains(known.holds))
    };
    KNOWN.iter().find(is_it).map(|known| known.reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_known_tools() {
        let of = |path: &str, bytes: &[u8]| reason(path, Head { bytes, whole: true });
        let rocpd = b"SQLite format 3\0...CREATE TABLE \"rocpd_kernel_dispatch\"";
        assert_eq!(of("a.db", rocpd), Some(RejectionReason::RocpdDatabase));
        assert_eq!(of("host/12_results.db", SQLITE), Some(RejectionReason::RocpdDatabase));
        assert_eq!(of("other.db", SQLITE), None);
        let tables = b"SQLite format 3\0...CREATE TABLE CANN_API (startNs INTEGER)";
        assert_eq!(of("a.db", tables), Some(RejectionReason::AscendDatabase));
        assert_eq!(of("out/ascend_pytorch_profiler_0.db", SQLITE), Some(RejectionReason::AscendDatabase));
        assert_eq!(of("host.xplane.pb", b"\x0a\x20"), Some(RejectionReason::XPlane));
        assert_eq!(of("a.ncu-rep", b"NVR\0"), Some(RejectionReason::NsightCompute));
        assert_eq!(of("snapshot.pickle", b"\x80\x04\x95..segments"), Some(RejectionReason::MemorySnapshot));
        assert_eq!(of("model.pickle", b"\x80\x04\x95..weights"), None);
        assert_eq!(of("b.pickle", b"\x80\x04\x95..device_traces"), Some(RejectionReason::MemorySnapshot));
        assert_eq!(of("host.xplane.pb.gz", b"\x0a\x20"), Some(RejectionReason::XPlane));
        assert_eq!(of("r.json", br#"{"rocprofiler-sdk-tool":[{}]}"#), Some(RejectionReason::RocprofJson));
        let speedscope = br#"{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[]}"#;
        assert_eq!(of("a.speedscope.json", speedscope), Some(RejectionReason::Speedscope));
        let chakra = br#"{"schema": "1.1.1-chakra.0.0.4", "pid": 7, "nodes": [{"id": 2}]}"#;
        assert_eq!(of("et.json", chakra), Some(RejectionReason::ExecutionTrace));
        let dump = br#"{"version": "2.10", "pg_config": {}, "pg_status": {}, "entries": []}"#;
        assert_eq!(of("nccl_trace_rank_0.json", dump), Some(RejectionReason::FlightRecorder));
        assert_eq!(
            of("nccl_trace_rank_0", b"\x80\x02}q\0(X\x07version..pg_config"),
            Some(RejectionReason::FlightRecorder)
        );
        assert_eq!(of("trace.json", br#"{"distributedInfo":{"pg_config":[]},"traceEvents":[]}"#), None);
    }
}
