//! Slices whose beginning and end are events of their own: `B`/`E` on a thread, `b`/`e` and the like by an id.
//!
//! Pairs are matched when all events are known, in the order of time within each group. Files are written buffer by
//! buffer, so an end may precede its beginning.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::event::Core;
use super::ids;
use stepscope_base::{Code, Nanos};
use stepscope_trace::{AddedSlice, Handles, NameId, RawId, SerializedRow, Way};

type FastMap<K, V> = HashMap<K, V, FxBuildHasher>;

/// The group of events in which an end finds its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Group {
    /// On a thread, the last slice begun ends first.
    Thread(RawId, RawId),
    /// Operations of a category and a name with an id.
    Id(NameId, NameId, u64),
}

/// A beginning or an end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// Its time.
    pub(super) at: Nanos,
    /// The slice that begins; none if one ends.
    pub(super) row: Option<AddedSlice>,
    /// Its name; an end need not have one.
    pub(super) name: Option<NameId>,
    /// The event's position.
    pub(super) position: u64,
    group: u32,
    process: u32,
}

/// The beginnings and ends of a file.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    points: Vec<Point>,
    groups: Vec<Group>,
    group_by_key: FastMap<Group, u32>,
    last: Option<(Group, u32)>,
    processes: FastMap<RawId, u32>,
    process_ids: Vec<RawId>,
}

impl Pairs {
    /// Adds a beginning, with its slice, or an end.
    pub(super) fn add(
        &mut self,
        group: Group,
        process: RawId,
        (at, position): (Nanos, u64),
        name: Option<NameId>,
        row: Option<AddedSlice>,
    ) {
        let group = self.group(group);
        let process = self.process(process);
        self.points.push(Point { at, row, name, position, group, process });
    }

    fn process(&mut self, process: RawId) -> u32 {
        let ids = &mut self.process_ids;
        *self.processes.entry(process).or_insert_with(|| {
            ids.push(process);
            u32::try_from(ids.len() - 1).unwrap_or(u32::MAX)
        })
    }

    fn group(&mut self, group: Group) -> u32 {
        let number = match self.last {
            Some((last, number)) if last == group => number,
            _ => {
                let groups = &mut self.groups;
                *self.group_by_key.entry(group).or_insert_with(|| {
                    groups.push(group);
                    u32::try_from(groups.len() - 1).unwrap_or(u32::MAX)
                })
            }
        };
        self.last = Some((group, number));
        number
    }

    /// Serializes or deserializes the points of a shard.
    pub(super) fn serialize(&mut self, way: &mut Way<'_>) {
        way.column(&mut self.points);
        way.column(&mut self.groups);
        way.column(&mut self.process_ids);
    }

    /// Adds the points of the next shard.
    pub(super) fn absorb(&mut self, piece: Self, handles: &Handles) {
        let moved = |group: &Group| match *group {
            Group::Thread(process, thread) => Group::Thread(handles.raw(process), handles.raw(thread)),
            Group::Id(kind, name, id) => Group::Id(handles.name(kind), handles.name(name), ids::moved(handles, id)),
        };
        let groups: Vec<u32> = piece.groups.iter().map(|group| self.group(moved(group))).collect();
        let processes: Vec<u32> = piece.process_ids.iter().map(|id| self.process(handles.raw(*id))).collect();
        let number = |own: u32, all: &[u32]| all.get(own as usize).copied().unwrap_or(u32::MAX);
        self.points.extend(piece.points.into_iter().map(|point| Point {
            row: point.row.map(|row| handles.row(row)),
            name: point.name.map(|name| handles.name(name)),
            group: number(point.group, &groups),
            process: number(point.process, &processes),
            ..point
        }));
    }

