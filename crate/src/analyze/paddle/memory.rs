//! Allocations and releases by the range in which they happened. METRICS section 6.

use std::collections::BTreeMap;

use super::kinds::{Kinds, in_order};
use crate::sort::CompactSort;
use crate::trace::{EventId, MemoryEvent, MemoryPool, NameId, Trace};

/// What ranges of a name allocated and released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryOfRange {
    /// The device whose memory it is; none for the host's.
    pub device: Option<u32>,
    /// Used by the framework, or held by it.
    pub pool: MemoryPool,
    /// The ranges' name.
    pub name: NameId,
    /// How many allocations.
    pub allocations: u64,
    /// How many releases.
    pub releases: u64,
    /// Bytes allocated.
    pub allocated: i64,
    /// Bytes released.
    pub released: i64,
}

impl MemoryOfRange {
    /// Bytes by which memory grew.
    #[must_use]
    pub fn increase(&self) -> i64 {
        self.allocated.saturating_sub(self.released)
    }

    fn add(&mut self, bytes: i64) {
        // Empty tensors allocate nothing: zero is an allocation.
        if bytes < 0 {
            self.releases += 1;
            self.released = self.released.saturating_sub(bytes);
        } else {
            self.allocations += 1;
            self.allocated = self.allocated.saturating_add(bytes);
        }
    }
}

/// Allocations and releases by the innermost range around them; where an operator is directly around that, also by
/// the operator. Parts of operators have no row of their own. What happened in no range is left out.
///
/// By device and pool, then by falling growth; rows of the same growth as Paddle comes across them.
#[must_use]
pub fn memory_of_ranges(trace: &Trace) -> Vec<MemoryOfRange> {
    let mut rows: BTreeMap<(Option<u32>, MemoryPool, NameId), MemoryOfRange> = BTreeMap::new();
    let mut visits = Vec::new();
    let kinds = Kinds::of(trace);
    let inner = trace.category_named("OperatorInner");
    let operator = trace.category_named("Operator");
    for (index, event) in trace.memory.iter().enumerate() {
        let owner = trace.memory_owners.get(index).and_then(|owner| owner.get());
        let Some(range) = owner.or_else(|| innermost(trace, event)) else { continue };
        let own = (Some(trace.slices.category(range)) != inner).then_some(range);
        let around = trace.slices.parent(range).filter(|id| Some(trace.slices.category(*id)) == operator);
        for id in own.into_iter().chain(around) {
            let (device, pool, name) = (event.on_device(), event.pool, trace.slices.name(id));
            let new = MemoryOfRange { device, pool, name, allocations: 0, releases: 0, allocated: 0, released: 0 };
            rows.entry((device, pool, name)).or_insert(new).add(event.bytes);
            visits.push(((device, pool, name), kinds.visit(id)));
        }
    }
    let mut rows: Vec<MemoryOfRange> = in_order(rows, visits.into_iter()).into_iter().map(|(_, row)| row).collect();
    rows.compact_sort_by_key(|row| (row.device, row.pool, std::cmp::Reverse(row.increase())));
    rows
}

/// The innermost slice around a memory event on its thread.
fn innermost(trace: &Trace, event: &MemoryEvent) -> Option<EventId> {
    let rows = trace.tracks.get(event.track.index())?.rows();
    let ids = rows.start..rows.end;
    let started = partition(ids.clone(), |row| trace.slices.start(EventId::from_index(row)) <= event.at);
    let last = (started > ids.start).then(|| EventId::from_index(started - 1))?;
    std::iter::once(last).chain(trace.slices.ancestors(last)).find(|id| trace.slices.end(*id) > event.at)
}

/// The first number of a range that does not fit, of which those that do come first.
fn partition(range: std::ops::Range<usize>, fits: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if fits(middle) { low = middle + 1 } else { high = middle }
    }
    low
}
