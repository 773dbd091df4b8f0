//! Unpacks data layer by layer, in chunks and in bounded memory.
//!
//! A container's layers are given. Compression within them is found by its first bytes, whatever the file's name,
//! such as a `.json.gz` in a zip archive. UTF-16 text is found in the same way and becomes UTF-8. No memory grows
//! with a size that a header claims, and only the output grows with the data: a decompression bomb takes time, not
//! memory.

use super::gzip::{Gunzipper, is_gzip};
use super::inflate::Entry;
use super::layer::Layer;
use super::utf16::{self, Utf16};
use super::zstd::{Unzstd, is_zstd};

/// The most layers of compression that are detected: ordinary files have one, rarely two.
const MOST_FOUND: usize = 3;

/// The size of the buffer between two layers.
const BETWEEN: usize = 1 << 16;

/// The number of bytes that identify a compression.
const MAGIC: usize = 4;

/// Unpacks a file that arrives in chunks.
pub struct Unpacker {
    stages: Vec<Stage>,
    /// The layers: the given ones, then the detected ones.
    layers: Vec<Layer>,
    /// The number of layers that may still be detected; at 0, detection stops.
    may_find: usize,
    /// The first bytes of the stages' output, until it is known whether they are compressed, too.
    head: Vec<u8>,
    /// Bytes of the head that were returned, once it is known that they are not compressed.
    handed: usize,
}

/// A layer in use.
struct Stage {
    codec: Codec,
    /// The output of the stage before; `from..to` is still to be unpacked.
    input: Vec<u8>,
    from: usize,
    to: usize,
    /// Whether the end of its input was signaled.
    ended: bool,
}

enum Codec {
    Entry(Box<Entry>),
    Gzip(Box<Gunzipper>),
    Zstd(Box<Unzstd>),
    Utf16(Utf16),
    /// The range from `start` to `end` of the previous stage's output, of which `at` bytes were consumed.
    Cut {
        at: u64,
        start: u64,
        end: u64,
    },
}

impl Codec {
    fn cut(at: u64, skip: u64, take: u64) -> Self {
        Self::Cut { at, start: skip, end: skip.saturating_add(take) }
    }

    /// Whether a range is complete: further bytes are left for another one.
    fn is_cut_off(&self) -> bool {
        matches!(self, Self::Cut { at, start, end } if start == end || at >= end)
    }

    fn push(&mut self, input: &[u8], output: &mut [u8]) -> (usize, usize) {
        match self {
            Self::Entry(entry) => entry.push(input, output),
            Self::Gzip(gunzip) => gunzip.push(input, output),
            Self::Zstd(unzstd) => unzstd.push(input, output),
            Self::Utf16(text) => text.push(input, output),
            Self::Cut { at, start, end } => {
                let within = |wanted: u64, len: usize| len.min(usize::try_from(wanted).unwrap_or(usize::MAX));
                let skipped = within(start.saturating_sub(*at), input.len());
                *at += skipped as u64;
                let rest = &input[skipped..];
                let taken = within(end.saturating_sub(*at), rest.len()).min(output.len());
                *at += taken as u64;
                output[..taken].copy_from_slice(&rest[..taken]);
                (skipped + taken, taken)
            }
        }
    }

    /// Signals the end of the input.
    fn end(&mut self) {
        match self {
            Self::Zstd(unzstd) => unzstd.end(),
            Self::Utf16(text) => text.end(),
            Self::Entry(_) | Self::Gzip(_) | Self::Cut { .. } => {}
        }
    }

    fn finish(&self) -> Option<String> {
        match self {
            Self::Entry(entry) => entry.finish(),
            Self::Gzip(gunzip) => gunzip.finish(),
            Self::Zstd(unzstd) => unzstd.finish(),
            // Its reader reports oddities.
            Self::Utf16(_) => None,
            Self::Cut { .. } if self.is_cut_off() => None,
            Self::Cut { at, start, end } => {
                let missing = end - at.max(start);
                Some(format!("the archive ends early: {missing} bytes of this file are missing"))
            }
        }
    }
}

impl Stage {
    fn of(layer: &Layer) -> Self {
        let codec = match *layer {
            Layer::Stored(crc) => Codec::Entry(Box::new(Entry::stored(crc))),
            Layer::Deflate(crc) => Codec::Entry(Box::new(Entry::deflated(crc))),
            Layer::Gzip => Codec::Gzip(Box::default()),
            Layer::Zstd => Codec::Zstd(Box::default()),
            Layer::Utf16 { big_endian } => Codec::Utf16(Utf16::new(big_endian)),
            Layer::Cut { skip, take } => Codec::cut(0, skip, take),
        };
        Self { codec, from: 0, to: 0, input: Vec::new(), ended: false }
    }

