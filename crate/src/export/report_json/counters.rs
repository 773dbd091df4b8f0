//! The table of counters.

use serde::Serialize;

use crate::analyze::CounterRow;
use crate::trace::Trace;

/// A curve of a counter.
#[derive(Debug, Serialize)]
pub(super) struct CounterReport {
    process: String,
    name: String,
    series: String,
    samples: u64,
    min: f64,
    max: f64,
    mean: f64,
    last: f64,
    first_ns: i64,
    last_ns: i64,
}

impl CounterReport {
    pub(super) fn of(trace: &Trace, row: &CounterRow) -> Self {
        Self {
            process: trace.process_label(row.process),
            name: trace.strings.get(row.name).to_owned(),
            series: trace.strings.get(row.series).to_owned(),
            samples: row.samples,
            min: row.min,
            max: row.max,
            mean: row.mean,
            last: row.last,
            first_ns: row.from.0,
            last_ns: row.until.0,
        }
    }
}
