//! The model: one [`Trace`] per rank, for every producer.
//!
//! ```text
//! Trace ─┬─ slices      one row per span, by columns; sorted and nested per track
//!        ├─ tracks      a layer of a thread or of a device's stream: a range of slices
//!        ├─ processes
//!        ├─ operations  ┐ what slices of a class have beyond name and time;
//!        ├─ calls       │ a slice's `detail` is its row there
//!        ├─ activities  ┘ ── call ──► the runtime call   ── operator ──► the operator around it
//!        ├─ configs     launch configurations of kernels, each once
//!        ├─ collectives arguments of collective operations
//!        ├─ flows       the file's flows (forward → backward)
//!        ├─ memory, counters, instants
//!        ├─ recorded    tables that the profiler wrote itself
//!        ├─ strings     every name, each once
//!        └─ meta        producer, devices, ranks, origin of time
//! ```
//!
//! Times are [`Nanos`] from the trace's own start. A trace is built by
//! [`TraceBuilder`] alone and never changes afterwards.

mod absorb;
mod arguments;
mod builder;
mod category;
mod classify;
mod column;
mod details;
mod finish;
mod grids;
mod ids;
mod link;
mod loaded;
mod meta;
mod nest;
mod open;
mod points;
mod recorded;
mod rename;
mod secrets;
mod serial_map;
mod serial_set;
mod serialized;
mod slices;
mod strings;
mod tracks;

pub use absorb::Handles;
pub use arguments::{Argument, ArgumentValue};
pub use builder::{AddedSlice, FlowPhase, NewSlice, TraceBuilder};
pub use category::CategoryKind;
pub use classify::{is_communication_kernel, is_communication_operator, is_mindspore_collective, is_xla_wait};
pub use details::{
    Activity, AwaitedEvent, Call, Collective, Flow, LaunchConfig, NO_BYTES, NO_COUNT, NO_SERIAL, Operation, Serial,
};
pub use ids::{ActivityId, CollectiveId, ConfigId, EventId, NameId, ProcessId, TrackId};
pub use loaded::Loaded;
pub use meta::{Device, Distributed, Group, InputFile, Meta, PROGRAM};
pub use points::{Counter, HOST_MEMORY, InstantEvent, MemoryEvent, MemoryPool, NO_TOTAL, Sample};
pub use recorded::{Cell, RecordedColumn, RecordedTable, RecordedUnit};
pub use rename::{Lane, Origins};
pub use serialized::{SerializedRow, Way, part as serialize_part, warnings as serialize_warnings};
pub use serialized::{deserialize, serialize};
pub use slices::{Class, Position, Slices};
pub use strings::Strings;
pub use tracks::{Layer, Process, RawId, Stream, Track};

use stepscope_base::{CompactSort, Interval, Nanos};

/// The recording of one rank's profiler.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Metadata of the input.
    pub meta: Meta,
    /// Every string.
    pub strings: Strings,
    /// The producer's categories, by a slice's category number.
    pub categories: Vec<NameId>,
    /// Processes.
    pub processes: Vec<Process>,
    /// Tracks, in the order that users expect.
    pub tracks: Vec<Track>,
    /// Slices.
    pub slices: Slices,
    operations: Vec<Operation>,
    calls: Vec<Call>,
    /// Kernels, copies and memsets, in the order of their slices.
    pub activities: Vec<Activity>,
    /// Launch configurations.
    pub configs: Vec<LaunchConfig>,
    /// Arguments of collective operations.
    pub collectives: Vec<Collective>,
    /// The slices that have a collective's arguments, sorted.
    pub slice_collectives: Vec<(EventId, CollectiveId)>,
    /// The stacks that the producer gives for operators, sorted by slice.
    pub stacks: Vec<(EventId, NameId)>,
    /// The inputs of convolutions that are no tensors, as the producer's text, sorted by slice.
    pub concrete_inputs: Vec<(EventId, NameId)>,
    /// The slices that have a stream as argument but are no activity, sorted.
    pub stream_arguments: Vec<(EventId, i64)>,
    /// The synchronizations that wait for an event of a stream, sorted.
    pub awaited_events: Vec<(EventId, AwaitedEvent)>,
    /// Arguments of slices that the program recorded itself, sorted by slice, each slice's in the order of recording.
    pub arguments: Vec<(EventId, Argument)>,
    /// The same for instants, by their index.
    pub instant_arguments: Vec<(u32, Argument)>,
    /// The slices that mark steps, from any source, with the steps' names; sorted.
    pub step_marks: Vec<(EventId, NameId)>,
    /// The file's flows, by their sources; launches are in [`Activity::call`] instead.
    pub flows: Vec<Flow>,
    /// Allocations and releases by time.
    pub memory: Vec<MemoryEvent>,
    /// The slices in which these happened, event by event, where the producer records any.
    pub memory_owners: Vec<EventId>,
    /// Counters.
    pub counters: Vec<Counter>,
    /// Instant events by time.
    pub instants: Vec<InstantEvent>,
    /// Tables that the profiler wrote itself, in the order of the files.
    pub recorded: Vec<RecordedTable>,
}

