//! JSON text, event by event.

use std::io::{self, Write};

use super::Written;
use crate::units::Nanos;

/// Bytes collected before the sink gets them.
const PIECE: usize = 1 << 18;

/// Writes events.
pub(super) struct Out<'a> {
    sink: &'a mut dyn Write,
    text: Vec<u8>,
    shift: Nanos,
    any: bool,
    /// What was written so far.
    pub(super) written: Written,
}

/// The process and thread an event belongs to, as the export numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) process: u32,
    pub(super) thread: u32,
}

impl<'a> Out<'a> {
    pub(super) fn new(sink: &'a mut dyn Write) -> Self {
        Self {
            sink,
            text: Vec::with_capacity(PIECE + 4096),
            shift: Nanos::ZERO,
            any: false,
            written: Written::default(),
        }
    }

    /// Says what to add to all times from here on.
    pub(super) fn rebase(&mut self, shift: Nanos) {
        self.shift = shift;
    }

    pub(super) fn raw(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    /// A string in quotes.
    pub(super) fn string(&mut self, text: &str) {
        // Writing a string to memory cannot fail.
        let _ = serde_json::to_writer(&mut self.text, text);
    }

    pub(super) fn number(&mut self, number: impl std::fmt::Display) {
        let _ = write!(self.text, "{number}");
    }

    /// Begins an event with its phase, name and place.
    pub(super) fn begin(&mut self, phase: &str, name: &str, place: Place) {
        self.raw(if self.any { ",\n{\"ph\":\"" } else { "\n{\"ph\":\"" });
        self.any = true;
        self.raw(phase);
        self.raw("\",\"name\":");
        self.string(name);
        let _ = write!(self.text, ",\"pid\":{},\"tid\":{}", place.process, place.thread);
    }

    pub(super) fn category(&mut self, category: &str) {
        self.raw(",\"cat\":");
        self.string(category);
    }

    /// When it is, in µs with three decimals.
    pub(super) fn at(&mut self, at: Nanos) {
        self.raw(",\"ts\":");
        self.micros(at + self.shift);
    }

    pub(super) fn length(&mut self, length: Nanos) {
        self.raw(",\"dur\":");
        self.micros(length);
    }

    fn micros(&mut self, time: Nanos) {
        let nanos = time.0.max(0);
        let _ = write!(self.text, "{}.{:03}", nanos / 1000, nanos % 1000);
    }

    /// Ends an event without arguments.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.raw("}");
        if self.text.len() >= PIECE { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.sink.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }

    /// A name for a process or thread, or its place among the others.
    pub(super) fn metadata(&mut self, what: &str, place: Place, value: Metadata<'_>) -> io::Result<()> {
        self.begin("M", what, place);
        self.raw(",\"args\":{");
        match value {
            Metadata::Name(name) => {
                self.raw("\"name\":");
                self.string(name);
            }
            Metadata::SortIndex(index) => {
                self.raw("\"sort_index\":");
                self.number(index);
            }
        }
        self.raw("}");
        self.end()
    }
}

/// What is told of a process or thread.
#[derive(Clone, Copy)]
pub(super) enum Metadata<'a> {
    Name(&'a str),
    SortIndex(i64),
}