    /// The stage with its first input.
    fn with(self, input: Vec<u8>) -> Self {
        Self { to: input.len(), input, ..self }
    }
}

impl Unpacker {
    /// An unpacker for data in these layers, the outermost first.
    #[must_use]
    pub fn new(layers: &[Layer]) -> Self {
        let stages = layers.iter().map(Stage::of).collect();
        Self { stages, layers: layers.to_vec(), may_find: MOST_FOUND, head: Vec::new(), handed: 0 }
    }

    /// The number of bytes between its range and another one, in the output of the layers around both. None if the
    /// other range is before this one, or in other layers.
    #[must_use]
    pub fn distance(&self, layers: &[Layer]) -> Option<u64> {
        let (cut, skip, _) = cut_of(layers)?;
        match self.stages.get(cut)?.codec {
            Codec::Cut { at, .. } if self.layers[..cut] == layers[..cut] => skip.checked_sub(at),
            _ => None,
        }
    }

    /// Continues with another range of the same data, without unpacking again what is before it. Returns whether it
    /// could; [`distance`](Self::distance) shows that beforehand.
    pub fn go_on(&mut self, layers: &[Layer]) -> bool {
        let Some((cut, skip, take)) = cut_of(layers).filter(|_| self.distance(layers).is_some()) else { return false };
        self.stages.truncate(cut + 1);
        if let Some(Codec::Cut { start, end, .. }) = self.stages.last_mut().map(|stage| &mut stage.codec) {
            (*start, *end) = (skip, skip.saturating_add(take));
        }
        self.stages.extend(layers[cut + 1..].iter().map(Stage::of));
        self.layers = layers.to_vec();
        self.may_find = MOST_FOUND;
        self.head.clear();
        self.handed = 0;
        true
    }

    /// Unpacks some of `input` into `output`; returns how much of each was used.
    ///
    /// To be called again with the rest until all input is used and the output is not filled. It may be
    /// [done](Self::is_done) earlier: the rest then belongs to another range.
    pub fn push(&mut self, input: &[u8], output: &mut [u8]) -> (usize, usize) {
        self.unpack(input, output, false)
    }

    /// Returns buffered bytes after the end of the input. To be called again until it returns 0.
    pub fn end(&mut self, output: &mut [u8]) -> usize {
        let (_, written) = self.unpack(&[], output, true);
        if written > 0 || self.may_find == 0 {
            return written;
        }
        // The data was too short to be checked for compression.
        self.may_find = 0;
        self.unpack(&[], output, true).1
    }

    fn unpack(&mut self, input: &[u8], output: &mut [u8], ended: bool) -> (usize, usize) {
        let mut rest = input;
        while self.may_find > 0 {
            let known = self.head.len();
            let mut more = [0; MAGIC];
            let len = fill(&mut self.stages, &mut rest, &mut more[known..], ended);
            self.head.extend_from_slice(&more[known..known + len]);
            match compression(&self.head) {
                Some(found) => {
                    self.stages.push(Stage::of(&found).with(std::mem::take(&mut self.head)));
                    self.layers.push(found);
                    self.may_find -= 1;
                }
                None if self.head.len() == MAGIC || !may_be_compressed(&self.head) => self.may_find = 0,
                None => return (input.len() - rest.len(), 0),
            }
        }
        let head = &self.head[self.handed..];
        let given = head.len().min(output.len());
        output[..given].copy_from_slice(&head[..given]);
        self.handed += given;
        let written = given + fill(&mut self.stages, &mut rest, &mut output[given..], ended);
        (input.len() - rest.len(), written)
    }

    /// Whether the rest of the input is not needed: the range is complete.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.stages.iter().any(|stage| stage.codec.is_cut_off())
    }

    /// The layers: the given ones, then those detected so far.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The damage of the file and its position, once [`end`](Self::end) returns 0; none if the file is complete.
    #[must_use]
    pub fn damage(&self) -> Option<String> {
        // After a complete range, the layers around it need not be complete.
        let cut = self.stages.iter().rposition(|stage| stage.codec.is_cut_off());
        let inner = &self.stages[cut.map_or(0, |cut| cut + 1)..];
        // The outermost damage causes the others.
        inner.iter().find_map(|stage| stage.codec.finish())
    }
}

/// The last range among the layers: its index, the bytes before it, and its length.
fn cut_of(layers: &[Layer]) -> Option<(usize, u64, u64)> {
    layers.iter().enumerate().rev().find_map(|(index, layer)| match *layer {
        Layer::Cut { skip, take } => Some((index, skip, take)),
        _ => None,
    })
}

/// The compression or text encoding of the data, by its first bytes.
fn compression(head: &[u8]) -> Option<Layer> {
    if head.len() >= MAGIC && is_zstd(head) {
        return Some(Layer::Zstd);
    }
    if let Some(big_endian) = utf16::byte_order(head) {
        return Some(Layer::Utf16 { big_endian });
    }
    (head.len() >= 2 && is_gzip(head)).then_some(Layer::Gzip)
}

