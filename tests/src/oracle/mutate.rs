//! Damage, as from cut copies, bad disks and careless writers.

use crate::generator::Random;

/// Makes damaged copies; equal seeds make equal ones.
#[derive(Clone, Debug)]
pub struct Mutations(Random);

/// Bytes with a meaning for a tokenizer, and others.
const TELLING: [u8; 24] = *b"{}[]\",:\\ \n\x00\x01\x1f\x7f\x80\xc3\xff0-.eEun";

/// Pieces that careless writers put in wrong places.
const PIECES: [&[u8]; 44] = [
    b"NaN",
    b"-Infinity",
    b"None",
    b"True",
    b"N/A",
    b"word",
    b"+1",
    b".5",
    b"1.",
    b"007",
    b"0x1f",
    b"1e999",
    b"-",
    b"\"",
    b" \"quoted\" ",
    b"\\q",
    b"\\",
    b"\\ud83d",
    b"\\u12",
    b"C:\\new\\x",
    b"\n",
    b"\t",
    b"\x00\x00\x00\x00",
    b"\xe9",
    b"\xf0\x9f",
    b"\xef\xbb\xbf",
    b",",
    b",,",
    b", ",
    b":",
    b"[",
    b"]",
    b"{",
    b"}",
    b"]}",
    b"}]",
    b"},{",
    b"},\n{\"ph\":\"X\",",
    b"\n{\"ph\":",
    b"'",
    b"/* */",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    b"\"traceEvents\":[",
    b"{\"traceEvents\": [{\"ph\":\"X\"}]}",
];

impl Mutations {
    /// Damage of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// A copy with one to four damages.
    #[must_use]
    pub fn damage(&mut self, text: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        for _ in 0..self.0.range(1, 4) {
            self.once(&mut text);
        }
        text
    }

    /// A copy with one to four damages, in one of three cases with a piece of another file, or with pieces in another
    /// order.
    #[must_use]
    pub fn spliced(&mut self, text: &[u8], other: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        match self.0.range(0, 5) {
            0 => {
                let (from, at) = (self.place(other.len()), self.place(text.len()));
                let piece = &other[from..other.len().min(from + self.place(8000) + 1)];
                let gone = if self.0.percent(50) { piece.len() } else { 0 };
                text.splice(at..text.len().min(at + gone), piece.iter().copied());
            }
            1 => {
                let (first, second) = (self.place(text.len()), self.place(text.len()));
                let (from, to) = (first.min(second), first.max(second));
                let middle = from + self.place(to - from + 1);
                text[from..to].rotate_left(middle - from);
            }
            _ => {}
        }
        self.damage(&text)
    }

