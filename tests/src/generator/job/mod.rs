//! Jobs of many ranks, with planted faults and the true gain of fixing them.
//!
//! Each rank has a program: computing, posting operations of groups, waiting for them. A small machine runs all
//! programs together, and the traces are those of a profiler. A fault changes one rank, link or stage; the truth is the
//! difference between a run with it and one without.

mod machine;
mod names;
mod program;
mod truth;
mod write;

use self::machine::Run;
pub use self::truth::{CollectiveTruth, JobTruth, LinkTruth, RankTruth};

/// The work of a job, and its faults.
#[derive(Clone, Debug, PartialEq)]
pub struct JobSpec {
    /// Equal seeds give equal jobs.
    pub seed: u64,
    /// Sizes of data, tensor and pipeline parallelism.
    pub parallel: [u64; 3],
    /// Training steps.
    pub steps: usize,
    /// Layers of a stage.
    pub layers: usize,
    /// Parts of a batch, one after the other.
    pub microbatches: usize,
    /// Order in which stages process them.
    pub schedule: Schedule,
    /// Whether data-parallel ranks keep only a shard of each layer's parameters: these are gathered before each use,
    /// and gradients are scattered, as `FSDP` and `ZeRO` do.
    pub sharded: bool,
    /// Size of expert parallelism within the data-parallel ranks; 1 without experts.
    pub experts: u64,
    /// A layer's forward kernel, in ns; the backward one takes twice as long.
    pub kernel: i64,
    /// Largest variation of lengths in percent, up and down.
    pub jitter: u64,
    /// Number of ranks per host, each on a device of its own; `None` if the traces name no hosts.
    pub host: Option<u64>,
    /// Bytes per microsecond on every link.
    pub rate: i64,
    /// The same between hosts.
    pub rate_across: i64,
    /// Bytes of a message between stages, or of a rank's input to its experts; of a layer's tensor-parallel sum; of its
    /// gradients.
    pub bytes: [i64; 3],
    /// The faults.
    pub faults: Vec<Fault>,
    /// Data about collectives in the traces.
    pub tells: Tells,
    /// Clock offset between consecutive ranks, in ns: the n-th rank's is n times that.
    pub clock_offset: i64,
    /// Clock drift between consecutive ranks, in parts per million: the n-th rank's is n times that.
    pub clock_drift: i64,
    /// Step in which the last rank's clock jumps.
    pub clock_jump: Option<usize>,
    /// Size of the jump, in ns.
    pub clock_jump_by: i64,
    /// Position of the jump in percent of the step.
    pub clock_jump_inside: i64,
    /// Whether traces have their absolute time.
    pub base: bool,
    /// The rank whose last collectives were not recorded.
    pub cut: Option<u64>,
    /// The rank of which only these steps were recorded: from the first one until before the second one.
    pub recorded: Option<(u64, usize, usize)>,
    /// Library whose kernels communicate.
    pub library: Library,
    /// Whether traces have shapes, memory, phases, and memcpys to the device.
    pub details: bool,
}

/// Order in which a stage processes the parts of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// All forward, then all backward, as `GPipe` does.
    AllForward,
    /// Backward as early as possible.
    OneForwardOneBackward,
}

/// Communication library, in the spelling of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// NCCL of today.
    Nccl,
    /// NCCL 1, of 2016.
    Nccl1,
    /// NCCL 2, of 2017 to 2023.
    Nccl2,
    /// RCCL, whose kernels' names do not contain the operation.
    Rccl,
    /// Huawei's.
    Hccl,
    /// Baidu's.
    Bkcl,
    /// Gloo: there is no device, and the traces have no groups and bytes.
    Gloo,
}

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A rank's computation takes so many percent longer.
    Compute(u64, u64),
    /// A rank waits so long for data in each step, in ns.
    Data(u64, u64),
    /// A rank's host is busy otherwise for so long in each step, in ns.
    Host(u64, u64),
    /// A rank's host makes a call of so long in each step, in ns.
    Call(u64, u64, HostCall),
    /// A rank's host is busy otherwise for so long between two steps, in ns.
    Pause(u64, u64),
    /// Messages from one rank to another one take so many percent of their time.
    Link(u64, u64, u64),
    /// The tensor-parallel sums of a rank's group take so many percent of their time.
    Group(u64, u64),
    /// Collectives of a rank's data-parallel group take so many percent of their time.
    Replicas(u64, u64),
    /// Collectives of a rank's expert-parallel group take so many percent of their time.
    Experts(u64, u64),
    /// A stage's computation takes so many percent longer.
    Stage(u64, u64),
}

