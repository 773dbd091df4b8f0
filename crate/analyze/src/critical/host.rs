//! The threads of the host: their calls, hand-overs between them, and where steps and waits for data begin and end.

use super::calls::{Orders, Waits, meaning};
use super::full_queue::waiting_calls;
use crate::by_name::ByName;
use crate::data_wait::{DataWaits, WorkerWaits};
use crate::intervals::Merger;
use crate::linked::Linked;
use crate::{IntervalSet, Steps};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{Class, EventId, Layer, Trace, Track, TrackId};

/// Shortest silence of a thread that may be a wait for another thread.
const HAND_OVER: Nanos = Nanos(10_000);

/// Shortest silence after which a thread's work counts as handed over by the main thread, if by no other.
const SILENCE: Nanos = Nanos(100_000);

/// Bound on the difference between the clocks of host and device: an awaited activity may seem to end this much after
/// its call.
pub(super) const SKEW: Nanos = Nanos(20_000);

/// Number of threads among which hand-overs are searched: those that launch the most, then those that wait for a device.
const THREADS: usize = 16;

/// A point of a thread, or a stretch of it that is moved as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) at: Nanos,
    pub(super) end: Nanos,
    pub(super) thread: u32,
    pub(super) kind: PointKind,
}

/// Kind of a point of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointKind {
    /// It continues after another thread, which had done something for it.
    HandOver {
        /// That thread.
        from: u32,
    },
    /// It no longer waits for data.
    DataEnds {
        /// Whether the batch was not ready, and a worker made it.
        late: bool,
    },
    /// A step ends.
    StepEnds(u32),
    /// A step begins.
    StepBegins(u32),
    /// It begins to wait for data.
    DataBegins,
    /// A call of the runtime or driver with those inside it: a row of [`Hosts::calls`].
    Calls(u32),
}

/// A call of the runtime or driver with those inside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calls {
    /// The outermost one.
    pub(super) first: EventId,
    /// Their wait, if any.
    pub(super) waits: Waits,
    /// The one that waits or orders.
    pub(super) call: EventId,
    /// Their effect on the order of streams.
    pub(super) orders: Orders,
    /// The activities that they launched: rows of [`Linked::pairs`].
    pub(super) launched: (u32, u32),
}

/// The threads of the host, and a placeholder for points without a thread.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    /// Each thread's track; the last entry is the placeholder.
    pub(super) tracks: Vec<TrackId>,
    /// The thread that the steps are marked on.
    pub(super) main: u32,
    /// All points; a thread's calls are in order.
    pub(super) points: Vec<Point>,
    /// The calls that points stand for.
    pub(super) calls: Vec<Calls>,
}

/// Properties of a thread from which its points are made.
#[derive(Debug, Default)]
struct Thread {
    /// Its spans in operators or calls.
    busy: Vec<Interval>,
    /// Number of activities that it launched.
    launches: usize,
    /// Whether it waits for a device.
    waits: bool,
}

