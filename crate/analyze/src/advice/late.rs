//! The idle time for which the host is late, by the threads that launch. INSIGHT section 5, B and C.

use super::claim::caused;
use crate::data_wait::DataWaits;
use crate::idle::{device_gaps, marking_thread, recorded_in};
use crate::lanes::Lanes;
use crate::{Analysis, IdleClass, IntervalSet};
use stepscope_base::{Interval, Nanos, sort_times};
use stepscope_trace::{Class, EventId, Trace, TrackId};

/// Cause of a late host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The wait for data.
    Data,
    /// A call that waits for the device.
    Synchronization,
    /// A call that allocates or frees.
    Allocation,
    /// A collective of the hosts.
    Collective,
    /// Other calls.
    Calls,
}

/// A call that returned when its wait was over: by then the host is no further behind for other causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Anchor {
    /// When it returned.
    pub(super) at: Nanos,
    /// Its thread.
    pub(super) thread: TrackId,
    /// The cause that the call itself is.
    pub(super) cause: Cause,
}

/// Threads that do not take turns launch much if they launch one in this many kernels.
const SHARED: usize = 10;

/// Idle time of a device for which the host is late.
pub(super) struct HostLate<'a> {
    trace: &'a Trace,
    lanes: Lanes<'a>,
    /// By lane: the idle time for which it is late.
    late: Vec<IntervalSet>,
    /// All of it, without unrecorded time after the last activity.
    pub(super) time: IntervalSet,
    /// Idle time that the host does not cause: queued work that waits, late starts without an explanation, gaps without
    /// a launching call, and unrecorded time after the last activity.
    pub(super) not_host: IntervalSet,
    /// When the device is busy.
    busy: IntervalSet,
    /// Ends of the calls that launched kernels, with the lane, if there are several lanes.
    launches: Vec<(Nanos, usize)>,
}

impl<'a> HostLate<'a> {
    /// For a device, by its index among the reports, with its known idle time.
    pub(super) fn of(trace: &'a Trace, analysis: &Analysis, device: usize, idle: &IntervalSet) -> Self {
        let report = &analysis.devices[device];
        let mut found = Self {
            trace,
            lanes: Lanes::of(trace),
            late: Vec::new(),
            time: IntervalSet::new(),
            not_host: IntervalSet::new(),
            busy: report.sets.busy(),
            launches: Vec::new(),
        };
        found.find_launches();
        let is_linked = analysis.launches.total.calls > 0;
        let mut late: Vec<Vec<Interval>> = (0..found.lanes.len()).map(|_| Vec::new()).collect();
        let mut not_host: Vec<Interval> = Vec::new();
        let known_from = idle.hull().map_or(report.known_from, |hull| report.known_from.max(hull.start));
        let config = analysis.idle.first().map_or_else(crate::IdleConfig::standard, |idle| idle.config);
        device_gaps(trace, report.time.device, known_from, config.kernel_wait, |gap| {
            let span = gap.span;
            let Some(call) = gap.call else {
                // Where no launches are recorded at all, any thread may be the one.
                if is_linked {
                    not_host.push(span);
                } else {
                    late[0].push(span);
                }
                return;
            };
            let returned = trace.slices.end(call).clamp(span.start, span.end);
            let is_short = span.end - returned < gap.kernel_wait();
            let lane = found.lanes.lane(trace.slices.track(call));
            match gap.class {
                IdleClass::HostWait if is_short => late[lane].push(span),
                _ => {
                    late[lane].push(Interval::new(span.start, returned));
                    // A queue with work for long enough needs no faster launches.
                    if span.end - trace.slices.end(call) >= gap.kernel_wait() {
                        not_host.push(Interval::new(returned, span.end));
                    }
                }
            }
        });
        let after = idle.clip(Interval::new(report.window.end, Nanos::MAX));
        let ends = after_last(trace, analysis, device, &after);
        for (span, thread) in after.intervals().iter().zip(&ends.threads) {
            let lane = thread.map(|thread| found.lanes.lane(thread)).filter(|lane| *lane < late.len());
            late[lane.unwrap_or_default()].push(*span);
        }
        found.late = late.into_iter().map(|spans| IntervalSet::of(spans).intersection(idle)).collect();
        let all = found.late.iter().fold(IntervalSet::new(), |all, late| all.union(late));
        found.time = all.difference(&ends.unexplained);
        found.not_host = IntervalSet::of(not_host).union(&ends.unexplained);
        found
    }

