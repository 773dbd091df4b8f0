//! Jobs of many ranks, with planted faults and the true gain of mending them.
//!
//! Each rank has a program: computing, posting operations of groups, waiting for them. A small machine runs all
//! programs together, and the traces are what a profiler would have written. A fault changes one rank, link or stage;
//! the truth is the difference between a run with it and one without.

mod machine;
mod names;
mod program;
mod truth;
mod write;

use self::machine::Run;
pub use self::truth::{CollectiveTruth, JobTruth, LinkTruth, RankTruth};

/// What a job does, and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct JobSpec {
    /// Equal seeds give equal jobs.
    pub seed: u64,
    /// Ranks that share the data, the layers' parts, the layers.
    pub parallel: [u64; 3],
    /// Training steps.
    pub steps: usize,
    /// Layers of a stage.
    pub layers: usize,
    /// Parts of a batch, one after the other.
    pub microbatches: usize,
    /// In what order stages go through them.
    pub schedule: Schedule,
    /// Whether the ranks that share the data hold a part of each layer's numbers only: they are gathered before each use,
    /// and gradients are scattered, as `FSDP` and `ZeRO` do.
    pub sharded: bool,
    /// How many of the ranks that share the data share the experts of each layer; 1 if there are none.
    pub experts: u64,
    /// A layer's forward kernel, in ns; the backward one takes twice as long.
    pub kernel: i64,
    /// By how many percent lengths vary at most, up and down.
    pub jitter: u64,
    /// How many ranks a host has, each on a device of its own; none if nothing tells of hosts.
    pub host: Option<u64>,
    /// Bytes per microsecond on every link.
    pub rate: i64,
    /// The same of what goes from host to host.
    pub rate_across: i64,
    /// Bytes of a message between stages, or of what a rank's experts get; of a layer's tensor-parallel sum; of its gradients.
    pub bytes: [i64; 3],
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// What the traces tell of collectives.
    pub tells: Tells,
    /// How far each rank's clock is off, in ns: the n-th rank's is n times that.
    pub clock_offset: i64,
    /// How much faster each clock runs, in parts of a million: the n-th rank's is n times that.
    pub clock_drift: i64,
    /// In which step the last rank's clock jumps.
    pub clock_jump: Option<usize>,
    /// By how much it jumps, in ns.
    pub clock_jump_by: i64,
    /// When so many percent of the step are over.
    pub clock_jump_inside: i64,
    /// Whether traces tell their absolute time.
    pub base: bool,
    /// The rank of which the last collectives were not recorded any more.
    pub cut: Option<u64>,
    /// The rank of which only these steps were recorded: from the first one until before the second one.
    pub recorded: Option<(u64, usize, usize)>,
    /// Whose kernels communicate.
    pub library: Library,
    /// Whether traces tell of shapes, memory, phases, and of copies to the device.
    pub details: bool,
}

/// In what order a stage goes through the parts of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// All forward, then all backward, as `GPipe` does.
    AllForward,
    /// Backward as soon as there is something to go back with.
    OneForwardOneBackward,
}

/// Whose kernels communicate, and in which year's spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// NCCL of today.
    Nccl,
    /// NCCL 1, of 2016.
    Nccl1,
    /// NCCL 2, of 2017 to 2023.
    Nccl2,
    /// RCCL, whose kernels do not tell the operation.
    Rccl,
    /// Huawei's.
    Hccl,
    /// Baidu's.
    Bkcl,
    /// Gloo: there is no device, and nothing tells of groups and bytes.
    Gloo,
}

/// Something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A rank computes so many percent longer.
    Compute(u64, u64),
    /// A rank waits so long for data in each step, in ns.
    Data(u64, u64),
    /// A rank's host is busy with something else for so long in each step, in ns.
    Host(u64, u64),
    /// A rank's host does something else for so long between two steps, in ns.
    Pause(u64, u64),
    /// What one rank sends to another one takes so many percent of its time.
    Link(u64, u64, u64),
    /// The tensor-parallel sums of a rank's group take so many percent of their time.
    Group(u64, u64),
    /// What the ranks that share the data with a rank exchange takes so many percent of its time.
    Replicas(u64, u64),
    /// What the ranks that share the experts with a rank exchange takes so many percent of its time.
    Experts(u64, u64),
    /// A stage computes so many percent longer.
    Stage(u64, u64),
}

/// What the traces tell of collectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tells {
    /// Group, ranks, sequence, sizes, and what groups are for.
    All,
    /// The same, but not what groups are for.
    NoPurpose,
    /// Group, ranks and sizes, as PyTorch 2.3 did.
    NoSequence,
    /// The kernels' names.
    Names,
}

impl JobSpec {
    /// Eight ranks that share the data.
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

    /// Sixteen ranks: two share the data, two the layers' parts, four the layers.
    #[must_use]
    pub fn three_dimensional(seed: u64) -> Self {
        Self { parallel: [2, 2, 4], layers: 3, microbatches: 8, ..Self::data_parallel(seed) }
    }

    /// Eight ranks on two hosts that share the data, and each layer's numbers.
    #[must_use]
    pub fn sharded(seed: u64) -> Self {
        Self { sharded: true, host: Some(4), details: true, ..Self::data_parallel(seed) }
    }

    /// Eight ranks that share the data, four of them each the experts.
    #[must_use]
    pub fn experts(seed: u64) -> Self {
        Self { experts: 4, layers: 6, ..Self::data_parallel(seed) }
    }

    /// Eight ranks: two share the data, four the layers, which go back as soon as they can; a host has two stages.
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

    /// Four ranks without devices that share the data.
    #[must_use]
    pub fn gloo(seed: u64) -> Self {
        Self { parallel: [4, 1, 1], library: Library::Gloo, ..Self::data_parallel(seed) }
    }

    /// How many ranks there are.
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

    /// The same one by one, as large ones have to be made.
    ///
    /// # Errors
    ///
    /// If one is not taken.
    pub fn each_trace<E>(&self, mut take: impl FnMut(u64, Vec<u8>) -> Result<(), E>) -> Result<(), E> {
        let run = Run::of(self);
        (0..self.ranks()).try_for_each(|rank| take(rank, write::trace(self, &run, rank)))
    }

    /// What is true of the job.
    #[must_use]
    pub fn truth(&self) -> JobTruth {
        JobTruth::of(self, &Run::of(self))
    }

    /// How long a step takes on average, in ns.
    #[must_use]
    #[expect(clippy::integer_division, reason = "a mean, to be compared with a tolerance")]
    pub fn step(&self) -> i64 {
        Run::of(self).length() / i64::try_from(self.steps.max(1)).unwrap_or(i64::MAX)
    }

    /// How much shorter a step is without the faults, in ns.
    #[must_use]
    pub fn gain(&self) -> i64 {
        self.step() - Self { faults: Vec::new(), ..self.clone() }.step()
    }
}
