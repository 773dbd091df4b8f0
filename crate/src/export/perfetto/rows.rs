//! The trace's own events: threads and streams with their slices, arrows, counters, marks.

use std::io;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::args;
use super::computed::CATEGORY;
use super::lanes::{Lanes, Sharing};
use super::text::{Metadata, Out, Place};
use crate::sort::CompactSort;
use crate::summary::Rank;
use crate::trace::{
    Activity, CategoryKind, EventId, Layer, NameId, Process, ProcessId, RawId, Sample, Trace, Track, TrackId,
};
use crate::units::{Interval, Nanos};

type FastMap<K, V> = HashMap<K, V, FxBuildHasher>;

/// Threads are numbered from here on, so that none has its process's number.
const FIRST_THREAD: u32 = 100_000;

/// The export's processes and lanes, over all ranks of a file.
#[derive(Debug, Default)]
pub(super) struct Rows {
    processes: u32,
    threads: u32,
    arrows: u64,
    first_sort_index: i64,
    ranks: u32,
    /// The traces' processes, as JSON.
    origins: Vec<String>,
    /// Which process and thread of the trace each lane holds, where it came from one, as JSON.
    lanes: Vec<String>,
}

impl Rows {
    /// Another rank: its processes come behind those before.
    pub(super) fn next_rank(&mut self) {
        self.first_sort_index += 10_000;
        self.ranks += 1;
    }

    /// A new process.
    pub(super) fn process(&mut self, out: &mut Out<'_>, name: &str, sort_index: i64) -> io::Result<u32> {
        self.processes += 1;
        let place = Place { process: self.processes, thread: self.processes };
        out.metadata("process_name", place, Metadata::Name(name))?;
        out.metadata(
            "process_sort_index",
            place,
            Metadata::SortIndex(self.first_sort_index.saturating_add(sort_index)),
        )?;
        Ok(self.processes)
    }

    /// A new lane of a process.
    pub(super) fn lane(&mut self, out: &mut Out<'_>, process: u32, name: &str) -> io::Result<Place> {
        let place = Place { process, thread: FIRST_THREAD + self.threads };
        self.threads += 1;
        out.metadata("thread_name", place, Metadata::Name(name))?;
        out.metadata("thread_sort_index", place, Metadata::SortIndex(i64::from(self.threads)))?;
        Ok(place)
    }

    /// A new lane of a process, for a track of the trace.
    fn lane_of(
        &mut self,
        out: &mut Out<'_>,
        shown: u32,
        name: &str,
        trace: &Trace,
        track: &Track,
    ) -> io::Result<Place> {
        let place = self.lane(out, shown, name)?;
        let process = id_json(trace, trace.processes[track.process.index()].id);
        let thread = id_json(trace, track.thread);
        let given = serde_json::Value::from(trace.strings.get(track.name));
        self.lanes.push(format!(
            "{{\"pid\":{},\"tid\":{},\"process\":{process},\"thread\":{thread},\"name\":{given},\"sort_index\":{}}}",
            place.process, place.thread, track.sort_index
        ));
        Ok(place)
    }

    fn arrow(&mut self) -> u64 {
        self.arrows += 1;
        self.arrows
    }

    /// The member that says where processes and lanes came from.
    pub(super) fn write_lanes(&self, out: &mut Out<'_>, span: Option<Interval>) {
        out.raw("{\"schema\":\"stepscope.export/1\",");
        if let Some(Interval { start, end }) = span {
            out.raw(&format!("\"range_ns\":[{},{}],", start.0, end.0));
        }
        if self.ranks > 1 {
            out.raw(&format!("\"ranks\":{},", self.ranks));
        }
        out.raw("\"processes\":");
        list(out, &self.origins);
        out.raw(",\n\"lanes\":");
        list(out, &self.lanes);
        out.raw("}");
    }
}

/// A list of JSON, each on a line of its own.
fn list(out: &mut Out<'_>, items: &[String]) {
    out.raw("[");
    for (index, item) in items.iter().enumerate() {
        out.raw(if index == 0 { "\n" } else { ",\n" });
        out.raw(item);
    }
    out.raw("]");
}

