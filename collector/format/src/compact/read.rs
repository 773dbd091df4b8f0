//! Reads compact files as their bytes come.

use super::{
    BLOCK_HEADER, FILE_HEADER, LARGEST_CONTENT, MOST_RECORDS, Process, SYNC, TAG, Thread, VERSION, block, columns,
};
use crate::checksum::crc32;
use crate::varint::{read, unzigzag};
use crate::{Damage, Record};

/// An item of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A process, before everything that belongs to it.
    Process(Process),
    /// Names of a process, by number, before what uses them.
    Names {
        /// The process's number in the file.
        process: u32,
        /// Numbers and texts.
        names: Vec<(u32, String)>,
    },
    /// A thread, before its records.
    Thread(Thread),
    /// Records of a thread, in the order in which they were made.
    Records {
        /// The process's number in the file.
        process: u32,
        /// The thread's serial number.
        thread: u64,
        /// Where the block stands in the file.
        position: u64,
        /// The records.
        records: Vec<Record>,
    },
    /// Something is damaged; its content is missing.
    Damage(Damage),
}

/// Reads a compact file in pieces of any size.
#[derive(Debug, Default)]
pub struct Reader {
    buffer: Vec<u8>,
    /// Bytes of the buffer that were read.
    used: usize,
    /// Bytes of the file before the buffer.
    dropped: u64,
    state: State,
    closed: bool,
    records: u64,
    /// Bytes whose checksum was made in vain while looking for a block.
    vain: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Before the file's header.
    #[default]
    Start,
    /// Where a block should be.
    Block,
    /// Looking for the next block that is whole.
    Lost,
    /// After the last block.
    End,
    /// Nothing more comes.
    Done,
}

/// Result of a step.
enum Step {
    Item(Item),
    Nothing,
    NeedMore,
}

impl Reader {
    /// A reader of a file of which nothing has been read yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a file that begins so is a compact one; `None` while these bytes are too few to decide.
    #[must_use]
    pub fn knows(head: &[u8]) -> Option<bool> {
        match head.first_chunk::<8>() {
            Some(tag) => Some(*tag == TAG),
            None => (!TAG.starts_with(head)).then_some(false),
        }
    }

    /// Adds the next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.dropped += self.used as u64;
        self.buffer.drain(..self.used);
        self.used = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// Says that there are no more bytes.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// Bytes read so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.dropped + self.used as u64
    }

    /// The next item; `None` where more bytes are needed, or there are none.
    #[expect(clippy::should_implement_trait, reason = "after None there may be more, once bytes were fed")]
    pub fn next(&mut self) -> Option<Item> {
        loop {
            let step = match self.state {
                State::Start => self.start(),
                State::Block => self.block(),
                State::Lost => self.search(),
                State::End => self.end(),
                State::Done => return None,
            };
            match step {
                Step::Item(item) => return Some(item),
                Step::Nothing => {}
                Step::NeedMore => return None,
            }
        }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.used..]
    }

    fn damage(&self, what: &'static str) -> Step {
        Step::Item(Item::Damage(Damage { position: self.position(), what }))
    }

    fn start(&mut self) -> Step {
        let Some(header) = self.rest().first_chunk::<FILE_HEADER>() else {
            if !self.closed {
                return Step::NeedMore;
            }
            self.state = State::Done;
            return self.damage("expected the header of a .stepscope file");
        };
        let version = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
        if header[..8] != TAG {
            self.state = State::Lost;
            return self.damage("expected the header of a .stepscope file");
        }
        if version != VERSION {
            self.state = State::Done;
            return self.damage("expected version 1 of .stepscope files");
        }
        self.used += FILE_HEADER;
        self.state = State::Block;
        Step::Nothing
    }

    fn block(&mut self) -> Step {
        match whole_block(self.rest()) {
            Whole::Yes(kind, len) => {
                let content = &self.rest()[BLOCK_HEADER..BLOCK_HEADER + len];
                let found = decode(kind, content, self.position());
                match found {
                    Some(Block::Item(item)) => {
                        self.used += BLOCK_HEADER + len;
                        if let Item::Records { records, .. } = &item {
                            self.records += records.len() as u64;
                        }
                        Step::Item(item)
                    }
                    // A later version may add kinds.
                    Some(Block::Unknown) => {
                        self.used += BLOCK_HEADER + len;
                        Step::Nothing
                    }
                    Some(Block::End(records)) => {
                        self.state = State::End;
                        let missing = records != self.records;
                        let step =
                            if missing { self.damage("expected more records before the end") } else { Step::Nothing };
                        self.used += BLOCK_HEADER + len;
                        step
                    }
                    None => {
                        let step = self.damage("expected a block's content");
                        self.used += BLOCK_HEADER + len;
                        step
                    }
                }
            }
            Whole::No | Whole::Wrong(_) => {
                self.state = State::Lost;
                let step = self.damage("expected a block");
                self.used += 1;
                step
            }
            Whole::Cut if !self.closed => Step::NeedMore,
            Whole::Cut => {
                self.state = if self.rest().is_empty() { State::Done } else { State::Lost };
                let step = self.damage("expected the rest of the file");
                self.used += 1.min(self.rest().len());
                step
            }
        }
    }

    /// Goes to the next block whose checksums are right.
    fn search(&mut self) -> Step {
        let rest = self.rest();
        let found = rest.windows(SYNC.len()).position(|window| window == SYNC);
        let Some(at) = found else {
            // A sync may be cut.
            let keep = if self.closed { 0 } else { SYNC.len() - 1 };
            self.used += rest.len().saturating_sub(keep);
            if self.closed {
                self.state = State::Done;
                return Step::Nothing;
            }
            return Step::NeedMore;
        };
        self.used += at;
        match whole_block(self.rest()) {
            Whole::Yes(..) => self.state = State::Block,
            Whole::Cut if !self.closed => return Step::NeedMore,
            Whole::Wrong(len) => {
                self.vain += len as u64;
                // A block may claim to be larger than it is and hide others, but not everywhere: time stays linear.
                let patience = self.vain <= 16 * (self.position() + LARGEST_CONTENT as u64);
                self.used += if patience { 1 } else { BLOCK_HEADER + len };
            }
            Whole::No | Whole::Cut => self.used += 1,
        }
        Step::Nothing
    }

    fn end(&mut self) -> Step {
        if self.rest().is_empty() {
            if self.closed {
                self.state = State::Done;
            }
            return Step::NeedMore;
        }
        // Files can be concatenated; anything else is damage.
        match Self::knows(self.rest()) {
            Some(true) => {
                self.state = State::Start;
                self.records = 0;
                Step::Nothing
            }
            None if !self.closed => Step::NeedMore,
            _ => {
                self.state = State::Lost;
                self.damage("expected the end of the file")
            }
        }
    }
}

