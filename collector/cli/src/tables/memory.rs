//! Memory: levels, operators, blocks, live blocks at the peak.

use stepscope::Rank;
use stepscope::analyze::{
    Level, LevelSource, Memory, MemoryBlockTable, MemoryByNameTable, MemoryConfig, NamedBlocks, OperatorMemoryTable,
    PlaceMemory, PlannedTensorTable, StepChoice, memory as analyzed,
};
use stepscope::present::text::{count, moment, percent_or_dash, signed_bytes};
use stepscope::table::Table;

use super::work::{titled_of, units};
use crate::cut::shortened;
use crate::grid::{Grid, Look, printable};

/// Columns of a further name.
const NAME: usize = 32;

/// All tables of a rank's memory; empty without data.
pub(super) fn memory(rank: &Rank, look: Look, top: usize) -> String {
    let listed = if top == 0 { usize::MAX } else { top };
    let found = analyzed(&rank.trace, &MemoryConfig { listed, columns: 1, ..MemoryConfig::standard() });
    let mut text = levels(rank, &found).to_text(look, 0);
    for place in &found.places {
        text.push_str(&operators(rank, place).to_text(look, top));
        text.push_str(&live(rank, place).to_text(look, top));
        text.push_str(&blocks(rank, place).to_text(look, top));
    }
    text.push_str(&recorded(rank, &found).to_text(look, top));
    text.push_str(&planned(&found).to_text(look, 0));
    for graph in &found.planned {
        let table = Table::of::<PlannedTensorTable>(&graph.tensors, &());
        let title = format!("Tensors of graph {}", graph.graph);
        text.push_str(&Grid::of(&title, &table, units(rank)).to_text(look, top));
    }
    text
}

/// Owner of the memory.
fn name(place: &PlaceMemory) -> String {
    place.device.map_or_else(|| "host".to_owned(), |device| format!("device {device}"))
}

fn levels(rank: &Rank, memory: &Memory) -> Grid {
    let heads = [
        "memory",
        "events",
        "peak",
        "at",
        "first",
        "last",
        "reserved\npeak",
        "unused\nat peak",
        "unused\nmost",
        "capacity",
        "peak of\ncapacity",
    ];
    type More<'a> = (Option<&'a Level>, [Option<i64>; 2], [String; 2]);
    let level = |name: String, events: u64, level: &Level, (reserved, unused, capacity): More<'_>| {
        let source = if level.source == LevelSource::Counted { " (counted)" } else { "" };
        let or_dash = |bytes: Option<i64>| bytes.map_or_else(|| "–".to_owned(), signed_bytes);
        vec![
            format!("{name}{source}"),
            count(events),
            signed_bytes(level.peak),
            moment(level.peak_at),
            signed_bytes(level.first),
            signed_bytes(level.last),
            or_dash(reserved.map(|reserved| reserved.peak)),
            or_dash(unused[0]),
            or_dash(unused[1]),
        ]
        .into_iter()
        .chain(capacity)
        .collect::<Vec<_>>()
    };
    let places = memory.places.iter().map(|place| {
        let unused = place.fragmentation;
        let unused = [unused.map(|found| found.at_peak), unused.map(|found| found.most)];
        level(
            name(place),
            place.events,
            &place.allocated,
            (place.reserved.as_ref(), unused, capacity(place.capacity, place.peak_share())),
        )
    });
    let recorded = memory.recorded.iter().map(|found| {
        let name = [&found.component[..], &found.device].join(" ");
        level(
            name.trim().to_owned(),
            found.records,
            &found.allocated,
            (found.reserved.as_ref(), [None; 2], capacity(None, None)),
        )
    });
    let processes = memory.processes.iter().filter_map(|process| {
        let counter = rank.trace.counters.get(process.counter)?;
        let found = Level {
            source: LevelSource::Recorded,
            first: process.first,
            last: process.last,
            peak: process.peak,
            peak_at: process.peak_at,
        };
        let label = format!("{}: {}", rank.trace.process_label(counter.process), rank.trace.strings.get(counter.name));
        Some(level(label, counter.samples.len() as u64, &found, (None, [None; 2], capacity(None, None))))
    });
    Grid::new(&titled_of("Memory", rank, StepChoice::Whole), heads, places.chain(recorded).chain(processes))
}

