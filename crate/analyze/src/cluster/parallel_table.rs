//! The table of the ways in which operators cut their inputs.

use stepscope_table::{Bar, Field, Rows, Unit};

/// The table of the cuts of a parallel strategy, the one of most operators first. `RECORDED` is the one of the profiler's own comparison.
#[derive(Debug)]
pub enum CutTable<const RECORDED: bool> {}

impl<const RECORDED: bool> Rows for CutTable<RECORDED> {
    const ID: &'static str = if RECORDED { "cluster.strategy.cuts" } else { "job.strategy.cuts" };
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("parts", Unit::Text, |row, ()| row.0.as_str().into()).known(),
        Field::<Self>::new("operators", Unit::Count, |row, ()| row.1.into()).bar(Bar::OfLargest).known(),
    ];
    const SORT: &'static str = "operators";
    type Row = (String, u64);
    type Context<'a> = ();
}
