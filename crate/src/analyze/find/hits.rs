//! Going from hit to hit in the order of time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::trace::{EventId, Trace};
use crate::units::Nanos;

/// Where one is among the hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At an event, which may be a hit.
    Event(EventId),
    /// Before everything that starts then.
    Time(Nanos),
}

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To what starts later.
    Next,
    /// To what starts earlier.
    Previous,
}

/// A hit and which it is of all, by time, from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The slice.
    pub event: EventId,
    /// How many hits come before it.
    pub number: usize,
}

/// The hit that comes next in the order of start (those of one start by handle), over all tracks; behind the last comes
/// the first, before the first the last. None if there are no hits.
///
/// `hits` are sorted by handle, as [`find`](super::find) gives them: then each track's are sorted by start already, and
/// nothing is sorted here. It costs a binary search per track.
#[must_use]
pub fn next_hit(trace: &Trace, hits: &[EventId], from: Place, direction: Direction) -> Option<Hit> {
    let key = |id: &EventId| (trace.slices.start(*id), *id);
    let is_passed = |id: &EventId| match (from, direction) {
        (Place::Event(at), Direction::Next) => key(id) <= key(&at),
        (Place::Event(at), Direction::Previous) => key(id) < key(&at),
        (Place::Time(at), _) => trace.slices.start(*id) < at,
    };
    let passed: usize = runs(trace, hits).map(|run| run.partition_point(is_passed)).sum();
    let (number, wraps) = match direction {
        Direction::Next if passed < hits.len() => (passed, false),
        Direction::Next => (0, true),
        Direction::Previous if passed > 0 => (passed - 1, false),
        Direction::Previous => (hits.len().checked_sub(1)?, true),
    };
    let event = match direction {
        Direction::Next => {
            let first = |run: &[EventId]| run.get(if wraps { 0 } else { run.partition_point(is_passed) }).copied();
            runs(trace, hits).filter_map(first).min_by_key(key)
        }
        Direction::Previous => {
            let end = |run: &[EventId]| if wraps { run.len() } else { run.partition_point(is_passed) };
            runs(trace, hits).filter_map(|run| run[..end(run)].last().copied()).max_by_key(key)
        }
    };
    Some(Hit { event: event?, number })
}

/// Hits in the order of start, over all tracks.
#[derive(Debug)]
pub struct HitsByTime<'a> {
    trace: &'a Trace,
    /// The first hits of each track that are still to come, and where the others lie.
    heads: BinaryHeap<Reverse<(Nanos, EventId, usize)>>,
    runs: Vec<&'a [EventId]>,
}

impl<'a> HitsByTime<'a> {
    /// All hits, which are sorted by handle, in the order of start: those of one start by handle.
    #[must_use]
    pub fn new(trace: &'a Trace, hits: &'a [EventId]) -> Self {
        let mut found = Self { trace, heads: BinaryHeap::new(), runs: runs(trace, hits).collect() };
        for run in 0..found.runs.len() {
            found.pull(run);
        }
        found
    }

    fn pull(&mut self, run: usize) {
        if let Some((first, rest)) = self.runs[run].split_first() {
            self.heads.push(Reverse((self.trace.slices.start(*first), *first, run)));
            self.runs[run] = rest;
        }
    }
}

impl Iterator for HitsByTime<'_> {
    type Item = EventId;

    fn next(&mut self) -> Option<EventId> {
        let Reverse((_, event, run)) = self.heads.pop()?;
        self.pull(run);
        Some(event)
    }
}

/// The hits of each track.
fn runs<'a>(trace: &'a Trace, hits: &'a [EventId]) -> impl Iterator<Item = &'a [EventId]> {
    let mut rest = hits;
    let run = move |end: usize| {
        let (run, behind) = rest.split_at(rest.partition_point(|id| id.index() < end));
        rest = behind;
        run
    };
    trace.tracks.iter().map(|track| track.rows().end).map(run).filter(|run| !run.is_empty())
}
