//! What archives have in common.

use std::io;

use super::layer::Layer;
use stepscope_base::ReadAt;

/// Entries that are looked at in one archive; a job has thousands of ranks at most.
pub(super) const MOST_ENTRIES: u64 = 20_000;

/// Why a link is not read: what it points to may be anywhere.
pub(super) const LINK: &str = "it is a link, which is not followed: pack the file itself";

/// The entries of an archive.
#[derive(Default)]
pub(super) struct Listing {
    /// Those that were not handed on one by one.
    pub(super) entries: Vec<Archived>,
    /// What is wrong with the archive as a whole.
    pub(super) damage: Option<String>,
    /// Entries beyond those.
    pub(super) too_many: u64,
}

/// A file in an archive.
pub(super) struct Archived {
    /// Its path as the archive has it.
    pub(super) path: String,
    /// Where its bytes lie in the archive, and how many there are.
    pub(super) start: u64,
    pub(super) len: u64,
    /// How they are packed, or why they cannot be read.
    pub(super) layers: Result<Vec<Layer>, String>,
}

/// Reads a file from a place on in small pieces.
pub(super) struct Scan<'a> {
    file: &'a mut dyn ReadAt,
    at: u64,
    buffer: Vec<u8>,
    from: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(file: &'a mut dyn ReadAt, at: u64) -> Self {
        Self { file, at, buffer: Vec::new(), from: 0 }
    }

    /// The next bytes; nothing if there are fewer.
    pub(super) fn take(&mut self, len: usize) -> io::Result<Option<&[u8]>> {
        if self.buffer.len() - self.from < len {
            self.buffer.drain(..self.from);
            self.from = 0;
            let held = self.buffer.len();
            self.buffer.resize(len.max(1 << 16), 0);
            let read = self.file.read_at(self.at, &mut self.buffer[held..])?;
            self.at += read as u64;
            self.buffer.truncate(held + read);
        }
        let taken = self.buffer.get(self.from..self.from + len);
        self.from += if taken.is_some() { len } else { 0 };
        Ok(taken)
    }
}
