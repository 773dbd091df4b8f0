//! Records of the step trace in msprof's folder: `training_trace.46.dev.profiler_default_tag.0.slice_0`.
//!
//! Each has 20 bytes, little-endian:
//!
//! ```text
//! 8 tag       0 or above 255: a step begins    1: the first forward operator    2: the last backward operator
//!             255: the step ends               others, odd then even: a collective begins, ends
//! 2 task      2 stream
//! 8 counter   of the device, which ticks every 10 ns
//! ```
//!
//! They become the rows that the profiler's analysis makes of them (`step_trace_raw_N_detail_time.csv`): a step begins
//! where the one before ended, the first one with its first forward operator. A run that ended before its analysis has
//! only these records. `Framework.host.vm.point.0.slice_0` beside them has the operators of the first two tags.
//!
//! Source: MindSpore's `profiler/parser/step_trace_parser.py`.

use std::collections::BTreeMap;

use super::quantity::{Quantity, TICKS};
use crate::{Head, clip};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use stepscope_base::{Code, Nanos, Warnings};
use stepscope_trace::{Cell, RecordedColumn, RecordedTable, RecordedUnit, TraceBuilder};

const SIZE: usize = 20;
const FORWARD_START: u64 = 1;
const BACKWARD_END: u64 = 2;
const END: u64 = 255;

/// Whether a file has such records: by its name, and by the first record, which begins a step in the first file.
pub(super) fn begins(path: &str, head: Head<'_>) -> bool {
    let is_first = path.ends_with(".slice_0");
    let is_record = |one: Record| one.counter > 0 && (is_begin(one.tag) || !is_first && one.tag <= END);
    is_named(path, "training_trace.") && record(head.bytes).is_some_and(is_record)
}

/// Whether a file is of raw records whose names begin so.
pub(super) fn is_named(path: &str, begin: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.starts_with(begin) && file.contains(".slice_")
}

/// Whether more bytes must be known before [`begins`] can be asked.
pub(super) fn needs_more(path: &str, head: Head<'_>) -> bool {
    !head.whole && head.bytes.len() < SIZE && is_named(path, "training_trace.")
}

/// Whether a file has the operators of tags: `1 Default/Cast-op6`.
pub(super) fn begins_points(path: &str, head: Head<'_>) -> bool {
    let mut lines = head.bytes.split(|byte| *byte == b'\n');
    let first = lines.next().filter(|_| head.whole || lines.next().is_some());
    let is_named = ["Framework.host.vm.point.", "Framework.host.vm_point."].iter().any(|name| is_named(path, name));
    is_named && first.and_then(point).is_some()
}

#[derive(Clone, Copy)]
struct Record {
    tag: u64,
    stream: u16,
    counter: i64,
}

fn record(bytes: &[u8]) -> Option<Record> {
    let part = |from: usize| bytes.get(from..from + 8)?.try_into().ok().map(u64::from_le_bytes);
    let stream = u16::from_le_bytes(bytes.get(10..12)?.try_into().ok()?);
    Some(Record { tag: part(0)?, stream, counter: i64::try_from(part(12)?).ok()? })
}

fn is_begin(tag: u64) -> bool {
    tag == 0 || tag > END
}

/// The step trace without rows.
pub(super) fn table(file: &str) -> RecordedTable {
    let columns = RecordedTable::STEP_TRACE
        .map(|name| (name, if name == "step_num" { RecordedUnit::Text } else { TICKS.unit() }));
    RecordedTable::new("step_trace", file, &columns)
}

/// The row of a step by its start, first forward operator, last backward operator and end; none if they are out of
/// order.
pub(super) fn row(number: u64, points: [Nanos; 4]) -> Option<Vec<Cell>> {
    let [start, forward, backward, end] = points;
    let number = Cell::Text(number.to_string());
    let times = [start, end, end - start, forward, backward, forward - start, backward - forward, end - backward];
    let cells = times.map(|time| Cell::Integer(time.0));
    points.is_sorted().then(|| std::iter::once(number).chain(cells).collect())
}

/// A step in progress.
#[derive(Default)]
struct Step {
    start: Option<i64>,
    forward_start: Option<i64>,
    backward_end: Option<i64>,
    /// Per stream, the tags of collectives, in order.
    collectives: BTreeMap<u16, Vec<(u64, i64)>>,
}

/// Adds the steps of a file to the table, which earlier files of the recording may have begun. Returns the first row
/// that is new.
pub(super) fn read(bytes: &[u8], builder: &mut TraceBuilder, warnings: &mut Warnings) -> usize {
    let file = builder.input_name().to_owned();
    let recording = |file: &str| file.rsplit_once(".slice_").map(|(name, _)| name.to_owned());
    let begun = |table: &RecordedTable| table.id == "step_trace" && recording(&table.file) == recording(&file);
    let other = builder.tables().iter().find(|table| table.id == "step_trace" && !begun(table));
    if let Some(analyzed) = other.map(|table| table.file.clone()) {
        warnings.add(Code::RepeatedTimeline, None, || analyzed);
        return 0;
    }
    let mut table = builder.pop_table_if(begun).unwrap_or_else(|| table(&file));
    let old = table.rows.len();
    let mut columns = Columns::of(&table);
    let last = table.rows.last().and_then(|row| table.cell(row, "step_num").text()?.parse::<u64>().ok());
    let mut number = last.unwrap_or_default();
    let mut before = table
        .rows
        .last()
        .and_then(|row| table.cell(row, "end_point").nanos())
        .map(|end| end.0 / RecordedTable::STEP_TRACE_TICK);
    let mut step = Step { start: before, ..Step::default() };
    let mut whole = bytes.chunks_exact(SIZE);
    for (place, bytes) in whole.by_ref().enumerate() {
        let at = (place * SIZE) as u64;
        let Some(Record { tag, stream, counter }) = record(bytes) else {
            warnings.add(Code::MalformedRow, Some(at), || "a counter above 2⁶³".to_owned());
            continue;
        };
        match tag {
            END => {
                let ended = std::mem::take(&mut step);
                number += 1;
                if !ended.add(number, counter, &mut table, &mut columns, warnings, at) {
                    // Also a step that began in the file before.
                    warnings.add(Code::MalformedRow, Some(at), || "a step without all of its points".to_owned());
                }
                before = Some(counter);
            }
            tag if is_begin(tag) => step = Step { start: before, ..Step::default() },
            FORWARD_START => step.forward_start = Some(counter),
            BACKWARD_END => step.backward_end = Some(counter),
            tag => step.collectives.entry(stream).or_default().push((tag, counter)),
        }
    }
    let rest = whole.remainder().len();
    if rest > 0 {
        let what = || format!("the last record has {rest} of {SIZE} bytes");
        warnings.add(Code::Truncated, Some((bytes.len() - rest) as u64), what);
    }
    if table.rows.is_empty() {
        return 0;
    }
    builder.table(table);
    old
}

