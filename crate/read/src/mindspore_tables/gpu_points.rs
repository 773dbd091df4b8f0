//! Points of steps on a GPU: `step_trace_profiling_N.txt`, in one of two layouts.
//!
//! ```text
//! a line for each operator   NAME start,end start,end …     first forward, last backward, last of the step, collectives;
//!                                                           a pair for each step, in ticks of 10 ns
//! a line for each step       NAME,start NAME,start NAME,start NAME,end NAME,start,end …
//!                                                           first, first forward, last backward, last; collectives; ns
//! ```
//!
//! The second is of kernels that are launched asynchronously. Besides their own table, the points become the rows of
//! the step trace, unless the profiler's analysis has written it. Without the first operator, a step begins where the
//! one before ended, and the first one with its first forward operator. (There the profiler's analysis takes the start
//! of the last operator for its end, and so counts that operator in two steps.)
//!
//! Source: MindSpore's `gpu_data_saver.cc` and `profiler/parser/step_trace_parser.py`.

use std::borrow::Cow;

use super::quantity::{NANOS, Quantity, TICKS};
use super::training_trace;
use stepscope_base::{Code, Nanos, Warnings};
use stepscope_parse::DelimitedRow;
use stepscope_trace::{Cell, RecordedColumn, RecordedTable, RecordedUnit, TraceBuilder, is_mindspore_collective};

/// Whether a line has points, in either layout.
pub(super) fn begins(fields: &[&str]) -> bool {
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    let is_pair = |text: &&str| text.split_once(',').is_some_and(|(start, end)| is_number(start) && is_number(end));
    let is_named = |text: &&str| text.rsplit_once(',').is_some_and(|(_, time)| is_number(time));
    let of_operator = fields.len() > 1 && fields[1..].iter().all(is_pair);
    of_operator || (fields.len() >= POINTS && fields.iter().all(is_named))
}

/// Start, first forward operator, last backward operator, end.
const POINTS: usize = 4;

/// A file in progress.
pub(super) struct GpuPoints {
    table: RecordedTable,
    steps: Vec<Step>,
    /// Per operator in its line's order, its name and spans, in the first layout.
    operators: Vec<(String, Vec<[Nanos; 2]>)>,
    /// The names of the first forward and the last backward operator; none where steps differ.
    names: Option<[String; 2]>,
}

struct Step {
    points: [Nanos; POINTS],
    collectives: Vec<(String, [Nanos; 2])>,
}

impl GpuPoints {
    pub(super) fn new(file: &str) -> Self {
        use RecordedUnit::{Nanoseconds, Number, Text};
        const COLUMNS: [(&str, RecordedUnit); 4] =
            [("point", Text), ("step", Number), ("start", Nanoseconds), ("end", Nanoseconds)];
        let table = RecordedTable::new("gpu_step_points", file, &COLUMNS);
        Self { table, steps: Vec::new(), operators: Vec::new(), names: None }
    }

    pub(super) fn row(&mut self, row: &DelimitedRow<'_>, warnings: &mut Warnings) {
        let fields = row.fields;
        let code = match () {
            // Every line ends with a newline.
            () if row.last => Code::Truncated,
            () if self.operator(fields).is_some() || self.step(fields).is_some() => return,
            () => Code::MalformedRow,
        };
        warnings.add(code, Some(row.position), || fields.join(" "));
    }

    /// Adds the line of an operator.
    fn operator(&mut self, fields: &[Cow<'_, str>]) -> Option<()> {
        let (name, pairs) = fields.split_first()?;
        let pair = |text: &Cow<'_, str>| {
            let (start, end) = text.split_once(',')?;
            Some([time(TICKS, start)?, time(TICKS, end)?])
        };
        let spans: Vec<[Nanos; 2]> = pairs.iter().map(pair).collect::<Option<_>>()?;
        spans.first()?;
        for (step, [start, end]) in (1..).zip(&spans) {
            self.point(name, step, Some(*start), Some(*end));
        }
        self.operators.push((name.to_string(), spans));
        Some(())
    }

