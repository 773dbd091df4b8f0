//! What several rules look at.

use std::cell::{OnceCell, RefCell};
use std::cmp::Reverse;

use crate::analyze::critical::pageable_calls;
use crate::analyze::idle::{CallMeaning, call_meaning};
use crate::analyze::{Analysis, IntervalSet, StepSource, TensorBoardOverview, launch_rows, mean, tensorboard_overview};
use crate::trace::{Activity, Class, EventId, Trace};
use crate::units::{Interval, Nanos};

use super::{Evidence, Unjudged};

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
    calls: OnceCell<Calls>,
    launches: OnceCell<(Nanos, Vec<EventId>)>,
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
        Self {
            trace,
            analysis,
            counted,
            counts,
            spans,
            calls: OnceCell::new(),
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
    pub(super) fn step(&self) -> Result<Nanos, Unjudged> {
        let average = &self.analysis.average;
        // Of steps that no event belongs to nothing can be said but their length.
        Some(average.length)
            .filter(|_| average.covered_steps > 0 && average.length > Nanos::ZERO)
            .ok_or(Unjudged::NoSteps)
    }

    /// The same of steps that somebody marked.
    pub(super) fn marked_step(&self) -> Result<Nanos, Unjudged> {
        if !self.analysis.steps.source.is_marked() {
            return Err(Unjudged::NoSteps);
        }
        self.step()
    }

    /// The mean length of a step in which a device was looked at.
    pub(super) fn device_step(&self) -> Result<Nanos, Unjudged> {
        if self.analysis.devices.is_empty() {
            return Err(Unjudged::NoDevice);
        }
        self.step()
    }

    /// The part of a mean step.
    pub(super) fn share(&self, time: Nanos) -> f64 {
        time.ratio_of(self.analysis.average.length).unwrap_or_default()
    }

    /// How long a device idles in a mean step: no change of what the host does can save more of it. The whole step if
    /// there is no device.
    pub(super) fn idle(&self) -> Nanos {
        if self.analysis.devices.is_empty() { self.analysis.average.length } else { self.analysis.average.device.idle }
    }

    /// What a sum over all steps that count comes to per step.
    pub(super) fn per_step(&self, sum: Nanos) -> Nanos {
        mean(sum, self.counted.len() as u64)
    }

    /// How many steps count.
    #[expect(clippy::cast_precision_loss, reason = "a count of steps")]
    pub(super) fn steps(&self) -> f64 {
        self.counted.len().max(1) as f64
    }

    /// The steps that count, extended by what they launched.
    pub(super) fn spans(&self) -> &IntervalSet {
        &self.spans
    }

    /// The step that counts in which a slice of the host begins, as it goes on there.
    fn host_step(&self, id: EventId) -> Option<Interval> {
        let start = self.trace.slices.start(id);
        let steps = &self.analysis.steps.steps;
        // Steps come by start, and do not overlap on the host.
        let behind = self.counted.partition_point(|index| steps[*index].host.start <= start);
        let host = steps[*self.counted.get(behind.checked_sub(1)?)?].host;
        (start < host.end).then_some(host)
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

    /// What a step's launches take, each until its first activity begins; and the launching calls in the steps that
    /// count.
    ///
    /// # Errors
    ///
    /// If no call launched anything.
    pub(super) fn launching(&self) -> Result<&(Nanos, Vec<EventId>), Unjudged> {
        if self.analysis.launches.total.calls == 0 {
            return Err(Unjudged::NoCalls);
        }
        Ok(self.launches.get_or_init(|| {
            let rows = launch_rows(self.trace);
            let inside: Vec<_> = rows.iter().filter(|row| self.is_inside(row.call)).collect();
            let cost = inside.iter().map(|row| row.cpu + row.delay).sum();
            (self.per_step(cost), inside.iter().map(|row| row.call).collect())
        }))
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
