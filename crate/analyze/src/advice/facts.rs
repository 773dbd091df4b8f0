//! Facts that several rules use.

use std::cell::{OnceCell, RefCell};
use std::cmp::Reverse;

use crate::critical::pageable_calls;
use crate::data_wait::WorkerWaits;
use crate::idle::{CallMeaning, call_meaning};
use crate::time_categories::names_collective;
use crate::waiting_calls::WaitingCalls;
use crate::{
    Analysis, CriticalPaths, IdleLeaf, IntervalSet, StepSource, TensorBoardOverview, idle_spans, mean,
    tensorboard_overview,
};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Activity, Class, EventId, Trace, TrackId};

use super::claim::{Claim, caused};
use super::late::{Anchor, Cause, HostLate, after_last};
use super::{Evidence, NotApplicable};

/// The part of a step above which a rule has a finding.
pub(super) const WORTH: f64 = 0.01;

/// Whether the device idles for the host, or between two launches. Faster launches do not start queued work that waits
/// for other work, or work that no call launched, any earlier.
fn of_host(leaf: IdleLeaf) -> bool {
    let is_others = matches!(leaf, IdleLeaf::QueuedWaiting | IdleLeaf::NoHostRecord | IdleLeaf::StartLate);
    !is_others && !matches!(leaf, IdleLeaf::BeforeFirst | IdleLeaf::Uncovered)
}

/// Number of slices shown as evidence of a rule.
const SHOWN: usize = 5;

/// A trace, its analyses, and facts that are computed at their first use.
pub(super) struct Facts<'a> {
    pub(super) trace: &'a Trace,
    pub(super) analysis: &'a Analysis,
    /// The steps that count, by index.
    counted: Vec<usize>,
    /// By step: whether it counts.
    counts: Vec<bool>,
    /// Their spans, including the activities that they launched.
    spans: IntervalSet,
    /// The same with the time between steps that follow each other.
    periods: IntervalSet,
    /// Spans of unrecorded work of devices.
    unseen: IntervalSet,
    /// By device: its known idle time in the steps and between them, and the time before which its state is unknown.
    idle: Vec<(IntervalSet, Nanos)>,
    /// Idle time in the steps of the device with the least of it; without devices, all the time.
    least_idle: IntervalSet,
    calls: OnceCell<Calls>,
    anchors: OnceCell<Vec<Anchor>>,
    late: OnceCell<Option<HostLate<'a>>>,
    pub(super) launches: OnceCell<Launching>,
    tensorboard: OnceCell<TensorBoardOverview>,
}

/// A test of slices by their names; each name is tested at its first use.
pub(super) struct Named<'a> {
    trace: &'a Trace,
    is_such: fn(&str) -> bool,
    /// By name.
    known: RefCell<Vec<Option<bool>>>,
}

impl Named<'_> {
    pub(super) fn has(&self, id: EventId) -> bool {
        let name = self.trace.slices.name(id);
        let such = || (self.is_such)(self.trace.strings.get(name));
        *self.known.borrow_mut()[name.index()].get_or_insert_with(such)
    }
}

/// Time of usual launches in the steps that count, without calls that wait for the device.
pub(super) struct Launching {
    /// Spans of the calls.
    pub(super) calling: IntervalSet,
    /// From the calls' ends until their first activities begin.
    pub(super) delays: IntervalSet,
    /// The sum of both over all calls, including those that wait for the device.
    pub(super) cost: Nanos,
    /// The calls.
    pub(super) calls: Vec<EventId>,
    /// Those that take longer than their activities.
    pub(super) short: Vec<EventId>,
    /// The few calls that take far longer than a usual launch: these are not among the others.
    pub(super) slow: Vec<EventId>,
}

/// The calls of the runtime inside the steps that count.
#[derive(Default)]
pub(super) struct Calls {
    /// Those that wait for the device, or for a copy or memset to be done.
    pub(super) waits: Vec<EventId>,
    /// Those that allocate or free memory, and block.
    pub(super) allocates: Vec<EventId>,
    /// Number of all calls.
    pub(super) count: u64,
}

