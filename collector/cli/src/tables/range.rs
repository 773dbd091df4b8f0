//! A range of time: its contents, and the composition of its time.

use stepscope::analyze::{
    HostActivity, LevelSource, RangeChangeTable, RangeComparison, RangeContext, RangeNameTable, RangeReport, RangeSums,
    TimeCategory, compare_ranges,
};
use stepscope::present::text::{bytes, count, duration, duration_change, number, percent_or_dash};
use stepscope::table::Table;
use stepscope::table::messages::word;
use stepscope::trace::{Layer, Trace, TrackId};
use stepscope::{Nanos, Rank};

use super::share::with_share;
use super::times::{device_grid, phase_rows};
use super::work::units;
use crate::grid::{Grid, Look, printable};

/// Heads of the columns of sums, after the names.
const SUMS: [&str; 9] = ["count", "begin in it", "sum", "union", "share", "self", "mean", "min", "max"];

/// All tables of a range; beside another one of the same rank, if one is given.
pub(crate) fn range(rank: &Rank, found: &RangeReport, other: Option<&RangeReport>, look: Look, top: usize) -> String {
    let trace = &rank.trace;
    let mut text = look.line(&[title("range", found)]);
    if let Some(other) = other {
        text.push_str(&look.line(&[title("compared with", other)]));
        let comparison = compare_ranges((trace, other), (trace, found));
        text.push_str(&devices_beside(&comparison).to_text(look, 0));
        text.push_str(&changes(rank, &comparison).to_text(look, top));
        return text;
    }
    let grids = [
        (device_grid("Device time, of the range", &found.devices), 0),
        (categories(found), 0),
        (phase_rows("Phases of the range", [("range", &found.phases)]), 0),
        (hosts(trace, found), top),
        (names(rank, found), top),
        (classes(found), 0),
        (tracks(trace, found), top),
        (memory(found), 0),
        (counters(found), top),
    ];
    for (grid, top) in grids {
        text.push_str(&grid.to_text(look, top));
    }
    text
}

fn title(what: &str, found: &RangeReport) -> String {
    let span = found.span;
    format!("{what} {} – {}: {}", duration(span.start), duration(span.end), duration(span.len()))
}

fn categories(found: &RangeReport) -> Grid {
    let rows = TimeCategory::ALL.iter().zip(found.categories).filter(|(_, time)| *time > Nanos::ZERO);
    let rows = rows
        .map(|(category, time)| vec![category.name().to_owned(), with_share(time, time.ratio_of(found.span.len()))]);
    Grid::new("Categories", ["category", "time"], rows)
}

fn hosts(trace: &Trace, found: &RangeReport) -> Grid {
    let heads = ["thread", "mostly", "data\nloading", "synchro-\nnization", "alloca-\ntion", "launching", "operators"];
    let heads = heads.into_iter().chain(["Python", "marked\nranges", "nothing\nrecorded"]);
    let rows = found.hosts.iter().map(|(track, host)| {
        let activity = match host.activity {
            HostActivity::Unrecorded => "–".to_owned(),
            activity => activity.name().replace('_', " "),
        };
        // A thread's activity has no late starts.
        let times =
            HostActivity::ALL.iter().zip(&host.times).filter(|(activity, _)| **activity != HostActivity::StartLate);
        let times = times.map(|(_, time)| duration(*time));
        [place(trace, *track), activity].into_iter().chain(times).collect()
    });
    Grid::new("Host threads", heads, rows)
}

/// The sums of slices, in the order of [`SUMS`].
fn sums(found: &RangeReport, sums: &RangeSums) -> impl Iterator<Item = String> {
    [
        count(sums.slices),
        count(sums.begun),
        duration(sums.sum),
        duration(sums.union),
        percent_or_dash(sums.union.ratio_of(found.span.len())),
        duration(sums.own),
        duration(sums.mean()),
        duration(sums.shortest),
        duration(sums.longest),
    ]
    .into_iter()
}

fn names(rank: &Rank, found: &RangeReport) -> Grid {
    let context = RangeContext { trace: &rank.trace, length: found.span.len() };
    Grid::of("Slices by name", &Table::of::<RangeNameTable>(&found.names, &context), units(rank))
}

