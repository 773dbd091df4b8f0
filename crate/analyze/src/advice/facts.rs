//! What several rules look at.

use std::cell::{OnceCell, RefCell};
use std::cmp::Reverse;

use crate::critical::pageable_calls;
use crate::idle::{CallMeaning, call_meaning};
use crate::time_categories::names_collective;
use crate::{
    Analysis, CriticalPaths, IdleLeaf, IntervalSet, StepSource, TensorBoardOverview, idle_spans, mean,
    tensorboard_overview,
};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Activity, Class, EventId, Trace, TrackId};

use super::claim::{Claim, caused};
use super::late::{Anchor, Cause, HostLate, after_last};
use super::{Evidence, NotApplicable};

/// What of a step must be at stake for a rule to have something to say.
pub(super) const WORTH: f64 = 0.01;

/// Whether the device idles for what the host does, or between two launches: queued work that waits for other work, and work that no
/// call launched, does not come earlier for faster launches.
fn of_host(leaf: IdleLeaf) -> bool {
    let is_others = matches!(leaf, IdleLeaf::QueuedWaiting | IdleLeaf::NoHostRecord | IdleLeaf::StartLate);
    !is_others && !matches!(leaf, IdleLeaf::BeforeFirst | IdleLeaf::Uncovered)
}

/// How many slices are shown as evidence of a rule.
const SHOWN: usize = 5;

/// A trace, its analyses, and what is found of them when a rule first asks for it.
pub(super) struct Facts<'a> {
    pub(super) trace: &'a Trace,
    pub(super) analysis: &'a Analysis,
    /// The steps that count, by index.
    counted: Vec<usize>,
    /// Of each step whether it counts.
    counts: Vec<bool>,
    /// When they go on, extended by what they launched.
    spans: IntervalSet,
    /// The same with the time between steps that follow each other.
    periods: IntervalSet,
    /// When devices do what the trace does not show.
    unseen: IntervalSet,
    /// When each device is known to be idle in the steps and between them, and before when that is not known, as the devices come.
    idle: Vec<(IntervalSet, Nanos)>,
    /// When the device idles in the steps that is the least idle one there; without devices, all the time.
    least_idle: IntervalSet,
    calls: OnceCell<Calls>,
    anchors: OnceCell<Vec<Anchor>>,
    late: OnceCell<Option<HostLate<'a>>>,
    pub(super) launches: OnceCell<Launching>,
    tensorboard: OnceCell<TensorBoardOverview>,
}

/// Which slices have a name that is such; each name is looked at when it is first asked for.
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

/// What usual launches take in the steps that count, without calls that wait for the device.
pub(super) struct Launching {
    /// When the host is in such a call.
    pub(super) calling: IntervalSet,
    /// From its end until the first of what it launched begins.
    pub(super) delays: IntervalSet,
    /// The sum of both, over all calls, those that wait for the device among them.
    pub(super) cost: Nanos,
    /// The calls.
    pub(super) calls: Vec<EventId>,
    /// Those that take longer than what they launch.
    pub(super) short: Vec<EventId>,
    /// The few calls that take far longer than a usual launch: these are not among the others.
    pub(super) slow: Vec<EventId>,
}

/// The calls of the runtime inside the steps that count.
#[derive(Default)]
pub(super) struct Calls {
    /// Those that wait for the device, be it for a copy or fill to be done.
    pub(super) waits: Vec<EventId>,
    /// Those that allocate or free memory, and wait while they do.
    pub(super) allocates: Vec<EventId>,
    /// All of them.
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

