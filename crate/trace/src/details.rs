//! Properties of slices of a class beyond a name and a time: one table per class.

use super::ids::{ConfigId, EventId, NameId};

/// An id that the producer counts up: 32 bits are enough for all valid ones; others are left out.
pub type Serial = u32;

/// No such id.
pub const NO_SERIAL: Serial = u32::MAX;

/// Properties of an operator or annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The profiler's id to which device activities refer.
    pub external: Serial,
    /// Joins a forward operator and the backward ones that came from it.
    pub sequence: Serial,
    /// The forward thread of a backward operator; zero for a forward one.
    pub forward_thread: Serial,
    /// The inputs' shapes, as the producer's text.
    pub shapes: NameId,
    /// The inputs' types, as the producer's text.
    pub types: NameId,
}

impl Default for Operation {
    fn default() -> Self {
        Self {
            external: NO_SERIAL,
            sequence: NO_SERIAL,
            forward_thread: NO_SERIAL,
            shapes: NameId::NONE,
            types: NameId::NONE,
        }
    }
}

/// Properties of a runtime or driver call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Joins it to the activities it launched.
    pub correlation: Serial,
    /// The profiler's id of the operator around it.
    pub external: Serial,
}

/// An event for which a stream or the host waits: the work of a stream up to its recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AwaitedEvent {
    /// The number of the stream on which it was recorded.
    pub stream: i64,
    /// The correlation of the call that recorded it.
    pub record: Serial,
}

/// A kernel, copy or memset that a device ran.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activity {
    /// The slice.
    pub event: EventId,
    /// The runtime or driver call that launched it.
    pub call: EventId,
    /// The innermost operator around that call.
    pub operator: EventId,
    /// Joins it to the call.
    pub correlation: Serial,
    /// The profiler's id of the operator that launched it.
    pub external: Serial,
    /// A kernel's launch configuration.
    pub config: ConfigId,
    /// Bytes copied or set; `u64::MAX` if unknown.
    pub bytes: u64,
    /// The CUDA graph with which it was launched; zero for none.
    pub graph: Serial,
    /// Whether it is a kernel of communication.
    pub communication: bool,
    /// Whether the file has a complete flow `ac2g` with its correlation as id.
    pub has_flow: bool,
}

/// The value of [`Activity::bytes`] where the producer gives none.
pub const NO_BYTES: u64 = u64::MAX;

impl Default for Activity {
    fn default() -> Self {
        Self {
            event: EventId::NONE,
            call: EventId::NONE,
            operator: EventId::NONE,
            correlation: NO_SERIAL,
            external: NO_SERIAL,
            config: ConfigId::NONE,
            bytes: NO_BYTES,
            graph: 0,
            communication: false,
            has_flow: false,
        }
    }
}

impl Activity {
    /// The bytes copied or set, where known.
    #[must_use]
    pub fn known_bytes(&self) -> Option<u64> {
        (self.bytes != NO_BYTES).then_some(self.bytes)
    }
}

/// A launch configuration of kernels. Equal configurations share a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchConfig {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Registers per thread; `u32::MAX` if unknown.
    pub registers: u32,
    /// Shared memory of a block in bytes; `u32::MAX` if unknown.
    pub shared_memory: u32,
    /// Blocks per multiprocessor of the device, from the producer; NaN if unknown.
    pub blocks_per_sm: f64,
    /// Warps per multiprocessor, from the producer; NaN if unknown.
    pub warps_per_sm: f64,
    /// The producer's estimate of the achieved occupancy in percent; NaN if unknown.
    pub occupancy_percent: f64,
}

impl Default for LaunchConfig {
    fn default() -> Self {
        Self {
            grid: [0; 3],
            block: [0; 3],
            registers: u32::MAX,
            shared_memory: u32::MAX,
            blocks_per_sm: f64::NAN,
            warps_per_sm: f64::NAN,
            occupancy_percent: f64::NAN,
        }
    }
}

impl LaunchConfig {
    /// The producer's estimate of the achieved occupancy in percent; `None` if unknown.
    ///
    /// 0 is unknown: a kernel that runs occupies something. PyTorch writes it for kernels with more than 48 KiB of shared memory.
    #[must_use]
    pub fn achieved_occupancy(&self) -> Option<f64> {
        Some(self.occupancy_percent).filter(|percent| *percent > 0.0)
    }

    /// The blocks per multiprocessor, from the producer; `None` if unknown.
    #[must_use]
    pub fn recorded_blocks_per_sm(&self) -> Option<f64> {
        Some(self.blocks_per_sm).filter(|blocks| *blocks > 0.0)
    }

    /// Its bits, which are equal for equal configurations (a NaN equals itself here).
    pub(super) fn bits(&self) -> [u64; 7] {
        let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        [
            pair(self.grid[0], self.grid[1]),
            pair(self.grid[2], self.block[0]),
            pair(self.block[1], self.block[2]),
            pair(self.registers, self.shared_memory),
            self.blocks_per_sm.to_bits(),
            self.warps_per_sm.to_bits(),
            self.occupancy_percent.to_bits(),
        ]
    }
}

/// A collective operation's arguments, as the producer gives them. Missing texts are [`NameId::NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// Which operation, such as `allreduce`.
    pub name: NameId,
    /// The element type.
    pub dtype: NameId,
    /// The process group's name.
    pub group: NameId,
    /// The group's purpose.
    pub group_description: NameId,
    /// The group's ranks, as the producer's text (which may be shortened).
    pub ranks: NameId,
    /// Ranks in the group; [`NO_SERIAL`] if unknown.
    pub group_size: Serial,
    /// Elements of this rank's input; [`NO_COUNT`] if unknown.
    pub input_elements: u64,
    /// Elements of this rank's output; [`NO_COUNT`] if unknown.
    pub output_elements: u64,
    /// The operation's number in the group; [`NO_COUNT`] if unknown.
    pub sequence: u64,
    /// The sending rank of a point-to-point operation; [`NO_SERIAL`] if unknown.
    pub source: Serial,
    /// The receiving rank of a point-to-point operation; [`NO_SERIAL`] if unknown.
    pub destination: Serial,
}

/// The value of a [`Collective`]'s counts where the producer gives none.
pub const NO_COUNT: u64 = u64::MAX;

/// A flow from one slice to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flow {
    /// The kind of flow, such as `fwdbwd`.
    pub kind: NameId,
    /// Its source.
    pub from: EventId,
    /// Its target.
    pub to: EventId,
}
