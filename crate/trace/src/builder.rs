//! The only way to build a trace: readers add events, in the order of the file.
//!
//! A reader gives an event's properties (its class, layer, arguments). Nesting, order, links and the communication
//! kernels are found in [`finish`](TraceBuilder::finish), in the same way for all readers.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use stepscope_format::secrets::FoundSecrets;

use super::arguments::{Argument, ArgumentValue};
use super::column::Column;
use super::details::{Activity, AwaitedEvent, Call, Collective, LaunchConfig, Operation, Serial};
use super::ids::{CollectiveId, ConfigId, NameId, ProcessId, TrackId};
use super::meta::{InputFile, Meta};
use super::points::{Counter, InstantEvent, MemoryEvent, Sample};
use super::recorded::RecordedTable;
use super::slices::{Class, NO_DETAIL, Position};
use super::strings::Strings;
use super::tracks::{Layer, Process, RawId, Stream, Track};
use stepscope_base::Nanos;

/// A map with a fast hash, for keys that no attacker chooses.
pub(super) type FastMap<K, V> = HashMap<K, V, FxBuildHasher>;

/// An added slice, by its index in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddedSlice(pub(super) u32);

/// A slice to be added.
#[derive(Clone, Copy, Debug)]
pub struct NewSlice {
    /// Its track.
    pub track: TrackId,
    /// Its class.
    pub class: Class,
    /// The producer's category, from [`TraceBuilder::category`].
    pub category: u16,
    /// Its name.
    pub name: NameId,
    /// Its start, on the producer's clock.
    pub start: Nanos,
    /// Its end; not before its start.
    pub end: Nanos,
    /// The byte of the current file, uncompressed, at which its event starts.
    pub position: u64,
}

/// One end of a flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowPoint {
    pub(super) kind: NameId,
    pub(super) id: u64,
    pub(super) place: u32,
    pub(super) at: Nanos,
    pub(super) phase: FlowPhase,
}

/// The kind of a flow's point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlowPhase {
    /// The flow starts in the slice that is open there.
    Start,
    /// It leads to the slice that is open there, and continues from it.
    Step,
    /// It ends in the slice that is open there.
    End,
    /// It ends in the slice that starts there or next.
    EndAtNext,
}

/// Collects the events of one rank and builds a [`Trace`](super::Trace) of them.
#[derive(Debug, Default)]
pub struct TraceBuilder {
    only_device: Option<i64>,
    pub(super) strings: Strings,
    pub(super) categories: Vec<NameId>,
    category_by_name: FastMap<NameId, u16>,
    pub(super) processes: Vec<Process>,
    pub(super) process_by_id: FastMap<RawId, ProcessId>,
    pub(super) tracks: Vec<Track>,
    track_by_key: FastMap<TrackKey, TrackId>,
    last_track: Option<(TrackKey, TrackId)>,
    /// Pairs of process and thread, numbered for thread names and flow points.
    pub(super) places: Vec<(ProcessId, RawId)>,
    place_by_key: FastMap<(ProcessId, RawId), u32>,
    pub(super) thread_names: Vec<(NameId, i64)>,

    pub(super) start: Column<Nanos>,
    pub(super) length: Column<Nanos>,
    pub(super) name: Column<NameId>,
    pub(super) track: Column<TrackId>,
    pub(super) class: Column<Class>,
    pub(super) category: Column<u16>,
    pub(super) detail: Column<u32>,
    pub(super) position: Column<Position>,

    pub(super) operations: Column<Operation>,
    pub(super) calls: Column<Call>,
    pub(super) activities: Column<Activity>,
    pub(super) configs: Vec<LaunchConfig>,
    config_by_bits: FastMap<[u64; 7], ConfigId>,
    pub(super) collectives: Vec<Collective>,
    pub(super) collective_rows: Vec<(AddedSlice, CollectiveId)>,
    pub(super) stack_rows: Vec<(AddedSlice, NameId)>,
    pub(super) input_rows: Vec<(AddedSlice, NameId)>,
    pub(super) stream_rows: Vec<(AddedSlice, i64)>,
    pub(super) awaited_rows: Vec<(AddedSlice, AwaitedEvent)>,
    pub(super) step_rows: Vec<(AddedSlice, NameId)>,
    pub(super) argument_rows: Vec<(AddedSlice, Argument)>,
    /// By instant, in the order of the file.
    pub(super) instant_arguments: Vec<(u32, Argument)>,
    /// Secrets in data that the model does not keep.
    pub secrets: FoundSecrets,