impl<'a> Facts<'a> {
    pub(super) fn of(trace: &'a Trace, analysis: &'a Analysis) -> Self {
        let counted = analysis.steps.counted();
        let spans = IntervalSet::of(counted.iter().map(|index| analysis.steps.steps[*index].span));
        let mut counts = vec![false; analysis.steps.steps.len()];
        counted.iter().for_each(|index| counts[*index] = true);
        let unseen = unseen(trace);
        let periods = spans.union(&analysis.steps.between());
        let of_device = |found: crate::IdleSpans| {
            let before = found.before_first.map_or(Nanos::MIN, |before| before.end);
            (found.idle.intersection(&periods).difference(&unseen), before)
        };
        let idle: Vec<(IntervalSet, Nanos)> =
            idle_spans(&analysis.steps, &analysis.devices).into_iter().map(of_device).collect();
        // A step is no shorter than any of its devices is busy.
        let least = idle.iter().map(|(idle, _)| idle.intersection(&spans)).min_by_key(IntervalSet::len);
        let least_idle = least.unwrap_or_else(|| spans.clone());
        Self {
            trace,
            analysis,
            counted,
            counts,
            spans,
            periods,
            unseen,
            idle,
            least_idle,
            calls: OnceCell::new(),
            anchors: OnceCell::new(),
            late: OnceCell::new(),
            launches: OnceCell::new(),
            tensorboard: OnceCell::new(),
        }
    }

