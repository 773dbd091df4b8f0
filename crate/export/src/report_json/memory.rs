//! Memory.

use schemars::JsonSchema;
use serde::Serialize;

use super::table::{TableRows, rows_of};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    BlockCount, Blocks, Level, LevelSource, Memory, MemoryBlockTable, MemoryByNameTable, MemoryConfig, MemoryCurve,
    OperatorMemoryTable, PlaceMemory, PlannedMemory, PlannedTensorTable, ProcessMemory, RecordedBlockTable,
    RecordedMemory, has_memory, memory,
};
use stepscope_base::Interval;
use stepscope_table::Table;
use stepscope_trace::Trace;

/// Memory of a rank.
#[derive(Debug, JsonSchema, Serialize)]
pub struct MemoryReport {
    places: Vec<PlaceMemoryReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    processes: Vec<ProcessMemoryReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recorded: Vec<RecordedMemoryReport>,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<MemoryByNameTable<true>>")]
    recorded_operators: TableRows,
    #[serde(skip_serializing_if = "TableRows::is_empty")]
    #[schemars(schema_with = "rows_of::<RecordedBlockTable>")]
    recorded_blocks: TableRows,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    planned: Vec<PlannedMemoryReport>,
}

impl MemoryReport {
    /// The report, with curves over a range of time, or over all time; none if the trace has nothing about memory.
    #[must_use]
    pub fn of(rank: &Rank, span: Option<Interval>) -> Option<Self> {
        let trace = &rank.trace;
        has_memory(trace).then(|| {
            let Memory { places, processes, recorded, recorded_blocks, recorded_operators, planned } =
                memory(trace, &MemoryConfig { span, ..MemoryConfig::standard() });
            Self {
                places: places.iter().map(|place| PlaceMemoryReport::of(trace, place)).collect(),
                processes: processes.iter().map(|process| ProcessMemoryReport::of(trace, process)).collect(),
                recorded: recorded.iter().map(RecordedMemoryReport::of).collect(),
                recorded_operators: TableRows::of(Table::of::<MemoryByNameTable<true>>(&recorded_operators, &())),
                recorded_blocks: TableRows::of(Table::of::<RecordedBlockTable>(&recorded_blocks, &())),
                planned: planned.into_iter().map(PlannedMemoryReport::of).collect(),
            }
        })
    }
}

/// Memory of a device, or of the host (`device` null).
#[derive(Debug, JsonSchema, Serialize)]
struct PlaceMemoryReport {
    device: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity_bytes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_share: Option<f64>,
    events: u64,
    allocated: MemoryLevelReport,
    reserved: Option<MemoryLevelReport>,
    fragmentation: Option<FragmentationReport>,
    curve: MemoryCurveReport,
    blocks: MemoryBlocksReport,
    #[schemars(schema_with = "rows_of::<OperatorMemoryTable>")]
    operators: TableRows,
    live_at_peak: LiveMemoryReport,
}

