//! Moving from hit to hit in the order of time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use stepscope_base::Nanos;
use stepscope_trace::{EventId, Trace};

/// An event that a query finds. At the same time, slices come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HitEvent {
    /// A slice.
    Slice(EventId),
    /// An instant event, by its index in [`Trace::instants`].
    Instant(usize),
}

/// The current place among the hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitPlace {
    /// At an event, which may be a hit.
    Event(HitEvent),
    /// Before everything that starts at this time.
    Time(Nanos),
}

/// The direction of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To a later start.
    Next,
    /// To an earlier start.
    Previous,
}

/// A hit, and its index among all, by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The event.
    pub event: HitEvent,
    /// Number of hits before it.
    pub number: usize,
}

/// The events that a query finds: slices sorted by handle, as [`find`](super::find) gives them, and instant events by
/// time, as [`find_instants`](super::find_instants) does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hits<'a> {
    /// The slices.
    pub slices: &'a [EventId],
    /// The instant events.
    pub instants: &'a [usize],
}

impl<'a> Hits<'a> {
    /// Number of events.
    #[must_use]
    pub fn len(self) -> usize {
        self.slices.len() + self.instants.len()
    }

    /// Whether there are no hits.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.slices.is_empty() && self.instants.is_empty()
    }

    /// The hits of each track, and the instant events: each sorted by time already.
    fn runs(self, trace: &'a Trace) -> impl Iterator<Item = Run<'a>> {
        let mut rest = self.slices;
        let run = move |end: usize| {
            let (run, behind) = rest.split_at(rest.partition_point(|id| id.index() < end));
            rest = behind;
            Run::Slices(run)
        };
        let instants = std::iter::once(Run::Instants(self.instants));
        trace.tracks.iter().map(|track| track.rows().end).map(run).chain(instants).filter(|run| run.len() > 0)
    }
}

/// Hits that are sorted by time.
#[derive(Clone, Copy, Debug)]
enum Run<'a> {
    Slices(&'a [EventId]),
    Instants(&'a [usize]),
}

impl Run<'_> {
    fn len(self) -> usize {
        match self {
            Self::Slices(hits) => hits.len(),
            Self::Instants(hits) => hits.len(),
        }
    }

    fn get(self, at: usize) -> Option<HitEvent> {
        match self {
            Self::Slices(hits) => hits.get(at).copied().map(HitEvent::Slice),
            Self::Instants(hits) => hits.get(at).copied().map(HitEvent::Instant),
        }
    }

    fn partition_point(self, is_passed: impl Fn(HitEvent) -> bool) -> usize {
        match self {
            Self::Slices(hits) => hits.partition_point(|hit| is_passed(HitEvent::Slice(*hit))),
            Self::Instants(hits) => hits.partition_point(|hit| is_passed(HitEvent::Instant(*hit))),
        }
    }
}

/// The start of an event, and the event: the key by which hits are sorted.
fn key(trace: &Trace, event: HitEvent) -> (Nanos, HitEvent) {
    let at = match event {
        HitEvent::Slice(id) => trace.slices.start(id),
        HitEvent::Instant(index) => trace.instants.get(index).map_or(Nanos::ZERO, |mark| mark.at),
    };
    (at, event)
}

/// The next hit in the order of start (equal starts by handle), over all tracks. The search wraps around at both ends.
/// None if there are no hits.
///
/// Nothing is sorted here: it costs a binary search per track.
#[must_use]
pub fn next_hit(trace: &Trace, hits: Hits<'_>, from: HitPlace, direction: Direction) -> Option<Hit> {
    let key = |event: HitEvent| key(trace, event);
    let is_passed = |event: HitEvent| match (from, direction) {
        (HitPlace::Event(at), Direction::Next) => key(event) <= key(at),
        (HitPlace::Event(at), Direction::Previous) => key(event) < key(at),
        (HitPlace::Time(at), _) => key(event).0 < at,
    };
    let passed: usize = hits.runs(trace).map(|run| run.partition_point(is_passed)).sum();
    let (number, wraps) = match direction {
        Direction::Next if passed < hits.len() => (passed, false),
        Direction::Next => (0, true),
        Direction::Previous if passed > 0 => (passed - 1, false),
        Direction::Previous => (hits.len().checked_sub(1)?, true),
    };
    let event = match direction {
        Direction::Next => {
            let first = |run: Run<'_>| run.get(if wraps { 0 } else { run.partition_point(is_passed) });
            hits.runs(trace).filter_map(first).min_by_key(|event| key(*event))
        }
        Direction::Previous => {
            let end = |run: Run<'_>| if wraps { run.len() } else { run.partition_point(is_passed) };
            let last = |run: Run<'_>| run.get(end(run).checked_sub(1)?);
            hits.runs(trace).filter_map(last).max_by_key(|event| key(*event))
        }
    };
    Some(Hit { event: event?, number })
}

/// Hits in the order of start, over all tracks.
#[derive(Debug)]
pub struct HitsByTime<'a> {
    trace: &'a Trace,
    /// The first remaining hit of each run, with the run's number.
    heads: BinaryHeap<Reverse<(Nanos, HitEvent, usize)>>,
    /// The runs, and the number of hits taken from each.
    runs: Vec<(Run<'a>, usize)>,
}

impl<'a> HitsByTime<'a> {
    /// All hits in the order of start; equal starts by handle.
    #[must_use]
    pub fn new(trace: &'a Trace, hits: Hits<'a>) -> Self {
        let runs = hits.runs(trace).map(|run| (run, 0)).collect();
        let mut found = Self { trace, heads: BinaryHeap::new(), runs };
        for run in 0..found.runs.len() {
            found.pull(run);
        }
        found
    }

    fn pull(&mut self, number: usize) {
        let (run, taken) = &mut self.runs[number];
        if let Some(event) = run.get(*taken) {
            *taken += 1;
            self.heads.push(Reverse((key(self.trace, event).0, event, number)));
        }
    }
}

impl Iterator for HitsByTime<'_> {
    type Item = HitEvent;

    fn next(&mut self) -> Option<HitEvent> {
        let Reverse((_, event, run)) = self.heads.pop()?;
        self.pull(run);
        Some(event)
    }
}
