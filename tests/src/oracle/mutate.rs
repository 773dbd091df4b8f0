//! Damage, as cut copies, bad disks and careless writers do it.

use crate::generator::Random;

/// Makes damaged copies; equal seeds make equal ones.
#[derive(Clone, Debug)]
pub struct Mutations(Random);

/// Bytes that mean something to a tokenizer, or nothing at all.
const TELLING: [u8; 24] = *b"{}[]\",:\\ \n\x00\x01\x1f\x7f\x80\xc3\xff0-.eEun";

/// What careless writers put where it does not belong.
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

    fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.0.range(0, length.saturating_sub(1) as u64)).unwrap_or_default()
    }
}
