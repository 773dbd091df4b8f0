//! Events, one by one: as JSON text, or as packets.

use std::io::{self, Write};
use std::sync::Arc;

use super::clocks::Clock;
use super::packets::Packets;
use super::thread_ids::ThreadIds;
use stepscope_analyze::IntervalSet;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::EventId;

/// Bytes collected before the sink gets them.
const PIECE: usize = 1 << 18;

/// Writes events.
pub(super) struct Out<'a> {
    sink: &'a mut dyn Write,
    text: Vec<u8>,
    clock: Clock,
    /// The range of time to write, in the trace's own times; all if none.
    span: Option<Interval>,
    /// The ranges of time in which written events start; anywhere if none.
    parts: Option<Arc<IntervalSet>>,
    any: bool,
    /// In Perfetto's own format, `text` has the event's further members.
    packets: Option<Box<Packets>>,
    /// Bytes that the sink took.
    sent: usize,
    /// Counts of what was written.
    pub(super) written: Written,
}

/// The state of an export between two [`Out`]s.
#[derive(Clone, Debug, Default)]
pub(super) struct Position {
    clock: Clock,
    span: Option<Interval>,
    parts: Option<Arc<IntervalSet>>,
    any: bool,
    /// Counts of what was written.
    pub(super) written: Written,
}

impl<'a> Out<'a> {
    pub(super) fn new(sink: &'a mut dyn Write) -> Self {
        Self {
            sink,
            text: Vec::with_capacity(PIECE + 4096),
            clock: Clock::default(),
            span: None,
            parts: None,
            any: false,
            packets: None,
            sent: 0,
            written: Written::default(),
        }
    }

    /// Continues an export whose text was written completely.
    pub(super) fn going_on(sink: &'a mut dyn Write, position: Position) -> Self {
        let Position { clock, span, parts, any, written } = position;
        Self { clock, span, parts, any, written, ..Self::new(sink) }
    }

    /// The state to continue with.
    pub(super) fn position(&self) -> Position {
        let Self { clock, span, any, written, .. } = *self;
        Position { clock, span, parts: self.parts.clone(), any, written }
    }

    /// The number of bytes written, pending ones included.
    pub(super) fn sent(&self) -> usize {
        self.sent + self.packets.as_ref().map_or(self.text.len(), |packets| packets.bytes.len())
    }

    /// Writes events as packets.
    pub(super) fn as_packets(sink: &'a mut dyn Write, packets: Box<Packets>) -> Self {
        Self { packets: Some(packets), ..Self::new(sink) }
    }

    /// Ends open slices and returns the packets for a second pass.
    pub(super) fn into_packets(mut self) -> io::Result<Option<Box<Packets>>> {
        if let Some(packets) = &mut self.packets {
            packets.finish();
        }
        self.flush()?;
        Ok(self.packets)
    }

    /// Sets the trace's slice of the event.
    pub(super) fn is_slice(&mut self, id: EventId) {
        if let Some(packets) = &mut self.packets {
            packets.is_slice(id);
        }
    }

    /// Whether flows are written as events of their own; if not, [`flow`](Self::flow) collects them.
    pub(super) fn has_flow_events(&self) -> bool {
        self.packets.is_none()
    }

    /// Collects a flow in the first pass; counts it.
    pub(super) fn flow(&mut self, from: (EventId, Interval), to: (EventId, Interval)) {
        if let Some(packets) = self.packets.as_mut().filter(|packets| packets.is_gathering()) {
            packets.flow(from, to);
        }
        self.written.flows += 1;
    }

    /// Whether text is outside of any event, so that packets have no use for it.
    fn is_aside(&self) -> bool {
        self.packets.as_ref().is_some_and(|packets| !packets.in_event())
    }

    /// Sets the clock of the following times, and the range of time to write.
    pub(super) fn rebase(&mut self, clock: Clock, span: Option<Interval>) {
        self.clock = clock;
        self.span = span;
        if let Some(packets) = &mut self.packets {
            packets.next_rank();
        }
    }

    /// Sets the ranges of time in which written events start; anywhere if none.
    pub(super) fn only_in(&mut self, parts: Option<Arc<IntervalSet>>) {
        self.parts = parts;
    }

    /// The ranges of time in which written events start; anywhere if none.
    pub(super) fn parts(&self) -> Option<&IntervalSet> {
        self.parts.as_deref()
    }

    /// Whether an event that starts then is within those ranges.
    pub(super) fn is_in_parts(&self, start: Nanos) -> bool {
        self.parts().is_none_or(|parts| parts.has(start))
    }

    /// The range of time to write; all if none.
    pub(super) fn span(&self) -> Option<Interval> {
        self.span
    }

    /// The part of an interval that is written; none outside of the range of time.
    pub(super) fn cut(&self, whole: Interval) -> Option<Interval> {
        let Some(span) = self.span else { return Some(whole) };
        let inside = whole.intersection(span);
        let has = |at: Nanos| span.start <= at && at < span.end;
        let is_there = if whole.is_empty() { has(whole.start) } else { !inside.is_empty() };
        is_there.then_some(inside)
    }

