//! Sums of the slices in a span of time: one sweep over all tracks by time, without storing intervals.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use crate::intervals::newly_covered;
use crate::mean;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, EventId, Layer, NameId, Trace, TrackId};

/// Sums of slices in a span. Sums and unions count only the parts inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RangeSums {
    /// Number of slices with a point in common with the span.
    pub slices: u64,
    /// Number of these that begin in it.
    pub begun: u64,
    /// The sum of their lengths in the span.
    pub sum: Nanos,
    /// The time during which any of them runs.
    pub union: Nanos,
    /// The sum without the parts in other slices of the same track: their own time.
    pub own: Nanos,
    /// The sum of their whole lengths, including parts outside of the span.
    pub lengths: Nanos,
    /// The shortest whole length.
    pub shortest: Nanos,
    /// The longest whole length.
    pub longest: Nanos,
    /// The first slice of that length; none without slices.
    pub longest_slice: EventId,
}

impl RangeSums {
    /// The mean of their whole lengths, rounded half to even.
    #[must_use]
    pub fn mean(&self) -> Nanos {
        mean(self.lengths, self.slices)
    }

    fn add(&mut self, slice: &Touching) {
        self.shortest = if self.slices == 0 { slice.whole } else { self.shortest.min(slice.whole) };
        if self.slices == 0 || slice.whole > self.longest {
            (self.longest, self.longest_slice) = (slice.whole, slice.id);
        }
        self.slices += 1;
        self.begun += u64::from(slice.begins);
        let inside = slice.inside.len();
        self.sum += inside;
        self.own += inside;
        self.lengths += slice.whole;
    }
}

/// A slice that touches the span.
struct Touching {
    id: EventId,
    inside: Interval,
    whole: Nanos,
    begins: bool,
}

/// Sums, and the time until which they are covered: slices come by start.
#[derive(Clone, Copy)]
struct Covered {
    sums: RangeSums,
    until: Nanos,
}

impl Covered {
    const NONE: Self = Self {
        sums: RangeSums {
            slices: 0,
            begun: 0,
            sum: Nanos::ZERO,
            union: Nanos::ZERO,
            own: Nanos::ZERO,
            lengths: Nanos::ZERO,
            shortest: Nanos::ZERO,
            longest: Nanos::ZERO,
            longest_slice: EventId::NONE,
        },
        until: Nanos::MIN,
    };

    fn add(&mut self, slice: &Touching) {
        self.sums.add(slice);
        self.sums.union += newly_covered(&mut self.until, slice.inside);
    }
}

/// The slices of a name and class.
struct Named {
    name: NameId,
    class: Class,
    covered: Covered,
    /// The row of the same name and another class; [`NO_ROW`] if there is none.
    next: u32,
}

const NO_ROW: u32 = u32::MAX;

/// An open slice, its row, and the time until which its inner slices cover it.
struct Open {
    id: EventId,
    row: usize,
    until: Nanos,
}

/// One track of the sweep.
struct Lane<I> {
    track: TrackId,
    /// Whether its slices nest: activities of a stream and asynchronous operations do not.
    nests: bool,
    rest: I,
    covered: Covered,
    open: Vec<Open>,
}

/// Sums of the slices of some tracks in a span.
pub(super) struct Swept {
    pub(super) names: Vec<(NameId, Class, RangeSums)>,
    pub(super) classes: Vec<(Class, RangeSums)>,
    pub(super) tracks: Vec<(TrackId, RangeSums)>,
    pub(super) whole: RangeSums,
}

