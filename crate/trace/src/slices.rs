//! Slices: events with a start and an end. One row each, stored by columns.

use std::ops::Range;

use super::ids::{EventId, NameId, TrackId};
use stepscope_base::{Interval, Nanos, partition_point_near};

/// The class of a slice, for all producers. METRICS section 1, "classes of activity".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// A framework's operator on the host.
    Operator,
    /// A range that the framework or the user marked on the host, steps among them.
    Annotation,
    /// A function of Python, or a module's call.
    PythonFrame,
    /// A call of the device's runtime or driver on the host.
    RuntimeCall,
    /// A kernel on a device; [`super::Activity`] has whether it computes or communicates.
    Kernel,
    /// A copy that the device ran.
    Memcpy,
    /// A memset that the device ran.
    Memset,
    /// A host range that is mirrored to the device: no activity.
    DeviceAnnotation,
    /// Waiting for a device, a stream or an event, shown on the device's rows: no activity.
    Synchronization,
    /// A point of order on a device's stream, such as waiting for an event: no activity.
    DeviceMarker,
    /// The profiler's own overhead.
    Overhead,
    /// The profiled window.
    ProfilerSpan,
    /// An operation without a thread, from its beginning to its end, such as a request or a promise.
    Async,
    /// Anything else.
    Other,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Operator,
        Self::Annotation,
        Self::PythonFrame,
        Self::RuntimeCall,
        Self::Kernel,
        Self::Memcpy,
        Self::Memset,
        Self::DeviceAnnotation,
        Self::Synchronization,
        Self::DeviceMarker,
        Self::Overhead,
        Self::ProfilerSpan,
        Self::Async,
        Self::Other,
    ];

    /// The class with that [`name`](Self::name).
    #[must_use]
    pub fn named(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name().as_bytes() == name)
    }

    /// Whether it ran on a device: kernels, copies and memsets.
    #[must_use]
    #[inline]
    pub fn is_activity(self) -> bool {
        matches!(self, Self::Kernel | Self::Memcpy | Self::Memset)
    }

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Annotation => "annotation",
            Self::PythonFrame => "python_frame",
            Self::RuntimeCall => "runtime_call",
            Self::Kernel => "kernel",
            Self::Memcpy => "memcpy",
            Self::Memset => "memset",
            Self::DeviceAnnotation => "device_annotation",
            Self::Synchronization => "synchronization",
            Self::DeviceMarker => "device_marker",
            Self::Overhead => "overhead",
            Self::ProfilerSpan => "profiler_span",
            Self::Async => "async",
            Self::Other => "other",
        }
    }
}

/// A place in the uncompressed input, in five bytes: up to 1 TB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position([u8; 5]);

impl Position {
    /// The position at a byte; positions beyond 1 TB become the last one.
    #[must_use]
    #[inline]
    pub fn new(byte: u64) -> Self {
        let bytes = byte.min((1 << 40) - 1).to_le_bytes();
        Self([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4]])
    }

    /// The byte.
    #[must_use]
    #[inline]
    pub fn byte(self) -> u64 {
        let [a, b, c, d, e] = self.0;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0])
    }
}

/// The slices of a trace, sorted by track, then start, then the longer first, then as in the file.
///
/// All columns have one row per slice. `parent` is the innermost slice of the same track that wholly contains it
/// (`parent.start ≤ start < parent.end` and `end ≤ parent.end`), or none; `depth` is the number of its ancestors.
#[derive(Clone, Debug, Default)]
pub struct Slices {
    pub(super) start: Vec<Nanos>,
    pub(super) length: Vec<Nanos>,
    pub(super) name: Vec<NameId>,
    /// The first row after each track: as slices are sorted by track, they need no column for it.
    pub(super) track_ends: Vec<u32>,
    pub(super) class: Vec<Class>,
    pub(super) category: Vec<u16>,
    pub(super) detail: Vec<u32>,
    pub(super) parent: Vec<EventId>,
    pub(super) depth: Vec<u16>,
    pub(super) position: Vec<Position>,
    /// The latest end of each [`BLOCK`] rows, so that slices that extend into a span are found without looking at all
    /// before it.
    pub(super) latest_ends: Vec<Nanos>,
}