/// A call of a rank's host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostCall {
    /// Python collects garbage.
    GarbageCollection,
    /// Memory of the device is allocated.
    Allocation,
    /// A kernel is compiled.
    Compilation,
}

impl HostCall {
    /// Its name and category in the trace.
    pub(super) fn event(self) -> [&'static str; 2] {
        match self {
            Self::GarbageCollection => ["<built-in function collect>", "python_function"],
            Self::Allocation => ["cudaMalloc", "cuda_runtime"],
            Self::Compilation => ["cuModuleLoadData", "cuda_driver"],
        }
    }
}

/// Data about collectives in the traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tells {
    /// Group, ranks, sequence, sizes, and the groups' purposes.
    All,
    /// The same without the groups' purposes.
    NoPurpose,
    /// Group, ranks and sizes, as PyTorch 2.3 did.
    NoSequence,
    /// The kernels' names.
    Names,
}

impl JobSpec {
    /// Eight data-parallel ranks.
    #[must_use]
    pub fn data_parallel(seed: u64) -> Self {
        Self {
            seed,
            parallel: [8, 1, 1],
            steps: 6,
            layers: 12,
            microbatches: 1,
            schedule: Schedule::AllForward,
            sharded: false,
            experts: 1,
            kernel: 400_000,
            jitter: 4,
            host: None,
            rate: 100_000,
            rate_across: 100_000,
            bytes: [8_000_000, 8_000_000, 20_000_000],
            faults: Vec::new(),
            tells: Tells::All,
            clock_offset: 0,
            clock_drift: 0,
            clock_jump: None,
            clock_jump_by: 50_000_000,
            clock_jump_inside: 0,
            base: true,
            cut: None,
            recorded: None,
            library: Library::Nccl,
            details: false,
        }
    }

    /// Sixteen ranks: data parallelism 2, tensor parallelism 2, pipeline parallelism 4.
    #[must_use]
    pub fn three_dimensional(seed: u64) -> Self {
        Self { parallel: [2, 2, 4], layers: 3, microbatches: 8, ..Self::data_parallel(seed) }
    }

    /// Eight data-parallel ranks on two hosts, with sharded parameters.
    #[must_use]
    pub fn sharded(seed: u64) -> Self {
        Self { sharded: true, host: Some(4), details: true, ..Self::data_parallel(seed) }
    }

    /// Eight data-parallel ranks, with expert parallelism 4.
    #[must_use]
    pub fn experts(seed: u64) -> Self {
        Self { experts: 4, layers: 6, ..Self::data_parallel(seed) }
    }

    /// Eight ranks: data parallelism 2, pipeline parallelism 4 with early backward passes; a host has two stages.
    #[must_use]
    pub fn one_forward_one_backward(seed: u64) -> Self {
        Self {
            parallel: [2, 1, 4],
            layers: 3,
            microbatches: 8,
            schedule: Schedule::OneForwardOneBackward,
            host: Some(4),
            rate_across: 25_000,
            ..Self::data_parallel(seed)
        }
    }

    /// Four data-parallel ranks without devices.
    #[must_use]
    pub fn gloo(seed: u64) -> Self {
        Self { parallel: [4, 1, 1], library: Library::Gloo, ..Self::data_parallel(seed) }
    }

    /// Number of ranks.
    #[must_use]
    pub fn ranks(&self) -> u64 {
        self.parallel.iter().product()
    }

    /// The traces, rank by rank.
    #[must_use]
    pub fn traces(&self) -> Vec<Vec<u8>> {
        let run = Run::of(self);
        (0..self.ranks()).map(|rank| write::trace(self, &run, rank)).collect()
    }

    /// The same one by one, for large ones.
    ///
    /// # Errors
    ///
    /// The error of `take`.
    pub fn each_trace<E>(&self, mut take: impl FnMut(u64, Vec<u8>) -> Result<(), E>) -> Result<(), E> {
        let run = Run::of(self);
        (0..self.ranks()).try_for_each(|rank| take(rank, write::trace(self, &run, rank)))
    }

    /// The true answers about the job.
    #[must_use]
    pub fn truth(&self) -> JobTruth {
        JobTruth::of(self, &Run::of(self))
    }

    /// Mean duration of a step, in ns.
    #[must_use]
    #[expect(clippy::integer_division, reason = "a mean, to be compared with a tolerance")]
    pub fn step(&self) -> i64 {
        Run::of(self).length() / i64::try_from(self.steps.max(1)).unwrap_or(i64::MAX)
    }

    /// True gain per step without the faults, in ns.
    #[must_use]
    pub fn gain(&self) -> i64 {
        self.step() - Self { faults: Vec::new(), ..self.clone() }.step()
    }
}
