//! The work of a thread per event.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use stepscope_format::raw::{self, Anchor, OPEN_SPANS, header, record_head, segment_capacity, segment_word};
use stepscope_format::{Category, Kind, OF_MARK, Record};

use super::file::put_record;
use super::segment::Owner;
use super::state::{self, generation};
use super::system;
use super::writer::{WRITER, Writer, exclusive};

/// Names that a thread remembers.
const MOST_REMEMBERED: usize = 4096;

/// After so many events without room on the disk, a thread tries again.
const PATIENCE: u32 = 4096;

/// An open span: its depth and recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    generation: u32,
    depth: u32,
}

impl Open {
    /// None.
    pub(crate) const NONE: Self = Self { generation: 0, depth: 0 };

    /// Its recording and its depth.
    #[inline]
    pub(super) fn parts(self) -> (u32, u32) {
        (self.generation, self.depth)
    }

    /// The one of these parts.
    #[inline]
    pub(super) fn of_parts(generation: u32, depth: u32) -> Self {
        Self { generation, depth }
    }
}

/// Runs something on this thread's writer, attached to the running recording. Nothing runs where the recorder calls
/// itself (from an allocator, say), or at a thread's very end.
#[inline]
fn with<T>(generation: u32, run: impl FnOnce(&mut Writer) -> T) -> Option<T> {
    let run = |writer: &RefCell<Writer>| {
        let mut writer = writer.try_borrow_mut().ok()?;
        if writer.generation != generation {
            writer.attach(generation);
        }
        Some(run(&mut writer))
    };
    WRITER.try_with(run).ok().flatten()
}

/// Opens a span on this thread.
#[inline]
pub(crate) fn begin(name: u32, category: Category, value: u64) -> Open {
    begin_here(name, category, value).0
}

/// As [`begin`]; with this thread's serial number.
#[inline]
pub(crate) fn begin_here(name: u32, category: Category, value: u64) -> (Open, u64) {
    let generation = generation();
    if generation == 0 {
        return (Open::NONE, 0);
    }
    let begin = |writer: &mut Writer| (writer.begin(name, category, value), writer.owner.serial);
    with(generation, begin).unwrap_or((Open::NONE, 0))
}

/// The recording that this thread wrote into last, and its serial number there.
#[inline]
pub(crate) fn here() -> Option<(u32, u64)> {
    let parts = |writer: &Writer| (writer.generation, writer.owner.serial);
    WRITER.try_with(|writer| writer.try_borrow().ok().map(|writer| parts(&writer))).ok().flatten()
}

/// Runs something on this thread's writer, whatever its recording, unless `open` is none.
#[inline]
fn with_span(open: Open, run: impl FnOnce(&mut Writer)) {
    if open.generation != 0 {
        let run = |writer: &RefCell<Writer>| {
            if let Ok(mut writer) = writer.try_borrow_mut() {
                run(&mut writer);
            }
        };
        let _ = WRITER.try_with(run);
    }
}

/// Closes a span; does nothing if it is not open on this thread.
#[inline]
pub(crate) fn end(open: Open) {
    with_span(open, |writer| writer.end(open));
}

/// Closes the innermost span of that name that is open on this thread; whether there was one.
#[inline]
pub(crate) fn end_named(name: u32) -> bool {
    let end = |writer: &RefCell<Writer>| {
        let mut writer = writer.try_borrow_mut().ok()?;
        let (generation, depth) = (writer.generation, writer.innermost(name)?);
        writer.end(Open { generation, depth });
        Some(())
    };
    WRITER.try_with(end).ok().flatten().is_some()
}

/// Forgets a span, if it is the innermost one; else closes it.
pub(crate) fn discard(open: Open) {
    with_span(open, |writer| {
        if !writer.discard(open) {
            writer.end(open);
        }
    });
}