/// The device's memory, and the part of it that is in use at most; unknown ones as dashes.
fn capacity(bytes: Option<i64>, share: Option<f64>) -> [String; 2] {
    [bytes.map_or_else(|| "–".to_owned(), signed_bytes), percent_or_dash(share)]
}

fn operators(rank: &Rank, place: &PlaceMemory) -> Grid {
    let table = Table::of::<OperatorMemoryTable>(&place.operators, &rank.trace);
    let title = format!("Memory by operator, {}", name(place));
    Grid::of(&titled_of(&title, rank, StepChoice::Whole), &table, units(rank))
}

fn live(rank: &Rank, place: &PlaceMemory) -> Grid {
    let live = &place.live_at_peak;
    let other = |name: &str, blocks, bytes| NamedBlocks::new(Some(name.to_owned()), blocks, bytes);
    let others = [
        other("(from before the recording)", Some(live.from_before.blocks), live.from_before.bytes),
        other("(not explained by events)", None, live.unexplained),
    ];
    let mut rows = live.rows(&rank.trace);
    rows.extend(others.into_iter().filter(|row| row.bytes != 0));
    rows.sort_by_key(|row| std::cmp::Reverse(row.bytes));
    let title = format!("Live at the peak of {}, after {}", name(place), moment(place.allocated.peak_at));
    Grid::of(&title, &Table::of::<MemoryByNameTable<false>>(&rows, &()), units(rank))
}

fn blocks(rank: &Rank, place: &PlaceMemory) -> Grid {
    let blocks = &place.blocks;
    let title = format!(
        "Largest blocks of {}: {} allocations, {} releases; {} not released ({}), {} from before ({})",
        name(place),
        count(blocks.allocations),
        count(blocks.releases),
        count(blocks.unreleased.blocks),
        signed_bytes(blocks.unreleased.bytes),
        count(blocks.from_before.blocks),
        signed_bytes(blocks.from_before.bytes)
    );
    Grid::of(&title, &Table::of::<MemoryBlockTable>(&blocks.listed, &rank.trace), units(rank))
}

fn recorded(rank: &Rank, memory: &Memory) -> Grid {
    let table = Table::of::<MemoryByNameTable<true>>(&memory.recorded_operators, &());
    Grid::of("Memory by operator, as recorded", &table, units(rank))
}

fn planned(memory: &Memory) -> Grid {
    let heads = [
        "graph",
        "operators",
        "static",
        "peak",
        "dynamic\nat peak",
        "at",
        "operator",
        "forward\nfrom",
        "backward\nto",
        "capacity",
        "peak of\ncapacity",
    ];
    let place = |index: Option<usize>| index.map_or_else(|| "–".to_owned(), |index| index.to_string());
    let rows = memory.planned.iter().map(|graph| {
        let fixed = graph.fixed.unwrap_or_default();
        // MindSpore's summary alone is of all graphs, and has no order of execution.
        let has_order = !graph.curve.is_empty();
        vec![
            if has_order { graph.graph.clone() } else { "all".to_owned() },
            if has_order { count(graph.curve.len() as u64) } else { place(None) },
            signed_bytes(fixed),
            signed_bytes(graph.peak),
            signed_bytes(graph.peak.saturating_sub(fixed)),
            place(Some(graph.peak_index).filter(|_| has_order)),
            shortened(&printable(&graph.peak_operator), NAME),
            place(graph.forward_start),
            place(graph.backward_end),
        ]
        .into_iter()
        .chain(capacity(graph.capacity, graph.peak_share()))
        .collect::<Vec<_>>()
    });
    Grid::new("Memory that graphs plan to use", heads, rows)
}
