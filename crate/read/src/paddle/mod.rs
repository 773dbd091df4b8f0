//! PaddlePaddle's profiler: its Chrome export (`.paddle_trace.json`) and its protobuf export (`.paddle_trace.pb`).
//!
//! Producer: `paddle.profiler.Profiler` with `export_chrome_tracing` or `export_protobuf`, of PaddlePaddle 2.3 to
//! 3.3, on CPU and GPU. The index of the profiled span is `span_indx` up to 2.6, later `span_index`; versions do not
//! differ otherwise.
//!
//! Read:
//! - every slice with its category; operators' shapes, types and call stacks;
//! - runtime calls, and kernels, memcpys and memsets launched by them, by correlation;
//! - memory events, each with its range;
//! - names of threads; devices; the load of the processors.
//!
//! Not read: the flows `launch`, which repeat the correlation; colors.
//!
//! Oddities of the Chrome export:
//! - Names end in their duration (`relu dygraph[1.035 ms]`), which is cut off. Names are not escaped.
//! - `ts` is cut to whole microseconds. `args.start_time` and `args.end_time`, which count from the first event,
//!   keep the nesting: these are the times, see `clock`.
//! - A thread has two rows, `123(Python)` and `123(C++)`, whose slices nest in each other: one thread here.
//! - A memory event follows the slice it belongs to, whatever the times say.
//! - The list of events ends with an empty object.
//!
//! A run exported both ways is one recording: the process and the first slice's start in whole microseconds are
//! equal, whatever the files' names. The protobuf export is read: its times are exact, and the Chrome export has
//! nothing more.
//!
//! Source: the messages' descriptors embedded in the wheels of 2.6.2 and 3.3.1, and files of both. For GPUs it is the
//! exporter's source, since no such file was available.

mod args;
mod category;
mod clock;
mod events;
mod facts;
mod keys;
mod perf_summary;
mod protobuf;
mod twins;

pub use self::perf_summary::PerfSummary;
pub(super) use self::perf_summary::PerfSummaryLog;
use super::{Export, chrome};
use crate::reader::{About, Method, Reader};
use crate::{Head, Verdict};
use stepscope_base::RejectionReason;

/// The content of both exports.
const READ: &str = "operators with shapes and stacks, ranges, runtime calls, kernels, copies, memory, steps and \
                    phases, devices, threads";

/// The reader of the Chrome export.
pub(super) struct Paddle;

impl Reader for Paddle {
    fn id(&self) -> &'static str {
        "paddle"
    }

    fn about(&self) -> About {
        About {
            title: "PaddlePaddle profiler (Chrome JSON)",
            versions: "PaddlePaddle 2.3 to 3.3: CPU, GPU",
            read: READ,
            not_read: "printed summaries, except a Perf Summary",
        }
    }

    fn sniff(&self, _path: &str, head: Head<'_>) -> Verdict {
        const SPAN: [&str; 2] = ["\"span_index\"", "\"span_indx\""];
        const EVENT: [&str; 3] = ["\"start_time\"", "\"end_time\"", "\"cname\""];
        match head.trimmed().first() {
            Some(b'{' | b'[') => {}
            None if !head.whole => return Verdict::NeedMore,
            _ => return Verdict::No(RejectionReason::NotJson),
        }
        if SPAN.iter().any(|sign| head.contains(sign)) || EVENT.iter().all(|sign| head.contains(sign)) {
            Verdict::Yes
        } else if !head.whole {
            Verdict::NeedMore
        } else {
            Verdict::No(RejectionReason::NothingOfPaddle)
        }
    }

    fn has_json_events(&self) -> bool {
        true
    }

    fn method(&self) -> Method {
        Method::Stream(chrome::start::<events::Paddle>)
    }

    fn export_of(&self, path: &str, head: Head<'_>) -> Export {
        twins::export(path, twins::first_slice(head.bytes), 1)
    }
}

/// The reader of the protobuf export.
pub(super) struct PaddleProtobuf;

impl Reader for PaddleProtobuf {
    fn id(&self) -> &'static str {
        "paddle_protobuf"
    }

    fn about(&self) -> About {
        About {
            title: "PaddlePaddle profiler (protobuf)",
            versions: "PaddlePaddle 2.3 to 3.3: CPU, GPU",
            read: READ,
            not_read: "printed summaries, except a Perf Summary",
        }
    }

    fn sniff(&self, _path: &str, head: Head<'_>) -> Verdict {
        protobuf::sniff(head)
    }

    fn method(&self) -> Method {
        Method::Stream(protobuf::start)
    }

    fn export_of(&self, path: &str, head: Head<'_>) -> Export {
        twins::export(path, protobuf::first_slice(head.bytes), 0)
    }
}

#[cfg(test)]
mod tests;
