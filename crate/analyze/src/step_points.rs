//! The start of MindSpore's forward pass and the end of its backward pass, where no phase is marked: by the profiler's
//! own rows, else by operators.
//!
//! MindSpore takes the first operator after `GetNext` and the last one before the last all-reduce; without a collective the last
//! operator of the step.

use std::collections::BTreeSet;

use super::get_next::is_of_data;
use super::is_collective;
use super::steps::{StepSource, Steps};
use crate::Recorder;
use crate::point_source::PointSource;
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{Class, EventId, Layer, NameId, Trace, is_mindspore_collective};

/// From the start of the forward pass to the end of the backward pass, step by step.
pub(super) struct FoundPoints {
    pub(super) source: PointSource,
    pub(super) steps: Vec<Option<Interval>>,
    /// The operators at both ends, where they are the same in all steps.
    pub(super) operators: [Option<NameId>; 2],
}

/// The points of a trace with steps by a named operator, or of MindSpore's with marked steps; none if they cannot be
/// found. The user may have named the operator with which forward begins.
pub(super) fn found_points(trace: &Trace, steps: &Steps, is_start_named: bool) -> Option<FoundPoints> {
    let by_operator = steps.source == StepSource::Operator;
    if !by_operator && (Recorder::of(trace) != Recorder::MindSpore || !steps.source.is_marked()) {
        return None;
    }
    let of_rows = of_rows(trace, steps);
    if of_rows.iter().any(Option::is_some) {
        return Some(FoundPoints { source: PointSource::Timeline, steps: of_rows, operators: [None; 2] });
    }
    // Such steps may begin anywhere in an iteration: only the data show where its forward pass does.
    let needs_data = by_operator && !is_start_named;
    let of_operators = of_operators(trace, steps, needs_data);
    let [first, last] = [0, 1].map(|end| {
        let names: BTreeSet<NameId> = of_operators.iter().flatten().map(|(_, names)| names[end]).collect();
        names.first().copied().filter(|_| names.len() == 1)
    });
    let points: Vec<Option<Interval>> = of_operators.into_iter().map(|found| Some(found?.0)).collect();
    points.iter().any(Option::is_some).then_some(FoundPoints {
        source: PointSource::Operators,
        steps: points,
        operators: [first, last],
    })
}

/// The rows `FP_BP Time 3` of msprof's step trace.
fn of_rows(trace: &Trace, steps: &Steps) -> Vec<Option<Interval>> {
    let mut found = vec![None; steps.steps.len()];
    let Some(part) = trace.category_named("step_part") else { return found };
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Profiler) {
        let rows = track.events().filter(|id| trace.slices.category(*id) == part && is_pass(trace, *id));
        for span in rows.map(|id| trace.slices.interval(id)) {
            let place = steps.steps.partition_point(|step| step.host.start <= span.start);
            let step = place.checked_sub(1).filter(|step| span.start < steps.steps[*step].host.end);
            if let Some(step) = step {
                found[step] = Some(span);
            }
        }
    }
    found
}

fn is_pass(trace: &Trace, id: EventId) -> bool {
    trace.name_of(id).starts_with("FP_BP")
}

/// An operator on a device.
struct Operator {
    span: Interval,
    name: NameId,
    communication: bool,
}

/// By the operators on the device, or the host's where there is no device, with the names of the first and the last one.
fn of_operators(trace: &Trace, steps: &Steps, needs_data: bool) -> Vec<Option<(Interval, [NameId; 2])>> {
    let mut of_steps: Vec<Vec<Operator>> = steps.steps.iter().map(|_| Vec::new()).collect();
    let mut add = |step: Option<usize>, id: EventId, communication: bool| {
        if let Some(operators) = step.and_then(|step| of_steps.get_mut(step)) {
            operators.push(Operator { span: trace.slices.interval(id), name: trace.slices.name(id), communication });
        }
    };
    for (activity, step) in trace.activities.iter().zip(&steps.step_of_activity) {
        if trace.slices.class(activity.event) == Class::Kernel {
            add(step.map(|step| step as usize), activity.event, activity.communication);
        }
    }
    if trace.activities.is_empty() {
        let is_mindspore = Recorder::of(trace) == Recorder::MindSpore;
        for id in trace.slices_of(Class::Operator) {
            let start = trace.slices.start(id);
            let place = steps.steps.partition_point(|step| step.host.start <= start);
            let step = place.checked_sub(1).filter(|step| start < steps.steps[*step].host.end);
            let by_name = is_mindspore && is_mindspore_collective(trace.name_of(id));
            add(step, id, by_name || is_collective(trace, id));
        }
    }
    of_steps.into_iter().map(|operators| points_of(trace, operators, needs_data)).collect()
}