/// Closes the innermost span that is open on this thread; whether there was one.
pub(crate) fn end_innermost() -> bool {
    let generation = generation();
    let end = |writer: &mut Writer| {
        let depth = writer.depth.checked_sub(1)?;
        writer.end(Open { generation, depth });
        Some(())
    };
    generation != 0 && with(generation, end).flatten().is_some()
}

/// Changes the value of an open span.
pub(crate) fn set_value(open: Open, value: u64) {
    with_span(open, |writer| writer.set_value(open, value));
}

/// Gives an open span an argument.
pub(crate) fn argument(open: Open, key: u32, value: [u64; 2]) {
    with_span(open, |writer| writer.argument(open, key, value));
}

/// Gives the innermost span that is open on this thread an argument.
pub(crate) fn argument_of_innermost(key: u32, value: [u64; 2]) {
    let generation = generation();
    if generation != 0 {
        with(generation, |writer| {
            if let Some(depth) = writer.depth.checked_sub(1) {
                writer.argument(Open { generation, depth }, key, value);
            }
        });
    }
}

/// A recorded instant event: its time and recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    generation: u32,
    at: u64,
}

impl Moment {
    /// None.
    pub(crate) const NONE: Self = Self { generation: 0, at: 0 };
}

/// Records an instant event that may have arguments.
#[inline]
pub(crate) fn mark(name: u32, value: u64) -> Moment {
    let generation = generation();
    if generation == 0 {
        return Moment::NONE;
    }
    let put = |writer: &mut Writer| {
        let at = writer.clock.now();
        writer.commit(&[record_head(Kind::Mark, Category::General, 0, name), at, 0, value]);
        Moment { generation, at }
    };
    with(generation, put).unwrap_or(Moment::NONE)
}

/// Adds an argument to the latest instant event of this thread.
pub(crate) fn argument_of_mark(mark: Moment, key: u32, [kind, value]: [u64; 2]) {
    if mark.generation != 0 && mark.generation == generation() {
        with(mark.generation, |writer| {
            writer.commit(&[record_head(Kind::Argument, Category::General, OF_MARK, key), mark.at, kind, value]);
        });
    }
}

/// Records an event.
#[inline]
pub(crate) fn event(kind: Kind, category: Category, aux: u16, name: u32, extent: u64, value: u64) {
    let generation = generation();
    if generation != 0 {
        with(generation, |writer| {
            let now = writer.clock.now();
            writer.commit(&[record_head(kind, category, aux, name), now, extent, value]);
        });
    }
}

/// Records a group of records with times of their own, in ns of `CLOCK_MONOTONIC`: readers get all or none of them, one
/// right after the other.
pub(crate) fn group(records: &[Record]) {
    let generation = generation();
    if generation != 0 {
        with(generation, |writer| writer.commit_group(records));
    }
}

/// Names this thread from now on.
pub(crate) fn name_thread(name: u32) {
    let generation = generation();
    if generation != 0 {
        with(generation, |writer| {
            writer.owner.name = name;
            let head = record_head(Kind::Thread, Category::General, 0, name);
            writer.commit(&[head, writer.clock.now(), writer.owner.id, writer.owner.serial]);
        });
    }
}

/// The number of a name that stays known for ever; `None` if the recorder is called from within itself.
pub(crate) fn lasting_name(text: &str) -> Option<u32> {
    exclusive(|| state::with(|global| global.name(text, true).number))
}

/// The number of a name that is made while the program runs.
pub(crate) fn dynamic_name(text: &str) -> u32 {
    let in_writer = |writer: &RefCell<Writer>| {
        let mut writer = writer.try_borrow_mut().ok()?;
        let names = writer.remembered.get_or_insert_default();
        if let Some(number) = names.get(text) {
            return Some(*number);
        }
        let numbered = state::with(|global| global.name(text, false));
        if numbered.known {
            if names.len() >= MOST_REMEMBERED {
                names.clear();
            }
            names.insert(text.into(), numbered.number);
        }
        Some(numbered.number)
    };
    WRITER.try_with(in_writer).ok().flatten().unwrap_or_default()
}

