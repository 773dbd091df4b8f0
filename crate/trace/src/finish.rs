//! Builds a trace from events in the order of the file: sorted, rebased, nested, linked.

use std::cmp::Reverse;

use super::builder::{FastMap, TraceBuilder};
use super::column::Column;
use super::details::Activity;
use super::ids::{EventId, NameId, ProcessId, TrackId};
use super::serial_set::SerialSet;
use super::slices::{NO_DETAIL, Slices};
use super::strings::Strings;
use super::tracks::{RawId, Track};
use super::{Trace, grids, link, nest, secrets};
use stepscope_base::{Code, CompactSort, Error, ErrorKind, Nanos, Warnings};

impl TraceBuilder {
    /// Sorts, nests, links and classifies the added events.
    ///
    /// # Errors
    ///
    /// Fails if there are more slices than [`super::EventId`] can identify, or if nothing was added.
    pub fn finish(self, warnings: &mut Warnings) -> Result<Trace, Error> {
        finish(self, warnings)
    }
}

/// Builds a trace from a builder's contents.
fn finish(mut builder: TraceBuilder, warnings: &mut Warnings) -> Result<Trace, Error> {
    let rows = builder.start.len();
    let points = builder.memory.len() + builder.counters.len() + builder.instants.len();
    if rows + points + builder.recorded.len() == 0 {
        return Err(Error::new(ErrorKind::NoEvents));
    }
    if rows >= u32::MAX as usize {
        return Err(Error::new(ErrorKind::TooManyEvents));
    }
    builder.extend_open_slices();
    name_tracks(&mut builder);
    let new_track = sort_tracks(&mut builder);
    let order = sort_rows(&mut builder, &new_track);
    let origin = origin(&builder);
    let mut slices = Slices {
        track_ends: builder.tracks.iter().map(|track| track.slices.1).collect(),
        start: std::mem::take(&mut builder.start).into_permuted(&order),
        length: std::mem::take(&mut builder.length).into_permuted(&order),
        name: std::mem::take(&mut builder.name).into_permuted(&order),
        class: std::mem::take(&mut builder.class).into_permuted(&order),
        category: std::mem::take(&mut builder.category).into_permuted(&order),
        detail: std::mem::take(&mut builder.detail).into_permuted(&order),
        position: std::mem::take(&mut builder.position).into_permuted(&order),
        parent: Vec::new(),
        depth: Vec::new(),
        latest_ends: Vec::new(),
    };
    for start in &mut slices.start {
        *start -= origin;
    }
    slices.index_ends();
    tell_far_times(&slices, warnings);
    let new_row = RowMap::new(&builder, &order);
    drop(order);
    nest::nest(&mut slices, &builder.tracks, warnings);
    let mut activities = std::mem::take(&mut builder.activities).into_vec();
    let calls = std::mem::take(&mut builder.calls).into_vec();
    let operations = std::mem::take(&mut builder.operations).into_vec();
    sort_activities(&mut activities, &mut slices);
    let mut trace = Trace {
        meta: std::mem::take(&mut builder.meta),
        categories: std::mem::take(&mut builder.categories),
        processes: std::mem::take(&mut builder.processes),
        configs: std::mem::take(&mut builder.configs),
        collectives: std::mem::take(&mut builder.collectives),
        slice_collectives: new_row.apply(&builder.collective_rows),
        stacks: new_row.apply(&builder.stack_rows),
        concrete_inputs: new_row.apply(&builder.input_rows),
        stream_arguments: new_row.apply(&builder.stream_rows),
        awaited_events: new_row.apply(&builder.awaited_rows),
        step_marks: new_row.apply(&builder.step_rows),
        arguments: new_row.apply(&builder.argument_rows),
        instant_arguments: std::mem::take(&mut builder.instant_arguments),
        counters: std::mem::take(&mut builder.counters),
        memory: std::mem::take(&mut builder.memory).into_vec(),
        instants: std::mem::take(&mut builder.instants),
        recorded: std::mem::take(&mut builder.recorded),
        flows: Vec::new(),
        memory_owners: Vec::new(),
        operations,
        calls,
        activities,
        slices,
        tracks: std::mem::take(&mut builder.tracks),
        strings: std::mem::take(&mut builder.strings),
    };
    trace.meta.origin_unix_ns = absolute(trace.meta.origin_unix_ns, origin);
    finish_points(&mut trace, &new_track, &new_row, &builder.memory_rows, origin);
    link::flows(&mut trace, &builder.flow_points, &builder.places, origin, warnings);
    link::launches(&mut trace, &builder.launch_starts, &builder.launch_ends, warnings);
    secrets::mask(&mut trace, builder.secrets, warnings);
    grids::in_blocks(&mut trace, builder.grids_in_threads);
    Ok(trace)
}

