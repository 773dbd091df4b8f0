//! Memory: its levels over time, its owners, and its lifetimes. METRICS section 6.
//!
//! ```text
//! place      a device's memory, or the host's
//! level      bytes allocated (or reserved) after each event: as the producer counts, else counted here
//! block      an allocation and the release of the same address in the same place
//! operator   the innermost operator around an event; without one, the innermost annotation
//! ```

mod blocks;
pub(crate) mod capacity;
mod config;
mod curve;
mod levels;
mod operators;
mod owners;
mod planned;
mod processes;
mod recorded;
mod sums;
mod tables;
mod within;

pub use blocks::{Block, BlockCount, Blocks, NamedBlocks};
pub use config::MemoryConfig;
pub use curve::{MemoryCurve, MemoryPoint};
pub use levels::{Fragmentation, Level, LevelSource};
pub use operators::{LiveAtPeak, LiveBlocks, OperatorMemory};
pub(super) use owners::slice_around;
pub(super) use planned::planned_peak;
pub use planned::{PlannedMemory, PlannedOperator, PlannedTensor};
pub use processes::ProcessMemory;
pub use recorded::{RecordedBlock, RecordedMemory};
pub use sums::AllocationSums;
pub use tables::{MemoryBlockTable, MemoryByNameTable, OperatorMemoryTable, PlannedTensorTable, RecordedBlockTable};
pub use within::{MemoryInSpan, memory_in};

use std::cell::OnceCell;

use self::blocks::Pairs;
use self::levels::{Levels, Point};
use self::owners::Owners;
use stepscope_base::CompactSort;
use stepscope_trace::{HOST_MEMORY, Trace};

/// All facts about memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// Each device's memory, then the host's, by the events.
    pub places: Vec<PlaceMemory>,
    /// The host's memory by process, where there are counters of it.
    pub processes: Vec<ProcessMemory>,
    /// Levels that MindSpore recorded, by component.
    pub recorded: Vec<RecordedMemory>,
    /// Blocks that MindSpore recorded, the largest first.
    pub recorded_blocks: Vec<RecordedBlock>,
    /// The same by operator, the most bytes first.
    pub recorded_operators: Vec<NamedBlocks>,
    /// Planned memory of MindSpore's graphs.
    pub planned: Vec<PlannedMemory>,
}

/// A device's memory, or the host's.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceMemory {
    /// The device's number; none for the host.
    pub device: Option<u32>,
    /// The bytes that the device has, where recorded.
    pub capacity: Option<i64>,
    /// Allocations and releases.
    pub events: u64,
    /// Memory that the framework uses.
    pub allocated: Level,
    /// Memory that it reserves, used or not, where the producer records it.
    pub reserved: Option<Level>,
    /// Reserved memory that is not used, where that is known.
    pub fragmentation: Option<Fragmentation>,
    /// Both over time.
    pub curve: MemoryCurve,
    /// Blocks.
    pub blocks: Blocks,
    /// By operator, the largest growth first; those of the same growth by what they allocated.
    pub operators: Vec<OperatorMemory>,
    /// The blocks at the peak of allocated memory.
    pub live_at_peak: LiveAtPeak,
}

impl PlaceMemory {
    /// The part of the device's memory that the framework holds at most: reserved, else allocated. None where levels are
    /// counted: they lack memory from before the recording.
    #[must_use]
    pub fn peak_share(&self) -> Option<f64> {
        if self.allocated.source != LevelSource::Recorded {
            return None;
        }
        let reserved = self.reserved.as_ref().map_or(0, |level| level.peak);
        capacity::share(self.allocated.peak.max(reserved), self.capacity)
    }
}

/// Whether the trace has any data on memory.
#[must_use]
pub fn has_memory(trace: &Trace) -> bool {
    !trace.memory.is_empty() || processes::any(trace) || planned::any(trace) || recorded::any(trace)
}

