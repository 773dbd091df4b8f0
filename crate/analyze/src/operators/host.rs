//! Host time of rows: total, and self = own − the union of the children. Parts of operators are no children of these. In a scope, all of these
//! are clipped to its steps.

use super::grouping::{Groups, is_tabulated};
use crate::operator_parts::OperatorParts;
use crate::scope::Scope;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, EventId, Layer, Trace};

/// Host times by row.
pub(super) struct HostTimes {
    pub(super) calls: Vec<u64>,
    /// A call inside another one of its row on its thread counts once.
    pub(super) total: Vec<Nanos>,
    /// The sum of all calls' time in the scope.
    pub(super) sum: Vec<Nanos>,
    /// The sum of the whole lengths of the calls that begin in the scope; of these are the extremes.
    pub(super) whole: Vec<Nanos>,
    pub(super) own: Vec<Nanos>,
    pub(super) min: Vec<Nanos>,
    pub(super) max: Vec<Nanos>,
}

/// A slice that may have children: its row, and the time until which children cover it.
#[derive(Clone, Copy, Default)]
struct OpenSlice {
    group: Option<usize>,
    covered: Nanos,
    /// Whether it is a part of the operator around it.
    is_part: bool,
    /// Whether parts inside it are parts of an operator: it is one, or a part of one.
    is_of_operator: bool,
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

/// The slices and the time that count.
#[derive(Clone, Copy)]
struct Counted<'a> {
    trace: &'a Trace,
    groups: &'a Groups,
    scope: Option<&'a Scope<'a>>,
}

impl Counted<'_> {
    /// The length of the part of a span that counts.
    #[inline]
    fn inside(&self, span: Interval) -> Nanos {
        self.scope.map_or_else(|| span.len(), |scope| scope.host().len_in(span))
    }
}

impl HostTimes {
    pub(super) fn of(trace: &Trace, groups: &Groups, scope: Option<&Scope<'_>>) -> Self {
        let counted = Counted { trace, groups, scope };
        let rows = groups.len();
        let mut times = Self {
            calls: vec![0; rows],
            total: vec![Nanos::ZERO; rows],
            sum: vec![Nanos::ZERO; rows],
            whole: vec![Nanos::ZERO; rows],
            own: vec![Nanos::ZERO; rows],
            min: vec![Nanos::MAX; rows],
            max: vec![Nanos::ZERO; rows],
        };
        let mut stack = Stack { open: Vec::new(), calls: vec![0; rows] };
        let parts = OperatorParts::of(trace);
        for track in trace.tracks.iter().filter(|track| is_tabulated(track, groups.all_slices)) {
            if track.layer == Layer::Async {
                // They occupy no thread: they have no self time.
                track.events().for_each(|id| times.count(counted, id, false, true));
                continue;
            }
            for id in track.events() {
                times.add(counted, id, parts, &mut stack);
            }
            stack.truncate(0);
        }
        times
    }

    /// Counts a slice in its row, if it has one. `is_own`: its time is self time, until its children are known.
    #[inline]
    fn count(&mut self, counted: Counted<'_>, id: EventId, is_own: bool, is_outermost: bool) {
        let Counted { trace, groups, scope } = counted;
        let Some(group) = groups.group(id) else { return };
        let (span, length) = (trace.slices.interval(id), trace.slices.length(id));
        let inside = counted.inside(span);
        self.sum[group] += inside;
        if is_outermost {
            self.total[group] += inside;
        }
        if is_own {
            self.own[group] += inside;
        }
        if scope.is_none_or(|scope| scope.has_slice(trace, id)) {
            self.calls[group] += 1;
            self.whole[group] += length;
            self.min[group] = self.min[group].min(length);
            self.max[group] = self.max[group].max(length);
        }
    }

    #[inline]
    fn add(&mut self, counted: Counted<'_>, id: EventId, parts: OperatorParts, stack: &mut Stack) {
        let Counted { trace, groups, .. } = counted;
        let depth = usize::from(trace.slices.depth(id));
        let Interval { start, end } = trace.slices.interval(id);
        stack.truncate(depth);
        let group = groups.group(id);
        let is_outermost = !groups.nested_once() || group.is_none_or(|row| stack.calls[row] == 0);
        self.count(counted, id, true, is_outermost);
        // Parents are slices that are in the table themselves.
        let parents = || stack.open.iter().rev().filter(|parent| parent.group.is_some());
        let is_part = parts.has(trace, id) && parents().next().is_some_and(|parent| parent.is_of_operator);
        if groups.is_child(id) {
            // Time inside a part of an operator is inside the operator, too.
            for parent in stack.open.iter_mut().rev() {
                let Some(row) = parent.group else { continue };
                if is_part && !parent.is_part {
                    break;
                }
                let from = start.max(parent.covered);
                if from < end {
                    self.own[row] -= counted.inside(Interval::new(from, end));
                }
                parent.covered = parent.covered.max(end);
                if !parent.is_part {
                    break;
                }
            }
        }
        let is_of_operator = is_part || trace.slices.class(id) == Class::Operator;
        stack.push(depth, OpenSlice { group, covered: start, is_part, is_of_operator });
    }
}
