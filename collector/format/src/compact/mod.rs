//! The compact file `.stepscope`: small, streamed, of one process or several.
//!
//! ```text
//! file     89 53 54 45 50 0D 0A 1A   tag, which shows when a transfer changed line ends
//!          version (32 bits), zero (32 bits)
//!          blocks
//! block    F7 53 42 31               sync: after damage, reading resumes at the next one
//!          kind (8 bits), zeros (24 bits), bytes of content (32 bits, at most 1 MiB)
//!          CRC-32 of the eight bytes before (32 bits), CRC-32 of the content (32 bits)
//!          content
//! ```
//!
//! Contents are made of varints (seven bits a byte, the lowest first), signed ones in zigzag, and texts (a varint of
//! their length, then UTF-8). No block needs another one to be decoded.
//!
//! | kind | content |
//! | --- | --- |
//! | 1 process | its number in the file, system id, parent's id, 1 if it was closed, records dropped, segments given up, what added to a time gives ns since 1970 (signed), then keys and values, each a text |
//! | 2 names | process, then numbers and texts |
//! | 3 thread | process, serial number, system id, name's number |
//! | 4 records | process, thread, count; then eight columns, each a varint of its length and its bytes |
//! | 5 end | number of records in the file |
//!
//! Columns of records: a byte with the kind (lower half) and which of the others follow (upper half); of all, the
//! name's number and the end's distance from that of the record before (signed); of those with the bit, the extent
//! (bit 4), the category (5; one byte), the `aux`'s distance from the one before (6; signed), the value (7; signed,
//! a counter's and an argument's of extent 2 as bits of an `f64` with the bytes reversed, an activity's and a detail's
//! unsigned). A detail has no end: its first word stands in that column, unsigned. The eighth is empty; readers skip what
//! is in it.
//! A process, a thread, a name stands in the file before what uses its number. The first process has the fact
//! [`RECORDINGS`].

mod columns;
mod origin;
mod read;
mod rewrite;
mod write;

pub use origin::{Origin, RECORDINGS};
pub use read::{Item, Reader};
pub use rewrite::{Edit, Rewriter, TextOf};
pub use write::Writer;

/// The usual end of a compact file's name, with its dot.
pub const EXTENSION: &str = ".stepscope";

/// A file's first bytes.
pub const TAG: [u8; 8] = *b"\x89STEP\r\n\x1a";

/// The version that is written; others are not read.
pub const VERSION: u32 = 1;

/// Bytes before the first block.
const FILE_HEADER: usize = 16;

/// A block's first bytes.
const SYNC: [u8; 4] = *b"\xf7SB1";

/// Bytes of a block before its content.
const BLOCK_HEADER: usize = 20;

/// The most bytes of a block's content.
const LARGEST_CONTENT: usize = 1 << 20;

/// The most records of a block: even the largest ones fit.
const MOST_RECORDS: usize = 8192;

/// The kinds of blocks.
mod block {
    pub(super) const PROCESS: u8 = 1;
    pub(super) const NAMES: u8 = 2;
    pub(super) const THREAD: u8 = 3;
    pub(super) const RECORDS: u8 = 4;
    pub(super) const END: u8 = 5;
}

/// A process whose records a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// Its number in the file.
    pub number: u32,
    /// Its system id.
    pub id: u32,
    /// The id of the process that started it.
    pub parent: u32,
    /// Whether the program closed the recording; if not, it was killed or left by `_exit`.
    pub closed: bool,
    /// Records that were dropped because the disk was full.
    pub dropped: u64,
    /// Segments that were given up, because only the latest are kept.
    pub reused: u64,
    /// Offset to add to a time in ns to get ns since 1970.
    pub unix_offset: i64,
    /// Facts about it, such as its command.
    pub facts: Vec<(String, String)>,
}

/// A thread of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The process's number in the file.
    pub process: u32,
    /// Its serial number in the process.
    pub serial: u64,
    /// Its system id.
    pub id: u64,
    /// Its name's number.
    pub name: u32,
}
