//! Tables as other tools write them.

use std::fs;
use std::path::Path;

/// Rows by column name.
pub(crate) struct Table {
    columns: Vec<String>,
    /// The rows' cells.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// A CSV file with headings; `None` if there is no such file.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        Some(Self::of(&fs::read_to_string(path).ok()?))
    }

    /// A CSV text with headings.
    pub(crate) fn of(text: &str) -> Self {
        let mut rows = records(text);
        let columns = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
        Self { columns, rows }
    }

    /// A row's cell under a heading.
    pub(crate) fn cell<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        let index = self.columns.iter().position(|name| name == column);
        &row[index.unwrap_or_else(|| panic!("no column {column} in {:?}", self.columns))]
    }

    /// The same as a number.
    pub(crate) fn number(&self, row: &[String], column: &str) -> f64 {
        let cell = self.cell(row, column);
        // pandas leaves a standard deviation of one value empty.
        if cell.is_empty() { 0.0 } else { cell.parse().unwrap_or_else(|_| panic!("{cell} is no number")) }
    }
}

/// The records of a CSV text (RFC 4180).
fn records(text: &str) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let mut record = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                cell.push('"');
                characters.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                record.push(std::mem::take(&mut cell));
                records.push(std::mem::take(&mut record));
            }
            other => cell.push(other),
        }
    }
    if !cell.is_empty() || !record.is_empty() {
        record.push(cell);
        records.push(record);
    }
    records
}