impl Hosts {
    pub(super) fn of(trace: &Trace, steps: &Steps, linked: &Linked) -> Self {
        let mut meanings = ByName::of(trace, meaning);
        let (waits_for_data, mut waits_for_workers) = (DataWaits::of(trace), WorkerWaits::of(trace));
        let pageable = pageable_calls(trace);
        let queued = waiting_calls(trace, linked);
        let mut hosts = Self::default();
        let mut threads = Vec::new();
        let mut next_launch = 0;
        for (index, track) in trace.tracks.iter().enumerate() {
            if track.layer != Layer::Host || track.rows().is_empty() {
                continue;
            }
            let id = TrackId::from_index(index);
            let number = hosts.tracks.len() as u32;
            hosts.tracks.push(id);
            let (mut busy, mut data, mut late) = (Merger::default(), Vec::new(), Vec::new());
            let (mut launches, mut waits_for_device) = (0, false);
            let mut open: Option<Calls> = None;
            let mut until = Nanos::MIN;
            for event in track.events() {
                let span = trace.slices.interval(event);
                let class = trace.slices.class(event);
                if waits_for_data.has(trace, event) {
                    data.push(span);
                    late.extend(waits_for_workers.has(trace, event).then_some(span.end));
                }
                if class == Class::Operator || class == Class::RuntimeCall {
                    busy.add(span);
                }
                if class != Class::RuntimeCall {
                    continue;
                }
                let rest = &linked.pairs()[next_launch..];
                let launched = next_launch + rest.iter().take_while(|(call, _)| *call < event).count();
                next_launch =
                    launched + rest[launched - next_launch..].iter().take_while(|(call, _)| *call == event).count();
                launches += next_launch - launched;
                let (mut waits, orders) = meanings.get(trace, trace.slices.name(event));
                if waits == Waits::Nothing && pageable.binary_search(&event).is_ok() {
                    waits = Waits::Own;
                }
                if waits == Waits::Nothing && queued.binary_search(&event).is_ok() {
                    waits = Waits::Queue;
                }
                waits_for_device |= waits != Waits::Nothing;
                match &mut open {
                    Some(calls) if span.start < until => {
                        calls.launched.1 = next_launch as u32;
                        if calls.waits == Waits::Nothing && waits != Waits::Nothing {
                            (calls.waits, calls.call) = (waits, event);
                        }
                        if calls.orders == Orders::Nothing && orders != Orders::Nothing {
                            (calls.orders, calls.call) = (orders, event);
                        }
                        until = until.max(span.end);
                    }
                    _ => {
                        hosts.close(number, open.take(), until, trace);
                        let launched = (launched as u32, next_launch as u32);
                        open = Some(Calls { first: event, waits, call: event, orders, launched });
                        until = span.end;
                    }
                }
            }
            hosts.close(number, open, until, trace);
            data.extend(python_loading(trace, id, &waits_for_data));
            late.compact_sort();
            for span in IntervalSet::of(data).intervals() {
                let is_late = late.binary_search(&span.end).is_ok();
                hosts.add(span.start, number, PointKind::DataBegins);
                hosts.add(span.end, number, PointKind::DataEnds { late: is_late });
            }
            threads.push(Thread { busy: busy.into_intervals(), launches, waits: waits_for_device });
        }
        hosts.main = main_thread(trace, steps, &hosts.tracks, &threads);
        // The placeholder for points without a thread.
        hosts.tracks.push(TrackId::NONE);
        for (index, step) in (0..).zip(&steps.steps) {
            hosts.add(step.host.start, hosts.main, PointKind::StepBegins(index));
            hosts.add(step.host.end, hosts.main, PointKind::StepEnds(index));
        }
        hosts.hand_over(steps, &threads);
        hosts
    }

    fn add(&mut self, at: Nanos, thread: u32, kind: PointKind) {
        self.points.push(Point { at, end: at, thread, kind });
    }

    fn close(&mut self, thread: u32, calls: Option<Calls>, end: Nanos, trace: &Trace) {
        let Some(calls) = calls else { return };
        let kind = PointKind::Calls(self.calls.len() as u32);
        self.points.push(Point { at: trace.slices.start(calls.first), end, thread, kind });
        self.calls.push(calls);
    }

    /// Finds where the main thread shows nothing because others do something for it, as Python's thread does while
    /// autograd's runs the backward part: another's whole activity lies in that silence and fills a quarter of it.
    fn hand_over(&mut self, steps: &Steps, threads: &[Thread]) {
        let main = self.main;
        let mut others: Vec<u32> = (0..threads.len() as u32).filter(|thread| *thread != main).collect();
        others.retain(|thread| threads[*thread as usize].launches > 0 || threads[*thread as usize].waits);
        others.compact_sort_by_key(|thread| std::cmp::Reverse(threads[*thread as usize].launches));
        others.truncate(THREADS);
        let mut known = Vec::new();
        let of_main = threads.get(main as usize).map_or(&[][..], |thread| &thread.busy);
        for silence in silences(steps, of_main) {
            let mut last = None;
            for other in &others {
                let busy = &threads[*other as usize].busy;
                if let Some(burst) = burst(busy, silence) {
                    self.add(burst.start, *other, PointKind::HandOver { from: main });
                    known.push((*other, burst.start));
                    last = last.max(Some((burst.end, *other)));
                } else if let Some(end) = finishes(busy, silence) {
                    last = last.max(Some((end, *other)));
                }
            }
            if let Some((_, from)) = last {
                self.add(silence.end, main, PointKind::HandOver { from });
            }
        }
        known.compact_sort();
        for (number, thread) in (0..).zip(threads).filter(|(number, _)| *number != main) {
            let mut before = Nanos::MIN;
            for busy in &thread.busy {
                // If the main thread did nothing in between, the thread did not wait for it.
                let is_silent = || shows_nothing(of_main, Interval::new(before, busy.start));
                let is_known = || known.binary_search(&(number, busy.start)).is_ok();
                if busy.start - before >= SILENCE && !is_known() && (before == Nanos::MIN || !is_silent()) {
                    self.add(busy.start, number, PointKind::HandOver { from: main });
                }
                before = busy.end;
            }
        }
    }
}

