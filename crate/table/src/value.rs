//! One value of a row.

use std::borrow::Cow;

use stepscope_base::Nanos;

/// A count, a mean of counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    /// An integer, with all its digits.
    Whole(u64),
    /// A mean or a rate.
    Mean(f64),
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Unknown.
    Unknown,
    /// A text.
    Text(Cow<'a, str>),
    /// Lines of text.
    Lines(Vec<Cow<'a, str>>),
    /// An extent in three directions.
    Extent([u32; 3]),
    /// Numbers that identify things.
    Ids(Cow<'a, [u64]>),
    /// A word of the column's list.
    Word(&'static str),
    /// True or false.
    Flag(bool),
    /// A count, or a mean of counts.
    Count(Count),
    /// An integer: nanoseconds, or signed bytes.
    Whole(i64),
    /// A number.
    Real(f64),
    /// A number and its coverage, the share of time for which it is known.
    Covered(Count, f64),
}

impl From<u64> for Count {
    fn from(whole: u64) -> Self {
        Self::Whole(whole)
    }
}

impl From<f64> for Count {
    fn from(mean: f64) -> Self {
        Self::Mean(mean)
    }
}

impl Value<'_> {
    /// A number that identifies a thing.
    #[must_use]
    pub fn id(number: u64) -> Self {
        Self::Whole(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// An address, as a text of hexadecimal digits: JSON's numbers are not exact above 2^53.
    #[must_use]
    pub fn address(address: u64) -> Self {
        Self::Text(format!("0x{address:x}").into())
    }

    /// Whether it is a number, and zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Whole(whole) => *whole == 0,
            Self::Count(Count::Whole(count)) | Self::Covered(Count::Whole(count), _) => *count == 0,
            Self::Count(Count::Mean(real)) | Self::Covered(Count::Mean(real), _) | Self::Real(real) => *real == 0.0,
            _ => false,
        }
    }

    /// Whether tables show nothing: it is unknown, or an empty text.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Text(text) => text.is_empty(),
            _ => false,
        }
    }
}

impl From<Nanos> for Value<'_> {
    fn from(time: Nanos) -> Self {
        Self::Whole(time.0)
    }
}

impl From<i64> for Value<'_> {
    fn from(whole: i64) -> Self {
        Self::Whole(whole)
    }
}

impl From<u64> for Value<'_> {
    fn from(count: u64) -> Self {
        Self::Count(Count::Whole(count))
    }
}

impl From<u32> for Value<'_> {
    fn from(count: u32) -> Self {
        u64::from(count).into()
    }
}

impl From<[u32; 3]> for Value<'_> {
    fn from(extent: [u32; 3]) -> Self {
        Self::Extent(extent)
    }
}

impl From<Count> for Value<'_> {
    fn from(count: Count) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl<'a> From<&'a [u64]> for Value<'a> {
    fn from(ids: &'a [u64]) -> Self {
        Self::Ids(ids.into())
    }
}

impl From<bool> for Value<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Unknown, Into::into)
    }
}
