//! Arguments of spans and instant events.

use crate::{Kind, Record};

/// The value of an argument: [`Record::extent`] and [`Record::value`] of a [`Kind::Argument`] record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArgumentValue {
    /// A signed integer; extent 0.
    Signed(i64),
    /// An unsigned integer; extent 1.
    Unsigned(u64),
    /// A number with a fraction; extent 2, its bits.
    Float(f64),
    /// A text, by its number among the names; extent 3.
    Text(u32),
    /// Yes or no; extent 4, 1 or 0.
    Bool(bool),
}

impl ArgumentValue {
    /// [`Record::extent`] of a [`Float`](Self::Float).
    pub(crate) const FLOAT: u64 = 2;

    /// Its kind and its bits: a record's extent and value.
    #[must_use]
    #[inline]
    pub fn words(self) -> [u64; 2] {
        match self {
            Self::Signed(value) => [0, value.cast_unsigned()],
            Self::Unsigned(value) => [1, value],
            Self::Float(value) => [Self::FLOAT, value.to_bits()],
            Self::Text(name) => [3, name.into()],
            Self::Bool(value) => [4, value.into()],
        }
    }

    /// The value in a record; `None` if the record is not an argument, or the value's kind is unknown.
    #[must_use]
    pub fn of(record: &Record) -> Option<Self> {
        if record.kind != Kind::Argument {
            return None;
        }
        Some(match record.extent {
            0 => Self::Signed(record.value.cast_signed()),
            1 => Self::Unsigned(record.value),
            Self::FLOAT => Self::Float(f64::from_bits(record.value)),
            3 => Self::Text(u32::try_from(record.value).ok()?),
            4 => Self::Bool(record.value != 0),
            _ => return None,
        })
    }
}

/// [`Record::aux`] of an argument that belongs to the instant event before it on its thread, not to a span.
pub const OF_MARK: u16 = u16::MAX;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Category;

    fn record(value: ArgumentValue) -> Record {
        let [extent, value] = value.words();
        Record { kind: Kind::Argument, category: Category::General, aux: 3, name: 1, at: 5, extent, value }
    }

    proptest! {
        #[test]
        fn values_come_back(signed: i64, unsigned: u64, float: f64, name: u32, yes: bool) {
            use ArgumentValue::{Bool, Float, Signed, Text, Unsigned};
            for value in [Signed(signed), Unsigned(unsigned), Float(float), Text(name), Bool(yes)] {
                prop_assert_eq!(ArgumentValue::of(&record(value)), Some(value));
            }
        }
    }

    #[test]
    fn what_is_no_argument_has_no_value() {
        let record = record(ArgumentValue::Bool(true));
        assert_eq!(ArgumentValue::of(&Record { extent: 5, ..record }), None);
        assert_eq!(ArgumentValue::of(&Record { kind: Kind::Mark, ..record }), None);
        assert_eq!(ArgumentValue::of(&Record { extent: 3, value: 1 << 32, ..record }), None);
    }
}
