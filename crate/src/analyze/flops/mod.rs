//! Floating-point operations of kernels and operators. METRICS section 4: "FLOPs and FLOP/s".
//!
//! What a trace records of them comes first, where one does; no reader has met such a trace with kernels yet, but for the
//! tables of MindSpore's own, which are reports of their own. Else they are computed from the inputs' shapes.

mod formulas;
mod inputs;

use std::cmp::Reverse;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

pub use self::formulas::{Work, work_of_call};
pub(super) use self::inputs::bytes as bytes_of_tensors;
use super::kernels::uses_tensor_cores;
use super::scope::Scope;
use crate::sort::CompactSort;
use crate::trace::{ActivityId, Class, EventId, NameId, Trace};
use crate::units::Nanos;

/// What computing calls compute: each text is looked at once.
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

    /// What a call computes, if it is an operator with a formula and tells its shapes.
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

    /// The innermost call around an operator, itself included, that computes something.
    fn around(&mut self, operator: EventId) -> Option<(EventId, Work)> {
        let trace = self.trace;
        let around = std::iter::once(operator).chain(trace.slices.ancestors(operator));
        around
            .filter(|event| trace.slices.class(*event) == Class::Operator)
            .find_map(|call| Some((call, self.of_call(call)?)))
    }
}

/// A kernel that may compute what a call does: the call, what ranks it among the call's kernels (tensor cores, length),
/// itself, what is computed.
type Candidate = (EventId, Reverse<(bool, Nanos)>, ActivityId, Work);

/// The kernels that compute what an operator's formula counts, with that: of the compute kernels that one call launched,
/// the longest of those on tensor cores, else the longest. The others put its inputs in order, or add up its parts.
pub(super) fn work_of_kernels(trace: &Trace, scope: Option<&Scope<'_>>) -> HashMap<ActivityId, Work, FxBuildHasher> {
    let mut works = Works::of(trace);
    let mut last: Option<(EventId, Option<(EventId, Work)>)> = None;
    let mut tensor_cores: HashMap<NameId, bool, FxBuildHasher> = HashMap::default();
    let mut kernels: Vec<Candidate> = Vec::new();
    for (index, activity) in trace.activities.iter().enumerate() {
        let id = ActivityId::from_index(index);
        let Some(operator) = activity.operator.get() else { continue };
        let computes = trace.slices.class(activity.event) == Class::Kernel && !activity.communication;
        if !computes || scope.is_some_and(|scope| !scope.has_activity(id)) {
            continue;
        }
        let found = match last {
            Some((before, found)) if before == operator => found,
            _ => works.around(operator),
        };
        last = Some((operator, found));
        if let Some((call, work)) = found {
            let name = trace.slices.name(activity.event);
            let tensor = *tensor_cores.entry(name).or_insert_with(|| uses_tensor_cores(trace.strings.get(name)));
            kernels.push((call, Reverse((tensor, trace.slices.length(activity.event))), id, work));
        }
    }
    kernels.compact_sort_by_key(|(call, rank, id, _)| (*call, *rank, *id));
    kernels.dedup_by_key(|(call, ..)| *call);
    kernels.into_iter().map(|(.., id, work)| (id, work)).collect()
}

/// What an operator's calls compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorFlops {
    /// The operator.
    pub name: NameId,
    /// Calls whose inputs tell what they compute.
    pub calls: u64,
    /// What these compute.
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

/// What the operators of a scope, or all, compute: those with a formula, by name, the most first.
///
/// An operator that calls another one counts for itself, so that rows are not to be added up.
#[must_use]
pub fn operator_flops(trace: &Trace, scope: Option<&Scope<'_>>) -> Vec<OperatorFlops> {
    let mut works = Works::of(trace);
    let mut found: HashMap<NameId, OperatorFlops, FxBuildHasher> = HashMap::default();
    for call in trace.slices_of(Class::Operator) {
        if scope.is_some_and(|scope| !scope.has_slice(trace, call)) {
            continue;
        }
        if let Some(work) = works.of_call(call) {
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
