//! Memory by operator.

use std::collections::BTreeMap;

use super::blocks::{BlockCount, Pairs};
use super::levels::Point;
use super::owners::Owners;
use super::sums::AllocationSums;
use stepscope_base::CompactSort;
use stepscope_trace::{MemoryEvent, MemoryPool, NameId, Trace};

/// Allocations and releases of operators of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorMemory {
    /// The operators' name; none outside of operators.
    pub name: Option<NameId>,
    /// The operators' own.
    pub own: AllocationSums,
    /// The same, with all that they called.
    pub total: AllocationSums,
}

/// The live blocks at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveAtPeak {
    /// By the operators that allocated it, the most bytes first.
    pub operators: Vec<LiveBlocks>,
    /// Blocks from before the recording that were released later.
    pub from_before: BlockCount,
    /// Memory of no known block: allocated before the recording and never released, or rounded up by the allocator.
    pub unexplained: i64,
}

/// Live blocks of operators of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveBlocks {
    /// The operators' name; none outside of operators.
    pub name: Option<NameId>,
    /// Number of blocks.
    pub blocks: u64,
    /// Their bytes.
    pub bytes: i64,
}

fn used(trace: &Trace, device: u16) -> impl Iterator<Item = (usize, &MemoryEvent)> {
    let events = trace.memory.iter().enumerate();
    events.filter(move |(_, event)| event.device == device && event.pool == MemoryPool::Allocated)
}

pub(super) fn operators(trace: &Trace, device: u16, owners: &Owners<'_>) -> Vec<OperatorMemory> {
    let mut rows: BTreeMap<Option<NameId>, OperatorMemory> = BTreeMap::new();
    let mut around: Vec<Option<NameId>> = Vec::new();
    for (index, event) in used(trace, device) {
        let name = owners.name(index);
        // An operator that calls another of its name is one call.
        around.clear();
        for name in owners.around(index).map(|id| Some(trace.slices.name(id))) {
            if !around.contains(&name) {
                around.push(name);
            }
        }
        if name.is_none() {
            around.push(None);
        }
        let new = |name| OperatorMemory { name, own: AllocationSums::default(), total: AllocationSums::default() };
        rows.entry(name).or_insert_with(|| new(name)).own.add(event.bytes);
        for name in &around {
            rows.entry(*name).or_insert_with(|| new(*name)).total.add(event.bytes);
        }
    }
    let mut rows: Vec<OperatorMemory> = rows.into_values().collect();
    let text = |row: &OperatorMemory| row.name.map_or("", |name| trace.strings.get(name));
    rows.compact_sort_by(|a, b| {
        (b.own.net(), b.own.allocated).cmp(&(a.own.net(), a.own.allocated)).then_with(|| text(a).cmp(text(b)))
    });
    rows
}

pub(super) fn live_at_peak(
    trace: &Trace,
    device: u16,
    pairs: &Pairs,
    owners: &Owners<'_>,
    peak: Option<Point>,
) -> LiveAtPeak {
    let Some(peak) = peak else { return LiveAtPeak::default() };
    // The events up to the peak are before this one.
    let end = peak.event.map_or(0, |event| event + 1);
    let mut live = LiveAtPeak::default();
    let mut rows: BTreeMap<Option<NameId>, BlockCount> = BTreeMap::new();
    for (index, event) in used(trace, device) {
        let partner = pairs.partner(index);
        if event.bytes > 0 && index < end && partner.is_none_or(|release| release >= end) {
            rows.entry(owners.name(index)).or_default().add(event.bytes);
        }
        if event.bytes < 0 && index >= end && partner.is_none() {
            live.from_before.add(event.bytes.saturating_neg());
        }
    }
    let mut operators: Vec<LiveBlocks> =
        rows.into_iter().map(|(name, BlockCount { blocks, bytes })| LiveBlocks { name, blocks, bytes }).collect();
    let text = |row: &LiveBlocks| row.name.map_or("", |name| trace.strings.get(name));
    operators.compact_sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| text(a).cmp(text(b))));
    let known = operators.iter().fold(live.from_before.bytes, |sum, row| sum.saturating_add(row.bytes));
    LiveAtPeak { operators, unexplained: peak.allocated.saturating_sub(known), ..live }
}
