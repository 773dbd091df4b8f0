//! PyTorch's profiler (libkineto), Chrome JSON.
//!
//! Producer: `torch.profiler`'s `export_chrome_trace` and `tensorboard_trace_handler`, of PyTorch 1.8 to
//! 2.15, on CUDA, ROCm, XPU, MTIA and CPU; also what other tools derived from such a file (a bare list
//! of events, other orders of keys, other spaces).
//!
//! Read: `X` slices of every category, with the arguments of operators (shapes, types, sequence numbers),
//! runtime calls, kernels, copies and collectives; `i` memory events and marks; `s`/`f` arrows (`ac2g`,
//! `async_cpu_to_gpu`, `fwdbwd`); `C` counters; `M` names; the members around the list.
//! Not read, but counted: other phases.
//!
//! Times are microseconds with at most three decimals, from `baseTimeNanoseconds` (since 2024) or from
//! 1970 (before). The category decides what an event is, never pid or tid: python functions can carry
//! pid 0, which is also the first device's.
//!
//! Source: libkineto's `output_json.cpp` and torch's `kineto_shim`; facts seen in real files.

mod args;
mod category;
mod events;
mod keys;
mod metadata;
mod own;

use self::events::Events;
use super::{Counts, Reader, Reading};
use crate::error::{Error, ErrorKind};
use crate::input::{Head, Verdict};
use crate::parse::{Document, Keys};
use crate::trace::Trace;
use crate::warn::Warnings;

/// The reader of PyTorch's traces.
pub(super) struct Kineto;

impl Reader for Kineto {
    fn id(&self) -> &'static str {
        "kineto"
    }

    fn title(&self) -> &'static str {
        "PyTorch profiler (Kineto JSON)"
    }

    fn sniff(&self, head: Head<'_>) -> Verdict {
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
            _ => return Verdict::No("it does not start like JSON"),
        }
        if SIGNS.iter().any(|sign| head.contains(sign)) {
            Verdict::Yes
        } else if !head.whole {
            Verdict::NeedMore
        } else if head.contains("\"traceEvents\"") || head.contains("\"ph\"") {
            Verdict::No("a Chrome trace, but nothing in its beginning is PyTorch's")
        } else {
            Verdict::No("JSON without a list of trace events in its beginning")
        }
    }

    fn start(&self) -> Box<dyn Reading> {
        Box::new(KinetoReading {
            document: Document::new("traceEvents", Keys::new(keys::WANTED)),
            events: Events::default(),
        })
    }
}

struct KinetoReading {
    document: Document,
    events: Events,
}

impl Reading for KinetoReading {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.document.space(len)
    }

    fn advance(&mut self, len: usize) -> Result<(), Error> {
        self.document.advance(len, &mut self.events);
        Ok(())
    }

    fn counts(&self) -> Counts {
        let builder = &self.events.builder;
        Counts { events: builder.meta.events, slices: builder.slices() as u64, activities: builder.activities() as u64 }
    }

    fn finish(mut self: Box<Self>, warnings: &mut Warnings) -> Result<Trace, Error> {
        self.document.finish(&mut self.events);
        let Events { mut builder, warnings: found, first_fault, own, .. } = self.events;
        if builder.meta.events == 0 {
            return Err(match first_fault {
                Some(fault) => Error::at(ErrorKind::Syntax { expected: fault.expected }, fault.position),
                None => Error::new(ErrorKind::NoEvents),
            });
        }
        warnings.merge(found);
        builder.meta.format = "kineto";
        "PyTorch".clone_into(&mut builder.meta.framework);
        own.apply(&mut builder, warnings);
        builder.finish(warnings)
    }
}

#[cfg(test)]
mod tests;
