//! Host time of rows: total, and self = own − the union of the children.

use super::grouping::{Groups, is_tabulated};
use stepscope_base::Nanos;
use stepscope_trace::{EventId, Layer, Trace};

/// Per row its host times.
pub(super) struct HostTimes {
    pub(super) calls: Vec<u64>,
    pub(super) total: Vec<Nanos>,
    pub(super) own: Vec<Nanos>,
    pub(super) min: Vec<Nanos>,
    pub(super) max: Vec<Nanos>,
}

/// A slice that may have children: its row, and until when children cover it.
#[derive(Clone, Copy, Default)]
struct Open {
    group: Option<usize>,
    covered: Nanos,
}

impl HostTimes {
    pub(super) fn of(trace: &Trace, groups: &Groups) -> Self {
        let rows = groups.len();
        let mut times = Self {
            calls: vec![0; rows],
            total: vec![Nanos::ZERO; rows],
            own: vec![Nanos::ZERO; rows],
            min: vec![Nanos::MAX; rows],
            max: vec![Nanos::ZERO; rows],
        };
        for track in trace.tracks.iter().filter(|track| is_tabulated(track, groups.all_slices)) {
            if track.layer == Layer::Async {
                // They take no thread's time: there is none that is their own.
                track.events().for_each(|id| times.count(trace, groups, id, Nanos::ZERO));
                continue;
            }
            // By depth: a slice of some depth ends the family of the one before at that depth.
            let mut open: Vec<Open> = Vec::new();
            for id in track.events() {
                times.add(trace, groups, id, &mut open);
            }
        }
        times
    }

    /// Counts a slice in its row, if it has one.
    #[inline]
    fn count(&mut self, trace: &Trace, groups: &Groups, id: EventId, own: Nanos) {
        if let Some(group) = groups.group(id) {
            let length = trace.slices.length(id);
            self.calls[group] += 1;
            self.total[group] += length;
            self.own[group] += own;
            self.min[group] = self.min[group].min(length);
            self.max[group] = self.max[group].max(length);
        }
    }

    #[inline]
    fn add(&mut self, trace: &Trace, groups: &Groups, id: EventId, open: &mut Vec<Open>) {
        let depth = usize::from(trace.slices.depth(id));
        let (start, length) = (trace.slices.start(id), trace.slices.length(id));
        open.truncate(depth);
        let group = groups.group(id);
        self.count(trace, groups, id, length);
        if groups.is_child(id) {
            // The parent is the innermost slice that is in the table itself.
            if let Some(parent) = open.iter_mut().rev().find(|parent| parent.group.is_some())
                && let Some(row) = parent.group
            {
                let end = start + length;
                let covered = (end - start.max(parent.covered)).max(Nanos::ZERO);
                self.own[row] -= covered;
                parent.covered = parent.covered.max(end);
            }
        }
        open.resize(depth, Open::default());
        open.push(Open { group, covered: start });
    }
}
