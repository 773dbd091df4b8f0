//! How much is allocated and reserved, event by event.

use super::blocks::Pairs;
use super::config::MemoryConfig;
use super::curve::{MemoryCurve, MemoryPoint, curve};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{MemoryEvent, MemoryPool, Trace};

/// Who counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelSource {
    /// The producer: its totals are taken as they are.
    Recorded,
    /// We did, since the producer gives no totals, or such as begin at zero and become negative: beginning with the
    /// blocks that were released and not allocated while it looked. What stays allocated from before the recording to
    /// its end is not in it.
    Counted,
}

/// A sum of bytes over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Who counted.
    pub source: LevelSource,
    /// Before the first event; if the producer does not tell of changes, but of the sum with other events: at the first.
    pub first: i64,
    /// After the last one.
    pub last: i64,
    /// The most.
    pub peak: i64,
    /// When that was reached first.
    pub peak_at: Nanos,
}

/// Memory that is reserved and not allocated: reserved − allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragmentation {
    /// When most was allocated.
    pub at_peak: i64,
    /// The most of it.
    pub most: i64,
    /// When that was first.
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

/// Both levels of a place.
pub(super) struct Levels<'a> {
    trace: &'a Trace,
    device: u16,
    allocated: Start,
    reserved: Option<Start>,
}

/// Where a level begins.
#[derive(Clone, Copy)]
struct Start {
    source: LevelSource,
    bytes: i64,
    /// Whether that is known before the first event.
    before: bool,
}

impl<'a> Levels<'a> {
    /// The levels of a place. Finding the pairs takes longer than all else: only where nobody else counted are they asked for.
    pub(super) fn of<'p>(trace: &'a Trace, device: u16, pairs: &dyn Fn() -> &'p Pairs) -> Self {
        let here = || trace.memory.iter().filter(move |event| event.device == device);
        let start = |pool: MemoryPool, total: fn(&MemoryEvent) -> Option<i64>| {
            let any = here().any(|event| event.pool == pool);
            // No less than what is allocated can be reserved: PyTorch gives zeros for the host.
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

    /// Where most is allocated: the first such point.
    pub(super) fn peak(&self) -> Option<Point> {
        self.points().reduce(|most, point| if point.allocated > most.allocated { point } else { most })
    }

    /// What is allocated, over all of the time or in a span.
    pub(super) fn allocated(&self, span: Option<Interval>) -> Level {
        let source = self.allocated.source;
        let level = self.level(source, |point| Some(point.allocated), span);
        level.unwrap_or(Level { source, first: 0, last: 0, peak: 0, peak_at: Nanos::ZERO })
    }

    /// What is reserved, likewise; nothing if that is not known.
    pub(super) fn reserved(&self, span: Option<Interval>) -> Option<Level> {
        let source = self.reserved?.source;
        let level = self.level(source, |point| point.reserved, span);
        // Over all of the time it is known that nothing is known.
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
        let drawn = |Point { at, allocated, reserved, .. }: Point| MemoryPoint { at, allocated, reserved };
        curve(&mut self.points().map(drawn), whole, config)
    }

    pub(super) fn fragmentation(&self) -> Option<Fragmentation> {
        let unused = |point: &Point| Some((point.reserved?.saturating_sub(point.allocated), point.at));
        let (at_peak, _) = unused(&self.peak()?)?;
        let most = self.points().filter_map(|point| unused(&point));
        let (most, most_at) = most.reduce(|most, next| if next.0 > most.0 { next } else { most })?;
        Some(Fragmentation { at_peak, most, most_at })
    }
}
