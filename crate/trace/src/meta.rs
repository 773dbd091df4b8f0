//! Metadata of a trace: the producer, the devices, the job.

/// Name of the fact with the program of several processes that were recorded together, and their number.
pub const PROGRAM: &str = "program";

/// Metadata of an input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta {
    /// Its format, such as `kineto`: the first file's.
    pub format: &'static str,
    /// The files it was read from, in that order.
    pub inputs: Vec<InputFile>,
    /// The framework that was profiled, such as `PyTorch`.
    pub framework: String,
    /// Its version, where the trace has it.
    pub framework_version: String,
    /// The devices of the machine, as the trace lists them.
    pub devices: Vec<Device>,
    /// The job's ranks.
    pub distributed: Distributed,
    /// The absolute time of the trace's start (its time zero) in ns since 1970, where it is known.
    pub origin_unix_ns: Option<i64>,
    /// Further facts that are worth showing, such as the driver's version, in the file's order.
    pub facts: Vec<(String, String)>,
    /// Number of events in the input, of every kind.
    pub events: u64,
    /// Number of bytes of its (uncompressed) text.
    pub bytes: u64,
}

/// A file that a trace was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputFile {
    /// Its path in the drop or archive.
    pub name: String,
    /// Its format.
    pub format: &'static str,
    /// Position of its first byte in the concatenated texts of all files, to which a slice's position refers.
    pub start: u64,
    /// Number of bytes of its (uncompressed) text.
    pub bytes: u64,
    /// Number of its events, of every kind.
    pub events: u64,
}

impl InputFile {
    /// A file before it is read.
    #[must_use]
    pub fn new(name: &str, format: &'static str) -> Self {
        Self { name: name.to_owned(), format, ..Self::default() }
    }
}

/// A device of the machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Device {
    /// Its number as the producer counts.
    pub id: i64,
    /// Its model.
    pub name: String,
    /// Its memory in bytes.
    pub memory_bytes: Option<u64>,
    /// The compute capability, or the architecture's version.
    pub capability: Option<(u32, u32)>,
    /// Multiprocessors (or compute units).
    pub multiprocessors: Option<u32>,
    /// Threads that run in lockstep.
    pub warp_size: Option<u32>,
    /// Most threads on one multiprocessor.
    pub max_threads_per_multiprocessor: Option<u32>,
    /// Most threads of a block.
    pub max_threads_per_block: Option<u32>,
    /// Registers of one multiprocessor.
    pub registers_per_multiprocessor: Option<u32>,
    /// Shared memory of one multiprocessor in bytes.
    pub shared_memory_per_multiprocessor: Option<u64>,
    /// Shared memory that a block can request in bytes.
    pub shared_memory_per_block: Option<u64>,
}

/// The job that the traced process is part of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distributed {
    /// The traced process's rank.
    pub rank: Option<u64>,
    /// Ranks in the job.
    pub world_size: Option<u64>,
    /// The communication library, such as `nccl`.
    pub backend: String,
    /// Process groups.
    pub groups: Vec<Group>,
}

/// A process group of the job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// Its ranks, where the trace lists them.
    pub ranks: Vec<u64>,
}
