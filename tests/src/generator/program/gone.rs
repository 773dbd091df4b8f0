//! Costs that can be removed from a program.

/// A cost that takes no time in another run of the same program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// The host's waits for the device: calls that wait, operators that read a value, memcpys that return when they are
    /// done.
    Waits,
    /// Calls that allocate memory.
    Allocations,
    /// Python's garbage collector.
    GarbageCollection,
    /// Functions that compile, and calls that load kernels.
    Compilation,
    /// Collectives of the host.
    HostCollectives,
    /// The host's own recorded work: operators, functions of Python, calls that launch or order streams, and the delays
    /// of their launches.
    HostWork,
    /// Memcpys and memsets.
    Copies,
    /// The pauses of a stream between activities.
    Pauses,
}

impl Gone {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Waits,
        Self::Allocations,
        Self::GarbageCollection,
        Self::Compilation,
        Self::HostCollectives,
        Self::HostWork,
        Self::Copies,
        Self::Pauses,
    ];

    /// The cost that an operator's own time belongs to.
    pub(super) fn of_operator(name: &str) -> Self {
        match name {
            "aten::item" => Self::Waits,
            _ if name.starts_with("gloo:") => Self::HostCollectives,
            _ => Self::HostWork,
        }
    }

    /// The cost that a call without a launch belongs to.
    pub(super) fn of_call(name: &str) -> Self {
        match name {
            "cudaMalloc" | "cudaFree" => Self::Allocations,
            "cuModuleLoadData" => Self::Compilation,
            _ => Self::HostWork,
        }
    }

    /// The cost that a Python function's time belongs to.
    pub(super) fn of_python(name: &str) -> Self {
        match name {
            "<built-in function collect>" => Self::GarbageCollection,
            _ if name.contains("convert_frame") => Self::Compilation,
            _ => Self::HostWork,
        }
    }
}
