//! Reads the content of a packed file from front to back.

use std::io;

use super::layer::Layer;
use super::unpack::Unpacker;
use stepscope_base::ReadAt;

/// Packed bytes per read.
const CHUNK: usize = 1 << 18;

/// Reads the content of a packed file.
pub(super) struct UnpackRead<R> {
    file: R,
    unpacker: Unpacker,
    /// Packed bytes; `from..` are still to be unpacked.
    input: Vec<u8>,
    from: usize,
    /// The position in the packed file.
    at: u64,
    ended: bool,
}

impl<R: ReadAt> UnpackRead<R> {
    pub(super) fn new(file: R, layers: &[Layer]) -> Self {
        Self { file, unpacker: Unpacker::new(layers), input: Vec::new(), from: 0, at: 0, ended: false }
    }

    /// Fills the buffer up to the end of the file or of its range.
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
        // A head needs only a small part of a large file.
        self.input.resize(wanted.clamp(1 << 12, CHUNK), 0);
        let len = self.file.read_at(self.at, &mut self.input)?;
        self.input.truncate(len);
        self.from = 0;
        self.at += len as u64;
        self.ended = len == 0;
        Ok(())
    }

    /// The distance to another range of the file; see [`Unpacker::distance`].
    pub(super) fn distance(&self, layers: &[Layer]) -> Option<u64> {
        self.unpacker.distance(layers)
    }

    /// Continues with another range of the file; see [`Unpacker::go_on`].
    pub(super) fn go_on(&mut self, layers: &[Layer]) -> bool {
        self.unpacker.go_on(layers)
    }

    /// The position in the packed file.
    pub(super) fn position(&self) -> u64 {
        self.at
    }

    /// Its layers of packing, as far as known.
    pub(super) fn layers(&self) -> &[Layer] {
        self.unpacker.layers()
    }

    /// The damage of the packed data, once all was read.
    pub(super) fn damage(&self) -> Option<String> {
        if self.is_over() { self.unpacker.damage() } else { None }
    }
}