/// A row of the export before it is split into lanes: all layers of a thread, or one of a stream.
struct Row<'a> {
    process: u32,
    name: String,
    tracks: Vec<&'a Track>,
    sharing: Sharing,
}

/// Writes all events of a rank, or those of some tracks. Arrows keep the file's ids if it is the only rank.
pub(super) fn write(
    out: &mut Out<'_>,
    rows: &mut Rows,
    rank: &Rank,
    (only, tracks): (bool, Option<&[TrackId]>),
) -> io::Result<()> {
    let trace = &rank.trace;
    let processes = processes(out, rows, rank)?;
    let kind = |name: &NameId| CategoryKind::of(trace.strings.get(*name).as_bytes());
    let kinds: Vec<CategoryKind> = trace.categories.iter().map(kind).collect();
    let mut place_of = vec![Place::NONE; trace.slices.len()];
    let mut place_of_thread: FastMap<(ProcessId, RawId), Place> = FastMap::default();
    let is_chosen = |track: TrackId| tracks.is_none_or(|tracks| tracks.contains(&track));
    for row in self::rows(trace, &processes, &is_chosen) {
        write_row(out, rows, (trace, &kinds), &row, &mut place_of, &mut place_of_thread)?;
    }
    launches(out, rows, trace, &place_of, only)?;
    arrows(out, rows, trace, &place_of)?;
    if tracks.is_some() {
        return Ok(());
    }
    points(out, rows, rank, &processes, &mut place_of_thread)
}

/// The export's process of each host process and device.
struct Processes {
    hosts: FastMap<ProcessId, u32>,
    devices: FastMap<i64, u32>,
}

fn processes(out: &mut Out<'_>, rows: &mut Rows, rank: &Rank) -> io::Result<Processes> {
    let trace = &rank.trace;
    let prefix = rank.rank.map_or_else(String::new, |rank| format!("rank {rank} "));
    let mut found = Processes { hosts: FastMap::default(), devices: FastMap::default() };
    for track in &trace.tracks {
        match track.stream {
            Some(stream) => {
                if !found.devices.contains_key(&stream.device) {
                    let model = trace.meta.devices.iter().find(|device| device.id == stream.device);
                    let model = model.map_or("", |device| device.name.as_str());
                    let name = format!("{prefix}device {} {model}", stream.device);
                    let process = rows.process(out, name.trim_end(), stream.device.saturating_add(100))?;
                    found.devices.insert(stream.device, process);
                }
            }
            None => host(out, rows, trace, &prefix, &mut found, track.process)?,
        }
    }
    for counter in &trace.counters {
        host(out, rows, trace, &prefix, &mut found, counter.process)?;
    }
    for (index, record) in trace.processes.iter().enumerate() {
        let shown = found.hosts.get(&ProcessId::from_index(index));
        rows.origins.push(origin(trace, record, shown.copied()));
    }
    Ok(found)
}

/// Shows a process of the host, if it is not shown yet.
fn host(
    out: &mut Out<'_>,
    rows: &mut Rows,
    trace: &Trace,
    prefix: &str,
    found: &mut Processes,
    process: ProcessId,
) -> io::Result<()> {
    if found.hosts.contains_key(&process) {
        return Ok(());
    }
    let record = &trace.processes[process.index()];
    let name = [trace.strings.get(record.name), &id_text(trace, record.id)].join(" ");
    // The profiler's own rows have texts for ids, and come last.
    let (name, sort_index) = match (name.trim(), record.id) {
        ("", _) => ("unnamed process", 1000),
        (name, RawId::Text(_)) => (name, 1000),
        (name, RawId::Number(_)) => (name, 10),
    };
    let shown = rows.process(out, &format!("{prefix}{name}"), sort_index)?;
    found.hosts.insert(process, shown);
    Ok(())
}

