//! A recording's file: who gets which segment of it. The layout is in `stepscope_format::raw`.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use stepscope_format::raw::{
    EXTENSION, HEADER_BYTES, HEADER_TAG, LARGEST_SEGMENT, NAMES_TAG, RECORDS_TAG, SEGMENT_UNIT, VERSION, facts_bytes,
    header, record_head, segment_capacity, segment_word,
};
use stepscope_format::{Category, Kind};

use super::clock::Clock;
use super::options::{Keep, Options};
use super::path_error::with_path;
use super::segment::{Order, Owner, Segment};
use super::system::{self, Mapping};
use super::{facts, private, stopped};

/// A file that is being written.
#[derive(Debug)]
pub(super) struct RecordingFile {
    file: File,
    path: PathBuf,
    header: Arc<Mapping>,
    clock: Clock,
    segment_bytes: usize,
    keep: Option<Keep>,
    /// Where the next segment goes.
    end: u64,
    /// Whether a segment is made ahead, the one that was, and places at which that failed.
    makes_ahead: bool,
    ahead: Option<Segment>,
    holes: Vec<u64>,
    sequence: u64,
    /// Segments that ended threads left with room in them.
    idle: Vec<Segment>,
    /// Sealed segments by age, with when they were sealed: where only the latest are kept.
    sealed: VecDeque<(u64, u64)>,
    /// The segment of names, and its bytes that are used.
    names: Option<(Segment, usize)>,
    /// Names for which there was no room on the disk.
    unwritten: Vec<(u32, Box<str>)>,
}

/// Names that wait for room on the disk; beyond, they are lost.
const MOST_UNWRITTEN: usize = 100_000;

fn put(words: &[AtomicU64], index: usize, value: u64) {
    words[index].store(value, Ordering::Relaxed);
}

fn put_bytes(words: &[AtomicU64], bytes: &[u8]) {
    for (word, chunk) in words.iter().zip(bytes.chunks(8)) {
        let mut padded = [0; 8];
        padded[..chunk.len()].copy_from_slice(chunk);
        word.store(u64::from_le_bytes(padded), Ordering::Relaxed);
    }
}

/// Error for a missing folder. Something else of that name is not a running recording.
fn no_folder(folder: &Path, error: &io::Error) -> io::Error {
    let error = with_path(folder, error);
    if error.kind() != io::ErrorKind::AlreadyExists {
        return error;
    }
    io::Error::new(io::ErrorKind::NotADirectory, error)
}

fn put_anchor(words: &[AtomicU64], index: usize, clock: Clock) {
    let anchor = clock.anchor();
    for (offset, value) in [anchor.clock, anchor.monotonic, anchor.realtime].into_iter().enumerate() {
        put(words, index + offset, value);
    }
}

impl RecordingFile {
    /// Creates the file of this process.
    pub(super) fn create(options: &Options, clock: Clock) -> io::Result<Self> {
        if options.make_output {
            private::create_folders(&options.output).map_err(|error| no_folder(&options.output, &error))?;
        } else if stopped::is_over(options) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let pid = std::process::id();
        let path = options.output.join(format!("{pid}-{}{EXTENSION}", system::monotonic()));
        let failed = |error: io::Error| with_path(&path, &error);
        let file = private::options().read(true).write(true).create_new(true).open(&path).map_err(failed)?;
        let made = Self::fill(options, clock, &file, pid).map_err(failed);
        if made.is_err() {
            // An empty file would be of no use.
            let _ = std::fs::remove_file(&path);
        }
        let (mapping, segment_bytes) = made?;
        Ok(Self {
            file,
            path,
            header: Arc::new(mapping),
            clock,
            segment_bytes,
            keep: options.keep,
            end: HEADER_BYTES as u64,
            makes_ahead: options.ahead,
            ahead: None,
            holes: Vec::new(),
            sequence: 0,
            idle: Vec::new(),
            sealed: VecDeque::new(),
            names: None,
            unwritten: Vec::new(),
        })
    }

