//! A table with a header, row by row.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::add_tasks;
use super::iterations::Iterations;
use super::kinds::{Kind, Rows};
use super::links::Links;
use super::quantity::{Quantity, settle_units};
use super::runs::Runs;
use stepscope_base::{Code, CompactSort, Warnings};
use stepscope_parse::DelimitedRow;
use stepscope_trace::{Cell, RecordedColumn, RecordedTable, RecordedUnit, TraceBuilder};

/// A table whose header was read.
pub(super) struct Headed {
    kind: &'static Kind,
    table: RecordedTable,
    columns: Vec<Quantity>,
    links: Links,
    sums: Sums,
    runs: Runs,
    iterations: Iterations,
    /// The column of devices, and the only device whose rows are read.
    only: Option<(usize, i64)>,
}

impl Headed {
    /// The table with that header; `only` is the device whose rows are read, where a file has several.
    pub(super) fn new(kind: &'static Kind, file: &str, only: Option<i64>, header: &[Cow<'_, str>]) -> Self {
        // A comma after the last name adds no column.
        let named = header.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let columns = header[..named].iter().map(|name| kind.column(name));
        let (names, columns): (Vec<&str>, Vec<Quantity>) = columns.unzip();
        let recorded = names.iter().zip(&columns);
        let recorded =
            recorded.map(|(name, quantity)| RecordedColumn { name: (*name).to_owned(), unit: quantity.unit() });
        let table = RecordedTable { id: kind.id, file: file.to_owned(), columns: recorded.collect(), rows: Vec::new() };
        let (links, sums, iterations) = (Links::new(file), Sums::new(kind.rows, &table), Iterations::new(&table));
        let runs = Runs::new(&table, if let Rows::Summed(_, time) = kind.rows { time } else { "" });
        let only = table.column("Device_id").zip(only);
        Self { kind, links, sums, runs, iterations, only, table, columns }
    }

    /// Adds a row, or warns of an invalid one.
    pub(super) fn row(&mut self, row: &DelimitedRow<'_>, warnings: &mut Warnings) {
        let (fields, wanted) = (row.fields, self.columns.len());
        let is_of = |column: usize| fields.get(column).and_then(|field| field.trim().parse::<i64>().ok());
        if self.only.is_some_and(|(column, only)| is_of(column).is_some_and(|device| device != only)) {
            return;
        }
        if row.last && (fields.len() < wanted || !row.whole) {
            let what = || format!("the last row has {} of {wanted} fields", fields.len());
            warnings.add(Code::Truncated, Some(row.position), what);
            return;
        }
        let full = fields.iter().rposition(|field| !field.is_empty()).map_or(0, |last| last + 1);
        if !row.whole {
            warnings.add(Code::MalformedRow, Some(row.position), || "a quote is never closed".to_owned());
        } else if full > wanted || fields.len() < wanted {
            let what = || format!("{} fields under a header of {wanted}", fields.len());
            warnings.add(Code::MalformedRow, Some(row.position), what);
        }
        let cell = |(index, quantity): (usize, &Quantity)| fields.get(index).map_or(Cell::Empty, |f| quantity.cell(f));
        let mut cells: Vec<Cell> = self.columns.iter().enumerate().map(cell).collect();
        match self.kind.rows {
            Rows::Kept => {}
            Rows::Summed(..) => return self.runs.add(self.sums.add(&cells), &cells, row.position),
            Rows::Links => self.links.take(&self.table, &mut cells, row.position, warnings),
            Rows::Iterations => self.iterations.add(&cells, row.position, warnings),
        }
        self.table.rows.push(cells);
    }

    /// Whether times are of msprof's exports, not of the device's counter.
    pub(super) fn is_export(&self) -> bool {
        self.kind.rows == Rows::Iterations
    }

    /// Adds the table to the trace.
    pub(super) fn finish(mut self, builder: &mut TraceBuilder, warnings: &mut Warnings) {
        settle_units(&mut self.table);
        match self.kind.rows {
            Rows::Kept => builder.table(self.table),
            Rows::Iterations => {
                let file = self.table.file.clone();
                builder.table(self.table);
                self.iterations.finish(&file, builder);
            }
            Rows::Summed(keys, _) => {
                let sums = self.sums.into_table(&self.table, keys);
                add_tasks(builder, warnings, self.runs.into_tasks(&sums));
                builder.table(sums);
            }
            Rows::Links => {
                let kept = |column: &RecordedColumn| !Links::COLUMNS.contains(&column.name.as_str());
                self.table.columns.retain(kept);
                builder.table(self.table);
                self.links.finish(builder);
            }
        }
    }
}

