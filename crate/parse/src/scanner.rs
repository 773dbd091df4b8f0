//! One JSON object at a time: validated, with its wanted members put into slots.
//!
//! The scanner reads a buffer that ends in [`PADDING`] zero bytes. A zero byte is valid nowhere in JSON, so every
//! loop ends there and no step needs a check for the end. The caller distinguishes "incomplete" from "invalid" by the
//! position of the fault.
//!
//! Steps return their end position, or none, with the fault in [`Wrong`]: one machine word, since WebAssembly returns
//! larger values through memory.

use std::num::NonZeroUsize;

use super::block::{WIDTH, string_stops};
use super::decimal::Decimal;
use super::keys::{Key, KeyContext, Keys, LONGEST, MOST_WANTED, Node, ROOT, UNWANTED};
use super::number::{parse_number, skip_number};
use super::skipped::{MOST_SKIPPED, Skipped, SkippedAt};
use super::text::Text;
use crate::strings::{block, key, skip_space, string};
use crate::wrong::Wrong;

/// Zero bytes that must follow the buffer's content.
pub(super) const PADDING: usize = LONGEST;

/// The most levels of nested objects and lists, as in `serde_json`.
pub(super) const DEEPEST: u32 = 127;

/// A JSON object of the list, with its members that have wanted keys.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    buffer: &'a [u8],
    slots: &'a Slots,
    start: usize,
    end: usize,
    /// The byte of the uncompressed file at which the object starts.
    pub position: u64,
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
    /// The value of a wanted key; the last one if it occurs several times.
    #[must_use]
    #[inline]
    pub fn get(&self, key: Key) -> Option<Value<'a>> {
        (self.slots.outer & (1 << key) != 0).then(|| self.value(&self.slots.values[usize::from(key)]))
    }

    /// The value of a wanted key in the object that is itself the value of a wanted key (the last such).
    #[must_use]
    #[inline]
    pub fn inner(&self, key: Key) -> Option<Value<'a>> {
        (self.slots.inner & (1 << key) != 0).then(|| self.value(&self.slots.values[INNER + usize::from(key)]))
    }

    /// Whether any of the keys from `first` to `last` occurs in an inner object.
    #[must_use]
    #[inline]
    pub fn has_inner(&self, first: Key, last: Key) -> bool {
        let up_to_last = u64::MAX >> (63 - last);
        self.slots.inner & (up_to_last >> first << first) != 0
    }

    /// Whether it has no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text().get(1..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"}"))
    }

    /// The unwanted members whose values are or contain texts, in the object and in its wanted inner objects.
    #[inline]
    pub fn skipped(&self) -> impl Iterator<Item = Skipped<'a>> {
        self.slots.skipped.iter().map(|place| Skipped::new(self.buffer, place))
    }

    /// Whether there are more of these than the limit.
    #[must_use]
    #[inline]
    pub fn skips_more(&self) -> bool {
        self.slots.skipped.len() == MOST_SKIPPED
    }

    /// The object's whole text, which is valid JSON.
    #[must_use]
    pub fn text(&self) -> &'a [u8] {
        &self.buffer[self.start..self.end]
    }

    #[inline]
    fn value(&self, slot: &Slot) -> Value<'a> {
        // Only slots of these kinds have a position in this buffer; others may have one of an earlier object.
        let raw = || &self.buffer[slot.start as usize..slot.end as usize];
        match slot.kind {
            Kind::Text => Value::Text(Text::new(raw(), false)),
            Kind::EscapedText => Value::Text(Text::new(raw(), true)),
            Kind::Number => Value::Number(slot.number),
            Kind::True => Value::Bool(true),
            Kind::False => Value::Bool(false),
            Kind::Null => Value::Null,
            Kind::List => Value::List(raw()),
            Kind::Object => Value::Object(raw()),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
enum Kind {
    Text,
    EscapedText,
    Number,
    True,
    False,
    #[default]
    Null,
    List,
    Object,
}

/// The index of the first slot of inner members.
const INNER: usize = MOST_WANTED;

/// The values, by key; bits show which of them belong to the current object.
#[derive(Debug)]
struct Slots {
    outer: u64,
    inner: u64,
    /// The key whose value has the inner members.
    holder: Key,
    values: [Slot; 2 * MOST_WANTED],
    skipped: Vec<SkippedAt>,
}

impl Slots {
    #[inline]
    fn skip(&mut self, from: usize, start: usize, end: usize) {
        if self.skipped.len() < MOST_SKIPPED {
            self.skipped.push(SkippedAt { from: offset(from), start: offset(start), end: offset(end) });
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    number: Decimal,
    start: u32,
    end: u32,
    kind: Kind,
}

/// Scans objects and learns the order of their keys.
#[derive(Debug)]
pub(super) struct Scanner {
    keys: Keys,
    slots: Box<Slots>,
    wrong: Wrong,
}

impl Scanner {
    pub(super) fn new(keys: Keys) -> Self {
        let slots =
            Slots { outer: 0, inner: 0, holder: 0, values: [Slot::default(); 2 * MOST_WANTED], skipped: Vec::new() };
        let slots = Box::new(slots);
        Self { keys, slots, wrong: Wrong::default() }
    }

    /// Whether a key is a wanted one.
    pub(super) fn wants(&self, key: &[u8]) -> bool {
        self.keys.wants(key)
    }

    /// Whether objects of the list begin with this key, as far as known.
    pub(super) fn begins_objects(&self, key: &[u8]) -> bool {
        self.keys.begins_objects(key)
    }

    /// The first keys of the list's objects so far.
    pub(super) fn first_keys(&mut self) -> &mut Vec<Box<[u8]>> {
        self.keys.first_mut()
    }

    /// Adds the first key of an object of the list.
    pub(super) fn note_first(&mut self, key: &[u8]) {
        self.keys.note_first(key);
    }

    /// Scans the object that starts at `buffer[start] == b'{'`; returns the position after it.
    // Not inlined: several callers use it, and its own inlined functions must stay inlined.
    #[inline(never)]
    pub(super) fn object(&mut self, buffer: &[u8], start: usize) -> Result<usize, Wrong> {
        self.slots.outer = 0;
        self.slots.inner = 0;
        self.slots.skipped.clear();
        let end = self.members::<false>(buffer, start, KeyContext::Inside(ROOT));
        // A second member with the same key may have replaced the object.
        if !matches!(self.slots.values[usize::from(self.slots.holder)].kind, Kind::Object) {
            self.slots.inner = 0;
        }
        end.map(NonZeroUsize::get).ok_or(self.wrong)
    }

    /// The object that was scanned last, from `start` to `end` in the buffer.
    #[inline]
    pub(super) fn scanned<'a>(&'a self, buffer: &'a [u8], start: usize, end: usize, position: u64) -> Object<'a> {
        Object { buffer, slots: &self.slots, start, end, position }
    }

    /// Scans an object's members; `start` is its opening brace. Returns the position after it.
    #[inline]
    fn members<const IN: bool>(&mut self, buffer: &[u8], start: usize, mut place: KeyContext) -> Option<NonZeroUsize> {
        let mut at = start + 1;
        loop {
            let (node, value) = if let Some((node, len)) = self.keys.guess(place, ahead(buffer, at)) {
                // There may be more white space than the last time.
                (node, skip_space(buffer, at + len))
            } else {
                match self.next_key(buffer, at, place)? {
                    Next::Value(node, value) => (node, value),
                    Next::End(end) => return NonZeroUsize::new(end),
                }
            };
            at = self.value::<IN>(buffer, at, value, node)?.get();
            place = KeyContext::After(node);
        }
    }

    /// Reads the next key in full, and learns the text before its value.
    fn next_key(&mut self, buffer: &[u8], from: usize, place: KeyContext) -> Option<Next> {
        let mut at = skip_space(buffer, from);
        match (buffer[at], place) {
            (b'}', _) => return Some(Next::End(at + 1)),
            (b',', KeyContext::After(_)) => at = skip_space(buffer, at + 1),
            (_, KeyContext::After(_)) => return self.wrong.fail(at, "a comma or the end of the object"),
            (_, KeyContext::Inside(_)) => {}
        }
        let (name, value) = key(buffer, at, &mut self.wrong)?;
        let name = name.bytes();
        if place == KeyContext::Inside(ROOT) {
            self.keys.note_first(&name);
        }
        let node = self.keys.look_up(&name);
        self.keys.learn(place, &buffer[from..value], node);
        Some(Next::Value(node, value))
    }

    /// Scans the value of a member that begins at `from`, and stores it in its slot if its key is wanted.
    #[inline]
    fn value<const IN: bool>(&mut self, buffer: &[u8], from: usize, start: usize, node: Node) -> Option<NonZeroUsize> {
        let key = self.keys.wanted(node);
        if key == UNWANTED {
            return match buffer[start] {
                b'"' | b'[' | b'{' => self.skip_texts(buffer, from, start, 1 + u32::from(IN)),
                _ => skip_value(buffer, start, 1 + u32::from(IN), &mut self.wrong),
            };
        }
        let slot = &mut self.slots.values[usize::from(key) + if IN { INNER } else { 0 }];
        let end = match buffer[start] {
            b'"' => {
                let end = string(buffer, start + 1, &mut self.wrong)?;
                let (kind, close) = (if end.escaped() { Kind::EscapedText } else { Kind::Text }, end.close());
                (slot.kind, slot.start, slot.end) = (kind, offset(start + 1), offset(close));
                NonZeroUsize::new(close + 1)?
            }
            b'-' | b'0'..=b'9' => {
                slot.kind = Kind::Number;
                parse_number(buffer, start, &mut slot.number, &mut self.wrong)?
            }
            b'{' if !IN => {
                self.slots.inner = 0;
                self.slots.holder = key;
                let end = self.members::<true>(buffer, start, KeyContext::Inside(node))?;
                let slot = &mut self.slots.values[usize::from(key)];
                (slot.kind, slot.start, slot.end) = (Kind::Object, offset(start), offset(end.get()));
                end
            }
            byte => {
                let end = skip_value(buffer, start, 1 + u32::from(IN), &mut self.wrong)?;
                let kind = match byte {
                    b'[' => Kind::List,
                    b'{' => Kind::Object,
                    b't' => Kind::True,
                    b'f' => Kind::False,
                    _ => Kind::Null,
                };
                (slot.kind, slot.start, slot.end) = (kind, offset(start), offset(end.get()));
                end
            }
        };
        let seen = if IN { &mut self.slots.inner } else { &mut self.slots.outer };
        *seen |= 1 << key;
        Some(end)
    }

    /// Skips a value that is or may contain texts, and keeps its position if it does.
    // Not inlined: most skipped values are numbers.
    #[inline(never)]
    fn skip_texts(&mut self, buffer: &[u8], from: usize, start: usize, depth: u32) -> Option<NonZeroUsize> {
        let end = skip_value(buffer, start, depth, &mut self.wrong)?;
        // Lists of numbers are frequent.
        if buffer[start] == b'"' || holds_quote(buffer, start, end.get()) {
            self.slots.skip(from, start, end.get());
        }
        Some(end)
    }
}

/// The next part of an object.
enum Next {
    /// A member: its key's node, and the position of its value.
    Value(Node, usize),
    /// The end of the object.
    End(usize),
}

/// A position in the buffer, which is far shorter than 4 GB.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "Document refuses objects longer than its limit")]
fn offset(at: usize) -> u32 {
    at as u32
}

/// The bytes from `at` on, padding included; if fewer are left, their values do not matter.
#[inline]
fn ahead(buffer: &[u8], at: usize) -> &[u8; LONGEST] {
    buffer.get(at..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; LONGEST])
}

/// Whether a part of the buffer has a quotation mark.
#[inline]
fn holds_quote(buffer: &[u8], mut at: usize, end: usize) -> bool {
    while at < end {
        let stops = string_stops(block(buffer, at));
        if stops == 0 {
            at += WIDTH;
            continue;
        }
        at += stops.trailing_zeros() as usize;
        if buffer[at] == b'"' {
            return at < end;
        }
        at += 1;
    }
    false
}

/// Checks a value of any kind, `depth` levels deep, without keeping it.
#[inline]
pub(super) fn skip_value(buffer: &[u8], start: usize, depth: u32, wrong: &mut Wrong) -> Option<NonZeroUsize> {
    match buffer[start] {
        b'"' => NonZeroUsize::new(string(buffer, start + 1, wrong)?.close() + 1),
        b'-' | b'0'..=b'9' => skip_number(buffer, start, wrong),
        b'[' | b'{' => skip_container(buffer, start, depth, wrong),
        _ => skip_word(buffer, start, wrong),
    }
}

fn skip_word(buffer: &[u8], start: usize, wrong: &mut Wrong) -> Option<NonZeroUsize> {
    let word: &[u8] = match buffer[start] {
        b't' => b"true",
        b'f' => b"false",
        b'n' => b"null",
        _ => return wrong.fail(start, "a value"),
    };
    let end = start + word.len();
    if buffer.get(start..end) == Some(word) { NonZeroUsize::new(end) } else { wrong.fail(start, "true, false or null") }
}

/// Checks a list or an object with all of its content, without recursion.
fn skip_container(buffer: &[u8], start: usize, depth: u32, wrong: &mut Wrong) -> Option<NonZeroUsize> {
    // One bit per open container, the innermost in bit 0: set for an object.
    let mut objects = 0_u128;
    let mut object = false;
    let mut open = 0_u32;
    let mut at = start;
    loop {
        // Expects a value.
        match buffer[at] {
            brace @ (b'[' | b'{') => {
                open += 1;
                if depth + open > DEEPEST {
                    return wrong.fail(at, "less deep nesting");
                }
                object = brace == b'{';
                objects = objects << 1 | u128::from(object);
                at = skip_space(buffer, at + 1);
                let close = if object { b'}' } else { b']' };
                if buffer[at] != close {
                    if object {
                        at = key(buffer, at, wrong)?.1;
                    }
                    continue;
                }
                at += 1;
                open -= 1;
                objects >>= 1;
                object = objects & 1 != 0;
            }
            b'"' => at = string(buffer, at + 1, wrong)?.close() + 1,
            b'-' | b'0'..=b'9' => at = skip_number(buffer, at, wrong)?.get(),
            _ => at = skip_word(buffer, at, wrong)?.get(),
        }
        // After a value.
        loop {
            if open == 0 {
                return NonZeroUsize::new(at);
            }
            at = skip_space(buffer, at);
            match buffer[at] {
                b',' => {
                    at = skip_space(buffer, at + 1);
                    if object {
                        at = key(buffer, at, wrong)?.1;
                    }
                    break;
                }
                b']' if !object => {}
                b'}' if object => {}
                _ if object => return wrong.fail(at, "a comma or the end of the object"),
                _ => return wrong.fail(at, "a comma or the end of the list"),
            }
            at += 1;
            open -= 1;
            objects >>= 1;
            object = objects & 1 != 0;
        }
    }
}
