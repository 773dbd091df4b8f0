//! Steps of `MindSpore`'s operators, where neither a mark nor a table has them: its graphs run the same operators in each
//! iteration.

use std::collections::BTreeMap;

use crate::get_next::is_get_next;
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{Activity, Class, NameId, Trace};

/// An operator's run.
#[derive(Clone, Copy)]
struct Run {
    span: Interval,
    name: NameId,
    /// The time before it in which no operator runs.
    pause: Nanos,
}

/// Steps of the operators of the host, else of the only device: each from `GetNext`, else from the operator before which
/// the longest pauses are, to the end of the last operator before the next one. None where operators do not repeat.
pub(super) fn steps(trace: &Trace) -> Vec<(String, Interval)> {
    let [host, device] = sequences(trace);
    let mut found = spans(trace, &host);
    // Kernels run later than the operators that launch them.
    if found.is_empty() {
        found = spans(trace, &device);
    } else {
        extend(&mut found, &device);
    }
    (1..).zip(found).map(|(number, span): (u64, _)| (number.to_string(), span)).collect()
}

/// The operators of the host and those of the only device, each in the order of time.
fn sequences(trace: &Trace) -> [Vec<Run>; 2] {
    let is_outer = |id: &_| !trace.slices.ancestors(*id).any(|around| trace.slices.class(around) == Class::Operator);
    let host = trace.slices_of(Class::Operator).filter(is_outer).collect();
    let kernels = trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Kernel);
    let device_of = |activity: &Activity| trace.stream_of(activity.event).map(|stream| stream.device);
    let is_alone = trace.activities.windows(2).all(|pair| device_of(&pair[0]) == device_of(&pair[1]));
    let device = if is_alone { kernels.map(|activity| activity.event).collect() } else { Vec::new() };
    [host, device].map(|ids: Vec<_>| {
        let run = |id| Run { span: trace.slices.interval(id), name: trace.slices.name(id), pause: Nanos::ZERO };
        let mut runs: Vec<Run> = ids.into_iter().map(run).collect();
        runs.compact_sort_by_key(|run| (run.span.start, run.span.end, run.name));
        let mut until = Nanos::MIN;
        for run in &mut runs {
            if until > Nanos::MIN {
                run.pause = (run.span.start - until).max(Nanos::ZERO);
            }
            until = until.max(run.span.end);
        }
        runs
    })
}

/// Extends each step to the end of the last kernel that begins before the next one.
fn extend(steps: &mut [Interval], kernels: &[Run]) {
    let starts: Vec<Nanos> = steps.iter().skip(1).map(|step| step.start).chain([Nanos::MAX]).collect();
    for (step, next) in steps.iter_mut().zip(starts) {
        let first = kernels.partition_point(|run| run.span.start < step.start);
        let end = kernels.partition_point(|run| run.span.start < next);
        let last = kernels[first..end].iter().map(|run| run.span.end).fold(step.end, Nanos::max);
        *step = Interval::new(step.start, last.min(next));
    }
}

/// Least number of operators that run once in each step.
const LEAST_OPERATORS: usize = 3;

/// Least number of steps without `GetNext`, which marks an iteration itself.
const LEAST_STEPS: usize = 3;

/// Number of operators that are tried as the first one of a step.
const TRIED: usize = 16;

