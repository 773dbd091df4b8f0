//! One JSON object at a time: validated, with its wanted members put on a tape.
//!
//! The scanner reads a buffer that ends in [`PADDING`] zero bytes. A zero byte is valid nowhere in
//! JSON, so every loop ends there by itself and no step needs to ask whether it is at the end; the
//! caller tells "cut off" from "wrong" by the position of the fault.

use super::block::{WIDTH, not_space, string_stops};
use super::decimal::{Decimal, parse_exponent};
use super::keys::{Key, Keys, LONGEST, Node, Place, ROOT, UNWANTED};
use super::text::{Text, escape_end};

/// Zero bytes that must follow the buffer's content.
pub(super) const PADDING: usize = LONGEST;

/// How deep objects and lists may nest, as in `serde_json`.
const DEEPEST: u32 = 127;

/// What is wrong with the text, and at which byte of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) at: usize,
    pub(super) expected: &'static str,
}

fn wrong<T>(at: usize, expected: &'static str) -> Result<T, Wrong> {
    Err(Wrong { at, expected })
}

/// A JSON object of the list, with those of its members whose keys were wanted.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    buffer: &'a [u8],
    tape: &'a [Entry],
    start: usize,
    end: usize,
    /// The byte of the uncompressed file at which the object starts.
    pub position: u64,
}

/// A wanted member of an object, or of an object that is a member's value.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// Which wanted key.
    pub key: Key,
    /// Whether it is a member of an object that is the value of an outer member (which comes right
    /// before its members).
    pub inner: bool,
    /// Its value.
    pub value: Value<'a>,
}

