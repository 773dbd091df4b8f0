//! Memory in a part of the time.

use std::cell::OnceCell;

use super::blocks::Pairs;
use super::levels::{Level, Levels};
use super::{AllocationSums, devices, number};
use stepscope_base::Interval;
use stepscope_trace::{MemoryPool, Trace};

/// Changes of a device's memory, or of the host's, in a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInSpan {
    /// The device's number; none for the host.
    pub device: Option<u32>,
    /// Allocations and releases in the span.
    pub sums: AllocationSums,
    /// Allocated memory: at the span's start, at its end, and the peak between.
    pub allocated: Level,
    /// Reserved memory, where that is known by then.
    pub reserved: Option<Level>,
}

/// Changes of memory in a span for each place, in the order of [`memory`](super::memory)'s places.
#[must_use]
pub fn memory_in(trace: &Trace, span: Interval) -> Vec<MemoryInSpan> {
    let pairs = OnceCell::new();
    let pairs = || pairs.get_or_init(|| Pairs::of(trace));
    let first = trace.memory.partition_point(|event| event.at < span.start);
    let last = trace.memory.partition_point(|event| event.at < span.end).max(first);
    let place = |device: u16| {
        let levels = Levels::of(trace, device, &pairs);
        let mut sums = AllocationSums::default();
        let inside = trace.memory[first..last].iter();
        for event in inside.filter(|event| event.device == device && event.pool == MemoryPool::Allocated) {
            sums.add(event.bytes);
        }
        let (allocated, reserved) = (levels.allocated(Some(span)), levels.reserved(Some(span)));
        MemoryInSpan { device: number(device), sums, allocated, reserved }
    };
    devices(trace).into_iter().map(place).collect()
}
