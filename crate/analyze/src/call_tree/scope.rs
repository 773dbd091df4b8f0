//! The part of a trace that a call tree is made of.

use crate::intervals::IntervalSet;
use crate::scope::Scope;
use crate::step_tables::StepChoice;
use crate::steps::Steps;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{ActivityId, Trace};

/// The part of a trace that a call tree is made of: calls count with their time in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallScope {
    /// Steps, or the whole trace, by the rule of all tables: see [`Scope`].
    Steps(StepChoice),
    /// A range of time. An activity counts with the part that runs in it, whenever it was launched, as in
    /// [`range`](crate::range()). Trees of consecutive ranges add up to the tree of both together.
    Range(Interval),
}

impl From<StepChoice> for CallScope {
    fn from(choice: StepChoice) -> Self {
        Self::Steps(choice)
    }
}

impl CallScope {
    /// The time in which calls count; none: all of it.
    pub(super) fn spans(self, steps: &Steps) -> Option<IntervalSet> {
        match self {
            Self::Steps(choice) => Some(choice.scope(steps)?.host().clone()),
            Self::Range(range) => Some(IntervalSet::from_interval(range)),
        }
    }

    /// The time of each activity that counts.
    pub(super) fn device_times<'a>(self, trace: &'a Trace, steps: &'a Steps) -> ScopedDeviceTimes<'a> {
        let scope = match self {
            Self::Steps(choice) => choice.scope(steps).map_or(DeviceScope::Whole, DeviceScope::Steps),
            Self::Range(range) => DeviceScope::Range(range),
        };
        ScopedDeviceTimes { trace, scope }
    }

    /// The number of steps that sums are divided by.
    pub(super) fn divisor(self, steps: &Steps) -> u64 {
        match self {
            Self::Steps(choice) => choice.divisor(steps),
            Self::Range(_) => 1,
        }
    }
}

enum DeviceScope<'a> {
    Whole,
    Steps(Scope<'a>),
    Range(Interval),
}

/// The time of activities in a scope.
pub(super) struct ScopedDeviceTimes<'a> {
    trace: &'a Trace,
    scope: DeviceScope<'a>,
}

impl ScopedDeviceTimes<'_> {
    /// The time of an activity that counts; none if it is zero.
    pub(super) fn of(&self, id: ActivityId) -> Option<Nanos> {
        let span = self.trace.slices.interval(self.trace.activities[id.index()].event);
        match &self.scope {
            DeviceScope::Whole => Some(span.len()),
            DeviceScope::Steps(scope) => scope.has_activity(id).then(|| span.len()),
            DeviceScope::Range(range) => Some(span.intersection(*range).len()).filter(|length| *length > Nanos::ZERO),
        }
    }
}
