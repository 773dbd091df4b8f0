//! Host time of rows: total, and self = own − the union of the children.

use super::grouping::{Groups, is_tabulated};
use stepscope_base::Nanos;
use stepscope_trace::{EventId, Layer, Trace};

/// Host times by row.
pub(super) struct HostTimes {
    pub(super) calls: Vec<u64>,
    /// A call inside another one of its row on its thread counts once.
    pub(super) total: Vec<Nanos>,
    /// The sum of all calls' lengths.
    pub(super) sum: Vec<Nanos>,
    pub(super) own: Vec<Nanos>,
    pub(super) min: Vec<Nanos>,
    pub(super) max: Vec<Nanos>,
}

/// A slice that may have children: its row, and the time until which children cover it.
#[derive(Clone, Copy, Default)]
struct OpenSlice {
    group: Option<usize>,
    covered: Nanos,
}

/// The slices of a track that contain the current one.
struct Stack {
    /// By depth: a slice ends the family of the previous one at its depth.
    open: Vec<OpenSlice>,
    /// By row, the number of them that are its calls.
    calls: Vec<u32>,
}

impl Stack {
    fn truncate(&mut self, depth: usize) {
        while self.open.len() > depth {
            if let Some(row) = self.open.pop().and_then(|slice| slice.group) {
                self.calls[row] -= 1;
            }
        }
    }

    fn push(&mut self, depth: usize, slice: OpenSlice) {
        self.open.resize(depth, OpenSlice::default());
        self.open.push(slice);
        if let Some(row) = slice.group {
            self.calls[row] += 1;
        }
    }
}

impl HostTimes {
    pub(super) fn of(trace: &Trace, groups: &Groups) -> Self {
        let rows = groups.len();
        let mut times = Self {
            calls: vec![0; rows],
            total: vec![Nanos::ZERO; rows],
            sum: vec![Nanos::ZERO; rows],
            own: vec![Nanos::ZERO; rows],
            min: vec![Nanos::MAX; rows],
            max: vec![Nanos::ZERO; rows],
        };
        let mut stack = Stack { open: Vec::new(), calls: vec![0; rows] };
        for track in trace.tracks.iter().filter(|track| is_tabulated(track, groups.all_slices)) {
            if track.layer == Layer::Async {
                // They occupy no thread: they have no self time.
                track.events().for_each(|id| times.count(trace, groups, id, Nanos::ZERO, true));
                continue;
            }
            for id in track.events() {
                times.add(trace, groups, id, &mut stack);
            }
            stack.truncate(0);
        }
        times
    }

    /// Counts a slice in its row, if it has one.
    #[inline]
    fn count(&mut self, trace: &Trace, groups: &Groups, id: EventId, own: Nanos, is_outermost: bool) {
        if let Some(group) = groups.group(id) {
            let length = trace.slices.length(id);
            self.calls[group] += 1;
            self.sum[group] += length;
            if is_outermost {
                self.total[group] += length;
            }
            self.own[group] += own;
            self.min[group] = self.min[group].min(length);
            self.max[group] = self.max[group].max(length);
        }
    }

    #[inline]
    fn add(&mut self, trace: &Trace, groups: &Groups, id: EventId, stack: &mut Stack) {
        let depth = usize::from(trace.slices.depth(id));
        let (start, length) = (trace.slices.start(id), trace.slices.length(id));
        stack.truncate(depth);
        let group = groups.group(id);
        let is_outermost = !groups.nested_once() || group.is_none_or(|row| stack.calls[row] == 0);
        self.count(trace, groups, id, length, is_outermost);
        if groups.is_child(id) {
            // The parent is the innermost slice that is in the table itself.
            if let Some(parent) = stack.open.iter_mut().rev().find(|parent| parent.group.is_some())
                && let Some(row) = parent.group
            {
                let end = start + length;
                let covered = (end - start.max(parent.covered)).max(Nanos::ZERO);
                self.own[row] -= covered;
                parent.covered = parent.covered.max(end);
            }
        }
        stack.push(depth, OpenSlice { group, covered: start });
    }
}
