//! Allocated and reserved bytes after each event.

use super::blocks::Pairs;
use super::config::MemoryConfig;
use super::curve::{MemoryCurve, MemoryPoint, curve};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{MemoryEvent, MemoryPool, Trace};

/// The source of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelSource {
    /// The producer: its totals are used as they are.
    Recorded,
    /// Counted here, since the producer gives no totals, or totals that begin at zero and become negative. The count
    /// begins with the blocks that were released and not allocated during the recording. It lacks memory that stays
    /// allocated from before the recording to its end.
    Counted,
}

/// A sum of bytes over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The source of the values.
    pub source: LevelSource,
    /// Before the first event; if the producer records no changes, but the sum with other events: at the first one.
    pub first: i64,
    /// After the last one.
    pub last: i64,
    /// The peak.
    pub peak: i64,
    /// The first time of the peak.
    pub peak_at: Nanos,
}

/// Memory that is reserved and not allocated: reserved − allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragmentation {
    /// At the peak of allocated memory.
    pub at_peak: i64,
    /// Its own peak.
    pub most: i64,
    /// The first time of that.
    pub most_at: Nanos,
}

/// The levels after an event, or before the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    /// The event; none for the time before the first one.
    pub(super) event: Option<usize>,
    pub(super) at: Nanos,
    pub(super) allocated: i64,
    pub(super) reserved: Option<i64>,
}

impl Point {
    pub(super) fn drawn(self) -> MemoryPoint {
        MemoryPoint { at: self.at, allocated: self.allocated, reserved: self.reserved }
    }
}

/// Both levels of a device or the host.
pub(super) struct Levels<'a> {
    trace: &'a Trace,
    device: u16,
    allocated: Start,
    reserved: Option<Start>,
}

/// The start of a level.
#[derive(Clone, Copy)]
struct Start {
    source: LevelSource,
    bytes: i64,
    /// Whether the level is known before the first event.
    before: bool,
}

impl<'a> Levels<'a> {
    /// The levels of a device or the host. Finding the pairs takes longer than all else, so they are requested only
    /// where levels are counted here.
    pub(super) fn of<'p>(trace: &'a Trace, device: u16, pairs: &dyn Fn() -> &'p Pairs) -> Self {
        let here = || trace.memory.iter().filter(move |event| event.device == device);
        let start = |pool: MemoryPool, total: fn(&MemoryEvent) -> Option<i64>| {
            let any = here().any(|event| event.pool == pool);
            // Reserved memory cannot be less than allocated memory: PyTorch gives zeros for the host.
            let short =
                |event: &MemoryEvent| event.known_allocated().zip(event.known_reserved()).is_some_and(|(a, r)| r < a);
            let told = here().all(|event| total(event).is_some_and(|total| total >= 0))
                && (pool == MemoryPool::Allocated || !here().any(short));
            if told && here().any(|event| total(event) != Some(0)) {
                let first = here().next();
                let own = first.filter(|event| event.pool == pool).map_or(0, |event| event.bytes);
                let after = first.and_then(total).unwrap_or_default();
                let bytes = after.saturating_sub(own).max(0);
                return Some(Start { source: LevelSource::Recorded, bytes, before: any });
            }
            let bytes = || pairs().before(trace, device, pool);
            any.then(|| Start { source: LevelSource::Counted, bytes: bytes(), before: true })
        };
        let nothing = Start { source: LevelSource::Counted, bytes: 0, before: true };
        Self {
            trace,
            device,
            allocated: start(MemoryPool::Allocated, MemoryEvent::known_allocated).unwrap_or(nothing),
            reserved: start(MemoryPool::Reserved, MemoryEvent::known_reserved),
        }
    }

    /// The levels before the first event and after each.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> + '_ {
        let (mut allocated, mut reserved) = (self.allocated.bytes, self.reserved.map(|start| start.bytes));
        let mut here = self.trace.memory.iter().enumerate().filter(|(_, event)| event.device == self.device).peekable();
        let held = reserved.filter(|_| self.reserved.is_some_and(|start| start.before));
        let first = here.peek().map(|(_, event)| Point { event: None, at: event.at, allocated, reserved: held });
        let after = here.map(move |(index, event)| {
            let next = |start: Start, before: i64, pool: MemoryPool, total: Option<i64>| match start.source {
                LevelSource::Recorded => total.unwrap_or(before),
                LevelSource::Counted if event.pool == pool => before.saturating_add(event.bytes),
                LevelSource::Counted => before,
            };
            allocated = next(self.allocated, allocated, MemoryPool::Allocated, event.known_allocated());
            if let (Some(start), Some(bytes)) = (self.reserved, reserved.as_mut()) {
                *bytes = next(start, *bytes, MemoryPool::Reserved, event.known_reserved());
            }
            Point { event: Some(index), at: event.at, allocated, reserved }
        });
        first.into_iter().chain(after)
    }

    /// The first point with the most allocated memory.
    pub(super) fn peak(&self) -> Option<Point> {
        self.points().reduce(|most, point| if point.allocated > most.allocated { point } else { most })
    }

    /// The allocated memory, over all of the time or in a span.
    pub(super) fn allocated(&self, span: Option<Interval>) -> Level {
        let source = self.allocated.source;
        let level = self.level(source, |point| Some(point.allocated), span);
        level.unwrap_or(Level { source, first: 0, last: 0, peak: 0, peak_at: Nanos::ZERO })
    }

    /// The reserved memory, likewise; none if that is not known.
    pub(super) fn reserved(&self, span: Option<Interval>) -> Option<Level> {
        let source = self.reserved?.source;
        let level = self.level(source, |point| point.reserved, span);
        // Over all of the time, the level exists, but without values.
        level.or_else(|| span.is_none().then_some(Level { source, first: 0, last: 0, peak: 0, peak_at: Nanos::ZERO }))
    }

    fn level(&self, source: LevelSource, of: fn(&Point) -> Option<i64>, span: Option<Interval>) -> Option<Level> {
        let mut level: Option<Level> = None;
        for (point, bytes) in self.points().filter_map(|point| Some((point, of(&point)?))) {
            let new = Level { source, first: bytes, last: bytes, peak: bytes, peak_at: point.at };
            if let Some(span) = span {
                if point.event.is_none() || point.at < span.start {
                    level = Some(Level { peak_at: span.start, ..new });
                    continue;
                }
                if point.at >= span.end {
                    break;
                }
            }
            let known = level.get_or_insert(new);
            known.last = bytes;
            if bytes > known.peak {
                (known.peak, known.peak_at) = (bytes, point.at);
            }
        }
        level
    }

    pub(super) fn curve(&self, config: &MemoryConfig) -> MemoryCurve {
        let mut ends = self.points().map(|point| point.at);
        let Some(first) = ends.next() else { return MemoryCurve::default() };
        let whole = Interval::new(first, ends.last().unwrap_or(first));
        curve(&mut self.points().map(Point::drawn), whole, config)
    }

    pub(super) fn fragmentation(&self) -> Option<Fragmentation> {
        let unused = |point: &Point| Some((point.reserved?.saturating_sub(point.allocated), point.at));
        let (at_peak, _) = unused(&self.peak()?)?;
        let most = self.points().filter_map(|point| unused(&point));
        let (most, most_at) = most.reduce(|most, next| if next.0 > most.0 { next } else { most })?;
        Some(Fragmentation { at_peak, most, most_at })
    }
}