/// Adds up the slices of tracks that touch a span.
pub(super) fn sweep(trace: &Trace, span: Interval, is_chosen: &dyn Fn(TrackId) -> bool) -> Swept {
    let tracks = trace.tracks.iter().enumerate().map(|(index, track)| (TrackId::from_index(index), track));
    let mut lanes: Vec<Lane<_>> = tracks
        .filter(|(id, _)| is_chosen(*id))
        .map(|(id, track)| Lane {
            track: id,
            nests: !matches!(track.layer, Layer::Device | Layer::Async),
            rest: trace.touching(track, Some(span)),
            covered: Covered::NONE,
            open: Vec::new(),
        })
        .collect();
    let mut sums = Sums::new(trace);
    // The next slice of each track, the earliest of all on top.
    let mut next: BinaryHeap<Reverse<(Nanos, usize, EventId)>> = BinaryHeap::with_capacity(lanes.len());
    for (index, lane) in lanes.iter_mut().enumerate() {
        next.extend(lane.rest.next().map(|id| Reverse((trace.slices.start(id), index, id))));
    }
    while let Some(mut top) = next.peek_mut() {
        let Reverse((start, index, id)) = *top;
        let lane = &mut lanes[index];
        match lane.rest.next() {
            Some(after) => *top = Reverse((trace.slices.start(after), index, after)),
            None => drop(PeekMut::pop(top)),
        }
        let whole = Interval::new(start, trace.slices.end(id));
        let slice = Touching { id, inside: whole.intersection(span), whole: whole.len(), begins: start >= span.start };
        lane.covered.add(&slice);
        let row = sums.add(trace, id, &slice);
        if lane.nests {
            let parent = trace.slices.parent(id);
            while lane.open.last().is_some_and(|open| Some(open.id) != parent) {
                lane.open.pop();
            }
            if let Some(parent) = lane.open.last_mut() {
                let taken = newly_covered(&mut parent.until, slice.inside);
                let parent = parent.row;
                sums.take(parent, taken);
                lane.covered.sums.own -= taken;
            }
            lane.open.push(Open { id, row, until: Nanos::MIN });
        }
    }
    let tracks = lanes.iter().filter(|lane| lane.covered.sums.slices > 0);
    let tracks = tracks.map(|lane| (lane.track, lane.covered.sums)).collect();
    let classes = Class::ALL.into_iter().zip(sums.classes.map(|class| class.sums));
    Swept {
        names: sums.names.iter().map(|row| (row.name, row.class, row.covered.sums)).collect(),
        classes: classes.filter(|(_, sums)| sums.slices > 0).collect(),
        tracks,
        whole: sums.whole.sums,
    }
}

struct Sums {
    names: Vec<Named>,
    /// The first row of each name.
    first: Vec<u32>,
    classes: [Covered; Class::ALL.len()],
    whole: Covered,
}

impl Sums {
    fn new(trace: &Trace) -> Self {
        Self {
            names: Vec::new(),
            first: vec![NO_ROW; trace.strings.len()],
            classes: [Covered::NONE; Class::ALL.len()],
            whole: Covered::NONE,
        }
    }

    /// Adds a slice; returns its row.
    fn add(&mut self, trace: &Trace, id: EventId, slice: &Touching) -> usize {
        let (name, class) = (trace.slices.name(id), trace.slices.class(id));
        let row = self.row(name, class);
        self.names[row].covered.add(slice);
        self.classes[class as usize].add(slice);
        self.whole.add(slice);
        row
    }

    /// Subtracts the time of an inner slice from a row's own time.
    fn take(&mut self, row: usize, taken: Nanos) {
        let row = &mut self.names[row];
        row.covered.sums.own -= taken;
        self.classes[row.class as usize].sums.own -= taken;
        self.whole.sums.own -= taken;
    }

    fn row(&mut self, name: NameId, class: Class) -> usize {
        let mut row = self.first[name.index()];
        while row != NO_ROW {
            let known = &self.names[row as usize];
            if known.class == class {
                return row as usize;
            }
            row = known.next;
        }
        let new = self.names.len();
        let next = std::mem::replace(&mut self.first[name.index()], u32::try_from(new).unwrap_or(NO_ROW));
        self.names.push(Named { name, class, covered: Covered::NONE, next });
        new
    }
}
