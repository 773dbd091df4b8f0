//! Records of the AI CPU's operators in msprof's folder: `DATA_PREPROCESS.dev.AICPU.0.slice_0`.
//!
//! Texts that end with a zero: one for an operator, and one for the thread that ran it.
//!
//! ```text
//! [2302769986] Node:GetNext, Run start:2302769932, Run end:2302769980
//! Thread[ 1] process device[0]:aicpu[ 0] task end, …, dispatchTime=87 us, totalTime=989 us.
//! ```
//!
//! Source: MindSpore's `profiler/parser/aicpu_data_parser.py`, which makes this table. Old versions write `Run tart`.
//! Later versions write binary records, which are not read.

use super::quantity::{MICROS, Quantity};
use crate::{Head, clip};
use stepscope_base::{Code, Warnings};
use stepscope_trace::{Cell, RecordedColumn, RecordedTable, TraceBuilder};

const COLUMNS: [(&str, Quantity); 6] = [
    ("serial_number", Quantity::Number),
    ("node_type_name", Quantity::Text),
    ("total_time", MICROS),
    ("dispatch_time", MICROS),
    ("run_start", MICROS),
    ("run_end", MICROS),
];

/// Whether a file begins with such a text.
pub(super) fn begins(head: Head<'_>) -> bool {
    let Some(rest) = head.trimmed().strip_prefix(b"[") else { return false };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && rest[digits..].starts_with(b"] Node:")
}

/// Adds the table of a file's operators.
pub(super) fn read(bytes: &[u8], builder: &mut TraceBuilder, warnings: &mut Warnings) {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    // The operator whose thread comes next, and its position.
    let mut open: Option<(String, u64)> = None;
    let mut position = 0;
    for text in bytes.split(|byte| *byte == 0) {
        let at = position;
        position += text.len() as u64 + 1;
        let text = String::from_utf8_lossy(text);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let lost = match (open.take(), text.contains("Node:")) {
            (before, true) => {
                open = Some((text.to_owned(), at));
                before
            }
            (Some((operator, start)), false) => match cells(&operator, text) {
                Some(cells) => {
                    let number = i64::try_from(rows.len() + 1).unwrap_or(i64::MAX);
                    rows.push(std::iter::once(Cell::Integer(number)).chain(cells).collect());
                    None
                }
                None => Some((operator, start)),
            },
            (None, false) => Some((text.to_owned(), at)),
        };
        if let Some((text, at)) = lost {
            warnings.add(Code::MalformedRow, Some(at), || clip(&text));
        }
    }
    if let Some((text, at)) = open {
        warnings.add(Code::Truncated, Some(at), || clip(&text));
    }
    let columns = COLUMNS.iter().map(|(name, in_)| RecordedColumn { name: (*name).to_owned(), unit: in_.unit() });
    if !rows.is_empty() {
        let file = builder.input_name().to_owned();
        builder.table(RecordedTable { id: "aicpu", file, columns: columns.collect(), rows });
    }
}

/// Name, total, dispatch, start and end of an operator; none if any of them is missing.
fn cells(operator: &str, thread: &str) -> Option<[Cell; 5]> {
    let name = operator.split_once("Node:")?.1.split(',').next()?.trim();
    // `Default/TruncatedNormal-op0` has the type that other operators have as their name.
    let kind = name.rsplit('/').next()?.split('-').next()?;
    let time = |of: &str, name: &str, sign: char| {
        let rest = of.split_once(&format!("{name}{sign}"))?.1;
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        (digits > 0).then(|| MICROS.cell(&rest[..digits]))
    };
    let total = time(thread, "totalTime", '=')?;
    let dispatch = time(thread, "dispatchTime", '=')?;
    let start = time(operator, "Run start", ':').or_else(|| time(operator, "Run tart", ':'))?;
    let end = time(operator, "Run end", ':')?;
    Some([Quantity::Text.cell(kind), total, dispatch, start, end])
}
