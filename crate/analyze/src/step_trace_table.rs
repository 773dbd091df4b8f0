//! The tables of the step trace: its steps, those of the profiler's own table, and collectives of the steps.

use super::StepTimes;
use stepscope_base::Nanos;
use stepscope_table::{Field, Rows, Unit};
use stepscope_trace::{EventId, Trace};

/// The table of the step trace. `RECORDED` is the one of the profiler's own table, whose times of its clock data do not have.
#[derive(Debug)]
pub enum StepTraceTable<const RECORDED: bool> {}

impl<const RECORDED: bool> StepTraceTable<RECORDED> {
    const NAME: Field<Self> = Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_str().into()).known();
    const START: Field<Self> = Field::<Self>::new("start_ns", Unit::Moment, |row, ()| row.start.into()).wide().known();
    const TOTAL: Field<Self> = Field::<Self>::new("total_ns", Unit::Duration, |row, ()| row.total.into()).known();
    const INTERVAL: Field<Self> =
        Field::<Self>::new("iteration_interval_ns", Unit::Duration, |row, ()| row.iteration_interval.into()).known();
    const PASSES: Field<Self> =
        Field::<Self>::new("forward_and_backward_ns", Unit::Duration, |row, ()| row.forward_and_backward.into())
            .known();
    const TAIL: Field<Self> = Field::<Self>::new("tail_ns", Unit::Duration, |row, ()| row.tail.into()).known();
}

impl<const RECORDED: bool> Rows for StepTraceTable<RECORDED> {
    const ID: &'static str = if RECORDED { "mindspore.step_trace.steps" } else { "step_trace.steps" };
    const FIELDS: &'static [Field<Self>] = if RECORDED {
        &[Self::NAME, Self::TOTAL, Self::INTERVAL, Self::PASSES, Self::TAIL]
    } else {
        &[Self::NAME.sorted_by("start_ns"), Self::START, Self::TOTAL, Self::INTERVAL, Self::PASSES, Self::TAIL]
    };
    const SORT: &'static str = "name";
    const IS_ASCENDING: bool = true;
    const SPAN: Option<[&'static str; 2]> = if RECORDED { None } else { Some(["start_ns", "total_ns"]) };
    type Row = StepTimes;
    type Context<'a> = ();
}

/// A collective of a step. The row of a [`StepCollectiveTable`].
#[derive(Clone, Copy, Debug)]
pub struct StepCollective {
    event: EventId,
    start_of_step: Nanos,
}

impl StepTimes {
    /// Its collectives that are events, as rows.
    #[must_use]
    pub fn collective_rows(&self) -> Vec<StepCollective> {
        self.collectives.iter().map(|event| StepCollective { event: *event, start_of_step: self.start }).collect()
    }
}

/// The table of collectives of a step of the step trace.
#[derive(Debug)]
pub enum StepCollectiveTable {}

impl Rows for StepCollectiveTable {
    const ID: &'static str = "step_trace.steps[].collectives";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::KernelName, |row, trace| trace.name_of(row.event).into()).known(),
        Field::<Self>::new("stream", Unit::Id, |row, trace| {
            trace.stream_of(row.event).map(|stream| stream.stream).into()
        }),
        Field::<Self>::new("start_ns", Unit::Duration, |row, trace| {
            // From the start of the step, which it may precede.
            (trace.slices.start(row.event) - row.start_of_step).into()
        })
        .known(),
        Field::<Self>::new("length_ns", Unit::Duration, |row, trace| trace.slices.length(row.event).into()).known(),
    ];
    const SORT: &'static str = "start_ns";
    const IS_ASCENDING: bool = true;
    type Row = StepCollective;
    type Context<'a> = Trace;
}
