//! The step trace after MindSpore, for steps of any framework. METRICS section 3, "MindSpore's step trace".
//!
//! ```text
//! end of the step before ── interval ──► first forward ── forward and backward ──► last backward ── tail ──► end
//! ```
//!
//! Points are on the device, as MindSpore's are, where anything is launched in the forward pass, else on the host.
//! Collectives do not count as backward: the rest of them after the last gradient is tail.

use std::collections::BTreeMap;

use super::mindspore::{average, step_trace};
use super::phases::{Phase, Phases};
use super::step_points::found_points;
use super::steps::{StepSource, Steps, StepsConfig};
use super::{StepTimes, StepTrace};
use crate::point_name::point_name;
use crate::point_source::PointSource;
use stepscope_base::{CompactSort, Interval, Nanos, map_of};
use stepscope_trace::{EventId, Layer, Trace};

/// Settings of the step trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepTraceConfig {
    /// The operator or kernel that begins the forward pass, as `PROFILING_FP_START` names it; `None`: the first.
    pub forward_start: Option<String>,
    /// The operator or kernel that ends the backward pass, as `PROFILING_BP_END` names it; `None`: the last.
    pub backward_end: Option<String>,
    /// The graph of `MindSpore` whose steps are looked at; `None`: all of them.
    pub graph: Option<u64>,
}

impl StepTraceConfig {
    fn is_automatic(&self) -> bool {
        self.forward_start.is_none() && self.backward_end.is_none()
    }

    /// The settings of steps with the same operators.
    #[must_use]
    pub fn steps(&self) -> StepsConfig {
        let (begins_with, ends_with) = (self.forward_start.clone(), self.backward_end.clone());
        StepsConfig { begins_with, ends_with, ..StepsConfig::default() }
    }
}

/// The step trace: the profiler's own where it recorded one of these steps, else by the phases; `None` without steps, or where no step
/// has a forward pass.
///
/// Points that the user names are searched for in the events, even if points were recorded. Where no step is marked,
/// these operators also divide the trace into steps ([`StepsConfig::begins_with`]).
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::StepTraceConfig;
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":1,"ts":2,"dur":5},
///   {"ph":"X","cat":"user_annotation","name":"backward","pid":1,"tid":1,"ts":8,"dur":6},
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":1,"tid":1,"ts":20,"dur":20},
///   {"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":1,"ts":25,"dur":5},
///   {"ph":"X","cat":"cpu_op","name":"loss","pid":1,"tid":1,"ts":27,"dur":3},
///   {"ph":"X","cat":"user_annotation","name":"backward","pid":1,"tid":1,"ts":30,"dur":6}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &analyze::StepsConfig::default());
/// let phases = analyze::phases(&trace, &steps);
/// let found = analyze::step_trace_of(&trace, &steps, &phases, &StepTraceConfig::default()).expect("a step trace");
/// let times = |of: &analyze::StepTimes| [of.iteration_interval.0, of.forward_and_backward.0, of.tail.0];
/// assert_eq!(times(&found.steps[1]), [5_000, 11_000, 4_000]);
/// assert_eq!(times(&found.average), [5_000, 11_000, 4_000]); // without the first step
///
/// let named = StepTraceConfig { forward_start: Some("loss".into()), backward_end: None, graph: None };
/// let found = analyze::step_trace_of(&trace, &steps, &phases, &named).expect("a step trace");
/// assert_eq!(times(&found.steps[0]), [7_000, 9_000, 4_000]);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn step_trace_of(trace: &Trace, steps: &Steps, phases: &Phases, config: &StepTraceConfig) -> Option<StepTrace> {
    let found = of_all_graphs(trace, steps, phases, config)?;
    match config.graph {
        Some(graph) => found.of_graph(steps, graph),
        None => Some(found),
    }
}

