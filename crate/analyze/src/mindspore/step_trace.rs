//! The step trace: interval, forward and backward, tail. METRICS section 3.

use std::collections::BTreeMap;

use super::cells::{self, table, text_in, time_in};
use crate::PointSource;
use stepscope_base::{CompactSort, Nanos, div_half_even};
use stepscope_trace::{Cell, EventId, RecordedTable, Trace};

/// One step, or the average.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepTimes {
    /// Its number, as the profiler counts; `-` for the average.
    pub name: String,
    /// Its start; as [`step_trace`] reads it, on the profiler's clock.
    pub start: Nanos,
    /// From the end of the step before it to its own end.
    pub total: Nanos,
    /// From the end of the step before it to its first forward operator: waiting for data, mostly.
    pub iteration_interval: Nanos,
    /// From the first forward operator to the last backward one; without training, to the last forward one.
    pub forward_and_backward: Nanos,
    /// From the last backward operator to its end: the optimizer, waiting for collectives.
    pub tail: Nanos,
    /// Its communication kernels, by start; recorded ones are in the table.
    pub collectives: Vec<EventId>,
}

/// The step trace of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepTrace {
    /// The source of its points.
    pub source: PointSource,
    /// The first operator of the forward pass.
    pub forward_start: String,
    /// The last operator of the backward pass.
    pub backward_end: String,
    /// The steps.
    pub steps: Vec<StepTimes>,
    /// The average of all steps but the first: the profiler's own, else ours.
    pub average: StepTimes,
    /// Whether the file has the profiler's own average, which is written last.
    pub recorded_average: bool,
}

/// A span in the graph of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepSpan {
    /// Its name; empty for the time between two collectives.
    pub name: String,
    /// Its start, from the step's start.
    pub start: Nanos,
    /// Its length.
    pub length: Nanos,
}

/// The step trace of a rank, if the profiler made one.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
///
/// let text = b"step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail
/// 1,100,1100,1000,100,900,0,800,200
/// 2,1100,2300,1200,1300,2100,200,800,200
/// -,1100,2300,1200,1300,2100,200,800,200
/// ";
/// # let mut loader = Loader::new("step_trace_raw_0_detail_time.csv");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::step_trace(&trace).expect("a step trace");
/// assert_eq!(steps.steps.len(), 2);
/// assert_eq!(steps.average.total, Nanos(12_000)); // the counter ticks every 10 ns
/// assert_eq!(steps.average.iteration_interval.ratio_of(steps.average.total), Some(1.0 / 6.0));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn step_trace(trace: &Trace) -> Option<StepTrace> {
    let table = table(trace, "step_trace")?;
    let mut steps: Vec<StepTimes> = table.rows.iter().map(|row| times(table, row)).collect();
    let last = steps.pop_if(|last| is_average(&last.name));
    // The profiler has no average of a single step: it writes a row of zeros.
    let recorded = last.filter(|last| last.total > Nanos::ZERO);
    let recorded_average = recorded.is_some();
    let average = recorded.or_else(|| average(&steps));
    let points = cells::table(trace, "step_trace_points");
    let point = |name: &str| {
        let found = points.and_then(|table| Some(text_in(table, table.rows.first()?, name)));
        found.unwrap_or_default().to_owned()
    };
    Some(StepTrace {
        source: PointSource::Recorded,
        forward_start: point("fp_start"),
        backward_end: point("bp_end"),
        steps,
        average: average.unwrap_or_default(),
        recorded_average,
    })
}

impl StepTrace {
    /// Whether the profiler's own average is of other steps than its table lists, as when only a part of the table is
    /// left. Then the mean of the listed steps without the first differs from it by more than rounding.
    #[must_use]
    pub fn averages_other_steps(&self) -> bool {
        const PARTS: i64 = 1_000;
        let listed = average(&self.steps).map(|listed| (self.average.total - listed.total, listed.total));
        let is_other = listed.is_some_and(|(by, total)| by.0.saturating_abs().saturating_mul(PARTS) > total.0);
        self.recorded_average && is_other
    }

    /// The average over the steps of all other averages of the rank: the profiler's own, unless it is of other steps.
    #[must_use]
    pub fn own_average(&self) -> StepTimes {
        let listed = if self.averages_other_steps() { average(&self.steps) } else { None };
        listed.unwrap_or_else(|| self.average.clone())
    }
}

/// The number of steps in the profiler's own average, and their mean length; none without a step trace, or if the
/// length is zero.
pub(crate) fn recorded_step(trace: &Trace) -> Option<(u64, Nanos)> {
    let found = step_trace(trace)?;
    let counted = found.steps.len().saturating_sub(usize::from(found.steps.len() > 1));
    let length = found.own_average().total;
    (counted > 0 && length > Nanos::ZERO).then_some((counted as u64, length))
}

