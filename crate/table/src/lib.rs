//! Tables: rows of one kind in columns. Each column is described once, beside the analysis that fills it.
//!
//! A front end knows units, not columns: page, terminal, HTML report, JSON, CSV and data frames show whatever a [`Table`] has.
//!
//! To add a column, add a [`Field`] to the list of its table and its heading to `messages/en.json` and `messages/zh.json`.
//! To add a table, list it in `described_tables` of `stepscope_analyze`, too.

pub mod messages;
mod packed;
mod serialized;
mod values;

use std::borrow::Cow;
use std::iter;

pub use self::packed::Packed;
pub use self::values::{Count, Values};
use stepscope_base::Nanos;

/// The unit of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A text out of the trace.
    Text,
    /// A kernel's name: data has it as the trace does, people see a short one.
    KernelName,
    /// One of a few words. Its message is this prefix, a dot and the word.
    Word(&'static str),
    /// True, false or unknown.
    Flag,
    /// A number of things, or a mean of such numbers.
    Count,
    /// A length of time, in nanoseconds.
    Duration,
    /// A time from the trace's start, in nanoseconds; below zero before it.
    Moment,
    /// A share, from 0 to 1.
    Share,
    /// A share in percent, from 0 to 100.
    Percent,
    /// A number without a unit.
    Number,
    /// A number without a unit of which two decimals are enough.
    Decimal,
    /// Lines of text, such as a stack.
    Lines,
    /// An extent in three directions, such as a grid.
    Extent,
    /// A number by which a thing is called.
    Id,
    /// Bytes.
    Bytes,
    /// Bytes that may be fewer than none, such as a growth.
    SignedBytes,
    /// A rate in GB/s.
    GigabytesPerSecond,
    /// Floating-point operations.
    Flops,
    /// A rate of floating-point operations.
    FlopsPerSecond,
    /// A rate in bytes per second.
    BytesPerSecond,
    /// Numbers by which things are called, such as ranks.
    Ids,
    /// A change as a share: 0.1 is 10 % more.
    Change,
    /// A change of a length of time, in nanoseconds.
    DurationChange,
}

impl Unit {
    /// The units of numbers.
    pub const NUMBERS: [Self; 16] = [
        Self::Count,
        Self::Duration,
        Self::Moment,
        Self::Share,
        Self::Percent,
        Self::Number,
        Self::Decimal,
        Self::Id,
        Self::Bytes,
        Self::SignedBytes,
        Self::GigabytesPerSecond,
        Self::Flops,
        Self::FlopsPerSecond,
        Self::BytesPerSecond,
        Self::Change,
        Self::DurationChange,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::KernelName => "kernel_name",
            Self::Word(_) => "word",
            Self::Flag => "flag",
            Self::Count => "count",
            Self::Duration => "duration",
            Self::Moment => "moment",
            Self::Share => "share",
            Self::Percent => "percent",
            Self::Number => "number",
            Self::Decimal => "decimal",
            Self::Lines => "lines",
            Self::Extent => "extent",
            Self::Id => "id",
            Self::Bytes => "bytes",
            Self::SignedBytes => "signed_bytes",
            Self::GigabytesPerSecond => "gigabytes_per_second",
            Self::Flops => "flops",
            Self::FlopsPerSecond => "flops_per_second",
            Self::BytesPerSecond => "bytes_per_second",
            Self::Ids => "ids",
            Self::Change => "change",
            Self::DurationChange => "duration_change",
        }
    }

    /// Whether values are numbers, which stand at the right.
    #[must_use]
    pub fn is_number(self) -> bool {
        !matches!(
            self,
            Self::Text | Self::KernelName | Self::Word(_) | Self::Flag | Self::Lines | Self::Extent | Self::Ids
        )
    }
}

/// Where a column is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// In all tables; left out where no row has a value.
    Always,
    /// In tables that scroll sideways, not in a terminal.
    Wide,
    /// Behind the row's name, which it tells from others.
    Name,
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
    /// The share of which a bar is drawn behind each value.
    pub bar: Bar,
    /// Whether its values are parts of a whole, which a chart of shares may show.
    pub is_part: bool,
    /// Whether it says nothing where no device was recorded.
    pub is_of_device: bool,
    /// Whether JSON leaves out its key where a row has no value.
    pub is_omitted: bool,
    /// Whether its values are numbers of events, to which the rows' names lead.
    pub is_event: bool,
    /// Whether JSON has null for the object around it where nothing of that is known, instead of no key.
    pub is_null: bool,
    /// The key of a column without whose value it has none, either. The message `KEY.without` stands for both.
    pub with: Option<&'static str>,
    /// The key of the column by whose values rows are sorted instead of these.
    pub order: Option<&'static str>,
    /// Whether each row has a value.
    pub is_known: bool,
}

impl Column {
    /// The last part of its key: `waves` of `launch.waves.waves`.
    #[must_use]
    pub fn last_key(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }
}