    /// Adds the line of a step.
    fn step(&mut self, fields: &[Cow<'_, str>]) -> Option<()> {
        let (points, rest) = fields.split_at_checked(POINTS)?;
        let named = |text: &Cow<'_, str>| {
            let (name, at) = text.rsplit_once(',')?;
            Some((name.to_owned(), time(NANOS, at)?))
        };
        let points: Vec<(String, Nanos)> = points.iter().map(named).collect::<Option<_>>()?;
        let [start, forward, backward, end] = &points[..] else { return None };
        let collective = |text: &Cow<'_, str>| {
            let (rest, end) = text.rsplit_once(',')?;
            let (name, start) = rest.rsplit_once(',')?;
            Some((name.to_owned(), [time(NANOS, start)?, time(NANOS, end)?]))
        };
        let rest = &rest[..rest.len().min(training_trace::MOST_COLLECTIVES)];
        let collectives: Vec<(String, [Nanos; 2])> = rest.iter().map(collective).collect::<Option<_>>()?;
        let number = self.steps.len() as i64 + 1;
        for (name, at) in [start, forward, backward] {
            self.point(name, number, Some(*at), None);
        }
        self.point(&end.0, number, None, Some(end.1));
        for (name, [start, end]) in &collectives {
            self.point(name, number, Some(*start), Some(*end));
        }
        let names = [&forward.0, &backward.0].map(Clone::clone);
        match &mut self.names {
            _ if number == 1 => self.names = Some(names),
            Some(known) if *known != names => self.names = None,
            _ => {}
        }
        self.steps.push(Step { points: [start.1, forward.1, backward.1, end.1], collectives });
        Some(())
    }

    fn point(&mut self, name: &str, step: i64, start: Option<Nanos>, end: Option<Nanos>) {
        let cell = |time: Option<Nanos>| time.map_or(Cell::Empty, |time| Cell::Integer(time.0));
        self.table.rows.push(vec![Cell::Text(name.to_owned()), Cell::Integer(step), cell(start), cell(end)]);
    }

    /// Adds the tables: the points, and the step trace that they make.
    pub(super) fn finish(mut self, builder: &mut TraceBuilder, warnings: &mut Warnings) {
        self.join_operators(warnings);
        let Self { table, steps, names, .. } = self;
        let file = table.file.clone();
        let has = |builder: &TraceBuilder, id: &str| builder.tables().iter().any(|table| table.id == id);
        builder.table(table);
        if let Some(names) = names.filter(|_| !has(builder, "step_trace_points")) {
            training_trace::add_points(names.map(Cell::Text), builder);
        }
        if has(builder, "step_trace") {
            return;
        }
        let mut table = training_trace::table(&file);
        for (number, Step { points, collectives }) in (1..).zip(steps) {
            let Some(mut row) = training_trace::row(number, points) else {
                warnings.add(Code::MalformedRow, None, || format!("step {number}: points out of order"));
                continue;
            };
            for (place, (name, [start, end])) in collectives.into_iter().enumerate() {
                let first = RecordedTable::STEP_TRACE.len() + 3 * place;
                if first == table.columns.len() {
                    let own = name.rsplit('/').next().unwrap_or(&name);
                    table.columns.extend(["_start_point", "_end_point", ""].map(|suffix| {
                        let name = format!("stream_ops_{place}_{own}{suffix}");
                        RecordedColumn { name, unit: TICKS.unit() }
                    }));
                }
                row.extend([start, end, (end - start).max(Nanos::ZERO)].map(|time| Cell::Integer(time.0)));
            }
            table.rows.push(row);
        }
        for row in &mut table.rows {
            row.resize(table.columns.len(), Cell::Empty);
        }
        if !table.rows.is_empty() {
            builder.table(table);
        }
    }

    /// Makes steps of the lines of operators, if these ran as often as one another.
    fn join_operators(&mut self, warnings: &mut Warnings) {
        let [(forward, starts), (backward, ends), (_, lasts), collectives @ ..] = &self.operators[..] else { return };
        // Lines of operators without times are left out: then another one stands in their place.
        if let Some(name) = [forward, backward].into_iter().find(|name| is_mindspore_collective(name)) {
            let what = || format!("{name} stands where the first or the last operator of a pass is expected");
            warnings.add(Code::MalformedRow, None, what);
            return;
        }
        let others = self.operators[1..].iter();
        if let Some((name, spans)) = others.clone().find(|(_, spans)| spans.len() != starts.len()) {
            let what = || format!("{forward} ran {} times, {name} {} times", starts.len(), spans.len());
            warnings.add(Code::MalformedRow, None, what);
            return;
        }
        self.names = Some([forward.clone(), backward.clone()]);
        let mut before = None;
        for (step, (([forward, _], [_, backward]), [_, end])) in starts.iter().zip(ends).zip(lasts).enumerate() {
            let start = before.map_or(*forward, |end: Nanos| end.min(*forward));
            before = Some(*end);
            let points = [start, *forward, *backward, *end];
            let collectives = collectives.iter().map(|(name, spans)| (name.clone(), spans[step])).collect();
            self.steps.push(Step { points, collectives });
        }
    }
}

fn time(unit: Quantity, text: &str) -> Option<Nanos> {
    unit.cell(text).nanos()
}
