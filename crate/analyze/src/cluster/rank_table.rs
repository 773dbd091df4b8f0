//! The table of a job's ranks.

use super::Job;
use super::clock::{ClockSource, RankClock};
use super::row_source::RowSource;
use super::rows::RankRow;
use stepscope_base::Nanos;
use stepscope_table::{Count, Field, Rows, Unit, Value};

/// The table of ranks; a row is the index of a rank of the job.
#[derive(Debug)]
pub enum RankTable {}

/// Columns of this table.
type Of = Field<RankTable>;

/// A value of a rank.
fn of<'a, T: Into<Value<'a>>>(job: &'a Job, index: usize, get: impl FnOnce(&'a RankRow) -> T) -> Value<'a> {
    job.ranks.get(index).map_or(Value::Unknown, |row| get(row).into())
}

/// A value of a rank's clock.
fn clock<'a, T: Into<Value<'a>>>(job: &'a Job, index: usize, get: impl FnOnce(&'a RankClock) -> T) -> Value<'a> {
    job.clocks.ranks.get(index).map_or(Value::Unknown, |clock| get(clock).into())
}

/// A correction of a rank's clock; of an unknown clock, none is known.
fn correction<'a>(job: &Job, index: usize, get: impl FnOnce(&RankClock) -> Nanos) -> Value<'a> {
    let clock = job.clocks.ranks.get(index).filter(|clock| clock.source != ClockSource::Unknown);
    clock.map_or(Value::Unknown, |clock| get(clock).into())
}

/// A time of the step trace.
fn part<'a>(job: &'a Job, index: usize, part: usize) -> Value<'a> {
    of(job, index, |row| row.step_trace.map(|times| times[part]))
}

/// A number of a rank's operations, with the share of its computing that they are known for: all, if the profiler
/// recorded them.
fn operations<'a>(rank: &RankRow, number: Option<impl Into<Count>>) -> Value<'a> {
    number.map_or(Value::Unknown, |number| Value::Covered(number.into(), rank.flops_coverage.unwrap_or(1.0)))
}

/// A flag that few rows have.
fn if_true<'a>(is_true: bool) -> Value<'a> {
    if is_true { Value::Flag(true) } else { Value::Unknown }
}

impl Rows for RankTable {
    const ID: &'static str = "job.ranks";
    const FIELDS: &'static [Field<Self>] = &[
        Of::new("rank", Unit::Id, |row, job| of(job, *row, |rank| Value::id(rank.rank))).known(),
        Of::new("input", Unit::Text, |row, job| of(job, *row, |rank| &*rank.file)).wide().known(),
        Of::new("host", Unit::Text, |row, job| of(job, *row, |rank| &*rank.host)).omitted(),
        Of::new("stage", Unit::Id, |row, job| of(job, *row, |rank| rank.stage.map(i64::from))),
        Of::new("steps_counted", Unit::Count, |row, job| of(job, *row, |rank| rank.steps)).known(),
        Of::new("step_ns", Unit::Duration, |row, job| of(job, *row, |rank| rank.step)).known(),
        Of::new("own_ns", Unit::Duration, |row, job| of(job, *row, |rank| rank.own)),
        Of::new("compute_ns", Unit::Duration, |row, job| of(job, *row, |rank| rank.compute)),
        Of::new("communication_ns", Unit::Duration, |row, job| of(job, *row, |rank| rank.communication)),
        Of::new("exposed_communication_ns", Unit::Duration, |row, job| of(job, *row, |rank| rank.communication_alone)),
        Of::new("exposed_memcpy_ns", Unit::Duration, |row, job| of(job, *row, |rank| rank.memcpy)),
        Of::new("idle_ns", Unit::Duration, |row, job| of(job, *row, |rank| rank.idle)),
        Of::new("between_steps_ns", Unit::Duration, |row, job| {
            of(job, *row, |rank| rank.between.map(|between| between.length))
        })
        .omitted(),
        Of::new("between_steps_idle_ns", Unit::Duration, |row, job| {
            of(job, *row, |rank| rank.between.and_then(|between| between.idle))
        })
        .data()
        .omitted(),
        Of::new("iteration_interval_ns", Unit::Duration, |row, job| part(job, *row, 0)),
        Of::new("forward_and_backward_ns", Unit::Duration, |row, job| part(job, *row, 1)),
        Of::new("tail_ns", Unit::Duration, |row, job| part(job, *row, 2)),
        Of::new("stage_ns", Unit::Duration, |row, job| of(job, *row, |rank| rank.stage_time)),
        Of::new("exposed_without_receiving_ns", Unit::Duration, |row, job| {
            of(job, *row, |rank| rank.alone_otherwise.filter(|_| rank.receive_alone.is_some()))
        })
        .omitted(),
        Of::new("receive_alone_ns", Unit::Duration, |row, job| of(job, *row, |rank| rank.receive_alone)),
        Of::new("flops", Unit::Flops, |row, job| of(job, *row, |rank| operations(rank, rank.flops))).covered(),
        Of::new("flops_per_second", Unit::FlopsPerSecond, |row, job| {
            of(job, *row, |rank| operations(rank, rank.flop_rate))
        })
        .covered(),
        Of::new("flops_known", Unit::Flag, |row, job| of(job, *row, RankRow::knows_flops)).data().known(),
        Of::new("memory_peak_bytes", Unit::SignedBytes, |row, job| of(job, *row, |rank| rank.memory_peak)),
        Of::new("planned_peak_bytes", Unit::SignedBytes, |row, job| of(job, *row, |rank| rank.planned_peak)).omitted(),
        Of::new("votes", Unit::Count, |row, job| of(job, *row, |rank| rank.votes)).seldom().known(),
        Of::new("voted", Unit::Count, |row, job| of(job, *row, |rank| rank.voted)).seldom().known(),
        Of::new("clock.source", Unit::Word("ranks.clock"), |row, job| {
            clock(job, *row, |clock| Value::Word(clock.source.name()))
        })
        .known(),
        Of::new("clock.offset_ns", Unit::DurationChange, |row, job| correction(job, *row, |clock| clock.offset))
            .seldom(),
        Of::new("clock.collectives", Unit::Count, |row, job| clock(job, *row, |clock| clock.collectives))
            .seldom()
            .known(),
        Of::new("clock.residual_ns", Unit::Duration, |row, job| clock(job, *row, |clock| clock.residual)),
        Of::new("clock.drift_ns", Unit::DurationChange, |row, job| correction(job, *row, |clock| clock.drift)).seldom(),
        Of::new("source", Unit::Word("ranks.note"), |row, job| {
            of(job, *row, |rank| match rank.source {
                RowSource::Events => Value::Unknown,
                source => Value::Word(source.name()),
            })
        })
        .omitted(),
        Of::new("not_averaged", Unit::Flag, |row, job| of(job, *row, |rank| if_true(job.is_aside(rank)))).omitted(),
        Of::new("repeated", Unit::Flag, |row, job| of(job, *row, |rank| if_true(rank.repeated))).omitted(),
        Of::new("apart", Unit::Word("ranks.other"), |row, job| {
            of(job, *row, |rank| rank.apart.map_or(Value::Unknown, |reason| Value::Word(reason.name())))
        })
        .omitted(),
    ];
    const FIRST: &'static [&'static str] = &["rank", "stage", "host", "steps_counted"];
    const SORT: &'static str = "rank";
    const IS_ASCENDING: bool = true;
    type Row = usize;
    type Context<'a> = Job;
}
