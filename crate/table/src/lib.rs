//! Tables: rows of one kind in columns. Each column is described once, beside the analysis that computes it.
//!
//! A front end supports units, not columns: page, terminal, HTML report, JSON, CSV and data frames show all columns
//! of a [`Table`].
//!
//! To add a column, add a [`Field`] to the list of its table and its heading to `messages/en.json` and `messages/zh.json`.
//! To add a table that a [`View`] shows, list it in `VIEW_TABLES` of `stepscope_analyze`, and add its title, too.

mod column;
pub mod messages;
mod packed;
mod serialized;
mod unit;
mod value;
mod values;
mod view;

use std::iter;

use stepscope_base::Nanos;

pub use self::column::{Bar, Column, Show};
pub use self::packed::Packed;
pub use self::unit::Unit;
pub use self::value::{Count, Value};
pub use self::values::Values;
pub use self::view::View;

/// A kind of table: the type of its rows, and the context for reading a value from one.
pub trait Rows: 'static {
    /// The path of its rows in a rank's JSON, with `[]` after a list around them, and the prefix of its messages'
    /// keys.
    const ID: &'static str;
    /// Its columns, in the order of data.
    const FIELDS: &'static [Field<Self>];
    /// The keys of the columns that are shown first, in this order. The other ones follow.
    const FIRST: &'static [&'static str] = &[];
    /// The key of the column by which rows are sorted at first, the largest value first.
    const SORT: &'static str;
    /// Whether the smallest value comes first instead.
    const IS_ASCENDING: bool = false;
    /// The columns with a row's start, and with its end or length: links lead to that time.
    const SPAN: Option<[&'static str; 2]> = None;
    /// The view that shows it below its own tables; none for a table that front ends place themselves.
    const VIEW: Option<View> = None;
    /// A row of the analysis.
    type Row;
    /// The data that a row refers to, such as the trace with its strings.
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
            is_ranked: false,
        };
        Self { column, get }
    }

    /// Marks values with a coverage: they may be known for a part of the time.
    #[must_use]
    pub const fn covered(mut self) -> Self {
        self.column.is_covered = true;
        self
    }

    /// Shows the column if there is room for it.
    #[must_use]
    pub const fn wide(mut self) -> Self {
        self.column.show = Show::Wide;
        self
    }

    /// Leaves the column out of tables if all of its values are zero.
    #[must_use]
    pub const fn seldom(mut self) -> Self {
        self.column.show = Show::Seldom;
        self
    }

    /// Shows the column only in data.
    #[must_use]
    pub const fn data(mut self) -> Self {
        self.column.show = Show::Data;
        self
    }

    /// Shows the values after the rows' names. JSON leaves out unknown ones.
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

    /// Makes JSON write null for the object that begins with this column if nothing in it is known.
    #[must_use]
    pub const fn or_null(mut self) -> Self {
        self.column.is_null = true;
        self
    }

    /// Marks values that exist only if another column has one.
    #[must_use]
    pub const fn with(mut self, key: &'static str) -> Self {
        self.column.with = Some(key);
        self
    }

    /// Marks values that every row has: JSON never has null.
    #[must_use]
    pub const fn known(mut self) -> Self {
        self.column.is_known = true;
        self
    }

    /// Marks words by which the analysis has sorted the rows, in an order of its own, which front ends use for
    /// sorting, too.
    #[must_use]
    pub const fn ranked(mut self) -> Self {
        self.column.is_ranked = true;
        self
    }

    /// Sorts rows by another column's values, such as names of steps by their starts.
    #[must_use]
    pub const fn sorted_by(mut self, key: &'static str) -> Self {
        self.column.order = Some(key);
        self
    }

    /// Leaves the key out of JSON if a row has no value.
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

    /// Shows each value with its share of another column's value.
    #[must_use]
    pub const fn part_of(mut self, whole: &'static str) -> Self {
        self.column.bar = Bar::PartOf(whole);
        self
    }

    /// Marks values that are meaningless if no device was recorded.
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
    /// See [`Rows::VIEW`].
    pub view: Option<View>,
}

