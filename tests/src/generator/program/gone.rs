//! What may be gone from a program.

/// Something that takes time, and takes none in another run of the same program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// The host's waits for the device: calls that wait, operators that read a value, copies that come back when they are done.
    Waits,
    /// Calls that allocate memory.
    Allocations,
    /// Python's garbage collector.
    GarbageCollection,
    /// Functions that compile, and calls that load kernels.
    Compilation,
    /// Collectives of the host.
    HostCollectives,
    /// The host's own work that is recorded: operators, functions of Python, calls that launch or order streams, and until the device
    /// sees what they launched.
    HostWork,
    /// Copies and fills.
    Copies,
    /// What a stream needs from one activity to the next.
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

    /// What an operator's own time is.
    pub(super) fn of_operator(name: &str) -> Self {
        match name {
            "aten::item" => Self::Waits,
            _ if name.starts_with("gloo:") => Self::HostCollectives,
            _ => Self::HostWork,
        }
    }

    /// What a call's time is that launches nothing.
    pub(super) fn of_call(name: &str) -> Self {
        match name {
            "cudaMalloc" | "cudaFree" => Self::Allocations,
            "cuModuleLoadData" => Self::Compilation,
            _ => Self::HostWork,
        }
    }

    /// What a Python function's time is.
    pub(super) fn of_python(name: &str) -> Self {
        match name {
            "<built-in function collect>" => Self::GarbageCollection,
            _ if name.contains("convert_frame") => Self::Compilation,
            _ => Self::HostWork,
        }
    }
}