impl Step {
    /// Adds the row of a step that ended; false if one of its points is missing, or they are out of order.
    fn add(
        self,
        number: u64,
        end: i64,
        table: &mut RecordedTable,
        columns: &mut Columns,
        warnings: &mut Warnings,
        at: u64,
    ) -> bool {
        let (Some(forward), Some(backward)) = (self.forward_start, self.backward_end) else { return false };
        let start = self.start.unwrap_or(forward);
        let nanos = |ticks: i64| Nanos(ticks.saturating_mul(RecordedTable::STEP_TRACE_TICK));
        let cell = |ticks: i64| Cell::Integer(nanos(ticks).0);
        let Some(mut row) = row(number, [start, forward, backward, end].map(nanos)) else { return false };
        row.resize(table.columns.len(), Cell::Empty);
        for (stream, points) in self.collectives {
            if points.len() > 2 * MOST_COLLECTIVES {
                let what = || format!("stream {stream}: {} points of collectives in a step", points.len());
                warnings.add(Code::MalformedRow, Some(at), what);
            }
            for (place, pair) in points.chunks(2).take(MOST_COLLECTIVES).enumerate() {
                let [(tag, begin), (end_tag, end)] = *pair else {
                    warnings.add(Code::MalformedRow, Some(at), || format!("stream {stream}: a collective never ends"));
                    continue;
                };
                if end_tag != tag + 1 || tag % 2 == 0 || end < begin {
                    warnings.add(Code::MalformedRow, Some(at), || format!("stream {stream}: tags {tag} and {end_tag}"));
                    continue;
                }
                let first = columns.first(stream, place, table);
                row.resize(table.columns.len(), Cell::Empty);
                for (column, ticks) in (first..).zip([begin, end, end - begin]) {
                    row[column] = cell(ticks);
                }
            }
        }
        table.rows.push(row);
        true
    }
}

/// The most collectives of a stream in a step: more are damage.
pub(super) const MOST_COLLECTIVES: usize = 1_000;

/// The first of the three columns of each collective, by stream and place.
struct Columns(HashMap<(u16, usize), usize, FxBuildHasher>);

impl Columns {
    /// The columns that a table has already.
    fn of(table: &RecordedTable) -> Self {
        let known = table.columns.iter().enumerate().filter_map(|(column, one)| {
            let (stream, place) =
                one.name.strip_prefix("stream_")?.strip_suffix("_start_point")?.split_once("_parallel_")?;
            Some(((stream.parse().ok()?, place.parse().ok()?), column))
        });
        Self(known.collect())
    }

    fn first(&mut self, stream: u16, place: usize, table: &mut RecordedTable) -> usize {
        *self.0.entry((stream, place)).or_insert_with(|| {
            let first = table.columns.len();
            table.columns.extend(["_start_point", "_end_point", ""].map(|suffix| {
                let name = format!("stream_{stream}_parallel_{place}{suffix}");
                RecordedColumn { name, unit: TICKS.unit() }
            }));
            first
        })
    }
}

/// A tag with its operator.
fn point(line: &[u8]) -> Option<(u64, &str)> {
    let (tag, name) = std::str::from_utf8(line).ok()?.trim_end_matches('\0').trim().split_once(' ')?;
    Some((tag.parse().ok()?, name))
}

/// Adds the table of the operators with which forward begins and backward ends.
pub(super) fn read_points(bytes: &[u8], builder: &mut TraceBuilder, warnings: &mut Warnings) {
    let mut names = [const { Cell::Empty }; 2];
    let mut at = 0;
    for line in bytes.split(|byte| *byte == b'\n') {
        match point(line) {
            Some((FORWARD_START, name)) => names[0] = Quantity::Text.cell(name),
            Some((BACKWARD_END, name)) => names[1] = Quantity::Text.cell(name),
            Some(_) => {}
            None if line.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) => {}
            None => warnings.add(Code::MalformedRow, Some(at), || clip(&String::from_utf8_lossy(line))),
        }
        at += line.len() as u64 + 1;
    }
    if names.iter().any(|name| name.text().is_some()) {
        add_points(names, builder);
    }
}

/// Adds the table of both operators.
pub(super) fn add_points(names: [Cell; 2], builder: &mut TraceBuilder) {
    let columns = [("fp_start", RecordedUnit::Text), ("bp_end", RecordedUnit::Text)];
    let mut table = RecordedTable::new("step_trace_points", builder.input_name(), &columns);
    table.rows.push(names.into());
    builder.table(table);
}
