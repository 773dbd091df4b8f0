//! Tables that the profiler wrote itself.

use serde::{Serialize, Serializer};

use crate::trace::{Cell, RecordedTable};

/// A recorded table.
#[derive(Debug, Serialize)]
pub(super) struct RecordedReport {
    id: &'static str,
    file: String,
    columns: Vec<ColumnReport>,
    rows: Vec<Vec<CellReport>>,
}

#[derive(Debug, Serialize)]
struct ColumnReport {
    name: String,
    unit: &'static str,
}

#[derive(Debug)]
struct CellReport(Cell);

impl RecordedReport {
    pub(super) fn of(table: &RecordedTable) -> Self {
        let columns = table.columns.iter();
        Self {
            id: table.id,
            file: table.file.clone(),
            columns: columns
                .map(|column| ColumnReport { name: column.name.clone(), unit: column.unit.name() })
                .collect(),
            rows: table.rows.iter().map(|row| row.iter().cloned().map(CellReport).collect()).collect(),
        }
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
