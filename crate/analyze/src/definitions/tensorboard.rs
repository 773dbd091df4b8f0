//! PyTorch's TensorBoard plugin: step categories and GPU utilization.
//!
//! The categories are METRICS section 3's, but communication is ten names of host ranges and the kernels that share
//! their external id: other NCCL kernels are kernels. The data loader counts where its range is an operator, as in
//! PyTorch 1.x. Later versions record an annotation, for which the plugin shows zero. Utilization is the union of all
//! kernels over the span of the kept steps; copies do not count.

use super::value::{Value, Values};
use crate::{CategorySets, IntervalSet, Step, Steps, TimeCategory, is_dataloader};
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{Class, NO_SERIAL, Trace};

/// Ranges of collectives: `nccl:` and `gloo:` with one of these.
const COLLECTIVES: [&str; 5] = ["broadcast", "reduce", "all_reduce", "all_gather", "reduce_scatter"];

pub(crate) fn values(trace: &Trace, steps: &Steps) -> (Values, Vec<(String, Values)>) {
    let sets = category_sets(trace);
    let exclusive = sets.exclusive();
    let kept = kept(steps);
    let span = span_of(&kept);
    let kernels = sets.0[TimeCategory::Kernel as usize].union(&kernels_of_collectives(trace));
    let busy = kernels.clip(span).len();
    let overall = vec![
        ("kernel_busy_ns", Value::Time(busy)),
        ("steps_span_ns", Value::Time(span.len())),
        ("gpu_utilization", Value::Ratio(busy.ratio_of(span.len()))),
    ];
    let per_step = kept.iter().map(|(step, span)| {
        let times = exclusive.times_in(*span);
        let keys = [
            "kernel_ns",
            "memcpy_ns",
            "memset_ns",
            "communication_ns",
            "runtime_ns",
            "dataloader_ns",
            "cpu_ns",
            "other_ns",
        ];
        let values = keys.into_iter().zip(times).map(|(key, time)| (key, Value::Time(time)));
        (step.name.clone(), values.collect())
    });
    (overall, per_step.collect())
}

/// The steps that the plugin keeps, with their spans. It takes a mark as it is, wherever the recording ends.
pub(crate) fn kept(steps: &Steps) -> Vec<(&Step, Interval)> {
    let is_kept = |step: &&Step| !step.partial || step.unrecorded() > Nanos::ZERO;
    let whole = |step: &'_ Step| match step.unrecorded() {
        Nanos::ZERO => step.span,
        _ => Interval::new(step.span.start.min(step.mark.start), step.span.end.max(step.mark.end)),
    };
    steps.steps.iter().filter(is_kept).map(|step| (step, whole(step))).collect()
}

/// From the start of the first of these steps to the end of the last one.
pub(crate) fn span_of(kept: &[(&Step, Interval)]) -> Interval {
    match kept {
        [(_, first), .., (_, last)] => Interval::new(first.start, last.end),
        [(_, only)] => *only,
        [] => Interval::default(),
    }
}

/// The sets of the categories, as the plugin finds them.
pub(crate) fn category_sets(trace: &Trace) -> CategorySets {
    let mut sets = CategorySets::of(trace);
    let ours = trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Kernel);
    let kernels = IntervalSet::of(ours.map(|activity| trace.slices.interval(activity.event)));
    let collectives = collective_ids(trace);
    let ranges = IntervalSet::of(collectives.iter().map(|(_, span)| *span));
    sets.0[TimeCategory::Dataloader as usize] = dataloader_operators(trace);
    sets.0[TimeCategory::Communication as usize] = ranges.union(&kernels_of_collectives(trace));
    sets.0[TimeCategory::Kernel as usize] = if collectives.is_empty() { kernels } else { other_kernels(trace) };
    sets
}

fn dataloader_operators(trace: &Trace) -> IntervalSet {
    let named = trace.strings.map(is_dataloader);
    let ranges = trace.slices_of(Class::Operator).filter(|id| named[trace.slices.name(*id).index()]);
    IntervalSet::of(ranges.map(|id| trace.slices.interval(id)))
}

/// The external ids and spans of the named ranges, sorted.
fn collective_ids(trace: &Trace) -> Vec<(u32, Interval)> {
    let named = trace.strings.map(|name| {
        let operation = name.strip_prefix("nccl:").or_else(|| name.strip_prefix("gloo:"));
        operation.is_some_and(|operation| COLLECTIVES.contains(&operation))
    });
    let mut found: Vec<(u32, Interval)> = trace
        .slices
        .ids()
        .filter(|id| matches!(trace.slices.class(*id), Class::Operator | Class::Annotation))
        .filter(|id| named[trace.slices.name(*id).index()])
        .map(|id| (trace.operation(id).map_or(NO_SERIAL, |operation| operation.external), trace.slices.interval(id)))
        .collect();
    found.compact_sort();
    found
}

fn kernels_of_collectives(trace: &Trace) -> IntervalSet {
    split_kernels(trace, true)
}

fn other_kernels(trace: &Trace) -> IntervalSet {
    split_kernels(trace, false)
}

/// The kernels that share, or do not share, a named range's external id.
fn split_kernels(trace: &Trace, shared: bool) -> IntervalSet {
    let ids = collective_ids(trace);
    let shares = |external: u32| external != NO_SERIAL && ids.binary_search_by_key(&external, |(id, _)| *id).is_ok();
    let kernels = trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Kernel);
    let chosen = kernels.filter(|activity| shares(activity.external) == shared);
    IntervalSet::of(chosen.map(|activity| trace.slices.interval(activity.event)))
}
