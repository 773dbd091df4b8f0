//! Reports in other tools' layouts, so that users find familiar tables.
//!
//! Text for a fixed-width font. Columns, titles and notes are as in the tool, numbers have the tool's decimals.
//! Layouts are taken from printed tables and from documentation; tests compare with both.

pub mod choice;
mod columns;
pub mod mindspore;
pub mod nvprof;
pub mod paddle;
pub mod tensorboard;

use self::columns::Columns;

/// The unit in which a tool prints times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

impl TimeUnit {
    /// All of them, the longest first.
    pub const ALL: [Self; 4] = [Self::Seconds, Self::Milliseconds, Self::Microseconds, Self::Nanoseconds];

    /// Its symbol in ASCII, as the tools write it.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
            Self::Nanoseconds => "ns",
        }
    }

    /// The unit with that symbol.
    #[must_use]
    pub fn named(symbol: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.symbol() == symbol)
    }

    /// Its nanoseconds.
    #[must_use]
    pub fn nanos(self) -> f64 {
        match self {
            Self::Seconds => 1e9,
            Self::Milliseconds => 1e6,
            Self::Microseconds => 1e3,
            Self::Nanoseconds => 1.0,
        }
    }
}
