//! The tables of a range's slices by name, and of its changes against another range.

use super::compare::{RangeChange, RangeComparison};
use super::{RangeName, RangeSums};
use stepscope_base::Nanos;
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::Trace;

/// The context of rows of [`RangeNameTable`].
#[derive(Clone, Copy, Debug)]
pub struct RangeContext<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The range's length.
    pub length: Nanos,
}

/// The table of the slices of a range, by name and class.
#[derive(Debug)]
pub enum RangeNameTable {}

impl Rows for RangeNameTable {
    const ID: &'static str = "range.names";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::KernelName, |row, of| of.trace.strings.get(row.name).into()).known(),
        Field::<Self>::new("class", Unit::Word("range.class"), |row, _| Value::Word(row.class.name())).known(),
        Field::<Self>::new("share", Unit::Share, |row, of| row.sums.union.ratio_of(of.length).into()),
        Field::<Self>::new("count", Unit::Count, |row, _| row.sums.slices.into()).part().known(),
        Field::<Self>::new("begun", Unit::Count, |row, _| row.sums.begun.into()).known(),
        Field::<Self>::new("sum_ns", Unit::Duration, |row, _| row.sums.sum.into()).part().known(),
        Field::<Self>::new("union_ns", Unit::Duration, |row, _| row.sums.union.into()).bar(Bar::Share("share")).known(),
        Field::<Self>::new("self_ns", Unit::Duration, |row, _| row.sums.own.into()).part().known(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, _| row.sums.mean().into()).known(),
        Field::<Self>::new("min_ns", Unit::Duration, |row, _| row.sums.shortest.into()).known(),
        Field::<Self>::new("max_ns", Unit::Duration, |row, _| row.sums.longest.into()).known(),
        Field::<Self>::new("longest", Unit::Id, |row, _| {
            row.sums.longest_slice.get().map_or(Value::Unknown, |slice| Value::id(slice.0.into()))
        })
        .event(),
    ];
    const FIRST: &'static [&'static str] = &["name", "class", "count", "begun", "sum_ns", "union_ns", "share"];
    const SORT: &'static str = "sum_ns";
    type Row = RangeName;
    type Context<'a> = RangeContext<'a>;
}

/// The table of a range's differences from another one, by name and class. A row is the index of a change.
#[derive(Debug)]
pub enum RangeChangeTable {}

/// A change: this range without the other one.
fn change<'a>(row: Option<&RangeChange<'_>>, of: fn(&RangeSums) -> Nanos) -> Value<'a> {
    row.map(|row| of(&row.sums.b) - of(&row.sums.a)).into()
}

/// Columns of this table.
type Of = Field<RangeChangeTable>;

impl Rows for RangeChangeTable {
    const ID: &'static str = "range.changes";
    const FIELDS: &'static [Field<Self>] = &[
        Of::new("name", Unit::KernelName, |row, of| of.rows.get(*row).map(|row| row.name).into()).known(),
        Of::new("class", Unit::Word("range.class"), |row, of| {
            of.rows.get(*row).map_or(Value::Unknown, |row| Value::Word(row.class.name()))
        })
        .known(),
        Of::new("count.other", Unit::Count, |row, of| of.rows.get(*row).map(|row| row.sums.a.slices).into()).known(),
        Of::new("count.this", Unit::Count, |row, of| of.rows.get(*row).map(|row| row.sums.b.slices).into()).known(),
        Of::new("count.change", Unit::Id, |row, of| {
            of.rows.get(*row).map(|row| row.sums.b.slices.cast_signed() - row.sums.a.slices.cast_signed()).into()
        })
        .data()
        .known(),
        Of::new("sum_ns.other", Unit::Duration, |row, of| of.rows.get(*row).map(|row| row.sums.a.sum).into()).known(),
        Of::new("sum_ns.this", Unit::Duration, |row, of| of.rows.get(*row).map(|row| row.sums.b.sum).into()).known(),
        Of::new("sum_ns.change", Unit::DurationChange, |row, of| change(of.rows.get(*row), |sums| sums.sum)).known(),
        Of::new("union_ns.other", Unit::Duration, |row, of| of.rows.get(*row).map(|row| row.sums.a.union).into())
            .known(),
        Of::new("union_ns.this", Unit::Duration, |row, of| of.rows.get(*row).map(|row| row.sums.b.union).into())
            .known(),
        Of::new("union_ns.change", Unit::DurationChange, |row, of| change(of.rows.get(*row), |sums| sums.union))
            .data()
            .known(),
    ];
    const FIRST: &'static [&'static str] = &[
        "name",
        "class",
        "sum_ns.change",
        "sum_ns.this",
        "sum_ns.other",
        "union_ns.this",
        "union_ns.other",
        "count.this",
        "count.other",
    ];
    const SORT: &'static str = "sum_ns.change";
    type Row = usize;
    type Context<'a> = RangeComparison<'a>;
}
