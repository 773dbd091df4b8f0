//! Adds the contents of a builder that was given a piece of a file, as if this one had been given the piece.
//!
//! The result is the same in every column and handle: strings, processes, tracks and everything else that is stored
//! once are looked up in the order in which they first occurred, as in reading.

use super::arguments::{Argument, ArgumentValue};
use super::builder::{AddedSlice, FlowPoint, TraceBuilder};
use super::details::{Activity, Collective, Operation};
use super::ids::{CollectiveId, ConfigId, NameId, ProcessId, TrackId};
use super::points::{Counter, InstantEvent, MemoryEvent};
use super::slices::{Class, NO_DETAIL, Position};
use super::tracks::{RawId, Track};

/// Translates handles of an absorbed builder to those of the one that absorbed it.
#[derive(Debug)]
pub struct Handles {
    names: Vec<NameId>,
    rows: u32,
}

impl Handles {
    /// A string's handle.
    pub fn name(&self, name: NameId) -> NameId {
        self.names.get(name.index()).copied().unwrap_or_default()
    }

    /// A process's or thread's id.
    pub fn raw(&self, id: RawId) -> RawId {
        match id {
            RawId::Number(_) => id,
            RawId::Text(text) => RawId::Text(self.name(text)),
        }
    }

    /// A slice.
    pub fn row(&self, row: AddedSlice) -> AddedSlice {
        AddedSlice(row.0.saturating_add(self.rows))
    }

    fn argument(&self, Argument { key, value }: Argument) -> Argument {
        let value = match value {
            ArgumentValue::Text(text) => ArgumentValue::Text(self.name(text)),
            other => other,
        };
        Argument { key: self.name(key), value }
    }

    fn rows_of<T: Copy>(
        &self,
        rows: Vec<(AddedSlice, T)>,
        value: impl Fn(T) -> T,
    ) -> impl Iterator<Item = (AddedSlice, T)> {
        rows.into_iter().map(move |(row, own)| (self.row(row), value(own)))
    }
}

impl TraceBuilder {
    /// Whether all added categories have numbers: names of further ones are lost, so it must not be absorbed.
    pub fn can_be_absorbed(&self) -> bool {
        self.categories.len() < usize::from(u16::MAX)
    }

    /// Adds the contents of another builder, given a piece of the current file, after its own. `flow` returns the new
    /// id of a flow, as the id may be a handle. Names of processes and threads are not added.
    pub fn absorb(&mut self, part: Self, flow: impl Fn(&Handles, u64) -> u64) -> Handles {
        let names = part.strings.map(|text| self.strings.intern(text.as_bytes()));
        let handles = Handles { names, rows: u32::try_from(self.start.len()).unwrap_or(u32::MAX) };
        let number = |own: u16, numbers: &[u16]| numbers.get(usize::from(own)).copied().unwrap_or(u16::MAX);
        let categories: Vec<u16> =
            part.categories.iter().map(|name| self.category(part.strings.get(*name).as_bytes())).collect();
        let processes: Vec<ProcessId> =
            part.processes.iter().map(|process| self.process(handles.raw(process.id))).collect();
        let raw_process = |own: ProcessId| {
            part.processes.get(own.index()).map_or(RawId::default(), |process| handles.raw(process.id))
        };
        let places: Vec<u32> = part
            .places
            .iter()
            .map(|(process, thread)| self.place(raw_process(*process), handles.raw(*thread)))
            .collect();
        let mut track =
            |own: &Track| self.track(raw_process(own.process), handles.raw(own.thread), own.layer, own.stream);
        let tracks: Vec<TrackId> = part.tracks.iter().map(&mut track).collect();
        let new_track = |own: TrackId| tracks.get(own.index()).copied().unwrap_or_default();
        let configs: Vec<ConfigId> = part.configs.iter().map(|config| self.config(*config)).collect();

        self.start.extend(part.start.iter());
        self.length.extend(part.length.iter());
        self.name.extend(part.name.iter().map(|name| handles.name(name)));
        self.track.extend(part.track.iter().map(new_track));
        self.category.extend(part.category.iter().map(|own| number(own, &categories)));
        let tables = [self.operations.len(), self.calls.len(), self.activities.len()];
        let details = part.class.iter().zip(part.detail.iter());
        self.detail.extend(details.map(|(class, detail)| moved_detail(class, detail, tables)));
        self.class.extend(part.class.iter());
        let base = self.base();
        self.position.extend(part.position.iter().map(|own| Position::new(base + own.byte())));

        self.operations.extend(part.operations.iter().map(|own| Operation {
            shapes: handles.name(own.shapes),
            types: handles.name(own.types),
            ..own
        }));
        self.calls.extend(part.calls.iter());
        let config = |own: ConfigId| configs.get(own.index()).copied().unwrap_or_default();
        self.activities.extend(part.activities.iter().map(|own| Activity { config: config(own.config), ..own }));
        let before = self.collectives.len();
        let collective = |own: CollectiveId| CollectiveId::from_index(before + own.index());
        self.collective_rows.extend(handles.rows_of(part.collective_rows, collective));
        self.collectives.extend(part.collectives.into_iter().map(|own| Collective {
            name: handles.name(own.name),
            dtype: handles.name(own.dtype),
            group: handles.name(own.group),
            group_description: handles.name(own.group_description),
            ranks: handles.name(own.ranks),
            ..own
        }));
        self.stack_rows.extend(handles.rows_of(part.stack_rows, |own| handles.name(own)));
        self.input_rows.extend(handles.rows_of(part.input_rows, |own| handles.name(own)));
        self.stream_rows.extend(handles.rows_of(part.stream_rows, |own| own));
        self.awaited_rows.extend(handles.rows_of(part.awaited_rows, |own| own));
        self.step_rows.extend(handles.rows_of(part.step_rows, |own| handles.name(own)));
        self.argument_rows.extend(handles.rows_of(part.argument_rows, |own| handles.argument(own)));

        self.flow_points.extend(part.flow_points.iter().map(|own| FlowPoint {
            kind: handles.name(own.kind),
            id: flow(&handles, own.id),
            place: places.get(own.place as usize).copied().unwrap_or(u32::MAX),
            ..own
        }));
        self.launch_starts.extend(part.launch_starts.iter());
        self.launch_ends.extend(part.launch_ends.iter());
        self.memory.extend(part.memory.iter().map(|own| MemoryEvent { track: new_track(own.track), ..own }));
        for Counter { process, name, series, samples } in part.counters {
            let process = processes.get(process.index()).copied().unwrap_or_default();
            self.samples_mut(process, handles.name(name), handles.name(series)).extend(samples);
        }
        let instants = part.instants.into_iter();
        self.instants.extend(instants.map(|own| InstantEvent {
            track: new_track(own.track),
            name: handles.name(own.name),
            ..own
        }));
        self.meta.events += part.meta.events;
        self.secrets.merge(&part.secrets);
        handles
    }
}

/// A slice's row in the table of its class, after the existing rows.
fn moved_detail(class: Class, detail: u32, [operations, calls, activities]: [usize; 3]) -> u32 {
    let before = match class {
        Class::Operator | Class::Annotation | Class::DeviceAnnotation => operations,
        Class::RuntimeCall | Class::Synchronization | Class::DeviceMarker => calls,
        Class::Kernel | Class::Memcpy | Class::Memset => activities,
        Class::PythonFrame | Class::Overhead | Class::ProfilerSpan | Class::Async | Class::Other => return detail,
    };
    let moved = u32::try_from(before).ok().and_then(|before| before.checked_add(detail));
    moved.filter(|_| detail != NO_DETAIL).unwrap_or(NO_DETAIL)
}
