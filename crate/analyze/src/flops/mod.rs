//! Floating-point operations of kernels and operators. METRICS section 4: "FLOPs and FLOP/s".
//!
//! Recorded ones have priority, where a trace has any. No reader has met such a trace with kernels yet, except
//! MindSpore's own tables, which are separate reports. Otherwise they are computed from the inputs' shapes.

mod bytes;
mod family;
mod formulas;
mod fused;
mod inputs;

use std::ops::Range;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

pub use self::bytes::bytes_of_call;
pub(super) use self::bytes::family_of;
pub use self::family::RoofFamily;
pub(super) use self::formulas::precision as precision_of;
pub use self::formulas::{Work, work_of_call};
pub(super) use self::fused::{FusedWork, Product, Scores};
pub(super) use self::inputs::bytes as bytes_of_tensors;
use super::intervals::IntervalSet;
use super::kernel_family::KernelFamily;
use super::scope::Scope;
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{ActivityId, Class, EventId, NameId, Trace};

/// The work of computing calls; each text is parsed once.
pub(super) struct Works<'a> {
    trace: &'a Trace,
    /// Whether an operator's name has a formula.
    names: HashMap<NameId, bool, FxBuildHasher>,
    known: HashMap<[NameId; 4], Option<Work>, FxBuildHasher>,
}

impl<'a> Works<'a> {
    pub(super) fn of(trace: &'a Trace) -> Self {
        Self { trace, names: HashMap::default(), known: HashMap::default() }
    }

    /// The work of a call, if it is an operator with a formula and its shapes are recorded.
    pub(super) fn of_call(&mut self, call: EventId) -> Option<Work> {
        let trace = self.trace;
        let name = trace.slices.name(call);
        let strings = &trace.strings;
        if !*self.names.entry(name).or_insert_with(|| formulas::has_formula(strings.get(name))) {
            return None;
        }
        let operation = trace.operation(call)?;
        let concrete = trace.concrete_inputs(call);
        let key = [name, operation.shapes, operation.types, concrete];
        let texts = key.map(|text| strings.get(text));
        *self.known.entry(key).or_insert_with(|| work_of_call(texts[0], texts[1], texts[2], texts[3]))
    }

    /// The outermost call around an operator, itself included, that has known work: the calls inside it are parts of it.
    fn around(&mut self, operator: EventId) -> Option<(EventId, Work)> {
        let trace = self.trace;
        let around = std::iter::once(operator).chain(trace.slices.ancestors(operator));
        around
            .filter(|event| trace.slices.class(*event) == Class::Operator)
            .filter_map(|call| Some((call, self.of_call(call)?)))
            .last()
    }
}

/// One call that computes something, and the kernels it launched, directly or by the operators inside it.
#[derive(Clone, Debug, PartialEq)]
pub struct ComputingCall<'a> {
    /// The operator call.
    pub call: EventId,
    /// Its work.
    pub work: Work,
    /// All its compute kernels: also those that transpose its inputs or add up its parts.
    pub kernels: &'a [ActivityId],
    /// For each of these, whether it has a part of the FLOPs: one that prepares inputs or finishes the output has none.
    computes: &'a [bool],
    /// The time during which one of them runs.
    pub time: Nanos,
}

