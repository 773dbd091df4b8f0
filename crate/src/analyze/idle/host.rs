//! What the thread that launches did while a device waited for it.

use super::gaps::{Gap, IdleClass};
use super::meaning::Meanings;
use super::timeline::Timeline;
use super::{HostInGap, HostTimes};
use crate::analyze::intervals::Merger;
use crate::trace::{EventId, Layer, Trace, TrackId};
use crate::units::Interval;

/// What a thread does, in falling priority: the first that applies takes the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostActivity {
    /// It waits for the data loader.
    DataLoading,
    /// It waits for the device: `.item()`, `cudaStreamSynchronize`, `cudaMemcpy`, copies of pageable memory.
    Synchronization,
    /// It allocates or frees memory of the device, or memory that the device can read.
    Allocation,
    /// It is in another call of the runtime or driver; or it has come to the call that launches, and what that
    /// launched is on its way, unless the call waits for it.
    Launching,
    /// It is in another operator.
    Operator,
    /// It is in a function of Python, such as the garbage collector's.
    Python,
    /// The trace shows nothing.
    Unrecorded,
}

impl HostActivity {
    /// All, by falling priority.
    pub const ALL: [Self; 7] = [
        Self::DataLoading,
        Self::Synchronization,
        Self::Allocation,
        Self::Launching,
        Self::Operator,
        Self::Python,
        Self::Unrecorded,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DataLoading => "data_loading",
            Self::Synchronization => "synchronization",
            Self::Allocation => "allocation",
            Self::Launching => "launching",
            Self::Operator => "operator",
            Self::Python => "python",
            Self::Unrecorded => "unrecorded",
        }
    }
}

/// The threads that launch, each looked at when it is first asked for.
pub(super) struct Hosts<'a> {
    trace: &'a Trace,
    meanings: Meanings<'a>,
    /// Nothing is asked of other times; none if something may be.
    within: Option<Interval>,
    /// By track.
    timelines: Vec<Option<Timeline>>,
}

impl<'a> Hosts<'a> {
    pub(super) fn new(trace: &'a Trace, within: Option<Interval>) -> Self {
        Self { trace, meanings: Meanings::new(trace), within, timelines: trace.tracks.iter().map(|_| None).collect() }
    }

    /// Adds what the launching thread did in a gap, if it is known.
    pub(super) fn add(&mut self, gap: &Gap, times: &mut HostTimes) {
        let Some(call) = gap.call else { return };
        let span = gap.span;
        let called = match gap.class {
            IdleClass::HostWait => self.trace.slices.start(call).min(span.end),
            _ => span.end,
        };
        self.timeline(self.trace.slices.track(call)).add(Interval::new(span.start, called), times);
        times[self.doing_in(call) as usize] += span.end - called;
    }

    /// What a thread does in a call until what that launched begins: one that returns when its copy is done waits for
    /// the copy's turn.
    fn doing_in(&mut self, call: EventId) -> HostActivity {
        match self.meanings.of(call) {
            Some(HostActivity::Synchronization) => HostActivity::Synchronization,
            _ => HostActivity::Launching,
        }
    }

    /// What the launching thread did in a gap; none if the launching call is unknown.
    pub(super) fn look_into(&mut self, gap: &Gap) -> Option<HostInGap> {
        let track = self.trace.slices.track(gap.call?);
        let mut times = HostTimes::default();
        self.add(gap, &mut times);
        Some(self.summed_up(track, gap.span, times))
    }

    /// What a thread did in a span.
    pub(super) fn look_at(&mut self, track: TrackId, span: Interval) -> HostInGap {
        let mut times = HostTimes::default();
        self.timeline(track).add(span, &mut times);
        self.summed_up(track, span, times)
    }

    fn summed_up(&mut self, track: TrackId, span: Interval, times: HostTimes) -> HostInGap {
        let longest = HostActivity::ALL.into_iter().rev().max_by_key(|activity| times[*activity as usize]);
        let activity = longest.unwrap_or(HostActivity::Unrecorded);
        HostInGap { times, activity, slice: self.shown_by(track, span, activity, &times) }
    }

    fn timeline(&mut self, track: TrackId) -> &Timeline {
        let Self { trace, meanings, within, timelines } = self;
        timelines[track.index()].get_or_insert_with(|| {
            let mut spans: [Merger; HostActivity::ALL.len() - 1] = Default::default();
            for track in [Some(track), python_of(trace, track)].into_iter().flatten() {
                for id in trace.touching(&trace.tracks[track.index()], *within) {
                    if let Some(activity) = meanings.of(id) {
                        spans[activity as usize].add(trace.slices.interval(id));
                    }
                }
            }
            Timeline::of(spans)
        })
    }

    /// The slice that shows best what a thread did for the longest time in a gap.
    fn shown_by(
        &mut self,
        track: TrackId,
        gap: Interval,
        activity: HostActivity,
        times: &HostTimes,
    ) -> Option<EventId> {
        let trace = self.trace;
        let track = if activity == HostActivity::Python { python_of(trace, track)? } else { track };
        let rows = trace.tracks[track.index()].rows();
        let first =
            rows.start + partition_point(rows.len(), |row| trace.slices.start(id(rows.start + row)) < gap.start);
        let open = first.checked_sub(1).filter(|before| rows.contains(before)).map(id);
        let open = open.into_iter().flat_map(|before| std::iter::once(before).chain(trace.slices.ancestors(before)));
        let inside = (first..rows.end).map(id).take_while(|id| trace.slices.start(*id) < gap.end);
        let mut best = None;
        for id in open.chain(inside) {
            let overlap = trace.slices.interval(id).intersection(gap).len().0;
            if overlap == 0 || self.meanings.of(id) != Some(activity) {
                continue;
            }
            let half = overlap >= times[activity as usize].0 / 2;
            let rank = if half { (true, i64::from(trace.slices.depth(id))) } else { (false, overlap) };
            if best.is_none_or(|(known, _)| rank > known) {
                best = Some((rank, id));
            }
        }
        best.map(|(_, id)| id)
    }
}

fn id(row: usize) -> EventId {
    EventId::from_index(row)
}

/// How many of the first `len` rows are such, if those that are come first.
fn partition_point(len: usize, is_such: impl Fn(usize) -> bool) -> usize {
    let (mut from, mut to) = (0, len);
    while from < to {
        let middle = from.midpoint(to);
        if is_such(middle) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    from
}

/// The Python functions of the thread of a host track: tracks of one thread follow each other.
fn python_of(trace: &Trace, track: TrackId) -> Option<TrackId> {
    let host = &trace.tracks[track.index()];
    let next = trace.tracks.get(track.index() + 1)?;
    let same = (next.process, next.thread, next.layer) == (host.process, host.thread, Layer::Python);
    same.then(|| TrackId::from_index(track.index() + 1))
}
