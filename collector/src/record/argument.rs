//! Arguments: keys and values of a span or an instant event.

use stepscope_format::ArgumentValue;

use super::name::{AsName, Name};
use super::thread;

/// Value of an argument: an integer, a number with a fraction, a text or a `bool`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// A number with a fraction.
    Float(f64),
    /// A text. Each different one is written once, as a name is.
    Text(&'a str),
    /// Yes or no.
    Bool(bool),
    /// A text that was looked up.
    Name(Name),
}

impl Value<'_> {
    /// Its words in a record; a text is looked up.
    pub(super) fn words(self) -> [u64; 2] {
        let value = match self {
            Self::Signed(value) => ArgumentValue::Signed(value),
            Self::Unsigned(value) => ArgumentValue::Unsigned(value),
            Self::Float(value) => ArgumentValue::Float(value),
            Self::Text(text) => ArgumentValue::Text(thread::dynamic_name(text)),
            Self::Bool(value) => ArgumentValue::Bool(value),
            Self::Name(name) => ArgumentValue::Text(name.get()),
        };
        value.words()
    }
}

macro_rules! from {
    ($($variant:ident($wide:ty): $($narrow:ty),+;)+) => {
        $($(impl From<$narrow> for Value<'_> {
            #[inline]
            fn from(value: $narrow) -> Self {
                Self::$variant(<$wide>::from(value))
            }
        })+)+
    };
}

from! {
    Signed(i64): i8, i16, i32, i64;
    Unsigned(u64): u8, u16, u32, u64;
    Float(f64): f32, f64;
    Bool(bool): bool;
}

impl From<usize> for Value<'_> {
    #[inline]
    fn from(value: usize) -> Self {
        Self::Unsigned(value as u64)
    }
}

impl From<isize> for Value<'_> {
    #[inline]
    fn from(value: isize) -> Self {
        Self::Signed(value as i64)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    #[inline]
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    #[inline]
    fn from(value: &'a String) -> Self {
        Self::Text(value)
    }
}

/// Gives the innermost open span of this thread an argument, for callers that have no [`Span`](crate::Span) at hand.
pub fn argument<'a>(key: impl AsName, value: impl Into<Value<'a>>) {
    if super::state::is_recording() {
        thread::argument_of_innermost(key.number(), value.into().words());
    }
}
