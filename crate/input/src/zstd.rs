//! Zstandard in chunks: any number of frames, skippable ones among them.
//!
//! `ruzstd` decodes whole blocks from a reader. Here a block is collected until it is complete (at most 128 KiB),
//! decoded, and returned before the next one. Memory is the frame's window, at most 128 MiB as with the `zstd`
//! program. It is allocated as data arrives, not as a header claims. The crate needs no C, and so works in wasm.
//!
//! Written after RFC 8878. Dictionaries are not supported: nothing names one.

use std::io::Read;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Whether data starts like Zstandard, given its first four bytes.
pub(super) fn is_zstd(head: &[u8]) -> bool {
    head.first_chunk()
        .is_some_and(|magic| matches!(u32::from_le_bytes(*magic), FRAME | SKIPPABLE_FIRST..=SKIPPABLE_LAST))
}

const FRAME: u32 = 0xfd2f_b528;
const SKIPPABLE_FIRST: u32 = 0x184d_2a50;
const SKIPPABLE_LAST: u32 = 0x184d_2a5f;

/// The longest block, as the format has it.
const LONGEST_BLOCK: usize = 128 << 10;

/// Unpacks Zstandard that arrives in chunks.
pub(super) struct Unzstd {
    state: State,
    /// Packed bytes of an incomplete header or block.
    pending: Vec<u8>,
    frames: u64,
    /// Packed bytes consumed so far.
    position: u64,
}

enum State {
    /// Between two frames.
    Between,
    /// In a skippable frame; the number of bytes left.
    Skipping(u64),
    Blocks {
        decoder: Box<FrameDecoder>,
        checksum: bool,
        /// The reason why the frame ends before its last block.
        broken: Option<String>,
    },
    /// After the last frame: zeros.
    Padding,
    Broken(String),
}

impl Default for Unzstd {
    fn default() -> Self {
        Self { state: State::Between, pending: Vec::new(), frames: 0, position: 0 }
    }
}