impl Writer {
    /// Joins a recording, with a segment of its own if there is room.
    #[cold]
    fn attach(&mut self, generation: u32) {
        self.detach();
        self.generation = generation;
        let id = system::thread_id();
        let name = std::thread::current().name().map_or_else(system::thread_name, str::to_owned);
        let joined = state::with(|global| {
            let file = global.file(generation)?;
            (self.clock, self.header) = (file.clock(), Some(file.header()));
            let name = global.name(&name, false).number;
            // A thread from this recording's parent or from an earlier recording is a new one here.
            self.owner = Owner { serial: global.next_thread(), id, name };
            global.roll(generation, self.owner, None, &mut self.segment)
        });
        self.joined(joined);
    }

    fn joined(&mut self, joined: std::io::Result<usize>) {
        if let (Ok(committed), Some(segment)) = (joined, &self.segment) {
            self.committed = committed;
            self.capacity = segment_capacity(segment.mapping.words().len() * 8);
        }
        self.dropped = 0;
    }

    /// Leaves its recording.
    #[cold]
    fn detach(&mut self) {
        self.leave_open();
        if let Some(segment) = self.segment.take().filter(|segment| segment.mapping.is_here()) {
            let full = self.committed >= self.capacity;
            let generation = self.generation;
            state::with(|global| {
                if let Ok(file) = global.file(generation) {
                    file.give_back(segment, full);
                }
            });
        }
        self.header = None;
        (self.depth, self.holes, self.committed, self.capacity) = (0, 0, 0, 0);
        self.deep.clear();
    }

    /// Records the spans that can no longer be closed here, as far as there is room.
    fn leave_open(&mut self) {
        let Some(segment) = self.segment.as_ref().filter(|segment| segment.mapping.is_here()) else { return };
        let words = segment.mapping.words();
        let now = self.clock.now();
        let shown = (0..(self.depth as usize).min(OPEN_SPANS)).map(|depth| segment_word::BODY + depth * 4);
        let spans = shown.map(|at| words_at(words, at)).chain(self.deep.iter().copied());
        for [head, at, _, value] in spans.filter(|span| span[0] != 0) {
            if self.committed < self.capacity {
                // The kind is the lowest byte.
                let head = head & !0xFF | Kind::Open as u64;
                let record = [head, at, now.saturating_sub(at), value];
                put_record(words, segment_word::RECORDS + self.committed * 4, &record);
                self.committed += 1;
                words[segment_word::COMMITTED].store(self.committed as u64, Ordering::Release);
            }
        }
        words[segment_word::OPEN].store(0, Ordering::Release);
    }

    #[inline]
    fn begin(&mut self, name: u32, category: Category, value: u64) -> Open {
        let depth = self.depth as usize;
        let Some(segment) = &self.segment else {
            self.drop_event();
            return Open::NONE;
        };
        let head = record_head(Kind::Span, category, u16::try_from(depth).unwrap_or(u16::MAX), name);
        if depth < OPEN_SPANS {
            let words = segment.mapping.words();
            put_record(words, segment_word::BODY + depth * 4, &[head, self.clock.now(), 0, value]);
            words[segment_word::OPEN].store(depth as u64 + 1, Ordering::Release);
        } else {
            self.deep.push([head, self.clock.now(), 0, value]);
        }
        self.depth += 1;
        Open { generation: self.generation, depth: self.depth - 1 }
    }