/// A process of the trace and the number under which the export shows it, as JSON.
fn origin(trace: &Trace, record: &Process, shown: Option<u32>) -> String {
    let text = |name| serde_json::Value::from(trace.strings.get(name));
    let shown = shown.map_or_else(String::new, |shown| format!("\"pid\":{shown},"));
    let id = id_json(trace, record.id);
    let (name, labels) = (text(record.name), text(record.labels));
    format!("{{{shown}\"process\":{id},\"name\":{name},\"labels\":{labels},\"sort_index\":{}}}", record.sort_index)
}

fn id_text(trace: &Trace, id: RawId) -> String {
    match id {
        RawId::Number(number) => number.to_string(),
        RawId::Text(text) => trace.strings.get(text).to_owned(),
    }
}

fn thread_name(trace: &Trace, id: RawId) -> String {
    format!("thread {}", id_text(trace, id)).trim_end().to_owned()
}

fn id_json(trace: &Trace, id: RawId) -> String {
    match id {
        RawId::Number(number) => number.to_string(),
        RawId::Text(text) => serde_json::Value::from(trace.strings.get(text)).to_string(),
    }
}

/// The rows: the layers of a host thread share one, since frames, operators and calls nest.
fn rows<'a>(trace: &'a Trace, processes: &Processes, is_chosen: &dyn Fn(TrackId) -> bool) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    let mut row_of_thread: FastMap<(ProcessId, RawId), usize> = FastMap::default();
    let tracks = trace.tracks.iter().enumerate().filter(|(index, _)| is_chosen(TrackId::from_index(*index)));
    for (_, track) in tracks.filter(|(_, track)| !track.rows().is_empty()) {
        let given = trace.strings.get(track.name).trim();
        if let Some(stream) = track.stream {
            let kind = match track.layer {
                Layer::DeviceAnnotation => " annotations",
                Layer::DeviceSync => " synchronization",
                _ => "",
            };
            let name = if given.is_empty() { format!("stream {}", stream.stream) } else { given.to_owned() };
            let process = processes.devices.get(&stream.device).copied().unwrap_or_default();
            let sharing = if track.layer == Layer::Device { Sharing::Flat } else { Sharing::Nested };
            rows.push(Row { process, name: format!("{name}{kind}"), tracks: vec![track], sharing });
            continue;
        }
        if track.layer == Layer::Async {
            let process = processes.hosts.get(&track.process).copied().unwrap_or_default();
            let name = id_text(trace, track.thread);
            rows.push(Row { process, name, tracks: vec![track], sharing: Sharing::Nested });
            continue;
        }
        let thread = (track.process, track.thread);
        if let Some(row) = row_of_thread.get(&thread) {
            rows[*row].tracks.push(track);
            continue;
        }
        row_of_thread.insert(thread, rows.len());
        let name = if given.is_empty() { thread_name(trace, track.thread) } else { given.to_owned() };
        let process = processes.hosts.get(&track.process).copied().unwrap_or_default();
        rows.push(Row { process, name, tracks: vec![track], sharing: Sharing::Nested });
    }
    rows
}

fn write_row(
    out: &mut Out<'_>,
    rows: &mut Rows,
    (trace, kinds): (&Trace, &[CategoryKind]),
    row: &Row<'_>,
    place_of: &mut [Place],
    place_of_thread: &mut FastMap<(ProcessId, RawId), Place>,
) -> io::Result<()> {
    let mut events: Vec<EventId> = row.tracks.iter().flat_map(|track| trace.touching(track, out.span())).collect();
    let inside = |out: &Out<'_>, id: EventId| {
        let whole = trace.slices.interval(id);
        out.cut(whole).unwrap_or(whole)
    };
    if row.tracks.len() > 1 || out.span().is_some() {
        // At equal spans a Python frame is outside the operator it calls.
        let outside = |id: &EventId| trace.tracks[trace.slices.track(*id).index()].layer != Layer::Python;
        events.compact_sort_by_key(|id| {
            let Interval { start, end } = inside(out, *id);
            (start, std::cmp::Reverse(end), outside(id), *id)
        });
    }
    let mut lanes = Lanes::new(row.sharing);
    let mut places: Vec<Place> = Vec::new();
    for id in events {
        let lane = lanes.place(inside(out, id));
        while places.len() < lanes.len() {
            let name =
                if places.is_empty() { row.name.clone() } else { format!("{} ({})", row.name, places.len() + 1) };
            let track = row.tracks[0];
            let place = rows.lane_of(out, row.process, &name, trace, track)?;
            if track.layer != Layer::Async {
                place_of_thread.entry((track.process, track.thread)).or_insert(place);
            }
            places.push(place);
        }
        place_of[id.index()] = places[lane];
        slice(out, (trace, kinds), id, places[lane])?;
    }
    Ok(())
}

