//! The table of the time of critical paths by name.

use super::{CriticalPaths, PathRow};
use stepscope_base::Nanos;
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::Trace;

/// The context of rows of [`PathTable`].
#[derive(Clone, Copy, Debug)]
pub struct PathContext<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The paths whose rows these are.
    pub paths: &'a CriticalPaths,
}

impl PathContext<'_> {
    /// Total length of the paths that count.
    fn length(&self) -> Nanos {
        Nanos(self.paths.mean_length.0.saturating_mul(i64::try_from(self.paths.counted).unwrap_or(i64::MAX)))
    }
}

/// The table of the time of critical paths, by name.
#[derive(Debug)]
pub enum PathTable {}

impl Rows for PathTable {
    const ID: &'static str = "critical_path.rows";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("class", Unit::Word("path"), |row, _| Value::Word(row.class.name())).known(),
        // Before an activity begins, a piece has that activity's name.
        Field::<Self>::new("name", Unit::KernelName, |row, of| {
            row.name.get().map(|name| of.trace.strings.get(name)).into()
        }),
        Field::<Self>::new("pieces", Unit::Count, |row, _| row.pieces.into()).known(),
        Field::<Self>::new("total_ns", Unit::Duration, |row, _| row.total.into()).bar(Bar::OfLargest).part().known(),
        Field::<Self>::new("share", Unit::Share, |row, of| row.total.ratio_of(of.length()).into()),
        Field::<Self>::new("longest_slice", Unit::Id, |row, _| {
            row.longest.slice.get().map_or(Value::Unknown, |slice| Value::id(slice.0.into()))
        })
        .event(),
        Field::<Self>::new("longest_start_ns", Unit::Moment, |row, _| row.longest.span.start.into()).data().known(),
        Field::<Self>::new("longest_end_ns", Unit::Moment, |row, _| row.longest.span.end.into()).data().known(),
    ];
    const FIRST: &'static [&'static str] = &["name"];
    const SORT: &'static str = "total_ns";
    const SPAN: Option<[&'static str; 2]> = Some(["longest_start_ns", "longest_end_ns"]);
    type Row = PathRow;
    type Context<'a> = PathContext<'a>;
}
