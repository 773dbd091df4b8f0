//! Device time of rows: of activities that a call launched directly, and with those that its inner calls launched.

use super::grouping::Groups;
use crate::IntervalSet;
use crate::scope::{Scope, activities_in};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, EventId, Trace};

/// Device times by row.
pub(super) struct DeviceTimes {
    pub(super) total: Vec<Nanos>,
    pub(super) own: Vec<Nanos>,
    pub(super) total_sum: Vec<Nanos>,
    pub(super) own_sum: Vec<Nanos>,
    pub(super) unlinked: Nanos,
    pub(super) unlinked_sum: Nanos,
    pub(super) unlinked_count: u64,
}

/// An operator with all open ones around it, while the activities launched inside are united.
struct Frame {
    call: EventId,
    row: Option<usize>,
    /// No open frame outside is of the same row.
    outermost: bool,
    /// Index of the first of its activities in the list.
    first: usize,
    union: Union,
}

/// A union of intervals that mostly come by start.
#[derive(Clone, Copy)]
struct Union {
    length: Nanos,
    sum: Nanos,
    until: Nanos,
    /// An interval came before an earlier one's end: then the length must be recomputed.
    tangled: bool,
}

impl Default for Union {
    fn default() -> Self {
        Self { length: Nanos::ZERO, sum: Nanos::ZERO, until: Nanos::MIN, tangled: false }
    }
}

impl Union {
    #[inline]
    fn add(&mut self, interval: Interval) {
        self.sum += interval.len();
        self.length += interval.len();
        self.tangled |= interval.start < self.until;
        self.until = self.until.max(interval.end);
    }

    fn length(&self, intervals: &[(EventId, Interval)]) -> Nanos {
        if self.tangled { IntervalSet::of(intervals.iter().map(|(_, interval)| *interval)).len() } else { self.length }
    }
}

impl DeviceTimes {
    pub(super) fn of(trace: &Trace, groups: &Groups, scope: Option<&Scope<'_>>) -> Self {
        let rows = groups.len();
        let mut times = Self {
            total: vec![Nanos::ZERO; rows],
            own: vec![Nanos::ZERO; rows],
            total_sum: vec![Nanos::ZERO; rows],
            own_sum: vec![Nanos::ZERO; rows],
            unlinked: Nanos::ZERO,
            unlinked_sum: Nanos::ZERO,
            unlinked_count: 0,
        };
        let (launched, unlinked) = launches(trace, groups, scope);
        times.unlinked = IntervalSet::of(unlinked.iter().copied()).len();
        times.unlinked_sum = unlinked.iter().map(|interval| interval.len()).sum();
        times.unlinked_count = unlinked.len() as u64;
        times.unite(trace, groups, &launched);
        times.add_inner_ranges(trace, groups, scope);
        times
    }

    /// Adds what is launched in ranges within the launching operators, such as NCCL's: it is these operators' own, so that no
    /// operator within the ranges has it.
    fn add_inner_ranges(&mut self, trace: &Trace, groups: &Groups, scope: Option<&Scope<'_>>) {
        let is_range = |id: &EventId| trace.slices.class(*id) == Class::Annotation && groups.group(*id).is_some();
        let mut inside: Vec<(EventId, Interval)> = Vec::new();
        for activity in activities_in(trace, scope) {
            let Some((call, operator)) = activity.call.get().zip(activity.operator.get()) else { continue };
            let begun = inside.len();
            let mut is_within = false;
            for id in trace.slices.ancestors(call) {
                if id == operator {
                    is_within = true;
                    break;
                }
                if is_range(&id) {
                    inside.push((id, trace.slices.interval(activity.event)));
                }
            }
            if !is_within {
                inside.truncate(begun);
            }
        }
        by_call(&mut inside);
        for launched in inside.chunk_by(|(one, _), (other, _)| one == other) {
            let Some((range, row)) = launched.first().and_then(|(id, _)| Some((*id, groups.group(*id)?))) else {
                continue;
            };
            if !trace.slices.ancestors(range).any(|around| groups.group(around) == Some(row)) {
                self.total[row] += IntervalSet::of(launched.iter().map(|(_, interval)| *interval)).len();
                self.total_sum[row] += launched.iter().map(|(_, interval)| interval.len()).sum::<Nanos>();
            }
        }
    }

