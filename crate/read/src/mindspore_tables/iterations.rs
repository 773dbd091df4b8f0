//! Iterations in msprof's `step_trace_*.csv`, as rows of the step trace.
//!
//! ```text
//! Iteration ID  FP Start  BP End  Iteration End  Iteration Time  Model ID  Reduce Start  Reduce Duration  Reduce Start …
//! ```
//!
//! An iteration starts its time before its end. The two columns of a reduction are repeated for each of its
//! reductions. An inference has no points of forward and backward, and makes no step trace.
//!
//! Source: `StepTraceViewer` and `SummaryStepTraceAssembler` of msprof's analysis.

use super::quantity::TICKS;
use super::training_trace::{self, MOST_COLLECTIVES};
use stepscope_base::{Code, Nanos, Warnings};
use stepscope_trace::{Cell, RecordedColumn, RecordedTable, RecordedUnit, TraceBuilder};

/// The iterations of a table in progress.
#[derive(Default)]
pub(super) struct Iterations {
    device: Option<usize>,
    number: Option<usize>,
    model: Option<usize>,
    /// The columns of forward start, backward end, end and length.
    points: [Option<usize>; 4],
    /// The columns of each reduction's start and length.
    reductions: Vec<[usize; 2]>,
    steps: Vec<Step>,
}

struct Step {
    device: String,
    model: String,
    number: u64,
    points: [Nanos; 4],
    reductions: Vec<Option<[Nanos; 2]>>,
}

impl Iterations {
    /// No iterations yet, of a table with these columns.
    pub(super) fn new(table: &RecordedTable) -> Self {
        let times = |name: &'static str| {
            let columns = table.columns.iter().enumerate();
            let of_name = columns.filter(move |(_, one)| one.name == name && one.unit == RecordedUnit::Nanoseconds);
            of_name.map(|(index, _)| index)
        };
        let reductions = times("Reduce Start").zip(times("Reduce Duration")).take(MOST_COLLECTIVES);
        Self {
            device: table.column("Device_id"),
            number: table.column("Iteration ID"),
            model: table.column("Model ID"),
            points: ["FP Start", "BP End", "Iteration End", "Iteration Time"].map(|name| times(name).next()),
            reductions: reductions.map(|(start, length)| [start, length]).collect(),
            steps: Vec::new(),
        }
    }

    /// Adds the iteration of a row, or warns of one whose points are out of order.
    pub(super) fn add(&mut self, cells: &[Cell], position: u64, warnings: &mut Warnings) {
        let cell = |column: Option<usize>| column.and_then(|column| cells.get(column)).unwrap_or(&Cell::Empty);
        let text = |column| cell(column).text().unwrap_or_default().to_owned();
        let [forward, backward, end, length] = self.points.map(|column| cell(column).nanos());
        let (Some(forward), Some(backward), Some(end)) = (forward, backward, end) else { return };
        let Ok(number) = text(self.number).parse() else { return };
        // Without its length, an iteration starts with its first operator.
        let start = length.map_or(forward, |length| Nanos(end.0.saturating_sub(length.0)));
        let points = [start, forward, backward, end];
        if !points.is_sorted() {
            warnings.add(Code::MalformedRow, Some(position), || format!("iteration {number}: points out of order"));
            return;
        }
        let reduction = |[start, length]: &[usize; 2]| {
            let (start, length) = (cell(Some(*start)).nanos()?, cell(Some(*length)).nanos()?);
            (length >= Nanos::ZERO).then(|| [start, Nanos(start.0.saturating_add(length.0))])
        };
        let reductions = self.reductions.iter().map(reduction).collect();
        let step = Step { device: text(self.device), model: text(self.model), number, points, reductions };
        self.steps.push(step);
    }

    /// Adds the step trace, unless there is one. Several devices make none: their steps run side by side.
    pub(super) fn finish(self, file: &str, builder: &mut TraceBuilder) {
        let Some(first) = self.steps.first() else { return };
        let has_one = builder.tables().iter().any(|table| table.id == "step_trace");
        if has_one || self.steps.iter().any(|step| step.device != first.device) {
            return;
        }
        let models = self.steps.iter().any(|step| step.model != first.model);
        let mut table = training_trace::table(file);
        for place in 0..self.reductions.len() {
            table.columns.extend(["_start_point", "_end_point", ""].map(|suffix| {
                let name = format!("stream_reduce_parallel_{place}{suffix}");
                RecordedColumn { name, unit: TICKS.unit() }
            }));
        }
        for Step { model, number, points, reductions, .. } in self.steps {
            let Some(mut row) = training_trace::row(number, points) else { continue };
            // Each graph numbers its own iterations.
            if let Some(name) = row.first_mut().filter(|_| models) {
                *name = Cell::Text(format!("{model}:{number}"));
            }
            for reduction in reductions {
                let cells = reduction.map(|[start, end]| [start, end, end - start].map(|time| Cell::Integer(time.0)));
                row.extend(cells.unwrap_or_default());
            }
            table.rows.push(row);
        }
        builder.table(table);
    }
}