impl Trace {
    /// A trace of the profiler's own tables, without events.
    #[must_use]
    pub fn of_tables(meta: Meta, recorded: Vec<RecordedTable>) -> Self {
        Self { meta, recorded, ..Self::default() }
    }

    /// Whether there are any events; else there are only recorded tables.
    #[must_use]
    pub fn has_events(&self) -> bool {
        let points = self.counters.len() + self.memory.len() + self.instants.len();
        self.slices.len() + points > 0
    }

    /// A slice's name.
    #[must_use]
    pub fn name_of(&self, id: EventId) -> &str {
        self.strings.get(self.slices.name(id))
    }

    /// The producer's name of a slice's category.
    #[must_use]
    pub fn category_of(&self, id: EventId) -> &str {
        self.category_number(id).map_or("", |number| self.strings.get(self.categories[number]))
    }

    /// The number of a slice's category in [`categories`](Self::categories); none if it has none.
    #[must_use]
    pub fn category_number(&self, id: EventId) -> Option<usize> {
        Some(usize::from(self.slices.category[id.index()])).filter(|number| *number < self.categories.len())
    }

    /// The number of a producer's category, for [`Slices::category`].
    #[must_use]
    pub fn category_named(&self, category: &str) -> Option<u16> {
        let found = self.categories.iter().position(|name| self.strings.get(*name) == category)?;
        u16::try_from(found).ok()
    }

    /// The properties of an operator or annotation.
    #[must_use]
    pub fn operation(&self, id: EventId) -> Option<&Operation> {
        match self.slices.class(id) {
            Class::Operator | Class::Annotation | Class::DeviceAnnotation => {
                self.operations.get(self.slices.detail(id)?)
            }
            _ => None,
        }
    }

    /// The properties of a runtime call, or of a synchronization that a call caused.
    #[must_use]
    pub fn call(&self, id: EventId) -> Option<&Call> {
        match self.slices.class(id) {
            Class::RuntimeCall | Class::Synchronization | Class::DeviceMarker => {
                self.calls.get(self.slices.detail(id)?)
            }
            _ => None,
        }
    }

    /// The properties of all calls, in the order of their slices.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The activity of a slice.
    #[must_use]
    pub fn activity(&self, id: EventId) -> Option<&Activity> {
        match self.slices.class(id) {
            Class::Kernel | Class::Memcpy | Class::Memset => self.activities.get(self.slices.detail(id)?),
            _ => None,
        }
    }

    /// The row of a slice in [`activities`](Self::activities), if it is an activity.
    #[must_use]
    pub fn activity_number(&self, id: EventId) -> Option<usize> {
        self.activity(id).and_then(|_| self.slices.detail(id))
    }

    /// The arguments of the collective that a slice is part of, if it has any.
    #[must_use]
    pub fn collective(&self, id: EventId) -> Option<&Collective> {
        let found = self.slice_collectives.binary_search_by_key(&id, |(event, _)| *event).ok()?;
        self.collectives.get(self.slice_collectives[found].1.index())
    }

    /// The name of the step that a slice marks, if its producer marks steps with it.
    #[must_use]
    pub fn step_of(&self, id: EventId) -> Option<NameId> {
        let found = self.step_marks.binary_search_by_key(&id, |(event, _)| *event).ok()?;
        Some(self.step_marks[found].1)
    }

    /// The arguments of a slice that the program recorded itself.
    pub fn arguments_of(&self, id: EventId) -> impl Iterator<Item = &Argument> {
        rows_of(&self.arguments, id)
    }

    /// The arguments of an instant event that the program recorded itself, by its index in [`instants`](Self::instants).
    pub fn arguments_of_instant(&self, instant: usize) -> impl Iterator<Item = &Argument> {
        rows_of(&self.instant_arguments, u32::try_from(instant).unwrap_or(u32::MAX))
    }

