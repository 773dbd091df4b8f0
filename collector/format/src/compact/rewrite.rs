//! Copies a compact file with other texts in it: all else stays byte for byte.

use super::read::{Whole, whole_block};
use super::{BLOCK_HEADER, FILE_HEADER, LARGEST_CONTENT, SYNC, TAG, block};
use crate::checksum::crc32;
use crate::varint::{read, write};

/// A text of a compact file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextOf<'a> {
    /// The value of a process's fact, by its key.
    Fact(&'a str),
    /// A name.
    Name {
        /// The process's number in the file.
        process: u32,
        /// The name's number.
        number: u32,
    },
}

/// Gives the text that takes the place of one.
pub type Edit<'a> = dyn FnMut(TextOf<'_>, String) -> String + 'a;

/// Copies a compact file in pieces of any size. Damaged parts are copied as zeros, since their content is unknown.
#[derive(Debug, Default)]
pub struct Rewriter {
    buffer: Vec<u8>,
}

impl Rewriter {
    /// Takes the next bytes, and puts out what is finished.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>, edit: &mut Edit<'_>) {
        self.buffer.extend_from_slice(bytes);
        self.advance(false, out, edit);
    }

    /// Puts out what is left.
    pub fn finish(&mut self, out: &mut Vec<u8>, edit: &mut Edit<'_>) {
        self.advance(true, out, edit);
    }

    fn advance(&mut self, is_end: bool, out: &mut Vec<u8>, edit: &mut Edit<'_>) {
        let mut used = 0;
        loop {
            let rest = &self.buffer[used..];
            if rest.is_empty() {
                break;
            }
            // Files may be concatenated.
            if TAG.starts_with(&rest[..rest.len().min(TAG.len())]) {
                match rest.first_chunk::<FILE_HEADER>() {
                    Some(header) => out.extend_from_slice(header),
                    None if !is_end => break,
                    None => out.extend_from_slice(rest),
                }
                used += rest.len().min(FILE_HEADER);
                continue;
            }
            match whole_block(rest) {
                Whole::Yes(kind, len) => {
                    let whole = &rest[..BLOCK_HEADER + len];
                    if !copy_texts(kind, &whole[BLOCK_HEADER..], out, edit) {
                        out.extend_from_slice(whole);
                    }
                    used += whole.len();
                }
                Whole::Cut if !is_end => break,
                Whole::Cut | Whole::Wrong(_) | Whole::No => {
                    let next = rest[1..].windows(SYNC.len()).position(|window| window == SYNC);
                    let skipped = match next {
                        Some(at) => at + 1,
                        None if is_end => rest.len(),
                        // A sync may be cut.
                        None => rest.len().saturating_sub(SYNC.len() - 1).max(1),
                    };
                    out.resize(out.len() + skipped, 0);
                    used += skipped;
                }
            }
        }
        self.buffer.drain(..used);
    }
}

/// Rewrites a block of texts; false for a block without texts.
fn copy_texts(kind: u8, content: &[u8], out: &mut Vec<u8>, edit: &mut Edit<'_>) -> bool {
    match kind {
        block::PROCESS => process(content, out, edit).unwrap_or_else(|| zeros(content, out)),
        block::NAMES => names(content, out, edit).unwrap_or_else(|| zeros(content, out)),
        _ => return false,
    }
    true
}

/// In place of a block whose checksums are right and whose content cannot be read.
fn zeros(content: &[u8], out: &mut Vec<u8>) {
    out.resize(out.len() + BLOCK_HEADER + content.len(), 0);
}

fn process(content: &[u8], out: &mut Vec<u8>, edit: &mut Edit<'_>) -> Option<()> {
    let mut rest = content;
    // Numbers, then texts: see the table of blocks.
    for _ in 0..7 {
        read(&mut rest)?;
    }
    let mut copy = content[..content.len() - rest.len()].to_vec();
    while !rest.is_empty() {
        let (key, value) = (text(&mut rest)?, text(&mut rest)?);
        let value = edit(TextOf::Fact(&key), value);
        let before = copy.len();
        put(&key, &mut copy);
        put(&value, &mut copy);
        if copy.len() > LARGEST_CONTENT {
            copy.truncate(before);
        }
    }
    block_of(block::PROCESS, &copy, out);
    Some(())
}

fn names(content: &[u8], out: &mut Vec<u8>, edit: &mut Edit<'_>) -> Option<()> {
    let mut rest = content;
    let process = u32::try_from(read(&mut rest)?).ok()?;
    let head = content[..content.len() - rest.len()].to_vec();
    let mut blocks = Vec::new();
    let mut copy = head.clone();
    while !rest.is_empty() {
        let number = u32::try_from(read(&mut rest)?).ok()?;
        let name = edit(TextOf::Name { process, number }, text(&mut rest)?);
        let mut one = Vec::new();
        write(number.into(), &mut one);
        put(&name, &mut one);
        if copy.len() + one.len() > LARGEST_CONTENT {
            blocks.push(std::mem::replace(&mut copy, head.clone()));
        }
        copy.append(&mut one);
    }
    blocks.push(copy);
    blocks.iter().for_each(|content| block_of(block::NAMES, content, out));
    Some(())
}

fn text(bytes: &mut &[u8]) -> Option<String> {
    let len = usize::try_from(read(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(String::from_utf8_lossy(text).into_owned())
}

fn put(text: &str, into: &mut Vec<u8>) {
    write(text.len() as u64, into);
    into.extend_from_slice(text.as_bytes());
}

fn block_of(kind: u8, content: &[u8], out: &mut Vec<u8>) {
    let len = u32::try_from(content.len()).unwrap_or(u32::MAX).to_le_bytes();
    let told = [kind, 0, 0, 0, len[0], len[1], len[2], len[3]];
    out.extend_from_slice(&SYNC);
    out.extend_from_slice(&told);
    out.extend_from_slice(&crc32(&told).to_le_bytes());
    out.extend_from_slice(&crc32(content).to_le_bytes());
    out.extend_from_slice(content);
}
