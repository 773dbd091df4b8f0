//! Printed tables: a title, names, a line of dashes, rows; several in one file.

use super::quantity::{MICROS, MILLIS, Quantity};
use stepscope_base::{Code, Warnings};
use stepscope_parse::DelimitedRow;
use stepscope_trace::{Cell, RecordedColumn, RecordedTable, TraceBuilder};

/// The tables of a file.
pub(super) struct Printed {
    file: String,
    tables: Vec<RecordedTable>,
    /// The units of the last table's columns.
    columns: Vec<Quantity>,
}

/// Whether a text begins with such a table.
pub(super) fn begins(lines: &[&str]) -> bool {
    let first = lines.first().map_or("", |line| line.trim());
    first.starts_with("====") && first.contains("op compute time")
        || first.split_whitespace().take(2).eq(["serial_number", "node_type_name"])
}

impl Printed {
    pub(super) fn new(file: &str) -> Self {
        Self { file: file.to_owned(), tables: Vec::new(), columns: Vec::new() }
    }

    /// Takes a line.
    pub(super) fn row(&mut self, row: &DelimitedRow<'_>, warnings: &mut Warnings) {
        let fields = row.fields;
        let is_rule = fields.iter().any(|field| field.starts_with("---") || field.starts_with("==="));
        if let Some(id) = table_of(&fields[0], &fields.join(" ")).filter(|_| !is_rule) {
            self.begin(id, &fields.join(" "));
            return;
        }
        // The last line is a sum: `AI CPU Total Time(ms):  4.122000`, `total op  126.4 0`.
        let is_sum = fields[0] == "AI" || (fields[0] == "total" && fields.get(1).is_some_and(|word| word == "op"));
        let Some(table) = self.tables.last_mut().filter(|_| !is_rule && !is_sum && fields[0] != "Detail:") else {
            return;
        };
        if fields.len() != self.columns.len() {
            let code = if row.last { Code::Truncated } else { Code::MalformedRow };
            let what = || format!("{} fields under a header of {}", fields.len(), table.columns.len());
            warnings.add(code, Some(row.position), what);
            if row.last {
                return;
            }
        }
        let cell = |(at, quantity): (usize, &Quantity)| fields.get(at).map_or(Cell::Empty, |text| quantity.cell(text));
        table.rows.push(self.columns.iter().enumerate().map(cell).collect());
    }

    /// Begins a table with these column names.
    fn begin(&mut self, id: &'static str, names: &str) {
        self.drop_repeated();
        let columns: Vec<(String, Quantity)> = split_names(names).into_iter().map(column_of).collect();
        let recorded =
            columns.iter().map(|(name, quantity)| RecordedColumn { name: name.clone(), unit: quantity.unit() });
        let table = RecordedTable { id, file: self.file.clone(), columns: recorded.collect(), rows: Vec::new() };
        self.tables.push(table);
        self.columns = columns.into_iter().map(|(_, quantity)| quantity).collect();
    }

    /// MindSpore appends the same tables at each analysis.
    fn drop_repeated(&mut self) {
        if let Some((last, before)) = self.tables.split_last()
            && before.contains(last)
        {
            self.tables.pop();
        }
    }

    pub(super) fn finish(mut self, builder: &mut TraceBuilder) {
        self.drop_repeated();
        for table in self.tables {
            builder.table(table);
        }
    }
}

/// The table whose column names are in a line.
fn table_of(first: &str, line: &str) -> Option<&'static str> {
    match first {
        "serial_number" => Some("aicpu"),
        "optype_name" => Some("op_type_compute_time"),
        "op_name" if line.contains("avg_execution_time") => Some("op_compute_time_detail"),
        "op_name" => Some("op_compute_time"),
        _ => None,
    }
}

/// Splits names; the unit of one may have a space: `compute_time(ms, per-step)`.
fn split_names(line: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in line.split(' ') {
        match names.last_mut().filter(|last| last.contains('(') && !last.contains(')')) {
            Some(last) => {
                last.push(' ');
                last.push_str(part);
            }
            None => names.push(part.to_owned()),
        }
    }
    names
}

/// A column's name without its unit, and its unit.
fn column_of(name: String) -> (String, Quantity) {
    let quantity = match name.as_str() {
        "run_start" | "run_end" => MICROS,
        "avg_execution_time" => MILLIS,
        "percent" => Quantity::Percent,
        "serial_number" | "called_times(per-step)" | "stream_id" => Quantity::Number,
        _ => Quantity::Text,
    };
    match name.split_once("(ms") {
        Some((bare, _)) => (bare.to_owned(), MILLIS),
        None => (name, quantity),
    }
}