    /// Walks the launching operators in their order, with the stack of operators that are open around each.
    fn unite(&mut self, trace: &Trace, groups: &Groups, launched: &[(EventId, Interval)]) {
        let mut frames: Vec<Frame> = Vec::new();
        let mut index = 0;
        while let Some((operator, _)) = launched.get(index) {
            let count = launched[index..].iter().take_while(|(id, _)| id == operator).count();
            let own = &launched[index..index + count];
            self.open(trace, groups, &mut frames, *operator, index, launched);
            let mut union = Union::default();
            for (_, interval) in own {
                union.add(*interval);
                for frame in &mut frames {
                    frame.union.add(*interval);
                }
            }
            if let Some(row) = groups.group(*operator) {
                self.own[row] += union.length(own);
                self.own_sum[row] += union.sum;
            }
            index += count;
        }
        while let Some(frame) = frames.pop() {
            self.close(&frame, launched);
        }
    }

    /// Makes the frames those of an operator and its ancestors.
    fn open(
        &mut self,
        trace: &Trace,
        groups: &Groups,
        frames: &mut Vec<Frame>,
        operator: EventId,
        first: usize,
        launched: &[(EventId, Interval)],
    ) {
        let mut chain: Vec<EventId> = std::iter::once(operator).chain(trace.slices.ancestors(operator)).collect();
        chain.reverse();
        let common = frames.iter().zip(&chain).take_while(|(frame, call)| frame.call == **call).count();
        while frames.len() > common {
            if let Some(frame) = frames.pop() {
                self.close(&frame, &launched[..first]);
            }
        }
        for call in &chain[common..] {
            let row = groups.group(*call);
            let outermost = row.is_some() && frames.iter().all(|frame| frame.row != row);
            frames.push(Frame { call: *call, row, outermost, first, union: Union::default() });
        }
    }

    /// Counts a frame whose activities end where `launched` ends.
    fn close(&mut self, frame: &Frame, launched: &[(EventId, Interval)]) {
        if let Some(row) = frame.row.filter(|_| frame.outermost) {
            self.total[row] += frame.union.length(&launched[frame.first..]);
            self.total_sum[row] += frame.union.sum;
        }
    }
}

/// The activities with the operator they belong to, by operator; and those that no operator launched.
fn launches(trace: &Trace, groups: &Groups, scope: Option<&Scope<'_>>) -> (Vec<(EventId, Interval)>, Vec<Interval>) {
    let mut launched = Vec::new();
    let mut unlinked = Vec::new();
    for activity in activities_in(trace, scope) {
        let interval = trace.slices.interval(activity.event);
        // An operator that was merged into its parent launches for the parent.
        let in_table = |id: &EventId| groups.group(*id).is_some();
        let operator = activity.operator.get();
        let owner = operator.and_then(|id| std::iter::once(id).chain(trace.slices.ancestors(id)).find(in_table));
        match owner {
            Some(operator) => launched.push((operator, interval)),
            None => unlinked.push(interval),
        }
    }
    by_call(&mut launched);
    (launched, unlinked)
}

/// Sorts what calls launched by call, then by start.
fn by_call(launched: &mut [(EventId, Interval)]) {
    launched.sort_by_key(|(call, interval)| (*call, interval.start));
}

#[cfg(test)]
mod tests {
    use crate::{OperatorsConfig, operators};
    use stepscope_base::Nanos;
    use stepscope_input::Loader;

    #[test]
    fn a_range_within_the_launching_operator_has_the_time_of_what_is_launched_in_it() {
        // As PyTorch writes collectives: the kernel belongs to the operator around NCCL's range.
        let text = br#"{"deviceProperties": [], "traceEvents": [
          {"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":1,"tid":1,"ts":0,"dur":30,"args":{"External id":5}},
          {"ph":"X","cat":"user_annotation","name":"nccl:all_reduce","pid":1,"tid":1,"ts":5,"dur":20},
          {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernelExC","pid":1,"tid":1,"ts":8,"dur":2,"args":{"correlation":9,"External id":5}},
          {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":27,"dur":2,"args":{"correlation":10,"External id":5}},
          {"ph":"X","cat":"kernel","name":"ncclDevKernel","pid":0,"tid":7,"ts":12,"dur":40,"args":{"correlation":9,"External id":5}},
          {"ph":"X","cat":"kernel","name":"fill","pid":0,"tid":7,"ts":60,"dur":3,"args":{"correlation":10,"External id":5}}
        ]}"#;
        let mut loader = Loader::new("a.json");
        loader.space(text.len()).copy_from_slice(text);
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let found = operators(&trace, OperatorsConfig::standard());
        let times = |name: &str| {
            let row = found.rows.iter().find(|row| row.name == name).expect("a row");
            (row.device_total, row.device_total_sum, row.device_self)
        };
        assert_eq!(times("record_param_comms"), (Nanos(43_000), Nanos(43_000), Nanos(43_000)));
        assert_eq!(times("nccl:all_reduce"), (Nanos(40_000), Nanos(40_000), Nanos::ZERO));
    }
}
