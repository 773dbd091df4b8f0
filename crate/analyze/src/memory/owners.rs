//! Owners of allocations.

use stepscope_trace::{Class, EventId, NameId, Trace};

/// The slice in which a memory event happened: the one that the producer names, else the innermost one around it on
/// its thread.
pub(crate) fn slice_around(trace: &Trace, index: usize) -> Option<EventId> {
    let named = trace.memory_owners.get(index).and_then(|owner| owner.get());
    named.or_else(|| innermost(trace, index))
}

fn innermost(trace: &Trace, index: usize) -> Option<EventId> {
    let event = trace.memory.get(index)?;
    let rows = trace.tracks.get(event.track.index())?.rows();
    let started = partition(rows.clone(), |row| trace.slices.start(EventId::from_index(row)) <= event.at);
    let last = (started > rows.start).then(|| EventId::from_index(started - 1))?;
    std::iter::once(last).chain(trace.slices.ancestors(last)).find(|id| trace.slices.end(*id) > event.at)
}

/// The first number of a range that does not fit; those that fit must come first.
fn partition(range: std::ops::Range<usize>, fits: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if fits(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// Finds the operators of memory events.
pub(super) struct Owners<'a> {
    trace: &'a Trace,
    /// The slice around each event: found once, as each table needs it.
    around: Vec<EventId>,
    /// The category of parts of Paddle's operators: these are skipped, so that the operator counts.
    inner: Option<u16>,
}

impl<'a> Owners<'a> {
    pub(super) fn of(trace: &'a Trace) -> Self {
        let around = (0..trace.memory.len()).map(|index| slice_around(trace, index).unwrap_or(EventId::NONE));
        Self { trace, around: around.collect(), inner: trace.category_named("OperatorInner") }
    }

    /// The operator of an event: the innermost one around it; without any, the innermost annotation.
    pub(super) fn operator(&self, index: usize) -> Option<EventId> {
        let is = |class: Class| self.around(index).find(|id| self.trace.slices.class(*id) == class);
        is(Class::Operator).or_else(|| is(Class::Annotation))
    }

    /// The operator's name.
    pub(super) fn name(&self, index: usize) -> Option<NameId> {
        self.operator(index).map(|id| self.trace.slices.name(id))
    }

    /// All operators and annotations around an event, the innermost first.
    pub(super) fn around(&self, index: usize) -> impl Iterator<Item = EventId> + '_ {
        let slices = &self.trace.slices;
        let innermost = self.around.get(index).and_then(|id| id.get());
        std::iter::successors(innermost, |id| slices.parent(*id)).filter(|id| {
            matches!(slices.class(*id), Class::Operator | Class::Annotation)
                && (self.inner.is_none() || Some(slices.category(*id)) != self.inner)
        })
    }
}