    fn fill(options: &Options, clock: Clock, file: &File, pid: u32) -> io::Result<(Mapping, usize)> {
        let segment_bytes = options.segment_bytes.next_multiple_of(SEGMENT_UNIT).clamp(SEGMENT_UNIT, LARGEST_SEGMENT);
        system::allocate(file, 0, HEADER_BYTES)?;
        let mapping = Mapping::new(file, 0, HEADER_BYTES)?;
        let words = mapping.words();
        put(words, header::VERSION, u64::from(VERSION) | (segment_bytes as u64) << 32);
        put(words, header::PROCESS, u64::from(pid) | u64::from(system::parent_id()) << 32);
        put(words, header::CLOCK, clock.number());
        put_anchor(words, header::BEGIN, clock);
        let facts = facts::of_process(options);
        let facts: Vec<(&str, &str)> = facts.iter().map(|(key, value)| (&**key, &**value)).collect();
        let bytes = facts_bytes(&facts);
        put(words, header::FACTS_LEN, bytes.len() as u64);
        put_bytes(&words[header::FACTS..], &bytes);
        words[0].store(HEADER_TAG, Ordering::Release);
        Ok((mapping, segment_bytes))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn clock(&self) -> Clock {
        self.clock
    }

    /// The header, in which threads count what they drop.
    pub(super) fn header(&self) -> Arc<Mapping> {
        Arc::clone(&self.header)
    }

    /// Whether another process wants it to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.header.words()[header::STOPPED].load(Ordering::Relaxed) != 0
    }

    /// Records that the program closed it.
    pub(super) fn close(&mut self) {
        if let Some(segment) = self.ahead.take()
            && segment.offset + self.segment_bytes as u64 == self.end
        {
            self.end = segment.offset;
            drop(segment);
            // Where this fails, the file is longer than it need be.
            let _ = self.file.set_len(self.end);
        }
        let words = self.header.words();
        put_anchor(words, header::END, self.clock);
        words[header::CLOSED].store(1, Ordering::Release);
    }

    /// A segment for a thread, and its number of records. It is published with its first record and, for a thread that
    /// continues (`Some`), its open spans.
    ///
    /// A thread may begin where another one ended, but continues only in a segment of a higher sequence. From that,
    /// readers know the order of its records, and the segment of its open spans.
    pub(super) fn segment(&mut self, owner: Owner, open: Option<&[[u64; 4]]>) -> io::Result<(Segment, usize)> {
        let started = self.clock.now();
        let thread = [record_head(Kind::Thread, Category::General, 0, owner.name), started, owner.id, owner.serial];
        if open.is_none()
            && let Some(segment) = self.idle.pop()
        {
            let words = segment.mapping.words();
            let committed = words[segment_word::COMMITTED].load(Ordering::Relaxed) as usize;
            put(words, segment_word::THREAD, owner.serial);
            put_record(words, segment_word::RECORDS + committed * 4, &thread);
            words[segment_word::COMMITTED].store(committed as u64 + 1, Ordering::Release);
            return Ok((segment, committed + 1));
        }
        let open = open.unwrap_or_default();
        let segment = self.take(RECORDS_TAG, |words| {
            put(words, segment_word::THREAD, owner.serial);
            for (index, span) in open.iter().enumerate() {
                put_record(words, segment_word::BODY + index * 4, span);
            }
            put(words, segment_word::OPEN, open.len() as u64);
            put_record(words, segment_word::RECORDS, &thread);
            put(words, segment_word::COMMITTED, 1);
        })?;
        Ok((segment, 1))
    }

    /// Takes back a segment whose writer is gone.
    pub(super) fn give_back(&mut self, segment: Segment, full: bool) {
        let words = segment.mapping.words();
        put(words, segment_word::OPEN, 0);
        let committed = words[segment_word::COMMITTED].load(Ordering::Relaxed) as usize;
        if full || committed + 2 > segment_capacity(self.segment_bytes) {
            put(words, segment_word::SEALED, 1);
            if self.keep.is_some() {
                self.sealed.push_back((segment.offset, system::monotonic()));
            }
        } else {
            self.idle.push(segment);
        }
    }

    /// Publishes a segment that `fill` has filled: a new one at the file's end, or an old one that is given up.
    fn take(&mut self, tag: u64, fill: impl FnOnce(&[AtomicU64])) -> io::Result<Segment> {
        let given_up = self.given_up();
        let ahead = self.ahead.take_if(|_| given_up.is_none());
        let segment = if let Some(segment) = ahead { segment } else { self.map(given_up)? };
        let words = segment.mapping.words();
        if given_up.is_some() {
            words[0].store(0, Ordering::Release);
            self.header.words()[header::REUSED].fetch_add(1, Ordering::Relaxed);
            put(words, segment_word::SEALED, 0);
            put(words, segment_word::OPEN, 0);
        }
        self.sequence += 1;
        put(words, segment_word::SEQUENCE, self.sequence);
        put_anchor(words, segment_word::ANCHOR, self.clock);
        fill(words);
        words[0].store(tag, Ordering::Release);
        Ok(segment)
    }