/// Whether a block is there.
pub(super) enum Whole {
    /// Its kind and the bytes of its content.
    Yes(u8, usize),
    /// Not all of it, maybe.
    Cut,
    /// A header, but not the content of so many bytes.
    Wrong(usize),
    No,
}

pub(super) fn whole_block(bytes: &[u8]) -> Whole {
    let Some(header) = bytes.first_chunk::<BLOCK_HEADER>() else {
        let sync = &SYNC[..SYNC.len().min(bytes.len())];
        return if bytes.starts_with(sync) { Whole::Cut } else { Whole::No };
    };
    let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let len = number(8) as usize;
    if header[..4] != SYNC || crc32(&header[4..12]) != number(12) || len > LARGEST_CONTENT {
        return Whole::No;
    }
    match bytes.get(BLOCK_HEADER..BLOCK_HEADER + len) {
        Some(content) if crc32(content) == number(16) => Whole::Yes(header[4], len),
        Some(_) => Whole::Wrong(len),
        None => Whole::Cut,
    }
}

enum Block {
    Item(Item),
    End(u64),
    Unknown,
}

/// Decodes a block with right checksums; `None` if a writer does not write such a content.
fn decode(kind: u8, mut bytes: &[u8], position: u64) -> Option<Block> {
    let bytes = &mut bytes;
    let small = |bytes: &mut &[u8]| u32::try_from(read(bytes)?).ok();
    Some(match kind {
        block::PROCESS => {
            let (number, id, parent) = (small(bytes)?, small(bytes)?, small(bytes)?);
            let closed = read(bytes)? == 1;
            let (dropped, reused, unix_offset) = (read(bytes)?, read(bytes)?, unzigzag(read(bytes)?));
            let mut facts = Vec::new();
            while !bytes.is_empty() {
                facts.push((text(bytes)?, text(bytes)?));
            }
            Block::Item(Item::Process(Process { number, id, parent, closed, dropped, reused, unix_offset, facts }))
        }
        block::NAMES => {
            let process = small(bytes)?;
            let mut names = Vec::new();
            while !bytes.is_empty() {
                names.push((small(bytes)?, text(bytes)?));
            }
            Block::Item(Item::Names { process, names })
        }
        block::THREAD => {
            let (process, serial, id) = (small(bytes)?, read(bytes)?, read(bytes)?);
            Block::Item(Item::Thread(Thread { process, serial, id, name: small(bytes)? }))
        }
        block::RECORDS => {
            let (process, thread, count) = (small(bytes)?, read(bytes)?, read(bytes)?);
            let count = usize::try_from(count).ok().filter(|count| *count <= MOST_RECORDS)?;
            let records = columns::decode(count, bytes)?;
            Block::Item(Item::Records { process, thread, position, records })
        }
        block::END => Block::End(read(bytes)?),
        _ => Block::Unknown,
    })
}

fn text(bytes: &mut &[u8]) -> Option<String> {
    let len = usize::try_from(read(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(String::from_utf8_lossy(text).into_owned())
}
