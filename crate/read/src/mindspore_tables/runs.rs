//! Runs of operators in msprof's `op_summary_*.csv`, as tasks of the device.
//!
//! ```text
//! Device_id  Stream ID  Op Name  OP Type  Task Type  Task Start Time  Task Duration
//! ```
//!
//! Collectives have no stream. Before CANN 6.3 the start has no unit in its name: microseconds with three decimals.
//! Starts without decimals are not read there, since their unit is unknown.
//!
//! Source: `OpSummaryAssembler` of msprof's analysis and its tests, `op_summary` in files of Ascend's operator tools.

use super::quantity::MICROS;
use super::{TableTask, is_collective, tasks::task};
use stepscope_base::Nanos;
use stepscope_trace::{Cell, RecordedTable};

/// The runs of a table in progress.
pub(super) struct Runs {
    device: Option<usize>,
    stream: Option<usize>,
    start: Option<usize>,
    time: Option<usize>,
    list: Vec<Run>,
}

struct Run {
    /// The row of its operator in the table of sums.
    operator: usize,
    device: Option<i64>,
    stream: Option<i64>,
    span: [Nanos; 2],
    position: u64,
}

impl Runs {
    /// No runs yet, of a table with these columns; `time` is the name of that with their times.
    pub(super) fn new(table: &RecordedTable, time: &str) -> Self {
        Self {
            device: table.column("Device_id"),
            stream: table.column("Stream ID"),
            start: table.column("Task Start Time"),
            time: table.column(time),
            list: Vec::new(),
        }
    }

    /// Adds the run of a row, if it has a start and a time.
    pub(super) fn add(&mut self, operator: usize, cells: &[Cell], position: u64) {
        let cell = |column: Option<usize>| column.and_then(|column| cells.get(column));
        let start = cell(self.start).and_then(|start| match start {
            Cell::Text(text) if text.contains('.') => MICROS.cell(text).nanos(),
            start => start.nanos(),
        });
        let length = cell(self.time).and_then(Cell::nanos).filter(|length| *length >= Nanos::ZERO);
        let (Some(start), Some(length)) = (start, length) else { return };
        let number = |column| cell(column).and_then(Cell::text)?.trim().parse::<i64>().ok();
        // The number of a collective's stream, if it has one, stands for none.
        let stream = number(self.stream).filter(|stream| *stream != i64::from(u32::MAX));
        let span = [start, Nanos(start.0.saturating_add(length.0))];
        self.list.push(Run { operator, device: number(self.device), stream, span, position });
    }

    /// The tasks, given the table of sums with name, type and accelerator of each operator.
    pub(super) fn into_tasks(self, sums: &RecordedTable) -> impl Iterator<Item = TableTask> {
        self.list.into_iter().filter_map(move |Run { operator, device, stream, span, position }| {
            let row = sums.rows.get(operator)?;
            let text = |column: usize| row.get(column).and_then(Cell::text).unwrap_or_default();
            let [name, kind, core] = [0, 1, 2].map(text);
            let communicates = is_collective(core, kind) || name.starts_with("hcom_");
            let task = task(core);
            Some(TableTask { name: name.to_owned(), span, stream, device, communicates, task, position })
        })
    }
}