/// A member's value.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// A string.
    Text(Text<'a>),
    /// A number.
    Number(Decimal),
    /// A truth value.
    Bool(bool),
    /// `null`.
    Null,
    /// A list, as its text, which is valid JSON.
    List(&'a [u8]),
    /// An object, as its text, which is valid JSON.
    Object(&'a [u8]),
}

impl<'a> Object<'a> {
    /// The wanted members in the order of the text; a key can occur more than once.
    #[inline]
    pub fn members(&self) -> impl Iterator<Item = Member<'a>> + use<'a> {
        let buffer = self.buffer;
        self.tape.iter().map(move |entry| {
            let raw = &buffer[entry.start as usize..entry.end as usize];
            let value = match entry.kind {
                Kind::Text => Value::Text(Text::new(raw, false)),
                Kind::EscapedText => Value::Text(Text::new(raw, true)),
                Kind::Number => Value::Number(entry.number),
                Kind::True => Value::Bool(true),
                Kind::False => Value::Bool(false),
                Kind::Null => Value::Null,
                Kind::List => Value::List(raw),
                Kind::Object => Value::Object(raw),
            };
            Member { key: entry.key, inner: entry.inner, value }
        })
    }

    /// The object's whole text, which is valid JSON.
    #[must_use]
    pub fn text(&self) -> &'a [u8] {
        &self.buffer[self.start..self.end]
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Text,
    EscapedText,
    Number,
    True,
    False,
    Null,
    List,
    Object,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    kind: Kind,
    inner: bool,
    start: u32,
    end: u32,
    number: Decimal,
}

/// Scans objects and keeps what was learnt about their keys.
#[derive(Debug)]
pub(super) struct Scanner {
    keys: Keys,
    tape: Vec<Entry>,
}

impl Scanner {
    pub(super) fn new(keys: Keys) -> Self {
        Self { keys, tape: Vec::with_capacity(64) }
    }

    /// Scans the object that starts at `buffer[start] == b'{'`; returns where it ends.
    #[inline]
    pub(super) fn object(&mut self, buffer: &[u8], start: usize) -> Result<usize, Wrong> {
        self.tape.clear();
        self.members(buffer, start, Place::Inside(ROOT), false)
    }

    /// The object that was scanned last, from `start` to `end` in the buffer.
    #[inline]
    pub(super) fn scanned<'a>(&'a self, buffer: &'a [u8], start: usize, end: usize, position: u64) -> Object<'a> {
        Object { buffer, tape: &self.tape, start, end, position }
    }

    /// Scans an object's members; `start` is its opening brace. Returns the position behind it.
    #[inline]
    fn members(&mut self, buffer: &[u8], start: usize, mut place: Place, inner: bool) -> Result<usize, Wrong> {
        let mut at = start + 1;
        loop {
            let (node, value) = if let Some((node, len)) = self.keys.guess(place, ahead(buffer, at)) {
                // More white space than the last time is possible.
                (node, skip_space(buffer, at + len))
            } else {
                match self.next_key(buffer, at, place)? {
                    Ok(found) => found,
                    Err(end) => return Ok(end),
                }
            };
            at = self.value(buffer, value, node, inner)?;
            place = Place::After(node);
        }
    }

    /// Finds the next key in full and learns what led to it. The inner `Err` is the object's end.
    fn next_key(&mut self, buffer: &[u8], from: usize, place: Place) -> Result<Result<(Node, usize), usize>, Wrong> {
        let mut at = skip_space(buffer, from);
        match (buffer[at], place) {
            (b'}', _) => return Ok(Err(at + 1)),
            (b',', Place::After(_)) => at = skip_space(buffer, at + 1),
            (_, Place::After(_)) => return wrong(at, "a comma or the end of the object"),
            (_, Place::Inside(_)) => {}
        }
        if buffer[at] != b'"' {
            return wrong(at, "a key in quotes");
        }
        let (close, escaped) = string(buffer, at + 1)?;
        let name = &buffer[at + 1..close];
        at = skip_space(buffer, close + 1);
        if buffer[at] != b':' {
            return wrong(at, "a colon behind the key");
        }
        let value = skip_space(buffer, at + 1);
        let node = self.keys.look_up(&Text::new(name, escaped).bytes());
        self.keys.learn(place, &buffer[from..value], node);
        Ok(Ok((node, value)))
    }

    /// Scans a member's value and puts it on the tape if its key is wanted.
    #[inline]
    fn value(&mut self, buffer: &[u8], start: usize, node: Node, inner: bool) -> Result<usize, Wrong> {
        let key = self.keys.wanted(node);
        if key == UNWANTED {
            return skip_value(buffer, start, 1 + u32::from(inner));
        }
        let mut number = Decimal::default();
        let (kind, from, to, end) = match buffer[start] {
            b'"' => {
                let (close, escaped) = string(buffer, start + 1)?;
                (if escaped { Kind::EscapedText } else { Kind::Text }, start + 1, close, close + 1)
            }
            b'-' | b'0'..=b'9' => {
                let end = parse_number(buffer, start, &mut number)?;
                (Kind::Number, start, end, end)
            }
            b'{' if !inner => return self.nested(buffer, start, node, key),
            b'{' => {
                let end = skip_value(buffer, start, 2)?;
                (Kind::Object, start, end, end)
            }
            b'[' => {
                let end = skip_value(buffer, start, 1 + u32::from(inner))?;
                (Kind::List, start, end, end)
            }
            byte => {
                let end = skip_value(buffer, start, 1)?;
                let kind = match byte {
                    b't' => Kind::True,
                    b'f' => Kind::False,
                    _ => Kind::Null,
                };
                (kind, start, end, end)
            }
        };
        self.tape.push(Entry { key, kind, inner, start: offset(from), end: offset(to), number });
        Ok(end)
    }

    /// Scans an object that is a wanted member's value: its members follow it on the tape.
    fn nested(&mut self, buffer: &[u8], start: usize, node: Node, key: Key) -> Result<usize, Wrong> {
        let index = self.tape.len();
        let mut entry = Entry {
            key,
            kind: Kind::Object,
            inner: false,
            start: offset(start),
            end: offset(start),
            number: Decimal::default(),
        };
        self.tape.push(entry);
        let end = self.members(buffer, start, Place::Inside(node), true)?;
        entry.end = offset(end);
        self.tape[index] = entry;
        Ok(end)
    }
}

/// A place in the buffer, which is far shorter than 4 GB.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "Document refuses objects longer than its limit")]
fn offset(at: usize) -> u32 {
    at as u32
}

/// The bytes from `at` on, padding included; none of them matter if fewer are left.
#[inline]
fn ahead(buffer: &[u8], at: usize) -> &[u8; LONGEST] {
    buffer.get(at..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; LONGEST])
}

#[inline]
fn block(buffer: &[u8], at: usize) -> &[u8; WIDTH] {
    buffer.get(at..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; WIDTH])
}