fn points_of(trace: &Trace, mut operators: Vec<Operator>, needs_data: bool) -> Option<(Interval, [NameId; 2])> {
    operators.compact_sort_by_key(|operator| (operator.span.start, operator.span.end));
    let of_data = |operator: &&Operator| is_of_data(trace.strings.get(operator.name));
    let data = operators.iter().filter(of_data).map(|operator| operator.span.end).max();
    if needs_data && data.is_none() {
        return None;
    }
    let computing = || operators.iter().filter(|one| !one.communication && !of_data(one));
    // The data of the next step may come while this one computes.
    let after_data = data.and_then(|end| computing().find(|one| one.span.start >= end));
    let before_data = |end: Nanos| computing().any(|one| one.span.end <= end);
    let first = match (after_data, data) {
        (Some(found), Some(end)) if !before_data(end) => found,
        _ => computing().next()?,
    };
    let last_collective = operators.iter().filter(|one| one.communication).map(|one| one.span.start).max();
    let before = |one: &&Operator| last_collective.is_none_or(|start| one.span.end <= start);
    let last = computing().filter(before).max_by_key(|one| one.span.end).unwrap_or(first);
    let end = last.span.end.max(first.span.start);
    Some((Interval::new(first.span.start, end), [first.name, last.name]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StepTraceConfig, StepsConfig, phases, step_trace_of, steps};
    use stepscope_input::Loader;

    /// Two iterations of 100 µs with a gap of 50 µs between them, as msprof exports them. On the device: `GetNext` 5–10, `Conv2D`
    /// 12–30, `MatMul` 30–60, an all-reduce 62–90, Momentum 92–99.
    fn trace(with_passes: bool) -> Trace {
        let row = |name: &str, process: i64, thread: i64, start: i64, length: i64, args: &str, category: &str| {
            format!(
                r#"{{"name":"{name}","pid":{process},"tid":{thread},"ts":{start},"dur":{length},"args":{{{args}}},"cat":"{category}","ph":"X"}}"#
            )
        };
        let mut events = vec![
            r#"{"name":"process_name","pid":3,"tid":0,"args":{"name":"Ascend Hardware"},"ph":"M"}"#.to_owned(),
            r#"{"name":"thread_name","pid":3,"tid":9,"args":{"name":"Step Trace(Model ID:0)"},"ph":"M"}"#.to_owned(),
            r#"{"name":"process_name","pid":4,"tid":0,"args":{"name":"HCCL"},"ph":"M"}"#.to_owned(),
        ];
        for (step, start) in [(1, 1000), (2, 1150)] {
            let id = format!(r#""Iteration ID":{step}"#);
            events.push(row(&format!("Iteration {step}"), 3, 9, start, 100, &id, "Iteration Time"));
            if with_passes {
                events.push(row(&format!("FP_BP Time {step}"), 3, 9, start + 11, 50, &id, "FP_BP Time"));
            }
            for (name, from, to) in [("GetNext", 5, 10), ("Conv2D", 12, 30), ("MatMul", 30, 60), ("Momentum", 92, 99)] {
                let kind = r#""Task Type":"AI_CORE""#;
                events.push(row(&format!("Default/{name}-op1"), 3, 2, start + from, to - from, kind, ""));
            }
            events.push(row("Default/AllReduce-op2", 4, 1, start + 62, 28, "", ""));
        }
        let text = format!("[{}]", events.join(","));
        let mut loader = Loader::new("job/profiler/PROF_1/device_0/timeline/msprof_0_2_1.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        loader.finish().expect("a trace").trace
    }

    fn times(trace: &Trace, config: &StepTraceConfig) -> (PointSource, [String; 2], Vec<[i64; 4]>) {
        let steps = steps(trace, &StepsConfig::default());
        let found = step_trace_of(trace, &steps, &phases(trace, &steps), config).expect("a step trace");
        let micros = |step: &crate::StepTimes| {
            [step.total, step.iteration_interval, step.forward_and_backward, step.tail].map(|time| time.0 / 1000)
        };
        (found.source, [found.forward_start, found.backward_end], found.steps.iter().map(micros).collect())
    }

    #[test]
    fn rows_of_the_profiler_come_first_and_gaps_are_interval() {
        let (source, _, found) = times(&trace(true), &StepTraceConfig::default());
        assert_eq!((source, found), (PointSource::Timeline, vec![[100, 11, 50, 39], [150, 61, 50, 39]]));
    }

    #[test]
    fn else_from_the_first_operator_after_get_next_to_the_last_before_the_last_all_reduce() {
        let (source, names, found) = times(&trace(false), &StepTraceConfig::default());
        assert_eq!((source, found), (PointSource::Operators, vec![[100, 12, 48, 40], [150, 62, 48, 40]]));
        assert_eq!(names, ["Default/Conv2D-op1", "Default/MatMul-op1"]);
    }

    #[test]
    fn one_point_by_hand_leaves_the_other_one_as_it_is() {
        let named =
            StepTraceConfig { forward_start: Some("Default/MatMul-op1".into()), backward_end: None, graph: None };
        for (with_passes, last) in [(true, 61), (false, 60)] {
            let (source, _, found) = times(&trace(with_passes), &named);
            assert_eq!((source, found[1]), (PointSource::Named, [150, 80, last - 30, 100 - last]));
        }
    }
}
