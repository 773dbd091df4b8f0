//! A range of time, for the page and `stepscope summary --range --json`.

use schemars::JsonSchema;
use serde::Serialize;

use super::Named;
use super::idle::HostInGapReport;
use super::memory::MemoryLevelReport;
use super::selection::OverlapReport;
use super::table::{TableRows, rows_of};
use super::times::{ByCategory, DeviceTimeReport, PhaseReport, phases_of};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    CounterInSpan, MemoryInSpan, OverlapBar, RangeChangeTable, RangeConfig, RangeContext, RangeNameTable, RangeSums,
    compare_ranges, range,
};
use stepscope_table::Table;
use stepscope_trace::{Trace, TrackId};

/// Sums of a time range, and on request the difference to another range.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RangeReport {
    #[serde(flatten)]
    range: OneRangeReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<OneRangeReport>,
    /// Changes by name and class.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "rows_of::<RangeChangeTable>")]
    changes: Option<TableRows>,
}

impl RangeReport {
    /// The report of a rank's range, compared with another one if given.
    #[must_use]
    pub fn of(rank: &Rank, config: &RangeConfig, other: Option<&RangeConfig>) -> Self {
        let trace = &rank.trace;
        let found = range(trace, &rank.analysis, config);
        let other = other.map(|config| range(trace, &rank.analysis, config));
        let changes = other.as_ref().map(|other| {
            let comparison = compare_ranges((trace, other), (trace, &found));
            let rows: Vec<usize> = (0..comparison.rows.len()).collect();
            TableRows::of(Table::of::<RangeChangeTable>(&rows, &comparison))
        });
        Self {
            range: OneRangeReport::of(rank, &found),
            other: other.as_ref().map(|other| OneRangeReport::of(rank, other)),
            changes,
        }
    }
}

/// A rank's range, for the program.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RankRange {
    input: String,
    rank: Option<u64>,
    #[serde(flatten)]
    range: RangeReport,
}

impl RankRange {
    /// The report with the rank's file and number.
    #[must_use]
    pub fn of(rank: &Rank, config: &RangeConfig, other: Option<&RangeConfig>) -> Self {
        Self { input: rank.file.clone(), rank: rank.rank, range: RangeReport::of(rank, config, other) }
    }
}

/// A range of each rank: the output of `stepscope summary --range --json`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Ranges {
    schema: &'static str,
    ranks: Vec<RankRange>,
}