impl ComputingCall<'_> {
    /// FLOP per ns over all kernels of the call.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    pub fn rate(&self) -> Option<f64> {
        (self.time > Nanos::ZERO).then(|| self.work.flops as f64 / self.time.0 as f64)
    }

    /// The kernels that compute, each with its part of the FLOPs and of [`time`](Self::time), in proportion to its
    /// duration. The parts add up to the whole.
    pub(super) fn parts<'b>(&'b self, trace: &'b Trace) -> impl Iterator<Item = (ActivityId, u64, Nanos)> + 'b {
        let length = |id: &ActivityId| trace.slices.length(trace.activities[id.index()].event).0.max(0).unsigned_abs();
        let kernels = || self.kernels.iter().zip(self.computes).filter(|(_, computes)| **computes).map(|(id, _)| id);
        let all: u64 = kernels().map(length).sum();
        let time = if self.computes.iter().all(|computes| *computes) {
            self.time
        } else {
            IntervalSet::of(kernels().map(|id| trace.slices.interval(trace.activities[id.index()].event))).len()
        };
        let time = time.0.max(0).unsigned_abs();
        let part = move |whole: u64, until: u64| {
            let part = u128::from(whole) * u128::from(until) / u128::from(all.max(1));
            u64::try_from(part).unwrap_or(u64::MAX)
        };
        let last = kernels().count().saturating_sub(1);
        let (mut until, mut given) = (0_u64, (0_u64, 0_u64));
        kernels().enumerate().map(move |(index, id)| {
            until += length(id);
            // Kernels without a duration do not divide: the last one gets everything.
            let so_far =
                if index == last { (self.work.flops, time) } else { (part(self.work.flops, until), part(time, until)) };
            let own = (so_far.0 - given.0, so_far.1 - given.1);
            given = so_far;
            (*id, own.0, Nanos(i64::try_from(own.1).unwrap_or(i64::MAX)))
        })
    }
}

/// The calls with work, of a scope or of the whole trace, by call.
#[derive(Clone, Debug, Default)]
pub struct ComputingCalls {
    pub(super) kernels: Vec<ActivityId>,
    /// For each of these, whether it computes.
    pub(super) computes: Vec<bool>,
    calls: Vec<(EventId, Work, Range<usize>, Nanos)>,
}

impl ComputingCalls {
    /// The calls with known FLOPs that launched the compute kernels of a scope, or of the whole trace.
    ///
    /// A call's FLOPs are those of all its kernels. Operators inside a call with known FLOPs count with it, once.
    #[must_use]
    pub fn of(trace: &Trace, scope: Option<&Scope<'_>>) -> Self {
        let mut works = Works::of(trace);
        let mut last: Option<(EventId, Option<(EventId, Work)>)> = None;
        let mut found: Vec<(EventId, ActivityId, Work)> = Vec::new();
        for (index, activity) in trace.activities.iter().enumerate() {
            let id = ActivityId::from_index(index);
            let Some(operator) = activity.operator.get() else { continue };
            let computes = trace.slices.class(activity.event) == Class::Kernel && !activity.communication;
            if !computes || scope.is_some_and(|scope| !scope.has_activity(id)) {
                continue;
            }
            let around = match last {
                Some((before, around)) if before == operator => around,
                _ => works.around(operator),
            };
            last = Some((operator, around));
            if let Some((call, work)) = around {
                found.push((call, id, work));
            }
        }
        found.compact_sort_by_key(|(call, id, _)| (*call, *id));
        let mut multiply: HashMap<NameId, bool, FxBuildHasher> = HashMap::default();
        let computes = found.iter().map(|(_, id, _)| {
            let name = trace.slices.name(trace.activities[id.index()].event);
            *multiply.entry(name).or_insert_with(|| KernelFamily::may_multiply(trace.strings.get(name)))
        });
        let mut computes: Vec<bool> = computes.collect();
        let kernels = found.iter().map(|(_, id, _)| *id).collect();
        let mut calls = Self { kernels, computes: Vec::new(), calls: Vec::new() };
        let mut from = 0;
        for of_call in found.chunk_by(|a, b| a.0 == b.0) {
            let spans = of_call.iter().map(|(_, id, _)| trace.slices.interval(trace.activities[id.index()].event));
            let time = match of_call {
                [_] => spans.map(Interval::len).sum(),
                _ => IntervalSet::of(spans).len(),
            };
            let of_call_computes = &mut computes[from..from + of_call.len()];
            if !of_call_computes.contains(&true) {
                // The names do not show which kernels compute.
                of_call_computes.fill(true);
            }
            let (call, _, work) = of_call[0];
            calls.calls.push((call, work, from..from + of_call.len(), time));
            from += of_call.len();
        }
        calls.computes = computes;
        calls
    }

