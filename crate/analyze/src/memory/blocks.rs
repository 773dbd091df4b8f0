//! Allocations and their releases.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rustc_hash::FxBuildHasher;

use super::owners::Owners;
use crate::Statistics;
use stepscope_base::Nanos;
use stepscope_trace::{EventId, MemoryEvent, MemoryPool, Trace};

/// The partner of an event that has none.
const ALONE: u32 = u32::MAX;

/// Pairs each release with its allocation. An allocation's release is the next one of the same address in the same
/// place. Among several allocations at an address without a release between them, the last one gets it.
pub(super) struct Pairs {
    /// By event, the index of the other one.
    partner: Vec<u32>,
}

impl Pairs {
    pub(super) fn of(trace: &Trace) -> Self {
        let mut partner = vec![ALONE; trace.memory.len()];
        // The last open allocation of each address, and by event the one that was open before it.
        let mut open: HashMap<(u64, u16, MemoryPool), u32, FxBuildHasher> = HashMap::default();
        let mut below = vec![ALONE; trace.memory.len()];
        for (index, event) in (0..ALONE).zip(&trace.memory) {
            let key = (event.address, event.device, event.pool);
            if event.bytes > 0 {
                below[index as usize] = open.insert(key, index).unwrap_or(ALONE);
            } else if event.bytes < 0
                && let Some(last) = open.get_mut(&key).filter(|last| **last != ALONE)
            {
                partner[index as usize] = *last;
                partner[*last as usize] = index;
                *last = below[*last as usize];
            }
        }
        Self { partner }
    }

    pub(super) fn partner(&self, index: usize) -> Option<usize> {
        self.partner.get(index).filter(|other| **other != ALONE).map(|other| *other as usize)
    }

    /// Bytes that were released and not allocated during the recording.
    pub(super) fn before(&self, trace: &Trace, device: u16, pool: MemoryPool) -> i64 {
        let here = |(index, event): &(usize, &MemoryEvent)| {
            event.device == device && event.pool == pool && event.bytes < 0 && self.partner(*index).is_none()
        };
        let lone = trace.memory.iter().enumerate().filter(here);
        lone.fold(0_i64, |sum, (_, event)| sum.saturating_sub(event.bytes))
    }
}

/// Blocks of memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks {
    /// Allocations, also those of zero bytes.
    pub allocations: u64,
    /// Releases.
    pub releases: u64,
    /// Blocks that were allocated and not released.
    pub unreleased: BlockCount,
    /// Blocks that were released and not allocated: they are from before the recording.
    pub from_before: BlockCount,
    /// Lifetimes of the others.
    pub lifetimes: Statistics,
    /// The largest blocks; of the same size, the first ones.
    pub listed: Vec<Block>,
}

/// A number of blocks, and their size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockCount {
    /// Number of blocks.
    pub blocks: u64,
    /// Their bytes.
    pub bytes: i64,
}

/// Blocks by the name of the operator that allocated them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedBlocks {
    /// The operators' name; none outside of operators.
    pub name: Option<String>,
    /// Number of blocks, where that is known.
    pub blocks: Option<u64>,
    /// Their bytes.
    pub bytes: i64,
}

impl NamedBlocks {
    /// Blocks of a name.
    #[must_use]
    pub fn new(name: Option<String>, blocks: Option<u64>, bytes: i64) -> Self {
        Self { name, blocks, bytes }
    }
}

impl BlockCount {
    pub(super) fn add(&mut self, bytes: i64) {
        self.blocks += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its address.
    pub address: u64,
    /// Its size.
    pub bytes: i64,
    /// Time of its allocation; none if it was before the recording.
    pub allocated: Option<Nanos>,
    /// Time of its release; none if it was not released during the recording.
    pub released: Option<Nanos>,
    /// The operator that allocated it.
    pub allocated_by: Option<EventId>,
    /// The operator in which it was released.
    pub released_by: Option<EventId>,
}

impl Block {
    /// From allocation to release.
    #[must_use]
    pub fn lifetime(&self) -> Option<Nanos> {
        Some(self.released? - self.allocated?)
    }
}

/// The blocks that the framework used in a device's memory, or the host's.
pub(super) fn blocks(trace: &Trace, device: u16, pairs: &Pairs, owners: &Owners<'_>, listed: usize) -> Blocks {
    let mut blocks = Blocks::default();
    let mut lifetimes = Vec::new();
    let mut largest: BinaryHeap<Reverse<(i64, Reverse<usize>)>> = BinaryHeap::new();
    let here = |(_, event): &(usize, &MemoryEvent)| event.device == device && event.pool == MemoryPool::Allocated;
    for (index, event) in trace.memory.iter().enumerate().filter(here) {
        let partner = pairs.partner(index);
        let size = event.bytes.saturating_abs();
        if event.bytes < 0 {
            blocks.releases += 1;
            if partner.is_some() {
                continue;
            }
            blocks.from_before.add(size);
        } else {
            blocks.allocations += 1;
            match partner.and_then(|partner| trace.memory.get(partner)) {
                Some(release) => lifetimes.push(release.at - event.at),
                None if size > 0 => blocks.unreleased.add(size),
                // An allocation of zero bytes needs no release.
                None => continue,
            }
        }
        largest.push(Reverse((size, Reverse(index))));
        if largest.len() > listed {
            largest.pop();
        }
    }
    blocks.lifetimes = Statistics::of(&mut lifetimes);
    let largest = largest.into_sorted_vec();
    blocks.listed =
        largest.into_iter().map(|Reverse((_, Reverse(index)))| block(trace, index, pairs, owners)).collect();
    blocks
}

/// The block whose first event has that index.
fn block(trace: &Trace, index: usize, pairs: &Pairs, owners: &Owners<'_>) -> Block {
    let event = &trace.memory[index];
    let (allocated, released) = if event.bytes < 0 { (None, Some(index)) } else { (Some(index), pairs.partner(index)) };
    let at = |index: usize| trace.memory[index].at;
    let by = |index: usize| owners.operator(index);
    Block {
        address: event.address,
        bytes: event.bytes.saturating_abs(),
        allocated: allocated.map(at),
        released: released.map(at),
        allocated_by: allocated.and_then(by),
        released_by: released.and_then(by),
    }
}