/// The first position from `at` on that is not white space.
#[inline]
pub(super) fn skip_space(buffer: &[u8], mut at: usize) -> usize {
    if buffer[at] > b' ' {
        return at;
    }
    if buffer[at] == b' ' && buffer[at + 1] > b' ' {
        return at + 1;
    }
    loop {
        let stops = not_space(block(buffer, at));
        if stops != 0 {
            return at + stops.trailing_zeros() as usize;
        }
        at += WIDTH;
    }
}

/// Scans a string whose opening quote is right before `at`; returns where the closing one is, and
/// whether there is an escape in it.
#[inline]
pub(super) fn string(buffer: &[u8], at: usize) -> Result<(usize, bool), Wrong> {
    let mut next = at;
    loop {
        let stops = string_stops(block(buffer, next));
        if stops != 0 {
            let stop = next + stops.trailing_zeros() as usize;
            return if buffer[stop] == b'"' { Ok((stop, false)) } else { unusual_string(buffer, at, stop) };
        }
        next += WIDTH;
    }
}

/// A string with escapes, characters beyond ASCII, or an error, from the first such place on.
#[cold]
fn unusual_string(buffer: &[u8], start: usize, mut at: usize) -> Result<(usize, bool), Wrong> {
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
                // The whole sequence must be in sight before it can be called wrong: see `cut_off`.
                None => return wrong(at, "a valid escape sequence"),
            },
            0x80.. => {
                ascii = false;
                at += 1;
            }
            _ => return wrong(at, "no control character in a string"),
        }
    }
    if !ascii && let Err(error) = std::str::from_utf8(&buffer[start..at]) {
        return wrong(start + error.valid_up_to(), "valid UTF-8");
    }
    Ok((at, escaped))
}

/// Scans a number and computes its value.
#[inline]
fn parse_number(buffer: &[u8], start: usize, number: &mut Decimal) -> Result<usize, Wrong> {
    let mut at = start;
    number.negative = buffer[at] == b'-';
    at += usize::from(number.negative);
    let first = at;
    let mut mantissa = 0_u64;
    while buffer[at].is_ascii_digit() {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(buffer[at] - b'0'));
        at += 1;
    }
    let mut digits = at - first;
    if digits == 0 || (buffer[first] == b'0' && digits > 1) {
        return wrong(first, "a number");
    }
    if buffer[at] == b'.' {
        let point = at;
        at += 1;
        while buffer[at].is_ascii_digit() {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(buffer[at] - b'0'));
            at += 1;
        }
        let decimals = at - point - 1;
        if decimals == 0 {
            return wrong(at, "a digit behind the decimal point");
        }
        digits += decimals;
        number.exponent = -i32::try_from(decimals).unwrap_or(i32::MAX);
    }
    if digits > 19 || matches!(buffer[at], b'e' | b'E') {
        return unusual_number(buffer, start, number);
    }
    number.mantissa = mantissa;
    Ok(at)
}

/// A number with an exponent or very many digits.
#[cold]
fn unusual_number(buffer: &[u8], start: usize, number: &mut Decimal) -> Result<usize, Wrong> {
    let end = skip_number(buffer, start)?;
    match Decimal::parse(&buffer[start..end]) {
        // serde_json refuses what no double can hold.
        Some(value) if value.to_f64().is_finite() => *number = value,
        _ => return wrong(start, "a number in range"),
    }
    Ok(end)
}

/// Checks a number without computing it.
#[inline]
fn skip_number(buffer: &[u8], start: usize) -> Result<usize, Wrong> {
    let mut at = start + usize::from(buffer[start] == b'-');
    let first = at;
    while buffer[at].is_ascii_digit() {
        at += 1;
    }
    if at == first || (buffer[first] == b'0' && at > first + 1) {
        return wrong(first, "a number");
    }
    if buffer[at] == b'.' {
        at += 1;
        let decimals = at;
        while buffer[at].is_ascii_digit() {
            at += 1;
        }
        if at == decimals {
            return wrong(at, "a digit behind the decimal point");
        }
    }
    let huge = at - first > 300;
    if matches!(buffer[at], b'e' | b'E') || huge {
        return skip_exponent(buffer, start, at);
    }
    Ok(at)
}

