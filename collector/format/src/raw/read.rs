//! Reads a raw recording: of a process that ended, was killed, or still runs.

use std::collections::HashMap;

use super::segment::{Content, HEAD_BYTES, Head, anchor, names, open_spans, record_words};
use super::{Anchor, Clock, HEADER_BYTES, HEADER_TAG, LARGEST_SEGMENT, SEGMENT_UNIT, VERSION, header, word};
use crate::{Damage, Kind, Record};

/// Bytes that can be read here and there.
pub trait Source {
    /// Length in bytes.
    fn len(&self) -> u64;
    /// Whether the length is 0.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Reads from a position into a buffer, up to the end; returns the number of bytes read.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn read_at(&mut self, position: u64, buffer: &mut [u8]) -> Result<usize, String>;
}

impl Source for &[u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&mut self, position: u64, buffer: &mut [u8]) -> Result<usize, String> {
        let rest = usize::try_from(position).ok().and_then(|at| self.get(at..)).unwrap_or_default();
        let read = rest.len().min(buffer.len());
        buffer[..read].copy_from_slice(&rest[..read]);
        Ok(read)
    }
}

/// Receives a recording's contents: all names and the header first, then records thread by thread in file order.
pub trait Sink {
    /// The header; called once, before all else.
    fn recording(&mut self, recording: &Recording);
    /// A name and its number.
    fn name(&mut self, number: u32, text: &[u8]);
    /// A record, in ns; one of kind [`Kind::Thread`] names the thread of the following ones.
    fn record(&mut self, record: &Record, position: u64);
    /// A damaged part that was left out.
    fn damage(&mut self, damage: Damage);
}

/// A recording's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The process.
    pub process: u32,
    /// The process that started it.
    pub parent: u32,
    /// Clock of the times.
    pub clock: Clock,
    /// When it began.
    pub begin: Anchor,
    /// When it was closed; zeros if it was not.
    pub end: Anchor,
    /// Whether the program closed it; if not, it was killed, left by `_exit`, or still runs.
    pub closed: bool,
    /// Records that were dropped because the disk was full.
    pub dropped: u64,
    /// Segments that were given up, because only the latest are kept.
    pub reused: u64,
    /// The recorder's facts about the process, such as its command.
    pub facts: Vec<(String, String)>,
    segment_bytes: usize,
}

impl Recording {
    /// The header in a file's first bytes.
    ///
    /// # Errors
    ///
    /// If it is not one, or of an unknown version.
    pub fn of(bytes: &[u8]) -> Result<Self, Damage> {
        let wrong = |index: usize, what| Damage { position: index as u64 * 8, what };
        if word(bytes, 0) != HEADER_TAG || bytes.len() < HEADER_BYTES {
            return Err(wrong(0, "expected the header of a raw recording"));
        }
        let version = word(bytes, header::VERSION);
        let segment_bytes = (version >> 32) as usize;
        if version as u32 != VERSION {
            return Err(wrong(header::VERSION, "expected version 1 of raw recordings"));
        }
        if !segment_bytes.is_multiple_of(SEGMENT_UNIT) || !(1..=LARGEST_SEGMENT).contains(&segment_bytes) {
            return Err(wrong(header::VERSION, "expected a segment's size: 16 KiB to 64 MiB"));
        }
        let (begin, end) = (anchor(bytes, header::BEGIN), anchor(bytes, header::END));
        let clock = match word(bytes, header::CLOCK) {
            0 => Clock::Monotonic,
            nominal => Clock::Counter { first: begin, last: end, nominal },
        };
        let process = word(bytes, header::PROCESS);
        let facts = bytes.get(header::FACTS * 8..HEADER_BYTES).unwrap_or_default();
        let len = usize::try_from(word(bytes, header::FACTS_LEN)).unwrap_or(usize::MAX);
        let mut texts = facts.get(..len).unwrap_or(facts).split(|byte| *byte == 0).map(String::from_utf8_lossy);
        let facts = std::iter::from_fn(|| Some((texts.next()?.into_owned(), texts.next()?.into_owned()))).collect();
        Ok(Self {
            process: process as u32,
            parent: (process >> 32) as u32,
            clock,
            begin,
            end,
            closed: word(bytes, header::CLOSED) == 1,
            dropped: word(bytes, header::DROPPED),
            reused: word(bytes, header::REUSED),
            facts,
            segment_bytes,
        })
    }

    /// A fact's value.
    #[must_use]
    pub fn fact(&self, key: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Offset to add to a time in ns to get ns since 1970, from both clocks at the beginning.
    #[must_use]
    pub fn unix_offset(&self) -> i64 {
        (self.begin.realtime as i64).wrapping_sub(self.begin.monotonic as i64)
    }
}

struct Reading<'a> {
    source: &'a mut dyn Source,
    recording: Recording,
    segment: Vec<u8>,
    /// Positions of the segments with content, by sequence.
    heads: Vec<(u64, Head)>,
}

/// Reads all of a recording.
///
/// Open spans come last, as records of kind [`Kind::Open`] that end when the recording was closed, else at its latest
/// time. A truncated file gives the records that are in it.
///
/// # Errors
///
/// If it is no recording, or its bytes cannot be read; all else is reported to [`Sink::damage`].
pub fn read(
    source: &mut dyn Source,
    sink: &mut dyn Sink,
    progress: &mut dyn FnMut(u64),
) -> Result<(), (Option<Damage>, String)> {
    let io = |message: String| (None, message);
    let mut bytes = vec![0; HEADER_BYTES];
    let read = source.read_at(0, &mut bytes).map_err(io)?;
    let recording = Recording::of(&bytes[..read]).map_err(|damage| (Some(damage.clone()), damage.to_string()))?;
    let segment = vec![0; recording.segment_bytes];
    let mut reading = Reading { source, recording, segment, heads: Vec::new() };
    reading.find_segments(sink).map_err(io)?;
    sink.recording(&reading.recording);
    reading.read_names(sink, progress).map_err(io)?;
    reading.read_records(sink, progress).map_err(io)
}