impl PlaceMemoryReport {
    fn of(trace: &Trace, place: &PlaceMemory) -> Self {
        let live = &place.live_at_peak;
        Self {
            device: place.device,
            capacity_bytes: place.capacity,
            peak_share: place.peak_share(),
            events: place.events,
            allocated: MemoryLevelReport::of(&place.allocated),
            reserved: place.reserved.as_ref().map(MemoryLevelReport::of),
            fragmentation: place.fragmentation.map(|found| FragmentationReport {
                at_allocated_peak_bytes: found.at_peak,
                max_bytes: found.most,
                max_at_ns: found.most_at.0,
            }),
            curve: MemoryCurveReport::of(&place.curve),
            blocks: MemoryBlocksReport::of(trace, &place.blocks),
            operators: TableRows::of(Table::of::<OperatorMemoryTable>(&place.operators, trace)),
            live_at_peak: LiveMemoryReport {
                operators: TableRows::of(Table::of::<MemoryByNameTable<false>>(&live.rows(trace), &())),
                from_before: BlockCountReport::of(live.from_before),
                unexplained_bytes: live.unexplained,
            },
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct MemoryLevelReport {
    source: &'static str,
    first_bytes: i64,
    last_bytes: i64,
    peak_bytes: i64,
    peak_at_ns: i64,
}

impl MemoryLevelReport {
    pub(super) fn of(level: &Level) -> Self {
        Self {
            source: match level.source {
                LevelSource::Recorded => "recorded",
                LevelSource::Counted => "counted",
            },
            first_bytes: level.first,
            last_bytes: level.last,
            peak_bytes: level.peak,
            peak_at_ns: level.peak_at.0,
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct FragmentationReport {
    at_allocated_peak_bytes: i64,
    max_bytes: i64,
    max_at_ns: i64,
}

/// Points by columns; each value is valid until the next time.
#[derive(Debug, JsonSchema, Serialize)]
struct MemoryCurveReport {
    start_ns: i64,
    end_ns: i64,
    at_ns: Vec<i64>,
    allocated_bytes: Vec<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reserved_bytes: Option<Vec<Option<i64>>>,
}

impl MemoryCurveReport {
    fn of(curve: &MemoryCurve) -> Self {
        let points = curve.points.iter();
        let is_reserved = points.clone().any(|point| point.reserved.is_some());
        Self {
            start_ns: curve.whole.start.0,
            end_ns: curve.whole.end.0,
            at_ns: points.clone().map(|point| point.at.0).collect(),
            allocated_bytes: points.clone().map(|point| point.allocated).collect(),
            reserved_bytes: is_reserved.then(|| points.map(|point| point.reserved).collect()),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct BlockCountReport {
    blocks: u64,
    bytes: i64,
}

impl BlockCountReport {
    fn of(count: BlockCount) -> Self {
        Self { blocks: count.blocks, bytes: count.bytes }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct MemoryBlocksReport {
    allocations: u64,
    releases: u64,
    unreleased: BlockCountReport,
    from_before: BlockCountReport,
    mean_lifetime_ns: i64,
    median_lifetime_ns: i64,
    max_lifetime_ns: i64,
    #[schemars(schema_with = "rows_of::<MemoryBlockTable>")]
    largest: TableRows,
}

impl MemoryBlocksReport {
    fn of(trace: &Trace, blocks: &Blocks) -> Self {
        Self {
            allocations: blocks.allocations,
            releases: blocks.releases,
            unreleased: BlockCountReport::of(blocks.unreleased),
            from_before: BlockCountReport::of(blocks.from_before),
            mean_lifetime_ns: blocks.lifetimes.mean.0,
            median_lifetime_ns: blocks.lifetimes.median.0,
            max_lifetime_ns: blocks.lifetimes.max.0,
            largest: TableRows::of(Table::of::<MemoryBlockTable>(&blocks.listed, trace)),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct LiveMemoryReport {
    #[schemars(schema_with = "rows_of::<MemoryByNameTable<false>>")]
    operators: TableRows,
    from_before: BlockCountReport,
    unexplained_bytes: i64,
}

/// The memory of a process of the host.
#[derive(Debug, JsonSchema, Serialize)]
struct ProcessMemoryReport {
    process: String,
    counter: String,
    first_bytes: i64,
    last_bytes: i64,
    peak_bytes: i64,
    peak_at_ns: i64,
    curve: MemoryCurveReport,
}

impl ProcessMemoryReport {
    fn of(trace: &Trace, process: &ProcessMemory) -> Self {
        let counter = trace.counters.get(process.counter);
        let name = counter.map(|counter| [counter.name, counter.series].map(|name| trace.strings.get(name)).join(" "));
        Self {
            process: counter.map(|counter| trace.process_label(counter.process)).unwrap_or_default(),
            counter: name.unwrap_or_default().trim().to_owned(),
            first_bytes: process.first,
            last_bytes: process.last,
            peak_bytes: process.peak,
            peak_at_ns: process.peak_at.0,
            curve: MemoryCurveReport::of(&process.curve),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct RecordedMemoryReport {
    component: String,
    device: String,
    records: u64,
    allocated: MemoryLevelReport,
    reserved: Option<MemoryLevelReport>,
    curve: MemoryCurveReport,
}

impl RecordedMemoryReport {
    fn of(found: &RecordedMemory) -> Self {
        Self {
            component: found.component.clone(),
            device: found.device.clone(),
            records: found.records,
            allocated: MemoryLevelReport::of(&found.allocated),
            reserved: found.reserved.as_ref().map(MemoryLevelReport::of),
            curve: MemoryCurveReport::of(&found.curve),
        }
    }
}

/// Planned memory of a graph, over the order of execution.
#[derive(Debug, JsonSchema, Serialize)]
struct PlannedMemoryReport {
    graph: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity_bytes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_share: Option<f64>,
    static_bytes: Option<i64>,
    peak_bytes: i64,
    peak_index: usize,
    peak_operator: String,
    forward_start_index: Option<usize>,
    backward_end_index: Option<usize>,
    total_bytes: Vec<i64>,
    operators: Vec<String>,
    operator_bytes: Vec<Option<i64>>,
    #[schemars(schema_with = "rows_of::<PlannedTensorTable>")]
    tensors: TableRows,
}

impl PlannedMemoryReport {
    fn of(graph: PlannedMemory) -> Self {
        Self {
            capacity_bytes: graph.capacity,
            peak_share: graph.peak_share(),
            graph: graph.graph,
            static_bytes: graph.fixed,
            peak_bytes: graph.peak,
            peak_index: graph.peak_index,
            peak_operator: graph.peak_operator,
            forward_start_index: graph.forward_start,
            backward_end_index: graph.backward_end,
            total_bytes: graph.curve,
            operator_bytes: graph.operators.iter().map(|operator| operator.bytes).collect(),
            operators: graph.operators.into_iter().map(|operator| operator.name).collect(),
            tensors: TableRows::of(Table::of::<PlannedTensorTable>(&graph.tensors, &())),
        }
    }
}
