//! The values of a column.

use std::borrow::Cow;

use super::column::Column;
use super::unit::Unit;
use super::value::{Count, Value};

/// The values of a column, one for each row.
#[derive(Clone, Debug)]
pub enum Values {
    /// Texts; `None` is unknown.
    Text(Vec<Option<String>>),
    /// Lines of text.
    Lines(Vec<Vec<String>>),
    /// Extents in three directions; `None` is unknown.
    Extent(Vec<Option<[u32; 3]>>),
    /// Numbers that identify things; `None` is unknown.
    Ids(Vec<Option<Vec<u64>>>),
    /// Words of a list.
    Word(Vec<&'static str>),
    /// Flags; `None` is unknown.
    Flag(Vec<Option<bool>>),
    /// Counts.
    Count(Vec<Option<Count>>),
    /// Nanoseconds, or signed bytes.
    Whole(Vec<Option<i64>>),
    /// Numbers; NaN is unknown.
    Real(Vec<f64>),
    /// Numbers and their coverage; `None` is unknown.
    Covered(Vec<Option<(Count, f64)>>),
}

impl Values {
    /// Values of a column, with capacity for a number of rows.
    pub(super) fn with_capacity(column: &Column, rows: usize) -> Self {
        match column.unit {
            _ if column.is_covered => Self::Covered(Vec::with_capacity(rows)),
            Unit::Text | Unit::KernelName => Self::Text(Vec::with_capacity(rows)),
            Unit::Lines => Self::Lines(Vec::with_capacity(rows)),
            Unit::Extent => Self::Extent(Vec::with_capacity(rows)),
            Unit::Ids => Self::Ids(Vec::with_capacity(rows)),
            Unit::Word(_) => Self::Word(Vec::with_capacity(rows)),
            Unit::Flag => Self::Flag(Vec::with_capacity(rows)),
            Unit::Count | Unit::Bytes | Unit::Flops => Self::Count(Vec::with_capacity(rows)),
            Unit::Duration | Unit::DurationChange | Unit::Moment | Unit::Id | Unit::SignedBytes => {
                Self::Whole(Vec::with_capacity(rows))
            }
            _ => Self::Real(Vec::with_capacity(rows)),
        }
    }

    /// Whether a value has the kind of the column's unit, or is unknown.
    fn takes(&self, value: &Value<'_>) -> bool {
        matches!(
            (self, value),
            (_, Value::Unknown)
                | (Self::Text(_), Value::Text(_))
                | (Self::Lines(_), Value::Lines(_))
                | (Self::Extent(_), Value::Extent(_))
                | (Self::Ids(_), Value::Ids(_))
                | (Self::Word(_), Value::Word(_))
                | (Self::Flag(_), Value::Flag(_))
                | (Self::Count(_), Value::Count(_))
                | (Self::Whole(_), Value::Whole(_))
                | (Self::Real(_), Value::Real(_))
                | (Self::Covered(_), Value::Covered(..))
        )
    }

    /// Adds a row's value. A value of another kind is a mistake in the description of the table.
    pub(super) fn push(&mut self, value: Value<'_>) {
        debug_assert!(self.takes(&value), "{value:?} is of another kind than its column");
        match (self, value) {
            (Self::Text(all), Value::Text(text)) => all.push(Some(text.into_owned())),
            (Self::Text(all), _) => all.push(None),
            (Self::Lines(all), Value::Lines(lines)) => all.push(lines.into_iter().map(Cow::into_owned).collect()),
            (Self::Lines(all), _) => all.push(Vec::new()),
            (Self::Extent(all), Value::Extent(extent)) => all.push(Some(extent)),
            (Self::Extent(all), _) => all.push(None),
            (Self::Ids(all), Value::Ids(ids)) => all.push(Some(ids.into_owned())),
            (Self::Ids(all), _) => all.push(None),
            (Self::Word(all), Value::Word(word)) => all.push(word),
            (Self::Word(all), _) => all.push(""),
            (Self::Flag(all), Value::Flag(flag)) => all.push(Some(flag)),
            (Self::Flag(all), _) => all.push(None),
            (Self::Count(all), Value::Count(count)) => all.push(Some(count)),
            (Self::Count(all), _) => all.push(None),
            (Self::Whole(all), Value::Whole(whole)) => all.push(Some(whole)),
            (Self::Whole(all), _) => all.push(None),
            (Self::Real(all), Value::Real(real)) => all.push(real),
            (Self::Real(all), _) => all.push(f64::NAN),
            (Self::Covered(all), Value::Covered(number, coverage)) => {
                let is_known = !matches!(number, Count::Mean(mean) if mean.is_nan());
                all.push(is_known.then_some((number, coverage)));
            }
            (Self::Covered(all), _) => all.push(None),
        }
    }

    /// A row's value.
    pub(super) fn get(&self, row: usize) -> Value<'_> {
        let found = match self {
            Self::Text(all) => all.get(row).and_then(Option::as_deref).map(Value::from),
            Self::Lines(all) => all.get(row).filter(|lines| !lines.is_empty()).map(|lines| lines_of(lines)),
            Self::Extent(all) => all.get(row).copied().flatten().map(Value::Extent),
            Self::Ids(all) => all.get(row).and_then(Option::as_deref).map(Value::from),
            Self::Word(all) => all.get(row).filter(|word| !word.is_empty()).map(|word| Value::Word(word)),
            Self::Flag(all) => all.get(row).copied().flatten().map(Value::Flag),
            Self::Count(all) => all.get(row).copied().flatten().map(Value::Count),
            Self::Whole(all) => all.get(row).copied().flatten().map(Value::Whole),
            Self::Real(all) => all.get(row).filter(|real| !real.is_nan()).map(|real| Value::Real(*real)),
            Self::Covered(all) => {
                all.get(row).copied().flatten().map(|(number, coverage)| Value::Covered(number, coverage))
            }
        };
        found.unwrap_or(Value::Unknown)
    }

    /// Whether any row has a value that tables show.
    #[must_use]
    pub fn has_any(&self) -> bool {
        let rows = match self {
            Self::Text(all) => all.len(),
            Self::Lines(all) => all.len(),
            Self::Extent(all) => all.len(),
            Self::Ids(all) => all.len(),
            Self::Word(all) => all.len(),
            Self::Flag(all) => all.len(),
            Self::Count(all) => all.len(),
            Self::Whole(all) => all.len(),
            Self::Real(all) => all.len(),
            Self::Covered(all) => all.len(),
        };
        (0..rows).any(|row| !self.get(row).is_nothing())
    }
}

fn lines_of(lines: &[String]) -> Value<'_> {
    Value::Lines(lines.iter().map(|line| line.as_str().into()).collect())
}
