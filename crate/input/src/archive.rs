//! Parts shared by all archive formats.

use std::io;

use super::layer::Layer;
use stepscope_base::ReadAt;

/// The most entries that are listed of one archive; a job has thousands of ranks at most.
pub(super) const MOST_ENTRIES: u64 = 20_000;

/// The reason why a link is not read: its target may be anywhere.
pub(super) const LINK: &str = "it is a link, which is not followed: pack the file itself";

/// The entries of an archive.
#[derive(Default)]
pub(super) struct Listing {
    /// Those that were not passed on one by one.
    pub(super) entries: Vec<Archived>,
    /// Damage of the archive as a whole.
    pub(super) damage: Option<String>,
    /// The number of entries beyond [`MOST_ENTRIES`].
    pub(super) too_many: u64,
}

/// A file in an archive.
pub(super) struct Archived {
    /// Its path in the archive.
    pub(super) path: String,
    /// Position and number of its bytes in the archive.
    pub(super) start: u64,
    pub(super) len: u64,
    /// Its layers of packing, or the reason why it cannot be read.
    pub(super) layers: Result<Vec<Layer>, String>,
}

/// Reads a file from a position on in small chunks.
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

    /// The next bytes; none if there are fewer.
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