    /// Whether a point in time is written.
    pub(super) fn has(&self, at: Nanos) -> bool {
        self.span.is_none_or(|span| span.start <= at && at < span.end) && self.is_in_parts(at)
    }

    /// Writes the arguments of a cut slice: its original extent; a comma follows if `more` arguments do.
    pub(super) fn clipped(&mut self, whole: Interval, more: bool) {
        if self.cut(whole) != Some(whole) {
            self.raw("\"stepscope clipped\":true,\"stepscope start (ns)\":");
            let [start, end] = [whole.start, whole.end].map(|moment| self.clock.at(moment));
            self.number(start.0);
            self.raw(",\"stepscope length (ns)\":");
            self.number((end - start).0);
            self.raw(if more { "," } else { "" });
        }
    }

    pub(super) fn raw(&mut self, text: &str) {
        if !self.is_aside() {
            self.text.extend_from_slice(text.as_bytes());
        }
    }

    /// A string in quotes.
    pub(super) fn string(&mut self, text: &str) {
        if self.is_aside() {
            return;
        }
        // Writing a string to memory cannot fail.
        let _ = serde_json::to_writer(&mut self.text, text);
    }

    pub(super) fn number(&mut self, number: impl std::fmt::Display) {
        if !self.is_aside() {
            let _ = write!(self.text, "{number}");
        }
    }

    /// Begins an event with its phase, name and place.
    pub(super) fn begin(&mut self, phase: &str, name: &str, place: ThreadIds) {
        if let Some(packets) = &mut self.packets {
            self.text.clear();
            return packets.begin(phase, name, place);
        }
        self.raw(if self.any { ",\n{\"ph\":\"" } else { "\n{\"ph\":\"" });
        self.any = true;
        self.raw(phase);
        self.raw("\",\"name\":");
        self.string(name);
        let _ = write!(self.text, ",\"pid\":{},\"tid\":{}", place.process, place.thread);
    }

    pub(super) fn category(&mut self, category: &str) {
        if let Some(packets) = &mut self.packets {
            return packets.category(category);
        }
        self.raw(",\"cat\":");
        self.string(category);
    }

    /// Writes the time in µs with three decimals.
    pub(super) fn at(&mut self, at: Nanos) {
        let at = self.clock.at(at);
        if let Some(packets) = &mut self.packets {
            return packets.at(at);
        }
        self.raw(",\"ts\":");
        self.micros(at);
    }

    /// Writes the start and length.
    pub(super) fn lasts(&mut self, span: Interval) {
        self.at(span.start);
        let length = (self.clock.at(span.end) - self.clock.at(span.start)).max(Nanos::ZERO);
        if let Some(packets) = &mut self.packets {
            return packets.length(length);
        }
        self.raw(",\"dur\":");
        self.micros(length);
    }

    fn micros(&mut self, time: Nanos) {
        let nanos = time.0.max(0);
        let _ = write!(self.text, "{}.{:03}", nanos / 1000, nanos % 1000);
    }

    /// Ends an event without arguments.
    pub(super) fn end(&mut self) -> io::Result<()> {
        if let Some(packets) = &mut self.packets {
            // Members with commas before them make an object.
            self.text.push(b'}');
            match self.text.first_mut() {
                Some(first @ b',') => *first = b'{',
                _ => self.text.insert(0, b'{'),
            }
            packets.end(&self.text);
            self.text.clear();
            return if packets.bytes.len() >= PIECE { self.flush() } else { Ok(()) };
        }
        self.raw("}");
        if self.text.len() >= PIECE { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        if let Some(packets) = &mut self.packets {
            self.sink.write_all(&packets.bytes)?;
            self.sent += packets.bytes.len();
            packets.bytes.clear();
            return Ok(());
        }
        self.sink.write_all(&self.text)?;
        self.sent += self.text.len();
        self.text.clear();
        Ok(())
    }

    /// A name for a process or thread, or its place among the others.
    pub(super) fn metadata(&mut self, what: &str, place: ThreadIds, value: Metadata<'_>) -> io::Result<()> {
        if let Some(packets) = &mut self.packets {
            match value {
                Metadata::Name(name) => packets.name(name),
                Metadata::SortIndex(index) => packets.sort_index(place, index),
            }
            return Ok(());
        }
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

/// Metadata of a process or thread.
#[derive(Clone, Copy)]
pub(super) enum Metadata<'a> {
    Name(&'a str),
    SortIndex(i64),
}

/// Counts of what was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Slices (`X`).
    pub slices: u64,
    /// Marks (`i`), which Perfetto shows as slices without length.
    pub instants: u64,
    /// Flows: ends (`f`), each of which makes one flow with its start.
    pub flows: u64,
    /// Counter samples (`C`).
    pub samples: u64,
}