    /// The inputs of a convolution or attention that are no tensors, as the producer's text; none for other slices.
    #[must_use]
    pub fn concrete_inputs(&self, id: EventId) -> NameId {
        let found = self.concrete_inputs.binary_search_by_key(&id, |(event, _)| *event);
        found.map_or(NameId::NONE, |index| self.concrete_inputs[index].1)
    }

    /// The launch configuration of an activity, where the producer records it.
    #[must_use]
    pub fn config(&self, activity: &Activity) -> Option<&LaunchConfig> {
        self.configs.get(activity.config.get()?.index())
    }

    /// The device and stream a slice of a device's track ran on.
    #[must_use]
    pub fn stream_of(&self, id: EventId) -> Option<Stream> {
        self.tracks[self.slices.track(id).index()].stream
    }

    /// A process's label: its name, else its id.
    #[must_use]
    pub fn process_label(&self, id: ProcessId) -> String {
        let process = &self.processes[id.index()];
        self.label(process.name, process.id)
    }

    /// The labels of a track's process and thread.
    #[must_use]
    pub fn place_label(&self, track: &Track) -> String {
        [self.process_label(track.process), self.thread_label(track)].join(" / ")
    }

    /// The label of a track's thread.
    #[must_use]
    pub fn thread_label(&self, track: &Track) -> String {
        self.label(track.name, track.thread)
    }

    fn label(&self, name: NameId, id: RawId) -> String {
        match (self.strings.get(name), id) {
            ("", RawId::Number(number)) => number.to_string(),
            ("", RawId::Text(text)) => self.strings.get(text).to_owned(),
            (name, _) => name.to_owned(),
        }
    }

    /// The recorded tables of a kind.
    pub fn recorded_as<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a RecordedTable> {
        self.recorded.iter().filter(move |table| table.id == id)
    }

    /// The slices of a class, track by track, each track by start.
    pub fn slices_of(&self, class: Class) -> impl Iterator<Item = EventId> + '_ {
        self.slices.ids().filter(move |id| self.slices.class(*id) == class)
    }

    /// A track's slices by start: all, or those that have a point in common with a span.
    pub fn touching(&self, track: &Track, span: Option<Interval>) -> impl Iterator<Item = EventId> + '_ {
        self.slices.touching(track.rows(), span)
    }

    /// From the earliest time of all to just after the latest one.
    #[must_use]
    pub fn span(&self) -> Interval {
        let slices = self.slices.ids().map(|id| {
            let Interval { start, end } = self.slices.interval(id);
            Interval::new(start, end.max(start + Nanos(1)))
        });
        let samples = self.counters.iter().flat_map(|counter| counter.samples.iter().map(|sample| sample.at));
        let memory = self.memory.iter().map(|event| event.at);
        let points = samples.chain(memory).chain(self.instants.iter().map(|instant| instant.at));
        let all = slices.chain(points.map(|at| Interval::new(at, at + Nanos(1))));
        all.reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end))).unwrap_or_default()
    }

    /// The numbers of the devices that ran anything, rising.
    #[must_use]
    pub fn active_devices(&self) -> Vec<i64> {
        let streams = self.tracks.iter().filter(|track| track.layer == Layer::Device && !track.rows().is_empty());
        let mut devices: Vec<i64> = streams.filter_map(|track| Some(track.stream?.device)).collect();
        devices.compact_sort();
        devices.dedup();
        devices
    }

    /// Bytes of the model's tables in memory, without those stored once for many slices: strings and launch
    /// configurations.
    #[must_use]
    pub fn bytes_held(&self) -> usize {
        fn rows<T>(table: &[T]) -> usize {
            size_of_val(table)
        }
        let samples: usize = self.counters.iter().map(|counter| rows(&counter.samples)).sum();
        self.slices.len() * Slices::bytes_per_slice()
            + rows(&self.operations)
            + rows(&self.calls)
            + rows(&self.activities)
            + rows(&self.collectives)
            + rows(&self.slice_collectives)
            + rows(&self.stacks)
            + rows(&self.concrete_inputs)
            + rows(&self.stream_arguments)
            + rows(&self.awaited_events)
            + rows(&self.step_marks)
            + rows(&self.arguments)
            + rows(&self.instant_arguments)
            + rows(&self.flows)
            + rows(&self.memory)
            + rows(&self.memory_owners)
            + rows(&self.instants)
            + rows(&self.counters)
            + samples
    }
}

/// The rows of a sorted side table with a key.
fn rows_of<K: Copy + Ord, T>(table: &[(K, T)], of: K) -> impl Iterator<Item = &T> {
    let first = table.partition_point(|(key, _)| *key < of);
    table[first..].iter().take_while(move |(key, _)| *key == of).map(|(_, row)| row)
}