/// A bar behind the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// No bar.
    None,
    /// Each value as a share of the largest one.
    OfLargest,
    /// The shares of another column, by its key.
    Share(&'static str),
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Not known.
    Unknown,
    /// A text.
    Text(Cow<'a, str>),
    /// Lines of text.
    Lines(Vec<Cow<'a, str>>),
    /// An extent in three directions.
    Extent([u32; 3]),
    /// Numbers by which things are called.
    Ids(Cow<'a, [u64]>),
    /// A word of the column's list.
    Word(&'static str),
    /// True or false.
    Flag(bool),
    /// A count, or a mean of counts.
    Count(Count),
    /// A whole number: nanoseconds, or bytes with a sign.
    Whole(i64),
    /// A number.
    Real(f64),
    /// A number and the share of time it is known for.
    Covered(f64, f64),
}

impl Value<'_> {
    /// A number by which a thing is called.
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
            Self::Count(Count::Whole(count)) => *count == 0,
            Self::Count(Count::Mean(real)) | Self::Real(real) | Self::Covered(real, _) => *real == 0.0,
            _ => false,
        }
    }

    /// Whether tables have nothing to show: it is not known, or an empty text.
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

/// A kind of table: what its rows are, and what is needed to read a value from one.
pub trait Rows: 'static {
    /// The path of its rows in a rank's JSON, with `[]` behind a list around them, and what its messages' keys begin with.
    const ID: &'static str;
    /// Its columns, in the order of data.
    const FIELDS: &'static [Field<Self>];
    /// The keys of the columns that are shown first, in this order. The other ones follow.
    const FIRST: &'static [&'static str] = &[];
    /// The key of the column by which rows are sorted at first, the largest value first.
    const SORT: &'static str;
    /// Whether the smallest value comes first instead.
    const IS_ASCENDING: bool = false;
    /// The columns of when a row's time begins, and of when it ends or how long it is: a link leads there.
    const SPAN: Option<[&'static str; 2]> = None;
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
        let column = Column {
            key,
            unit,
            is_covered: false,
            show: Show::Always,
            bar: Bar::None,
            is_part: false,
            is_of_device: false,
            is_omitted: false,
            is_event: false,
            is_null: false,
            with: None,
            order: None,
            is_known: false,
        };
        Self { column, get }
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

    /// Shows the values behind the rows' names. JSON leaves out those that are not known.
    #[must_use]
    pub const fn in_name(mut self) -> Self {
        self.column.show = Show::Name;
        self.omitted()
    }

    /// Marks values that are numbers of events, for data and for links to the timeline.
    #[must_use]
    pub const fn event(mut self) -> Self {
        self.column.is_event = true;
        self.data()
    }

    /// Has JSON write null for the object that begins with this column where nothing of it is known.
    #[must_use]
    pub const fn or_null(mut self) -> Self {
        self.column.is_null = true;
        self
    }

    /// Marks values that are there only where another column has one, too.
    #[must_use]
    pub const fn with(mut self, key: &'static str) -> Self {
        self.column.with = Some(key);
        self
    }

    /// Marks values that each row has: JSON never has null.
    #[must_use]
    pub const fn known(mut self) -> Self {
        self.column.is_known = true;
        self
    }

    /// Has rows sorted by another column's values, such as names of steps by their starts.
    #[must_use]
    pub const fn sorted_by(mut self, key: &'static str) -> Self {
        self.column.order = Some(key);
        self
    }

    /// Leaves the key out of JSON where a row has no value.
    #[must_use]
    pub const fn omitted(mut self) -> Self {
        self.column.is_omitted = true;
        self
    }

    /// Draws a bar behind each value.
    #[must_use]
    pub const fn bar(mut self, bar: Bar) -> Self {
        self.column.bar = bar;
        self
    }

    /// Marks values that are parts of a whole.
    #[must_use]
    pub const fn part(mut self) -> Self {
        self.column.is_part = true;
        self
    }

    /// Marks values that say nothing where no device was recorded.
    #[must_use]
    pub const fn of_device(mut self) -> Self {
        self.column.is_of_device = true;
        self
    }
}

/// The static description of a table.
#[derive(Clone, Debug)]
pub struct Description {
    /// Its key, see [`Rows::ID`].
    pub id: &'static str,
    /// Its columns, in the order of data.
    pub columns: Vec<&'static Column>,
    /// See [`Rows::FIRST`].
    pub first: &'static [&'static str],
    /// See [`Rows::SORT`].
    pub sort: &'static str,
    /// See [`Rows::IS_ASCENDING`].
    pub is_ascending: bool,
    /// See [`Rows::SPAN`].
    pub span: Option<[&'static str; 2]>,
}

impl Description {
    /// The description of a kind of table.
    #[must_use]
    pub fn of<T: Rows>() -> Self {
        let columns = T::FIELDS.iter().map(|field| &field.column).collect();
        Self { id: T::ID, columns, first: T::FIRST, sort: T::SORT, is_ascending: T::IS_ASCENDING, span: T::SPAN }
    }

    /// The description of [`Table::and`].
    #[must_use]
    pub fn and<More: Rows>(self) -> Self {
        let more = Self::of::<More>();
        Self { columns: self.columns.into_iter().chain(more.columns).collect(), ..more }
    }

    /// The columns in the order in which they are shown.
    #[must_use]
    pub fn in_order(&self) -> Vec<&'static Column> {
        in_order(self.columns.iter().copied(), self.first, |column| column.key)
    }
}

