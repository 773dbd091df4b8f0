//! The table of the functions and activities that causes of lost time are in.

use super::causes::BudgetCause;
use super::functions::CauseFunction;
use stepscope_base::Nanos;
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::Trace;

/// A function of a cause. The row of a [`CauseFunctionTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CauseFunctionRow {
    /// The last part of the keys of the cause's messages.
    pub wording: &'static str,
    /// The cause's time per window.
    pub of: Nanos,
    /// The function.
    pub function: CauseFunction,
}

/// The functions of causes, cause by cause.
#[must_use]
pub fn cause_functions(causes: &[BudgetCause]) -> Vec<CauseFunctionRow> {
    let of_cause = |cause: &BudgetCause| {
        let (wording, of) = (cause.wording, cause.time);
        cause.functions.iter().map(|function| CauseFunctionRow { wording, of, function: *function }).collect::<Vec<_>>()
    };
    causes.iter().flat_map(of_cause).collect()
}

/// The table of the functions of the host, or the activities of devices, that most of each cause is in.
#[derive(Debug)]
pub enum CauseFunctionTable {}

impl Rows for CauseFunctionTable {
    const ID: &'static str = "cause_functions";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::KernelName, |row, trace| trace.name_of(row.function.event).into()).known(),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, _| row.function.time.into()).bar(Bar::OfLargest).known(),
        Field::<Self>::new("share", Unit::Share, |row, _| row.function.time.ratio_of(row.of).into()),
        Field::<Self>::new("wording", Unit::Word("budget.cause"), |row, _| Value::Word(row.wording)).known(),
        Field::<Self>::new("slice", Unit::Id, |row, _| Value::id(row.function.event.0.into())).event().known(),
    ];
    const FIRST: &'static [&'static str] = &["name"];
    const SORT: &'static str = "mean_ns";
    type Row = CauseFunctionRow;
    type Context<'a> = Trace;
}
