//! Chrome's trace event format: the parts that all producers share.
//!
//! A producer's reader is a [`Dialect`], which interprets its categories, names and arguments. Phases, times, ids,
//! names of processes and threads, counters, flows and the lanes of this tool's exports are read here:
//!
//! | phase | becomes |
//! | --- | --- |
//! | `X`, `B`/`E` | a slice of a thread, interpreted by the dialect |
//! | `b`/`e`, `S`/`F`, `N`/`D` | an operation or an object's life: a slice of no thread, by category, name and id |
//! | `i`, `I`, `R`, `n`, `T`, `p`, `O` | an instant event |
//! | `s`, `t`, `f` | points of a flow; `f` binds to the next slice unless `bp` is `e` |
//! | `C` | values of a counter's series |
//! | `M` | names and the order of processes and threads |
//! | `P`, and the members `samples` and `stackFrames` | call stacks, as slices from one sample to the next |
//! | `c`, `(`, `)`, `=`, `v`, `V` | a warning only |
//!
//! An id is a number, a text, or an `id2`; `local` ids in it are private to their process.
//!
//! Source: Google's "Trace Event Format" document, and the files of the producers that FORMATS lists.

pub(super) mod args;
pub(super) mod event;
mod events;
mod ids;
pub(super) mod keys;
mod naming;
mod own;
mod pairs;
mod samples;
mod shard;
mod skipped;

use std::marker::PhantomData;

pub(super) use self::event::{Core, Dialect, Event};
pub(super) use self::events::COMPUTED;
use self::events::Events;
pub(super) use self::shard::start_apart;
use crate::reader::{Counts, Finished, Reading};
use stepscope_base::{Error, ErrorKind};
use stepscope_parse::{Document, Keys};
use stepscope_trace::TraceBuilder;

/// The member that holds the list of events.
const LIST: &str = "traceEvents";

/// Starts to read a file in a dialect.
pub(super) fn start<D: Dialect + 'static>(builder: TraceBuilder) -> Box<dyn Reading> {
    Box::new(ChromeReading::<D> {
        document: Document::new(LIST, Keys::new(D::WANTED)),
        events: Events::new(builder),
        dialect: PhantomData,
    })
}

struct ChromeReading<D> {
    document: Document,
    events: Events<D>,
    dialect: PhantomData<D>,
}

impl<D: Dialect> Reading for ChromeReading<D> {
    fn space(&mut self, len: usize) -> &mut [u8] {
        self.document.space(len)
    }

    fn advance(&mut self, len: usize) -> Result<(), Error> {
        self.document.advance(len, &mut self.events);
        Ok(())
    }

    fn stop_at(&mut self, byte: u64) {
        self.document.stop_at(byte, &mut self.events);
    }

    fn stopped(&self) -> Option<u64> {
        self.document.stopped()
    }

    fn next_byte(&self) -> u64 {
        self.document.next_byte()
    }

    fn join(&mut self, next: &mut dyn FnMut(&mut Vec<u8>) -> bool, stop: u64) -> bool {
        self.join_piece(next, stop)
    }

    fn counts(&self) -> Counts {
        Counts::of(&self.events.core.builder)
    }

    fn finish(mut self: Box<Self>) -> Finished {
        self.document.finish(&mut self.events);
        let Events { mut core, dialect, own, first_fault, seen, .. } = self.events.ended();
        let error = (seen == 0).then(|| match first_fault {
            Some(fault) => Error::at(ErrorKind::Syntax { expected: fault.expected }, fault.position),
            None => Error::new(ErrorKind::NoEvents),
        });
        if error.is_none() {
            dialect.finish(&mut core);
            own.apply(&mut core.builder, &mut core.warnings);
        }
        Finished { builder: core.builder, warnings: core.warnings, error }
    }
}
