//! Gaps between activities, and their classes.

use stepscope_base::{Interval, Nanos};
use stepscope_trace::{EventId, Trace};

/// Class of a gap: its kind of cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IdleClass {
    /// The activity that ends the gap has no launching call in the trace.
    Unknown,
    /// It was launched after the gap had begun: the host was late.
    HostWait,
    /// It had been launched before, and the gap is short.
    KernelWait,
    /// It had been launched before, and waited for something else: an event, another stream.
    Other,
}

impl IdleClass {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::Unknown, Self::HostWait, Self::KernelWait, Self::Other];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::HostWait => "host_wait",
            Self::KernelWait => "kernel_wait",
            Self::Other => "other",
        }
    }
}

/// A time without activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Its time span.
    pub span: Interval,
    /// Its class.
    pub class: IdleClass,
    /// The activity that ended last before it.
    pub before: EventId,
    /// The activity that ends it.
    pub after: EventId,
    /// The call that launched `after`; none if unknown.
    pub call: Option<EventId>,
    /// Length from which a wait is no longer short.
    pub(super) kernel_wait: Nanos,
}

impl Gap {
    /// Length from which a wait is no longer short.
    pub(crate) fn kernel_wait(&self) -> Nanos {
        self.kernel_wait
    }

    /// The gap between two activities.
    pub(super) fn of(trace: &Trace, span: Interval, [before, after]: [EventId; 2], kernel_wait: Nanos) -> Self {
        let call = trace.activity(after).and_then(|activity| activity.call.get());
        let class = match call {
            None => IdleClass::Unknown,
            Some(call) if trace.slices.start(call) > span.start => IdleClass::HostWait,
            Some(_) if span.len() < kernel_wait => IdleClass::KernelWait,
            Some(_) => IdleClass::Other,
        };
        Self { span, class, before, after, call, kernel_wait }
    }
}

/// Goes through activities by their start.
pub(super) struct Sweep<'a> {
    trace: &'a Trace,
    kernel_wait: Nanos,
    /// Time with any activity so far.
    pub(super) busy: Nanos,
    start: Nanos,
    /// The latest end so far, and its activity.
    last: Option<(Nanos, EventId)>,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(trace: &'a Trace, kernel_wait: Nanos) -> Self {
        Self { trace, kernel_wait, busy: Nanos::ZERO, start: Nanos::ZERO, last: None }
    }

    /// From the first start to the latest end.
    pub(super) fn window(&self) -> Nanos {
        self.last.map_or(Nanos::ZERO, |(end, _)| end - self.start)
    }

    /// The gap before the next activity, if there is one.
    #[inline]
    pub(super) fn next(&mut self, start: Nanos, event: EventId) -> Option<Gap> {
        let end = self.trace.slices.end(event);
        let Some((last_end, last)) = self.last else {
            self.start = start;
            self.busy = end - start;
            self.last = Some((end, event));
            return None;
        };
        self.busy += (end - start.max(last_end)).max(Nanos::ZERO);
        if end > last_end {
            self.last = Some((end, event));
        }
        (start > last_end).then(|| self.gap(Interval::new(last_end, start), last, event))
    }

    fn gap(&self, span: Interval, before: EventId, after: EventId) -> Gap {
        Gap::of(self.trace, span, [before, after], self.kernel_wait)
    }
}
