//! Values of columns.

use std::borrow::Cow;

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `NULL`.
    Null,
    /// An integer.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A text, as bytes that should be UTF-8 whatever the database's encoding.
    Text(Cow<'a, [u8]>),
    /// Bytes.
    Blob(&'a [u8]),
}

impl<'a> Value<'a> {
    /// The integer, if it is one.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The number: SQLite stores a real number without a fraction as an integer.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a column of real numbers holds no others")]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            _ => None,
        }
    }

    /// The text's bytes, if it is one.
    #[must_use]
    pub fn text(self) -> Option<Cow<'a, [u8]>> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The bytes of a blob or text.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) => Some(text),
            Self::Blob(bytes) => Some(bytes),
            _ => None,
        }
    }
}

/// The encoding of a database's texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16Little,
    Utf16Big,
}

impl Encoding {
    /// A text as UTF-8; invalid units are replaced.
    pub(super) fn decode(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        let unit = match self {
            Self::Utf8 => return Cow::Borrowed(bytes),
            Self::Utf16Little => u16::from_le_bytes,
            Self::Utf16Big => u16::from_be_bytes,
        };
        let units = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
        let text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        Cow::Owned(text.into_bytes())
    }
}

/// A literal value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Stand {
    #[default]
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Stand {
    pub(super) fn value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Integer(number) => Value::Integer(*number),
            Self::Real(number) => Value::Real(*number),
            Self::Text(text) => Value::Text(text.as_bytes().into()),
        }
    }
}