/// The absolute time of the trace's start: the producer's base, or its clock if that counts from 1970.
fn absolute(base: Option<i64>, origin: Nanos) -> Option<i64> {
    const YEAR_2001: i64 = 978_307_200_000_000_000;
    const YEAR_2100: i64 = 4_102_444_800_000_000_000;
    match base {
        Some(base) => base.checked_add(origin.0),
        None => (YEAR_2001..YEAR_2100).contains(&origin.0).then_some(origin.0),
    }
}

fn name_tracks(builder: &mut TraceBuilder) {
    // Several places are the same thread where an export's lanes were merged again: the first one counts.
    let named = builder.places.iter().zip(&builder.thread_names).rev();
    let name_of: FastMap<(ProcessId, RawId), (NameId, i64)> = named.map(|(place, name)| (*place, *name)).collect();
    for track in &mut builder.tracks {
        if let Some((name, sort_index)) = name_of.get(&(track.process, track.thread)) {
            track.name = *name;
            track.sort_index = *sort_index;
        }
    }
}

/// Sorts the tracks in the order that users expect and merges equal ones; returns each old track's new handle.
fn sort_tracks(builder: &mut TraceBuilder) -> Vec<TrackId> {
    let mut order: Vec<usize> = (0..builder.tracks.len()).collect();
    let id = |id: RawId| id_order(&builder.strings, id);
    order.compact_sort_by_key(|index| {
        let track = &builder.tracks[*index];
        let process = &builder.processes[track.process.index()];
        (process.sort_index, id(process.id), track.sort_index, id(track.thread), track.layer, track.stream)
    });
    let mut new_track = vec![TrackId::NONE; order.len()];
    let mut tracks: Vec<Track> = Vec::with_capacity(order.len());
    for old in order {
        let track = &builder.tracks[old];
        let same = tracks.last().is_some_and(|last| {
            (last.process, last.thread, last.layer, last.stream)
                == (track.process, track.thread, track.layer, track.stream)
        });
        if !same {
            tracks.push(track.clone());
        }
        new_track[old] = TrackId::from_index(tracks.len() - 1);
    }
    builder.tracks = tracks;
    new_track
}

/// The key by which ids are sorted: texts by their contents, since their handles depend on the order in the file.
fn id_order(strings: &Strings, id: RawId) -> (i64, Option<&str>) {
    match id {
        RawId::Number(number) => (number, None),
        RawId::Text(text) => (i64::MAX, Some(strings.get(text))),
    }
}

/// The rows by track, then start, then the longer first, then as in the file.
fn sort_rows(builder: &mut TraceBuilder, new_track: &[TrackId]) -> Vec<u32> {
    let mut next = vec![0_u32; builder.tracks.len() + 1];
    for track in builder.track.iter() {
        next[new_track[track.index()].index() + 1] += 1;
    }
    for index in 1..next.len() {
        next[index] += next[index - 1];
    }
    for (index, track) in builder.tracks.iter_mut().enumerate() {
        track.slices = (next[index], next[index + 1]);
    }
    let mut order = vec![0_u32; builder.start.len()];
    for (row, track) in (0_u32..).zip(builder.track.iter()) {
        let place = &mut next[new_track[track.index()].index()];
        order[*place as usize] = row;
        *place += 1;
    }
    builder.track = Column::default();
    let (start, length) = (&builder.start, &builder.length);
    let key = |row: u32| (start.at(row as usize), Reverse(length.at(row as usize)));
    let mut keyed = Vec::new();
    for track in &builder.tracks {
        let rows = &mut order[track.rows()];
        if rows.is_sorted_by_key(|row| key(*row)) {
            continue;
        }
        // With the keys beside the rows, no look-ups are needed; the sort finds the runs of a nearly sorted file.
        keyed.clear();
        keyed.extend(rows.iter().map(|row| (key(*row), *row)));
        keyed.sort();
        for (row, (_, sorted)) in rows.iter_mut().zip(&keyed) {
            *row = *sorted;
        }
    }
    order
}

/// The earliest time of all, which becomes zero.
fn origin(builder: &TraceBuilder) -> Nanos {
    let slices = builder.start.iter();
    let memory = builder.memory.iter().map(|event| event.at);
    let samples = builder.counters.iter().flat_map(|counter| counter.samples.iter().map(|sample| sample.at));
    let earliest = slices.chain(memory).chain(samples).min();
    earliest.or_else(|| builder.instants.iter().map(|instant| instant.at).min()).unwrap_or_default()
}

/// Warns of slices so far from the others that a double cannot represent both to the nanosecond.
fn tell_far_times(slices: &Slices, warnings: &mut Warnings) {
    const EXACT: i64 = 1 << 53;
    let far = |id: &EventId| slices.end(*id).0 > EXACT;
    if let Some(first) = slices.ids().find(far) {
        let count = slices.ids().filter(far).count() as u64;
        warnings.add_many(Code::TimesFarApart, count, Some(slices.position(first)), String::new);
    }
}

