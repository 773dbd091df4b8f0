//! Activities of the launching thread while a device waited for it.

use super::activity::{HostActivity, HostTimes};
use super::gaps::{Gap, IdleClass};
use super::leaves::{IdleLeaf, LeafTimes, activities};
use super::meaning::Meanings;
use super::report::{HostInGap, ListedGap};
use super::timeline::{Segments, Timeline};
use crate::IntervalSet;
use crate::data_wait::DataWaits;
use crate::lanes::PAUSE;
use crate::phases::marked_engine;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, EventId, Layer, Trace, TrackId};

/// The timelines of the threads that launch, each built at its first use.
pub(crate) struct Hosts<'a> {
    trace: &'a Trace,
    meanings: Meanings<'a>,
    /// Where the trace shows nothing of the autograd engine's threads, what the program marked.
    engine: Vec<(TrackId, Interval)>,
    /// The only span that callers ask for; none if they may ask for any.
    within: Option<Interval>,
    /// By track.
    timelines: Vec<Option<Timeline>>,
    /// Timelines of threads for which another one launches: without their waits for another thread.
    handing: Vec<Option<Timeline>>,
    /// The added time that belongs to a thread that handed over to the launching one.
    handed_over: Nanos,
}

impl<'a> Hosts<'a> {
    pub(crate) fn new(trace: &'a Trace, within: Option<Interval>) -> Self {
        let none = || trace.tracks.iter().map(|_| None).collect();
        let (timelines, handing) = (none(), none());
        let (meanings, engine) = (Meanings::new(trace), marked_engine(trace));
        Self { trace, meanings, engine, within, timelines, handing, handed_over: Nanos::ZERO }
    }

    /// Adds the leaves of a gap's part in a window: exactly its length.
    ///
    /// A gap is cut as a whole, whatever the window: a step has its part of each leaf.
    pub(super) fn add(&mut self, gap: &Gap, window: Interval, times: &mut LeafTimes) {
        let span = gap.span;
        let mut piece = |span: Interval, leaf: IdleLeaf| times[leaf as usize] += span.intersection(window).len();
        let Some(call) = gap.call else { return piece(span, IdleLeaf::NoHostRecord) };
        let (late, after) = self.cut(gap, call);
        after.into_iter().for_each(|(span, leaf)| piece(span, leaf));
        self.before_call(gap, self.trace.slices.track(call), late.intersection(window), times);
    }

    /// Cuts a gap into the parts before, in and after the launching call; the last two come with their leaves.
    fn cut(&mut self, gap: &Gap, call: EventId) -> (Interval, [(Interval, IdleLeaf); 2]) {
        let span = gap.span;
        let called = self.trace.slices.interval(call);
        let (begun, returned) = (called.start.clamp(span.start, span.end), called.end.clamp(span.start, span.end));
        let launching = self.launching(call);
        let short = span.end - returned < gap.kernel_wait;
        let rest = match gap.class {
            // The call cannot have returned before its copy began: the clocks differ a little.
            IdleClass::HostWait if short && launching == IdleLeaf::BlockingCopy => launching,
            IdleClass::HostWait if short => IdleLeaf::LaunchLatency,
            IdleClass::HostWait => IdleLeaf::StartLate,
            _ if short => IdleLeaf::BetweenQueued,
            _ => IdleLeaf::QueuedWaiting,
        };
        let after = [(Interval::new(begun, returned), launching), (Interval::new(returned, span.end), rest)];
        (Interval::new(span.start, begun), after)
    }

    /// Shows the same leaves as pieces by time: together they are the gap.
    pub(crate) fn pieces(&mut self, gap: &Gap, mut see: impl FnMut(Interval, IdleLeaf)) {
        let Some(call) = gap.call else { return see(gap.span, IdleLeaf::NoHostRecord) };
        let (late, after) = self.cut(gap, call);
        let thread = self.trace.slices.track(call);
        match self.handing(gap, thread) {
            Some(handing) => self.both(thread, handing, late, |span, leaf, _| see(span, leaf)),
            None => self.timeline(thread).pieces(late).for_each(|(span, leaf)| see(span, leaf)),
        }
        after.into_iter().filter(|(span, _)| !span.is_empty()).for_each(|(span, leaf)| see(span, leaf));
    }