/// Things by their keys: those that come first, then the other ones.
fn in_order<T>(all: impl Iterator<Item = T>, first: &[&str], key: impl Fn(&T) -> &'static str) -> Vec<T> {
    let place = |one: &T| first.iter().position(|known| *known == key(one)).unwrap_or(first.len());
    let mut places: Vec<Vec<T>> = Vec::new();
    places.resize_with(first.len() + 1, Vec::new);
    for one in all {
        if let Some(list) = places.get_mut(place(&one)) {
            list.push(one);
        }
    }
    places.into_iter().flatten().collect()
}

/// Rows of one kind, by columns.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its key, see [`Rows::ID`].
    pub id: &'static str,
    first: &'static [&'static str],
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
        Self { id: T::ID, first: T::FIRST, rows: rows.len(), columns: columns.collect() }
    }

    /// The table with further columns of the same rows, under the key of these columns' table.
    ///
    /// # Panics
    ///
    /// In debug builds, if the rows are not as many.
    #[must_use]
    pub fn and(self, more: Self) -> Self {
        debug_assert_eq!(self.rows, more.rows, "{} and {}", self.id, more.id);
        Self { columns: self.columns.into_iter().chain(more.columns).collect(), ..more }
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

    /// The table of a trace without devices: without the columns that tell of devices, if they have no value but zero. Hosts
    /// communicate, too.
    #[must_use]
    pub fn without_devices(mut self) -> Self {
        let rows = self.rows;
        let says_something =
            |values: &Values| (0..rows).any(|row| !values.get(row).is_nothing() && !values.get(row).is_zero());
        self.columns.retain(|(column, values)| !column.is_of_device || says_something(values));
        self
    }

    /// The table with these columns alone.
    #[must_use]
    pub fn only(mut self, keys: &[&str]) -> Self {
        self.columns.retain(|(column, _)| keys.contains(&column.key));
        self
    }

    /// The columns, in the order of data, with their values.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = (&'static Column, &Values)> {
        self.columns.iter().map(|(column, values)| (*column, values))
    }

    /// The values of a row, in the order of the columns; none for a row that is not there.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (&'static Column, Value<'_>)> {
        let columns = if row < self.rows { &self.columns[..] } else { &[] };
        columns.iter().map(move |(column, values)| (*column, values.get(row)))
    }

    /// The columns that a narrow table shows, such as one in a terminal: the first one, and those in which a row has a value.
    pub fn shown(&self) -> impl Iterator<Item = (&'static Column, &Values)> {
        let shown = self.columns().filter(|(column, _)| column.show == Show::Always);
        let shown = in_order(shown, self.first, |(column, _)| column.key).into_iter().enumerate();
        shown.filter(|(place, (_, values))| *place == 0 || values.has_any()).map(|(_, shown)| shown)
    }

    /// Whether a row has a value in the column of that key.
    #[must_use]
    pub fn has(&self, row: usize, key: &str) -> bool {
        self.columns().any(|(column, values)| column.key == key && !values.get(row).is_nothing())
    }

    /// What stands behind a row's name.
    pub fn name_parts(&self, row: usize) -> impl Iterator<Item = (Unit, Value<'_>)> {
        self.row(row).filter(|(column, _)| column.show == Show::Name).map(|(column, value)| (column.unit, value))
    }

    /// The rows' cells in these columns, as a function of row, column and value gives them.
    pub fn cells<'a, C>(
        &'a self,
        mut cell: impl FnMut(usize, &'static Column, Value<'a>) -> C + 'a,
    ) -> impl Iterator<Item = Vec<C>> + 'a {
        let shown: Vec<_> = self.shown().collect();
        let mut row = 0;
        iter::from_fn(move || {
            (row < self.rows).then(|| {
                let cells = shown.iter().map(|(column, values)| cell(row, column, values.get(row))).collect();
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
        const FIRST: &'static [&'static str] = &["ripe"];
        const SORT: &'static str = "ripe";
        type Row = (&'static str, Option<f64>);
        type Context<'a> = u64;
    }

    #[test]
    fn rows_are_read_into_columns() {
        let table = Table::of::<Fruit>(&[("plum", Some(0.25)), ("fig", None)], &1);
        let keys: Vec<&str> = table.shown().map(|(column, _)| column.key).collect();
        assert_eq!(keys, ["ripe", "name"], "data alone, and what no row has, is not shown");
        let rows: Vec<Vec<Value<'_>>> = table.cells(|_, _, value| value).collect();
        assert_eq!(rows[0], [Value::Covered(0.25, 0.5), Value::from("plum")]);
        assert_eq!(rows[1], [Value::Unknown, Value::from("fig")]);
        assert_eq!(table.row(1).nth(2).map(|(_, value)| value), Some(Value::Count(Count::Whole(1))));
        assert_eq!(table.row(2).count(), 0);
    }
}