/// The description of a kind of table as constants: lists of many take no code.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    id: &'static str,
    first: &'static [&'static str],
    sort: &'static str,
    is_ascending: bool,
    span: Option<[&'static str; 2]>,
    view: Option<View>,
    /// A column by its place, of the kind before it and of its own.
    columns: [fn(usize) -> Option<&'static Column>; 2],
}

impl Described {
    /// The description of a kind of table.
    #[must_use]
    pub const fn of<T: Rows>() -> Self {
        Self {
            id: T::ID,
            first: T::FIRST,
            sort: T::SORT,
            is_ascending: T::IS_ASCENDING,
            span: T::SPAN,
            view: T::VIEW,
            columns: [|_| None, column::<T>],
        }
    }

    /// The description of [`Table::and`], after the columns of another kind.
    #[must_use]
    pub const fn after<Before: Rows>(mut self) -> Self {
        self.columns[0] = column::<Before>;
        self
    }

    /// Its key.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// The description.
    #[must_use]
    pub fn description(&self) -> Description {
        let Self { id, first, sort, is_ascending, span, view, columns } = *self;
        let all = columns.iter().flat_map(|column| (0..).map_while(column));
        Description { id, columns: all.collect(), first, sort, is_ascending, span, view }
    }
}

/// Rows of a kind of table with what they refer to.
struct RowsOf<'a, 'c, T: Rows> {
    rows: &'a [T::Row],
    context: &'a T::Context<'c>,
}

/// Reads the values of a column. A closure would have its code twice behind a pointer.
trait Fill {
    /// Adds the values of the column at a place.
    fn fill(&self, place: usize, values: &mut Values);
}

impl<T: Rows> Fill for RowsOf<'_, '_, T> {
    fn fill(&self, place: usize, values: &mut Values) {
        if let Some(field) = T::FIELDS.get(place) {
            self.rows.iter().for_each(|row| values.push((field.get)(row, self.context)));
        }
    }
}

/// The columns of a table with their values. It is the same code for all kinds of tables.
#[inline(never)]
fn filled(column: fn(usize) -> Option<&'static Column>, rows: usize, all: &dyn Fill) -> Vec<(&'static Column, Values)> {
    let filled = |(place, column): (usize, &'static Column)| {
        let mut values = Values::with_capacity(column, rows);
        all.fill(place, &mut values);
        (column, values)
    };
    (0..).map_while(column).enumerate().map(filled).collect()
}

/// A column of a kind of table by its place.
fn column<T: Rows>(place: usize) -> Option<&'static Column> {
    T::FIELDS.get(place).map(|field| &field.column)
}

impl Description {
    /// The description of a kind of table.
    #[must_use]
    pub fn of<T: Rows>() -> Self {
        const { Described::of::<T>() }.description()
    }

    /// The columns in the order in which they are shown.
    #[must_use]
    pub fn in_order(&self) -> Vec<&'static Column> {
        in_order(self.columns.iter().copied(), self.first, |column| column.key)
    }
}

