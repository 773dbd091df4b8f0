//! Gzip in chunks: any number of members, and the readable part of a damaged file.
//!
//! It is used natively and in the browser. The browser's own inflater is slower, since it returns small chunks, each
//! through a promise. It also fails at a second member, and loses all output of a damaged file.

use flate2::{Decompress, FlushDecompress, Status};

/// Whether a file starts like gzip.
#[must_use]
pub fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(&[0x1f, 0x8b])
}

/// Inflates a gzip file that arrives in chunks.
pub struct Gunzipper {
    inflate: Decompress,
    state: State,
    members: u64,
    /// Bytes of the compressed file consumed so far.
    position: u64,
}

/// The position within a member.
enum State {
    /// Collecting the header; the bytes so far.
    Header(Vec<u8>),
    Body {
        crc: flate2::Crc,
    },
    /// Collecting checksum and length.
    Trailer {
        crc: flate2::Crc,
        bytes: Vec<u8>,
    },
    /// After the last member: padding.
    Padding,
    Broken(String),
}

/// The longest plausible header: names and comments are short.
const LONGEST_HEADER: usize = 1 << 16;

impl Default for Gunzipper {
    fn default() -> Self {
        Self { inflate: Decompress::new(false), state: State::Header(Vec::new()), members: 0, position: 0 }
    }
}

impl Gunzipper {
    /// Inflates some of `input` into `output`; returns how much of each was used.
    ///
    /// To be called again with the rest until all input is used and the output is not filled.
    pub fn push(&mut self, input: &[u8], output: &mut [u8]) -> (usize, usize) {
        let (mut used, mut written) = (0, 0);
        loop {
            let rest = &input[used..];
            match &mut self.state {
                State::Header(_) => {
                    if rest.is_empty() {
                        break;
                    }
                    used += self.header(rest);
                }
                State::Body { crc } => {
                    if written == output.len() {
                        break;
                    }
                    let (before_in, before_out) = (self.inflate.total_in(), self.inflate.total_out());
                    let result = self.inflate.decompress(rest, &mut output[written..], FlushDecompress::None);
                    let moved = |before: u64, after: u64| usize::try_from(after - before).unwrap_or_default();
                    let consumed = moved(before_in, self.inflate.total_in());
                    let produced = moved(before_out, self.inflate.total_out());
                    crc.update(&output[written..written + produced]);
                    used += consumed;
                    written += produced;
                    match result {
                        Ok(Status::StreamEnd) => {
                            let crc = std::mem::take(crc);
                            self.state = State::Trailer { crc, bytes: Vec::new() };
                        }
                        Ok(_) if consumed == 0 && produced == 0 => break,
                        Ok(_) => {}
                        Err(_) => self.state = State::Broken("the deflate data is not valid".into()),
                    }
                }
                State::Trailer { .. } => {
                    if rest.is_empty() {
                        break;
                    }
                    used += self.trailer(rest);
                }
                State::Padding | State::Broken(_) => {
                    used = input.len();
                    break;
                }
            }
        }
        self.position += used as u64;
        (used, written)
    }

    /// The damage of the file, after its last bytes; none if it is complete.
    #[must_use]
    pub fn finish(&self) -> Option<String> {
        let at = self.position;
        match &self.state {
            State::Header(header) if header.is_empty() && self.members > 0 => None,
            State::Padding => None,
            State::Broken(what) => Some(format!("{what} (byte {at} of the compressed file)")),
            _ => Some(format!("the file ends early (byte {at} of the compressed file)")),
        }
    }

    fn header(&mut self, rest: &[u8]) -> usize {
        let State::Header(header) = &mut self.state else {
            return 0;
        };
        let before = header.len();
        header.extend_from_slice(rest);
        match header_len(header) {
            HeaderLen::Whole(len) => {
                self.inflate.reset(false);
                self.state = State::Body { crc: flate2::Crc::new() };
                len.saturating_sub(before)
            }
            HeaderLen::More if header.len() < LONGEST_HEADER => rest.len(),
            HeaderLen::No | HeaderLen::More => {
                // Zeros after the last member are padding (tar and tapes); anything else is reported.
                let padding = self.members > 0 && header.iter().all(|byte| *byte == 0);
                let what = "something other than gzip data follows";
                self.state = if padding { State::Padding } else { State::Broken(what.into()) };
                rest.len()
            }
        }
    }