    pub(super) flow_points: Column<FlowPoint>,
    pub(super) launch_starts: Column<Serial>,
    pub(super) launch_ends: Column<Serial>,
    pub(super) memory: Column<MemoryEvent>,
    /// Some memory events, with their slices.
    pub(super) memory_rows: Vec<(usize, AddedSlice)>,
    pub(super) counters: Vec<Counter>,
    counter_by_key: FastMap<(ProcessId, NameId, NameId), usize>,
    pub(super) instants: Vec<InstantEvent>,
    pub(super) recorded: Vec<RecordedTable>,
    pub(super) open: OpenRows,
    /// The calls whose grid is in threads.
    pub(super) grids_in_threads: &'static [&'static str],
    /// The origin of positions in the current file.
    base: u64,
    /// Metadata of the input.
    pub meta: Meta,
}

/// Slices that were not ended, and the known ends of their processes.
#[derive(Debug, Default)]
pub(super) struct OpenRows {
    pub(super) rows: Vec<(AddedSlice, ProcessId)>,
    /// Times at which a process had ended, or was replaced.
    pub(super) ends: Vec<(ProcessId, Nanos)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TrackKey {
    process: RawId,
    thread: RawId,
    layer: Layer,
    stream: Option<Stream>,
}

impl TraceBuilder {
    /// An empty trace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the only device whose rows are read from the next file; none for all of them.
    pub fn read_only(&mut self, device: Option<i64>) {
        self.only_device = device;
    }

    /// The only device whose rows are read from the current file, which has several devices side by side.
    #[must_use]
    pub fn only_device(&self) -> Option<i64> {
        self.only_device
    }

    /// Starts a file of the rank.
    pub fn begin_input(&mut self, file: InputFile) {
        self.base = self.input_bytes();
        if self.meta.inputs.is_empty() {
            self.meta.format = file.format;
        }
        let events = self.meta.events;
        self.meta.inputs.push(InputFile { start: self.base, events, ..file });
    }

    /// Ends the current file, given its length in bytes of text.
    pub fn end_input(&mut self, bytes: u64) {
        if let Some(file) = self.meta.inputs.last_mut() {
            file.bytes = bytes;
            file.events = self.meta.events - file.events;
            self.meta.bytes += bytes;
        }
    }

    /// The origin of positions in the current file.
    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// The name of the current file.
    #[must_use]
    pub fn input_name(&self) -> &str {
        self.meta.inputs.last().map_or("", |file| &file.name)
    }

    /// Bytes of text of the files read so far.
    #[must_use]
    pub fn input_bytes(&self) -> u64 {
        self.meta.bytes
    }

    /// Number of slices added so far.
    #[must_use]
    pub fn slices(&self) -> usize {
        self.start.len()
    }

    /// Number of kernels, copies and memsets added so far.
    #[must_use]
    pub fn activities(&self) -> usize {
        self.activities.len()
    }

    /// The handle of a string.
    #[inline]
    pub fn intern(&mut self, text: &[u8]) -> NameId {
        self.strings.intern(text)
    }

    /// The string of a handle; empty for none.
    #[must_use]
    pub fn text(&self, name: NameId) -> &str {
        self.strings.get(name)
    }

    /// The number of a producer's category, for [`NewSlice::category`].
    ///
    /// There are 65 535 numbers; all further categories have the number of none.
    pub fn category(&mut self, text: &[u8]) -> u16 {
        let name = self.strings.intern(text);
        let categories = &mut self.categories;
        *self.category_by_name.entry(name).or_insert_with(|| {
            let number = u16::try_from(categories.len()).unwrap_or(u16::MAX);
            if number < u16::MAX {
                categories.push(name);
            }
            number
        })
    }

    /// The process with that id; added if it is new.
    pub fn process(&mut self, id: RawId) -> ProcessId {
        let processes = &mut self.processes;
        *self.process_by_id.entry(id).or_insert_with(|| {
            processes.push(Process { id, name: NameId::NONE, labels: NameId::NONE, sort_index: 0 });
            ProcessId::from_index(processes.len() - 1)
        })
    }

    /// The process's record, for names and other properties.
    pub fn process_mut(&mut self, id: RawId) -> &mut Process {
        let process = self.process(id);
        &mut self.processes[process.index()]
    }

    /// Sets a thread's name and its place among its process's threads.
    pub fn name_thread(&mut self, process: RawId, thread: RawId, name: Option<NameId>, sort_index: Option<i64>) {
        let place = self.place(process, thread);
        let entry = &mut self.thread_names[place as usize];
        entry.0 = name.unwrap_or(entry.0);
        entry.1 = sort_index.unwrap_or(entry.1);
    }