/// Whether more bytes may turn these into the beginning of compressed data.
fn may_be_compressed(head: &[u8]) -> bool {
    const MAGICS: [&[u8]; 2] = [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd]];
    let skippable = match head {
        [] => true,
        [first, rest @ ..] => (0x50..=0x5f).contains(first) && [0x2a, 0x4d, 0x18].starts_with(rest),
    };
    skippable || utf16::may_be(head) || MAGICS.iter().any(|magic| magic.starts_with(head))
}

/// Fills `output` from `input` through the stages, as far as possible; `ended` if no more input follows.
fn fill(stages: &mut [Stage], input: &mut &[u8], output: &mut [u8], ended: bool) -> usize {
    let Some((last, before)) = stages.split_last_mut() else {
        let len = input.len().min(output.len());
        output[..len].copy_from_slice(&input[..len]);
        *input = &input[len..];
        return len;
    };
    if last.codec.is_cut_off() {
        // Further output of the stages before belongs to another range.
        return 0;
    }
    let mut written = 0;
    loop {
        // Directly from the input if no stage is between.
        let direct = before.is_empty() && last.from == last.to;
        if !direct && last.from == last.to {
            last.input.resize(BETWEEN, 0);
            last.from = 0;
            last.to = fill(before, input, &mut last.input, ended);
        }
        let dry = if direct { input.is_empty() } else { last.from == last.to };
        if dry && ended && !last.ended {
            last.ended = true;
            last.codec.end();
        }
        let source = if direct { *input } else { &last.input[last.from..last.to] };
        let (used, given) = last.codec.push(source, &mut output[written..]);
        if direct {
            *input = &input[used..];
        } else {
            last.from += used;
        }
        written += given;
        if written == output.len() || given == 0 && (dry || used == 0) {
            return written;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn deflate(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
    }

    fn crc(text: &[u8]) -> u32 {
        let mut crc = flate2::Crc::new();
        crc.update(text);
        crc.sum()
    }

    fn unpack(layers: &[Layer], file: &[u8], chunk: usize, room: usize) -> (Vec<u8>, Option<String>) {
        let (mut unpacker, mut text, mut output) = (Unpacker::new(layers), Vec::new(), vec![0; room]);
        for mut input in file.chunks(chunk) {
            loop {
                let (used, written) = unpacker.push(input, &mut output);
                text.extend_from_slice(&output[..written]);
                input = &input[used..];
                if (input.is_empty() || unpacker.is_done()) && written < room {
                    break;
                }
            }
        }
        loop {
            let written = unpacker.end(&mut output);
            text.extend_from_slice(&output[..written]);
            if written == 0 {
                return (text, unpacker.damage());
            }
        }
    }

    #[test]
    fn compression_inside_of_containers_is_found() {
        let text = b"{\"traceEvents\": []}".repeat(5000);
        let utf16 =
            |text: &[u8]| [&b"\xff\xfe"[..], &text.iter().flat_map(|byte| [*byte, 0]).collect::<Vec<u8>>()].concat();
        let files: [(&[Layer], Vec<u8>); 9] = [
            (&[], utf16(&text)),
            (&[], gzip(&utf16(&text))),
            (&[], text.clone()),
            (&[], gzip(&zstd(&text))),
            (&[Layer::Deflate(Some(crc(&gzip(&text))))], deflate(&gzip(&text))),
            (&[Layer::Stored(Some(crc(&zstd(&text))))], zstd(&text)),
            (&[Layer::Zstd, Layer::Stored(Some(crc(&text)))], zstd(&text)),
            (
                &[Layer::Gzip, Layer::Cut { skip: 3, take: gzip(&text).len() as u64 }],
                gzip(&[b"abc", &gzip(&text)[..], b"de"].concat()),
            ),
            (&[Layer::Cut { skip: 1, take: text.len() as u64 }], [b"x", &text[..], b"y"].concat()),
        ];
        for (layers, file) in files {
            for (chunk, room) in [(1, 1 << 16), (5, 7), (1000, 3), (1 << 20, 1 << 20)] {
                let (found, damage) = unpack(layers, &file, chunk, room);
                assert!(found == text && damage.is_none(), "{layers:?}, chunk {chunk}, room {room}: {damage:?}");
            }
        }
    }

    #[test]
    fn few_bytes_are_kept_and_layers_are_not_without_end() {
        for text in [&b""[..], b"[", b"[1", b"P*", b"(", b"{}", b"\xff", b"\xfe\xff", b"\xff\xfe1", b"\xff\xfe\0\0"] {
            for chunk in [1, 10] {
                assert_eq!(unpack(&[], text, chunk, 1), (text.to_vec(), None));
            }
        }
        let mut file = b"core".to_vec();
        for _ in 0..MOST_FOUND + 1 {
            file = gzip(&file);
        }
        assert_eq!(unpack(&[], &file, 9, 9), (gzip(b"core"), None), "the innermost is left as it is");
    }

    #[test]
    fn damage_is_that_of_the_outermost_layer() {
        let text = b"some text that repeats ".repeat(3000);
        for file in [gzip(&zstd(&text)), zstd(&gzip(&text)), gzip(&text), zstd(&text)] {
            let cut = &file[..file.len() - 9];
            let (found, damage) = unpack(&[], cut, 100, 1000);
            assert!(text.starts_with(&found), "what came before is kept");
            let ends_early = format!("the file ends early (byte {} of the compressed file)", cut.len());
            assert_eq!(damage, Some(ends_early));
        }
        let deflated = deflate(&text);
        let wrong = unpack(&[Layer::Deflate(Some(7))], &deflated, 50, 1000);
        assert!(wrong.0 == text && wrong.1.unwrap().starts_with("the checksum is wrong"));
        let early = unpack(&[Layer::Deflate(None)], &deflated[..deflated.len() / 2], 50, 1000);
        assert!(early.1.unwrap().starts_with("the data ends early"));
        let cut = unpack(&[Layer::Cut { skip: 5, take: 10 }], b"0123456789", 3, 3);
        assert_eq!(cut, (b"56789".to_vec(), Some("the archive ends early: 5 bytes of this file are missing".into())));
    }

    #[test]
    fn pieces_one_after_the_other_are_unpacked_in_one_pass() {
        let texts: Vec<Vec<u8>> = (0..40_u32).map(|n| n.to_string().repeat(n as usize * 50).into_bytes()).collect();
        let stored: Vec<Vec<u8>> =
            texts.iter().enumerate().map(|(n, text)| if n % 3 == 0 { gzip(text) } else { text.clone() }).collect();
        let mut skip = 0;
        let pieces: Vec<[Layer; 2]> = stored
            .iter()
            .map(|piece| {
                skip += piece.len() as u64;
                [Layer::Gzip, Layer::Cut { skip: skip - piece.len() as u64, take: piece.len() as u64 }]
            })
            .collect();
        let file = gzip(&stored.concat());
        for (chunk, room) in [(1, 1 << 16), (7, 5), (1 << 16, 100), (1 << 20, 1 << 20)] {
            let mut unpacker = Unpacker::new(&pieces[0]);
            let (mut input, mut used_all) = (&file[..], 0);
            let mut output = vec![0; room];
            for (n, piece) in pieces.iter().enumerate() {
                if n % 7 == 5 {
                    continue;
                }
                assert!(n == 0 || unpacker.go_on(piece), "piece {n}");
                let mut text = Vec::new();
                while !unpacker.is_done() && !input.is_empty() {
                    let (used, written) = unpacker.push(&input[..chunk.min(input.len())], &mut output);
                    text.extend_from_slice(&output[..written]);
                    input = &input[used..];
                    used_all += used;
                }
                loop {
                    let written = unpacker.end(&mut output);
                    text.extend_from_slice(&output[..written]);
                    if written == 0 {
                        break;
                    }
                }
                assert!(text == texts[n] && unpacker.damage().is_none(), "piece {n}, chunk {chunk}, room {room}");
            }
            assert!(used_all <= file.len());
            assert_eq!(unpacker.distance(&pieces[3]), None, "it is behind");
            assert!(!unpacker.go_on(&[Layer::Zstd, pieces[39][1]]), "packed otherwise");
        }
    }

    proptest! {
        /// Any bytes, complete or damaged, give the same output in any chunks, and end.
        #[test]
        fn chunks_make_no_difference(
            text in proptest::collection::vec(prop_oneof![Just(b'a'), any::<u8>()], 0..3000),
            packing in 0..6,
            damage in proptest::option::of((any::<prop::sample::Index>(), any::<u8>())),
            chunk in 1_usize..400,
            room in 1_usize..400,
        ) {
            let (layers, mut file): (&[Layer], _) = match packing {
                0 => (&[], gzip(&text)),
                1 => (&[], zstd(&text)),
                2 => (&[Layer::Deflate(None)], deflate(&gzip(&text))),
                3 => (&[Layer::Gzip, Layer::Cut { skip: 10, take: 50 }], gzip(&text)),
                4 => (&[Layer::Utf16 { big_endian: true }], text.clone()),
                _ => (&[], text.clone()),
            };
            if let Some((at, byte)) = damage && !file.is_empty() {
                let at = at.index(file.len());
                file[at] = byte;
            }
            let whole = unpack(layers, &file, 1 << 20, 1 << 20);
            prop_assert_eq!(unpack(layers, &file, chunk, room), whole);
        }
    }
}