    /// Spans in which a thread loses its lead: it waits, allocates, collects garbage, compiles or loads modules.
    pub(crate) fn held(&mut self, thread: TrackId) -> impl Iterator<Item = (Interval, IdleLeaf)> + '_ {
        self.recorded(thread).filter(|(_, leaf)| *leaf <= IdleLeaf::Allocation)
    }

    /// The recorded activities of a thread, by time.
    pub(crate) fn recorded(&mut self, thread: TrackId) -> impl Iterator<Item = (Interval, IdleLeaf)> + '_ {
        self.timeline(thread).segments().iter().copied()
    }

    /// The thread that launched the activity before a gap, if it is not the launching one.
    fn handing(&self, gap: &Gap, thread: TrackId) -> Option<TrackId> {
        let previous = self.trace.activity(gap.before).and_then(|activity| activity.call.get());
        previous.map(|call| self.trace.slices.track(call)).filter(|previous| *previous != thread)
    }

    /// Adds what the launching thread did in a part of a gap before it launched. Where the trace shows nothing of it,
    /// or a range alone, the thread that launched the device's previous activity counts, unless it waits for another
    /// one.
    fn before_call(&mut self, gap: &Gap, thread: TrackId, late: Interval, times: &mut LeafTimes) {
        let Some(handing) = self.handing(gap, thread) else { return self.timeline(thread).add(late, times) };
        let mut handed_over = Nanos::ZERO;
        self.both(thread, handing, late, |span, leaf, is_other| {
            times[leaf as usize] += span.len();
            handed_over += if is_other { span.len() } else { Nanos::ZERO };
        });
        self.handed_over += handed_over;
    }

    /// Shows the activities of a thread in a span, or of the other one where the first shows little, and whether it is
    /// the other one.
    fn both(
        &mut self,
        thread: TrackId,
        handing: TrackId,
        late: Interval,
        mut see: impl FnMut(Interval, IdleLeaf, bool),
    ) {
        let own: Vec<(Interval, IdleLeaf)> = self.timeline(thread).pieces(late).collect();
        let (trace, within, all) = (self.trace, self.within, &mut self.handing);
        let other = Self::timeline_of((trace, &self.engine[..]), &mut self.meanings, within, all, (handing, true));
        for (span, leaf) in own {
            if leaf < IdleLeaf::Range {
                see(span, leaf, false);
                continue;
            }
            // If both show little, the thread's own range is better than silence.
            other.pieces(span).for_each(|(span, found)| see(span, leaf.min(found), found < leaf));
        }
    }

    /// Adds as [`Self::add`] does, and returns the time of a thread that handed over to the launching one.
    pub(super) fn add_marked(&mut self, gap: &Gap, window: Interval, times: &mut LeafTimes) -> Nanos {
        let before = self.handed_over;
        self.add(gap, window, times);
        self.handed_over - before
    }

    /// The leaf of a launching call.
    fn launching(&mut self, call: EventId) -> IdleLeaf {
        match self.meanings.of(call) {
            Some(IdleLeaf::Synchronization) => IdleLeaf::BlockingCopy,
            _ if self.trace.name_of(call).contains("GraphLaunch") => IdleLeaf::GraphLaunch,
            _ => IdleLeaf::LaunchingCall,
        }
    }

    /// A gap with its leaves and the activities of the launching thread.
    pub(super) fn listed(&mut self, gap: Gap) -> ListedGap {
        let mut leaves = LeafTimes::default();
        self.add(&gap, gap.span, &mut leaves);
        ListedGap { leaves, host: self.look_into(&gap, &leaves), gap }
    }

    /// Activities of the launching thread in a gap; none if the launching call is unknown.
    fn look_into(&mut self, gap: &Gap, leaves: &LeafTimes) -> Option<HostInGap> {
        let track = self.trace.slices.track(gap.call?);
        let is_late = gap.class == IdleClass::HostWait && leaves[IdleLeaf::StartLate as usize] == Nanos::ZERO;
        Some(if is_late { self.summed_up(track, gap.span, activities(leaves)) } else { self.look_at(track, gap.span) })
    }

    /// Activities of a thread in a span.
    pub(crate) fn look_at(&mut self, track: TrackId, span: Interval) -> HostInGap {
        let mut leaves = LeafTimes::default();
        self.timeline(track).add(span, &mut leaves);
        self.summed_up(track, span, activities(&leaves))
    }

    fn summed_up(&mut self, track: TrackId, span: Interval, times: HostTimes) -> HostInGap {
        let longest = HostActivity::ALL.into_iter().rev().max_by_key(|activity| times[*activity as usize]);
        let activity = longest.unwrap_or(HostActivity::Unrecorded);
        HostInGap { times, activity, slice: self.shown_by(track, span, activity, &times) }
    }

    fn timeline(&mut self, track: TrackId) -> &Timeline {
        let (of, all) = ((self.trace, &self.engine[..]), &mut self.timelines);
        Self::timeline_of(of, &mut self.meanings, self.within, all, (track, false))
    }

    /// The timeline of a track, with or without its waits for another thread.
    fn timeline_of<'b>(
        (trace, engine): (&'a Trace, &[(TrackId, Interval)]),
        meanings: &mut Meanings<'a>,
        within: Option<Interval>,
        timelines: &'b mut [Option<Timeline>],
        (track, hands_over): (TrackId, bool),
    ) -> &'b Timeline {
        timelines[track.index()].get_or_insert_with(|| {
            // A silence at the window's edge is as long as it is outside, too.
            let within = within.map(|window| Interval::new(window.start - PAUSE, window.end + PAUSE));
            let slices = |track: Option<TrackId>| {
                track.into_iter().flat_map(|track| trace.touching(&trace.tracks[track.index()], within)).peekable()
            };
            let (mut functions, mut own) = (slices(python_of(trace, track)), slices(Some(track)));
            let mut segments = Segments::default();
            // By start, the outer ones first.
            let order = |id: &EventId| (trace.slices.start(*id), std::cmp::Reverse(trace.slices.end(*id)));
            loop {
                let next = match (functions.peek(), own.peek()) {
                    (Some(function), Some(other)) if order(function) <= order(other) => functions.next(),
                    (_, Some(_)) => own.next(),
                    _ => functions.next(),
                };
                let Some(id) = next else { break };
                let waits = hands_over && meanings.waits_for_thread(id);
                let leaf = if waits { Some(IdleLeaf::Unrecorded) } else { meanings.of(id) };
                segments.add(trace.slices.interval(id), leaf);
            }
            let marked = engine.iter().filter(|(of, _)| *of == track).map(|(_, span)| *span);
            let marked = IntervalSet::of(marked.map(|span| within.map_or(span, |window| span.intersection(window))));
            let is_operator = |id: EventId| trace.slices.class(id) == Class::Operator;
            // Where the thread's operators are recorded, it may do anything in a long silence.
            let is_detailed = !marked.is_empty() && trace.tracks[track.index()].events().any(is_operator);
            segments.finish(&marked, if is_detailed { PAUSE } else { Nanos::MAX })
        })
    }

    /// Whether a slice shows an activity.
    fn shows(&mut self, id: EventId, activity: HostActivity) -> bool {
        self.meanings.of(id).and_then(IdleLeaf::activity) == Some(activity)
    }

    /// The slice that best shows the longest activity of a thread in a gap.
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
            if overlap == 0 || !self.shows(id, activity) {
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

/// Number of the first `len` rows that are such, if those that are come first.
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

/// The recorded activities of a thread in a span, without marks of steps and other ranges.
pub(crate) fn recorded_in(trace: &Trace, waits: &DataWaits, track: TrackId, span: Interval) -> Vec<Interval> {
    let slices = &trace.slices;
    let does = |id: &EventId| {
        let class = slices.class(*id);
        let works = matches!(class, Class::Operator | Class::RuntimeCall | Class::Synchronization | Class::PythonFrame);
        works || waits.has(trace, *id)
    };
    let tracks = std::iter::once(track).chain(python_of(trace, track));
    let shown = tracks.flat_map(|track| trace.touching(&trace.tracks[track.index()], Some(span))).filter(does);
    shown.map(|id| slices.interval(id).intersection(span)).collect()
}

/// The Python functions of the thread of a host track: tracks of one thread follow each other.
pub(crate) fn python_of(trace: &Trace, track: TrackId) -> Option<TrackId> {
    let host = &trace.tracks[track.index()];
    let next = trace.tracks.get(track.index() + 1)?;
    let same = (next.process, next.thread, next.layer) == (host.process, host.thread, Layer::Python);
    same.then(|| TrackId::from_index(track.index() + 1))
}