    /// A copy with one to twelve damages that move nothing, and now and then one that is cut.
    #[must_use]
    pub fn in_place(&mut self, text: &[u8], other: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        for _ in 0..self.0.range(1, 12) {
            let at = self.place(text.len());
            let room = text.len() - at;
            match self.0.range(0, 5) {
                0 | 1 => text.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << self.0.range(0, 7)),
                2 => text.iter_mut().skip(at).take(1).for_each(|byte| *byte = self.0.pick(&TELLING)),
                3 => {
                    let value =
                        self.0.pick(&[0_u64, 1, 0x7f, 0xffff_ffff, 0x7fff_ffff, 1 << 40, u64::MAX, u64::MAX >> 1]);
                    let length = room.min(self.0.pick(&[1, 2, 4, 8]));
                    text[at..at + length].copy_from_slice(&value.to_le_bytes()[..length]);
                }
                4 => {
                    let from = self.place(text.len());
                    let length = (self.place(64) + 1).min(room).min(text.len() - from);
                    text.copy_within(from..from + length, at);
                }
                _ => {
                    let from = self.place(other.len());
                    let length = (self.place(512) + 1).min(room).min(other.len() - from);
                    text[at..at + length].copy_from_slice(&other[from..from + length]);
                }
            }
        }
        if self.0.percent(8) {
            text.truncate(self.place(text.len()));
        }
        text
    }

    /// Puts parts in another order, once to three times: copied, moved, left out, exchanged, turned round, replaced with or
    /// followed by those of another file.
    pub fn rearrange<T: Clone>(&mut self, parts: &mut Vec<T>, others: &[T]) {
        for _ in 0..self.0.range(1, 3) {
            let (at, from) = (self.place(parts.len()), self.place(parts.len()));
            let length = if self.0.percent(70) { 1 } else { self.place(parts.len()) + 1 };
            let run = from..parts.len().min(from + length);
            match self.0.range(0, 6) {
                _ if parts.is_empty() => return,
                0 => {
                    let copy = parts[run].to_vec();
                    parts.splice(at..at, copy);
                }
                1 => {
                    let moved: Vec<T> = parts.drain(run).collect();
                    let at = at.min(parts.len());
                    parts.splice(at..at, moved);
                }
                2 => drop(parts.drain(run)),
                3 => parts.swap(at, from),
                4 => parts[run].reverse(),
                _ if others.is_empty() => {}
                _ => {
                    let from = self.place(others.len());
                    let foreign = &others[from..others.len().min(from + length)];
                    let gone = if self.0.percent(50) { foreign.len() } else { 0 };
                    parts.splice(at..parts.len().min(at + gone), foreign.iter().cloned());
                }
            }
        }
    }

    /// A number at the edge of a range, or a small one, or any one.
    #[must_use]
    pub fn telling_number(&mut self) -> u64 {
        const EDGES: [u64; 12] = [
            0,
            1,
            0x7f,
            0xffff,
            0x7fff_ffff,
            0xffff_ffff,
            1 << 40,
            1 << 62,
            u64::MAX >> 1,
            1 << 63,
            u64::MAX - 1,
            u64::MAX,
        ];
        match self.0.range(0, 9) {
            0..6 => self.0.pick(&EDGES),
            6 | 7 => self.0.range(0, 300),
            _ => self.0.next(),
        }
    }

    /// A position in something of this length: less than that, or 0.
    #[must_use]
    pub fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.0.range(0, length.saturating_sub(1) as u64)).unwrap_or_default()
    }

    /// Whether something happens that does so in `percent` of 100 cases.
    #[must_use]
    pub fn percent(&mut self, chance: u64) -> bool {
        self.0.percent(chance)
    }

    /// Any number.
    #[must_use]
    pub fn number(&mut self) -> u64 {
        self.0.next()
    }

    fn once(&mut self, text: &mut Vec<u8>) {
        let at = self.place(text.len());
        let other = self.place(text.len());
        let piece = |from: usize, most: usize| from..text.len().min(from.saturating_add(most));
        let most = if self.0.percent(70) { 20 } else { 3000 };
        let length = self.place(most) + 1;
        match self.0.range(0, 11) {
            0 => text.truncate(at),
            1 => {
                if let Some(byte) = text.get_mut(at) {
                    *byte ^= 1 << self.0.range(0, 7);
                }
            }
            2 => {
                if let Some(byte) = text.get_mut(at) {
                    *byte = self.0.pick(&TELLING);
                }
            }
            3 => {
                let count = self.0.range(1, 5);
                let bytes: Vec<u8> = (0..count).map(|_| self.0.pick(&TELLING)).collect();
                text.splice(at..at, bytes);
            }
            4 => {
                text.drain(piece(at, length));
            }
            5 => {
                let copy = text[piece(at, length)].to_vec();
                text.splice(at..at, copy);
            }
            6 => {
                let copy = text[piece(other, length)].to_vec();
                text.splice(piece(at, length), copy);
            }
            7 => {
                let copy = text[piece(other, length)].to_vec();
                text.splice(at..at, copy);
            }
            8 => {
                text.splice(piece(at, 1), self.0.pick(&PIECES).iter().copied());
            }
            9 => self.at_a_bracket(text, at),
            _ => {
                text.splice(at..at, self.0.pick(&PIECES).iter().copied());
            }
        }
    }

    /// Removes or doubles the next bracket, comma or quote.
    fn at_a_bracket(&mut self, text: &mut Vec<u8>, at: usize) {
        let Some(found) = text[at.min(text.len())..].iter().position(|byte| b"{}[],\"".contains(byte)) else { return };
        let byte = text[at + found];
        if self.0.percent(50) {
            text.remove(at + found);
        } else {
            text.insert(at + found, byte);
        }
    }
}
