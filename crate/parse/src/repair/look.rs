//! Lookahead: checks whether the text after a position makes sense there.

use super::machine::{Behind, DamagedPart, Machine, Step, skip_space};
use crate::text::escape_end;

/// The longest text that counts as a key.
const LONGEST_KEY: usize = 256;

/// The most white space that is skipped.
const MOST_SPACE: usize = 4096;

impl Machine<'_> {
    /// The first byte from `at` on that is not white space, with its position; none at the file's end. After too much
    /// white space, it is white space, which fits nowhere.
    fn next_byte(&self, from: usize) -> Step<Option<(u8, usize)>> {
        let near = self.text.get(..from.saturating_add(MOST_SPACE)).unwrap_or(self.text);
        let at = skip_space(near, from);
        match self.text.get(at) {
            Some(byte) => Ok(Some((*byte, at))),
            None if self.behind == Behind::Nothing => Ok(None),
            None => self.end_of_text(),
        }
    }

    /// If there are a key and a colon at `at`: the key's closing quote, and the position of the value.
    pub(super) fn look_key(&mut self, at: usize) -> Step<Option<(usize, usize)>> {
        if self.text.get(at) != Some(&b'"') {
            return Ok(None);
        }
        let mut quote = at + 1;
        loop {
            if quote > at + LONGEST_KEY {
                return Ok(None);
            }
            match self.text.get(quote) {
                None => return self.end_of_text(),
                Some(b'"') => break,
                Some(b'\\') => quote = escape_end(self.text, quote).unwrap_or(quote + 1),
                Some(_) => quote += 1,
            }
        }
        self.work += quote - at;
        let colon = match self.next_byte(quote + 1)? {
            Some((b':', colon)) => colon,
            Some(_) => return Ok(None),
            None => return self.end_of_text(),
        };
        match self.next_byte(colon + 1)? {
            // Any value will do: a broken one after a key does not make the key a text.
            Some((byte, value)) => Ok((byte != b':').then_some((quote, value))),
            None => self.end_of_text(),
        }
    }

    /// Whether a comma and a key, or commas and the end of an object, follow.
    pub(super) fn is_comma_and_key(&mut self, at: usize) -> Step<bool> {
        let Some((b',', comma)) = self.next_byte(at)? else { return Ok(false) };
        match self.next_byte(comma + 1)? {
            Some((_, key)) => Ok(self.look_key(key)?.is_some()),
            None => Ok(false),
        }
    }

    /// Whether a string that is a value may end before `at`.
    pub(super) fn fits_behind_string(&mut self, at: usize) -> Step<bool> {
        let Some((byte, next)) = self.next_byte(at)? else { return Ok(true) };
        self.work += next - at;
        let in_object = self.stack.in_object();
        match byte {
            b',' => self.fits_behind_comma(next + 1),
            b'}' if in_object => self.fits_behind_brace(next + 1),
            b']' if !in_object => Ok(true),
            b'"' if in_object => Ok(self.look_key(next)?.is_some()),
            // Only white space distinguishes a missing comma from an empty text in quotes.
            b'"' => Ok(next > at),
            _ => Ok(false),
        }
    }

    /// Whether the text after a comma may follow it in the innermost container.
    fn fits_behind_comma(&mut self, mut at: usize) -> Step<bool> {
        loop {
            let Some((byte, next)) = self.next_byte(at)? else { return Ok(true) };
            return match byte {
                b',' => {
                    at = next + 1;
                    continue;
                }
                b'"' if self.stack.in_object() => Ok(self.look_key(next)?.is_some()),
                b'}' => Ok(self.stack.in_object()),
                b']' => Ok(!self.stack.in_object()),
                byte => Ok(!self.stack.in_object() && may_start_value(byte)),
            };
        }
    }

    /// Whether the text after the end of the innermost object may follow it.
    fn fits_behind_brace(&mut self, at: usize) -> Step<bool> {
        if self.stack.depth == 1 && self.place == DamagedPart::Element {
            return self.fits_behind_element(at);
        }
        let Some((byte, next)) = self.next_byte(at)? else { return Ok(true) };
        match byte {
            b',' | b'}' | b']' | b'{' => Ok(true),
            b'"' => Ok(self.look_key(next)?.is_some()),
            _ => Ok(false),
        }
    }

    /// Whether the text after an object of the list may follow it.
    pub(super) fn fits_behind_element(&mut self, at: usize) -> Step<bool> {
        match self.next_byte(at)? {
            None | Some((b']' | b'{', _)) => Ok(true),
            Some((b',', comma)) => Ok(matches!(self.next_byte(comma + 1)?, None | Some((b'{' | b']' | b',', _)))),
            Some(_) => Ok(false),
        }
    }

    /// Whether the text after a member of the outer object may follow it.
    pub(super) fn fits_behind_member(&mut self, at: usize) -> Step<bool> {
        match self.next_byte(at)? {
            None | Some((b'}', _)) => Ok(true),
            Some((b'"', key)) => Ok(self.look_key(key)?.is_some()),
            Some((b',', comma)) => match self.next_byte(comma + 1)? {
                None | Some((b'}' | b',', _)) => Ok(true),
                Some((b'"', key)) => Ok(self.look_key(key)?.is_some()),
                Some(_) => Ok(false),
            },
            Some(_) => Ok(false),
        }
    }
}

/// Whether a value, or a word that becomes one, may start with this byte.
fn may_start_value(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b'{' | b'[' | b'-' | b'+' | b'.' | b'#')
}