fn classes(found: &RangeReport) -> Grid {
    let all = (found.classes.len() > 1).then_some(("(all)", &found.whole));
    let classes = found.classes.iter().map(|(class, sums)| (word("range.class", class.name()), sums));
    let rows = all.into_iter().chain(classes);
    let rows = rows.map(|(name, of)| std::iter::once(name.to_owned()).chain(sums(found, of)).collect());
    Grid::new("Slices by class", std::iter::once("class").chain(SUMS), rows)
}

fn tracks(trace: &Trace, found: &RangeReport) -> Grid {
    let rows =
        found.tracks.iter().map(|(track, of)| std::iter::once(place(trace, *track)).chain(sums(found, of)).collect());
    Grid::new("Slices by track", std::iter::once("track").chain(SUMS), rows)
}

/// A thread, or a stream of a device.
fn place(trace: &Trace, id: TrackId) -> String {
    let track = &trace.tracks[id.index()];
    let label = trace.place_label(track);
    match track.stream {
        Some(stream) => format!("device {} · stream {} ({label})", stream.device, stream.stream),
        // Layers of a thread are separate tracks.
        None if track.layer == Layer::Python => format!("{label} · Python"),
        None => label,
    }
}

fn memory(found: &RangeReport) -> Grid {
    let heads = ["memory", "counted", "at the start", "at the end", "change", "peak", "when", "allocated", "released"];
    let rows = found.memory.iter().flat_map(|place| {
        let name = place.device.map_or_else(|| "host".to_owned(), |device| format!("device {device}"));
        let level = |what: &str, level: &stepscope::analyze::Level| {
            let by = if level.source == LevelSource::Recorded { "by the producer" } else { "here" };
            let change = level.last.saturating_sub(level.first);
            let values = [level.first, level.last, change, level.peak].map(signed);
            let mut row = vec![format!("{name}: {what}"), by.to_owned()];
            row.extend(values);
            row.push(duration(level.peak_at));
            row
        };
        let mut allocated = level("allocated", &place.allocated);
        allocated.push(format!("{}  {:>10}", count(place.sums.allocations), signed(place.sums.allocated)));
        allocated.push(format!("{}  {:>10}", count(place.sums.releases), signed(place.sums.released)));
        std::iter::once(allocated).chain(place.reserved.as_ref().map(|reserved| level("reserved", reserved)))
    });
    Grid::new("Memory", heads, rows)
}

/// Bytes with their sign.
fn signed(amount: i64) -> String {
    let text = bytes(amount.unsigned_abs());
    if amount < 0 { format!("-{text}") } else { text }
}

fn counters(found: &RangeReport) -> Grid {
    let rows = found.counters.iter().map(|counter| {
        let summary = &counter.summary;
        let values = [summary.mean, summary.min, summary.max, summary.last].map(number);
        [format!("{} · {}", printable(&counter.owner), counter.name), count(counter.samples)]
            .into_iter()
            .chain(values)
            .collect()
    });
    Grid::new("Counters", ["counter", "values", "mean", "min", "max", "last"], rows)
}

fn devices_beside(comparison: &RangeComparison<'_>) -> Grid {
    let heads = ["", "compared with", "range", "change"];
    let rows = comparison.devices.iter().flat_map(|times| {
        let row = |name: &str, of: fn(&stepscope::analyze::DeviceTime) -> Nanos| {
            let both = times.map(of);
            let share = |part: Nanos, whole: Nanos| with_share(part, part.ratio_of(whole));
            vec![
                format!("device {}: {name}", times.b.device),
                share(both.a, times.a.window),
                share(both.b, times.b.window),
                duration_change(both.b - both.a),
            ]
        };
        [
            row("window", |time| time.window),
            row("busy", |time| time.busy),
            row("idle", |time| time.idle),
            row("compute", |time| time.compute),
            row("communication", |time| time.communication),
            row("overlap", |time| time.overlap),
            row("exposed communication", |time| time.exposed_communication),
            row("exposed copies", |time| time.exposed_memcpy),
            row("exposed sets", |time| time.exposed_memset),
        ]
    });
    Grid::new("Device time", heads, rows)
}

fn changes(rank: &Rank, comparison: &RangeComparison<'_>) -> Grid {
    let rows: Vec<usize> = (0..comparison.rows.len()).collect();
    Grid::of("Slices by name, the largest change first", &Table::of::<RangeChangeTable>(&rows, comparison), units(rank))
}