impl Ranges {
    /// The ranks' reports.
    #[must_use]
    pub fn of(ranks: Vec<RankRange>) -> Self {
        Self { schema: "stepscope.range/1", ranks }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct OneRangeReport {
    start_ns: i64,
    end_ns: i64,
    length_ns: i64,
    /// Sums of all slices in the range.
    slices: RangeSumsReport,
    #[schemars(schema_with = "rows_of::<RangeNameTable>")]
    names: TableRows,
    classes: Vec<RangeClassReport>,
    tracks: Vec<RangeTrackReport>,
    device_time: Vec<DeviceTimeReport>,
    overlap: Vec<OverlapReport>,
    #[serde(flatten)]
    by_category: ByCategory,
    phases: Named<PhaseReport>,
    hosts: Vec<RangeHostReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    memory: Vec<RangeMemoryReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counters: Vec<RangeCounterReport>,
}

impl OneRangeReport {
    fn of(rank: &Rank, found: &stepscope_analyze::RangeReport) -> Self {
        let trace = &rank.trace;
        let length = found.span.len();
        let names = Table::of::<RangeNameTable>(&found.names, &RangeContext { trace, length });
        let classes = found.classes.iter().map(|(class, sums)| RangeClassReport {
            class: class.name(),
            share: sums.union.ratio_of(length),
            sums: RangeSumsReport::of(sums),
        });
        let tracks = found.tracks.iter().map(|(track, sums)| RangeTrackReport {
            place: RangePlaceReport::of(trace, *track),
            busy_share: sums.union.ratio_of(length),
            sums: RangeSumsReport::of(sums),
        });
        let hosts = found.hosts.iter().map(|(track, host)| RangeHostReport {
            place: RangePlaceReport::of(trace, *track),
            host: HostInGapReport::of(trace, host),
        });
        Self {
            start_ns: found.span.start.0,
            end_ns: found.span.end.0,
            length_ns: length.0,
            slices: RangeSumsReport::of(&found.whole),
            names: TableRows::of(names),
            classes: classes.collect(),
            tracks: tracks.collect(),
            device_time: found.devices.iter().map(DeviceTimeReport::of).collect(),
            overlap: found.devices.iter().map(|time| OverlapReport::of(&OverlapBar::of(time))).collect(),
            by_category: ByCategory::of(&found.categories, &found.categories_before_first),
            phases: phases_of(&found.phases),
            hosts: hosts.collect(),
            memory: found.memory.iter().map(RangeMemoryReport::of).collect(),
            counters: found.counters.iter().map(RangeCounterReport::of).collect(),
        }
    }
}

/// Sums over slices in the range.
#[derive(Debug, JsonSchema, Serialize)]
struct RangeSumsReport {
    count: u64,
    begun: u64,
    sum_ns: i64,
    union_ns: i64,
    self_ns: i64,
    mean_ns: i64,
    min_ns: i64,
    max_ns: i64,
    /// The longest slice; the first one of several.
    longest: Option<u32>,
}

impl RangeSumsReport {
    fn of(sums: &RangeSums) -> Self {
        Self {
            count: sums.slices,
            begun: sums.begun,
            sum_ns: sums.sum.0,
            union_ns: sums.union.0,
            self_ns: sums.own.0,
            mean_ns: sums.mean().0,
            min_ns: sums.shortest.0,
            max_ns: sums.longest.0,
            longest: sums.longest_slice.get().map(|id| id.0),
        }
    }
}

/// Sums over slices of a class in the range.
#[derive(Debug, JsonSchema, Serialize)]
struct RangeClassReport {
    class: &'static str,
    share: Option<f64>,
    #[serde(flatten)]
    sums: RangeSumsReport,
}

/// A thread or stream.
#[derive(Debug, JsonSchema, Serialize)]
struct RangePlaceReport {
    track: usize,
    layer: &'static str,
    /// Process and thread, or the name of the stream.
    thread: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<i64>,
}

impl RangePlaceReport {
    fn of(trace: &Trace, id: TrackId) -> Self {
        let track = &trace.tracks[id.index()];
        Self {
            track: id.index(),
            layer: track.layer.name(),
            thread: trace.place_label(track),
            device: track.stream.map(|stream| stream.device),
            stream: track.stream.map(|stream| stream.stream),
        }
    }
}

/// Sums over slices of a thread or stream in the range.
#[derive(Debug, JsonSchema, Serialize)]
struct RangeTrackReport {
    #[serde(flatten)]
    place: RangePlaceReport,
    /// `union_ns` as a share of the range.
    busy_share: Option<f64>,
    #[serde(flatten)]
    sums: RangeSumsReport,
}

/// Host activity of a launching thread in the range.
#[derive(Debug, JsonSchema, Serialize)]
struct RangeHostReport {
    #[serde(flatten)]
    place: RangePlaceReport,
    #[serde(flatten)]
    host: HostInGapReport,
}

#[derive(Debug, JsonSchema, Serialize)]
struct RangeMemoryReport {
    device: Option<u32>,
    allocations: u64,
    releases: u64,
    allocated_bytes: i64,
    released_bytes: i64,
    /// Allocated bytes at the end minus those at the start.
    change_bytes: i64,
    allocated: MemoryLevelReport,
    reserved: Option<MemoryLevelReport>,
}

impl RangeMemoryReport {
    fn of(place: &MemoryInSpan) -> Self {
        let MemoryInSpan { device, sums, allocated, reserved } = place;
        Self {
            device: *device,
            allocations: sums.allocations,
            releases: sums.releases,
            allocated_bytes: sums.allocated,
            released_bytes: sums.released,
            change_bytes: allocated.last.saturating_sub(allocated.first),
            allocated: MemoryLevelReport::of(allocated),
            reserved: reserved.as_ref().map(MemoryLevelReport::of),
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct RangeCounterReport {
    owner: String,
    name: String,
    samples: u64,
    mean: f64,
    min: f64,
    max: f64,
    last: f64,
}

impl RangeCounterReport {
    fn of(counter: &CounterInSpan) -> Self {
        let CounterInSpan { owner, name, samples, summary } = counter;
        let (owner, name) = (owner.clone(), name.clone());
        Self {
            owner,
            name,
            samples: *samples,
            mean: summary.mean,
            min: summary.min,
            max: summary.max,
            last: summary.last,
        }
    }
}
