//! Arguments of a program's own spans and instants: keys and values that are in no text of a file.

use super::ids::NameId;
use super::strings::Strings;

/// An argument of a slice or an instant event, where the producer's file is not a text that could be read again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Argument {
    /// Its name.
    pub key: NameId,
    /// Its value.
    pub value: ArgumentValue,
}

/// The value of an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArgumentValue {
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    Text(NameId),
    /// Yes or no.
    Bool(bool),
}

impl ArgumentValue {
    /// As the user reads it: a text without quotes.
    #[must_use]
    pub fn to_text(self, strings: &Strings) -> String {
        match self {
            Self::Signed(value) => value.to_string(),
            Self::Unsigned(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Text(text) => strings.get(text).to_owned(),
            Self::Bool(value) => value.to_string(),
        }
    }

    /// Whether it is a text.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Self::Text(_))
    }
}
