//! The trace's own events, part by part: threads and streams with their slices, flows, memory events, instants, counters.

use std::{io, vec};

use super::args;
use super::cut::inside;
use super::flows::{Flows, Launches};
use super::lanes::Lanes;
use super::rows::{ExportRow, FastMap, Processes, Rows, processes, rows, thread_name};
use super::text::Out;
use super::thread_ids::ThreadIds;
use stepscope_analyze::Rank;
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{CategoryKind, EventId, Layer, NameId, ProcessId, RawId, Sample, Trace, Track, TrackId};

/// Progress of writing a rank's events.
#[derive(Debug)]
pub(super) struct Events {
    processes: Processes,
    kinds: Vec<CategoryKind>,
    /// The number of slices written.
    slices: usize,
    place_of: Vec<ThreadIds>,
    place_of_thread: FastMap<(ProcessId, RawId), ThreadIds>,
    /// Whether it is the only rank: then flows keep the file's ids.
    is_single: bool,
    /// Whether only some tracks are written.
    is_part: bool,
    stage: Stage,
}

/// The part that is being written.
#[derive(Debug)]
enum Stage {
    /// A row's slices, and the rows after it.
    Slices(Option<Begun>, vec::IntoIter<ExportRow>),
    Launches(Launches),
    Flows(Flows),
    /// Memory events, from an index on.
    Memory(usize),
    /// Instants, from an index on.
    Instants(usize),
    /// Samples of a counter, by its index.
    Samples(usize, Option<vec::IntoIter<Sample>>),
    Done,
}

/// A row that is being written.
#[derive(Debug)]
struct Begun {
    row: ExportRow,
    events: vec::IntoIter<EventId>,
    lanes: Lanes,
    places: Vec<ThreadIds>,
}

impl Events {
    /// Begins a rank, or some of its tracks, and writes its processes.
    pub(super) fn begin(
        out: &mut Out<'_>,
        rows: &mut Rows,
        rank: &Rank,
        (is_single, tracks): (bool, Option<&[TrackId]>),
    ) -> io::Result<Self> {
        let trace = &rank.trace;
        let processes = processes(out, rows, rank)?;
        let kind = |name: &NameId| CategoryKind::of(trace.strings.get(*name).as_bytes());
        let is_chosen = |track: TrackId| tracks.is_none_or(|tracks| tracks.contains(&track));
        let split = self::rows(trace, &processes, &is_chosen);
        Ok(Self {
            processes,
            kinds: trace.categories.iter().map(kind).collect(),
            slices: 0,
            place_of: vec![ThreadIds::NONE; trace.slices.len()],
            place_of_thread: FastMap::default(),
            is_single,
            is_part: tracks.is_some(),
            stage: Stage::Slices(None, split.into_iter()),
        })
    }

    /// Writes until `out` has `most` bytes; returns whether all is written.
    pub(super) fn go_on(&mut self, out: &mut Out<'_>, rows: &mut Rows, rank: &Rank, most: usize) -> io::Result<bool> {
        let trace = &rank.trace;
        while out.sent() < most {
            let next = match &mut self.stage {
                Stage::Slices(Some(begun), waiting) => {
                    let context = (trace, self.kinds.as_slice());
                    let left = begun.events.len();
                    let done = begun.go_on(out, rows, context, &mut self.place_of, &mut self.place_of_thread, most)?;
                    self.slices += left - begun.events.len();
                    done.then(|| Stage::Slices(None, std::mem::take(waiting)))
                }
                Stage::Slices(None, waiting) => Some(match waiting.next() {
                    Some(row) => Stage::Slices(Some(Begun::of(row, out, trace)), std::mem::take(waiting)),
                    None => Stage::Launches(Launches::of(trace)),
                }),
                Stage::Launches(launches) => {
                    let done = launches.go_on(out, rows, trace, (&self.place_of, self.is_single), most)?;
                    done.then(|| Stage::Flows(Flows::of(trace)))
                }
                Stage::Flows(flows) => {
                    let done = flows.go_on(out, rows, trace, &self.place_of, most)?;
                    done.then_some(if self.is_part { Stage::Done } else { Stage::Memory(0) })
                }
                Stage::Memory(at) => {
                    let at = *at;
                    Some(self.memory(out, rows, trace, at)?)
                }
                Stage::Instants(at) => {
                    let at = *at;
                    Some(self.instant(out, rows, trace, at)?)
                }
                Stage::Samples(counter, Some(samples)) => {
                    let counter = *counter;
                    match samples.next() {
                        Some(sample) => self.sample(out, trace, counter, sample).map(|()| None)?,
                        None => Some(Stage::Samples(counter + 1, None)),
                    }
                }
                Stage::Samples(counter, None) => Some(match trace.counters.get(*counter) {
                    Some(found) => {
                        let mut samples = written(&found.samples, out.span());
                        samples.retain(|sample| out.is_in_parts(sample.at));
                        Stage::Samples(*counter, Some(samples.into_iter()))
                    }
                    None => Stage::Done,
                }),
                Stage::Done => return Ok(true),
            };
            if let Some(next) = next {
                self.stage = next;
            }
        }
        Ok(matches!(self.stage, Stage::Done))
    }

    /// The share written, roughly, from 0 to 1: slices are most of a trace, flows most of the rest.
    pub(super) fn share(&self) -> f64 {
        const SLICES: f64 = 0.75;
        match &self.stage {
            Stage::Slices(..) => SLICES * self.slices as f64 / self.place_of.len().max(1) as f64,
            Stage::Launches(_) => SLICES,
            Stage::Flows(_) => 0.9,
            _ => 0.95,
        }
    }