/// The steps in a sequence of operators; none where it does not repeat.
fn spans(trace: &Trace, runs: &[Run]) -> Vec<Interval> {
    let mut places: BTreeMap<NameId, Vec<usize>> = BTreeMap::new();
    for (place, run) in runs.iter().enumerate() {
        places.entry(run.name).or_default().push(place);
    }
    // The number of runs that the most operators have is that of the steps.
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    places.values().for_each(|of| *counts.entry(of.len()).or_default() += 1);
    counts.remove(&1);
    let Some((number, once)) = counts.into_iter().max_by_key(|(count, names)| (*names, *count)) else {
        return Vec::new();
    };
    let regular: usize = places.values().map(Vec::len).filter(|count| count % number == 0).sum();
    // Operators that start the training run once.
    let repeated: usize = places.values().map(Vec::len).filter(|count| *count > 1).sum();
    if once < LEAST_OPERATORS || regular * 10 < repeated * 9 || number * once * 2 < repeated {
        return Vec::new();
    }
    let of_number = |(_, of): &(&NameId, &Vec<usize>)| of.len() == number;
    let mut firsts: Vec<(&NameId, &Vec<usize>)> = places.iter().filter(of_number).collect();
    let pauses = |of: &[usize]| of.iter().map(|place| runs[*place].pause).sum::<Nanos>();
    firsts.compact_sort_by_key(|(_, of)| (std::cmp::Reverse(pauses(of)), of[0]));
    let next = firsts.iter().position(|(name, of)| {
        is_get_next(trace.strings.get(**name))
            && of.iter().filter(|place| is_alone(runs, **place)).count() * 2 > of.len()
    });
    // An iteration begins with GetNext, unless that runs ahead of it, beside operators of the one before.
    let has_get_next = next.is_some();
    if let Some(next) = next {
        let first = firsts.remove(next);
        firsts.insert(0, first);
    }
    if !has_get_next && number < LEAST_STEPS {
        return Vec::new();
    }
    let is_once = |name: NameId| places.get(&name).is_some_and(|of| of.len() == number);
    let found = firsts.iter().take(TRIED).find(|(_, of)| divides(runs, of, once, &is_once));
    let Some((_, of)) = found else { return Vec::new() };
    let ends = of.iter().skip(1).copied().chain([runs.len()]);
    let spans = of.iter().zip(ends).map(|(first, end)| {
        let start = runs[*first].span.start;
        let last = runs[*first..end].iter().map(|run| run.span.end).fold(start, Nanos::max);
        // An operator that runs into the next step ends this one there.
        Interval::new(start, runs.get(end).map_or(last, |next| last.min(next.span.start)))
    });
    spans.collect()
}

/// Whether no other operator runs while one does.
fn is_alone(runs: &[Run], place: usize) -> bool {
    let span = runs[place].span;
    let before = runs[..place].iter().rev().take(TRIED).all(|other| other.span.end <= span.start);
    before && runs.get(place + 1).is_none_or(|next| next.span.start >= span.end)
}

/// Whether each part from one of these places to the next has nine tenths of the operators that run once in each step,
/// and hardly any twice.
fn divides(runs: &[Run], firsts: &[usize], once: usize, is_once: &dyn Fn(NameId) -> bool) -> bool {
    let ends = firsts.iter().skip(1).copied().chain([runs.len()]);
    firsts.iter().zip(ends).all(|(first, end)| {
        let mut names: Vec<NameId> =
            runs[*first..end].iter().map(|run| run.name).filter(|name| is_once(*name)).collect();
        let all = names.len();
        names.compact_sort();
        names.dedup();
        names.len() * 10 >= once * 9 && (all - names.len()) * 10 <= once
    })
}

#[cfg(test)]
mod tests {
    use crate::{StepSource, StepTraceConfig, StepsConfig, phases, step_trace_of, steps};
    use stepscope_input::Loader;
    use stepscope_trace::Trace;

