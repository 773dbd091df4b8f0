//! Totals by name, kept as tables.

use super::layout::{Layout, title};
use super::number::{nanos, share, whole};
use stepscope_trace::{Cell, RecordedTable, RecordedUnit, TraceBuilder};

const COLUMNS: [(&str, RecordedUnit); 8] = [
    ("name", RecordedUnit::Text),
    ("calls", RecordedUnit::Number),
    ("total", RecordedUnit::Nanoseconds),
    ("average", RecordedUnit::Nanoseconds),
    ("min", RecordedUnit::Nanoseconds),
    ("max", RecordedUnit::Nanoseconds),
    ("share", RecordedUnit::Share),
    ("process", RecordedUnit::Number),
];

/// The tables so far: one of each kind, over all processes.
#[derive(Default)]
pub(super) struct Summaries {
    tables: Vec<RecordedTable>,
    /// The kind and process of the rows until a row names another kind: newer versions name it only in the first row.
    current: Option<(&'static str, Option<i64>)>,
}

impl Summaries {
    /// Takes a row; none if it is not one.
    pub(super) fn row(&mut self, layout: &Layout, line: &str, of_calls: bool, process: Option<i64>) -> Option<()> {
        let (kind, cells) = cells(layout, line)?;
        let id = match kind {
            Some(kind) => id_of(&kind),
            None => self
                .current
                .filter(|(_, of)| *of == process && layout.has(title::TYPE))
                .map_or(if of_calls { "api_calls" } else { "gpu_activities" }, |(id, _)| id),
        };
        let time = |title: &str| nanos(layout.get(&cells, title)?, layout.unit(title)).map(Cell::Integer);
        let row = vec![
            Cell::Text(layout.get(&cells, title::NAME)?.to_owned()),
            Cell::Integer(whole(layout.get(&cells, title::CALLS)?)?),
            time(title::TIME)?,
            time(title::AVERAGE)?,
            time(title::LEAST)?,
            time(title::MOST)?,
            Cell::Real(share(layout.get(&cells, title::SHARE)?)?),
            process.map_or(Cell::Empty, Cell::Integer),
        ];
        self.current = Some((id, process));
        let index = self.tables.iter().position(|table| table.id == id).unwrap_or_else(|| {
            self.tables.push(RecordedTable::new(id, "", &COLUMNS));
            self.tables.len() - 1
        });
        self.tables[index].rows.push(row);
        Some(())
    }

    /// Adds the tables to the trace.
    pub(super) fn finish(&mut self, builder: &mut TraceBuilder) {
        let file = builder.input_name().to_owned();
        for mut table in self.tables.drain(..) {
            file.clone_into(&mut table.file);
            builder.table(table);
        }
    }
}

fn id_of(kind: &str) -> &'static str {
    match kind {
        "GPU activities" => "gpu_activities",
        "API calls" => "api_calls",
        _ if kind.starts_with("OpenACC") => "openacc",
        _ => "other_activities",
    }
}

/// The kind of a row, if it has one, and its cells.
fn cells(layout: &Layout, line: &str) -> Option<(Option<String>, Vec<String>)> {
    if !layout.has(title::TYPE) || layout.has_commas() {
        let cells = layout.cells(line)?;
        let kind = layout.get(&cells, title::TYPE).map(str::to_owned);
        return Some((kind, cells));
    }
    // The type is before the first number, or missing.
    let percent = line.find('%')?;
    let start = line[..percent].rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let kind = line[..start].trim().trim_end_matches(':');
    let rest = format!("{:<width$}{}", "-", &line[start.min(line.len())..], width = start.max(3));
    let mut cells = layout.cells(&rest)?;
    *cells.first_mut()? = String::new();
    Some(((!kind.is_empty()).then(|| kind.to_owned()), cells))
}