    #[inline]
    fn end(&mut self, open: Open) {
        let now = self.clock.now();
        let Some([head, at, _, value]) = self.open_span(open) else { return };
        let Some(segment) = &self.segment else { return };
        let depth = open.depth as usize;
        let record = [head, at, now.saturating_sub(at), value];
        let written = self.committed < self.capacity;
        if written {
            put_record(segment.mapping.words(), segment_word::RECORDS + self.committed * 4, &record);
            self.committed += 1;
            segment.mapping.words()[segment_word::COMMITTED].store(self.committed as u64, Ordering::Release);
        }
        // Only now: killed in between, the span is finished and open, which readers see; never neither.
        if open.depth + 1 == self.depth && self.holes == 0 && depth < OPEN_SPANS {
            self.depth = open.depth;
            segment.mapping.words()[segment_word::OPEN].store(depth as u64, Ordering::Release);
        } else {
            self.close_out_of_order(open.depth);
        }
        if !written {
            self.drop_event();
        } else if self.committed == self.capacity {
            self.roll();
        }
    }

    /// The depth of the innermost open span of a name.
    #[inline]
    fn innermost(&self, name: u32) -> Option<u32> {
        let words = self.segment.as_ref().filter(|segment| segment.mapping.is_here())?.mapping.words();
        let is_it = |depth: &u32| {
            let depth = *depth as usize;
            let head = match self.deep.get(depth.wrapping_sub(OPEN_SPANS)) {
                Some(span) => span[0],
                None => words[segment_word::BODY + depth * 4].load(Ordering::Relaxed),
            };
            head != 0 && (head >> 32) as u32 == name
        };
        (0..self.depth).rev().find(is_it)
    }

    /// Takes the innermost span off, without a record of it; returns whether it was that one.
    fn discard(&mut self, open: Open) -> bool {
        let is_innermost = open.depth + 1 == self.depth && self.open_span(open).is_some();
        if is_innermost {
            self.close_out_of_order(open.depth);
        }
        is_innermost
    }

    /// Takes a span out of the open ones, wherever it is.
    #[cold]
    fn close_out_of_order(&mut self, depth: u32) {
        let Some(segment) = &self.segment else { return };
        let words = segment.mapping.words();
        let head_at = |depth: usize| segment_word::BODY + depth * 4;
        match self.deep.get_mut((depth as usize).wrapping_sub(OPEN_SPANS)) {
            Some(span) => span[0] = 0,
            None => words[head_at(depth as usize)].store(0, Ordering::Release),
        }
        self.holes += 1;
        while let Some(top) = self.depth.checked_sub(1) {
            let is_hole = match self.deep.last() {
                Some(span) => span[0] == 0,
                None => words[head_at(top as usize)].load(Ordering::Relaxed) == 0,
            };
            if !is_hole {
                break;
            }
            self.deep.pop();
            self.depth = top;
            self.holes -= 1;
        }
        words[segment_word::OPEN].store(u64::from(self.depth).min(OPEN_SPANS as u64), Ordering::Release);
    }

    /// The words of an open span; `None` if it is not one.
    #[inline]
    fn open_span(&self, open: Open) -> Option<[u64; 4]> {
        if open.generation != self.generation || open.depth >= self.depth {
            return None;
        }
        let depth = open.depth as usize;
        let segment = self.segment.as_ref().filter(|segment| segment.mapping.is_here())?;
        let span = match self.deep.get(depth.wrapping_sub(OPEN_SPANS)) {
            Some(span) => *span,
            None => words_at(segment.mapping.words(), segment_word::BODY + depth * 4),
        };
        (span[0] != 0).then_some(span)
    }

    /// Writes an argument, which has the time of its span.
    fn argument(&mut self, open: Open, key: u32, [kind, value]: [u64; 2]) {
        // Deeper spans cannot be distinguished.
        let depth = u16::try_from(open.depth).ok().filter(|depth| *depth != OF_MARK);
        if let Some((depth, [_, at, ..])) = depth.zip(self.open_span(open)) {
            self.commit(&[record_head(Kind::Argument, Category::General, depth, key), at, kind, value]);
        }
    }

