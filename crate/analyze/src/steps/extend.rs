//! The ends of steps on the devices, and the steps that enter averages.

use std::collections::BTreeSet;

use super::inference::InferenceKind;
use super::step::Step;
use crate::statistics::{median, median_absolute_deviation};
use stepscope_base::{Interval, Nanos, sort_times};
use stepscope_trace::{ActivityId, Trace};

/// Extends each step to the end of the activities launched in it, and moves its start to the end of the previous one or
/// later. The first one begins after the device's work that no step launched, if the steps follow other work.
///
/// An activity that runs on its stream after one with a later launch extends no step: its link or its times are wrong.
pub(super) fn extend(
    trace: &Trace,
    (steps, follow): (&mut [Step], bool),
    owners: &[Option<u32>],
    out_of_order: &[ActivityId],
) {
    let mut first_start = vec![Nanos::MAX; steps.len()];
    let mut last_end = vec![Nanos::MIN; steps.len()];
    let mut out_of_order = out_of_order.iter().map(|id| id.index()).peekable();
    for (row, (activity, owner)) in trace.activities.iter().zip(owners).enumerate() {
        let is_in_order = out_of_order.next_if_eq(&row).is_none();
        let Some(step) = owner.map(|step| step as usize) else {
            continue;
        };
        steps[step].activities += 1;
        if !is_in_order {
            continue;
        }
        let span = trace.slices.interval(activity.event);
        first_start[step] = first_start[step].min(span.start);
        last_end[step] = last_end[step].max(span.end);
    }
    let Some(first) = first_start.first().copied() else {
        return;
    };
    let unowned = trace.activities.iter().zip(owners).filter(|(_, owner)| owner.is_none());
    let mut previous = unowned
        .map(|(activity, _)| trace.slices.end(activity.event))
        .filter(|end| *end <= first)
        .max()
        .filter(|_| follow && steps[0].activities > 0)
        .unwrap_or(Nanos::MIN);
    for (index, step) in steps.iter_mut().enumerate() {
        let start = previous.max(step.host.start);
        let end = start.max(step.host.end).max(last_end[index]);
        // An engine without requests waits and computes nothing.
        let is_idle =
            step.activities == 0 && step.inference.is_some_and(|facts| facts.kind == Some(InferenceKind::Idle));
        let end = if is_idle { start } else { end };
        step.span = Interval::new(start, end);
        previous = end;
    }
}

/// Marks trailing steps without activity, then a last step with too few.
pub(super) fn mark_partial(steps: &mut [Step]) {
    if steps.iter().all(|step| step.activities == 0) {
        return;
    }
    let mut whole = steps.len();
    while whole > 0 && steps[whole - 1].activities == 0 {
        whole -= 1;
        steps[whole].partial = true;
    }
    let Some((last, before)) = steps[..whole].split_last_mut() else { return };
    // Steps of an inference engine differ by kind and batch: only those of the same kind and batch launch as much.
    if let Some(before) = before.iter().rev().find(|step| step.inference == last.inference) {
        last.partial |= last.activities * 10 < before.activities * 8;
    }
}

/// Marks the first step of each graph, or of all steps where no graph is known, that is longer than the graph's others: see
/// [`mark_first`].
pub(super) fn mark_warm_up(steps: &mut [Step]) {
    let graphs: BTreeSet<Option<u64>> = steps.iter().map(|step| step.graph).collect();
    for graph in graphs {
        if let Some(first) = steps.iter().position(|step| step.graph == graph) {
            mark_first(&mut steps[first..]);
        }
    }
}

