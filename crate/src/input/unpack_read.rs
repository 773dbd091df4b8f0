//! What a packed file holds, read from front to back.

use std::io;

use super::layer::Layer;
use super::read_at::ReadAt;
use super::unpack::Unpacker;

/// Packed bytes that are read at once.
const CHUNK: usize = 1 << 18;

/// Reads what a packed file holds.
pub(super) struct UnpackRead<'a> {
    file: &'a mut dyn ReadAt,
    unpacker: Unpacker,
    /// Packed bytes, of which `from..` are still to be unpacked.
    input: Vec<u8>,
    from: usize,
    /// How far the packed file was read.
    at: u64,
    ended: bool,
}

impl<'a> UnpackRead<'a> {
    pub(super) fn new(file: &'a mut dyn ReadAt, layers: &[Layer]) -> Self {
        Self { file, unpacker: Unpacker::new(layers), input: Vec::new(), from: 0, at: 0, ended: false }
    }

    /// Fills the buffer as far as the file goes.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() && !self.ended {
            let (used, written) = self.unpacker.push(&self.input[self.from..], &mut buffer[filled..]);
            self.from += used;
            filled += written;
            if self.from == self.input.len() && filled < buffer.len() {
                self.refill(buffer.len())?;
            }
        }
        while filled < buffer.len() {
            let written = self.unpacker.end(&mut buffer[filled..]);
            filled += written;
            if written == 0 {
                break;
            }
        }
        Ok(filled)
    }

    fn refill(&mut self, wanted: usize) -> io::Result<()> {
        // A head is a small piece of a large file.
        self.input.resize(wanted.clamp(1 << 12, CHUNK), 0);
        let len = if self.unpacker.is_done() { 0 } else { self.file.read_at(self.at, &mut self.input)? };
        self.input.truncate(len);
        self.from = 0;
        self.at += len as u64;
        self.ended = len == 0;
        Ok(())
    }

    /// How it is packed, as far as that is known.
    pub(super) fn layers(&self) -> &[Layer] {
        self.unpacker.layers()
    }

    /// What is wrong with the packing, once all was read.
    pub(super) fn damage(&self) -> Option<String> {
        if self.ended { self.unpacker.damage() } else { None }
    }
}
