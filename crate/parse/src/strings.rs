//! White space, strings and keys in the text.

use std::num::NonZeroUsize;

use crate::block::{WIDTH, not_space, string_stops};
use crate::text::{Text, escape_end};
use crate::wrong::Wrong;

#[inline]
pub(super) fn block(buffer: &[u8], at: usize) -> &[u8; WIDTH] {
    buffer.get(at..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; WIDTH])
}

/// The first position from `at` on that is not white space.
#[inline]
pub(super) fn skip_space(buffer: &[u8], at: usize) -> usize {
    if buffer[at] > b' ' {
        return at;
    }
    if buffer[at] == b' ' && buffer[at + 1] > b' ' {
        return at + 1;
    }
    skip_spaces(buffer, at)
}

pub(super) fn skip_spaces(buffer: &[u8], mut at: usize) -> usize {
    loop {
        let stops = not_space(block(buffer, at));
        if stops != 0 {
            return at + stops.trailing_zeros() as usize;
        }
        at += WIDTH;
    }
}

/// The end of a string: the position of its closing quote, and whether it has an escape, in one word.
#[derive(Clone, Copy)]
pub(super) struct StringEnd(pub(super) NonZeroUsize);

impl StringEnd {
    #[inline]
    pub(super) fn new(close: usize, escaped: bool) -> Option<Self> {
        NonZeroUsize::new(close << 1 | usize::from(escaped)).map(Self)
    }

    #[inline]
    pub(super) fn close(self) -> usize {
        self.0.get() >> 1
    }

    #[inline]
    pub(super) fn escaped(self) -> bool {
        self.0.get() & 1 != 0
    }
}

/// Scans a string whose opening quote is right before `at`.
#[inline]
pub(super) fn string(buffer: &[u8], at: usize, wrong: &mut Wrong) -> Option<StringEnd> {
    let mut next = at;
    loop {
        let stops = string_stops(block(buffer, next));
        if stops != 0 {
            let stop = next + stops.trailing_zeros() as usize;
            if buffer[stop] == b'"' {
                return StringEnd::new(stop, false);
            }
            return unusual_string(buffer, at, stop, wrong);
        }
        next += WIDTH;
    }
}

/// Scans a string with escapes, characters beyond ASCII, or an error, from the first such byte on.
#[cold]
pub(super) fn unusual_string(buffer: &[u8], start: usize, mut at: usize, wrong: &mut Wrong) -> Option<StringEnd> {
    let mut escaped = false;
    let mut ascii = true;
    loop {
        let stops = string_stops(block(buffer, at));
        if stops == 0 {
            at += WIDTH;
            continue;
        }
        at += stops.trailing_zeros() as usize;
        match buffer[at] {
            b'"' => break,
            b'\\' => match escape_end(buffer, at) {
                Some(end) => {
                    escaped = true;
                    at = end;
                }
                // The whole sequence must be buffered before it can be called invalid: see `cut_off`.
                None => return wrong.fail(at, "a valid escape sequence"),
            },
            0x80.. => {
                ascii = false;
                at += 1;
            }
            _ => return wrong.fail(at, "no control character in a string"),
        }
    }
    if !ascii && let Err(error) = std::str::from_utf8(&buffer[start..at]) {
        return wrong.fail(start + error.valid_up_to(), "valid UTF-8");
    }
    StringEnd::new(at, escaped)
}

/// A key, and the position of its value.
pub(super) fn key<'a>(buffer: &'a [u8], at: usize, wrong: &mut Wrong) -> Option<(Text<'a>, usize)> {
    if buffer[at] != b'"' {
        return wrong.fail(at, "a key in quotes");
    }
    let end = string(buffer, at + 1, wrong)?;
    let colon = skip_space(buffer, end.close() + 1);
    if buffer[colon] != b':' {
        return wrong.fail(colon, "a colon behind the key");
    }
    let value = skip_space(buffer, colon + 1);
    if buffer[value] == 0 {
        return wrong.fail(value, "a value");
    }
    Some((Text::new(&buffer[at + 1..end.close()], end.escaped()), value))
}
