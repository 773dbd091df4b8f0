//! The idle time of devices and streams: classes, leaves, the longest gaps, and the stretches outside of a device's
//! window.

use super::activity::{HostActivity, HostTimes};
use super::gaps::Gap;
#[cfg(doc)]
use super::gaps::IdleClass;
use super::leaves::{IdleLeaf, LeafTimes};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{EventId, Stream};

/// Thresholds for idle time, and the number of listed gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleConfig {
    /// A shorter gap before an activity that was launched in time is a kernel wait.
    pub kernel_wait: Nanos,
    /// A longer gap of a whole device is long.
    pub long_gap: Nanos,
    /// Number of a device's long gaps that are listed.
    pub listed: usize,
}

impl IdleConfig {
    /// METRICS' 30 µs for both, and the twenty longest.
    #[must_use]
    pub fn standard() -> Self {
        Self { kernel_wait: Nanos(30_000), long_gap: Nanos(30_000), listed: 20 }
    }
}

/// Time of a stream, or of a device's streams together, by cause.
///
/// `busy + unknown + host wait + kernel wait + other + uncovered = window`, the leaves add up to the idle time, and the
/// host's activities add up to the host wait, exactly: classes and activities are sums of leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdleTimes {
    /// From the first activity's start to the last end.
    pub window: Nanos,
    /// Any activity.
    pub busy: Nanos,
    /// The part of the gaps in steps that the timeline does not cover: activities may be missing, so it is not known to
    /// be idle.
    pub uncovered: Nanos,
    /// The gaps' time by [`IdleLeaf::ALL`].
    pub leaves: LeafTimes,
    /// The gaps' time by [`IdleClass::ALL`].
    pub classes: [Nanos; 4],
    /// Number of gaps by [`IdleClass::ALL`].
    pub gaps: [u64; 4],
    /// Activities of the launching threads during the host wait.
    pub host: HostTimes,
    /// The part of the leaves that belongs to the thread that launched before, where the trace shows little of the
    /// launching thread.
    pub handed_over: Nanos,
}

impl IdleTimes {
    /// Time without activity.
    #[must_use]
    pub fn idle(&self) -> Nanos {
        self.classes.iter().copied().sum()
    }
}

/// A device's idle time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceIdle {
    /// The device's number as the producer counts.
    pub device: i64,
    /// The thresholds used.
    pub config: IdleConfig,
    /// Times of its streams together: it is idle when none of them is active.
    pub times: IdleTimes,
    /// Times of each stream.
    pub streams: Vec<(Stream, IdleTimes)>,
    /// The device's longest gaps, the longest first.
    pub longest: Vec<ListedGap>,
    /// Number of long gaps, listed or not.
    pub long_gaps: u64,
    /// Their time.
    pub long_gaps_time: Nanos,
    /// Each step's idle time by [`IdleLeaf::ALL`], in the steps' order: the part of the gaps that lies in the step, and
    /// the part of the step before the device's first activity or after its last one. It adds up to the step without
    /// the device's busy time.
    pub steps: Vec<LeafTimes>,
    /// The same by class, in the same order.
    pub step_classes: Vec<StepClasses>,
    /// The steps' time before the device's first activity in which the device may run work from before the recording:
    /// outside of the window, no part of any class, and not known to be idle.
    pub before_first: Nanos,
    /// The rest of the steps' time before the first activity, in which the device is idle: outside of the window, and
    /// no part of any class.
    pub lead_in: Nanos,
    /// The steps' time after its last activity, likewise.
    pub lead_out: Nanos,
    /// The long stretches of these three, by start.
    pub edges: Vec<IdleEdge>,
}

/// Idle time of a device in a step, by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepClasses {
    /// The time of gaps by [`IdleClass::ALL`].
    pub classes: [Nanos; 4],
    /// Activities of the launching threads during the host wait.
    pub host: HostTimes,
    /// The time before the device's first activity, in which it is idle.
    pub lead_in: Nanos,
}

/// A long gap with the activities of the host in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedGap {
    /// Its span, its class, and the activities around it.
    pub gap: Gap,
    /// Its time by [`IdleLeaf::ALL`].
    pub leaves: LeafTimes,
    /// Activities of the launching thread; none if the launching call is unknown.
    pub host: Option<HostInGap>,
}

/// Activities of the launching thread in a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostInGap {
    /// Time of each activity.
    pub times: HostTimes,
    /// The longest activity.
    pub activity: HostActivity,
    /// The slice that shows it best: the innermost one of that activity that takes at least half of its time in the
    /// gap, else the longest one; none if no slice shows it.
    pub slice: Option<EventId>,
}

impl ListedGap {
    /// The cause of most of the gap.
    #[must_use]
    pub fn cause(&self) -> IdleLeaf {
        let longest = IdleLeaf::ALL.into_iter().rev().max_by_key(|leaf| self.leaves[*leaf as usize]);
        longest.unwrap_or(IdleLeaf::NoHostRecord)
    }
}

/// Side of a device's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeSide {
    /// Before the device's first activity, where it may run work from before the recording.
    BeforeFirst,
    /// Before the device's first activity, where it is idle.
    LeadIn,
    /// After its last one.
    LeadOut,
}

impl EdgeSide {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BeforeFirst => "before_first_activity",
            Self::LeadIn => "lead_in",
            Self::LeadOut => "lead_out",
        }
    }
}

/// A long stretch of the steps before a device's first activity or after its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleEdge {
    /// Its time span.
    pub span: Interval,
    /// Its side.
    pub side: EdgeSide,
    /// The device's first or last activity.
    pub activity: EventId,
    /// Activities of the thread that marks the steps, else of the one that launched the activity. None if neither is
    /// known, and before the first activity if the device is not known to be idle there: the host is not the cause.
    pub host: Option<HostInGap>,
}

impl IdleEdge {
    /// The leaf of all its time; none if the host is the cause, as [`host`](Self::host) shows.
    #[must_use]
    pub fn cause(&self) -> Option<IdleLeaf> {
        match self.side {
            EdgeSide::BeforeFirst => Some(IdleLeaf::BeforeFirst),
            EdgeSide::LeadIn => None,
            EdgeSide::LeadOut => Some(IdleLeaf::AfterLast),
        }
    }
}
