//! Events as packets of Perfetto's own format: track events, with interned names and incremental timestamps.
//!
//! Packets of a sequence share interned names, and each timestamp is relative to the previous one. Time must not go
//! back within a sequence: an end is written when its time has come, and a row that starts earlier begins a new
//! sequence. Field numbers: `protos/perfetto/trace` in Perfetto's source.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use serde_json::{Map, Value};

use super::proto::{bytes, fixed, message, number};
use super::thread_ids::ThreadIds;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::EventId;

type FastMap<K, V> = HashMap<K, V, FxBuildHasher>;

/// Fields and values of a packet.
mod packet {
    pub(super) const PACKET: u32 = 1;
    pub(super) const CLOCK_SNAPSHOT: u32 = 6;
    pub(super) const TIMESTAMP: u32 = 8;
    pub(super) const SEQUENCE: u32 = 10;
    pub(super) const TRACK_EVENT: u32 = 11;
    pub(super) const INTERNED: u32 = 12;
    pub(super) const FLAGS: u32 = 13;
    pub(super) const CLOCK: u32 = 58;
    pub(super) const DEFAULTS: u32 = 59;
    pub(super) const TRACK: u32 = 60;
    pub(super) const BEGINS_ANEW: u64 = 1;
    pub(super) const CALLS_BY_NUMBER: u64 = 2;
}

/// Fields of a track event.
mod event {
    pub(super) const CATEGORY: u32 = 3;
    pub(super) const ARGUMENT: u32 = 4;
    pub(super) const TYPE: u32 = 9;
    pub(super) const NAME: u32 = 10;
    pub(super) const TRACK: u32 = 11;
    pub(super) const VALUE: u32 = 44;
    pub(super) const FLOW: u32 = 47;
    pub(super) const LAST_OF_FLOW: u32 = 48;
    pub(super) const BEGIN: u64 = 1;
    pub(super) const END: u64 = 2;
    pub(super) const INSTANT: u64 = 3;
    pub(super) const COUNTER: u64 = 4;
}

/// Kinds of interned texts: their fields in a packet's interned data.
const CATEGORIES: u32 = 1;
const NAMES: u32 = 2;
const ARGUMENT_NAMES: u32 = 3;

/// Clocks: the trace's, wall time, and a sequence's own clock of incremental timestamps.
const BOOT_CLOCK: u64 = 6;
const REAL_CLOCK: u64 = 1;
const DISTANCES: u64 = 64;

/// The first number of counter tracks; tracks of processes and threads use their ids.
const FIRST_COUNTER: u64 = 1 << 40;

/// The end of a flow at a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touch {
    Start,
    End,
    /// At the slice's end: the slice began before the flow.
    LateEnd,
}

/// An event under construction.
#[derive(Debug, Default)]
struct Event {
    phase: u8,
    name: String,
    category: String,
    place: Option<ThreadIds>,
    at: u64,
    length: u64,
    slice: Option<(u32, EventId)>,
}

/// A pending end: its time, its slice's number (slices that began later end first), its track, and the flows that end
/// there.
type End = (u64, Reverse<u64>, u64, Vec<u64>);

/// Writes packets.
#[derive(Debug, Default)]
pub(super) struct Packets {
    /// The packets that can be written.
    pub(super) bytes: Vec<u8>,
    /// Whether this pass only collects flows, which are written with their slices.
    gathering: bool,
    /// The trace's start in ns since 1970.
    start: Option<i64>,
    rank: u32,
    flows: u64,
    touches: FastMap<(u32, EventId), Vec<(u64, Touch)>>,
    event: Option<Event>,
    /// The name of a process or thread, until its sort index arrives.
    named: Option<String>,
    sequence: u64,
    last: u64,
    interned: FastMap<(u32, String), u64>,
    fresh: Vec<u8>,
    /// The earliest first.
    ends: BinaryHeap<Reverse<End>>,
    begun: u64,
    counters: FastMap<(u32, String), u64>,
    scratch: Vec<u8>,
}

impl Packets {
    /// Packets of a trace with a start time; the first pass collects flows only.
    pub(super) fn gather(start: Option<i64>) -> Self {
        Self { gathering: true, start, ..Self::default() }
    }

    /// Begins the second pass, which writes the same events.
    pub(super) fn write(&mut self) {
        (self.gathering, self.rank) = (false, 0);
    }

    pub(super) fn is_gathering(&self) -> bool {
        self.gathering
    }

    pub(super) fn next_rank(&mut self) {
        self.rank += 1;
    }

    /// Whether an event is under construction.
    pub(super) fn in_event(&self) -> bool {
        self.event.is_some()
    }

    pub(super) fn begin(&mut self, phase: &str, name: &str, place: ThreadIds) {
        let phase = phase.bytes().next().unwrap_or_default();
        self.event = Some(Event { phase, name: name.to_owned(), place: Some(place), ..Event::default() });
    }

