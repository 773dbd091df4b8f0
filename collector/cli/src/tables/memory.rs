//! Memory: levels, operators, blocks, what was live at the peak.

use stepscope::analyze::{Level, LevelSource, Memory, MemoryConfig, PlaceMemory, StepChoice, memory as analyzed};
use stepscope::present::text::{bytes, count, duration, moment};
use stepscope::trace::{EventId, NameId};
use stepscope::{Nanos, Rank};

use super::work::titled_of;
use crate::cut::shortened;
use crate::grid::{Grid, Look, printable};

/// Columns of a further name.
const NAME: usize = 32;

/// All tables of a rank's memory; nothing if nothing is known of it.
pub(super) fn memory(rank: &Rank, look: Look, top: usize) -> String {
    let listed = if top == 0 { usize::MAX } else { top };
    let found = analyzed(&rank.trace, &MemoryConfig { listed, columns: 1, ..MemoryConfig::standard() });
    let mut text = levels(rank, &found).to_text(look, 0);
    for place in &found.places {
        text.push_str(&operators(rank, place).to_text(look, top));
        text.push_str(&live(rank, place).to_text(look, top));
        text.push_str(&blocks(rank, place).to_text(look, top));
    }
    text.push_str(&recorded(&found).to_text(look, top));
    text.push_str(&planned(&found).to_text(look, 0));
    for graph in &found.planned {
        let heads = ["tensor", "bytes", "type", "data type", "shape", "format", "lives from", "to", "at peak"];
        let place = |place: Option<i64>| place.map_or_else(|| "–".to_owned(), |place| place.to_string());
        let rows = graph.tensors.iter().map(|tensor| {
            vec![
                tensor.name.clone(),
                signed(tensor.bytes),
                tensor.kind.clone(),
                tensor.data_type.clone(),
                shortened(&printable(&tensor.shape), NAME),
                tensor.format.clone(),
                place(tensor.life.map(|life| life.0)),
                place(tensor.life.map(|life| life.1)),
                if tensor.at_peak { "yes" } else { "" }.to_owned(),
            ]
        });
        text.push_str(&Grid::new(&format!("Tensors of graph {}", graph.graph), heads, rows).to_text(look, top));
    }
    text
}

fn signed(value: i64) -> String {
    let size = bytes(value.unsigned_abs());
    if value < 0 { format!("-{size}") } else { size }
}

/// Whose memory it is.
fn name(place: &PlaceMemory) -> String {
    place.device.map_or_else(|| "host".to_owned(), |device| format!("device {device}"))
}

fn operator(rank: &Rank, name: Option<NameId>) -> String {
    name.map_or("(no operator)", |name| rank.trace.strings.get(name)).to_owned()
}

fn levels(rank: &Rank, memory: &Memory) -> Grid {
    let heads =
        ["memory", "events", "peak", "at", "first", "last", "reserved\npeak", "unused\nat peak", "unused\nmost"];
    let level = |name: String, events: u64, level: &Level, reserved: Option<&Level>, unused: [Option<i64>; 2]| {
        let source = if level.source == LevelSource::Counted { " (counted)" } else { "" };
        let or_dash = |bytes: Option<i64>| bytes.map_or_else(|| "–".to_owned(), signed);
        vec![
            format!("{name}{source}"),
            count(events),
            signed(level.peak),
            moment(level.peak_at),
            signed(level.first),
            signed(level.last),
            or_dash(reserved.map(|reserved| reserved.peak)),
            or_dash(unused[0]),
            or_dash(unused[1]),
        ]
    };
    let places = memory.places.iter().map(|place| {
        let unused = place.fragmentation;
        let unused = [unused.map(|found| found.at_peak), unused.map(|found| found.most)];
        level(name(place), place.events, &place.allocated, place.reserved.as_ref(), unused)
    });
    let recorded = memory.recorded.iter().map(|found| {
        let name = [&found.component[..], &found.device].join(" ");
        level(name.trim().to_owned(), found.records, &found.allocated, found.reserved.as_ref(), [None; 2])
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
        Some(level(label, counter.samples.len() as u64, &found, None, [None; 2]))
    });
    Grid::new(&titled_of("Memory", rank, StepChoice::Whole), heads, places.chain(recorded).chain(processes))
}

