//! PyTorch's profiler (libkineto), Chrome JSON.
//!
//! Producer: `torch.profiler`'s `export_chrome_trace` and `tensorboard_trace_handler`, of PyTorch 1.8 to 2.15, on
//! CUDA, ROCm, XPU, MTIA and CPU. Files that other tools derived from these are read, too (a bare list of events,
//! another order of keys, other spaces).
//!
//! Read:
//! - `X` slices of every category, with the arguments of operators (shapes, types, sequence numbers), runtime calls,
//!   kernels, copies and collectives;
//! - `i` memory events and instant events; `C` counters; `M` names;
//! - `s`/`f` flows (`ac2g`, `async_cpu_to_gpu`, `fwdbwd`);
//! - `B`/`E` and asynchronous events, as in every Chrome trace;
//! - the members around the list.
//!
//! Times are microseconds with at most three decimals, from `baseTimeNanoseconds` (since 2024) or from
//! 1970 (before). The category decides what an event is, never pid or tid: python functions can carry
//! pid 0, which is also the first device's.
//!
//! Source: libkineto's `output_json.cpp` and torch's `kineto_shim`; facts seen in real files.

mod args;
mod category;
mod events;
mod hardware_counters;
mod keys;
mod metadata;

use super::chrome;
use crate::reader::{About, Apart, Method, Reader};
use crate::{Head, Verdict};
use stepscope_base::RejectionReason;

/// The reader of PyTorch's traces.
pub(super) struct Kineto;

impl Reader for Kineto {
    fn id(&self) -> &'static str {
        "kineto"
    }

    fn about(&self) -> About {
        About {
            title: "PyTorch profiler (Kineto JSON)",
            versions: "PyTorch 1.8 to 2.15: CUDA, ROCm, XPU, MTIA, CPU",
            read: "operators with shapes and stacks, runtime calls, kernels, copies, collectives, memory, steps, \
                   flows, counters, devices, ranks",
            not_read: "execution traces, memory snapshots",
        }
    }

    fn sniff(&self, _path: &str, head: Head<'_>) -> Verdict {
        const SIGNS: [&str; 12] = [
            "\"deviceProperties\"",
            "\"cpu_op\"",
            "\"External id\"",
            "\"Ev Idx\"",
            "\"ProfilerStep#",
            "\"cuda_runtime\"",
            "\"gpu_memcpy\"",
            "\"python_function\"",
            "\"baseTimeNanoseconds\"",
            "\"user_annotation\"",
            "\"distributedInfo\"",
            "\"cpu_instant_event\"",
        ];
        match head.trimmed().first() {
            Some(b'{' | b'[') => {}
            None if !head.whole => return Verdict::NeedMore,
            _ => return Verdict::No(RejectionReason::NotJson),
        }
        if SIGNS.iter().any(|sign| head.contains(sign)) {
            Verdict::Yes
        } else if !head.whole {
            Verdict::NeedMore
        } else if head.contains("\"traceEvents\"") || head.contains("\"ph\"") {
            Verdict::No(RejectionReason::NothingOfPyTorch)
        } else {
            Verdict::No(RejectionReason::NoTraceEvents)
        }
    }

    fn has_json_events(&self) -> bool {
        true
    }

    fn method(&self) -> Method {
        Method::Stream(chrome::start::<events::Kineto>)
    }

    fn apart(&self) -> Option<Apart> {
        Some(chrome::start_apart::<events::Kineto>)
    }
}

/// The reader of this tool's exports, which use Kineto's names for all producers' traces.
pub(super) struct Exported;

impl Reader for Exported {
    fn id(&self) -> &'static str {
        "stepscope_export"
    }

    fn about(&self) -> About {
        About {
            title: "Stepscope export (Perfetto JSON)",
            versions: "1",
            read: "all that an export carries, with the same numbers",
            not_read: "tables that profilers wrote",
        }
    }

    fn sniff(&self, _path: &str, head: Head<'_>) -> Verdict {
        const BEGIN: &[u8] = b"{\n\"schemaVersion\":1,\n\"displayTimeUnit\":\"ms\",\n\"stepscope_export\":{";
        if head.bytes.starts_with(BEGIN) {
            Verdict::Yes
        } else if BEGIN.starts_with(head.bytes) && !head.whole {
            Verdict::NeedMore
        } else {
            Verdict::No(RejectionReason::NoStepscopeExport)
        }
    }

    fn has_json_events(&self) -> bool {
        true
    }

    fn method(&self) -> Method {
        Method::Stream(chrome::start::<events::Kineto>)
    }

    fn apart(&self) -> Option<Apart> {
        Some(chrome::start_apart::<events::Kineto>)
    }
}

#[cfg(test)]
mod tests;