/// Items by their keys: the given ones first, then the others.
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
        let columns = filled(column::<T>, rows.len(), &RowsOf::<T> { rows, context });
        Self { id: T::ID, first: T::FIRST, rows: rows.len(), columns }
    }

    /// The table with further columns of the same rows, under the key of these columns' table.
    ///
    /// # Panics
    ///
    /// In debug builds, if the numbers of rows differ.
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

    /// The table for a trace without devices: without device columns that have no value other than zero. Columns with
    /// values stay, since hosts communicate, too.
    #[must_use]
    pub fn without_devices(mut self) -> Self {
        let columns = std::mem::take(&mut self.columns);
        let is_kept = |(column, values): &(&Column, Values)| !column.is_of_device || self.says_something(values);
        self.columns = columns.into_iter().filter(is_kept).collect();
        self
    }

    /// Whether a row has a value other than zero in a column.
    fn says_something(&self, values: &Values) -> bool {
        (0..self.rows).any(|row| !values.get(row).is_nothing() && !values.get(row).is_zero())
    }

    /// The table with only these columns.
    #[must_use]
    pub fn only(mut self, keys: &[&str]) -> Self {
        self.columns.retain(|(column, _)| keys.contains(&column.key));
        self
    }

    /// The columns, in the order of data, with their values.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = (&'static Column, &Values)> {
        self.columns.iter().map(|(column, values)| (*column, values))
    }

    /// The values of a row, in the order of the columns; empty if there is no such row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (&'static Column, Value<'_>)> {
        let columns = if row < self.rows { &self.columns[..] } else { &[] };
        columns.iter().map(move |(column, values)| (*column, values.get(row)))
    }

    /// The columns of a narrow table, such as one in a terminal: the first one, and those in which a row has a value.
    pub fn shown(&self) -> impl Iterator<Item = (&'static Column, &Values)> {
        let shown = self.columns().filter(|(column, _)| matches!(column.show, Show::Always | Show::Seldom));
        let shown = in_order(shown, self.first, |(column, _)| column.key).into_iter().enumerate();
        let is_shown = |(column, values): (&Column, &Values)| match column.show {
            Show::Seldom => self.says_something(values),
            _ => values.has_any(),
        };
        shown.filter(move |(place, shown)| *place == 0 || is_shown(*shown)).map(|(_, shown)| shown)
    }

    /// Whether a row has a value in the column with that key.
    #[must_use]
    pub fn has(&self, row: usize, key: &str) -> bool {
        self.columns().any(|(column, values)| column.key == key && !values.get(row).is_nothing())
    }

    /// The share of a row's time in its whole, if the column names one ([`Bar::PartOf`]) that is not zero.
    #[must_use]
    pub fn share_of_whole(&self, row: usize, column: &Column) -> Option<f64> {
        let Bar::PartOf(whole) = column.bar else { return None };
        let time = |key: &str| match self.row(row).find(|(one, _)| one.key == key) {
            Some((_, Value::Whole(time))) => Some(Nanos(time)),
            _ => None,
        };
        time(column.key)?.ratio_of(time(whole)?)
    }

    /// The column for a row: in the row's own unit, if it has one ([`Unit::Measure`]).
    #[must_use]
    pub fn column_of(&self, row: usize, column: &Column) -> Column {
        let Unit::Measure(key) = column.unit else { return *column };
        let named = self.row(row).find(|(one, _)| one.key == key).and_then(|(_, value)| match value {
            Value::Word(name) => Unit::named(name),
            Value::Text(name) => Unit::named(&name),
            _ => None,
        });
        Column { unit: named.unwrap_or(Unit::Number), ..*column }
    }

    /// The values after a row's name.
    pub fn name_parts(&self, row: usize) -> impl Iterator<Item = (Unit, Value<'_>)> {
        self.row(row).filter(|(column, _)| column.show == Show::Name).map(|(column, value)| (column.unit, value))
    }

    /// The rows' cells in these columns, as a function returns them for row, column and value.
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
            Field::<Self>::new("ripe", Unit::Share, |row, _| {
                row.1.map(|share| Value::Covered(share.into(), 0.5)).into()
            })
            .covered(),
            Field::<Self>::new("stones", Unit::Count, |_, stones: &u64| Count::Whole(*stones).into()).data(),
            Field::<Self>::new("price", Unit::Number, |_, _| Value::Unknown),
        ];
        const FIRST: &'static [&'static str] = &["ripe"];
        const SORT: &'static str = "ripe";
        type Row = (&'static str, Option<f64>);
        type Context<'a> = u64;
    }

    struct Gauge;

    impl Rows for Gauge {
        const ID: &'static str = "gauge";
        const FIELDS: &'static [Field<Self>] = &[
            Field::<Self>::new("unit", Unit::Text, |row, ()| row.0.into()),
            Field::<Self>::new("value", Unit::Measure("unit"), |row, ()| row.1.into()),
        ];
        const SORT: &'static str = "value";
        type Row = (&'static str, f64);
        type Context<'a> = ();
    }

    #[test]
    fn a_row_may_name_the_unit_of_a_value() {
        let table = Table::of::<Gauge>(&[("share", 0.5), ("ns", 7.0), ("parsecs", 1.0)], &());
        let (value, _) = table.columns().nth(1).expect("two columns");
        let units: Vec<Unit> = (0..table.len()).map(|row| table.column_of(row, value).unit).collect();
        assert_eq!(units, [Unit::Share, Unit::Duration, Unit::Number]);
    }

    #[test]
    fn rows_are_read_into_columns() {
        let table = Table::of::<Fruit>(&[("plum", Some(0.25)), ("fig", None)], &1);
        let keys: Vec<&str> = table.shown().map(|(column, _)| column.key).collect();
        assert_eq!(keys, ["ripe", "name"], "data alone, and what no row has, is not shown");
        let rows: Vec<Vec<Value<'_>>> = table.cells(|_, _, value| value).collect();
        assert_eq!(rows[0], [Value::Covered(0.25.into(), 0.5), Value::from("plum")]);
        assert_eq!(rows[1], [Value::Unknown, Value::from("fig")]);
        assert_eq!(table.row(1).nth(2).map(|(_, value)| value), Some(Value::Count(Count::Whole(1))));
        assert_eq!(table.row(2).count(), 0);
    }
}
