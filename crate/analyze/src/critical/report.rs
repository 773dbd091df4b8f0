//! Critical paths as they are reported.

use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, EventId, NameId, Trace};

/// The kind of a piece of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathClass {
    /// The host is in an operator.
    HostOperator,
    /// The host is in a call of the device's runtime or driver.
    RuntimeCall,
    /// From a launching call's end to the beginning of its activity, if that is short.
    LaunchDelay,
    /// The same, if it is long: the trace does not show why.
    StartLate,
    /// A kernel of computation runs.
    Compute,
    /// A kernel of communication runs; or a collective of the host, and nothing else explains the time.
    Communication,
    /// A memcpy runs.
    Memcpy,
    /// A memset runs.
    Memset,
    /// A call that waits for the device returns, or waits for an unknown reason.
    SyncWait,
    /// The host waits for data.
    DataLoading,
    /// From the end of the last dependency of an activity on the devices to its beginning.
    KernelWait,
    /// None of these: the host does something that is not recorded, or nothing.
    Other,
}

impl PathClass {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::HostOperator,
        Self::RuntimeCall,
        Self::LaunchDelay,
        Self::StartLate,
        Self::Compute,
        Self::Communication,
        Self::Memcpy,
        Self::Memset,
        Self::SyncWait,
        Self::DataLoading,
        Self::KernelWait,
        Self::Other,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HostOperator => "host_operator",
            Self::RuntimeCall => "runtime_call",
            Self::LaunchDelay => "launch_delay",
            Self::StartLate => "start_late",
            Self::Compute => "compute",
            Self::Communication => "communication",
            Self::Memcpy => "memcpy",
            Self::Memset => "memset",
            Self::SyncWait => "sync_wait",
            Self::DataLoading => "data_loading",
            Self::KernelWait => "kernel_wait",
            Self::Other => "other",
        }
    }

    /// The class of a thread's time in a slice. A range inside an operator is time of the operator.
    pub(super) fn on_host(trace: &Trace, slice: EventId) -> Self {
        let is_operator = |id| trace.slices.class(id) == Class::Operator;
        match slice.get() {
            Some(id) if trace.slices.class(id) == Class::RuntimeCall => Self::RuntimeCall,
            Some(id) if is_operator(id) || trace.slices.ancestors(id).any(is_operator) => Self::HostOperator,
            _ => Self::Other,
        }
    }

    /// Whether the path lies on the host there, without a known wait.
    #[must_use]
    pub fn is_of_host(self) -> bool {
        matches!(self, Self::HostOperator | Self::RuntimeCall | Self::Other)
    }
}

/// Times of a path by [`PathClass::ALL`]; their sum is the step.
pub type PathTimes = [Nanos; PathClass::ALL.len()];

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathPiece {
    /// The call, operator or activity; before an activity begins, that activity; none if nothing is recorded.
    pub slice: EventId,
    /// Its time span.
    pub span: Interval,
    /// Its class.
    pub class: PathClass,
}

/// The critical path through a step: the step is only shorter if a part of its path is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CriticalPath {
    /// The step's span.
    pub span: Interval,
    /// Its times by class.
    pub times: PathTimes,
    /// Its pieces, one after the other, from the step's start to its end.
    pub pieces: Vec<PathPiece>,
    /// The time for which it follows other threads by elimination: the step's thread shows no work then, and they do.
    pub inferred: Nanos,
}

/// The time of paths in slices of one name and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathRow {
    /// Its class.
    pub class: PathClass,
    /// The slices' name; none where nothing is recorded.
    pub name: NameId,
    /// Number of pieces.
    pub pieces: u64,
    /// Their total time.
    pub total: Nanos,
    /// The longest of the pieces.
    pub longest: PathPiece,
}

/// The critical paths of all steps, summed up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CriticalPaths {
    /// Each step's times; see [`critical_path`](super::critical_path) for the pieces.
    pub steps: Vec<PathTimes>,
    /// The mean over the steps that enter averages.
    pub mean: PathTimes,
    /// The mean length of these steps.
    pub mean_length: Nanos,
    /// Number of these steps.
    pub counted: u64,
    /// Total time of these paths on the host without a shown cause: nothing is recorded for more than 100 µs at a time,
    /// or devices run work that no call launched.
    pub unclear: Nanos,
    /// The time of these paths on the host or between activities, beside work that no call launched: paths do not lead
    /// through it, though they may wait for it.
    pub unlinked: Nanos,
    /// Total time for which these paths follow other threads by elimination.
    pub inferred: Nanos,
    /// The rows of all paths, the longest first.
    pub rows: Vec<PathRow>,
}
