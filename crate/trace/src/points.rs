//! Events without length: memory events, counters, instants.

use super::ids::{NameId, ProcessId, TrackId};
use stepscope_base::Nanos;

/// The value of [`MemoryEvent::allocated`] and [`MemoryEvent::reserved`] where the producer gives none.
pub const NO_TOTAL: i64 = i64::MIN;

/// The value of [`MemoryEvent::device`] for the host's memory.
pub const HOST_MEMORY: u16 = u16::MAX;

/// The number of an allocator that a memory event changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryPool {
    /// Memory that the framework uses.
    #[default]
    Allocated,
    /// Device memory that the framework has reserved, used or not.
    Reserved,
}

/// An allocation or a release. Traces have one per few operators: 48 bytes, hence values for missing ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEvent {
    /// Its time.
    pub at: Nanos,
    /// The block's address.
    pub address: u64,
    /// The block's bytes; negative when it is released.
    pub bytes: i64,
    /// Bytes allocated afterwards, from the producer; [`NO_TOTAL`] if missing.
    pub allocated: i64,
    /// Bytes reserved afterwards, from the producer; [`NO_TOTAL`] if missing.
    pub reserved: i64,
    /// Its thread.
    pub track: TrackId,
    /// Its memory: a device's number, or [`HOST_MEMORY`].
    pub device: u16,
    /// The number that it changes.
    pub pool: MemoryPool,
}

impl MemoryEvent {
    /// A device's number for [`device`](Self::device): an invalid one stays a device's, and never becomes the host.
    #[must_use]
    pub fn device_number(device: Option<i64>) -> u16 {
        device.map_or(HOST_MEMORY, |id| u16::try_from(id).unwrap_or(u16::MAX).min(HOST_MEMORY - 1))
    }

    /// Bytes allocated afterwards, where known.
    #[must_use]
    pub fn known_allocated(&self) -> Option<i64> {
        (self.allocated != NO_TOTAL).then_some(self.allocated)
    }

    /// Bytes reserved afterwards, where known.
    #[must_use]
    pub fn known_reserved(&self) -> Option<i64> {
        (self.reserved != NO_TOTAL).then_some(self.reserved)
    }

    /// The device of the memory; `None` for the host's.
    #[must_use]
    pub fn on_device(&self) -> Option<u32> {
        (self.device != HOST_MEMORY).then_some(self.device.into())
    }
}

/// A value of a counter from a point in time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Start time.
    pub at: Nanos,
    /// The value.
    pub value: f64,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// Its process.
    pub process: ProcessId,
    /// The counter's name.
    pub name: NameId,
    /// Name of this one among the counter's values; may be empty.
    pub series: NameId,
    /// Its values by time.
    pub samples: Vec<Sample>,
}

/// An instant event on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstantEvent {
    /// Its time.
    pub at: Nanos,
    /// Its track.
    pub track: TrackId,
    /// Its name.
    pub name: NameId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_event_is_small_and_tells_none_from_zero() {
        assert_eq!(size_of::<MemoryEvent>(), 48);
        let known = MemoryEvent {
            at: Nanos(1),
            address: u64::MAX,
            bytes: -512,
            allocated: 0,
            reserved: -1,
            track: TrackId(0),
            device: 0,
            pool: MemoryPool::Allocated,
        };
        assert_eq!((known.known_allocated(), known.known_reserved(), known.on_device()), (Some(0), Some(-1), Some(0)));
        let unknown = MemoryEvent { allocated: NO_TOTAL, reserved: NO_TOTAL, device: HOST_MEMORY, ..known };
        assert_eq!((unknown.known_allocated(), unknown.known_reserved(), unknown.on_device()), (None, None, None));
    }
}