fn of_all_graphs(trace: &Trace, steps: &Steps, phases: &Phases, config: &StepTraceConfig) -> Option<StepTrace> {
    let recorded = step_trace(trace).map(|found| found.on_the_timeline(steps));
    if !trace.has_events() {
        return recorded;
    }
    if !config.is_automatic() {
        // Operators that the user names come before those that were found to repeat.
        if !steps.source.is_marked() || steps.source == StepSource::RepeatingOperators {
            let named = super::steps::steps(trace, &config.steps());
            if named.source == StepSource::Operator {
                return of_events(trace, &named, &super::phases(trace, &named), config);
            }
        }
        return of_events(trace, steps, phases, config);
    }
    match recorded {
        // A folder may contain another run's table.
        Some(found) if found.is_of_other_steps(steps) && found.has_other_length(steps) => {
            of_events(trace, steps, phases, config).or(Some(found))
        }
        Some(found) => Some(found),
        None if steps.source.is_marked() => of_events(trace, steps, phases, config),
        None => None,
    }
}

/// The step trace by the phases and the points that the user named.
fn of_events(trace: &Trace, steps: &Steps, phases: &Phases, config: &StepTraceConfig) -> Option<StepTrace> {
    let forward = |on_device| points_of(phases, Phase::Forward, on_device);
    let is_marked = [true, false].iter().any(|on_device| forward(*on_device).iter().any(Option::is_some));
    let found_points = if is_marked { None } else { found_points(trace, steps, config.forward_start.is_some()) };
    let on_device = found_points.is_some() || forward(true).iter().any(Option::is_some);
    let found_at = |or: Vec<Option<Interval>>| found_points.as_ref().map_or(or, |found| found.steps.clone());
    let hulls = |phase| points_of(phases, phase, on_device);
    let named = |name: &Option<String>| name.as_ref().map(|name| named_points(trace, steps, name));
    let starts = named(&config.forward_start).unwrap_or_else(|| found_at(forward(on_device)));
    let mut ends = named(&config.backward_end).unwrap_or_else(|| found_at(hulls(Phase::Backward)));
    if ends.iter().all(Option::is_none) {
        // Without training, the pass that ends is the forward one.
        ends = hulls(Phase::Forward);
    }
    let source = match (config.is_automatic(), &found_points, on_device) {
        (false, ..) if steps.source == StepSource::Operator => PointSource::NamedSteps,
        (false, ..) => PointSource::Named,
        (true, Some(found), _) => found.source,
        (true, None, true) => PointSource::Device,
        (true, None, false) => PointSource::Host,
    };
    let operator = |end: usize| {
        let name = found_points.as_ref().and_then(|found| found.operators[end]);
        name.map(|name| trace.strings.get(name).to_owned()).unwrap_or_default()
    };
    let mut collectives = collectives(trace, steps);
    let mut found = Vec::new();
    let mut before: Option<Nanos> = None;
    for (index, step) in steps.steps.iter().enumerate() {
        let span = if on_device { step.span } else { step.host };
        let (start, end) = (before.unwrap_or(span.start), span.end);
        before = Some(end);
        let points = (starts.get(index).copied().flatten(), ends.get(index).copied().flatten());
        let (Some(forward), Some(backward)) = points else { continue };
        if step.partial || end <= start {
            continue;
        }
        let first = forward.start.max(start).min(end);
        let last = backward.end.max(first).min(end);
        found.push(StepTimes {
            name: step.name.clone(),
            start,
            total: end - start,
            iteration_interval: first - start,
            forward_and_backward: last - first,
            tail: end - last,
            collectives: collectives.remove(&index).unwrap_or_default(),
        });
    }
    let average = average(&found)?;
    Some(StepTrace {
        source,
        forward_start: config.forward_start.clone().unwrap_or_else(|| operator(0)),
        backward_end: config.backward_end.clone().unwrap_or_else(|| operator(1)),
        steps: found,
        average,
        recorded_average: false,
    })
}

impl StepTrace {
    /// Whether the profiler recorded the points of other steps than the timeline shows: not as many, or of a mean
    /// length that differs by more than a tenth.
    #[must_use]
    pub fn is_of_other_steps(&self, steps: &Steps) -> bool {
        if self.source != PointSource::Recorded || !steps.source.is_marked() || self.steps.is_empty() {
            return false;
        }
        self.steps.len() != steps.steps.len() || self.has_other_length(steps)
    }