/// Sums of kernels' runs.
struct Sums {
    keys: Vec<Option<usize>>,
    time: Option<usize>,
    /// Columns of hardware counters' shares and rates, which have a mean by time.
    metrics: Vec<usize>,
    rows: BTreeMap<Vec<String>, Sum>,
}

#[derive(Clone)]
struct Sum {
    order: usize,
    calls: i64,
    total: i64,
    min: i64,
    max: i64,
    /// Per metric, the sum of value times time, and the time of the runs with a value.
    metrics: Vec<[f64; 2]>,
}

/// Whether a column has a ratio or rate from hardware counters, such as `aic_mac_ratio`.
fn is_metric(column: &RecordedColumn) -> bool {
    ["_ratio", "_rate", "_bw", "_utilization"].iter().any(|end| column.name.ends_with(end))
}

/// The number in a cell; a text cell is parsed.
fn number(cell: &Cell) -> Option<f64> {
    let number = cell.number().or_else(|| cell.text()?.trim().parse().ok());
    number.filter(|number| number.is_finite())
}

impl Sums {
    fn new(rows: Rows, table: &RecordedTable) -> Self {
        let (keys, time) = if let Rows::Summed(keys, time) = rows { (keys, time) } else { (&[][..], "") };
        let metrics = table.columns.iter().enumerate().filter(|(_, column)| is_metric(column));
        Self {
            keys: keys.iter().map(|name| table.column(name)).collect(),
            time: table.column(time),
            metrics: metrics.map(|(index, _)| index).collect(),
            rows: BTreeMap::new(),
        }
    }

    /// Adds a run; returns the row of its operator.
    fn add(&mut self, cells: &[Cell]) -> usize {
        let text = |column: Option<usize>| match column.and_then(|column| cells.get(column)) {
            Some(Cell::Text(text)) => text.clone(),
            _ => String::new(),
        };
        let time = self.time.and_then(|column| cells.get(column)).and_then(Cell::nanos).map_or(0, |time| time.0);
        let order = self.rows.len();
        let metrics = vec![[0.0; 2]; self.metrics.len()];
        let new = Sum { order, calls: 0, total: 0, min: time, max: time, metrics };
        let sum = self.rows.entry(self.keys.iter().copied().map(text).collect()).or_insert(new);
        sum.calls += 1;
        sum.total = sum.total.saturating_add(time);
        (sum.min, sum.max) = (sum.min.min(time), sum.max.max(time));
        for (metric, column) in sum.metrics.iter_mut().zip(&self.metrics) {
            if let Some(value) = cells.get(*column).and_then(number) {
                #[expect(clippy::cast_precision_loss, reason = "a weight")]
                let weight = time as f64;
                metric[0] += value * weight;
                metric[1] += weight;
            }
        }
        sum.order
    }

    /// The table of the sums; `read` is the table of the runs.
    fn into_table(self, read: &RecordedTable, keys: &[&str]) -> RecordedTable {
        use RecordedUnit::{Nanoseconds, Number, Text};
        let numbers =
            [("Count", Number), ("Total Time", Nanoseconds), ("Min Time", Nanoseconds), ("Max Time", Nanoseconds)];
        // Shapes, types and formats exist if msprof was asked to record them.
        let shown: Vec<bool> = self.keys.iter().zip(0..).map(|(key, place)| place < 3 || key.is_some()).collect();
        let names = keys.iter().zip(&shown).filter(|(_, shown)| **shown).map(|(name, _)| (*name, Text));
        let columns: Vec<(&str, RecordedUnit)> = names.chain(numbers).collect();
        let mut table = RecordedTable::new(read.id, &read.file, &columns);
        let measured = |metric: &usize| self.rows.values().any(|sum| sum.metrics[*metric][1] > 0.0);
        let measured: Vec<usize> = (0..self.metrics.len()).filter(measured).collect();
        table.columns.extend(measured.iter().map(|metric| {
            let column = &read.columns[self.metrics[*metric]];
            let unit = if column.unit == Text { Number } else { column.unit };
            RecordedColumn { name: column.name.clone(), unit }
        }));
        let mut rows: Vec<(Vec<String>, Sum)> = self.rows.into_iter().collect();
        rows.compact_sort_by_key(|(_, sum)| sum.order);
        table.rows.extend(rows.into_iter().map(|(names, sum)| {
            let numbers = [sum.calls, sum.total, sum.min, sum.max].map(Cell::Integer);
            let metrics = measured.iter().map(|metric| sum.metrics[*metric]);
            let means = metrics.map(|[sum, time]| if time > 0.0 { Cell::Real(sum / time) } else { Cell::Empty });
            let names = names.into_iter().zip(&shown).filter(|(_, shown)| **shown).map(|(name, _)| Cell::Text(name));
            names.chain(numbers).chain(means).collect()
        }));
        table
    }
}