    pub(super) fn category(&mut self, category: &str) {
        if let Some(event) = &mut self.event {
            category.clone_into(&mut event.category);
        }
    }

    pub(super) fn at(&mut self, at: Nanos) {
        if let Some(event) = &mut self.event {
            event.at = at.0.max(0).unsigned_abs();
        }
    }

    pub(super) fn length(&mut self, length: Nanos) {
        if let Some(event) = &mut self.event {
            event.length = length.0.max(0).unsigned_abs();
        }
    }

    /// Sets the trace's slice of the event.
    pub(super) fn is_slice(&mut self, id: EventId) {
        if let Some(event) = &mut self.event {
            event.slice = Some((self.rank, id));
        }
    }

    /// Collects a flow.
    pub(super) fn flow(&mut self, from: (EventId, Interval), to: (EventId, Interval)) {
        self.flows += 1;
        // Perfetto orders flows by time: one that ends before it starts would be lost.
        let late = to.1.start <= from.1.start && to.1.end > from.1.start;
        for (id, touch) in [(from.0, Touch::Start), (to.0, if late { Touch::LateEnd } else { Touch::End })] {
            self.touches.entry((self.rank, id)).or_default().push((self.flows, touch));
        }
    }

    /// Ends an event with its further members as JSON.
    pub(super) fn end(&mut self, members: &[u8]) {
        let Some(event) = self.event.take().filter(|_| !self.gathering) else { return };
        let Some(place) = event.place else { return };
        let arguments = match serde_json::from_slice(members) {
            Ok(Value::Object(mut members)) => match members.remove("args") {
                Some(Value::Object(arguments)) => arguments,
                _ => Map::new(),
            },
            _ => Map::new(),
        };
        self.go_to(event.at);
        match event.phase {
            b'X' | b'i' => self.slice(&event, place, &arguments),
            b'C' => arguments.iter().for_each(|(series, value)| self.sample(&event, place, series, value)),
            _ => {}
        }
    }

    fn slice(&mut self, event: &Event, place: ThreadIds, arguments: &Map<String, Value>) {
        let touches = event.slice.and_then(|slice| self.touches.get(&slice)).cloned().unwrap_or_default();
        let mut body = std::mem::take(&mut self.scratch);
        body.clear();
        let kind = if event.phase == b'X' { event::BEGIN } else { event::INSTANT };
        number(event::TYPE, kind, &mut body);
        number(event::TRACK, place.thread.into(), &mut body);
        number(event::NAME, self.intern(NAMES, &event.name), &mut body);
        if !event.category.is_empty() {
            number(event::CATEGORY, self.intern(CATEGORIES, &event.category), &mut body);
        }
        for (name, value) in arguments {
            let name = self.intern(ARGUMENT_NAMES, name);
            message(event::ARGUMENT, &mut body, |into| {
                number(1, name, into);
                argument(value, into);
            });
        }
        let of = |wanted: Touch| touches.iter().filter(move |(_, touch)| *touch == wanted).map(|(id, _)| *id);
        of(Touch::Start).for_each(|id| fixed(event::FLOW, id, &mut body));
        of(Touch::End).for_each(|id| fixed(event::LAST_OF_FLOW, id, &mut body));
        self.track_event(event.at, &body);
        self.scratch = body;
        if event.phase == b'X' {
            self.begun += 1;
            let end = (event.at + event.length, Reverse(self.begun), place.thread.into(), of(Touch::LateEnd).collect());
            self.ends.push(Reverse(end));
        }
    }

    fn sample(&mut self, event: &Event, place: ThreadIds, series: &str, value: &Value) {
        let Some(value) = value.as_f64() else { return };
        let name = if series.is_empty() { event.name.clone() } else { format!("{} {series}", event.name) };
        let next = FIRST_COUNTER + self.counters.len() as u64;
        let key = (place.process, name);
        let track = match self.counters.get(&key) {
            Some(track) => *track,
            None => {
                self.track(next, |into| {
                    bytes(2, key.1.as_bytes(), into);
                    number(5, place.process.into(), into);
                    message(8, into, |_| {});
                });
                self.counters.insert(key, next);
                next
            }
        };
        let mut body = Vec::new();
        number(event::TYPE, event::COUNTER, &mut body);
        number(event::TRACK, track, &mut body);
        fixed(event::VALUE, value.to_bits(), &mut body);
        self.track_event(event.at, &body);
    }

    /// Keeps the name of a process or thread until its sort index arrives.
    pub(super) fn name(&mut self, name: &str) {
        self.named = Some(name.to_owned());
    }