    pub(super) fn place(&mut self, process: RawId, thread: RawId) -> u32 {
        let process = self.process(process);
        let (places, names) = (&mut self.places, &mut self.thread_names);
        *self.place_by_key.entry((process, thread)).or_insert_with(|| {
            places.push((process, thread));
            names.push((NameId::NONE, 0));
            u32::try_from(places.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// The track of a layer of a thread, or of a device's stream; added if it is new.
    #[inline]
    pub fn track(&mut self, process: RawId, thread: RawId, layer: Layer, stream: Option<Stream>) -> TrackId {
        let key = TrackKey { process, thread, layer, stream };
        match self.last_track {
            Some((last, track)) if last == key => track,
            _ => self.find_track(key),
        }
    }

    fn find_track(&mut self, key: TrackKey) -> TrackId {
        let known = self.track_by_key.get(&key).copied();
        let track = known.unwrap_or_else(|| {
            let process = self.process(key.process);
            self.tracks.push(Track {
                process,
                thread: key.thread,
                layer: key.layer,
                stream: key.stream,
                name: NameId::NONE,
                sort_index: 0,
                slices: (0, 0),
            });
            let track = TrackId::from_index(self.tracks.len() - 1);
            self.track_by_key.insert(key, track);
            track
        });
        self.last_track = Some((key, track));
        track
    }

    /// Forgets the handles of ids, as they were renamed.
    pub(super) fn forget_keys(&mut self) {
        self.last_track = None;
        self.track_by_key.clear();
        self.place_by_key.clear();
        self.counter_by_key.clear();
    }

    /// Adds a slice.
    #[inline]
    pub fn slice(&mut self, slice: NewSlice) -> AddedSlice {
        let row = AddedSlice(u32::try_from(self.start.len()).unwrap_or(u32::MAX));
        self.start.push(slice.start);
        self.length.push((slice.end - slice.start).max(Nanos::ZERO));
        self.name.push(slice.name);
        self.track.push(slice.track);
        self.class.push(slice.class);
        self.category.push(slice.category);
        self.detail.push(NO_DETAIL);
        self.position.push(Position::new(self.base + slice.position));
        row
    }

    /// Sets the properties of a slice of class operator or annotation.
    pub fn operation(&mut self, row: AddedSlice, operation: Operation) {
        self.set_detail(row, self.operations.len());
        self.operations.push(operation);
    }

    /// Sets the properties of a runtime call.
    pub fn call(&mut self, row: AddedSlice, call: Call) {
        self.set_detail(row, self.calls.len());
        self.calls.push(call);
    }

    /// Sets the properties of a kernel, copy or memset; its links are found later.
    pub fn activity(&mut self, row: AddedSlice, activity: Activity) {
        self.set_detail(row, self.activities.len());
        self.activities.push(activity);
    }

    fn set_detail(&mut self, row: AddedSlice, detail: usize) {
        *self.detail.at_mut(row.0 as usize) = u32::try_from(detail).unwrap_or(NO_DETAIL);
    }

    /// The handle of a launch configuration.
    pub fn config(&mut self, config: LaunchConfig) -> ConfigId {
        let configs = &mut self.configs;
        *self.config_by_bits.entry(config.bits()).or_insert_with(|| {
            configs.push(config);
            ConfigId::from_index(configs.len() - 1)
        })
    }

    /// Sets the names of calls whose kernels have their grid in threads: the trace has it in blocks.
    pub fn grids_in_threads(&mut self, calls: &'static [&'static str]) {
        self.grids_in_threads = calls;
    }

    /// Adds a collective's arguments, with its slice.
    pub fn collective(&mut self, row: AddedSlice, collective: Collective) {
        self.collective_rows.push((row, CollectiveId::from_index(self.collectives.len())));
        self.collectives.push(collective);
    }

    /// Sets the producer's stack of an operator.
    pub fn stack(&mut self, row: AddedSlice, stack: NameId) {
        self.stack_rows.push((row, stack));
    }

    /// Sets the inputs of an operator that are no tensors, as the producer's text.
    pub fn concrete_inputs(&mut self, row: AddedSlice, inputs: NameId) {
        self.input_rows.push((row, inputs));
    }

    /// Sets the stream in the arguments of a slice that is no activity.
    pub fn stream_argument(&mut self, row: AddedSlice, stream: i64) {
        self.stream_rows.push((row, stream));
    }

    /// Sets the event for which a synchronization waits.
    pub fn awaited_event(&mut self, row: AddedSlice, event: AwaitedEvent) {
        self.awaited_rows.push((row, event));
    }

    /// Adds one point of a flow: those of one kind with one id belong together.
    pub fn flow_point(&mut self, kind: NameId, id: u64, phase: FlowPhase, process: RawId, thread: RawId, at: Nanos) {
        let place = self.place(process, thread);
        self.flow_points.push(FlowPoint { kind, id, place, at, phase });
    }

    /// Adds one end of a flow `ac2g` whose id is the correlation of a call and its activities.
    pub fn launch_flow(&mut self, correlation: Serial, start: bool) {
        if start { self.launch_starts.push(correlation) } else { self.launch_ends.push(correlation) }
    }

    /// Adds an allocation or release.
    pub fn memory(&mut self, event: MemoryEvent) {
        self.memory.push(event);
    }

    /// Adds an allocation or release, with the slice that the producer gives for it.
    pub fn memory_in(&mut self, row: AddedSlice, event: MemoryEvent) {
        self.memory_rows.push((self.memory.len(), row));
        self.memory.push(event);
    }

    /// Adds a counter's value.
    pub fn sample(&mut self, process: RawId, name: NameId, series: NameId, sample: Sample) {
        let process = self.process(process);
        self.samples_mut(process, name, series).push(sample);
    }

    /// The values of a counter; added if it is new.
    pub(super) fn samples_mut(&mut self, process: ProcessId, name: NameId, series: NameId) -> &mut Vec<Sample> {
        let counters = &mut self.counters;
        let index = *self.counter_by_key.entry((process, name, series)).or_insert_with(|| {
            counters.push(Counter { process, name, series, samples: Vec::new() });
            counters.len() - 1
        });
        &mut self.counters[index].samples
    }

    /// Adds a table that the profiler wrote itself.
    pub fn table(&mut self, table: RecordedTable) {
        self.recorded.push(table);
    }

    /// Takes the last recorded table back, if it is the wanted one: the next file of a recording adds to it.
    pub fn pop_table_if(&mut self, is_wanted: impl FnOnce(&RecordedTable) -> bool) -> Option<RecordedTable> {
        self.recorded.pop_if(|table| is_wanted(table))
    }

    /// The recorded tables so far.
    #[must_use]
    pub fn tables(&self) -> &[RecordedTable] {
        &self.recorded
    }

    /// Changes the end of a slice that was added before its end was known.
    pub fn end_slice(&mut self, row: AddedSlice, end: Nanos) {
        let index = row.0 as usize;
        *self.length.at_mut(index) = (end - self.start.at(index)).max(Nanos::ZERO);
    }

    /// Start of an added slice.
    #[must_use]
    pub fn start_of(&self, row: AddedSlice) -> Nanos {
        self.start.at(row.0 as usize)
    }

    /// The latest time so far.
    #[must_use]
    pub fn latest(&self) -> Option<Nanos> {
        let ends = self.start.iter().zip(self.length.iter()).map(|(start, length)| start + length);
        let memory = self.memory.iter().map(|event| event.at);
        let samples = self.counters.iter().flat_map(|counter| counter.samples.iter().map(|sample| sample.at));
        ends.chain(memory).chain(samples).chain(self.instants.iter().map(|instant| instant.at)).max()
    }

    /// Marks a slice as a step, with the step's name.
    pub fn step(&mut self, row: AddedSlice, name: NameId) {
        self.step_rows.push((row, name));
    }

    /// The steps marked so far: their names, and the last value of their argument with that name.
    #[must_use]
    pub fn steps_with(&self, key: &str) -> Vec<(NameId, Option<ArgumentValue>)> {
        let key = self.strings.find(key);
        let of_key = self.argument_rows.iter().filter(|(_, argument)| Some(argument.key) == key);
        let values: FastMap<u32, ArgumentValue> = of_key.map(|(row, argument)| (row.0, argument.value)).collect();
        self.step_rows.iter().map(|(row, name)| (*name, values.get(&row.0).copied())).collect()
    }

    /// Adds an argument that the program set for a slice.
    pub fn argument(&mut self, row: AddedSlice, argument: Argument) {
        self.argument_rows.push((row, argument));
    }

    /// Adds an argument of an instant, given the number of [`instants`](Self::instants) before it.
    pub fn instant_argument(&mut self, instant: usize, argument: Argument) {
        self.instant_arguments.push((u32::try_from(instant).unwrap_or(u32::MAX), argument));
    }

    /// Number of instants added so far.
    #[must_use]
    pub fn instants(&self) -> usize {
        self.instants.len()
    }

    /// Adds an instant event.
    pub fn instant(&mut self, instant: InstantEvent) {
        self.instants.push(instant);
    }
}
