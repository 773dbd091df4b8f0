//! The rows of the timeline, for the page: content and owner of each.

use crate::wire::{TimelineReport, TimelineRowReport};
use stepscope_analyze::Rank;
use stepscope_present::timeline::{RowKind, Timeline, TimelineRow, only_group};
use stepscope_trace::{Layer, RawId, Trace, Track, TrackId};

impl TimelineReport {
    /// The rows of a timeline of some ranks.
    pub(super) fn of(timeline: &Timeline, ranks: &[Rank]) -> Self {
        let row = |(index, row): (usize, &TimelineRow)| {
            let report = TimelineRowReport::of(&ranks[row.rank], row, timeline.lanes(index));
            TimelineRowReport {
                slot_ns: timeline.slot(ranks, index).map(|slot| slot.0),
                slices: timeline.slices_of_layer(index).or(report.slices),
                ..report
            }
        };
        Self {
            end_ns: timeline.span(ranks).end.0,
            shifts_ns: (0..ranks.len()).map(|rank| timeline.shift(rank).0).collect(),
            rows: timeline.rows().iter().enumerate().map(row).collect(),
        }
    }
}

impl TimelineRowReport {
    fn of(rank: &Rank, row: &TimelineRow, lanes: Option<usize>) -> Self {
        let (trace, analysis) = (&rank.trace, &rank.analysis);
        let text = |name| trace.strings.get(name).to_owned();
        let report = Self { rank: row.rank, lanes, ..Self::default() };
        match row.kind {
            RowKind::Steps => Self { kind: "steps", ..report },
            RowKind::Doing(place) => {
                Self { kind: "doing", device: analysis.devices.get(place).map(|report| report.time.device), ..report }
            }
            RowKind::Overlap(place, part) => {
                let device = analysis.devices.get(place).map(|report| report.time.device);
                Self { kind: "overlap", device, part: part.name(), ..report }
            }
            RowKind::Share(place, part) => {
                let device = analysis.devices.get(place).map(|report| report.time.device);
                Self { kind: "share", device, part: part.name(), unit: "share", ..report }
            }
            RowKind::Plane(device, group) => {
                Self { kind: "communication", device: Some(device), name: text(group), ..report }
            }
            RowKind::Track(id) => {
                let track = &trace.tracks[id.index()];
                Self { slices: Some(track.rows().len()), ..Self::of_track(trace, id, track.layer, report) }
            }
            RowKind::Layer(id, layer) => Self::of_track(trace, id, layer, report),
            RowKind::Queue(place) => {
                let on = analysis.queues.get(place).map(|queue| queue.stream);
                let (device, stream) = (on.map(|on| on.device), on.map(|on| on.stream));
                Self { kind: "queue", device, stream, ..report }
            }
            RowKind::Memory(device, reserved) => {
                Self { kind: "memory", device: device.map(i64::from), reserved, unit: "bytes", ..report }
            }
            RowKind::Counter(place) => {
                let counter = &trace.counters[place];
                let (name, series) = (trace.strings.get(counter.name), trace.strings.get(counter.series));
                let name = if series.is_empty() || series == name { name.to_owned() } else { [name, series].join(" ") };
                let process = Some((counter.process.0, trace.process_label(counter.process)));
                Self { kind: "counter", process, name, ..report }
            }
        }
    }

    /// A track, or a layer of it.
    fn of_track(trace: &Trace, id: TrackId, layer: Layer, report: Self) -> Self {
        let text = |name| trace.strings.get(name).to_owned();
        let track = &trace.tracks[id.index()];
        let place = |track: &Track| (track.process.0, trace.process_label(track.process));
        let thread = match track.thread {
            RawId::Number(number) => number.to_string(),
            RawId::Text(name) => text(name),
        };
        Self {
            kind: if track.stream.is_some() { "stream" } else { "thread" },
            device: track.stream.map(|on| on.device),
            stream: track.stream.map(|on| on.stream),
            layer: layer.name(),
            process: track.stream.is_none().then(|| place(track)),
            thread: track.stream.is_none().then_some(thread),
            name: text(track.name),
            group: track.stream.and_then(|_| only_group(trace, track)).map(text),
            track: Some(id.0),
            ..report
        }
    }
}