    fn memory(&mut self, out: &mut Out<'_>, rows: &mut Rows, trace: &Trace, at: usize) -> io::Result<Stage> {
        let Some(event) = trace.memory.get(at) else { return Ok(Stage::Instants(0)) };
        if out.has(event.at) {
            let place = self.place(out, rows, trace, event.track)?;
            out.begin("i", "[memory]", place);
            out.category("cpu_instant_event");
            out.raw(",\"s\":\"t\"");
            out.at(event.at);
            args::of_memory(out, event);
            out.written.instants += 1;
            out.end()?;
        }
        Ok(Stage::Memory(at + 1))
    }

    fn instant(&mut self, out: &mut Out<'_>, rows: &mut Rows, trace: &Trace, at: usize) -> io::Result<Stage> {
        let Some(instant) = trace.instants.get(at) else { return Ok(Stage::Samples(0, None)) };
        if out.has(instant.at) {
            let place = self.place(out, rows, trace, instant.track)?;
            out.begin("i", trace.strings.get(instant.name), place);
            out.raw(",\"s\":\"t\"");
            out.at(instant.at);
            args::of_instant(out, trace, at);
            out.written.instants += 1;
            out.end()?;
        }
        Ok(Stage::Instants(at + 1))
    }

    fn sample(&self, out: &mut Out<'_>, trace: &Trace, counter: usize, sample: Sample) -> io::Result<()> {
        let counter = &trace.counters[counter];
        let process = self.processes.host(counter.process);
        out.begin("C", trace.strings.get(counter.name), ThreadIds { process, thread: process });
        out.at(sample.at);
        out.raw(",\"args\":{");
        out.string(trace.strings.get(counter.series));
        out.raw(":");
        out.number(sample.value);
        out.raw("}");
        out.written.samples += 1;
        out.end()
    }

    /// The lane of a point in time: its thread's first.
    fn place(&mut self, out: &mut Out<'_>, rows: &mut Rows, trace: &Trace, track: TrackId) -> io::Result<ThreadIds> {
        let track = &trace.tracks[track.index()];
        let thread = (track.process, track.thread);
        if let Some(place) = self.place_of_thread.get(&thread) {
            return Ok(*place);
        }
        let process = self.processes.host(track.process);
        let place = rows.lane_of(out, process, &thread_name(trace, track.thread), trace, track)?;
        self.place_of_thread.insert(thread, place);
        Ok(place)
    }
}

/// A counter's samples in a range of time, starting with the value at its start.
fn written(samples: &[Sample], span: Option<Interval>) -> Vec<Sample> {
    let span = span.unwrap_or(Interval::new(Nanos::MIN, Nanos::MAX));
    let first = samples.partition_point(|sample| sample.at < span.start);
    let held = first.checked_sub(1).filter(|_| samples.get(first).is_none_or(|sample| sample.at > span.start));
    let held = held.map(|before| Sample { at: span.start, ..samples[before] });
    let last = samples.partition_point(|sample| sample.at < span.end).max(first);
    held.into_iter().chain(samples[first..last].iter().copied()).collect()
}

impl Begun {
    fn of(row: ExportRow, out: &Out<'_>, trace: &Trace) -> Self {
        let tracks = || row.tracks.iter().map(|track| &trace.tracks[track.index()]);
        let touching = tracks().flat_map(|track: &Track| trace.touching(track, out.span()));
        let mut events: Vec<EventId> = touching.filter(|id| out.is_in_parts(trace.slices.start(*id))).collect();
        if row.tracks.len() > 1 || out.span().is_some() {
            // At equal spans a Python frame is outside the operator it calls.
            let outside = |id: &EventId| trace.tracks[trace.slices.track(*id).index()].layer != Layer::Python;
            events.compact_sort_by_key(|id| {
                let Interval { start, end } = inside(out, trace, *id);
                (start, std::cmp::Reverse(end), outside(id), *id)
            });
        }
        let lanes = Lanes::new(row.sharing);
        Self { row, events: events.into_iter(), lanes, places: Vec::new() }
    }

    /// Writes until `out` has `most` bytes; returns whether all is written.
    fn go_on(
        &mut self,
        out: &mut Out<'_>,
        rows: &mut Rows,
        (trace, kinds): (&Trace, &[CategoryKind]),
        place_of: &mut [ThreadIds],
        place_of_thread: &mut FastMap<(ProcessId, RawId), ThreadIds>,
        most: usize,
    ) -> io::Result<bool> {
        let Self { row, events, lanes, places } = self;
        while out.sent() < most {
            let Some(id) = events.next() else { return Ok(true) };
            let lane = lanes.place(inside(out, trace, id));
            while places.len() < lanes.len() {
                let name =
                    if places.is_empty() { row.name.clone() } else { format!("{} ({})", row.name, places.len() + 1) };
                let track = &trace.tracks[row.tracks[0].index()];
                let place = rows.lane_of(out, row.process, &name, trace, track)?;
                if track.layer != Layer::Async {
                    place_of_thread.entry((track.process, track.thread)).or_insert(place);
                }
                places.push(place);
            }
            place_of[id.index()] = places[lane];
            slice(out, (trace, kinds), id, places[lane])?;
        }
        Ok(false)
    }
}

fn slice(
    out: &mut Out<'_>,
    (trace, kinds): (&Trace, &[CategoryKind]),
    id: EventId,
    place: ThreadIds,
) -> io::Result<()> {
    out.begin("X", trace.name_of(id), place);
    out.is_slice(id);
    out.category(trace.category_of(id));
    out.lasts(inside(out, trace, id));
    args::of_slice(out, trace, kinds, id);
    out.written.slices += 1;
    out.end()
}
