//! A part of the trace for which tables are made: some of its steps.

use super::intervals::IntervalSet;
use super::steps::Steps;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{ActivityId, EventId, Trace};

/// Some steps, by one rule for all tables: the calls of the host that run in their host spans, with their time there, and the
/// activities that were launched there, whole and whenever they run. METRICS section 3.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    host: IntervalSet,
    /// By step, whether it is one of them.
    chosen: Vec<bool>,
    steps: &'a Steps,
}

impl<'a> Scope<'a> {
    /// The scope of a step by its index; none if there is no such step.
    #[must_use]
    pub fn of_step(steps: &'a Steps, index: usize) -> Option<Self> {
        (index < steps.steps.len()).then(|| Self::of_steps(steps, &[index]))
    }

    /// The scope of several steps by their indices; indices without a step are ignored.
    #[must_use]
    pub fn of_steps(steps: &'a Steps, indices: &[usize]) -> Self {
        let mut chosen = vec![false; steps.steps.len()];
        for index in indices {
            if let Some(chosen) = chosen.get_mut(*index) {
                *chosen = true;
            }
        }
        let of_chosen = steps.steps.iter().zip(&chosen).filter(|(_, chosen)| **chosen);
        Self { host: IntervalSet::of(of_chosen.map(|(step, _)| step.host)), chosen, steps }
    }

    /// The span of the steps, to the end of the activities that they launched.
    #[must_use]
    pub fn span(&self) -> Interval {
        let chosen = self.steps.steps.iter().zip(&self.chosen).filter(|(_, chosen)| **chosen);
        let spans = chosen.map(|(step, _)| step.span);
        spans.reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end))).unwrap_or_default()
    }

    /// The host spans of the steps: the time of calls in them counts.
    #[must_use]
    pub fn host(&self) -> &IntervalSet {
        &self.host
    }

    /// Whether a host slice runs in it, or begins in it.
    #[must_use]
    #[inline]
    pub fn touches(&self, trace: &Trace, id: EventId) -> bool {
        self.has_slice(trace, id) || self.host.len_in(trace.slices.interval(id)) > Nanos::ZERO
    }

    /// Whether a host slice begins in it: then it counts as a call.
    #[must_use]
    #[inline]
    pub fn has_slice(&self, trace: &Trace, id: EventId) -> bool {
        self.host.has(trace.slices.start(id))
    }

    /// Whether an activity belongs to it.
    #[must_use]
    #[inline]
    pub fn has_activity(&self, id: ActivityId) -> bool {
        let step = self.steps.step_of_activity.get(id.index()).copied().flatten();
        step.is_some_and(|step| self.chosen[step as usize])
    }
}

/// The activities of a scope, or all.
pub(super) fn activities_in<'a>(
    trace: &'a Trace,
    scope: Option<&'a Scope<'a>>,
) -> impl Iterator<Item = &'a stepscope_trace::Activity> {
    let inside = move |index: usize| scope.is_none_or(|scope| scope.has_activity(ActivityId::from_index(index)));
    trace.activities.iter().enumerate().filter(move |(index, _)| inside(*index)).map(|(_, activity)| activity)
}
