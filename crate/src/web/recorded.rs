//! The rows of a recorded table, for the page.

use serde::{Serialize, Serializer};

use stepscope_present::text::ColumnText;
use stepscope_trace::{Cell, RecordedTable};

/// The largest whole number that JavaScript holds exactly.
const LARGEST: i64 = 1 << 53;

/// The rows of a table: as they are shown, and as they are sorted and saved.
#[derive(Serialize)]
pub(super) struct Rows<'a> {
    texts: Vec<Vec<String>>,
    values: Vec<Vec<Value<'a>>>,
}

struct Value<'a>(&'a Cell);

impl<'a> Rows<'a> {
    pub(super) fn of(table: &'a RecordedTable) -> Self {
        let columns = ColumnText::of_table(table);
        let texts = |row: &Vec<Cell>| row.iter().zip(&columns).map(|(cell, column)| column.cell(cell)).collect();
        Self {
            texts: table.rows.iter().map(texts).collect(),
            values: table.rows.iter().map(|row| row.iter().map(Value).collect()).collect(),
        }
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cell::Empty => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            // Times since 1970 keep their digits as text.
            Cell::Integer(number) if number.abs() > LARGEST => serializer.serialize_str(&number.to_string()),
            Cell::Integer(number) => serializer.serialize_i64(*number),
            Cell::Real(number) => serializer.serialize_f64(*number),
        }
    }
}
