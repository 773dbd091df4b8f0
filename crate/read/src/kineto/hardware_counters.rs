//! CUPTI's range profiler: values of the device's hardware counters for each kernel.
//!
//! `torch.profiler`'s experimental `profiler_metrics` writes a `cuda_profiler_range` per kernel, whose arguments are
//! counters by their CUPTI names. The ranges do not have the kernels' times: the file divides the whole span evenly.

use crate::chrome::args::counter_values;
use stepscope_base::Nanos;
use stepscope_parse::Object;
use stepscope_trace::{Cell, RecordedColumn, RecordedTable, RecordedUnit, TraceBuilder};

/// The ranges so far, as a table.
#[derive(Default)]
pub(super) struct HardwareCounters {
    table: Option<RecordedTable>,
}

impl HardwareCounters {
    /// The category of a range.
    pub(super) const CATEGORY: &[u8] = b"cuda_profiler_range";

    /// Adds a range; one without numbers is ignored.
    pub(super) fn add(&mut self, object: &Object<'_>, name: &[u8], length: Nanos) {
        let numbers: Vec<(String, f64)> =
            counter_values(object).into_iter().filter_map(|(name, value)| Some((name, value.ok()?))).collect();
        if numbers.is_empty() {
            return;
        }
        let new = || {
            let columns = [("kernel", RecordedUnit::Text), ("range", RecordedUnit::Nanoseconds)];
            RecordedTable::new("cupti_counters", "", &columns)
        };
        let table = self.table.get_or_insert_with(new);
        let mut row = vec![Cell::Text(String::from_utf8_lossy(name).into_owned()), Cell::Integer(length.0)];
        for (name, value) in numbers {
            let column = table.column(&name).unwrap_or_else(|| {
                table.columns.push(RecordedColumn { name, unit: RecordedUnit::Number });
                table.columns.len() - 1
            });
            row.resize(row.len().max(column + 1), Cell::Empty);
            row[column] = Cell::Real(value);
        }
        table.rows.push(row);
    }

    /// Adds the table to the trace, with all rows as long as its header.
    pub(super) fn finish(self, builder: &mut TraceBuilder) {
        if let Some(mut table) = self.table {
            let columns = table.columns.len();
            table.rows.iter_mut().for_each(|row| row.resize(columns, Cell::Empty));
            builder.table(table);
        }
    }
}