/// Puts the activities into the order of their slices and sets the slice of each.
fn sort_activities(activities: &mut Vec<Activity>, slices: &mut Slices) {
    let mut sorted = Vec::with_capacity(activities.len());
    for id in slices.ids() {
        if slices.class(id).is_activity()
            && let Some(detail) = slices.detail(id)
        {
            slices.detail[id.index()] = u32::try_from(sorted.len()).unwrap_or(NO_DETAIL);
            sorted.push(Activity { event: id, ..activities[detail] });
        }
    }
    *activities = sorted;
}

/// Rebases and sorts events without length.
fn finish_points(
    trace: &mut Trace,
    new_track: &[TrackId],
    new_row: &RowMap,
    memory_rows: &[(usize, super::AddedSlice)],
    origin: Nanos,
) {
    let moved = |track: TrackId| new_track.get(track.index()).copied().unwrap_or_default();
    for event in &mut trace.memory {
        event.at -= origin;
        event.track = moved(event.track);
    }
    for instant in &mut trace.instants {
        instant.at -= origin;
        instant.track = moved(instant.track);
    }
    for counter in &mut trace.counters {
        for sample in &mut counter.samples {
            sample.at -= origin;
        }
        counter.samples.compact_sort_by_key(|sample| sample.at);
    }
    if memory_rows.is_empty() {
        trace.memory.compact_sort_by_key(|event| event.at);
    } else {
        let mut owned: Vec<(super::MemoryEvent, EventId)> =
            trace.memory.drain(..).map(|event| (event, EventId::NONE)).collect();
        for (event, row) in memory_rows {
            owned[*event].1 = new_row.find(row.0);
        }
        owned.compact_sort_by_key(|(event, _)| event.at);
        (trace.memory, trace.memory_owners) = owned.into_iter().unzip();
    }
    sort_instants(trace);
    // By the texts of names: their handles depend on the order in the file.
    let (strings, processes) = (&trace.strings, &trace.processes);
    trace.counters.compact_sort_by_key(|counter| {
        let process = &processes[counter.process.index()];
        let id = id_order(strings, process.id);
        (process.sort_index, id, strings.get(counter.name), strings.get(counter.series))
    });
}

/// Sorts the instants by time, and their arguments with them.
fn sort_instants(trace: &mut Trace) {
    if trace.instant_arguments.is_empty() {
        return trace.instants.compact_sort_by_key(|instant| instant.at);
    }
    let mut instants: Vec<(super::InstantEvent, u32)> = trace.instants.drain(..).zip(0..).collect();
    instants.compact_sort_by_key(|(instant, _)| instant.at);
    let mut place = vec![u32::MAX; instants.len()];
    for (new, (_, old)) in (0..).zip(&instants) {
        place[*old as usize] = new;
    }
    for (instant, _) in &mut trace.instant_arguments {
        *instant = place.get(*instant as usize).copied().unwrap_or(u32::MAX);
    }
    trace.instant_arguments.compact_sort_by_key(|(instant, _)| *instant);
    trace.instants = instants.into_iter().map(|(instant, _)| instant).collect();
}

/// New slices of the few rows in side lists.
struct RowMap(Vec<(u32, EventId)>);

impl RowMap {
    fn new(builder: &TraceBuilder, order: &[u32]) -> Self {
        let collectives = builder.collective_rows.iter().map(|(row, _)| row.0);
        let stacks = builder.stack_rows.iter().chain(&builder.input_rows).map(|(row, _)| row.0);
        let streams = builder.stream_rows.iter().map(|(row, _)| row.0);
        let owners = builder.memory_rows.iter().map(|(_, row)| row.0);
        let steps = builder.step_rows.iter().map(|(row, _)| row.0);
        let awaited = builder.awaited_rows.iter().map(|(row, _)| row.0);
        let arguments = builder.argument_rows.iter().map(|(row, _)| row.0);
        let rows = collectives.chain(stacks).chain(streams).chain(awaited).chain(steps).chain(owners).chain(arguments);
        let mut wanted: Vec<(u32, EventId)> = rows.map(|row| (row, EventId::NONE)).collect();
        wanted.compact_sort();
        wanted.dedup();
        // Most rows are in no side list, as a bit for each shows.
        let is_wanted = SerialSet::of(wanted.iter().map(|(row, _)| *row));
        for (new, old) in order.iter().enumerate() {
            if is_wanted.contains(*old)
                && let Ok(found) = wanted.binary_search_by_key(old, |(row, _)| *row)
            {
                wanted[found].1 = EventId::from_index(new);
            }
        }
        Self(wanted)
    }

    /// The slice of a row; `NONE` if there is none.
    fn find(&self, row: u32) -> EventId {
        self.0.binary_search_by_key(&row, |(old, _)| *old).map_or(EventId::NONE, |found| self.0[found].1)
    }

    /// A side list by handle, sorted.
    fn apply<T: Copy>(&self, rows: &[(super::AddedSlice, T)]) -> Vec<(EventId, T)> {
        let mut list: Vec<(EventId, T)> =
            rows.iter().filter_map(|(row, value)| Some((self.find(row.0).get()?, *value))).collect();
        list.compact_sort_by_key(|(event, _)| *event);
        list
    }
}
