//! The parts of idle time: one for each nanosecond. INSIGHT section 5, B.

use super::activity::HostActivity;
use super::gaps::IdleClass;
use stepscope_base::Nanos;

/// Cause of a nanosecond of idle time.
///
/// The first leaves are activities of the launching thread while the device waited for it to launch. Up to
/// [`Allocation`](Self::Allocation), the one of highest priority in the chain of open slices counts, else the innermost
/// slice. Where the trace shows nothing of the thread, the one that launched the device's previous activity counts,
/// unless that waits for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IdleLeaf {
    /// The host waits for the data loader.
    DataWait,
    /// The host compiles or tunes kernels.
    Compile,
    /// The host loads a module of kernels.
    ModuleLoad,
    /// The host collects garbage.
    GarbageCollection,
    /// The host is in a collective of its own, as Gloo's.
    HostCollective,
    /// The host waits for the device.
    Synchronization,
    /// The host allocates or frees memory of the device, or memory that the device can read.
    Allocation,
    /// The host is in another call of the runtime or driver.
    RuntimeCall,
    /// The host is in an operator.
    Operator,
    /// The host is in a function of Python.
    Python,
    /// The host is in a range that the program marked, and the trace shows nothing else of it.
    Range,
    /// The trace shows nothing of the launching thread.
    Unrecorded,
    /// In the launching call, which waits until its copy is done.
    BlockingCopy,
    /// In the launching call.
    LaunchingCall,
    /// In the call that launches a graph.
    GraphLaunch,
    /// From the launching call's end to the start of its activity, if that is short.
    LaunchLatency,
    /// The same, if it is long: the trace does not show why.
    StartLate,
    /// The activity that ends the gap had been launched before it, and the gap is short.
    BetweenQueued,
    /// The activity that ends the gap had been launched before it, and waited: for an event or another stream.
    QueuedWaiting,
    /// The activity that ends the gap has no launching call in the trace.
    NoHostRecord,
    /// The device state is unknown at the start: the device may run work from before the recording.
    BeforeFirst,
    /// After the last recorded activity.
    AfterLast,
    /// In steps that the timeline does not cover.
    Uncovered,
}

/// Number of leaves that are activities of the host before it launched.
pub(super) const HOST_CAUSES: usize = IdleLeaf::Unrecorded as usize + 1;

/// Times by [`IdleLeaf::ALL`].
pub type LeafTimes = [Nanos; IdleLeaf::ALL.len()];

impl IdleLeaf {
    /// All of them.
    pub const ALL: [Self; 23] = [
        Self::DataWait,
        Self::Compile,
        Self::ModuleLoad,
        Self::GarbageCollection,
        Self::HostCollective,
        Self::Synchronization,
        Self::Allocation,
        Self::RuntimeCall,
        Self::Operator,
        Self::Python,
        Self::Range,
        Self::Unrecorded,
        Self::BlockingCopy,
        Self::LaunchingCall,
        Self::GraphLaunch,
        Self::LaunchLatency,
        Self::StartLate,
        Self::BetweenQueued,
        Self::QueuedWaiting,
        Self::NoHostRecord,
        Self::BeforeFirst,
        Self::AfterLast,
        Self::Uncovered,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DataWait => "data_wait",
            Self::Compile => "compile",
            Self::ModuleLoad => "module_load",
            Self::GarbageCollection => "garbage_collection",
            Self::HostCollective => "host_collective",
            Self::Synchronization => "synchronization",
            Self::Allocation => "allocation",
            Self::RuntimeCall => "runtime_call",
            Self::Operator => "operator",
            Self::Python => "python",
            Self::Range => "range",
            Self::Unrecorded => "unrecorded",
            Self::BlockingCopy => "blocking_copy",
            Self::LaunchingCall => "launching_call",
            Self::GraphLaunch => "graph_launch",
            Self::LaunchLatency => "launch_latency",
            Self::StartLate => "start_late_unexplained",
            Self::BetweenQueued => "between_queued",
            Self::QueuedWaiting => "queued_waiting",
            Self::NoHostRecord => "no_host_record",
            Self::BeforeFirst => "before_first_activity",
            Self::AfterLast => "after_last_activity",
            Self::Uncovered => "uncovered",
        }
    }

    /// The host activity that it is part of; none if it is part of none.
    #[must_use]
    pub fn activity(self) -> Option<HostActivity> {
        Some(match self {
            Self::DataWait => HostActivity::DataLoading,
            Self::Synchronization | Self::BlockingCopy => HostActivity::Synchronization,
            Self::Allocation => HostActivity::Allocation,
            Self::RuntimeCall | Self::ModuleLoad | Self::LaunchingCall | Self::GraphLaunch | Self::LaunchLatency => {
                HostActivity::Launching
            }
            Self::StartLate => HostActivity::StartLate,
            Self::Operator | Self::HostCollective => HostActivity::Operator,
            Self::Python | Self::Compile | Self::GarbageCollection => HostActivity::Python,
            Self::Range => HostActivity::Range,
            Self::Unrecorded => HostActivity::Unrecorded,
            Self::BetweenQueued
            | Self::QueuedWaiting
            | Self::NoHostRecord
            | Self::BeforeFirst
            | Self::AfterLast
            | Self::Uncovered => return None,
        })
    }

    /// Activity of a thread in a slice inside another one.
    pub(super) fn inside(self, outer: Option<Self>) -> Self {
        match outer {
            // Anywhere in the chain.
            Some(outer) if outer.min(self) <= Self::Allocation => outer.min(self),
            // The slice around a range shows more.
            Some(outer) if self == Self::Range => outer,
            _ => self,
        }
    }
}

/// Times of leaves by the class of their gaps, so that both classes and leaves are sums of the same numbers.
#[derive(Default)]
pub(super) struct Cells([LeafTimes; 4]);

impl Cells {
    pub(super) fn of_class(&mut self, class: IdleClass) -> &mut LeafTimes {
        &mut self.0[class as usize]
    }

    pub(super) fn leaves(&self) -> LeafTimes {
        std::array::from_fn(|leaf| self.0.iter().map(|times| times[leaf]).sum())
    }

    pub(super) fn classes(&self) -> [Nanos; 4] {
        self.0.map(|times| times.into_iter().sum())
    }

    /// Activities of the launching threads during the host wait.
    pub(super) fn host(&self) -> super::HostTimes {
        activities(&self.0[IdleClass::HostWait as usize])
    }
}

/// Times of leaves by the host activity that each is part of.
pub(super) fn activities(leaves: &[Nanos]) -> super::HostTimes {
    let mut times = super::HostTimes::default();
    for (leaf, time) in IdleLeaf::ALL.into_iter().zip(leaves) {
        if let Some(activity) = leaf.activity() {
            times[activity as usize] += *time;
        }
    }
    times
}
