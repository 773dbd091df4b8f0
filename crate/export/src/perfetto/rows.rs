//! The export's processes and rows, as the trace's threads and streams make them.

use std::io;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::lanes::Sharing;
use super::text::{Metadata, Out};
use super::thread_ids::ThreadIds;
use stepscope_analyze::Rank;
use stepscope_base::Interval;
use stepscope_trace::{Layer, Process, ProcessId, RawId, Trace, Track, TrackId};

pub(super) type FastMap<K, V> = HashMap<K, V, FxBuildHasher>;

/// The first number of threads, so that none has its process's number.
const FIRST_THREAD: u32 = 100_000;

/// The export's processes and lanes, over all ranks of a file.
#[derive(Debug, Default)]
pub(super) struct Rows {
    processes: u32,
    threads: u32,
    flows: u64,
    first_sort_index: i64,
    ranks: u32,
    /// The traces' processes, as JSON.
    origins: Vec<String>,
    /// Per lane, the trace's process and thread that it shows, if any, as JSON.
    lanes: Vec<String>,
}

impl Rows {
    /// Begins another rank, with its processes after those of the previous ranks.
    pub(super) fn next_rank(&mut self) {
        self.first_sort_index += 10_000;
        self.ranks += 1;
    }

    /// A new process.
    pub(super) fn process(&mut self, out: &mut Out<'_>, name: &str, sort_index: i64) -> io::Result<u32> {
        self.processes += 1;
        let place = ThreadIds { process: self.processes, thread: self.processes };
        out.metadata("process_name", place, Metadata::Name(name))?;
        out.metadata(
            "process_sort_index",
            place,
            Metadata::SortIndex(self.first_sort_index.saturating_add(sort_index)),
        )?;
        Ok(self.processes)
    }

    /// A new lane of a process.
    pub(super) fn lane(&mut self, out: &mut Out<'_>, process: u32, name: &str) -> io::Result<ThreadIds> {
        let place = ThreadIds { process, thread: FIRST_THREAD + self.threads };
        self.threads += 1;
        out.metadata("thread_name", place, Metadata::Name(name))?;
        out.metadata("thread_sort_index", place, Metadata::SortIndex(i64::from(self.threads)))?;
        Ok(place)
    }

    /// A new lane of a process that shows a track of the trace.
    pub(super) fn lane_of(
        &mut self,
        out: &mut Out<'_>,
        shown: u32,
        name: &str,
        trace: &Trace,
        track: &Track,
    ) -> io::Result<ThreadIds> {
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

    /// An id for a flow of this tool.
    pub(super) fn flow(&mut self) -> u64 {
        self.flows += 1;
        self.flows
    }

    /// Writes the member that maps processes and lanes to those of the trace.
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

/// A row of the export before it is split into lanes: all layers of a thread, or one layer of a stream.
#[derive(Debug)]
pub(super) struct ExportRow {
    pub(super) process: u32,
    pub(super) name: String,
    pub(super) tracks: Vec<TrackId>,
    pub(super) sharing: Sharing,
}

/// The export's process of each host process and device.
#[derive(Debug)]
pub(super) struct Processes {
    hosts: FastMap<ProcessId, u32>,
    devices: FastMap<i64, u32>,
}

impl Processes {
    /// The export's process for a host process.
    pub(super) fn host(&self, process: ProcessId) -> u32 {
        self.hosts.get(&process).copied().unwrap_or_default()
    }
}

/// Writes the processes of a rank.
pub(super) fn processes(out: &mut Out<'_>, rows: &mut Rows, rank: &Rank) -> io::Result<Processes> {
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

/// Writes a process of the host once.
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
    // The profiler's own processes have text ids, and come last.
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

pub(super) fn thread_name(trace: &Trace, id: RawId) -> String {
    format!("thread {}", id_text(trace, id)).trim_end().to_owned()
}

fn id_json(trace: &Trace, id: RawId) -> String {
    match id {
        RawId::Number(number) => number.to_string(),
        RawId::Text(text) => serde_json::Value::from(trace.strings.get(text)).to_string(),
    }
}

/// The rows: the layers of a host thread share one, since frames, operators and calls nest.
pub(super) fn rows(trace: &Trace, processes: &Processes, is_chosen: &dyn Fn(TrackId) -> bool) -> Vec<ExportRow> {
    let mut rows: Vec<ExportRow> = Vec::new();
    let mut row_of_thread: FastMap<(ProcessId, RawId), usize> = FastMap::default();
    let tracks = trace.tracks.iter().enumerate().map(|(index, track)| (TrackId::from_index(index), track));
    for (id, track) in tracks.filter(|(id, track)| is_chosen(*id) && !track.rows().is_empty()) {
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
            rows.push(ExportRow { process, name: format!("{name}{kind}"), tracks: vec![id], sharing });
            continue;
        }
        if track.layer == Layer::Async {
            let process = processes.host(track.process);
            let name = id_text(trace, track.thread);
            rows.push(ExportRow { process, name, tracks: vec![id], sharing: Sharing::Nested });
            continue;
        }
        let thread = (track.process, track.thread);
        if let Some(row) = row_of_thread.get(&thread) {
            rows[*row].tracks.push(id);
            continue;
        }
        row_of_thread.insert(thread, rows.len());
        let name = if given.is_empty() { thread_name(trace, track.thread) } else { given.to_owned() };
        let process = processes.host(track.process);
        rows.push(ExportRow { process, name, tracks: vec![id], sharing: Sharing::Nested });
    }
    rows
}
