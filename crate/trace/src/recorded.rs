//! Tables that a profiler printed or saved itself, kept unchanged beside the events.
//!
//! Some files contain nothing else: nvprof's printed summary, the tables of MindSpore's analyzer.

use stepscope_base::Nanos;

/// A table that a profiler recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedTable {
    /// Its kind, such as `minddata_pipeline`: a stable name, for analyses and translations.
    pub id: &'static str,
    /// Its file.
    pub file: String,
    /// Its columns.
    pub columns: Vec<RecordedColumn>,
    /// Its rows, each with a cell per column.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a recorded table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedColumn {
    /// Its name as the producer writes it, without the unit.
    pub name: String,
    /// The unit of its cells.
    pub unit: RecordedUnit,
}

/// The unit of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedUnit {
    /// Words, or an id.
    Text,
    /// A number without a unit.
    Number,
    /// Nanoseconds, as whole numbers.
    Nanoseconds,
    /// Bytes.
    Bytes,
    /// A part of 1.
    Share,
    /// Bytes per second.
    BytesPerSecond,
    /// Floating-point operations.
    Flops,
    /// Floating-point operations per second.
    FlopsPerSecond,
}

impl RecordedUnit {
    pub(super) const ALL: [Self; 8] = [
        Self::Text,
        Self::Number,
        Self::Nanoseconds,
        Self::Bytes,
        Self::Share,
        Self::BytesPerSecond,
        Self::Flops,
        Self::FlopsPerSecond,
    ];

    /// The unit with a stable name; a plain number if there is none.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|unit| unit.name() == name).unwrap_or(Self::Number)
    }

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Nanoseconds => "ns",
            Self::Bytes => "bytes",
            Self::Share => "share",
            Self::BytesPerSecond => "bytes_per_second",
            Self::Flops => "flops",
            Self::FlopsPerSecond => "flops_per_second",
        }
    }
}

/// A cell of a recorded table.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// Empty, or the producer's word for that.
    #[default]
    Empty,
    /// Words.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// Another number.
    Real(f64),
}

impl Cell {
    /// The number in it, if there is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "for means and shares")]
            Self::Integer(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            Self::Empty | Self::Text(_) => None,
        }
    }

    /// The time in it, in a column of nanoseconds.
    #[must_use]
    pub fn nanos(&self) -> Option<Nanos> {
        match self {
            Self::Integer(nanos) => Some(Nanos(*nanos)),
            _ => None,
        }
    }

    /// The words in it.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl RecordedTable {
    /// The columns of MindSpore's step trace (`step_trace`) before those of collectives.
    pub const STEP_TRACE: [&str; 9] = [
        "step_num",
        "start_point",
        "end_point",
        "total",
        "fp_point",
        "bp_point",
        "iteration_interval",
        "fp_and_bp",
        "tail",
    ];

    /// A tick of the device's counter, in which the step trace's times are written, in ns.
    pub const STEP_TRACE_TICK: i64 = 10;

    /// A table without rows.
    #[must_use]
    pub fn new(id: &'static str, file: &str, columns: &[(&str, RecordedUnit)]) -> Self {
        let columns = columns.iter().map(|(name, unit)| RecordedColumn { name: (*name).to_owned(), unit: *unit });
        Self { id, file: file.to_owned(), columns: columns.collect(), rows: Vec::new() }
    }

    /// Index of the column with that name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The cell of a row in the column with that name; empty if there is none.
    #[must_use]
    pub fn cell<'a>(&self, row: &'a [Cell], name: &str) -> &'a Cell {
        self.column(name).and_then(|column| row.get(column)).unwrap_or(&Cell::Empty)
    }
}