    fn find_launches(&mut self) {
        if self.lanes.len() < 2 {
            return;
        }
        let slices = &self.trace.slices;
        let kernels = self
            .trace
            .activities
            .iter()
            .filter(|activity| slices.class(activity.event) == Class::Kernel && !activity.communication);
        let calls = kernels.filter_map(|kernel| kernel.call.get());
        self.launches = calls.map(|call| (slices.end(call), self.lanes.lane(slices.track(call)))).collect();
    }

    /// The part of the idle time that some spans of threads can have caused. The device idles since a thread that takes
    /// turns with theirs has not launched yet: during the spans, or after spans in which the device was busy.
    pub(super) fn caused_by(
        &self,
        held: impl Iterator<Item = (TrackId, Interval)>,
        cause: Cause,
        anchors: &[Anchor],
    ) -> IntervalSet {
        let mut of_lanes: Vec<Vec<Interval>> = self.late.iter().map(|_| Vec::new()).collect();
        for (thread, span) in held {
            if let Some(lane) = of_lanes.get_mut(self.lanes.lane(thread)) {
                lane.push(span);
            }
        }
        let lanes = self.late.iter().zip(of_lanes).enumerate().filter(|(_, (_, held))| !held.is_empty());
        lanes.fold(IntervalSet::new(), |all, (number, (late, held))| {
            // Delays while the device idles for something else cost nothing later.
            let held = IntervalSet::of(held).intersection(&self.busy.union(late));
            // If other threads launch much, it is unknown whether the device would have idled without an earlier wait.
            let others = self.launches.iter().filter(|(_, lane)| *lane != number).map(|(at, _)| *at);
            if others.clone().count().saturating_mul(SHARED) >= self.launches.len().max(1) {
                return all.union(&held.intersection(late));
            }
            // Else their launches keep the device busy, however late this thread is.
            let anchors = anchors.iter().filter(|one| one.cause != cause && self.lanes.lane(one.thread) == number);
            let waits = sorted(anchors.map(|one| one.at).chain(others));
            all.union(&caused(late, &held, &IntervalSet::new(), &waits))
        })
    }

    /// Times at which the anchors of one cause return, on the lane that launches most.
    pub(super) fn waits(&self, cause: Cause, anchors: &[Anchor]) -> Vec<Nanos> {
        let such = anchors.iter().filter(|one| one.cause == cause && self.lanes.lane(one.thread) == 0);
        sorted(such.map(|one| one.at))
    }
}

fn sorted(times: impl Iterator<Item = Nanos>) -> Vec<Nanos> {
    let mut times: Vec<Nanos> = times.collect();
    sort_times(&mut times);
    times
}

/// The threads after a device's last activity.
pub(super) struct AfterLast {
    /// By requested stretch: the thread that marks the step, else the one that launched last.
    threads: Vec<Option<TrackId>>,
    /// Time in which the trace does not show what that thread does: the device may idle for another reason than the
    /// host.
    pub(super) unexplained: IntervalSet,
}

/// Finds the threads after a device's last activity, in some stretches of time, and the time without an explanation.
pub(super) fn after_last(trace: &Trace, analysis: &Analysis, device: usize, after: &IntervalSet) -> AfterLast {
    let window = analysis.devices[device].window;
    let number = analysis.devices[device].time.device;
    let last = trace.activities.iter().filter(|activity| {
        trace.stream_of(activity.event).is_some_and(|stream| stream.device == number)
            && trace.slices.end(activity.event) == window.end
    });
    let last = last
        .max_by_key(|activity| activity.event)
        .and_then(|activity| activity.call.get())
        .map(|call: EventId| trace.slices.track(call));
    let waits = DataWaits::of(trace);
    let (mut threads, mut recorded) = (Vec::new(), Vec::new());
    for span in after.intervals() {
        let thread = marking_thread(trace, &analysis.steps, *span).or(last);
        threads.push(thread);
        recorded.extend(thread.into_iter().flat_map(|thread| recorded_in(trace, &waits, thread, *span)));
    }
    AfterLast { threads, unexplained: after.difference(&IntervalSet::of(recorded)) }
}