impl Reading<'_> {
    fn find_segments(&mut self, sink: &mut dyn Sink) -> Result<(), String> {
        let size = self.recording.segment_bytes;
        let mut position = HEADER_BYTES as u64;
        let mut head = [0; HEAD_BYTES];
        while position < self.source.len() {
            let read = self.source.read_at(position, &mut head)?;
            let there = usize::try_from(self.source.len() - position).unwrap_or(size).min(size);
            let found = Head::of(&head[..read], size);
            if found.damaged {
                sink.damage(Damage { position, what: "expected a segment's head" });
            }
            if there < size && found.content != Content::Unused {
                sink.damage(Damage { position: self.source.len(), what: "expected the rest of a segment" });
            }
            if matches!(found.content, Content::Records | Content::Names) {
                self.heads.push((position, found));
            }
            position += size as u64;
        }
        self.heads.sort_by_key(|(position, head)| (head.sequence, *position));
        if let Clock::Counter { last, .. } = &mut self.recording.clock {
            let anchors = self.heads.iter().map(|(_, head)| head.anchor).chain([*last]);
            *last = anchors.max_by_key(|anchor| anchor.monotonic).unwrap_or_default();
        }
        Ok(())
    }

    /// Fills the buffer with a segment's used bytes.
    fn load(&mut self, position: u64, head: &Head) -> Result<(), String> {
        let used = match head.content {
            Content::Names => HEAD_BYTES + head.committed,
            _ => (super::segment_word::RECORDS + head.committed * 4) * 8,
        };
        self.segment.resize(used.min(self.recording.segment_bytes), 0);
        let read = self.source.read_at(position, &mut self.segment)?;
        self.segment.truncate(read);
        Ok(())
    }

    fn read_names(&mut self, sink: &mut dyn Sink, progress: &mut dyn FnMut(u64)) -> Result<(), String> {
        let mut done = 0;
        for index in 0..self.heads.len() {
            let (position, head) = self.heads[index];
            if head.content == Content::Names {
                self.load(position, &head)?;
                for name in names(&self.segment, &head) {
                    match name {
                        Some((number, text)) => sink.name(number, text),
                        None => sink.damage(Damage { position, what: "expected a name's text" }),
                    }
                }
                done += self.segment.len() as u64;
                progress(done);
            }
        }
        Ok(())
    }

    fn read_records(&mut self, sink: &mut dyn Sink, progress: &mut dyn FnMut(u64)) -> Result<(), String> {
        let clock = self.recording.clock;
        let mut newest: HashMap<u64, (u64, Vec<(Record, u64)>)> = HashMap::new();
        // Closed at a time later than all of its records: until then its spans were open.
        let mut latest = if self.recording.closed { clock.nanos(self.recording.end.clock) } else { 0 };
        let mut threads: HashMap<u64, Record> = HashMap::new();
        let mut done = 0;
        for index in 0..self.heads.len() {
            let (position, head) = self.heads[index];
            if head.content != Content::Records {
                continue;
            }
            self.load(position, &head)?;
            latest = latest.max(clock.nanos(head.anchor.clock));
            for number in 0..head.committed {
                let at = super::segment_word::RECORDS + number * 4;
                let place = position + at as u64 * 8;
                if at * 8 + Record::BYTES > self.segment.len() {
                    break;
                }
                let record = Record::of_words(record_words(&self.segment, at)).map(|record| in_nanos(&record, &clock));
                match record.filter(Record::has_sane_times) {
                    Some(record) => {
                        if record.kind.has_time() {
                            latest = latest.max(record.end());
                        }
                        if record.kind == Kind::Thread {
                            threads.insert(record.value, record);
                        }
                        sink.record(&record, place);
                    }
                    None => sink.damage(Damage { position: place, what: "expected a record" }),
                }
            }
            let mut open = Vec::new();
            for span in open_spans(&self.segment, &head) {
                let span = span.filter(|span| span.kind == Kind::Span).map(|span| in_nanos(&span, &clock));
                match span.filter(Record::has_sane_times) {
                    Some(span) => open.push((span, position)),
                    None => sink.damage(Damage { position, what: "expected an open span" }),
                }
            }
            newest.insert(head.thread, (head.sequence, open));
            done += self.segment.len() as u64;
            progress(done);
        }
        let mut open: Vec<_> = newest.into_iter().filter(|(_, (_, open))| !open.is_empty()).collect();
        open.sort_by_key(|(thread, _)| *thread);
        latest = open.iter().flat_map(|(_, (_, open))| open).map(|(span, _)| span.at).fold(latest, u64::max);
        for (thread, (_, open)) in open {
            if let Some(record) = threads.get(&thread) {
                sink.record(record, open[0].1);
            }
            for (span, position) in open {
                sink.record(&Record { kind: Kind::Open, extent: latest - span.at, ..span }, position);
            }
        }
        Ok(())
    }
}

/// A record whose times are on a recording's clock, in ns.
fn in_nanos(record: &Record, clock: &Clock) -> Record {
    if !record.kind.has_time() {
        return *record;
    }
    let at = clock.nanos(record.at);
    let extent = if record.kind.lasts() { clock.nanos(record.end()) - at } else { record.extent };
    Record { at, extent, ..*record }
}