/// Whether a row is the average, by its number.
fn is_average(name: &str) -> bool {
    matches!(name, "-" | "0")
}

fn times(table: &RecordedTable, row: &[Cell]) -> StepTimes {
    let time = |name: &str| time_in(table, row, name);
    // Points that the profiler did not find leave lengths below zero.
    let length = |name: &str| time(name).max(Nanos::ZERO);
    let inference = table.column("fp_and_bp").is_none();
    StepTimes {
        name: text_in(table, row, "step_num").to_owned(),
        start: time("start_point"),
        total: length("total"),
        iteration_interval: length("iteration_interval"),
        forward_and_backward: length(if inference { "fp" } else { "fp_and_bp" }),
        tail: length("tail"),
        collectives: Vec::new(),
    }
}

/// The mean of all steps but the first, which the profiler leaves out, too; of a single step, its values.
pub(crate) fn average(steps: &[StepTimes]) -> Option<StepTimes> {
    let counted = if steps.len() > 1 { &steps[1..] } else { steps };
    let mean = |of: fn(&StepTimes) -> Nanos| {
        let sum: i128 = counted.iter().map(|step| i128::from(of(step).0)).sum();
        Nanos(i64::try_from(div_half_even(sum, counted.len() as i128)).unwrap_or_default())
    };
    counted.first()?;
    Some(StepTimes {
        name: "-".to_owned(),
        start: Nanos::ZERO,
        collectives: Vec::new(),
        total: mean(|step| step.total),
        iteration_interval: mean(|step| step.iteration_interval),
        forward_and_backward: mean(|step| step.forward_and_backward),
        tail: mean(|step| step.tail),
    })
}

/// The graph of a step by its row in the table `step_trace`: a line of the whole step, one of its parts, and one per
/// stream with collectives and the time between them. Empty if there is no such row.
#[must_use]
pub fn step_lines(table: &RecordedTable, row: usize) -> Vec<Vec<StepSpan>> {
    let Some(row) = table.rows.get(row) else { return Vec::new() };
    let time = |name: &str| time_in(table, row, name);
    let (start, end, forward, backward) = (time("start_point"), time("end_point"), time("fp_point"), time("bp_point"));
    let span = |name: &str, at: Nanos, length: Nanos| StepSpan { name: name.to_owned(), start: at - start, length };
    let mut main = vec![span("iteration_interval", start, time("iteration_interval"))];
    if table.column("fp_and_bp").is_some() {
        main.push(span("fp_and_bp", forward, time("fp_and_bp")));
        main.push(span("tail", backward, time("tail")));
    } else {
        main.push(span("fp", forward, time("fp")));
    }
    let mut lines = vec![vec![span("", start, time("total"))], main];
    for collectives in collectives(table, row).into_values() {
        let mut line = Vec::new();
        let mut before = forward;
        for (name, from, until, length) in collectives {
            line.push(span("", before, from - before));
            line.push(span(name, from, length));
            before = until;
        }
        line.push(span("", before, end - before));
        lines.push(line);
    }
    lines
}

/// A collective: its name, start, end and duration.
type CollectiveSpan<'a> = (&'a str, Nanos, Nanos, Nanos);

/// A step's collectives by stream, in the order of the table, each stream's by their end.
fn collectives<'a>(table: &'a RecordedTable, row: &[Cell]) -> BTreeMap<usize, Vec<CollectiveSpan<'a>>> {
    let mut streams: Vec<&str> = Vec::new();
    let mut found: BTreeMap<usize, Vec<CollectiveSpan<'a>>> = BTreeMap::new();
    let mut columns: Vec<(&str, usize)> =
        table.columns.iter().enumerate().map(|(index, column)| (column.name.as_str(), index)).collect();
    columns.compact_sort();
    let time = |name: &str, end: &str| {
        let name = [name, end].concat();
        // Among several with the same name, the last one counts.
        let behind = columns.partition_point(|(known, _)| *known <= name.as_str());
        let (_, column) = columns[..behind].last().filter(|(known, _)| *known == name)?;
        row.get(*column)?.nanos().filter(|time| *time != Nanos::ZERO)
    };
    for column in &table.columns {
        let name = column.name.as_str();
        let stream = name.strip_prefix("stream_").and_then(|rest| rest.split('_').next());
        let Some(stream) = stream.filter(|_| !name.ends_with("point")) else { continue };
        let times = (time(name, "_start_point"), time(name, "_end_point"), time(name, ""));
        let (Some(from), Some(until), Some(length)) = times else { continue };
        let place = streams.iter().position(|known| *known == stream).unwrap_or_else(|| {
            streams.push(stream);
            streams.len() - 1
        });
        found.entry(place).or_default().push((name, from, until, length));
    }
    for spans in found.values_mut() {
        spans.compact_sort_by_key(|(_, _, until, _)| *until);
    }
    found
}
