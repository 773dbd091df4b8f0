//! Any Chrome trace (Perfetto's JSON): the reader of files that no other reader accepts.
//!
//! Producers seen: JAX 0.10 (`*.trace.json.gz`, `perfetto_trace.json.gz`), xprof's `trace_viewer.json` of JAX and
//! TensorFlow 2.21, `VizTracer` 1.1, Node 20 (`--trace-events-enabled`), V8's own; others write the same format.
//!
//! Read: all phases, as in [`chrome`]. Slices have no class, except by signs of these producers:
//!
//! - JAX and TensorFlow, through xprof: no categories. `step_num` marks a step, `hlo_op` or `long_name`
//!   an operator that the host ran, `$file.py:1 f` a Python function; `correlation_id` a call of the driver, and
//!   [`stepscope_trace::is_xla_wait`] one that waits for a device; all else on the host is an annotation.
//!   Device planes (from XLA's source and its `XPlane` files of GPUs; no such JSON was seen): see [`device`].
//! - `VizTracer`: `fee` is a Python function, `FEE` an entry logged by the user. Children come before their
//!   parents; after an overflow of its ring buffer, callers are lost.
//! - Node and V8: categories are kept; sampled stacks become slices, which are estimates.
//!
//! JAX writes a host's trace twice into one folder, and xprof once more. `host.trace.json.gz`, which always exists,
//! is read, not `perfetto_trace.json.gz` or `host.trace_viewer.json`.
//!
//! Not read: other arguments, `sf` and `stack` of slices, the operating system's events (`systemTraceEvents`), memory
//! dumps. Times are microseconds, whatever `displayTimeUnit` says.
//!
//! Source: Google's "Trace Event Format", XLA's `xplane_schema.cc` and `cupti_collector.cc`, facts seen in files.

mod device;
mod events;
mod keys;
mod perfetto;
mod producer;

use super::{Export, chrome};
use crate::reader::{About, Apart, Method, Reader};
use crate::unread;
use crate::{Head, Verdict};
use stepscope_base::RejectionReason;

/// The reader of any Chrome trace.
pub(super) struct AnyChromeTrace;

impl Reader for AnyChromeTrace {
    fn id(&self) -> &'static str {
        "chrome"
    }

    fn about(&self) -> About {
        About {
            title: "Any Chrome trace (Perfetto JSON)",
            versions: "JAX, TensorFlow (xprof), VizTracer, Node.js, V8, and whatever writes this format",
            read: "slices of every phase, asynchronous operations, flows, instant events, counters, sampled stacks, steps \
                   (JAX), device streams (JAX; from the source)",
            not_read: "most arguments, memory dumps, the operating system's events",
        }
    }

    fn sniff(&self, path: &str, head: Head<'_>) -> Verdict {
        match unread::reason(path, head) {
            // The same folder has the same trace as a Chrome trace.
            Some(reason @ RejectionReason::XPlane) => return Verdict::Nothing(reason),
            Some(reason) => return Verdict::Unread(reason),
            None => {}
        }
        match head.trimmed().first() {
            Some(b'{' | b'[') => {}
            None if !head.whole => return Verdict::NeedMore,
            _ if perfetto::is_packets(head.bytes) => return Verdict::Unread(RejectionReason::PerfettoPackets),
            _ => return Verdict::No(RejectionReason::NotJson),
        }
        if head.contains("\"traceEvents\"") || has_phase(head.bytes) {
            Verdict::Yes
        } else if head.whole {
            Verdict::No(RejectionReason::NoTraceEvents)
        } else {
            Verdict::NeedMore
        }
    }

    fn has_json_events(&self) -> bool {
        true
    }

    fn method(&self) -> Method {
        Method::Stream(chrome::start::<events::Generic>)
    }

    fn apart(&self) -> Option<Apart> {
        Some(chrome::start_apart::<events::Generic>)
    }

    fn export_of(&self, path: &str, head: Head<'_>) -> Export {
        producer::xprof_export(path, head).unwrap_or_else(|| Export::only(self.id(), path))
    }
}

/// Whether some object has a phase: a `ph` that is one letter.
fn has_phase(bytes: &[u8]) -> bool {
    const KEY: &[u8] = b"\"ph\"";
    let letter = |at: usize| {
        let rest = bytes[at + KEY.len()..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        Some(rest.first() == Some(&b'"') && rest.get(2) == Some(&b'"'))
    };
    let keys = bytes.windows(KEY.len()).enumerate().filter(|(_, window)| *window == KEY);
    keys.take(1000).any(|(at, _)| letter(at).unwrap_or_default())
}

#[cfg(test)]
mod tests;