fn slice(out: &mut Out<'_>, (trace, kinds): (&Trace, &[CategoryKind]), id: EventId, place: Place) -> io::Result<()> {
    out.begin("X", trace.name_of(id), place);
    out.is_slice(id);
    out.category(trace.category_of(id));
    let whole = trace.slices.interval(id);
    let inside = out.cut(whole).unwrap_or(whole);
    out.lasts(inside);
    args::of_slice(out, trace, kinds, id);
    out.written.slices += 1;
    out.end()
}

/// Arrows from calls to what they launched.
///
/// Where the file had an arrow `ac2g`, so has the export, with the correlation as id; other launches,
/// known from correlations alone, are arrows of our own.
fn launches(out: &mut Out<'_>, rows: &mut Rows, trace: &Trace, place_of: &[Place], only: bool) -> io::Result<()> {
    let mut by_call: Vec<&Activity> =
        trace.activities.iter().filter(|activity| activity.call.get().is_some()).collect();
    by_call.compact_sort_by_key(|activity| (activity.call, activity.has_flow, activity.event));
    for launched in by_call.chunk_by(|a, b| (a.call, a.has_flow) == (b.call, b.has_flow)) {
        let mut ends =
            launched.iter().map(|activity| activity.event).filter(|end| is_written(place_of, *end)).peekable();
        let Some(first) = launched.first().filter(|first| is_written(place_of, first.call) && ends.peek().is_some())
        else {
            continue;
        };
        let kind = if first.has_flow { ("ac2g", "ac2g") } else { (CATEGORY, "launch") };
        let id = if only && first.has_flow { u64::from(first.correlation) } else { rows.arrow() };
        arrow(out, trace, place_of, kind, id, first.call, ends)?;
    }
    Ok(())
}

fn arrows(out: &mut Out<'_>, rows: &mut Rows, trace: &Trace, place_of: &[Place]) -> io::Result<()> {
    let mut flows = trace.flows.clone();
    // Those of a kind stay sorted by the slices that they join.
    flows.compact_sort_by_key(|flow| flow.kind);
    for same in flows.chunk_by(|a, b| (a.kind, a.from) == (b.kind, b.from)) {
        let mut ends = same.iter().map(|flow| flow.to).filter(|end| is_written(place_of, *end)).peekable();
        if let Some(first) = same.first().filter(|first| is_written(place_of, first.from) && ends.peek().is_some()) {
            let kind = trace.strings.get(first.kind);
            arrow(out, trace, place_of, (kind, kind), rows.arrow(), first.from, ends)?;
        }
    }
    Ok(())
}

/// Whether a slice is in the part of the time that is written.
fn is_written(place_of: &[Place], id: EventId) -> bool {
    place_of[id.index()] != Place::NONE
}

/// One arrow with one start and any number of ends; its kind is a category and a name.
fn arrow(
    out: &mut Out<'_>,
    trace: &Trace,
    place_of: &[Place],
    kind: (&str, &str),
    id: u64,
    from: EventId,
    ends: impl Iterator<Item = EventId>,
) -> io::Result<()> {
    if !out.has_arrow_events() {
        let span = |out: &Out<'_>, id: EventId| {
            let whole = trace.slices.interval(id);
            (id, out.cut(whole).unwrap_or(whole))
        };
        let from = span(out, from);
        for end in ends {
            let to = span(out, end);
            out.arrow(from, to);
        }
        return Ok(());
    }
    let mut point = |phase: &str, event: EventId, not_before: Nanos| {
        out.begin(phase, kind.1, place_of[event.index()]);
        out.category(kind.0);
        let whole = trace.slices.interval(event);
        let at = point_on_top(trace, event, out.cut(whole).unwrap_or(whole), not_before);
        out.at(at);
        out.raw(",\"id\":");
        out.number(id);
        if phase == "f" {
            out.raw(",\"bp\":\"e\"");
            out.written.flows += 1;
        }
        out.end().map(|()| at)
    };
    let start = point("s", from, Nanos::MIN)?;
    for end in ends {
        point("f", end, start)?;
    }
    Ok(())
}