    /// Writes a process or thread with its name and sort index.
    pub(super) fn sort_index(&mut self, place: ThreadIds, index: i64) {
        let Some(name) = self.named.take().filter(|_| !self.gathering) else { return };
        let is_process = place.process == place.thread;
        self.track(place.thread.into(), |into| {
            let field = if is_process { 3 } else { 4 };
            message(field, into, |into| {
                number(1, place.process.into(), into);
                if is_process {
                    bytes(6, name.as_bytes(), into);
                } else {
                    number(2, place.thread.into(), into);
                    bytes(5, name.as_bytes(), into);
                }
                // As 32 bits, negative ones with all higher bits.
                let index = index.clamp(i32::MIN.into(), i32::MAX.into());
                number(3, index.cast_unsigned(), into);
            });
        });
    }

    /// Ends all that is still open.
    pub(super) fn finish(&mut self) {
        self.end_until(u64::MAX);
    }

    /// Advances to a time; an earlier one begins a new sequence.
    fn go_to(&mut self, at: u64) {
        if self.sequence == 0 || at < self.last {
            self.finish();
            self.begin_sequence();
        }
        self.end_until(at);
    }

    fn end_until(&mut self, at: u64) {
        while let Some(Reverse((end, ..))) = self.ends.peek() {
            if *end > at {
                break;
            }
            let Some(Reverse((end, _, track, flows))) = self.ends.pop() else { break };
            let mut body = Vec::new();
            number(event::TYPE, event::END, &mut body);
            number(event::TRACK, track, &mut body);
            flows.into_iter().for_each(|id| fixed(event::LAST_OF_FLOW, id, &mut body));
            self.track_event(end, &body);
        }
    }

    fn begin_sequence(&mut self) {
        self.sequence += 1;
        self.last = 0;
        self.interned.clear();
        let (sequence, start) = (self.sequence, self.start.take().filter(|start| *start > 0));
        message(packet::PACKET, &mut self.bytes, |into| {
            number(packet::SEQUENCE, sequence, into);
            number(packet::FLAGS, packet::BEGINS_ANEW, into);
            message(packet::DEFAULTS, into, |into| number(packet::CLOCK, DISTANCES, into));
            message(packet::CLOCK_SNAPSHOT, into, |into| {
                let mut clock = |id: u64, time: u64, distances: bool| {
                    message(1, into, |into| {
                        number(1, id, into);
                        number(2, time, into);
                        if distances {
                            number(3, 1, into);
                        }
                    });
                };
                clock(BOOT_CLOCK, 0, false);
                clock(DISTANCES, 0, true);
                if let Some(start) = start {
                    clock(REAL_CLOCK, start.unsigned_abs(), false);
                }
                number(2, BOOT_CLOCK, into);
            });
        });
    }

    /// Writes the description of a track.
    fn track(&mut self, id: u64, fill: impl FnOnce(&mut Vec<u8>)) {
        if self.sequence == 0 {
            self.begin_sequence();
        }
        let sequence = self.sequence;
        message(packet::PACKET, &mut self.bytes, |into| {
            number(packet::SEQUENCE, sequence, into);
            message(packet::TRACK, into, |into| {
                number(1, id, into);
                fill(into);
            });
        });
    }

    fn track_event(&mut self, at: u64, body: &[u8]) {
        let (distance, sequence) = (at - self.last, self.sequence);
        self.last = at;
        let fresh = std::mem::take(&mut self.fresh);
        message(packet::PACKET, &mut self.bytes, |into| {
            number(packet::TIMESTAMP, distance, into);
            number(packet::SEQUENCE, sequence, into);
            number(packet::FLAGS, packet::CALLS_BY_NUMBER, into);
            if !fresh.is_empty() {
                bytes(packet::INTERNED, &fresh, into);
            }
            bytes(packet::TRACK_EVENT, body, into);
        });
        self.fresh = fresh;
        self.fresh.clear();
    }

    /// The number of a text in this sequence; a new one is written with the next event.
    fn intern(&mut self, kind: u32, text: &str) -> u64 {
        let next = self.interned.len() as u64 + 1;
        let number_of = *self.interned.entry((kind, text.to_owned())).or_insert(next);
        if number_of == next {
            message(kind, &mut self.fresh, |into| {
                number(1, next, into);
                bytes(2, text.as_bytes(), into);
            });
        }
        number_of
    }
}

/// Appends an argument's value.
fn argument(value: &Value, into: &mut Vec<u8>) {
    match value {
        Value::Null => {}
        Value::Bool(value) => number(2, u64::from(*value), into),
        Value::Number(value) => match (value.as_i64(), value.as_u64(), value.as_f64()) {
            (Some(value), ..) => number(4, value.cast_unsigned(), into),
            (_, Some(value), _) => number(3, value, into),
            (_, _, value) => fixed(5, value.unwrap_or_default().to_bits(), into),
        },
        Value::String(text) => bytes(6, text.as_bytes(), into),
        Value::Array(values) => {
            for value in values {
                message(12, into, |into| argument(value, into));
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                message(11, into, |into| {
                    bytes(10, name.as_bytes(), into);
                    argument(value, into);
                });
            }
        }
    }
}
