//! Allocations and releases by the range in which they happened. METRICS section 6.

use std::collections::BTreeMap;

use super::kinds::{Kinds, in_order};
use crate::memory::{AllocationSums, slice_around};
use stepscope_base::CompactSort;
use stepscope_trace::{MemoryPool, NameId, Trace};

/// Allocations and releases in ranges of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryOfRange {
    /// The device of the memory; none for the host's.
    pub device: Option<u32>,
    /// Used by the framework, or reserved by it.
    pub pool: MemoryPool,
    /// The ranges' name.
    pub name: NameId,
    /// Their allocations and releases.
    pub sums: AllocationSums,
}

/// Allocations and releases by the innermost range around them; where an operator is directly around that, also by the
/// operator. Parts of operators have no row of their own. Events outside of ranges are left out.
///
/// By device and pool, then by falling growth; rows of equal growth in Paddle's order.
#[must_use]
pub fn memory_of_ranges(trace: &Trace) -> Vec<MemoryOfRange> {
    let mut rows: BTreeMap<(Option<u32>, MemoryPool, NameId), MemoryOfRange> = BTreeMap::new();
    let mut visits = Vec::new();
    let kinds = Kinds::of(trace);
    let inner = trace.category_named("OperatorInner");
    let operator = trace.category_named("Operator");
    for (index, event) in trace.memory.iter().enumerate() {
        let Some(range) = slice_around(trace, index) else { continue };
        let own = (Some(trace.slices.category(range)) != inner).then_some(range);
        let around = trace.slices.parent(range).filter(|id| Some(trace.slices.category(*id)) == operator);
        for id in own.into_iter().chain(around) {
            let (device, pool, name) = (event.on_device(), event.pool, trace.slices.name(id));
            let new = MemoryOfRange { device, pool, name, sums: AllocationSums::default() };
            rows.entry((device, pool, name)).or_insert(new).sums.add(event.bytes);
            visits.push(((device, pool, name), kinds.visit(id)));
        }
    }
    let mut rows: Vec<MemoryOfRange> = in_order(rows, visits.into_iter()).into_iter().map(|(_, row)| row).collect();
    rows.compact_sort_by_key(|row| (row.device, row.pool, std::cmp::Reverse(row.sums.net())));
    rows
}