/// Marks a first step that is longer than median + max(5 MAD, 10 %) of the other complete ones.
///
/// Marks none where these take less than half of their marks: then the device makes up for a backlog of the first step,
/// and only the mean over all of them is the length of a step.
fn mark_first(steps: &mut [Step]) {
    let Some((first, others)) = steps.split_first_mut() else {
        return;
    };
    let alike = (first.inference, first.graph);
    let is_alike = |step: &Step| (step.inference, step.graph) == alike;
    let others = || others.iter().filter(|step| !step.partial && !step.captures && is_alike(step));
    let mut lengths: Vec<Nanos> = others().map(|step| step.span.len()).collect();
    if lengths.len() < 3 || first.partial {
        return;
    }
    let (extended, marked): (Nanos, Nanos) =
        (lengths.iter().copied().sum(), others().map(|step| step.host.len()).sum());
    if extended + extended < marked {
        return;
    }
    sort_times(&mut lengths);
    let middle = median(&lengths);
    let spread = median_absolute_deviation(&lengths);
    let slack = Nanos(spread.0.saturating_mul(5).max(middle.0 / 10));
    first.warm_up |= first.span.len() > middle + slack;
}

#[cfg(test)]
mod tests {
    use crate::{Steps, StepsConfig, steps};
    use stepscope_base::Nanos;
    use stepscope_input::Loader;

    /// Four steps of 100 µs with a kernel of 10 µs each, launched at 50 µs of a step, with the given start.
    fn found(starts: [u32; 4]) -> Steps {
        let mut events = Vec::new();
        for (step, start) in starts.iter().enumerate() {
            let (mark, call, args) = (100 * step, 100 * step + 50, format!(r#""args":{{"correlation":{}}}"#, step + 1));
            events.push(format!(
                r#"{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{step}","pid":1,"tid":1,"ts":{mark},"dur":100}},
                {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{call},"dur":2,{args}}},
                {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{start},"dur":10,{args}}}"#
            ));
        }
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
        let mut loader = Loader::new("steps.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        steps(&loader.finish().expect("a trace").trace, &StepsConfig::default())
    }

    fn lengths(found: &Steps) -> Vec<i64> {
        found.steps.iter().map(|step| step.span.len().0 / 1000).collect()
    }

    #[test]
    fn the_recorded_time_has_work_from_before_it() {
        let text = br#"{"deviceProperties": [], "traceEvents": [
            {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":90},
            {"ph":"X","cat":"kernel","name":"before","pid":0,"tid":7,"ts":5,"dur":40},
            {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":10,"dur":2,"args":{"correlation":1}},
            {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":50,"dur":50,"args":{"correlation":1}}
        ]}"#;
        let mut loader = Loader::new("steps.json");
        loader.space(text.len()).copy_from_slice(text);
        loader.advance(text.len()).expect("a trace");
        let found = steps(&loader.finish().expect("a trace").trace, &StepsConfig::default());
        assert_eq!((found.steps[0].span.start, found.steps[0].span.end), (Nanos(0), Nanos(100_000)));
    }

    #[test]
    fn what_runs_after_work_of_a_later_step_extends_no_step() {
        let ordered = found([60, 160, 260, 395]);
        assert_eq!((lengths(&ordered), ordered.out_of_order.len()), (vec![100, 100, 100, 105], 0));
        // The first step's kernel runs after the last one's on the same stream.
        let broken = found([900, 160, 260, 395]);
        assert_eq!((lengths(&broken), broken.out_of_order.len()), (vec![100, 100, 100, 105], 1));
        assert_eq!(broken.steps[0].activities, 1, "it is the first step's all the same");
    }

    #[test]
    fn a_first_step_with_a_backlog_is_no_warm_up() {
        let late = found([900, 910, 920, 930]);
        assert_eq!(lengths(&late), [910, 10, 10, 10]);
        let mean: Nanos = late.counted().iter().map(|step| late.steps[*step].span.len()).sum();
        assert_eq!((late.counted().len(), mean), (4, Nanos(940_000)));
        let warm_up = found([200, 260, 360, 400]);
        assert_eq!((lengths(&warm_up), warm_up.steps[0].warm_up), (vec![210, 60, 100, 40], true));
    }
}