    /// A row of the display of a device's timeline: its name, its start and length in µs, and its stream.
    type Row = (String, i64, i64, &'static str);

    fn load(name: &str, rows: &[Row]) -> Trace {
        let event = |(name, start, length, thread): &Row| {
            format!(r#"{{"name":"{name}","ph":"X","tid":"{thread}","ts":{start},"dur":{length},"pid":0}}"#)
        };
        let text = format!("[{}]", rows.iter().map(event).collect::<Vec<_>>().join(","));
        let mut loader = Loader::new(name);
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        loader.finish().expect("a trace").trace
    }

    /// Iterations of 100 µs: `GetNext` 0–10, `Conv2D` 12–30, `ConvGrad` 30–60, an all-reduce 62–90, Momentum 92–99.
    fn iterations(number: i64, with_data: bool) -> Vec<Row> {
        let operators =
            [("GetNext", 0, 10), ("Conv2D", 12, 30), ("ConvGrad", 30, 60), ("AllReduce", 62, 90), ("Momentum", 92, 99)];
        let of = |step: i64| {
            let named = operators.iter().filter(move |(name, ..)| with_data || *name != "GetNext");
            named.map(move |(name, from, to)| {
                (format!("Default/{name}-op1"), 1000 + 100 * step + from, to - from, "GpuOps")
            })
        };
        std::iter::once(("Default/InitDataSetQueue-op0".to_owned(), 900, 5, "GpuOps"))
            .chain((0..number).flat_map(of))
            .collect()
    }

    fn found(trace: &Trace) -> (StepSource, Vec<(String, i64, i64)>) {
        let found = steps(trace, &StepsConfig::default());
        let of = |step: &crate::Step| (step.name.clone(), step.host.start.0 / 1000, step.host.len().0 / 1000);
        (found.source, found.steps.iter().map(of).collect())
    }

    fn starts(trace: &Trace) -> (StepSource, Vec<i64>) {
        let (source, steps) = found(trace);
        let first = steps.first().map_or(0, |step| step.1);
        (source, steps.iter().map(|step| step.1 - first).collect())
    }

    const DISPLAY: &str = "profiler/gpu_timeline_display_0.json";

    #[test]
    fn steps_begin_with_get_next() {
        let trace = load(DISPLAY, &iterations(4, true));
        assert_eq!(starts(&trace), (StepSource::RepeatingOperators, vec![0, 100, 200, 300]));
        assert!(found(&trace).1.iter().all(|(_, _, length)| *length == 99));
        let steps = steps(&trace, &StepsConfig::default());
        let times = step_trace_of(&trace, &steps, &phases(&trace, &steps), &StepTraceConfig::default());
        let times = times.expect("a step trace");
        assert_eq!([times.forward_start.as_str(), &times.backward_end], ["Default/Conv2D-op1", "Default/ConvGrad-op1"]);
        let second = &times.steps[1];
        let micros = [second.total, second.iteration_interval, second.forward_and_backward, second.tail];
        assert_eq!(micros.map(|time| time.0 / 1000), [100, 13, 48, 39], "from the end of a step to that of the next");
    }

    #[test]
    fn without_get_next_they_begin_after_the_longest_pauses() {
        assert_eq!(
            starts(&load(DISPLAY, &iterations(4, false))),
            (StepSource::RepeatingOperators, vec![0, 100, 200, 300])
        );
        assert_eq!(found(&load(DISPLAY, &iterations(2, false))).0, StepSource::WholeTrace, "two may be chance");
    }

    #[test]
    fn kernels_that_run_later_belong_to_the_step_of_their_operator() {
        let kernel = |step: i64| ("void gemm<float>(int)".to_owned(), 1050 + 100 * step, 49, "17");
        let mut rows = iterations(4, true);
        rows.retain(|(name, ..)| name != "Default/Momentum-op1");
        rows.extend((0..4).map(kernel));
        let trace = load(DISPLAY, &rows);
        assert!(found(&trace).1.iter().all(|(_, _, length)| *length == 99));
    }

    #[test]
    fn operators_that_do_not_repeat_are_no_steps() {
        // A layer that runs four times within one iteration, with others before and after it.
        let mut rows = iterations(4, false);
        rows.extend((0..40).map(|other| (format!("Default/Other-op{other}"), 2000 + other, 1, "GpuOps")));
        let layers = load(DISPLAY, &rows);
        assert_eq!(found(&layers).0, StepSource::RepeatingOperators, "what runs once starts or ends the training");
        let twice: Vec<Row> = (0..6)
            .flat_map(|at| {
                [("A", 0), ("B", 1), ("A", 2)]
                    .map(|(name, start)| (format!("Default/{name}"), at * 10 + start, 1, "GpuOps"))
            })
            .collect();
        assert_eq!(found(&load(DISPLAY, &twice)).0, StepSource::WholeTrace, "too few operators");
    }
}
