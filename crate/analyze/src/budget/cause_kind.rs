//! Kinds of causes of lost time, and the leaves of each. INSIGHT section 5, D.

use super::leaf::{BudgetLeaf, Debt};
use crate::flops::RoofFamily;
use crate::{IdleLeaf, StragglerCause};

/// A kind of cause of lost time; each has a remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CauseKind {
    /// The host waits for data.
    DataPipeline,
    /// The host waits for the device.
    Synchronization,
    /// The host allocates or frees memory.
    Allocation,
    /// The host collects garbage.
    GarbageCollection,
    /// The host compiles, tunes or loads kernels.
    Compile,
    /// The host is in a collective of its own.
    HostCollective,
    /// The host works, and launches too late.
    LaunchBound,
    /// Single calls of the runtime take more than a millisecond.
    SlowCalls,
    /// The device pauses between kernels that wait in its queue.
    BetweenKernels,
    /// Time between steps.
    BetweenSteps,
    /// Exposed copies and memsets.
    Copies,
    /// Exposed communication while all ranks have arrived.
    Transfer,
    /// Exposed communication while other ranks have not arrived.
    WaitingForRanks,
    /// Exposed communication that cannot be split.
    Communication,
    /// Products of float32 numbers, where the device multiplies shorter ones faster.
    Float32Products,
    /// Kernels that take longer than at the device's limit.
    AboveRoof(RoofFamily),
    /// Other ranks wait for a part of the job that is late; only in jobs.
    Late(StragglerCause),
}

impl CauseKind {
    /// All kinds.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let others = [
            Self::DataPipeline,
            Self::Synchronization,
            Self::Allocation,
            Self::GarbageCollection,
            Self::Compile,
            Self::HostCollective,
            Self::LaunchBound,
            Self::SlowCalls,
            Self::BetweenKernels,
            Self::BetweenSteps,
            Self::Copies,
            Self::Transfer,
            Self::WaitingForRanks,
            Self::Communication,
            Self::Float32Products,
        ];
        let above = RoofFamily::ALL.into_iter().map(Self::AboveRoof);
        others.into_iter().chain(above).chain(StragglerCause::ALL.map(Self::Late)).collect()
    }

    /// Whether its time is idle time of the device alone.
    #[must_use]
    pub fn is_of_idle_time(self) -> bool {
        match self {
            Self::DataPipeline
            | Self::Synchronization
            | Self::Allocation
            | Self::GarbageCollection
            | Self::Compile
            | Self::HostCollective
            | Self::LaunchBound
            | Self::SlowCalls
            | Self::BetweenKernels
            | Self::BetweenSteps => true,
            Self::Copies
            | Self::Transfer
            | Self::WaitingForRanks
            | Self::Communication
            | Self::Float32Products
            | Self::AboveRoof(_)
            | Self::Late(_) => false,
        }
    }

    /// The cause that a leaf belongs to; none if nothing is wrong with the leaf or its cause is not known.
    #[must_use]
    pub fn of(leaf: BudgetLeaf) -> Option<Self> {
        Some(match leaf {
            BudgetLeaf::AboveRoof(family) => Self::AboveRoof(family),
            BudgetLeaf::Float32Products => Self::Float32Products,
            BudgetLeaf::Transfer => Self::Transfer,
            BudgetLeaf::WaitingForRanks => Self::WaitingForRanks,
            BudgetLeaf::CommunicationNotSplit => Self::Communication,
            BudgetLeaf::Copy(_) | BudgetLeaf::Memset => Self::Copies,
            BudgetLeaf::SlowCall => Self::SlowCalls,
            BudgetLeaf::BetweenSteps => Self::BetweenSteps,
            BudgetLeaf::LeadLost(debt) => match debt {
                Debt::Synchronization => Self::Synchronization,
                Debt::Data => Self::DataPipeline,
                Debt::Allocation => Self::Allocation,
                Debt::GarbageCollection => Self::GarbageCollection,
                Debt::Compile => Self::Compile,
                Debt::HostCollective => Self::HostCollective,
            },
            BudgetLeaf::Idle(leaf) => match leaf {
                IdleLeaf::DataWait => Self::DataPipeline,
                IdleLeaf::Synchronization | IdleLeaf::BlockingCopy => Self::Synchronization,
                IdleLeaf::Allocation => Self::Allocation,
                IdleLeaf::GarbageCollection => Self::GarbageCollection,
                IdleLeaf::Compile | IdleLeaf::ModuleLoad => Self::Compile,
                IdleLeaf::HostCollective => Self::HostCollective,
                IdleLeaf::RuntimeCall
                | IdleLeaf::Operator
                | IdleLeaf::Python
                | IdleLeaf::Range
                | IdleLeaf::LaunchingCall
                | IdleLeaf::GraphLaunch
                | IdleLeaf::LaunchLatency => Self::LaunchBound,
                IdleLeaf::BetweenQueued => Self::BetweenKernels,
                IdleLeaf::Unrecorded
                | IdleLeaf::StartLate
                | IdleLeaf::QueuedWaiting
                | IdleLeaf::NoHostRecord
                | IdleLeaf::BeforeFirst
                | IdleLeaf::AfterLast
                | IdleLeaf::Uncovered => return None,
            },
            BudgetLeaf::AtRoof(_) | BudgetLeaf::RoofUnknown(_) | BudgetLeaf::OutsideSteps => return None,
        })
    }

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DataPipeline => "data_pipeline",
            Self::Synchronization => "synchronization",
            Self::Allocation => "allocation",
            Self::GarbageCollection => "garbage_collection",
            Self::Compile => "compile",
            Self::HostCollective => "host_collective",
            Self::LaunchBound => "launch_bound",
            Self::SlowCalls => "slow_calls",
            Self::BetweenKernels => "between_kernels",
            Self::BetweenSteps => "between_steps",
            Self::Copies => "copies",
            Self::Transfer => "transfer",
            Self::WaitingForRanks => "waiting_for_ranks",
            Self::Communication => "communication",
            Self::Float32Products => BudgetLeaf::Float32Products.name(),
            Self::AboveRoof(family) => BudgetLeaf::AboveRoof(family).name(),
            Self::Late(cause) => match cause {
                StragglerCause::Compute => "late_compute",
                StragglerCause::MoreKernels => "late_more_kernels",
                StragglerCause::LongerKernels => "late_longer_kernels",
                StragglerCause::Data => "late_data",
                StragglerCause::Host => "late_host",
                StragglerCause::Link => "late_link",
                StragglerCause::Stage => "late_stage",
            },
        }
    }
}
