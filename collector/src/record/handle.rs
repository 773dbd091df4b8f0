//! Spans and names as plain numbers, for callers that can hold nothing else: other languages.

use std::path::PathBuf;

use stepscope_format::Category;

use super::argument::Value;
use super::name::{AsName, Name};
use super::thread::{self, Open};
use super::{is_recording, state};

/// A span that is open on the thread that opened it, as a number; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpanHandle(u64);

impl SpanHandle {
    /// None.
    pub const NONE: Self = Self(0);

    /// Opens a span on this thread; none while nothing is recorded.
    #[inline]
    #[must_use]
    pub fn open(category: Category, name: impl AsName, value: u64) -> Self {
        if is_recording() { Self::of(thread::begin(name.number(), category, value)) } else { Self::NONE }
    }

    /// Closes it; spans that were opened in it and are still open stay so. Does nothing on another thread, in another
    /// recording, or if it is none.
    #[inline]
    pub fn close(self) {
        thread::end(self.opened());
    }

    /// Closes the innermost open span of that name on this thread; returns whether there was one. As long as it is open, also
    /// after the recording was stopped.
    #[inline]
    pub fn close_named(name: NameNumber) -> bool {
        thread::end_named(name.number())
    }

    /// Closes it without recording it, if it is the innermost one; else closes it.
    pub fn cancel(self) {
        thread::cancel(self.opened());
    }

    /// Gives it an argument, as long as it is open.
    pub fn argument<'a>(self, key: impl AsName, value: impl Into<Value<'a>>) {
        if self != Self::NONE {
            thread::argument(self.opened(), key.number(), value.into().words());
        }
    }

    /// Changes its number, as long as it is open.
    pub fn set_value(self, value: u64) {
        thread::set_value(self.opened(), value);
    }

    /// As a number.
    #[inline]
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }

    /// The span of that number.
    #[inline]
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        Self(number)
    }

    #[inline]
    fn of(open: Open) -> Self {
        let (generation, depth) = open.parts();
        Self(u64::from(generation) << 32 | u64::from(depth))
    }

    #[inline]
    fn opened(self) -> Open {
        Open::of_parts((self.0 >> 32) as u32, self.0 as u32)
    }
}

/// The number of a [`Name`], which is never 0 but for the empty name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameNumber(pub u32);

impl From<Name> for NameNumber {
    fn from(name: Name) -> Self {
        Self(name.number())
    }
}

impl AsName for NameNumber {
    #[inline]
    fn number(self) -> u32 {
        self.0
    }
}

/// The file that this process is recorded into. A forked child has one once it has recorded something.
#[must_use]
pub fn recording_path() -> Option<PathBuf> {
    thread::exclusive(|| state::with(|global| global.path())).flatten()
}