/// A time at which what is written of a slice is the topmost of its lane: its start, unless a child starts there.
///
/// Perfetto loses an arrow that ends before it starts. One that reaches a slice which began earlier (who waits for a
/// batch began to wait before there was one) therefore ends within that slice, not before the arrow's start.
fn point_on_top(trace: &Trace, id: EventId, inside: Interval, not_before: Nanos) -> Nanos {
    let end = inside.end;
    let start = if not_before < end { inside.start.max(not_before) } else { inside.start };
    let mut at = start;
    let track = &trace.tracks[trace.slices.track(id).index()];
    for next in (id.index() + 1..track.rows().end).map(EventId::from_index) {
        let span = trace.slices.interval(next);
        if span.start > at || at >= end {
            break;
        }
        at = at.max(span.end).max(if span.is_empty() { span.start + Nanos(1) } else { at });
    }
    // Children without a gap leave no such time: the arrow then touches the first child.
    if at < end { at } else { start }
}

/// Memory events, marks and counters.
fn points(
    out: &mut Out<'_>,
    rows: &mut Rows,
    rank: &Rank,
    processes: &Processes,
    place_of_thread: &mut FastMap<(ProcessId, RawId), Place>,
) -> io::Result<()> {
    let trace = &rank.trace;
    let mut place = |out: &mut Out<'_>, rows: &mut Rows, track: &Track| -> io::Result<Place> {
        let thread = (track.process, track.thread);
        if let Some(place) = place_of_thread.get(&thread) {
            return Ok(*place);
        }
        let process = processes.hosts.get(&track.process).copied().unwrap_or_default();
        let place = rows.lane_of(out, process, &thread_name(trace, track.thread), trace, track)?;
        place_of_thread.insert(thread, place);
        Ok(place)
    };
    for event in &trace.memory {
        if !out.has(event.at) {
            continue;
        }
        let place = place(out, rows, &trace.tracks[event.track.index()])?;
        out.begin("i", "[memory]", place);
        out.category("cpu_instant_event");
        out.raw(",\"s\":\"t\"");
        out.at(event.at);
        args::of_memory(out, event);
        out.written.instants += 1;
        out.end()?;
    }
    for (index, mark) in trace.marks.iter().enumerate() {
        if !out.has(mark.at) {
            continue;
        }
        let place = place(out, rows, &trace.tracks[mark.track.index()])?;
        out.begin("i", trace.strings.get(mark.name), place);
        out.raw(",\"s\":\"t\"");
        out.at(mark.at);
        args::of_mark(out, trace, index);
        out.written.instants += 1;
        out.end()?;
    }
    for counter in &trace.counters {
        let process = processes.hosts.get(&counter.process).copied().unwrap_or_default();
        let samples = &counter.samples;
        let span = out.span().unwrap_or(Interval::new(Nanos::MIN, Nanos::MAX));
        let first = samples.partition_point(|sample| sample.at < span.start);
        // The value that holds when the part begins that is written.
        let held = first.checked_sub(1).filter(|_| samples.get(first).is_none_or(|sample| sample.at > span.start));
        let held = held.map(|before| Sample { at: span.start, ..samples[before] });
        let last = samples.partition_point(|sample| sample.at < span.end).max(first);
        for sample in held.into_iter().chain(samples[first..last].iter().copied()) {
            out.begin("C", trace.strings.get(counter.name), Place { process, thread: process });
            out.at(sample.at);
            out.raw(",\"args\":{");
            out.string(trace.strings.get(counter.series));
            out.raw(":");
            out.number(sample.value);
            out.raw("}");
            out.written.samples += 1;
            out.end()?;
        }
    }
    Ok(())
}
