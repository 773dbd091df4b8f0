//! Tables without a header: the queues of data.

use std::borrow::Cow;

use super::quantity::{MICROS, MILLIS, NANOS, Quantity};
use stepscope_base::{Code, Warnings};
use stepscope_parse::DelimitedRow;
use stepscope_trace::{Cell, RecordedTable, RecordedUnit};

use RecordedUnit::{Nanoseconds, Number, Text};

/// A kind of table without a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    /// The queue before the device, or before the loop over the dataset: see [`queue`].
    Queue(&'static str),
    /// The device's operator that gets data: its name, start, end and the queue's size.
    GetNext(Quantity),
}

/// The kind of a text by its first lines.
pub(super) fn of_lines(path: &str, lines: &[&str]) -> Option<Bare> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let fields: Vec<Vec<&str>> =
        lines.iter().filter(|line| !line.trim().is_empty()).map(|line| line.split_whitespace().collect()).collect();
    let first = fields.first()?;
    let is_number = |text: &&str| text.parse::<f64>().is_ok();
    let is_queue_line = |fields: &Vec<&str>| {
        (4..=5).contains(&fields.len())
            && fields.iter().all(is_number)
            && (fields[0] == "1" || (fields[0] == "0" && ["0", "1", "2"].contains(&fields[1])))
    };
    // A matrix of small numbers looks alike: it needs both kinds of lines, or a name that shows the kind.
    let both = ["0", "1"].iter().all(|kind| fields.iter().any(|fields| fields[0] == *kind));
    if (both || file.contains("profiling")) && fields.iter().all(is_queue_line) {
        let by_loop = file.contains("dataset_iterator");
        return Some(Bare::Queue(if by_loop { "dataset_iterator" } else { "device_queue" }));
    }
    if (3..=4).contains(&first.len()) && first[0].starts_with("GetNext") && first[1..].iter().all(is_number) {
        // The clock counts ns on a GPU, µs on Ascend.
        let gpu = file.contains("getnext_profiling") || (first[0] == "GetNext" && !file.contains("aicpu"));
        return Some(Bare::GetNext(if gpu { NANOS } else { MICROS }));
    }
    None
}

impl Bare {
    /// The table without rows.
    pub(super) fn table(self, file: &str) -> RecordedTable {
        match self {
            Self::Queue(id) => RecordedTable::new(
                id,
                file,
                &[
                    ("step", Number),
                    ("get", Nanoseconds),
                    ("push", Nanoseconds),
                    ("total", Nanoseconds),
                    ("capacity", Number),
                    ("size", Number),
                    ("time", Nanoseconds),
                ],
            ),
            Self::GetNext(_) => RecordedTable::new(
                "get_next",
                file,
                &[("name", Text), ("start", Nanoseconds), ("end", Nanoseconds), ("queue_size", Number)],
            ),
        }
    }

    /// Adds a line to the table.
    pub(super) fn row(self, row: &DelimitedRow<'_>, table: &mut RecordedTable, warnings: &mut Warnings) {
        let fields = row.fields;
        if row.last {
            // Every line of these files ends with a newline.
            warnings.add(Code::Truncated, Some(row.position), || fields.join(" "));
            return;
        }
        let added = match self {
            Self::Queue(_) => queue(fields, table),
            Self::GetNext(unit) => get_next(fields, unit, table),
        };
        if !added {
            warnings.add(Code::MalformedRow, Some(row.position), || fields.join(" "));
        }
    }
}

/// Reads a line `kind which step value time`. Kind 0 has the ms of a step for getting data (which = 0), for pushing
/// them (1) and in total (2). Kind 1 has the queue's capacity (which) and its size. A step's lines make one row.
fn queue(fields: &[Cow<'_, str>], table: &mut RecordedTable) -> bool {
    if !(4..=5).contains(&fields.len()) {
        return false;
    }
    let number = |at: usize| Quantity::Number.cell(&fields[at]);
    let (Cell::Integer(kind), Cell::Integer(which)) = (number(0), number(1)) else { return false };
    let value = if kind == 0 { MILLIS.cell(&fields[3]) } else { number(3) };
    let column = match (kind, which) {
        (0, 0..=2) => [1, 2, 3][usize::try_from(which).unwrap_or_default()],
        (1, _) => 5,
        _ => return false,
    };
    let step = number(2);
    let is_new = |row: &Vec<Cell>| row[0] != step || row[column] != Cell::Empty;
    if table.rows.last().is_none_or(is_new) {
        let mut row = vec![Cell::Empty; 7];
        row[0] = step;
        table.rows.push(row);
    }
    let Some(row) = table.rows.last_mut() else { return false };
    row[column] = value;
    if kind == 1 {
        row[4] = Cell::Integer(which);
    }
    if let Some(time) = fields.get(4) {
        row[6] = MILLIS.cell(time);
    }
    true
}

/// Reads a line `name start end size`; old versions have no size.
fn get_next(fields: &[Cow<'_, str>], unit: Quantity, table: &mut RecordedTable) -> bool {
    let cells = [Quantity::Text, unit, unit, Quantity::Number];
    let cells: Vec<Cell> =
        cells.iter().enumerate().map(|(at, in_)| fields.get(at).map_or(Cell::Empty, |text| in_.cell(text))).collect();
    let good = (3..=4).contains(&fields.len()) && cells[1].nanos().is_some() && cells[2].nanos().is_some();
    if good {
        table.rows.push(cells);
    }
    good
}
