//! The table of the functions and activities that causes of lost time are in.

use super::BudgetMean;
use super::causes::{BudgetCause, is_listed};
use super::functions::CauseFunction;
use crate::{Step, program_part_around};
use stepscope_base::Nanos;
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::Trace;

/// A function of a cause. The row of a [`CauseFunctionTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CauseFunctionRow {
    /// The last part of the keys of the cause's messages.
    pub wording: &'static str,
    /// The time per window by which the cause is measured.
    pub of: Nanos,
    /// The function.
    pub function: CauseFunction,
}

/// The last part of the key for kernels whose limit is not known: no cause, but most of the time in many traces.
const LIMIT_UNKNOWN: &str = "limit_unknown";

/// The functions of a cause.
#[must_use]
pub fn functions_of_cause(cause: &BudgetCause) -> Vec<CauseFunctionRow> {
    let (wording, of) = (cause.wording, cause.score);
    cause.functions.iter().map(|function| CauseFunctionRow { wording, of, function: *function }).collect()
}

/// The kernels whose limit is not known.
#[must_use]
pub fn kernels_without_limit(mean: &BudgetMean) -> Vec<CauseFunctionRow> {
    let (wording, unknown) = (LIMIT_UNKNOWN, mean.limit_unknown());
    let of = unknown.time;
    let kernels = if is_listed(of, unknown.share) { mean.limit_unknown_kernels.as_slice() } else { &[] };
    kernels.iter().map(|(function, _)| CauseFunctionRow { wording, of, function: *function }).collect()
}

/// The functions of causes, cause by cause, and the kernels whose limit is not known.
#[must_use]
pub fn cause_functions(mean: &BudgetMean) -> Vec<CauseFunctionRow> {
    mean.causes.iter().flat_map(functions_of_cause).chain(kernels_without_limit(mean)).collect()
}

/// The trace that functions are of.
#[derive(Clone, Copy, Debug)]
pub struct CauseFunctionContext<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Its steps, whose marks are no part of the program.
    pub steps: &'a [Step],
}

/// The table of the functions of the host, or the activities of devices, that most of each cause is in.
#[derive(Debug)]
pub enum CauseFunctionTable {}

impl Rows for CauseFunctionTable {
    const ID: &'static str = "cause_functions";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::KernelName, |row, of| of.trace.name_of(row.function.event).into()).known(),
        Field::<Self>::new("within", Unit::Text, |row, of| {
            program_part_around(of.trace, of.steps, row.function.event).map(|part| of.trace.name_of(part)).into()
        }),
        Field::<Self>::new("mean_ns", Unit::Duration, |row, _| row.function.time.into()).bar(Bar::OfLargest).known(),
        Field::<Self>::new("share", Unit::Share, |row, _| row.function.time.ratio_of(row.of).into()),
        Field::<Self>::new("wording", Unit::Word("budget.cause"), |row, _| Value::Word(row.wording)).known(),
        Field::<Self>::new("slice", Unit::Id, |row, _| Value::id(row.function.event.0.into())).event().known(),
    ];
    const FIRST: &'static [&'static str] = &["name"];
    const SORT: &'static str = "mean_ns";
    type Row = CauseFunctionRow;
    type Context<'a> = CauseFunctionContext<'a>;
}