/// Returns all facts about memory.
///
/// Takes time in proportion to the number of memory events; nothing else of the trace is read.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::MemoryConfig;
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::empty","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":1,
///    "args":{"Addr":64,"Bytes":512,"Device Type":1,"Device Id":0,"Total Allocated":2512,"Total Reserved":4096}},
///   {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":9,
///    "args":{"Addr":64,"Bytes":-512,"Device Type":1,"Device Id":0,"Total Allocated":2000,"Total Reserved":4096}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let found = analyze::memory(&trace, &MemoryConfig::standard());
/// let place = &found.places[0];
/// assert_eq!((place.allocated.peak, place.allocated.peak_at), (2512, Nanos(1_000)));
/// assert_eq!(place.fragmentation.map(|found| found.most), Some(2096)); // after the release
/// assert_eq!(place.blocks.listed[0].lifetime(), Some(Nanos(8_000)));
/// assert_eq!((place.live_at_peak.operators[0].bytes, place.live_at_peak.unexplained), (512, 2000));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn memory(trace: &Trace, config: &MemoryConfig) -> Memory {
    Memory {
        places: places(trace, config),
        processes: processes::processes(trace, config),
        recorded: recorded::levels(trace, config),
        recorded_blocks: recorded::blocks(trace, config.listed),
        recorded_operators: recorded::operators(trace),
        planned: planned::planned(trace),
    }
}

/// The devices with memory events, rising; then the host, if it has any.
fn places(trace: &Trace, config: &MemoryConfig) -> Vec<PlaceMemory> {
    let (pairs, owners) = (Pairs::of(trace), Owners::of(trace));
    devices(trace).into_iter().map(|device| place(trace, device, &pairs, &owners, config)).collect()
}

/// Whether the reserved memory of a device, or of the host without one, is known: [`PlaceMemory::reserved`] is there.
#[must_use]
pub fn has_reserved_memory(trace: &Trace, device: Option<u32>) -> bool {
    with_levels(trace, device, |levels| levels.reserved(None).is_some()).unwrap_or_default()
}

fn with_levels<T>(trace: &Trace, device: Option<u32>, of: impl FnOnce(&Levels<'_>) -> T) -> Option<T> {
    let place = devices(trace).into_iter().find(|place| number(*place) == device)?;
    let pairs = OnceCell::new();
    Some(of(&Levels::of(trace, place, &|| pairs.get_or_init(|| Pairs::of(trace)))))
}

/// The levels after each event of a device, or of the host without one: the values of [`PlaceMemory::curve`].
#[must_use]
pub fn memory_points(trace: &Trace, device: Option<u32>) -> Vec<MemoryPoint> {
    let drawn = |levels: &Levels<'_>| {
        levels.points().filter(|point| point.event.is_some()).map(Point::drawn).collect::<Vec<_>>()
    };
    with_levels(trace, device, drawn).unwrap_or_default()
}

/// A device's number; none for the host.
fn number(device: u16) -> Option<u32> {
    (device != HOST_MEMORY).then_some(device.into())
}

/// The devices of the memory events, by their numbers there.
fn devices(trace: &Trace) -> Vec<u16> {
    let mut devices: Vec<u16> = Vec::new();
    for event in &trace.memory {
        if !devices.contains(&event.device) {
            devices.push(event.device);
        }
    }
    // The host's number is the largest.
    devices.compact_sort();
    devices
}

fn place(trace: &Trace, device: u16, pairs: &Pairs, owners: &Owners<'_>, config: &MemoryConfig) -> PlaceMemory {
    let levels = Levels::of(trace, device, &|| pairs);
    let peak = levels.peak();
    PlaceMemory {
        device: number(device),
        capacity: number(device).and_then(|device| capacity::of_device(trace, device)),
        events: trace.memory.iter().filter(|event| event.device == device).count() as u64,
        allocated: levels.allocated(None),
        reserved: levels.reserved(None),
        fragmentation: levels.fragmentation(),
        curve: levels.curve(config),
        blocks: blocks::blocks(trace, device, pairs, owners, config.listed),
        operators: operators::operators(trace, device, owners),
        live_at_peak: operators::live_at_peak(trace, device, pairs, owners, peak),
    }
}

#[cfg(test)]
mod tests;