impl Unzstd {
    /// Unpacks some of `input` into `output`; returns how much of each was used.
    pub(super) fn push(&mut self, input: &[u8], output: &mut [u8]) -> (usize, usize) {
        let (mut used, mut written) = (0, 0);
        loop {
            let rest = &input[used..];
            match &mut self.state {
                State::Between => match header_len(&self.pending) {
                    Header::More(len) if !rest.is_empty() => used += take(&mut self.pending, rest, len),
                    Header::More(_) => break,
                    header => self.begin(header),
                },
                State::Skipping(left) => {
                    let skipped = rest.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                    *left -= skipped as u64;
                    used += skipped;
                    if *left > 0 {
                        break;
                    }
                    self.state = State::Between;
                }
                State::Blocks { decoder, checksum, broken } => {
                    // Decoded bytes are returned first, so that at most a block is buffered beside the window.
                    if decoder.can_collect() > 0 {
                        if written == output.len() {
                            break;
                        }
                        written += decoder.read(&mut output[written..]).unwrap_or_default();
                    } else if let Some(what) = broken.take() {
                        self.state = State::Broken(what);
                    } else if decoder.is_finished() {
                        let right = !*checksum || decoder.get_checksum_from_data() == decoder.get_calculated_checksum();
                        self.frames += 1;
                        self.state =
                            if right { State::Between } else { State::Broken("the checksum is wrong".to_owned()) };
                    } else {
                        let len = block_len(&self.pending, *checksum);
                        if self.pending.len() < len {
                            if rest.is_empty() {
                                break;
                            }
                            used += take(&mut self.pending, rest, len);
                            continue;
                        }
                        let result = decoder.decode_blocks(&self.pending[..], BlockDecodingStrategy::UptoBlocks(1));
                        self.pending.clear();
                        if result.is_err() {
                            *broken = close(decoder, "the Zstandard data is not valid");
                        }
                    }
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

    /// Signals the end of the input: the next [`push`](Self::push) returns buffered bytes.
    pub(super) fn end(&mut self) {
        if let State::Blocks { decoder, broken, .. } = &mut self.state
            && broken.is_none()
            && !decoder.is_finished()
        {
            *broken = close(decoder, "the file ends early");
        }
    }

    /// The damage of the data, after its last bytes; none if it is complete.
    pub(super) fn finish(&self) -> Option<String> {
        let at = self.position;
        match &self.state {
            State::Between if self.pending.is_empty() && self.frames > 0 => None,
            State::Padding => None,
            State::Broken(what) => Some(format!("{what} (byte {at} of the compressed file)")),
            _ => Some(format!("the file ends early (byte {at} of the compressed file)")),
        }
    }

    /// Begins what a complete header announces.
    fn begin(&mut self, header: Header) {
        self.state = match header {
            Header::Skippable(len) => {
                self.frames += 1;
                State::Skipping(len)
            }
            Header::Frame { checksum } => {
                // A new decoder for each frame: a reused one allocates the window that a header claims.
                let mut decoder = Box::new(FrameDecoder::new());
                match decoder.init(&self.pending[..]) {
                    Ok(()) => State::Blocks { decoder, checksum, broken: None },
                    Err(error) => State::Broken(format!("a frame that cannot be read: {error}")),
                }
            }
            // Zeros after the last frame are padding (tapes); anything else is reported.
            Header::No if self.frames > 0 && self.pending.iter().all(|byte| *byte == 0) => State::Padding,
            Header::No | Header::More(_) => State::Broken("something other than Zstandard data follows".to_owned()),
        };
        self.pending.clear();
    }
}

/// Ends a frame early: the decoder keeps a window of output until it reads a last block, here an empty one.
fn close(decoder: &mut FrameDecoder, why: &str) -> Option<String> {
    const EMPTY_BLOCK_AND_CHECKSUM: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];
    let closed = decoder.decode_blocks(&EMPTY_BLOCK_AND_CHECKSUM[..], BlockDecodingStrategy::UptoBlocks(1));
    Some(if closed.is_ok() { why.to_owned() } else { format!("{why}; the last of it is lost") })
}

/// Adds bytes of `rest` until there are `len`; returns how many.
fn take(pending: &mut Vec<u8>, rest: &[u8], len: usize) -> usize {
    let taken = len.saturating_sub(pending.len()).min(rest.len());
    pending.extend_from_slice(&rest[..taken]);
    taken
}

#[derive(Clone, Copy)]
enum Header {
    /// At least this many bytes are needed.
    More(usize),
    Skippable(u64),
    Frame {
        checksum: bool,
    },
    No,
}

/// The content of a frame's header (RFC 8878, sections 3.1.1.1 and 3.1.2).
fn header_len(bytes: &[u8]) -> Header {
    const CHECKSUM: u8 = 4;
    const SINGLE_SEGMENT: u8 = 0x20;
    let Some(magic) = bytes.first_chunk() else { return Header::More(4) };
    match (u32::from_le_bytes(*magic), bytes.get(4), bytes.get(4..8).and_then(<[u8]>::first_chunk)) {
        (SKIPPABLE_FIRST..=SKIPPABLE_LAST, _, Some(len)) => Header::Skippable(u64::from(u32::from_le_bytes(*len))),
        (SKIPPABLE_FIRST..=SKIPPABLE_LAST, _, None) => Header::More(8),
        (FRAME, Some(flags), _) => {
            let single = flags & SINGLE_SEGMENT != 0;
            let dictionary = [0, 1, 2, 4][usize::from(flags & 3)];
            let size = match flags >> 6 {
                0 => usize::from(single),
                log => 1 << log,
            };
            let len = 5 + usize::from(!single) + dictionary + size;
            if bytes.len() < len { Header::More(len) } else { Header::Frame { checksum: flags & CHECKSUM != 0 } }
        }
        (FRAME, None, _) => Header::More(5),
        _ => Header::No,
    }
}

/// The length of a block with its header, and with the checksum after the last one; for an invalid block, the length
/// of the header.
fn block_len(bytes: &[u8], checksum: bool) -> usize {
    const LAST: u32 = 1;
    const RUN: u32 = 1;
    let Some([a, b, c]) = bytes.first_chunk::<3>().copied() else { return 3 };
    let header = u32::from_le_bytes([a, b, c, 0]);
    let size = if (header >> 1) & 3 == RUN { 1 } else { (header >> 3) as usize };
    if size > LONGEST_BLOCK {
        return 3;
    }
    3 + size + if checksum && header & LAST != 0 { 4 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of raw and run-length blocks, written by hand, with the checksum of its text.
    fn frame(blocks: &[&[u8]]) -> Vec<u8> {
        // Window of 1 KiB, with a checksum.
        let mut out = vec![0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x00];
        let mut text = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            let last = u32::from(index + 1 == blocks.len());
            out.extend(&((u32::try_from(block.len()).unwrap() << 3) | last).to_le_bytes()[..3]);
            out.extend_from_slice(block);
            text.extend_from_slice(block);
        }
        out.extend(checksum(&text));
        out
    }

    /// The checksum that the decoder computes for a text.
    fn checksum(text: &[u8]) -> [u8; 4] {
        let packed = ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest);
        let mut decoder = FrameDecoder::new();
        let mut rest = &packed[..];
        decoder.init(&mut rest).unwrap();
        decoder.decode_blocks(&mut rest, BlockDecodingStrategy::All).unwrap();
        let _ = decoder.collect();
        decoder.get_calculated_checksum().unwrap().to_le_bytes()
    }

    fn unpack(file: &[u8], chunk: usize, room: usize) -> (Vec<u8>, Option<String>) {
        let (mut unzstd, mut text, mut output) = (Unzstd::default(), Vec::new(), vec![0; room]);
        for mut input in file.chunks(chunk) {
            loop {
                let (used, written) = unzstd.push(input, &mut output);
                text.extend_from_slice(&output[..written]);
                input = &input[used..];
                if input.is_empty() && written < room {
                    break;
                }
            }
        }
        unzstd.end();
        loop {
            let (_, written) = unzstd.push(&[], &mut output);
            text.extend_from_slice(&output[..written]);
            if written == 0 {
                break;
            }
        }
        (text, unzstd.finish())
    }

    #[test]
    fn frames_in_chunks_of_any_size() {
        let text: Vec<u8> = (0..50_000_u32).flat_map(|n| n.to_string().into_bytes()).collect();
        let mut file = ruzstd::encoding::compress_to_vec(&text[..], ruzstd::encoding::CompressionLevel::Fastest);
        file.extend([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
        file.extend(frame(&[b"hand", b"", b"made"]));
        for (chunk, room) in [(1, 1 << 16), (7, 13), (100, 1), (1 << 20, 1 << 20)] {
            let (found, wrong) = unpack(&file, chunk, room);
            assert_eq!(wrong, None, "chunk {chunk}, room {room}");
            assert!(found.starts_with(&text) && found.ends_with(b"handmade") && found.len() == text.len() + 8);
        }
        file.extend([0; 9]);
        assert_eq!(unpack(&file, 5, 99).1, None, "zeros behind the end are padding");
    }

    #[test]
    fn damage_is_told_and_what_came_before_is_kept() {
        let file = frame(&[b"first, ", b"second"]);
        let (text, wrong) = unpack(&file[..file.len() - 6], 4, 100);
        assert_eq!((&text[..], wrong.unwrap().contains("ends early")), (&b"first, "[..], true));
        let mut flipped = file.clone();
        *flipped.last_mut().unwrap() ^= 1;
        let (text, wrong) = unpack(&flipped, 4, 100);
        assert_eq!((&text[..], wrong.unwrap().contains("checksum")), (&b"first, second"[..], true));
        let mut junk = file.clone();
        junk.extend(b"junk");
        assert!(unpack(&junk, 50, 100).1.unwrap().contains("follows"));
        // A block larger than any, a reserved kind of block, a window of terabytes.
        for (at, bytes) in [(6, &[0xfc, 0xff, 0xff][..]), (6, &[0x07, 0, 0]), (5, &[0xff])] {
            let mut wrong = file.clone();
            wrong[at..at + bytes.len()].copy_from_slice(bytes);
            assert!(unpack(&wrong, 50, 100).1.is_some());
        }
    }
}
