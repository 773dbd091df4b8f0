//! Meanings of `aux` in a [`Kind::Process`](crate::Kind::Process) record, and texts of marks about the recording.

/// The process was seen: the name is its command, the value its parent's id.
pub const COMMAND: u16 = 0;

/// The value is its rank among the processes that train together.
pub const RANK: u16 = 1;

/// It has ended.
pub const END: u16 = 2;

/// The recording's own process (id 0): the name says what could not be recorded, the value how often since the last
/// such record.
pub const LOST: u16 = 3;

/// Text of the mark from which on CUDA is not recorded, until [`CUDA_AGAIN`]: it is left to another profiler, which announced itself.
pub const CUDA_LEFT: &str =
    "CUDA is left to another profiler of this process: until it ends, CUDA is not recorded here";

/// Text of the mark before which another profiler took CUPTI, unannounced: from the last record of CUDA on, until [`CUDA_AGAIN`].
pub const CUDA_LOST: &str =
    "another profiler in this process has taken CUPTI: until it ends, CUDA is not recorded here";

/// Text of the mark from which on CUDA is recorded again.
pub const CUDA_AGAIN: &str = "CUDA is recorded again";
