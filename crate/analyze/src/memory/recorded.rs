//! Memory as MindSpore's tables record it: levels by component, and blocks by operator.

use super::blocks::{BlockCount, NamedBlocks};
use super::config::MemoryConfig;
use super::curve::{MemoryCurve, MemoryPoint, curve};
use super::levels::{Level, LevelSource};
use super::planned::{bytes, text};
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{Cell, RecordedTable, Trace};

/// The levels of a component.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedMemory {
    /// The user of the memory; may be empty.
    pub component: String,
    /// The device of the memory; may be empty.
    pub device: String,
    /// Number of records.
    pub records: u64,
    /// The used memory.
    pub allocated: Level,
    /// The reserved memory, where recorded.
    pub reserved: Option<Level>,
    /// Both over time.
    pub curve: MemoryCurve,
}

/// A block that an operator allocated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedBlock {
    /// The operator's name.
    pub name: String,
    /// Its size.
    pub bytes: i64,
    /// Time of its allocation.
    pub allocated: Option<Nanos>,
    /// Time of its release.
    pub released: Option<Nanos>,
    /// Its lifetime, as recorded.
    pub lifetime: Option<Nanos>,
    /// The device of its memory.
    pub device: String,
}

/// Tables of levels: the later ones contain the same with less detail.
const LEVELS: [&str; 3] = ["memory_record", "ge_memory_record", "framework_memory_record"];

pub(super) fn any(trace: &Trace) -> bool {
    trace.recorded.iter().any(|table| LEVELS.contains(&table.id) || table.id == "operator_memory")
}

/// A time of the wall clock, relative to the trace's start; to `first` where the trace has no such time, or that of
/// another run.
fn since(trace: &Trace, first: Nanos, at: Nanos) -> Nanos {
    /// No recording is longer, in ns.
    const MONTH: u64 = 30 * 86_400 * 1_000_000_000;
    let near = |origin: &i64| origin.abs_diff(first.0) < MONTH;
    at - trace.meta.origin_unix_ns.filter(near).map_or(first, Nanos)
}

/// The levels of each component, in the order of the table.
pub(super) fn levels(trace: &Trace, config: &MemoryConfig) -> Vec<RecordedMemory> {
    let Some(id) = LEVELS.into_iter().find(|id| trace.recorded_as(id).next().is_some()) else { return Vec::new() };
    let mut components: Vec<((String, String), Vec<MemoryPoint>)> = Vec::new();
    for table in trace.recorded_as(id) {
        for row in &table.rows {
            let Some(at) = table.cell(row, "Timestamp").nanos() else { continue };
            let Some(allocated) = bytes(table, row, "Total Allocated") else { continue };
            let point = MemoryPoint { at, allocated, reserved: bytes(table, row, "Total Reserved") };
            let device = [text(table, row, "Device Type"), text(table, row, "Device")].concat();
            let key = (text(table, row, "Component"), device);
            match components.iter_mut().find(|(known, _)| *known == key) {
                Some((_, points)) => points.push(point),
                None => components.push((key, vec![point])),
            }
        }
    }
    let first = components.iter().flat_map(|(_, points)| points).map(|point| point.at).reduce(Nanos::min);
    let first = first.unwrap_or_default();
    let component = |((component, device), mut points): ((String, String), Vec<MemoryPoint>)| {
        for point in &mut points {
            point.at = since(trace, first, point.at);
        }
        points.compact_sort_by_key(|point| point.at);
        let whole = Interval::new(points.first()?.at, points.last()?.at);
        Some(RecordedMemory {
            component,
            device,
            records: points.len() as u64,
            allocated: level(points.iter().map(|point| (point.at, point.allocated)))?,
            reserved: level(points.iter().filter_map(|point| Some((point.at, point.reserved?)))),
            curve: curve(&mut points.into_iter(), whole, config),
        })
    };
    components.into_iter().filter_map(component).collect()
}

fn level(values: impl Iterator<Item = (Nanos, i64)> + Clone) -> Option<Level> {
    let (first, last) = (values.clone().next()?.1, values.clone().last()?.1);
    let (peak_at, peak) = values.reduce(|most, next| if next.1 > most.1 { next } else { most })?;
    Some(Level { source: LevelSource::Recorded, first, last, peak, peak_at })
}

fn operator_rows(trace: &Trace) -> impl Iterator<Item = (&RecordedTable, &[Cell])> {
    trace.recorded_as("operator_memory").flat_map(|table| table.rows.iter().map(move |row| (table, &row[..])))
}

/// The blocks of operators, the largest first.
pub(super) fn blocks(trace: &Trace, listed: usize) -> Vec<RecordedBlock> {
    let time = |(table, row): (&RecordedTable, &[Cell]), column: &str| table.cell(row, column).nanos();
    let first = operator_rows(trace).filter_map(|row| time(row, "Allocation Time")).reduce(Nanos::min);
    let first = first.unwrap_or_default();
    let block = |row: (&RecordedTable, &[Cell])| RecordedBlock {
        name: text(row.0, row.1, "Name"),
        bytes: bytes(row.0, row.1, "Size").unwrap_or_default(),
        allocated: time(row, "Allocation Time").map(|at| since(trace, first, at)),
        released: time(row, "Release Time").map(|at| since(trace, first, at)),
        lifetime: time(row, "Duration"),
        device: text(row.0, row.1, "Device Type"),
    };
    let mut blocks: Vec<RecordedBlock> = operator_rows(trace).map(block).collect();
    blocks.compact_sort_by(|a, b| b.bytes.cmp(&a.bytes));
    blocks.truncate(listed);
    blocks
}

/// The blocks by operator, the most bytes first.
pub(super) fn operators(trace: &Trace) -> Vec<NamedBlocks> {
    let mut rows: std::collections::BTreeMap<String, BlockCount> = std::collections::BTreeMap::new();
    for (table, row) in operator_rows(trace) {
        rows.entry(text(table, row, "Name")).or_default().add(bytes(table, row, "Size").unwrap_or_default());
    }
    let named = |(name, count): (String, BlockCount)| NamedBlocks::new(Some(name), Some(count.blocks), count.bytes);
    let mut rows: Vec<NamedBlocks> = rows.into_iter().map(named).collect();
    rows.compact_sort_by(|a, b| b.bytes.cmp(&a.bytes));
    rows
}