    /// The steps of a graph alone, with their own average; none without such steps.
    fn of_graph(mut self, steps: &Steps, graph: u64) -> Option<Self> {
        let of_graph = steps.steps.iter().filter(|step| step.graph == Some(graph));
        let names: BTreeMap<&str, ()> = map_of(of_graph.map(|step| (step.name.as_str(), ())));
        // Recorded steps of graphs are named GRAPH:ITERATION, also where no event marks them.
        let is_marked = steps.steps.iter().any(|step| step.graph.is_some());
        let is_of = |name: &str| name.split_once(':').is_some_and(|(of, _)| of.parse() == Ok(graph));
        self.steps.retain(|step| match is_marked {
            true => names.contains_key(step.name.as_str()),
            false => is_of(&step.name),
        });
        self.average = average(&self.steps)?;
        self.recorded_average = false;
        Some(self)
    }

    /// The same with starts from the trace's start, which the profiler's clock does not count from: a step ends where the
    /// timeline marks the end of that name, others are moved as far as the first of these; the first one starts at zero
    /// where the timeline has other steps.
    fn on_the_timeline(mut self, steps: &Steps) -> Self {
        let is_there = steps.source.is_marked() && !self.has_other_length(steps);
        let ends = steps.steps.iter().filter(|_| is_there).map(|step| (step.name.as_str(), step.mark.end));
        let ends: BTreeMap<&str, Nanos> = map_of(ends);
        let start = |step: &StepTimes| Some(*ends.get(step.name.as_str())? - step.total);
        let first = self.steps.iter().map(|step| step.start).min().unwrap_or_default();
        let moved = self.steps.iter().find_map(|step| Some(start(step)? - step.start));
        let moved = moved.unwrap_or(Nanos::ZERO - first);
        for step in &mut self.steps {
            step.start = start(step).unwrap_or(step.start + moved);
        }
        self
    }

    /// Whether its steps differ in mean length from the timeline's by more than a tenth. One step more or less may be
    /// cut off.
    fn has_other_length(&self, steps: &Steps) -> bool {
        let mean = |total: Nanos, count: usize| total.0 / (count as i64).max(1);
        let of_trace = mean(self.steps.iter().map(|step| step.total).sum(), self.steps.len());
        let of_steps = mean(steps.steps.iter().map(|step| step.span.len()).sum(), steps.steps.len());
        of_trace.saturating_sub(of_steps).saturating_abs().saturating_mul(10) > of_steps
    }
}

/// From the first to the last moment of a phase, step by step.
fn points_of(phases: &Phases, phase: Phase, on_device: bool) -> Vec<Option<Interval>> {
    let hull = |times: &[super::PhaseTime; 5]| {
        let time = &times[phase as usize];
        if on_device { time.device_hull } else { time.host_hull }
    };
    phases.steps.iter().map(hull).collect()
}

/// From the first to the last moment of the slices with a name, step by step: of what they launched, else their own.
#[inline(never)]
fn named_points(trace: &Trace, steps: &Steps, name: &str) -> Vec<Option<Interval>> {
    let mut found = vec![None; steps.steps.len()];
    let Some(name) = point_name(trace, name) else { return found };
    let mut launched: BTreeMap<EventId, Interval> = BTreeMap::new();
    for activity in &trace.activities {
        let Some(call) = activity.call.get() else { continue };
        let around = std::iter::once(call).chain(trace.slices.ancestors(call));
        for id in around.filter(|id| trace.slices.name(*id) == name) {
            let span = trace.slices.interval(activity.event);
            launched.entry(id).and_modify(|known| *known = hull(*known, span)).or_insert(span);
        }
    }
    for track in trace.tracks.iter().filter(|track| matches!(track.layer, Layer::Host | Layer::Device | Layer::Python))
    {
        for id in track.events().filter(|id| trace.slices.name(*id) == name) {
            let own = trace.slices.interval(id);
            let on_device = track.layer == Layer::Device;
            let of_step = |step: &super::Step| {
                let span = if on_device { step.span } else { step.host };
                span.start <= own.start && own.start < span.end
            };
            if let Some(index) = steps.steps.iter().position(of_step) {
                let span = launched.get(&id).copied().unwrap_or(own);
                found[index] = Some(found[index].map_or(span, |known| hull(known, span)));
            }
        }
    }
    found
}