    fn trailer(&mut self, rest: &[u8]) -> usize {
        let State::Trailer { crc, bytes } = &mut self.state else {
            return 0;
        };
        let take = rest.len().min(8 - bytes.len());
        bytes.extend_from_slice(&rest[..take]);
        if let [c0, c1, c2, c3, n0, n1, n2, n3] = bytes[..] {
            let right = u32::from_le_bytes([c0, c1, c2, c3]) == crc.sum()
                && u32::from_le_bytes([n0, n1, n2, n3]) == crc.amount();
            self.members += 1;
            self.state = if right { State::Header(Vec::new()) } else { State::Broken("the checksum is wrong".into()) };
        }
        take
    }
}

enum HeaderLen {
    Whole(usize),
    More,
    No,
}

/// The length of a member's header (RFC 1952, section 2.3).
fn header_len(bytes: &[u8]) -> HeaderLen {
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    const CHECKSUM: u8 = 2;
    if !bytes.starts_with(&[0x1f, 0x8b, 8][..bytes.len().min(3)]) {
        return HeaderLen::No;
    }
    let Some(flags) = bytes.get(3).copied().filter(|_| bytes.len() >= 10) else {
        return HeaderLen::More;
    };
    let mut at = 10;
    if flags & EXTRA != 0 {
        let Some([low, high]) = bytes.get(at..at + 2).and_then(<[u8]>::first_chunk).copied() else {
            return HeaderLen::More;
        };
        at += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for flag in [NAME, COMMENT] {
        if flags & flag != 0 {
            let Some(end) = bytes.get(at..).and_then(|text| text.iter().position(|byte| *byte == 0)) else {
                return HeaderLen::More;
            };
            at += end + 1;
        }
    }
    if flags & CHECKSUM != 0 {
        at += 2;
    }
    if bytes.len() >= at { HeaderLen::Whole(at) } else { HeaderLen::More }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn member(text: &[u8]) -> Vec<u8> {
        let mut encoder =
            flate2::GzBuilder::new().filename("trace.json").comment("x").write(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).expect("writing to memory");
        encoder.finish().expect("writing to memory")
    }

    fn inflate(file: &[u8], chunk: usize, room: usize) -> (Vec<u8>, Option<String>) {
        let mut gunzip = Gunzipper::default();
        let mut text = Vec::new();
        let mut output = vec![0; room];
        for mut input in file.chunks(chunk) {
            loop {
                let (used, written) = gunzip.push(input, &mut output);
                text.extend_from_slice(&output[..written]);
                input = &input[used..];
                if input.is_empty() && written < room {
                    break;
                }
            }
        }
        (text, gunzip.finish())
    }

    #[test]
    fn members_in_chunks_of_any_size() {
        let text: Vec<u8> = (0..5000_u32).flat_map(|n| n.to_string().into_bytes()).collect();
        let mut file = member(&text);
        file.extend(member(b""));
        file.extend(member(b"the end"));
        for chunk in [1, 2, 7, 100, 1 << 20] {
            for room in [1, 13, 1 << 16] {
                let (found, end) = inflate(&file, chunk, room);
                assert_eq!(end, None, "chunk {chunk}, room {room}");
                assert!(found.starts_with(&text) && found.ends_with(b"the end") && found.len() == text.len() + 7);
            }
        }
        file.extend([0; 100]);
        assert_eq!(inflate(&file, 9, 99).1, None, "zeros behind the end are padding");
    }

    #[test]
    fn damage_is_told_and_what_came_before_is_kept() {
        let file = member(&b"some text that repeats ".repeat(1000));
        let (text, end) = inflate(&file[..file.len() - 20], 50, 1000);
        assert!(text.starts_with(b"some text") && end.is_some());
        let mut wrong_checksum = file.clone();
        let last = wrong_checksum.len() - 6;
        wrong_checksum[last] ^= 1;
        let (text, end) = inflate(&wrong_checksum, 50, 1000);
        assert_eq!(text.len(), 23_000);
        assert!(end.is_some_and(|what| what.contains("checksum")));
        let mut junk = file;
        junk.extend(b"junk");
        assert!(inflate(&junk, 50, 1000).1.is_some());
    }
}