    /// A test for slices with such a name.
    pub(super) fn named(&self, is_such: fn(&str) -> bool) -> Named<'a> {
        Named { trace: self.trace, is_such, known: RefCell::new(vec![None; self.trace.strings.len()]) }
    }

    /// The mean length of a step.
    ///
    /// # Errors
    ///
    /// If there are no steps.
    pub(super) fn step(&self) -> Result<Nanos, NotApplicable> {
        let average = &self.analysis.average;
        // Steps without events have nothing but a length.
        Some(average.length)
            .filter(|_| average.covered_steps > 0 && average.length > Nanos::ZERO)
            .ok_or(NotApplicable::NoSteps)
    }

    /// The same for marked steps.
    pub(super) fn marked_step(&self) -> Result<Nanos, NotApplicable> {
        if !self.analysis.steps.source.is_marked() {
            return Err(NotApplicable::NoSteps);
        }
        self.step()
    }

    /// The mean length of a step if devices are recorded.
    pub(super) fn device_step(&self) -> Result<Nanos, NotApplicable> {
        if self.analysis.devices.is_empty() {
            return Err(NotApplicable::NoDevice);
        }
        self.step()
    }

    /// A time as a part of the mean step.
    pub(super) fn share(&self, time: Nanos) -> f64 {
        time.ratio_of(self.analysis.average.length).unwrap_or_default()
    }

    /// Known idle time of the least idle device in a mean step: no change of the host's work can save more of it. The
    /// whole step if there is no device.
    pub(super) fn idle(&self) -> Nanos {
        self.per_step(self.least_idle.len())
    }

    /// The spans of that time.
    pub(super) fn idle_time(&self) -> &IntervalSet {
        &self.least_idle
    }

    /// From a step's start to the next one's, on average: the steps that count, and the time between those that follow
    /// each other.
    pub(super) fn period(&self) -> Nanos {
        self.per_period(&self.periods)
    }

    /// A time per period: its part in steps, per step, and its part between steps, per gap.
    pub(super) fn per_period(&self, time: &IntervalSet) -> Nanos {
        self.per_step(time.intersection(&self.spans).len()) + mean(time.difference(&self.spans).len(), self.gaps())
    }

    /// Number of steps that count and follow another one.
    fn gaps(&self) -> u64 {
        self.counted.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count() as u64
    }

    /// A time as a part of another one, both per period.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub(super) fn part_of_period(&self, part: &IntervalSet, whole: &IntervalSet) -> Option<f64> {
        let (steps, gaps) = (self.counted.len() as f64, self.gaps().max(1) as f64);
        let weighed = |time: &IntervalSet| {
            let inside = time.intersection(&self.spans).len();
            inside.0 as f64 * gaps + (time.len() - inside).0 as f64 * steps
        };
        let whole = weighed(whole);
        (whole > 0.0).then(|| weighed(part) / whole)
    }

    /// Idle time in the steps and between them of the device with the least of it; without devices, all the time.
    pub(super) fn idle_periods(&self) -> IntervalSet {
        let least = self.idle.iter().map(|(idle, _)| idle).min_by_key(|idle| idle.len());
        least.unwrap_or(&self.periods).clone()
    }

    /// Known idle time of a device, by its index among the reports, in the steps that count and between them.
    pub(super) fn idle_of(&self, device: usize) -> &IntervalSet {
        &self.idle[device].0
    }

    /// The steps that count and the time between them, as far as the state of a device is known.
    pub(super) fn known_of(&self, device: usize) -> IntervalSet {
        let end = self.periods.hull().map_or(Nanos::MIN, |hull| hull.end);
        let shown = self.periods.clip(Interval::new(self.idle[device].1.min(end), end));
        let busy = self.analysis.devices[device].sets.busy();
        shown.difference(&self.unseen.difference(&busy)).difference(&self.analysis.devices[device].uncovered)
    }

    /// A claim on some time: a finding if it is more than this part of the steps.
    pub(super) fn claim(&self, time: IntervalSet, share: f64) -> Claim {
        claim(time, &self.spans, share)
    }

    /// A claim on the time of some slices of the devices.
    pub(super) fn claim_of(&self, slices: &[EventId]) -> Claim {
        let spans = slices.iter().map(|id| self.trace.slices.interval(*id));
        self.claim(IntervalSet::of(spans).intersection(&self.spans), WORTH)
    }

    /// The idle time that some slices of the host can have caused by delaying it: see [`HostLate::caused_by`].
    pub(super) fn caused_by(&self, slices: &[EventId], cause: Cause) -> IntervalSet {
        self.caused_during(slices.iter().map(|id| (self.trace.slices.track(*id), self.on_host(*id))), cause)
    }

    /// The same for spans of threads.
    pub(super) fn caused_during(&self, held: impl Iterator<Item = (TrackId, Interval)>, cause: Cause) -> IntervalSet {
        match self.late() {
            Some(late) => late.caused_by(held, cause, self.anchors()),
            None => IntervalSet::of(held.map(|(_, span)| span)).intersection(&self.least_idle),
        }
    }

    /// The same for other time of the host, on any thread.
    pub(super) fn caused_between(&self, held: &IntervalSet) -> IntervalSet {
        caused(&self.host_late(), held, &IntervalSet::new(), &self.waited())
    }

    /// The idle time that all launches can have caused, and the most that free launches can save. That is the time in
    /// which any launch runs, each moment once, and no more than the device idles for the host ([`of_host`]). It can be
    /// more than the idle time beside the launches: without their calls the host's other work comes earlier, too,
    /// recorded or not.
    pub(super) fn caused_by_launches(&self, launching: &Launching) -> (IntervalSet, Nanos) {
        let devices = || self.analysis.devices.iter();
        let computed = devices().fold(IntervalSet::new(), |all, report| all.union(&report.sets.compute));
        let held = launching.calling.union(&launching.delays.difference(&computed));
        let slow = IntervalSet::of(launching.slow.iter().map(|id| self.on_host(*id)));
        let not_host = self.late().map(|late| late.not_host.clone()).unwrap_or_default();
        let idle = self.least_idle.difference(&not_host).difference(&slow);
        let lost = caused(&idle, &held, &launching.delays, &self.waited());
        let most = self.idle_leaves(of_host).map_or(idle.len(), |for_host| idle.len().min(for_host));
        (lost, self.per_step(launching.cost.min(held.len()).min(most)))
    }

    /// Time in the steps that count that the least idle device idles for such causes; none without devices.
    fn idle_leaves(&self, is_such: fn(IdleLeaf) -> bool) -> Option<Nanos> {
        let steps = &self.analysis.idle.get(self.least_idle_device()?)?.steps;
        let times = self.counted.iter().filter_map(|step| steps.get(*step));
        let leaves = times.flat_map(|times| IdleLeaf::ALL.into_iter().zip(times));
        Some(leaves.filter(|(leaf, _)| is_such(*leaf)).map(|(_, time)| *time).sum())
    }

    /// Time per step that the device idles for recorded activities of the host.
    pub(super) fn recorded_of_host(&self) -> Nanos {
        self.per_step(self.idle_leaves(|leaf| of_host(leaf) && leaf != IdleLeaf::Unrecorded).unwrap_or_default())
    }

    /// The device that idles least in the steps, by its index among the reports.
    pub(super) fn least_idle_device(&self) -> Option<usize> {
        (0..self.idle.len()).min_by_key(|device| self.idle[*device].0.intersection(&self.spans).len())
    }

    /// Idle time of the device for which the host is late; without devices, all the time.
    pub(super) fn host_late(&self) -> IntervalSet {
        self.late().map_or_else(|| self.least_idle.clone(), |late| late.time.clone())
    }

    /// The same by threads; nothing without devices.
    fn late(&self) -> Option<&HostLate<'a>> {
        let least = || {
            let device = self.least_idle_device()?;
            Some(HostLate::of(self.trace, self.analysis, device, &self.least_idle))
        };
        self.late.get_or_init(least).as_ref()
    }

    /// Idle time of a device, by its index among the reports, after its last activity without a recorded reason.
    pub(super) fn unexplained_end(&self, device: usize) -> IntervalSet {
        let after = Interval::new(self.analysis.devices[device].window.end, Nanos::MAX);
        after_last(self.trace, self.analysis, device, &self.idle[device].0.clip(after)).unexplained
    }

    /// Times at which the threads that launch the most returned from waiting for a busy device.
    fn waited(&self) -> Vec<Nanos> {
        let waited = |late: &HostLate<'a>| late.waits(Cause::Synchronization, self.anchors());
        self.late().map(waited).unwrap_or_default()
    }

    /// The calls that returned when their wait was over, as far as the device was busy during it.
    fn anchors(&self) -> &[Anchor] {
        /// Longest call that frees without a wait.
        const FREES: Nanos = Nanos(20_000);
        self.anchors.get_or_init(|| {
            let slices = &self.trace.slices;
            let was_busy = |id: EventId| {
                let span = slices.interval(id);
                self.least_idle.clip(span).len().0.saturating_mul(2) < span.len().0
            };
            let anchor = |id: EventId, cause: Cause| Anchor { at: slices.end(id), thread: slices.track(id), cause };
            let calls = self.calls();
            let waits = calls.waits.iter().copied().filter(|id| was_busy(*id));
            let mut found: Vec<Anchor> = waits.map(|id| anchor(id, Cause::Synchronization)).collect();
            let frees = self.named(|name| name.contains("Free"));
            let freed = calls.allocates.iter().copied();
            let freed = freed.filter(|id| slices.length(*id) > FREES && frees.has(*id) && was_busy(*id));
            found.extend(freed.map(|id| anchor(id, Cause::Allocation)));
            let mut loads = WorkerWaits::of(self.trace);
            let collects = self.named(names_collective);
            for id in slices.ids().filter(|id| matches!(slices.class(*id), Class::Operator | Class::Annotation)) {
                if collects.has(id) {
                    found.push(anchor(id, Cause::Collective));
                } else if loads.has(self.trace, id) {
                    found.push(anchor(id, Cause::Data));
                }
            }
            found
        })
    }

    /// The critical paths of the steps.
    pub(super) fn paths(&self) -> &CriticalPaths {
        self.analysis.paths(self.trace)
    }

    /// A sum over all steps that count, per step.
    pub(super) fn per_step(&self, sum: Nanos) -> Nanos {
        mean(sum, self.counted.len() as u64)
    }

    /// Whether the steps that count capture a graph: their times are not those of a steady step.
    pub(super) fn captures(&self) -> bool {
        self.analysis.steps.average_captures()
    }

    /// Number of steps that count.
    pub(super) fn count(&self) -> usize {
        self.counted.len()
    }

    /// The same as a divisor.
    #[expect(clippy::cast_precision_loss, reason = "a count of steps")]
    pub(super) fn steps(&self) -> f64 {
        self.counted.len().max(1) as f64
    }

    /// The steps that count, including the activities that they launched.
    pub(super) fn spans(&self) -> &IntervalSet {
        &self.spans
    }

    /// The step that counts in which a slice of the host begins, by index.
    pub(super) fn step_of(&self, id: EventId) -> Option<usize> {
        let start = self.trace.slices.start(id);
        let steps = &self.analysis.steps.steps;
        // Steps come by start, and do not overlap on the host.
        let behind = self.counted.partition_point(|index| steps[*index].host.start <= start);
        let index = *self.counted.get(behind.checked_sub(1)?)?;
        (start < steps[index].host.end).then_some(index)
    }

    /// The span of that step on the host.
    fn host_step(&self, id: EventId) -> Option<Interval> {
        self.step_of(id).map(|index| self.analysis.steps.steps[index].host)
    }

    /// Whether a slice of the host begins in a step that counts.
    pub(super) fn is_inside(&self, id: EventId) -> bool {
        self.host_step(id).is_some()
    }

    /// The part of a slice of the host that lies in the step in which it begins.
    pub(super) fn on_host(&self, id: EventId) -> Interval {
        let span = self.trace.slices.interval(id);
        self.host_step(id).map_or(span, |host| span.intersection(host))
    }

    /// The activities launched in steps that count, with the step. Without marked steps, all activities.
    pub(super) fn activities(&self) -> impl Iterator<Item = (usize, &'a Activity)> + '_ {
        let whole = self.analysis.steps.source == StepSource::WholeTrace;
        let steps = &self.analysis.steps;
        self.trace.activities.iter().enumerate().filter_map(move |(index, activity)| {
            if whole {
                return Some((0, activity));
            }
            let step = steps.step_of_activity.get(index).copied().flatten()? as usize;
            self.counts.get(step).is_some_and(|counts| *counts).then_some((step, activity))
        })
    }

    /// The kernels among them.
    pub(super) fn kernels(&self) -> impl Iterator<Item = (usize, &'a Activity)> + '_ {
        self.activities().filter(|(_, activity)| self.trace.slices.class(activity.event) == Class::Kernel)
    }

    /// The calls inside the steps that count.
    pub(super) fn calls(&self) -> &Calls {
        self.calls.get_or_init(|| {
            let mut waits = WaitingCalls::of(self.trace);
            let allocates = self.named(|name| call_meaning(name) == CallMeaning::Allocates);
            let mut calls = Calls::default();
            for id in self.trace.slices_of(Class::RuntimeCall).filter(|id| self.is_inside(*id)) {
                calls.count += 1;
                if waits.has(id) {
                    calls.waits.push(id);
                } else if allocates.has(id) {
                    calls.allocates.push(id);
                }
            }
            calls
        })
    }

    /// The missing data where launches are unknown: the calls, or the links from activities to them.
    pub(super) fn no_launches(&self) -> NotApplicable {
        if self.calls().count == 0 { NotApplicable::NoCalls } else { NotApplicable::Unlinked }
    }

    /// The plugin's overview.
    pub(super) fn tensorboard(&self) -> &TensorBoardOverview {
        self.tensorboard.get_or_init(|| tensorboard_overview(self.trace, &self.analysis.steps))
    }

    /// Length of the union of some spans in the steps, per step.
    pub(super) fn united(&self, spans: impl IntoIterator<Item = Interval>) -> Nanos {
        self.per_step(IntervalSet::of(spans).intersection(&self.spans).len())
    }

    /// The same for slices of the devices.
    pub(super) fn on_devices(&self, slices: &[EventId]) -> Nanos {
        self.united(slices.iter().map(|id| self.trace.slices.interval(*id)))
    }

    /// The same for slices of the host, each in its own step.
    pub(super) fn on_hosts(&self, slices: &[EventId]) -> Nanos {
        self.united(slices.iter().map(|id| self.on_host(*id)))
    }

    /// The longest of some slices.
    pub(super) fn longest(&self, slices: impl IntoIterator<Item = EventId>) -> Vec<Evidence> {
        longest(slices.into_iter().map(|id| (id, self.trace.slices.interval(id))))
    }
}

/// A claim on some time: a finding if it is more than this part of another time.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a part of a length")]
pub(super) fn claim(time: IntervalSet, of: &IntervalSet, share: f64) -> Claim {
    Claim { time, shortest: Nanos::ZERO, least: Nanos((of.len().0 as f64 * share) as i64) }
}

/// Spans in which a call waits for its own copy to begin, far longer than the copy takes: the device does unrecorded
/// work, and is not known to be idle.
#[must_use]
pub fn unseen(trace: &Trace) -> IntervalSet {
    /// A copy that begins this late waited for something; the call's own work before it is in proportion to the copy.
    const LATE: Nanos = Nanos(30_000);
    const TIMES: i64 = 4;
    let mut known: Vec<Option<bool>> = vec![None; trace.strings.len()];
    let mut copies = |call: EventId| {
        let name = trace.slices.name(call);
        let such = || call_meaning(trace.strings.get(name)) == CallMeaning::Copies;
        *known[name.index()].get_or_insert_with(such)
    };
    let pageable = pageable_calls(trace);
    let waited = trace.activities.iter().filter_map(|activity| {
        let call = activity.call.get()?;
        let copy = trace.slices.interval(activity.event);
        let is_copy = trace.slices.class(activity.event) == Class::Memcpy;
        let late = Interval::new(trace.slices.start(call), copy.start.max(trace.slices.start(call)));
        let is_late = late.len() > LATE && late.len().0 > copy.len().0.saturating_mul(TIMES);
        (is_copy && is_late && (copies(call) || pageable.binary_search(&call).is_ok())).then_some(late)
    });
    IntervalSet::of(waited.collect::<Vec<_>>())
}

/// The longest of some spans; of equal ones the first. They may be many: only the shown ones are kept, in order.
pub(super) fn longest(spans: impl IntoIterator<Item = (EventId, Interval)>) -> Vec<Evidence> {
    let mut kept: Vec<(Reverse<Nanos>, EventId, Interval)> = Vec::with_capacity(SHOWN + 1);
    for (id, span) in spans {
        let key = (Reverse(span.len()), id);
        let place = kept.partition_point(|(length, id, _)| (*length, *id) <= key);
        if place < SHOWN {
            kept.insert(place, (key.0, key.1, span));
            kept.truncate(SHOWN);
        }
    }
    kept.into_iter().map(|(_, id, span)| Evidence::Slice(id, span)).collect()
}
