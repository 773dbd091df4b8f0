//! Tables: rows of one kind in columns. Each column is described once, beside the analysis that fills it.
//!
//! A front end knows units, not columns: JSON, the terminal and the HTML report write whatever a [`Table`] has.
//!
//! To add a column, add a [`Field`] to the list of its table and its heading to `messages/en.json` and `messages/zh.json`.

pub mod messages;
mod values;

use std::borrow::Cow;
use std::iter;

pub use self::values::{Count, Values};
use crate::units::Nanos;

/// The unit of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A text out of the trace.
    Text,
    /// One of a few words. Its message is this prefix, a dot and the word.
    Word(&'static str),
    /// True, false or unknown.
    Flag,
    /// A number of things, or a mean of such numbers.
    Count,
    /// A length of time, in nanoseconds.
    Duration,
    /// A share, from 0 to 1.
    Share,
    /// A share in percent, from 0 to 100.
    Percent,
    /// A number without a unit.
    Number,
}

/// Where a column is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// In all tables; left out where no row has a value.
    Always,
    /// In tables that scroll sideways, not in a terminal.
    Wide,
    /// In data alone: JSON, CSV, data frames.
    Data,
}

/// The description of a column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its key in JSON, CSV and data frames, and the last part of its messages' keys.
    pub key: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// Whether values carry the share of time they are known for, as `KEY_coverage`.
    pub is_covered: bool,
    /// Where it is shown.
    pub show: Show,
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Not known.
    Unknown,
    /// A text.
    Text(Cow<'a, str>),
    /// A word of the column's list.
    Word(&'static str),
    /// True or false.
    Flag(bool),
    /// A count, or a mean of counts.
    Count(Count),
    /// A whole number: nanoseconds.
    Whole(i64),
    /// A number.
    Real(f64),
    /// A number and the share of time it is known for.
    Covered(f64, f64),
}

impl From<Nanos> for Value<'_> {
    fn from(time: Nanos) -> Self {
        Self::Whole(time.0)
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

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Unknown, Into::into)
    }
}

/// A kind of table: what its rows are, and what is needed to read a value from one.
pub trait Rows: 'static {
    /// The table's key in JSON, and the first part of its messages' keys.
    const ID: &'static str;
    /// Its columns, in order.
    const FIELDS: &'static [Field<Self>];
    /// A row of the analysis.
    type Row;
    /// What a row refers to, such as the trace with its strings.
    type Context<'a>;
}

/// Reads a column's value from a row.
pub type Get<T> = for<'a, 'c> fn(&'a <T as Rows>::Row, &'a <T as Rows>::Context<'c>) -> Value<'a>;

/// A column with the function that reads its value from a row.
pub struct Field<T: Rows + ?Sized> {
    /// The description.
    pub column: Column,
    /// Reads the value.
    pub get: Get<T>,
}

impl<T: Rows + ?Sized> Field<T> {
    /// A column that tables show.
    pub const fn new(key: &'static str, unit: Unit, get: Get<T>) -> Self {
        Self { column: Column { key, unit, is_covered: false, show: Show::Always }, get }
    }

    /// Marks values that are known for a part of the time.
    #[must_use]
    pub const fn covered(mut self) -> Self {
        self.column.is_covered = true;
        self
    }

    /// Shows the column where there is room for it.
    #[must_use]
    pub const fn wide(mut self) -> Self {
        self.column.show = Show::Wide;
        self
    }

    /// Shows the column in data alone.
    #[must_use]
    pub const fn data(mut self) -> Self {
        self.column.show = Show::Data;
        self
    }
}

/// The columns of a kind of table.
pub fn columns<T: Rows>() -> impl ExactSizeIterator<Item = &'static Column> {
    T::FIELDS.iter().map(|field| &field.column)
}

/// Rows of one kind, by columns.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its key, see [`Rows::ID`].
    pub id: &'static str,
    rows: usize,
    columns: Vec<(&'static Column, Values)>,
}

impl Table {
    /// Reads rows of an analysis into columns.
    pub fn of<T: Rows>(rows: &[T::Row], context: &T::Context<'_>) -> Self {
        let columns = T::FIELDS.iter().map(|field| {
            let mut values = Values::with_capacity(&field.column, rows.len());
            for row in rows {
                values.push((field.get)(row, context));
            }
            (&field.column, values)
        });
        Self { id: T::ID, rows: rows.len(), columns: columns.collect() }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether it has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The columns, in order, with their values.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = (&'static Column, &Values)> {
        self.columns.iter().map(|(column, values)| (*column, values))
    }

    /// The values of a row, in the order of the columns; none for a row that is not there.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (&'static Column, Value<'_>)> {
        let columns = if row < self.rows { &self.columns[..] } else { &[] };
        columns.iter().map(move |(column, values)| (*column, values.get(row)))
    }

    /// The columns that a narrow table shows, such as one in a terminal: those in which a row has a value.
    pub fn shown(&self) -> impl Iterator<Item = (&'static Column, &Values)> {
        self.columns().filter(|(column, values)| column.show == Show::Always && values.has_any())
    }

    /// The rows' cells in these columns, as a function of column and value gives them.
    pub fn cells<'a, C>(
        &'a self,
        mut cell: impl FnMut(&'static Column, Value<'a>) -> C + 'a,
    ) -> impl Iterator<Item = Vec<C>> + 'a {
        let shown: Vec<_> = self.shown().collect();
        let mut row = 0;
        iter::from_fn(move || {
            (row < self.rows).then(|| {
                let cells = shown.iter().map(|(column, values)| cell(column, values.get(row))).collect();
                row += 1;
                cells
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fruit;

    impl Rows for Fruit {
        const ID: &'static str = "fruit";
        const FIELDS: &'static [Field<Self>] = &[
            Field::<Self>::new("name", Unit::Text, |row, _| row.0.into()),
            Field::<Self>::new("ripe", Unit::Share, |row, _| row.1.map(|share| Value::Covered(share, 0.5)).into())
                .covered(),
            Field::<Self>::new("stones", Unit::Count, |_, stones: &u64| Count::Whole(*stones).into()).data(),
            Field::<Self>::new("price", Unit::Number, |_, _| Value::Unknown),
        ];
        type Row = (&'static str, Option<f64>);
        type Context<'a> = u64;
    }

    #[test]
    fn rows_are_read_into_columns() {
        let table = Table::of::<Fruit>(&[("plum", Some(0.25)), ("fig", None)], &1);
        let keys: Vec<&str> = table.shown().map(|(column, _)| column.key).collect();
        assert_eq!(keys, ["name", "ripe"], "data alone, and what no row has, is not shown");
        let rows: Vec<Vec<Value<'_>>> = table.cells(|_, value| value).collect();
        assert_eq!(rows[0], [Value::from("plum"), Value::Covered(0.25, 0.5)]);
        assert_eq!(rows[1], [Value::from("fig"), Value::Unknown]);
        assert_eq!(table.row(1).nth(2).map(|(_, value)| value), Some(Value::Count(Count::Whole(1))));
        assert_eq!(table.row(2).count(), 0);
    }
}
