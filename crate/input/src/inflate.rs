//! Data of an archive's entries: raw deflate or stored bytes, with a checksum.

use flate2::{Crc, Decompress, FlushDecompress, Status};

/// Unpacks an archive's entry that arrives in chunks, and checks it.
pub(super) struct Entry {
    /// None for stored bytes.
    inflate: Option<Decompress>,
    crc: Crc,
    /// The checksum in the archive, if it has one.
    expected: Option<u32>,
    state: State,
    /// Packed bytes consumed so far.
    position: u64,
}

enum State {
    Open,
    Ended,
    Broken(&'static str),
}

impl Entry {
    pub(super) fn deflated(expected: Option<u32>) -> Self {
        Self { inflate: Some(Decompress::new(false)), ..Self::stored(expected) }
    }

    pub(super) fn stored(expected: Option<u32>) -> Self {
        Self { inflate: None, crc: Crc::new(), expected, state: State::Open, position: 0 }
    }

    /// Unpacks some of `input` into `output`; returns how much of each was used.
    pub(super) fn push(&mut self, input: &[u8], output: &mut [u8]) -> (usize, usize) {
        let (mut used, mut written) = (0, 0);
        while let (State::Open, rest, room) = (&self.state, &input[used..], &mut output[written..]) {
            let (consumed, produced) = match &mut self.inflate {
                None => {
                    let len = rest.len().min(room.len());
                    room[..len].copy_from_slice(&rest[..len]);
                    (len, len)
                }
                Some(_) if room.is_empty() => (0, 0),
                Some(inflate) => {
                    let before = (inflate.total_in(), inflate.total_out());
                    match inflate.decompress(rest, room, FlushDecompress::None) {
                        Ok(Status::StreamEnd) => self.state = State::Ended,
                        Ok(_) => {}
                        Err(_) => self.state = State::Broken("the deflate data is not valid"),
                    }
                    let moved = |before: u64, after: u64| usize::try_from(after - before).unwrap_or_default();
                    (moved(before.0, inflate.total_in()), moved(before.1, inflate.total_out()))
                }
            };
            self.crc.update(&output[written..written + produced]);
            used += consumed;
            written += produced;
            if consumed == 0 && produced == 0 {
                break;
            }
        }
        if !matches!(self.state, State::Open) {
            // Bytes after the end are not the entry's.
            used = input.len();
        }
        self.position += used as u64;
        (used, written)
    }

    /// The damage of the entry, after its last bytes; none if it is complete.
    pub(super) fn finish(&self) -> Option<String> {
        let what = match self.state {
            State::Broken(what) => what,
            State::Open if self.inflate.is_some() => "the data ends early",
            _ if self.expected.is_some_and(|expected| expected != self.crc.sum()) => "the checksum is wrong",
            State::Open | State::Ended => return None,
        };
        Some(format!("{what} (byte {} of the archive's entry)", self.position))
    }
}

/// Measures deflate data of unknown length: the number of bytes read until it ends.
pub(super) struct Measure {
    inflate: Decompress,
    scrap: Vec<u8>,
}

impl Measure {
    pub(super) fn new() -> Self {
        Self { inflate: Decompress::new(false), scrap: vec![0; 1 << 16] }
    }

    /// Takes the next packed bytes. Returns the length of all data once its end is read, none before that, and an
    /// error if it is damaged.
    pub(super) fn push(&mut self, mut input: &[u8]) -> Result<Option<u64>, ()> {
        loop {
            let before = (self.inflate.total_in(), self.inflate.total_out());
            let status = self.inflate.decompress(input, &mut self.scrap, FlushDecompress::None).map_err(|_| ())?;
            if status == Status::StreamEnd {
                return Ok(Some(self.inflate.total_in()));
            }
            let used = usize::try_from(self.inflate.total_in() - before.0).unwrap_or_default();
            input = &input[used..];
            if before == (self.inflate.total_in(), self.inflate.total_out()) {
                return Ok(None);
            }
        }
    }
}