/// Silences of a thread: spans of at least [`HAND_OVER`] without its operators, calls and step marks.
fn silences(steps: &Steps, busy: &[Interval]) -> Vec<Interval> {
    let mut known: Vec<Interval> = busy.to_vec();
    let marks = steps.steps.iter().flat_map(|step| [step.host.start, step.host.end]);
    known.extend(marks.map(|at| Interval::new(at, at)));
    known.compact_sort();
    let mut silences = Vec::new();
    let mut until = None;
    for span in known {
        let silence = Interval::new(until.unwrap_or(span.start), span.start);
        if silence.len() >= HAND_OVER {
            silences.push(silence);
        }
        until = until.max(Some(span.end));
    }
    silences
}

/// Whether a thread that is in operators or calls at the given times is in none within a span.
fn shows_nothing(busy: &[Interval], span: Interval) -> bool {
    let first = busy.partition_point(|known| known.end <= span.start);
    busy.get(first).is_none_or(|known| known.start >= span.end)
}

/// Work of a thread within another's silence, if it fills a quarter of the silence and the thread was idle as the
/// silence began. The work ends within the silence, or follows a long silence of its own.
fn burst(busy: &[Interval], silence: Interval) -> Option<Interval> {
    let first = busy.partition_point(|span| span.start < silence.start);
    let after = first + busy[first..].partition_point(|span| span.start < silence.end);
    let before = first.checked_sub(1).map_or(Nanos::MIN, |before| busy[before].end);
    if first == after || before > silence.start {
        return None;
    }
    let burst = Interval::new(busy[first].start, busy[after - 1].end.min(silence.end));
    let inside = busy[after - 1].end <= silence.end || burst.start - before >= SILENCE;
    (inside && burst.len().0 >= silence.len().0 / 4).then_some(burst)
}

/// The end of a thread's work that had begun before another's silence, if the other continued soon after that end: the
/// other had been active for a moment only.
fn finishes(busy: &[Interval], silence: Interval) -> Option<Nanos> {
    let after = busy.partition_point(|span| span.start < silence.end);
    let last = busy[..after].last()?;
    let first = busy.partition_point(|span| span.end <= silence.start);
    let was_at_work = busy.get(first).is_some_and(|span| span.start < silence.start);
    let soon = Nanos(silence.len().0 / 4).max(HAND_OVER);
    (was_at_work && last.end <= silence.end && silence.end - last.end <= soon).then_some(last.end)
}

/// The thread that marks the steps; else the one that launches the most, else the busiest.
fn main_thread(trace: &Trace, steps: &Steps, tracks: &[TrackId], threads: &[Thread]) -> u32 {
    const LOOKED_AT: usize = 8;
    let marks = |track: TrackId, step: Interval| {
        let rows = trace.tracks[track.index()].rows();
        let first = trace.slices.first_at(rows.clone(), step.start);
        let mut same =
            (first..rows.end).map(EventId::from_index).take_while(|id| trace.slices.start(*id) == step.start);
        same.any(|id| trace.slices.end(id) == step.end)
    };
    let marked = |track: TrackId| steps.steps.iter().take(LOOKED_AT).filter(|step| marks(track, step.mark)).count();
    let rank = |index: &usize| {
        let thread: &Thread = &threads[*index];
        let busy: Nanos = thread.busy.iter().map(|span| span.len()).sum();
        (marked(tracks[*index]), thread.launches, busy)
    };
    (0..threads.len()).rev().max_by_key(rank).unwrap_or(threads.len()) as u32
}

/// The calls that copy from or to pageable memory and return when that is done, sorted.
pub(crate) fn pageable_calls(trace: &Trace) -> Vec<EventId> {
    let mut pageable = ByName::of(trace, |name| name.contains("Pageable"));
    let copies = trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Memcpy);
    let waited = copies.filter(|copy| pageable.get(trace, trace.slices.name(copy.event))).filter_map(|copy| {
        let call = copy.call.get()?;
        let (call_span, span) = (trace.slices.interval(call), trace.slices.interval(copy.event));
        // A short copy that ends after its call was staged, and the call returned before.
        let late = if span.start < call_span.end && span.len() <= call_span.len() { SKEW } else { Nanos::ZERO };
        (span.end <= call_span.end + late).then_some(call)
    });
    let mut calls: Vec<EventId> = waited.collect();
    calls.compact_sort();
    calls
}

/// The waits for data that are recorded among the Python functions of a thread: tracks of a thread follow each other.
fn python_loading(trace: &Trace, host: TrackId, waits: &DataWaits) -> Vec<Interval> {
    let thread = &trace.tracks[host.index()];
    let python = trace.tracks.get(host.index() + 1);
    let same =
        |track: &&Track| (track.process, track.thread, track.layer) == (thread.process, thread.thread, Layer::Python);
    let Some(python) = python.filter(same) else { return Vec::new() };
    python.events().filter(|id| waits.has(trace, *id)).map(|id| trace.slices.interval(id)).collect()
}
