//! Spans and names as plain numbers, for callers that can hold nothing else: other languages.

use std::path::PathBuf;

use stepscope_format::Category;

use super::argument::Value;
use super::name::{AsName, Name, StaticName};
use super::others::lost;
use super::state::{self, is_recording};
use super::thread::{self, Open};
use super::writer::exclusive;

/// Bits of the depth, which are the lowest.
const DEPTH: u32 = 20;

/// Bits of the thread's serial number, above the depth; the recording's number has the rest. Both are truncated: a
/// repetition takes four million recordings, or threads of one.
const SERIAL: u32 = 22;

/// Message for readers about handles used on another thread.
static STRANGERS: StaticName = StaticName::new("spans used on another thread than the one that opened them");

/// A span that is open on the thread that opened it, as a number; 0 is none. On another thread it does nothing, and the
/// recording counts that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpanHandle(u64);

impl SpanHandle {
    /// None.
    pub const NONE: Self = Self(0);

    /// Opens a span on this thread; none while nothing is recorded.
    #[inline]
    #[must_use]
    pub fn open(category: Category, name: impl AsName, value: u64) -> Self {
        if !is_recording() {
            return Self::NONE;
        }
        let (open, serial) = thread::begin_here(name.number(), category, value);
        let (generation, depth) = open.parts();
        if depth >> DEPTH != 0 {
            // No number identifies it, so it could never be closed.
            thread::discard(open);
            return Self::NONE;
        }
        if generation == 0 { Self::NONE } else { Self(Self::owner(generation, serial) | u64::from(depth)) }
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
    pub fn discard(self) {
        thread::discard(self.opened());
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

    /// All but the depth.
    #[inline]
    fn owner(generation: u32, serial: u64) -> u64 {
        (u64::from(generation) << SERIAL | serial & ((1 << SERIAL) - 1)) << DEPTH
    }

    /// The span, if it is one of this thread's.
    #[inline]
    fn opened(self) -> Open {
        if self == Self::NONE {
            return Open::NONE;
        }
        let depth = self.0 & ((1 << DEPTH) - 1);
        match thread::here() {
            Some((generation, serial)) if Self::owner(generation, serial) == self.0 - depth => {
                Open::of_parts(generation, depth as u32)
            }
            _ => self.strange(),
        }
    }

    /// None; of the recording that is running, another thread's is counted.
    #[cold]
    fn strange(self) -> Open {
        let running = Self::owner(state::generation(), 0);
        if (self.0 ^ running) >> (SERIAL + DEPTH) == 0 {
            lost(&STRANGERS, 1);
        }
        Open::NONE
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
    exclusive(|| state::with(|global| global.path())).flatten()
}