/// Number of rows that share a latest end.
const BLOCK: usize = 64;

/// The value of [`Slices::detail`] for a slice without a row in its class's table.
pub(super) const NO_DETAIL: u32 = u32::MAX;

impl Slices {
    /// Number of slices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are no slices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Every slice's handle, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = EventId> + use<> {
        (0..self.len()).map(EventId::from_index)
    }

    /// Its start.
    #[must_use]
    #[inline]
    pub fn start(&self, id: EventId) -> Nanos {
        self.start[id.index()]
    }

    /// Its end: the first point after it.
    #[must_use]
    #[inline]
    pub fn end(&self, id: EventId) -> Nanos {
        self.start[id.index()] + self.length[id.index()]
    }

    /// Its length; never negative.
    #[must_use]
    #[inline]
    pub fn length(&self, id: EventId) -> Nanos {
        self.length[id.index()]
    }

    /// Its start and end.
    #[must_use]
    #[inline]
    pub fn interval(&self, id: EventId) -> Interval {
        Interval::new(self.start(id), self.end(id))
    }

    /// Its name.
    #[must_use]
    #[inline]
    pub fn name(&self, id: EventId) -> NameId {
        self.name[id.index()]
    }

    /// Its track.
    #[must_use]
    #[inline]
    pub fn track(&self, id: EventId) -> TrackId {
        TrackId::from_index(self.track_ends.partition_point(|end| *end <= id.0))
    }

    /// Its class.
    #[must_use]
    #[inline]
    pub fn class(&self, id: EventId) -> Class {
        self.class[id.index()]
    }

    /// Its category: a number in the trace's list of categories.
    #[must_use]
    #[inline]
    pub fn category(&self, id: EventId) -> u16 {
        self.category[id.index()]
    }

    /// The innermost slice of the same track that contains it.
    #[must_use]
    #[inline]
    pub fn parent(&self, id: EventId) -> Option<EventId> {
        self.parent[id.index()].get()
    }

    /// Number of its ancestors.
    #[must_use]
    #[inline]
    pub fn depth(&self, id: EventId) -> u16 {
        self.depth[id.index()]
    }

    /// The byte of the uncompressed input at which its event starts.
    #[must_use]
    pub fn position(&self, id: EventId) -> u64 {
        self.position[id.index()].byte()
    }

    /// Its row in the table of its class, if it has one.
    #[inline]
    pub(super) fn detail(&self, id: EventId) -> Option<usize> {
        let detail = self.detail[id.index()];
        (detail != NO_DETAIL).then_some(detail as usize)
    }

    /// The first of a track's rows that starts at a time or later; the end of the rows if there is none.
    #[must_use]
    pub fn first_at(&self, rows: Range<usize>, at: Nanos) -> usize {
        rows.start + self.start[rows].partition_point(|start| *start < at)
    }

    /// The same, searched from a row that is probably close to it.
    #[must_use]
    pub fn first_near(&self, rows: Range<usize>, at: Nanos, near: usize) -> usize {
        let near = near.saturating_sub(rows.start);
        rows.start + partition_point_near(&self.start[rows], near, |start| *start < at)
    }

    /// The slices of a track by start: all, or those with a point in common with a span; one without length if it is
    /// inside.
    ///
    /// The time is that of the found slices, and of a look at each 64 rows before the span.
    pub fn touching(&self, rows: Range<usize>, span: Option<Interval>) -> impl Iterator<Item = EventId> + '_ {
        let (before, inside, at) = match span {
            None => (0..0, rows, Nanos::MAX),
            Some(span) => {
                let first = self.first_at(rows.clone(), span.start);
                let last = self.first_at(first..rows.end, span.end);
                // An empty span has no point.
                (if span.is_empty() { 0..0 } else { rows.start..first }, first..last, span.start)
            }
        };
        self.reaching(before, at).chain(inside.map(EventId::from_index))
    }

    /// Slices of some rows that end after a point.
    fn reaching(&self, rows: Range<usize>, at: Nanos) -> impl Iterator<Item = EventId> + '_ {
        let blocks = rows.start / BLOCK..rows.end.div_ceil(BLOCK);
        let reaching = blocks.filter(move |block| self.latest_ends[*block] > at);
        let inside =
            reaching.flat_map(move |block| (block * BLOCK).max(rows.start)..((block + 1) * BLOCK).min(rows.end));
        inside.map(EventId::from_index).filter(move |id| self.end(*id) > at)
    }

    /// The end of the last slice; none without slices.
    #[must_use]
    pub fn latest_end(&self) -> Option<Nanos> {
        self.latest_ends.iter().copied().reduce(Nanos::max)
    }

    /// The slices with a name, by handle.
    pub fn named(&self, name: NameId) -> impl Iterator<Item = EventId> + '_ {
        let rows = self.name.iter().enumerate().filter(move |(_, other)| **other == name);
        rows.map(|(row, _)| EventId::from_index(row))
    }

    /// Fills [`latest_ends`](Self::latest_ends) after all rows are in their places.
    pub(super) fn index_ends(&mut self) {
        let blocks = self.start.chunks(BLOCK).zip(self.length.chunks(BLOCK));
        let latest = blocks.map(|(starts, lengths)| {
            starts.iter().zip(lengths).map(|(start, length)| *start + *length).fold(Nanos::MIN, Nanos::max)
        });
        self.latest_ends = latest.collect();
    }

    /// The ancestors, the innermost first.
    pub fn ancestors(&self, id: EventId) -> impl Iterator<Item = EventId> + '_ {
        std::iter::successors(self.parent(id), |ancestor| self.parent(*ancestor))
    }

    /// Bytes per slice in the columns here.
    #[must_use]
    pub fn bytes_per_slice() -> usize {
        2 * size_of::<Nanos>()
            + size_of::<NameId>()
            + size_of::<Class>()
            + size_of::<u16>() * 2
            + size_of::<u32>()
            + size_of::<EventId>()
            + size_of::<Position>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop, prop_assert_eq, proptest};

    use super::*;
    use crate::{Layer, NewSlice, RawId, TraceBuilder};
    use stepscope_base::Warnings;

    proptest! {
        #[test]
        fn what_touches_a_span_is_found_however_slices_overlap(
            spans in prop::collection::vec((0..3_i64, 0..900_i64, 0..40_i64, prop::bool::weighted(0.05)), 1..400),
            windows in prop::collection::vec((0..900_i64, 0..60_i64), 1..20),
        ) {
            let mut builder = TraceBuilder::new();
            let (category, name) = (builder.category(b"cpu_op"), builder.intern(b"op"));
            for (thread, start, length, long) in spans {
                let track = builder.track(RawId::Number(1), RawId::Number(thread), Layer::Host, None);
                let end = Nanos(start + if long { 20 * length } else { length });
                let start = Nanos(start);
                builder.slice(NewSlice { track, class: Class::Operator, category, name, start, end, position: 0 });
            }
            let trace = builder.finish(&mut Warnings::default()).expect("a small trace");
            let slices = &trace.slices;
            for (start, length) in windows {
                let span = Interval::new(Nanos(start), Nanos(start + length));
                for track in &trace.tracks {
                    let touches = |id: &EventId| {
                        let own = slices.interval(*id);
                        let moment = own.is_empty() && span.start <= own.start && own.start < span.end;
                        moment || !own.intersection(span).is_empty()
                    };
                    let expected: Vec<EventId> = track.events().filter(touches).collect();
                    prop_assert_eq!(slices.touching(track.rows(), Some(span)).collect::<Vec<_>>(), expected);
                }
            }
        }
    }
}