    /// Sets the ends of the slices.
    pub(super) fn finish(mut self, core: &mut Core) {
        // Equal times stay in the order of the file.
        self.points.sort_by_key(|point| (point.group, point.at));
        let mut unclosed: Vec<(Point, Code)> = Vec::new();
        let mut open = Open::default();
        for points in self.points.chunk_by(|a, b| a.group == b.group) {
            let on_thread = matches!(self.groups[points[0].group as usize], Group::Thread(..));
            for point in points {
                if point.row.is_some() {
                    open.push(*point);
                } else if on_thread {
                    open.end_on_thread(core, point);
                } else {
                    open.end_of_id(core, point);
                }
            }
            let code = if on_thread { Code::UnclosedSlice } else { Code::UnfinishedAsync };
            unclosed.extend(open.take().into_iter().map(|point| (point, code)));
        }
        if !unclosed.is_empty() {
            let latest = core.builder.latest().max(self.points.iter().map(|point| point.at).max());
            for (point, code) in unclosed {
                close(core, &point, latest.unwrap_or(point.at));
                tell(core, code, &point);
            }
        }
    }
}

/// The open slices of a group.
#[derive(Default)]
struct Open {
    points: Vec<Point>,
    /// The number of open slices by name.
    names: FastMap<NameId, u32>,
}

impl Open {
    fn push(&mut self, point: Point) {
        *self.names.entry(point.name.unwrap_or_default()).or_default() += 1;
        self.points.push(point);
    }

    fn remove(&mut self, index: usize) -> Point {
        let point = self.points.remove(index);
        if let Some(count) = self.names.get_mut(&point.name.unwrap_or_default()) {
            *count -= 1;
        }
        point
    }

    fn take(&mut self) -> Vec<Point> {
        self.names.clear();
        std::mem::take(&mut self.points)
    }

    /// Ends the innermost open slice; if the end has a name, the innermost one with that name.
    fn end_on_thread(&mut self, core: &mut Core, end: &Point) {
        let named = |name: NameId| self.names.get(&name).is_some_and(|count| *count > 0);
        if self.points.is_empty() || end.name.is_some_and(|name| !named(name)) {
            return tell(core, Code::EndWithoutBegin, end);
        }
        while let Some(index) = self.points.len().checked_sub(1) {
            let point = self.remove(index);
            close(core, &point, end.at);
            if end.name.is_none() || point.name == end.name {
                return;
            }
            // A slice begun inside that never ended: it cannot outlast the one around it.
            tell(core, Code::UnclosedSlice, &point);
        }
    }

    /// Ends the last open operation of the process, or else of another process.
    fn end_of_id(&mut self, core: &mut Core, end: &Point) {
        /// The most open operations that are searched: one id has few.
        const MOST: usize = 1000;
        let Some(last) = self.points.len().checked_sub(1) else {
            return tell(core, Code::EndWithoutBegin, end);
        };
        // An id is global, but many writers number operations per process.
        let here = self.points.iter().rev().take(MOST).position(|point| point.process == end.process);
        let point = self.remove(here.map_or(last, |behind| last - behind));
        close(core, &point, end.at);
    }
}

fn close(core: &mut Core, point: &Point, at: Nanos) {
    if let Some(row) = point.row {
        core.builder.end_slice(row, at);
    }
}

fn tell(core: &mut Core, code: Code, point: &Point) {
    let Core { builder, warnings } = core;
    warnings.add(code, Some(point.position), || builder.text(point.name.unwrap_or_default()).to_owned());
}

type PointRow = (Nanos, (Option<AddedSlice>, (Option<NameId>, (u64, (u32, u32)))));

impl SerializedRow for Point {
    const SIZE: usize = PointRow::SIZE;

    fn put(&self, place: &mut [u8]) {
        let Self { at, row, name, position, group, process } = *self;
        (at, (row, (name, (position, (group, process))))).put(place);
    }

    fn of(place: &[u8]) -> Self {
        let (at, (row, (name, (position, (group, process))))) = PointRow::of(place);
        Self { at, row, name, position, group, process }
    }
}

type GroupRow = (bool, (RawId, (RawId, u64)));

impl SerializedRow for Group {
    const SIZE: usize = GroupRow::SIZE;

    fn put(&self, place: &mut [u8]) {
        let row: GroupRow = match *self {
            Self::Thread(process, thread) => (true, (process, (thread, 0))),
            Self::Id(kind, name, id) => (false, (RawId::Text(kind), (RawId::Text(name), id))),
        };
        row.put(place);
    }

    fn of(place: &[u8]) -> Self {
        match GroupRow::of(place) {
            (false, (RawId::Text(kind), (RawId::Text(name), id))) => Self::Id(kind, name, id),
            (_, (process, (thread, _))) => Self::Thread(process, thread),
        }
    }
}