    fn set_value(&mut self, open: Open, value: u64) {
        let depth = open.depth as usize;
        if open.generation != self.generation || open.depth >= self.depth {
            return;
        }
        match (self.deep.get_mut(depth.wrapping_sub(OPEN_SPANS)), &self.segment) {
            (Some(span), _) => span[3] = value,
            (None, Some(segment)) if segment.mapping.is_here() => {
                segment.mapping.words()[segment_word::BODY + depth * 4 + 3].store(value, Ordering::Relaxed);
            }
            _ => {}
        }
    }

    /// Writes a record that is whole.
    #[inline]
    fn commit(&mut self, record: &[u64; 4]) {
        match &self.segment {
            Some(segment) if self.committed < self.capacity => {
                let words = segment.mapping.words();
                put_record(words, segment_word::RECORDS + self.committed * 4, record);
                self.committed += 1;
                words[segment_word::COMMITTED].store(self.committed as u64, Ordering::Release);
                if self.committed == self.capacity {
                    self.roll();
                }
            }
            _ => self.drop_event(),
        }
    }

    /// Writes records that belong together, in one segment and published at once.
    fn commit_group(&mut self, records: &[Record]) {
        if self.committed + records.len() > self.capacity && self.segment.is_some() {
            self.roll();
        }
        let clock = self.clock.as_read(self.began());
        match &self.segment {
            Some(segment) if self.committed + records.len() <= self.capacity => {
                let words = segment.mapping.words();
                for record in records {
                    let record = on_clock(record, &clock);
                    put_record(words, segment_word::RECORDS + self.committed * 4, &record.words());
                    self.committed += 1;
                }
                words[segment_word::COMMITTED].store(self.committed as u64, Ordering::Release);
                if self.committed == self.capacity {
                    self.roll();
                }
            }
            _ => records.iter().for_each(|_| self.drop_event()),
        }
    }

    /// When the recording began.
    fn began(&self) -> Anchor {
        let word = |offset: usize| {
            let header = self.header.as_ref().filter(|header| header.is_here());
            header.map_or(0, |header| header.words()[header::BEGIN + offset].load(Ordering::Relaxed))
        };
        Anchor { clock: word(0), monotonic: word(1), realtime: word(2) }
    }

    /// Continues in the next segment, with the spans that are open.
    #[cold]
    fn roll(&mut self) {
        if self.segment.is_none() {
            return self.attach(self.generation);
        }
        let mut open = Vec::new();
        if let Some(segment) = &self.segment {
            let depth = (self.depth as usize).min(OPEN_SPANS);
            open.extend((0..depth).map(|depth| words_at(segment.mapping.words(), segment_word::BODY + depth * 4)));
        }
        let (generation, owner) = (self.generation, self.owner);
        let joined = state::with(|global| global.roll(generation, owner, Some(&open), &mut self.segment));
        self.joined(joined);
    }

    /// Counts an event for which there is no room on the disk; now and then checks for room.
    #[cold]
    fn drop_event(&mut self) {
        if let Some(header) = self.header.as_ref().filter(|header| header.is_here()) {
            header.words()[header::DROPPED].fetch_add(1, Ordering::Relaxed);
        }
        self.dropped += 1;
        if self.dropped >= PATIENCE {
            self.roll();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.detach();
    }
}

/// A record whose times are in ns, on a recording's clock.
fn on_clock(record: &Record, clock: &raw::Clock) -> Record {
    if *clock == raw::Clock::Monotonic || !record.kind.has_time() {
        return *record;
    }
    let at = clock.of_nanos(record.at);
    let extent = if record.kind.lasts() { clock.of_nanos(record.end()).saturating_sub(at) } else { record.extent };
    Record { at, extent, ..*record }
}

fn words_at(words: &[AtomicU64], at: usize) -> [u64; 4] {
    [0, 1, 2, 3].map(|offset| words.get(at + offset).map_or(0, |word| word.load(Ordering::Relaxed)))
}
