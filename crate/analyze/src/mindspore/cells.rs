//! Recorded tables, and the cells of their rows.

use stepscope_base::Nanos;
use stepscope_trace::{Cell, RecordedTable, Trace};

/// The recorded table with that id: the first, if there are several.
pub(crate) fn table<'a>(trace: &'a Trace, id: &str) -> Option<&'a RecordedTable> {
    trace.recorded.iter().find(|table| table.id == id)
}

/// The words in a row's cell.
pub(super) fn text_in<'a>(table: &RecordedTable, row: &'a [Cell], column: &str) -> &'a str {
    table.cell(row, column).text().unwrap_or_default()
}

/// The time in a row's cell; zero without one.
pub(super) fn time_in(table: &RecordedTable, row: &[Cell], column: &str) -> Nanos {
    table.cell(row, column).nanos().unwrap_or_default()
}

/// The number in a row's cell.
pub(super) fn number_in(table: &RecordedTable, row: &[Cell], column: &str) -> Option<f64> {
    table.cell(row, column).number()
}

/// The whole number in a row's cell.
pub(super) fn count_in(table: &RecordedTable, row: &[Cell], column: &str) -> i64 {
    match table.cell(row, column) {
        Cell::Integer(count) => *count,
        _ => 0,
    }
}
