//! Tables that the profiler wrote itself.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use stepscope_trace::{Cell, RecordedTable};

/// A table written by the profiler.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RecordedTableReport {
    id: &'static str,
    file: String,
    columns: Vec<RecordedColumnReport>,
    row_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<Vec<CellReport>>>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct RecordedColumnReport {
    name: String,
    unit: &'static str,
}

#[derive(Debug)]
struct CellReport(Cell);

impl RecordedTableReport {
    /// The whole table.
    #[must_use]
    pub fn of(table: &RecordedTable) -> Self {
        let rows = table.rows.iter().map(|row| row.iter().cloned().map(CellReport).collect());
        Self { rows: Some(rows.collect()), ..Self::without_rows(table) }
    }

    /// The table's columns and size, without rows.
    pub(super) fn without_rows(table: &RecordedTable) -> Self {
        let columns = table.columns.iter();
        Self {
            id: table.id,
            file: table.file.clone(),
            columns: columns
                .map(|column| RecordedColumnReport { name: column.name.clone(), unit: column.unit.name() })
                .collect(),
            row_count: table.rows.len(),
            rows: None,
        }
    }
}

impl JsonSchema for CellReport {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Cell".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "number", "null"]})
    }
}

impl Serialize for CellReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Cell::Empty => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Integer(number) => serializer.serialize_i64(*number),
            Cell::Real(number) => serializer.serialize_f64(*number),
        }
    }
}
