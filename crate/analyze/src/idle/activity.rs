//! Activities of the host while a device waits for it.

use stepscope_base::Nanos;

/// Activity of a thread, in falling priority: the first that applies takes the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostActivity {
    /// It waits for the data loader.
    DataLoading,
    /// It waits for the device: `.item()`, `cudaStreamSynchronize`, `cudaMemcpy`, copies of pageable memory.
    Synchronization,
    /// It allocates or frees memory of the device, or memory that the device can read.
    Allocation,
    /// It is in another call of the runtime or driver. Or the launching call has begun and its activity has not, unless
    /// the call waits for the activity.
    Launching,
    /// It is in another operator.
    Operator,
    /// It is in a function of Python, such as the garbage collector's.
    Python,
    /// It is in a range that the program marked, and the trace shows nothing else.
    Range,
    /// The trace shows nothing.
    Unrecorded,
    /// It has launched, and the launched work starts late: the trace does not show why, and the host is not the cause.
    StartLate,
}

impl HostActivity {
    /// All, by falling priority.
    pub const ALL: [Self; 9] = [
        Self::DataLoading,
        Self::Synchronization,
        Self::Allocation,
        Self::Launching,
        Self::Operator,
        Self::Python,
        Self::Range,
        Self::Unrecorded,
        Self::StartLate,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DataLoading => "data_loading",
            Self::Synchronization => "synchronization",
            Self::Allocation => "allocation",
            Self::Launching => "launching",
            Self::Operator => "operator",
            Self::Python => "python",
            Self::Range => "range",
            Self::Unrecorded => "unrecorded",
            Self::StartLate => "start_late_unexplained",
        }
    }
}

/// Times of a thread by [`HostActivity::ALL`].
pub type HostTimes = [Nanos; HostActivity::ALL.len()];
