//! The table of operators.

use super::OperatorRow;
use crate::per_step::PerStep;
use crate::python_stacks::module_path;
use stepscope_base::Nanos;
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::Trace;

/// The table of operators. Rows are [`OperatorRow`]s.
pub enum OperatorTable {}

/// Context of the rows of the table of operators.
#[derive(Clone, Copy, Debug)]
pub struct OperatorContext<'a> {
    /// The trace of the rows.
    pub trace: &'a Trace,
    /// The divisor of sums.
    pub per: PerStep,
}

/// A number of whole calls: unknown where none begins in the scope.
fn of_calls<'a>(row: &OperatorRow, time: Nanos) -> Value<'a> {
    (row.calls > 0).then_some(time).into()
}

impl Rows for OperatorTable {
    const ID: &'static str = "operators";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, _| row.name.as_str().into()),
        Field::<Self>::new("class", Unit::Word("class"), |row, _| Value::Word(row.class.name())).data(),
        Field::<Self>::new("shapes", Unit::Text, |row, of| of.trace.strings.get(row.shapes).into()).in_name(),
        Field::<Self>::new("types", Unit::Text, |row, of| of.trace.strings.get(row.types).into()).in_name(),
        Field::<Self>::new("stack", Unit::Lines, |row, of| {
            Value::Lines(row.stack.iter().map(|name| of.trace.strings.get(*name).into()).collect())
        })
        .in_name(),
        Field::<Self>::new("module", Unit::Text, |row, of| {
            (!row.modules.is_empty()).then(|| module_path(of.trace, &row.modules)).into()
        })
        .in_name(),
        Field::<Self>::new("thread", Unit::Text, |row, of| {
            row.thread.get().map(|track| of.trace.place_label(&of.trace.tracks[track.index()])).into()
        })
        .in_name(),
        Field::<Self>::new("calls", Unit::Count, |row, of| of.per.count(row.calls).into()).part(),
        Field::<Self>::new("host_total_ns", Unit::Duration, |row, of| of.per.time(row.host_total).into()),
        Field::<Self>::new("host_self_ns", Unit::Duration, |row, of| of.per.time(row.host_self).into())
            .bar(Bar::OfLargest)
            .part(),
        Field::<Self>::new("host_mean_ns", Unit::Duration, |row, _| of_calls(row, row.host_mean())),
        Field::<Self>::new("host_min_ns", Unit::Duration, |row, _| of_calls(row, row.host_min)).wide(),
        Field::<Self>::new("host_max_ns", Unit::Duration, |row, _| of_calls(row, row.host_max)).wide(),
        Field::<Self>::new("device_total_ns", Unit::Duration, |row, of| of.per.time(row.device_total).into())
            .of_device(),
        Field::<Self>::new("device_self_ns", Unit::Duration, |row, of| of.per.time(row.device_self).into())
            .bar(Bar::OfLargest)
            .part()
            .of_device(),
        Field::<Self>::new("device_total_sum_ns", Unit::Duration, |row, of| of.per.time(row.device_total_sum).into())
            .data()
            .of_device(),
        Field::<Self>::new("device_self_sum_ns", Unit::Duration, |row, of| of.per.time(row.device_self_sum).into())
            .data()
            .of_device(),
    ];
    const FIRST: &'static [&'static str] =
        &["name", "calls", "device_total_ns", "device_self_ns", "host_total_ns", "host_self_ns", "host_mean_ns"];
    const SORT: &'static str = "device_self_ns";
    type Row = OperatorRow;
    type Context<'a> = OperatorContext<'a>;
}
