//! The raw recording: the state on disk at any moment, whether the program was killed or not.
//!
//! A file of one process: a header of 4096 bytes, then segments of equal size, all of little-endian 64-bit words.
//! The recorder writes it through a shared mapping, each thread into a segment of its own, so that the kernel
//! keeps everything that was stored when the process dies. Each number that publishes something (`tag`, `committed`,
//! `open`) is stored after what it publishes, with release ordering.
//!
//! ```text
//! header   word 0      tag: "steprec1"; stored last
//!               1      version (low half), bytes of a segment (high half)
//!               2      process id (low), its parent's (high)
//!               3      clock: 0 = CLOCK_MONOTONIC in ns, else a counter's nominal ticks a second
//!               4-6    anchor at the beginning: clock, CLOCK_MONOTONIC in ns, CLOCK_REALTIME in ns
//!               7-9    anchor at the end; zeros unless it was closed
//!               10     1 if it was closed by the program, else 0
//!               11     records that were dropped because the disk was full
//!               12     segments that were given up again, because only the latest are kept
//!               13     bytes of facts
//!               14     1 once another process wants it to end: the recorder stops when it needs its next segment
//!               16-511 facts: key, 0, value, 0, …
//!
//! segment  word 0      tag: "stepseg1" of records, "stepnam1" of names; stored last; 0 = never used
//!               1      sequence: 1, 2, … in the order in which segments were taken
//!               2      serial number of the thread that writes it
//!               3      open spans of that thread
//!               4      committed: records, or bytes of names
//!               5      1 if it is sealed: full, or its thread has ended, or continues in another one
//!               6-8    anchor when it was taken, as in the header
//!   records     16-1023  the open spans, the outermost first, as records whose extent is not known;
//!                        all zeros in the first word: closed before a span inside of it
//!               1024-    records; the first is of kind `Thread`
//!   names       16-      number (32 bits), length (32 bits), UTF-8 text, zeros up to the next word
//! ```
//!
//! A thread whose segment is full publishes the next one, open spans included, before it seals the old one: a thread's
//! open spans are those of its segment with the highest sequence. A name stands in the file before anything that uses
//! its number. When a thread ends, another one may continue in its segment after a further `Thread` record. Arguments
//! of an open span are records of their own, one after the other in any of its thread's segments, with the span's depth
//! and beginning. They come before the span's own record, which is written at its end. A span whose record is committed
//! may still be among the open ones, if the process died between the two stores.

mod clock;
mod read;
mod segment;

pub use clock::{Anchor, Clock};
pub use read::{Recording, Sink, Source, read};
pub use segment::{OPEN_SPANS, segment_capacity};

/// The usual end of a raw recording's name, with its dot.
pub const EXTENSION: &str = ".steprec";

/// Bytes of the header.
pub const HEADER_BYTES: usize = 4096;

/// The first word of a header.
pub const HEADER_TAG: u64 = u64::from_le_bytes(*b"steprec1");

/// The first word of a segment of records.
pub const RECORDS_TAG: u64 = u64::from_le_bytes(*b"stepseg1");

/// The first word of a segment of names.
pub const NAMES_TAG: u64 = u64::from_le_bytes(*b"stepnam1");

/// The version that is written; others are not read.
pub const VERSION: u32 = 1;

/// The fewest bytes of a segment; all are multiples of this.
pub const SEGMENT_UNIT: usize = 16 << 10;

/// The most bytes of a segment.
pub const LARGEST_SEGMENT: usize = 64 << 20;

/// Where the header's words stand.
pub mod header {
    /// Version and segment size.
    pub const VERSION: usize = 1;
    /// Process ids.
    pub const PROCESS: usize = 2;
    /// The clock's kind.
    pub const CLOCK: usize = 3;
    /// The first word of the first anchor.
    pub const BEGIN: usize = 4;
    /// The first word of the last anchor.
    pub const END: usize = 7;
    /// Whether it was closed.
    pub const CLOSED: usize = 10;
    /// Records dropped.
    pub const DROPPED: usize = 11;
    /// Segments given up.
    pub const REUSED: usize = 12;
    /// Bytes of facts.
    pub const FACTS_LEN: usize = 13;
    /// Whether another process wants it to end.
    pub const STOPPED: usize = 14;
    /// The first word of the facts.
    pub const FACTS: usize = 16;
}

/// Where a segment's words stand.
pub mod segment_word {
    /// The order of segments.
    pub const SEQUENCE: usize = 1;
    /// The thread.
    pub const THREAD: usize = 2;
    /// Open spans.
    pub const OPEN: usize = 3;
    /// Committed records or bytes.
    pub const COMMITTED: usize = 4;
    /// Whether it is sealed.
    pub const SEALED: usize = 5;
    /// The first word of its anchor.
    pub const ANCHOR: usize = 6;
    /// The first word of the open spans, or of names.
    pub const BODY: usize = 16;
    /// The first word of the records.
    pub const RECORDS: usize = 1024;
}

/// The facts of a header as bytes, as many whole ones as fit.
#[must_use]
pub fn facts_bytes(facts: &[(&str, &str)]) -> Vec<u8> {
    const ROOM: usize = HEADER_BYTES - header::FACTS * 8;
    let mut bytes = Vec::new();
    for (key, value) in facts {
        if bytes.len() + key.len() + value.len() + 2 > ROOM || key.contains('\0') || value.contains('\0') {
            continue;
        }
        for text in [key, value] {
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(0);
        }
    }
    bytes
}

/// The first words of a record: those of [`crate::Record::words`], without making a record.
#[must_use]
#[inline]
pub fn record_head(kind: crate::Kind, category: crate::Category, aux: u16, name: u32) -> u64 {
    crate::record::head(kind, category, aux, name)
}

/// The word at an index of some bytes; zero beyond their end.
fn word(bytes: &[u8], index: usize) -> u64 {
    bytes.get(index * 8..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