fn hull(a: Interval, b: Interval) -> Interval {
    Interval::new(a.start.min(b.start), a.end.max(b.end))
}

/// The communication kernels launched in each step, by start.
fn collectives(trace: &Trace, steps: &Steps) -> BTreeMap<usize, Vec<EventId>> {
    let mut found: BTreeMap<usize, Vec<EventId>> = BTreeMap::new();
    for (activity, step) in trace.activities.iter().zip(&steps.step_of_activity) {
        if let Some(step) = step.filter(|_| activity.communication) {
            found.entry(step as usize).or_default().push(activity.event);
        }
    }
    for events in found.values_mut() {
        events.compact_sort_by_key(|id| trace.slices.start(*id));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StepsConfig, phases, steps};
    use stepscope_input::Loader;

    /// One step of 100 µs. On the device: forward 10–30, backward 40–70, a collective 60–85, the optimizer 90–95.
    fn trace() -> Trace {
        let mut events = Vec::new();
        let mut slice = |category: &str, name: &str, (thread, start, length): (i64, i64, i64), args: &str| {
            events.push(format!(
                r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":{thread},"ts":{start},"dur":{length},
                    "args":{{{args}}}}}"#
            ));
        };
        slice("user_annotation", "ProfilerStep#1", (1, 0, 100), "");
        slice("user_annotation", "ProfilerStep#2", (1, 100, 100), "");
        let parts = [
            ("forward", "mm", 5, 10, 20, "gemm"),
            ("backward", "mm_backward", 25, 40, 30, "gemm"),
            ("backward", "all_reduce", 27, 60, 25, "ncclDevKernel_AllReduce"),
            ("optimizer", "adam", 35, 90, 5, "adam"),
        ];
        for step in [0, 100] {
            for (id, (phase, operator, launch, start, length, kernel)) in (step..).zip(parts) {
                if operator != "all_reduce" {
                    slice("user_annotation", phase, (1, step + launch - 1, 7), "");
                }
                slice("cpu_op", operator, (1, step + launch, 2), "");
                let id = format!(r#""correlation":{}"#, id + 1);
                slice("cuda_runtime", "cudaLaunchKernel", (1, step + launch, 1), &id);
                slice("kernel", kernel, (7, step + start, length), &format!(r#"{id},"device":0,"stream":7"#));
            }
        }
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
        let mut loader = Loader::new("test.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        loader.finish().expect("a trace").trace
    }

    fn times(config: &StepTraceConfig) -> (PointSource, Vec<[i64; 4]>) {
        let trace = trace();
        let steps = steps(&trace, &StepsConfig::default());
        let found = step_trace_of(&trace, &steps, &phases(&trace, &steps), config).expect("a step trace");
        let micros = |step: &StepTimes| {
            [step.total, step.iteration_interval, step.forward_and_backward, step.tail].map(|time| time.0 / 1000)
        };
        (found.source, found.steps.iter().map(micros).collect())
    }

    #[test]
    fn points_are_on_the_device_and_collectives_are_no_gradients() {
        let step = [100, 10, 60, 30];
        assert_eq!(times(&StepTraceConfig::default()), (PointSource::Device, vec![step, step]));
    }

    fn found_by_events() -> (Steps, StepTrace) {
        let trace = trace();
        let steps = steps(&trace, &StepsConfig::default());
        let found = step_trace_of(&trace, &steps, &phases(&trace, &steps), &StepTraceConfig::default());
        (steps, found.expect("a step trace"))
    }

    #[test]
    fn a_recorded_step_trace_may_be_of_other_steps() {
        let (steps, mut found) = found_by_events();
        assert!(!found.is_of_other_steps(&steps));
        found.source = PointSource::Recorded;
        assert!(!found.is_of_other_steps(&steps));
        // As many, but of another length, however long; not as many.
        for length in [130_000, i64::MAX / 2] {
            let mut longer = found.clone();
            longer.steps[0].total = Nanos(length);
            assert!(longer.is_of_other_steps(&steps), "{length}");
        }
        found.steps.pop();
        assert!(found.is_of_other_steps(&steps));
    }

    #[test]
    fn recorded_steps_start_on_the_timeline_or_at_zero() {
        let (steps, mut found) = found_by_events();
        found.source = PointSource::Recorded;
        let on_timeline: Vec<Nanos> = found.steps.iter().map(|step| step.start).collect();
        let starts = |found: StepTrace| found.steps.iter().map(|step| step.start).collect::<Vec<_>>();
        // The profiler's clock counts from elsewhere.
        found.steps.iter_mut().for_each(|step| step.start += Nanos(438_000_000_000));
        assert_eq!(starts(found.clone().on_the_timeline(&steps)), on_timeline);
        let from_zero: Vec<Nanos> = on_timeline.iter().map(|start| *start - on_timeline[0]).collect();
        let mut of_others = found.clone();
        of_others.steps.iter_mut().for_each(|step| step.name = format!("{} of another run", step.name));
        assert_eq!(starts(of_others.on_the_timeline(&steps)), from_zero, "no step of that name");
        let mut longer = found.clone();
        longer.steps.iter_mut().for_each(|step| step.total += step.total);
        assert_eq!(starts(longer.on_the_timeline(&steps)), from_zero, "another length");
        let mut fewer = found;
        fewer.steps.remove(0);
        assert_eq!(starts(fewer.on_the_timeline(&steps)), on_timeline[1..], "a step is cut off");
    }

    /// A folder may contain another run's table: then the timeline's own steps count.
    #[test]
    fn a_table_of_other_steps_takes_the_place_of_none() {
        let with = |text: &str| {
            let mut loader = Loader::new("step_trace_raw_0_detail_time.csv");
            loader.space(text.len()).copy_from_slice(text.as_bytes());
            loader.advance(text.len()).expect("a table");
            let table = loader.finish().expect("a table").trace.recorded;
            let mut trace = trace();
            trace.recorded.extend(table);
            let steps = steps(&trace, &StepsConfig::default());
            let found = step_trace_of(&trace, &steps, &phases(&trace, &steps), &StepTraceConfig::default());
            found.map(|found| (found.source, found.steps[0].total.0))
        };
        let head = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n";
        let row = |step: &str, total: u32| format!("{step},0,{total},{total},0,{total},0,{total},0\n");
        let table = |total| head.to_owned() + &row("1", total) + &row("2", total) + &row("-", total);
        assert_eq!(with(&table(10_000)), Some((PointSource::Recorded, 100_000)));
        assert_eq!(with(&table(90_000)), Some((PointSource::Device, 100_000)));
        // A missing row does not mean another run.
        assert_eq!(with(&(head.to_owned() + &row("1", 10_000))), Some((PointSource::Recorded, 100_000)));
    }

    #[test]
    fn points_can_be_named() {
        let name = |text: &str| Some(text.to_owned());
        // The operator's kernel counts, not the operator.
        let config =
            StepTraceConfig { forward_start: name("mm_backward"), backward_end: name("all_reduce"), graph: None };
        assert_eq!(times(&config), (PointSource::Named, vec![[100, 40, 45, 15]; 2]));
        // So does a kernel by its own name, from the first to the last of a step.
        let config = StepTraceConfig { forward_start: name("gemm"), backward_end: name("adam"), graph: None };
        assert_eq!(times(&config).1, vec![[100, 10, 85, 5]; 2]);
    }

    #[test]
    fn a_name_that_does_not_occur_gives_no_step_trace() {
        let trace = trace();
        let steps = steps(&trace, &StepsConfig::default());
        let config = StepTraceConfig { forward_start: Some("conv".into()), backward_end: None, graph: None };
        assert_eq!(step_trace_of(&trace, &steps, &phases(&trace, &steps), &config), None);
    }

    #[test]
    fn collectives_are_told() {
        let trace = trace();
        let steps = steps(&trace, &StepsConfig::default());
        let config = StepTraceConfig::default();
        let found = step_trace_of(&trace, &steps, &phases(&trace, &steps), &config).expect("a step trace");
        let [collective] = found.steps[1].collectives[..] else { panic!("one collective") };
        assert_eq!(trace.slices.start(collective) - found.steps[1].start, Nanos(60_000));
    }
}