/// Checks a number's exponent, if any, and that a double can hold the number.
#[cold]
fn skip_exponent(buffer: &[u8], start: usize, mut at: usize) -> Result<usize, Wrong> {
    if matches!(buffer[at], b'e' | b'E') {
        at += 1;
        let exponent = at;
        at += usize::from(matches!(buffer[at], b'+' | b'-'));
        while buffer[at].is_ascii_digit() {
            at += 1;
        }
        let text = std::str::from_utf8(&buffer[exponent..at]).unwrap_or_default();
        if parse_exponent(text).is_none() {
            return wrong(at, "a digit in the exponent");
        }
    }
    let finite = Decimal::parse(&buffer[start..at]).is_some_and(|number| number.to_f64().is_finite());
    if finite { Ok(at) } else { wrong(start, "a number in range") }
}

/// Checks a value of any kind, `depth` levels deep, without keeping anything of it.
#[inline]
pub(super) fn skip_value(buffer: &[u8], start: usize, depth: u32) -> Result<usize, Wrong> {
    match buffer[start] {
        b'"' => Ok(string(buffer, start + 1)?.0 + 1),
        b'-' | b'0'..=b'9' => skip_number(buffer, start),
        b'[' | b'{' => skip_container(buffer, start, depth),
        b't' => skip_word(buffer, start, b"true"),
        b'f' => skip_word(buffer, start, b"false"),
        b'n' => skip_word(buffer, start, b"null"),
        _ => wrong(start, "a value"),
    }
}

fn skip_word(buffer: &[u8], start: usize, word: &[u8]) -> Result<usize, Wrong> {
    let end = start + word.len();
    if buffer.get(start..end) == Some(word) { Ok(end) } else { wrong(start, "true, false or null") }
}

/// Checks a list or an object with everything in it, without recursion.
fn skip_container(buffer: &[u8], start: usize, depth: u32) -> Result<usize, Wrong> {
    // One bit per open container, the innermost in bit 0: set for an object.
    let mut objects = 0_u128;
    let mut open = 0_u32;
    let mut at = start;
    loop {
        // Here a value starts.
        match buffer[at] {
            brace @ (b'[' | b'{') => {
                let object = brace == b'{';
                open += 1;
                if depth + open > DEEPEST {
                    return wrong(at, "less deep nesting");
                }
                objects = objects << 1 | u128::from(object);
                at = skip_space(buffer, at + 1);
                let close = if object { b'}' } else { b']' };
                if buffer[at] == close {
                    at += 1;
                    open -= 1;
                    objects >>= 1;
                } else {
                    if object {
                        at = skip_key(buffer, at)?;
                    }
                    continue;
                }
            }
            b'"' => at = string(buffer, at + 1)?.0 + 1,
            b'-' | b'0'..=b'9' => at = skip_number(buffer, at)?,
            _ => at = skip_value(buffer, at, 0)?,
        }
        // Here a value has ended.
        loop {
            if open == 0 {
                return Ok(at);
            }
            at = skip_space(buffer, at);
            let object = objects & 1 != 0;
            match buffer[at] {
                b',' => {
                    at = skip_space(buffer, at + 1);
                    if object {
                        at = skip_key(buffer, at)?;
                    }
                    break;
                }
                b']' if !object => {}
                b'}' if object => {}
                _ => {
                    return wrong(
                        at,
                        if object { "a comma or the end of the object" } else { "a comma or the end of the list" },
                    );
                }
            }
            at += 1;
            open -= 1;
            objects >>= 1;
        }
    }
}

/// Checks a key and its colon; returns where the value starts.
fn skip_key(buffer: &[u8], at: usize) -> Result<usize, Wrong> {
    if buffer[at] != b'"' {
        return wrong(at, "a key in quotes");
    }
    let (close, _) = string(buffer, at + 1)?;
    let colon = skip_space(buffer, close + 1);
    if buffer[colon] != b':' {
        return wrong(colon, "a colon behind the key");
    }
    Ok(skip_space(buffer, colon + 1))
}