    /// Maps a part of the file: a reused segment, a hole, or new space at its end.
    fn map(&mut self, given_up: Option<u64>) -> io::Result<Segment> {
        let offset = given_up.or_else(|| self.holes.last().copied()).unwrap_or(self.end);
        if given_up.is_none() {
            system::allocate(&self.file, offset, self.segment_bytes)?;
        }
        let mapping = Mapping::new(&self.file, offset, self.segment_bytes)?;
        if offset == self.end {
            self.end += self.segment_bytes as u64;
        } else if given_up.is_none() {
            self.holes.pop();
        }
        Ok(Segment { mapping, offset })
    }

    /// The segment to make ahead, if there is to be one: at the file's end, as far as that may grow.
    pub(super) fn order(&mut self) -> io::Result<Option<Order>> {
        let grown = self.end + self.segment_bytes as u64;
        let is_wanted = self.makes_ahead && self.ahead.is_none() && self.holes.is_empty();
        if !is_wanted || self.keep.is_some_and(|keep| grown > keep.bytes) {
            return Ok(None);
        }
        let order = Order { file: self.file.try_clone()?, offset: self.end, bytes: self.segment_bytes };
        self.end = grown;
        Ok(Some(order))
    }

    /// Takes a segment that was made ahead; without it, its place is free for the next segment.
    pub(super) fn deliver(&mut self, offset: u64, made: Option<Segment>) {
        match made {
            Some(segment) => self.ahead = Some(segment),
            None => self.holes.push(offset),
        }
    }

    /// The oldest sealed segment, if it is older than what is to be kept or there is no room for more.
    fn given_up(&mut self) -> Option<u64> {
        let keep = self.keep?;
        let (_, sealed_at) = self.sealed.front()?;
        let age = system::monotonic().saturating_sub(*sealed_at);
        let full = self.end + self.segment_bytes as u64 > keep.bytes;
        let old = u128::from(age) > keep.time.as_nanos();
        if old || full { self.sealed.pop_front().map(|(offset, _)| offset) } else { None }
    }

    /// Writes a name, at the latest when there is room on the disk again.
    pub(super) fn name(&mut self, number: u32, text: &str) {
        if self.write_name(number, text).is_err() && self.unwritten.len() < MOST_UNWRITTEN {
            self.unwritten.push((number, text.into()));
        }
    }

    /// Writes the names for which there was no room.
    pub(super) fn retry_names(&mut self) {
        while let Some((number, text)) = self.unwritten.pop() {
            if self.write_name(number, &text).is_err() {
                self.unwritten.push((number, text));
                return;
            }
        }
    }

    fn write_name(&mut self, number: u32, text: &str) -> io::Result<()> {
        let room = self.segment_bytes - segment_word::BODY * 8;
        let mut len = text.len().min(room - 8);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        let bytes = 8 + len.next_multiple_of(8);
        if self.names.as_ref().is_none_or(|(_, used)| used + bytes > room) {
            let fresh = self.take(NAMES_TAG, |words| put(words, segment_word::COMMITTED, 0))?;
            if let Some((old, _)) = self.names.replace((fresh, 0)) {
                put(old.mapping.words(), segment_word::SEALED, 1);
            }
        }
        if let Some((segment, used)) = &mut self.names {
            let words = segment.mapping.words();
            let at = segment_word::BODY + *used / 8;
            put(words, at, u64::from(number) | (len as u64) << 32);
            put_bytes(&words[at + 1..], &text.as_bytes()[..len]);
            *used += bytes;
            words[segment_word::COMMITTED].store(*used as u64, Ordering::Release);
        }
        Ok(())
    }
}

/// Stores a record; the caller publishes it.
#[inline]
pub(super) fn put_record(words: &[AtomicU64], at: usize, record: &[u64; 4]) {
    if let Some(places) = words.get(at..at + 4) {
        for (place, word) in places.iter().zip(record) {
            place.store(*word, Ordering::Relaxed);
        }
    }
}