    /// The slices with such a name.
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
        // Of steps that no event belongs to nothing can be said but their length.
        Some(average.length)
            .filter(|_| average.covered_steps > 0 && average.length > Nanos::ZERO)
            .ok_or(NotApplicable::NoSteps)
    }

    /// The same of steps that somebody marked.
    pub(super) fn marked_step(&self) -> Result<Nanos, NotApplicable> {
        if !self.analysis.steps.source.is_marked() {
            return Err(NotApplicable::NoSteps);
        }
        self.step()
    }

    /// The mean length of a step in which a device was looked at.
    pub(super) fn device_step(&self) -> Result<Nanos, NotApplicable> {
        if self.analysis.devices.is_empty() {
            return Err(NotApplicable::NoDevice);
        }
        self.step()
    }

    /// The part of a mean step.
    pub(super) fn share(&self, time: Nanos) -> f64 {
        time.ratio_of(self.analysis.average.length).unwrap_or_default()
    }

    /// How long a device is known to idle in a mean step, the least idle one: no change of what the host does can save more of
    /// it. The whole step if there is no device.
    pub(super) fn idle(&self) -> Nanos {
        self.per_step(self.least_idle.len())
    }

    /// When that is.
    pub(super) fn idle_time(&self) -> &IntervalSet {
        &self.least_idle
    }

    /// From a step's start to the next one's, on average: the steps that count, and the time between those that follow each other.
    pub(super) fn period(&self) -> Nanos {
        self.per_period(&self.periods)
    }

    /// What some time is of that: what of it lies in steps, per step, and what lies between them, per such time.
    pub(super) fn per_period(&self, time: &IntervalSet) -> Nanos {
        self.per_step(time.intersection(&self.spans).len()) + mean(time.difference(&self.spans).len(), self.gaps())
    }

    /// How many steps that count follow another one.
    fn gaps(&self) -> u64 {
        self.counted.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count() as u64
    }

    /// The part that some time is of another one, both from a step's start to the next one's.
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

    /// When the device idles in the steps and between them that is the least idle one; without devices, all the time.
    pub(super) fn idle_periods(&self) -> IntervalSet {
        let least = self.idle.iter().map(|(idle, _)| idle).min_by_key(|idle| idle.len());
        least.unwrap_or(&self.periods).clone()
    }

    /// When a device, by its place among the reports, is known to be idle in the steps that count and between them.
    pub(super) fn idle_of(&self, device: usize) -> &IntervalSet {
        &self.idle[device].0
    }

    /// The steps that count and the time between them, as far as it is known what a device does there.
    pub(super) fn known_of(&self, device: usize) -> IntervalSet {
        let end = self.periods.hull().map_or(Nanos::MIN, |hull| hull.end);
        let shown = self.periods.clip(Interval::new(self.idle[device].1.min(end), end));
        let busy = self.analysis.devices[device].sets.busy();
        shown.difference(&self.unseen.difference(&busy)).difference(&self.analysis.devices[device].uncovered)
    }

    /// A claim on some time, worth a word if it is more than this part of the steps.
    pub(super) fn claim(&self, time: IntervalSet, share: f64) -> Claim {
        claim(time, &self.spans, share)
    }

    /// A claim on the time of some slices of the devices.
    pub(super) fn claim_of(&self, slices: &[EventId]) -> Claim {
        let spans = slices.iter().map(|id| self.trace.slices.interval(*id));
        self.claim(IntervalSet::of(spans).intersection(&self.spans), WORTH)
    }

    /// The idle time that some slices of the host can have caused, which hold it up: see [`HostLate::caused_by`].
    pub(super) fn caused_by(&self, slices: &[EventId], cause: Cause) -> IntervalSet {
        self.caused_during(slices.iter().map(|id| (self.trace.slices.track(*id), self.on_host(*id))), cause)
    }

    /// The same of times of threads.
    pub(super) fn caused_during(&self, held: impl Iterator<Item = (TrackId, Interval)>, cause: Cause) -> IntervalSet {
        match self.late() {
            Some(late) => late.caused_by(held, cause, self.anchors()),
            None => IntervalSet::of(held.map(|(_, span)| span)).intersection(&self.least_idle),
        }
    }

    /// The same of other time of the host, whatever the thread.
    pub(super) fn caused_between(&self, held: &IntervalSet) -> IntervalSet {
        caused(&self.host_late(), held, &IntervalSet::new(), &self.waited())
    }

    /// The idle time that all launches can have caused, and the most that free launches can save: the time in which any of them goes
    /// on, since what holds the device up goes through each moment once, and no more than the device idles for what the host does
    /// ([`of_host`]). That can be more than the idle time beside the launches:
    /// without their calls the host's other work comes earlier, too, recorded or not.
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

    /// How long the least idle device idles in the steps that count for such causes; none without devices.
    fn idle_leaves(&self, is_such: fn(IdleLeaf) -> bool) -> Option<Nanos> {
        let steps = &self.analysis.idle.get(self.least_idle_device()?)?.steps;
        let times = self.counted.iter().filter_map(|step| steps.get(*step));
        let leaves = times.flat_map(|times| IdleLeaf::ALL.into_iter().zip(times));
        Some(leaves.filter(|(leaf, _)| is_such(*leaf)).map(|(_, time)| *time).sum())
    }

    /// How long the device idles in a step that counts for what the host is recorded to do.
    pub(super) fn recorded_of_host(&self) -> Nanos {
        self.per_step(self.idle_leaves(|leaf| of_host(leaf) && leaf != IdleLeaf::Unrecorded).unwrap_or_default())
    }

    /// The device that idles least in the steps, by its place among the reports.
    pub(super) fn least_idle_device(&self) -> Option<usize> {
        (0..self.idle.len()).min_by_key(|device| self.idle[*device].0.intersection(&self.spans).len())
    }

    /// When the device idles since the host has not launched yet; without devices, all the time.
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

    /// When a device, by its place among the reports, idles after its last activity and the trace does not show why.
    pub(super) fn unexplained_end(&self, device: usize) -> IntervalSet {
        let after = Interval::new(self.analysis.devices[device].window.end, Nanos::MAX);
        after_last(self.trace, self.analysis, device, &self.idle[device].0.clip(after)).unexplained
    }

    /// When the threads that launch the most came back from waiting for a device that was busy meanwhile.
    fn waited(&self) -> Vec<Nanos> {
        let waited = |late: &HostLate<'a>| late.waits(Cause::Synchronization, self.anchors());
        self.late().map(waited).unwrap_or_default()
    }

    /// The calls that came back since what they had waited for was done, as far as the device was busy meanwhile.
    fn anchors(&self) -> &[Anchor] {
        /// A call that frees takes no longer by itself, and a wait for data that are there takes no longer.
        const FREES: Nanos = Nanos(20_000);
        const DATA: Nanos = Nanos(1_000_000);
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
            let loads = self.named(|name| crate::is_dataloader(name) && name.contains("MultiProcessing"));
            let collects = self.named(names_collective);
            for id in slices.ids().filter(|id| matches!(slices.class(*id), Class::Operator | Class::Annotation)) {
                if collects.has(id) {
                    found.push(anchor(id, Cause::Collective));
                } else if slices.length(id) > DATA && loads.has(id) {
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

    /// What a sum over all steps that count comes to per step.
    pub(super) fn per_step(&self, sum: Nanos) -> Nanos {
        mean(sum, self.counted.len() as u64)
    }

    /// Whether the steps that count capture a graph: no time of theirs is that of a steady step.
    pub(super) fn captures(&self) -> bool {
        self.analysis.steps.average_captures()
    }

    /// How many steps count.
    pub(super) fn count(&self) -> usize {
        self.counted.len()
    }

    /// The same as a divisor.
    #[expect(clippy::cast_precision_loss, reason = "a count of steps")]
    pub(super) fn steps(&self) -> f64 {
        self.counted.len().max(1) as f64
    }

    /// The steps that count, extended by what they launched.
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

    /// The same step, as it goes on there.
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

    /// The activities that were launched in steps that count, with the step. Where nobody marked steps, all.
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
            let waits = self.named(|name| matches!(call_meaning(name), CallMeaning::Waits | CallMeaning::Copies));
            let pageable = pageable_calls(self.trace);
            let allocates = self.named(|name| call_meaning(name) == CallMeaning::Allocates);
            let mut calls = Calls::default();
            for id in self.trace.slices_of(Class::RuntimeCall).filter(|id| self.is_inside(*id)) {
                calls.count += 1;
                if waits.has(id) || pageable.binary_search(&id).is_ok() {
                    calls.waits.push(id);
                } else if allocates.has(id) {
                    calls.allocates.push(id);
                }
            }
            calls
        })
    }

    /// What is missing where nothing is known of launches: the calls, or what links activities to them.
    pub(super) fn no_launches(&self) -> NotApplicable {
        if self.calls().count == 0 { NotApplicable::NoCalls } else { NotApplicable::Unlinked }
    }

    /// The plugin's overview.
    pub(super) fn tensorboard(&self) -> &TensorBoardOverview {
        self.tensorboard.get_or_init(|| tensorboard_overview(self.trace, &self.analysis.steps))
    }

    /// How long any of some spans goes on in the steps, per step.
    pub(super) fn united(&self, spans: impl IntoIterator<Item = Interval>) -> Nanos {
        self.per_step(IntervalSet::of(spans).intersection(&self.spans).len())
    }

    /// The same of slices of the devices.
    pub(super) fn on_devices(&self, slices: &[EventId]) -> Nanos {
        self.united(slices.iter().map(|id| self.trace.slices.interval(*id)))
    }

    /// The same of slices of the host: in its own step each.
    pub(super) fn on_hosts(&self, slices: &[EventId]) -> Nanos {
        self.united(slices.iter().map(|id| self.on_host(*id)))
    }

    /// The longest of some slices.
    pub(super) fn longest(&self, slices: impl IntoIterator<Item = EventId>) -> Vec<Evidence> {
        longest(slices.into_iter().map(|id| (id, self.trace.slices.interval(id))))
    }
}

/// A claim on some time, worth a word if it is more than this part of another time.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a part of a length")]
pub(super) fn claim(time: IntervalSet, of: &IntervalSet, share: f64) -> Claim {
    Claim { time, shortest: Nanos::ZERO, least: Nanos((of.len().0 as f64 * share) as i64) }
}

/// When a call waits for its own copy, which does not begin, far longer than the copy takes: the device does what the trace does not
/// show, and is not known to be idle.
#[must_use]
pub fn unseen(trace: &Trace) -> IntervalSet {
    /// What begins so late waited for something; what a call itself does before is in proportion to the copy.
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

/// The longest of some spans, of those that are as long the first ones. They may be many: those that are shown are kept in order
/// while the others go by.
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
