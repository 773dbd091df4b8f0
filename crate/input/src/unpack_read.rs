//! What a packed file holds, read from front to back.

use std::io;

use super::layer::Layer;
use super::unpack::Unpacker;
use stepscope_base::ReadAt;

/// Packed bytes that are read at once.
const CHUNK: usize = 1 << 18;

/// Reads what a packed file holds.
pub(super) struct UnpackRead<R> {
    file: R,
    unpacker: Unpacker,
    /// Packed bytes, of which `from..` are still to be unpacked.
    input: Vec<u8>,
    from: usize,
    /// How far the packed file was read.
    at: u64,
    ended: bool,
}

impl<R: ReadAt> UnpackRead<R> {
    pub(super) fn new(file: R, layers: &[Layer]) -> Self {
        Self { file, unpacker: Unpacker::new(layers), input: Vec::new(), from: 0, at: 0, ended: false }
    }

    /// Fills the buffer as far as the file goes, or the piece of it.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() && !self.is_over() {
            let (used, written) = self.unpacker.push(&self.input[self.from..], &mut buffer[filled..]);
            self.from += used;
            filled += written;
            if self.from == self.input.len() && filled < buffer.len() && !self.is_over() {
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

    fn is_over(&self) -> bool {
        self.ended || self.unpacker.is_done()
    }

    fn refill(&mut self, wanted: usize) -> io::Result<()> {
        // A head is a small piece of a large file.
        self.input.resize(wanted.clamp(1 << 12, CHUNK), 0);
        let len = self.file.read_at(self.at, &mut self.input)?;
        self.input.truncate(len);
        self.from = 0;
        self.at += len as u64;
        self.ended = len == 0;
        Ok(())
    }

    /// How far it is to another piece of the file; see [`Unpacker::distance`].
    pub(super) fn distance(&self, layers: &[Layer]) -> Option<u64> {
        self.unpacker.distance(layers)
    }

    /// Goes on to another piece of the file; see [`Unpacker::go_on`].
    pub(super) fn go_on(&mut self, layers: &[Layer]) -> bool {
        self.unpacker.go_on(layers)
    }

    /// How far the packed file was read.
    pub(super) fn position(&self) -> u64 {
        self.at
    }

    /// How it is packed, as far as that is known.
    pub(super) fn layers(&self) -> &[Layer] {
        self.unpacker.layers()
    }

    /// What is wrong with the packing, once all was read.
    pub(super) fn damage(&self) -> Option<String> {
        if self.is_over() { self.unpacker.damage() } else { None }
    }
}
