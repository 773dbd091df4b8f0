//! PaddlePaddle's profiler: its Chrome export (`.paddle_trace.json`) and its protobuf export (`.paddle_trace.pb`).
//!
//! Producer: `paddle.profiler.Profiler` with `export_chrome_tracing` or `export_protobuf`, of PaddlePaddle 2.3
//! to 3.3, on CPU and GPU. Up to 2.6 the index of the profiled span is called `span_indx`, later `span_index`;
//! nothing else tells the versions apart.
//!
//! Read: every slice with its category; operators' shapes, types and call stacks; runtime calls and the kernels,
//! copies and fills they launched, by correlation; memory events, each with the range that it happened in; names
//! of threads; devices; how busy the processors were. Not read: the flows `launch`, which say what the
//! correlation says; colours.
//!
//! What is odd about the Chrome export:
//! - Names end in their duration (`relu dygraph[1.035 ms]`), which is cut off. Names are not escaped.
//! - `ts` is cut to whole microseconds. Nesting is told by `args.start_time` and `args.end_time`, which count from
//!   the first event: these are the times, see `clock`.
//! - A thread is two rows, `123(Python)` and `123(C++)`, whose slices nest in each other: one thread here.
//! - A memory event follows the slice it belongs to, whatever the times say.
//! - The list of events ends with an empty object.
//!
//! A run exported both ways is one recording: the process and the first slice's start, in whole microseconds, are
//! the same in both, whatever the files are called. The protobuf export is read: its times are exact, and there is
//! nothing that only the Chrome export has.
//!
//! Source: the messages' descriptors embedded in the wheels of 2.6.2 and 3.3.1, and files of both; for GPUs the
//! exporter's source, since no file of one was at hand.

mod args;
mod category;
mod clock;
mod events;
mod facts;
mod keys;
mod protobuf;
mod twins;

use super::{Export, chrome};
use crate::reader::{About, Method, Reader};
use crate::{Head, Verdict};
use stepscope_base::RejectionReason;

/// What both exports hold.
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
            not_read: "printed summaries, timer_only text",
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
            not_read: "printed summaries, timer_only text",
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
