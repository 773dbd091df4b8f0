//! A part of the trace that tables are made of: one step.

use super::steps::Steps;
use crate::trace::{ActivityId, EventId, Trace};
use crate::units::Interval;

/// One step: the operators that start in its host span, and the activities that were launched there.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    host: Interval,
    step: u32,
    steps: &'a Steps,
}

impl<'a> Scope<'a> {
    /// The scope of a step by its index; none if there is no such step.
    #[must_use]
    pub fn of_step(steps: &'a Steps, index: usize) -> Option<Self> {
        let host = steps.steps.get(index)?.host;
        Some(Self { host, step: u32::try_from(index).ok()?, steps })
    }

    /// The step's span, to the end of what it launched.
    #[must_use]
    pub fn span(&self) -> Interval {
        self.steps.steps.get(self.step as usize).map_or(self.host, |step| step.span)
    }

    /// Whether a host slice belongs to it.
    #[must_use]
    #[inline]
    pub fn has_slice(&self, trace: &Trace, id: EventId) -> bool {
        let start = trace.slices.start(id);
        self.host.start <= start && start < self.host.end
    }

    /// Whether an activity belongs to it.
    #[must_use]
    #[inline]
    pub fn has_activity(&self, id: ActivityId) -> bool {
        self.steps.step_of_activity.get(id.index()).copied().flatten() == Some(self.step)
    }
}

/// The activities of a scope, or all.
pub(super) fn activities_in<'a>(
    trace: &'a Trace,
    scope: Option<&'a Scope<'a>>,
) -> impl Iterator<Item = &'a crate::trace::Activity> {
    let inside = move |index: usize| scope.is_none_or(|scope| scope.has_activity(ActivityId::from_index(index)));
    trace.activities.iter().enumerate().filter(move |(index, _)| inside(*index)).map(|(_, activity)| activity)
}
