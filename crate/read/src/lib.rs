//! Readers, one per producer. A reader parses its producer's text and adds events to the model through
//! [`TraceBuilder`](stepscope_trace::TraceBuilder).
//!
//! To add one: a file or folder here, a line in [`READERS`], a folder of fixtures.

mod chrome;
mod clip;
mod cupti;
mod event_place;
mod generic;
mod head;
mod kineto;
mod mindspore;
mod mindspore_tables;
mod native;
mod nsys;
mod nvprof;
mod nvvp;
mod paddle;
mod reader;
mod recordings;
mod stacks;
mod unread;
mod v8_cpuprofile;

pub use crate::mindspore::devices::folder as folder_of;
pub use crate::reader::{
    About, Apart, Counts, Finished, Method, RandomRead, ReadText, Reader, Reading, RunPart, ShardReading,
};
use clip::clip;
pub use event_place::{EventPlace, event_place, has_json_events};
pub use head::{ENOUGH, Head, Verdict};
pub use paddle::PerfSummary;
pub use recordings::{Export, Life, Windows, WindowsKind};

/// All readers, in the order of format detection.
///
/// This example reads one kernel in PyTorch's format, with its launching call and the operator around that:
///
/// ```
/// use stepscope::Loader;
///
/// let text = br#"{"deviceProperties": [], "baseTimeNanoseconds": 1000000000000000000, "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":2.5,"dur":5},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":15,"args":{"device":0,"stream":7,"correlation":9}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let kernel = &trace.activities[0];
/// assert_eq!(trace.name_of(kernel.event), "gemm");
/// assert_eq!(kernel.operator.get().map(|operator| trace.name_of(operator)), Some("aten::mm"));
/// assert_eq!(trace.slices.start(kernel.event).0, 7_500); // ns from the trace's start, which is at 2.5 µs
/// assert_eq!(trace.meta.origin_unix_ns, Some(1_000_000_000_000_002_500));
/// # Ok::<(), stepscope::Error>(())
/// ```
pub const READERS: &[&dyn Reader] = &[
    &native::Compact,
    &native::Raw,
    &kineto::Exported,
    &mindspore::Timelines,
    &mindspore::Raw,
    &mindspore_tables::MindSporeTables,
    &paddle::Paddle,
    &paddle::PaddleProtobuf,
    &kineto::Kineto,
    &nsys::Nsys,
    &nvvp::Nvvp,
    &nvprof::Nvprof,
    &v8_cpuprofile::V8CpuProfile,
    &paddle::PerfSummaryLog,
    // The last: it accepts files that no other reader does.
    &generic::AnyChromeTrace,
];
