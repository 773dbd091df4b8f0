//! The rows of a recorded table, for the page.

use crate::wire::{RecordedRowsReport, RecordedValue};
use stepscope_present::text::ColumnText;
use stepscope_trace::{Cell, RecordedTable};

pub(super) fn rows_of(table: &RecordedTable) -> RecordedRowsReport<'_> {
    let columns = ColumnText::of_table(table);
    let texts = |row: &Vec<Cell>| row.iter().zip(&columns).map(|(cell, column)| column.cell(cell)).collect();
    RecordedRowsReport {
        texts: table.rows.iter().map(texts).collect(),
        points_from: ColumnText::points_from(&columns),
        values: table.rows.iter().map(|row| row.iter().map(RecordedValue).collect()).collect(),
    }
}
