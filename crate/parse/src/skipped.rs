//! Members of an object with unwanted keys.

use std::borrow::Cow;

use crate::strings::{key, skip_space};
use crate::wrong::Wrong;

/// A member with an unwanted key.
#[derive(Clone, Copy, Debug)]
pub struct Skipped<'a> {
    buffer: &'a [u8],
    place: &'a SkippedAt,
}

impl<'a> Skipped<'a> {
    #[inline]
    pub(super) fn new(buffer: &'a [u8], place: &'a SkippedAt) -> Self {
        Self { buffer, place }
    }

    /// The text of the member, with the text between it and the one before.
    #[must_use]
    #[inline]
    pub fn text(&self) -> &'a [u8] {
        &self.buffer[self.place.from as usize..self.place.end as usize]
    }

    /// The value's text, which is valid JSON.
    #[must_use]
    #[inline]
    pub fn value(&self) -> &'a [u8] {
        &self.buffer[self.place.start as usize..self.place.end as usize]
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> Cow<'a, [u8]> {
        let mut at = skip_space(self.buffer, self.place.from as usize);
        if self.buffer[at] == b',' {
            at = skip_space(self.buffer, at + 1);
        }
        key(self.buffer, at, &mut Wrong::default()).map_or_else(Cow::default, |(name, _)| name.bytes())
    }
}

/// The positions of a skipped member: after the previous member, of its value, and after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SkippedAt {
    pub(super) from: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The most skipped members of an object that are kept.
pub(super) const MOST_SKIPPED: usize = 1 << 12;