    /// The calls, in the order of the trace.
    pub fn iter(&self) -> impl Iterator<Item = ComputingCall<'_>> {
        self.calls.iter().map(|(call, work, kernels, time)| ComputingCall {
            call: *call,
            work: *work,
            kernels: &self.kernels[kernels.clone()],
            computes: &self.computes[kernels.clone()],
            time: *time,
        })
    }

    /// All FLOPs; `None` if there are no such calls.
    #[must_use]
    pub fn flops(&self) -> Option<u64> {
        (!self.calls.is_empty()).then(|| self.calls.iter().fold(0, |sum: u64, call| sum.saturating_add(call.1.flops)))
    }
}

/// The work of an operator's calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorFlops {
    /// The operator.
    pub name: NameId,
    /// Calls with known work.
    pub calls: u64,
    /// Their FLOPs.
    pub flops: u64,
}

impl OperatorFlops {
    /// FLOP/s = FLOPs / device time of the calls.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate for display")]
    pub fn per_second(&self, device: Nanos) -> Option<f64> {
        (device > Nanos::ZERO).then(|| self.flops as f64 / device.0 as f64 * 1e9)
    }
}

/// The work of the operators with a formula, in a scope or the whole trace, by name, the most first.
///
/// An operator inside a call with known FLOPs is a part of that call and has no row for it: rows add up to the whole.
#[must_use]
pub fn operator_flops(trace: &Trace, scope: Option<&Scope<'_>>) -> Vec<OperatorFlops> {
    let mut works = Works::of(trace);
    let mut found: HashMap<NameId, OperatorFlops, FxBuildHasher> = HashMap::default();
    for call in trace.slices_of(Class::Operator) {
        if scope.is_some_and(|scope| !scope.has_slice(trace, call)) {
            continue;
        }
        let Some(work) = works.of_call(call) else { continue };
        if works.around(call).is_some_and(|(outermost, _)| outermost == call) {
            let name = trace.slices.name(call);
            let row = found.entry(name).or_insert(OperatorFlops { name, calls: 0, flops: 0 });
            row.calls += 1;
            row.flops = row.flops.saturating_add(work.flops);
        }
    }
    let mut rows: Vec<OperatorFlops> = found.into_values().collect();
    rows.compact_sort_by(|a, b| {
        b.flops.cmp(&a.flops).then_with(|| trace.strings.get(a.name).cmp(trace.strings.get(b.name)))
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::ComputingCalls;
    use stepscope_input::Loader;

    /// A product by two kernels of 10 and 30 µs; the first kernel's name is given.
    fn parts(first: &str) -> Vec<(usize, u64, i64)> {
        let text = format!(
            r#"{{"deviceProperties": [], "traceEvents": [
              {{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":20,"args":{{
               "Input Dims":[[100,100],[100,100]],"Input type":["c10::Half","c10::Half"]}}}},
              {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":2,"dur":2,"args":{{"correlation":8}}}},
              {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{{"correlation":9}}}},
              {{"ph":"X","cat":"kernel","name":"{first}","pid":0,"tid":7,"ts":10,"dur":10,"args":{{"correlation":8}}}},
              {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":30,"dur":30,"args":{{"correlation":9}}}}]}}"#
        );
        let mut loader = Loader::new("parts.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let calls = ComputingCalls::of(&trace, None);
        let call = calls.iter().next().expect("a call");
        assert_eq!((call.kernels.len(), call.time.0), (2, 40_000));
        call.parts(&trace).map(|(id, flops, time)| (id.index(), flops, time.0)).collect()
    }

    #[test]
    fn kernels_that_prepare_or_finish_have_no_part_of_their_call_s_flops() {
        let fill = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<int> >(int)";
        for name in [
            "batched_transpose",
            fill,
            "void (anonymous namespace)::softmax_warp_forward<float>",
            "void splitKreduce_kernel<32, 16, int>",
        ] {
            assert_eq!(parts(name), [(1, 2_000_000, 30_000)], "{name}");
        }
        assert_eq!(parts("gemm_tail"), [(0, 500_000, 10_000), (1, 1_500_000, 30_000)]);
    }
}