fn operators(rank: &Rank, place: &PlaceMemory) -> Grid {
    let heads = [
        "operator",
        "allocations",
        "allocated",
        "releases",
        "released",
        "net",
        "with callees\nallocated",
        "with callees\nnet",
    ];
    let rows = place.operators.iter().map(|row| {
        vec![
            operator(rank, row.name),
            count(row.own.allocations),
            signed(row.own.allocated),
            count(row.own.releases),
            signed(row.own.released),
            signed(row.own.net()),
            signed(row.total.allocated),
            signed(row.total.net()),
        ]
    });
    Grid::new(&titled_of(&format!("Memory by operator, {}", name(place)), rank, StepChoice::Whole), heads, rows)
}

fn live(rank: &Rank, place: &PlaceMemory) -> Grid {
    let live = &place.live_at_peak;
    let row = |name: String, blocks: Option<u64>, bytes: i64| {
        vec![name, blocks.map_or_else(|| "–".to_owned(), count), signed(bytes)]
    };
    let operators = live.operators.iter().map(|found| (operator(rank, found.name), Some(found.blocks), found.bytes));
    let before = live.from_before;
    let others = [
        ("(from before the recording)".to_owned(), Some(before.blocks), before.bytes),
        ("(not explained by events)".to_owned(), None, live.unexplained),
    ];
    let mut rows: Vec<_> = operators.chain(others.into_iter().filter(|row| row.2 != 0)).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.2));
    let title = format!("Live at the peak of {}, after {}", name(place), moment(place.allocated.peak_at));
    Grid::new(
        &title,
        ["allocated by", "blocks", "bytes"],
        rows.into_iter().map(|(name, blocks, bytes)| row(name, blocks, bytes)),
    )
}

fn blocks(rank: &Rank, place: &PlaceMemory) -> Grid {
    let heads = ["largest blocks, by who allocated", "bytes", "allocated", "released", "lifetime", "released in"];
    let time = |time: Option<Nanos>| time.map_or_else(|| "–".to_owned(), duration);
    let who = |id: Option<EventId>| id.map_or("(no operator)", |id| rank.trace.name_of(id));
    let rows = place.blocks.listed.iter().map(|block| {
        vec![
            if block.allocated.is_some() { who(block.allocated_by) } else { "(before the recording)" }.to_owned(),
            signed(block.bytes),
            time(block.allocated),
            time(block.released),
            time(block.lifetime()),
            if block.released.is_some() {
                shortened(&printable(who(block.released_by)), NAME)
            } else {
                "–".to_owned()
            },
        ]
    });
    let blocks = &place.blocks;
    let title = format!(
        "Blocks of {}: {} allocations, {} releases; {} not released ({}), {} from before ({})",
        name(place),
        count(blocks.allocations),
        count(blocks.releases),
        count(blocks.unreleased.blocks),
        signed(blocks.unreleased.bytes),
        count(blocks.from_before.blocks),
        signed(blocks.from_before.bytes)
    );
    Grid::new(&title, heads, rows)
}

fn recorded(memory: &Memory) -> Grid {
    let heads = ["operator", "blocks", "bytes"];
    let rows = memory.recorded_operators.iter();
    let rows = rows.map(|row| vec![row.name.clone(), count(row.blocks.blocks), signed(row.blocks.bytes)]);
    Grid::new("Memory by operator, as recorded", heads, rows)
}

fn planned(memory: &Memory) -> Grid {
    let heads =
        ["graph", "operators", "static", "peak", "dynamic\nat peak", "at", "operator", "forward\nfrom", "backward\nto"];
    let place = |index: Option<usize>| index.map_or_else(|| "–".to_owned(), |index| index.to_string());
    let rows = memory.planned.iter().map(|graph| {
        let fixed = graph.fixed.unwrap_or_default();
        vec![
            graph.graph.clone(),
            count(graph.curve.len() as u64),
            signed(fixed),
            signed(graph.peak),
            signed(graph.peak.saturating_sub(fixed)),
            graph.peak_index.to_string(),
            shortened(&printable(&graph.peak_operator), NAME),
            place(graph.forward_start),
            place(graph.backward_end),
        ]
    });
    Grid::new("Memory that graphs plan to use", heads, rows)
}
