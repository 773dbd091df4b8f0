//! Reasons why a rule was not judged, or does not hold though its value is reached.

/// Reason why a rule could not be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotApplicable {
    /// There are no steps, or only an unmarked one.
    NoSteps,
    /// There is one step only.
    OneStep,
    /// No device did anything.
    NoDevice,
    /// No kernel ran.
    NoKernels,
    /// No operators are recorded.
    NoOperators,
    /// No calls of the runtime are recorded.
    NoCalls,
    /// Most activities of devices have no recorded launching call.
    Unlinked,
    /// No communication is recorded.
    NoCommunication,
    /// The job has no pipeline stages.
    NoStages,
    /// The sizes of collectives are not known.
    NoSizes,
    /// Allocations are not recorded.
    NoMemory,
    /// The device's model or properties are not recorded.
    UnknownDevice,
    /// The device's peak is not known.
    UnknownPeak,
    /// The amounts of computation or data are known for too few kernels and copies.
    UnknownWork,
    /// The units that kernels run on are not known.
    UnknownUnits,
    /// The profiler wrote no table for it.
    NoTable,
    /// Too few samples are recorded for a mean.
    FewSamples,
    /// Most samples of the processors do not add up to their time.
    ImplausibleSamples,
    /// The queue of data is recorded for the first step alone, in which the pipeline starts.
    FirstStepAlone,
    /// It needs recordings of several ranks.
    OneRank,
    /// There is one device only.
    OneDevice,
    /// No collective of several ranks is matched: it is unknown which rank waits for which.
    NothingMatched,
    /// Much of the critical path lies where nothing is recorded on the host: it may wait for the device there.
    PathUnrecorded,
    /// Hosts communicate, and hardly any computation is recorded: it may run at the same time.
    NoComputing,
    /// The profiler's table has longer times than these steps: it is of other steps.
    OtherSteps,
}

impl NotApplicable {
    /// All reasons.
    pub const ALL: [Self; 25] = [
        Self::NoSteps,
        Self::OneStep,
        Self::NoDevice,
        Self::NoKernels,
        Self::NoOperators,
        Self::NoCalls,
        Self::Unlinked,
        Self::NoCommunication,
        Self::NoStages,
        Self::NoSizes,
        Self::NoMemory,
        Self::UnknownDevice,
        Self::UnknownPeak,
        Self::UnknownWork,
        Self::UnknownUnits,
        Self::NoTable,
        Self::FewSamples,
        Self::ImplausibleSamples,
        Self::FirstStepAlone,
        Self::OneRank,
        Self::OneDevice,
        Self::NothingMatched,
        Self::PathUnrecorded,
        Self::NoComputing,
        Self::OtherSteps,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSteps => "no_steps",
            Self::OneStep => "one_step",
            Self::NoDevice => "no_device",
            Self::NoKernels => "no_kernels",
            Self::NoOperators => "no_operators",
            Self::NoCalls => "no_calls",
            Self::Unlinked => "unlinked",
            Self::NoCommunication => "no_communication",
            Self::NoStages => "no_stages",
            Self::NoSizes => "no_sizes",
            Self::NoMemory => "no_memory",
            Self::UnknownDevice => "unknown_device",
            Self::UnknownPeak => "unknown_peak",
            Self::UnknownWork => "unknown_work",
            Self::UnknownUnits => "unknown_units",
            Self::NoTable => "no_table",
            Self::FewSamples => "few_samples",
            Self::ImplausibleSamples => "implausible_samples",
            Self::FirstStepAlone => "first_step_alone",
            Self::OneRank => "one_rank",
            Self::OneDevice => "one_device",
            Self::NothingMatched => "nothing_matched",
            Self::PathUnrecorded => "path_unrecorded",
            Self::NoComputing => "no_computing",
            Self::OtherSteps => "other_steps",
        }
    }
}

/// Reason why a rule does not hold though its value is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exemption {
    /// A kernel uses tensor cores.
    TensorCoresUsed,
    /// The device has no tensor cores.
    NoTensorCores,
    /// Kernels are long on average: launches do not delay them.
    LongKernels,
    /// Devices communicate.
    DevicesCommunicate,
    /// The device is too old for its vendor's communication library.
    OldDevice,
    /// Data are made too late already.
    DataAreLate,
    /// The data pipeline keeps up.
    KeepsUp,
    /// All of its time is waiting for other ranks.
    OnlyWaiting,
    /// Without waiting for other ranks its value does not reach the threshold.
    MostlyWaiting,
    /// The rank's clock jumps in a step, which may be the whole effect.
    ClockJumps,
    /// Another rule explains more of the same time.
    SameTime,
    /// Too little of the step is at stake: the device is busy at that time, or it takes hardly any time.
    Little,
    /// It runs at the device's peak.
    AtThePeak,
    /// The allocator holds nearly all memory, used or not.
    MemoryIsHeld,
    /// The memory that steps allocate and free fits into the memory that is left: the rest is held permanently, as by a
    /// pool.
    MemoryIsPool,
    /// Data do not limit the steps.
    DataAreThere,
    /// The step captures a graph, which happens once.
    CapturesGraph,
    /// `GetNext` waits for data.
    QueueWasEmpty,
    /// The iteration interval is within its limit.
    IntervalIsShort,
    /// Data are made in time, and moved too late.
    TransferIsLate,
    /// Programs take more of the processors than the system, or no more processes are ready than there are processors.
    ThreadsFit,
    /// The queue that it is about was never empty: nothing waited for it.
    NeverEmpty,
}

impl Exemption {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::TensorCoresUsed,
        Self::NoTensorCores,
        Self::LongKernels,
        Self::DevicesCommunicate,
        Self::OldDevice,
        Self::DataAreLate,
        Self::KeepsUp,
        Self::OnlyWaiting,
        Self::MostlyWaiting,
        Self::ClockJumps,
        Self::SameTime,
        Self::Little,
        Self::AtThePeak,
        Self::MemoryIsHeld,
        Self::MemoryIsPool,
        Self::DataAreThere,
        Self::CapturesGraph,
        Self::QueueWasEmpty,
        Self::IntervalIsShort,
        Self::TransferIsLate,
        Self::ThreadsFit,
        Self::NeverEmpty,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TensorCoresUsed => "tensor_cores_used",
            Self::NoTensorCores => "no_tensor_cores",
            Self::LongKernels => "long_kernels",
            Self::DevicesCommunicate => "devices_communicate",
            Self::OldDevice => "old_device",
            Self::DataAreLate => "data_are_late",
            Self::KeepsUp => "keeps_up",
            Self::OnlyWaiting => "only_waiting",
            Self::MostlyWaiting => "mostly_waiting",
            Self::ClockJumps => "clock_jumps",
            Self::SameTime => "same_time",
            Self::Little => "little",
            Self::AtThePeak => "at_the_peak",
            Self::MemoryIsHeld => "memory_is_held",
            Self::MemoryIsPool => "memory_is_pool",
            Self::DataAreThere => "data_are_there",
            Self::CapturesGraph => "captures_graph",
            Self::QueueWasEmpty => "queue_was_empty",
            Self::IntervalIsShort => "interval_is_short",
            Self::TransferIsLate => "transfer_is_late",
            Self::ThreadsFit => "threads_fit",
            Self::NeverEmpty => "never_empty",
        }
    }
}
