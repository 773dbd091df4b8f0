//! Lines of a text that arrives in chunks.

/// Splits chunks into lines; memory has at most an incomplete line and the chunk.
#[derive(Debug, Default)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// Bytes of the buffer that were filled.
    filled: usize,
    /// The byte of the file at which the buffer begins.
    start: u64,
}

impl Lines {
    /// Room for the next `len` bytes.
    pub(super) fn space(&mut self, len: usize) -> &mut [u8] {
        self.buffer.resize(self.filled + len, 0);
        &mut self.buffer[self.filled..]
    }

    /// Takes the first `len` bytes of the room, and passes complete lines to `line`, with their positions.
    pub(super) fn advance(&mut self, len: usize, mut line: impl FnMut(&[u8], u64)) {
        self.filled += len;
        let mut at = 0;
        while let Some(end) = self.buffer[at..self.filled].iter().position(|byte| *byte == b'\n') {
            line(without_return(&self.buffer[at..at + end]), self.start + at as u64);
            at += end + 1;
        }
        self.buffer.copy_within(at..self.filled, 0);
        self.filled -= at;
        self.start += at as u64;
    }

    /// The last line, if no line end follows it.
    pub(super) fn rest(&self) -> Option<(&[u8], u64)> {
        (self.filled > 0).then(|| (without_return(&self.buffer[..self.filled]), self.start))
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_however_the_text_is_cut() {
        let text = b"one\r\n\ntwo\nlast";
        for chunk in 1..=text.len() {
            let mut lines = Lines::default();
            let mut found: Vec<(Vec<u8>, u64)> = Vec::new();
            for piece in text.chunks(chunk) {
                lines.space(piece.len()).copy_from_slice(piece);
                lines.advance(piece.len(), |line, at| found.push((line.to_vec(), at)));
            }
            found.extend(lines.rest().map(|(line, at)| (line.to_vec(), at)));
            let expected = [(&b"one"[..], 0), (b"", 5), (b"two", 6), (b"last", 10)];
            assert_eq!(found, expected.map(|(line, at)| (line.to_vec(), at)), "{chunk}");
        }
    }
}
