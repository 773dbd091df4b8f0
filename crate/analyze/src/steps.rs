//! Steps, extended by the activities that they launched on the devices. METRICS section 3.

mod extend;
mod inference;
mod operator;
mod repeating;
mod step;
mod whole;
mod window;

use std::collections::BTreeMap;

pub use self::inference::{InferenceKind, InferenceStep};
pub(super) use self::step::is_between;
pub use self::step::{Step, StepSource, Steps};

use self::extend::{extend, mark_partial, mark_warm_up};
use self::step::graphs_of;
use self::whole::whole_step;
use super::captures::captured;
use super::cuda_gaps::cuda_gaps;
use super::intervals::IntervalSet;
use super::recorder::Recorder;
use super::stream_order::out_of_order;
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{ArgumentValue, Class, EventId, Layer, NameId, Trace};

/// Settings of steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepsConfig {
    /// A pattern for the names of annotations that are steps, `*` standing for anything; `None`: the
    /// framework's marks, else ranges that repeat, else one step over everything.
    pub pattern: Option<String>,
    /// Whether the whole trace is one step, whatever marks it has.
    pub whole: bool,
    /// The operator or kernel with which steps begin, where the trace marks none.
    pub begins_with: Option<String>,
    /// The operator or kernel with which steps end, where the trace marks none and no operator begins them.
    pub ends_with: Option<String>,
}

/// Finds the step whose host span contains a moment.
#[derive(Debug)]
pub(super) struct StepAt {
    spans: Vec<Interval>,
    longer: Vec<Option<usize>>,
}

impl StepAt {
    pub(super) fn of(steps: &Steps) -> Self {
        let spans: Vec<Interval> = steps.steps.iter().map(|step| step.host).collect();
        Self { longer: longer_before(&spans), spans }
    }

    /// Index of the innermost step.
    pub(super) fn at(&self, moment: Nanos) -> Option<usize> {
        innermost(&self.spans, &self.longer, Interval::new(moment, moment + Nanos(1)))
    }
}

/// Finds the steps.
///
/// ```
/// use stepscope::{Interval, Loader, Nanos, analyze};
///
/// // The kernel that the first step launched runs on into the second.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":15,"args":{"correlation":9}},
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":1,"tid":1,"ts":20,"dur":20}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let found = analyze::steps(&trace, &analyze::StepsConfig::default());
/// let spans: Vec<Interval> = found.steps.iter().map(|step| step.span).collect();
/// let micros = |start: i64, end: i64| Interval::new(Nanos(start * 1000), Nanos(end * 1000));
/// assert_eq!(spans, [micros(0, 25), micros(25, 40)]);
/// assert_eq!((found.steps[0].activities, found.steps[1].partial), (1, true)); // nothing was launched in the second
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn steps(trace: &Trace, config: &StepsConfig) -> Steps {
    let (marks, source, facts) = marks(trace, config);
    let is_unlinked = || trace.activities.iter().all(|activity| activity.call.get().is_none());
    let by_time = match source {
        StepSource::Marks => marked_by_profiler(trace),
        StepSource::Operator | StepSource::RepeatingOperators => is_unlinked(),
        _ => false,
    };
    let mut step_of_activity = owners(trace, &marks);
    let (out_of_order, captured) = (out_of_order(trace), captured(trace));
    let mut facts = facts.into_iter();
    let mut steps: Vec<Step> = marks
        .into_iter()
        .map(|(name, host)| Step {
            name,
            mark: host,
            host,
            span: host,
            activities: 0,
            partial: false,
            warm_up: false,
            samples: None,
            graph: None,
            covered: true,
            captures: !captured.clip(host).is_empty(),
            inference: facts.next(),
        })
        .collect();
    if source == StepSource::Marks && Recorder::of(trace) == Recorder::MindSpore {
        tell_graphs(trace, &mut steps);
    }
    if source == StepSource::Marks {
        tell_arguments(trace, &mut steps);
    }
    if source.is_marked() {
        window::cut(trace, &mut steps);
    }
    if by_time {
        part(&mut steps);
        // The profiler measured these steps on the device, so its lengths are used; or nothing else is known.
        own_by_time(trace, &mut steps, &mut step_of_activity);
        mark_covered(trace, &mut steps, &step_of_activity);
    } else if let (StepSource::WholeTrace, false, [step]) = (source, has_operators(trace), &mut steps[..]) {
        // The step is from the first to the last activity: all of them are in it.
        step_of_activity.fill(Some(0));
        step.activities = trace.activities.len() as u64;
    } else {
        let follows = source != StepSource::WholeTrace;
        extend(trace, (&mut steps, follows), &step_of_activity, &out_of_order);
        mark_partial(&mut steps);
    }
    if source.is_marked() {
        mark_without_cuda(trace, &mut steps);
    }
    let marks_are_whole_steps = source == StepSource::Marks && trace.meta.framework == "PaddlePaddle";
    if marks_are_whole_steps {
        mark_ended_early(trace, &mut steps);
    }
    mark_warm_up(&mut steps);
    Steps { steps, source, step_of_activity, out_of_order, marks_are_whole_steps }
}

/// Marks the last step as partial, where it has no operator and all others have: Paddle's `stop()` ends the mark that
/// the last `step()` began.
fn mark_ended_early(trace: &Trace, steps: &mut [Step]) {
    let spans: Vec<Interval> = steps.iter().map(|step| step.host).collect();
    let longer = longer_before(&spans);
    let mut has = vec![false; steps.len()];
    for operator in trace.slices_of(Class::Operator) {
        if let Some(step) = innermost(&spans, &longer, trace.slices.interval(operator)) {
            has[step] = true;
        }
    }
    if let ([others @ .., false], Some(last)) = (&has[..], steps.last_mut()) {
        last.partial |= !others.is_empty() && others.iter().all(|has| *has);
    }
}

/// Marks the steps in which CUDA was not recorded for a while as partial, unless no step would be complete.
fn mark_without_cuda(trace: &Trace, steps: &mut [Step]) {
    let lacks: Vec<bool> = lack_cuda(trace, steps);
    if steps.iter().zip(&lacks).any(|(step, lacks)| !step.partial && !lacks) {
        steps.iter_mut().zip(&lacks).for_each(|(step, lacks)| step.partial |= lacks);
    }
}

/// Whether CUDA was not recorded in a part of each step.
pub(super) fn lack_cuda(trace: &Trace, steps: &[Step]) -> Vec<bool> {
    let gaps = IntervalSet::of(cuda_gaps(trace).iter().flat_map(|(_, gaps)| gaps.intervals()).copied());
    steps.iter().map(|step| gaps.len_in(step.host) > Nanos::ZERO).collect()
}

/// Whether the steps' marks are the profiler's rows, rather than ranges of the host.
fn marked_by_profiler(trace: &Trace) -> bool {
    let layer = |id: EventId| trace.tracks[trace.slices.track(id).index()].layer;
    trace.step_marks.first().is_some_and(|(mark, _)| layer(*mark) == Layer::Profiler)
}

/// Moves the start of each step to the end of the previous one or later.
fn part(steps: &mut [Step]) {
    let mut previous = Nanos::MIN;
    for step in steps {
        let start = previous.max(step.host.start);
        step.span = Interval::new(start, start.max(step.host.end));
        previous = step.span.end;
    }
}

/// Gives activities without a launching call to the step in which they begin, and counts each step's activities.
fn own_by_time(trace: &Trace, steps: &mut [Step], owners: &mut [Option<u32>]) {
    let spans: Vec<Interval> = steps.iter().map(|step| step.span).collect();
    let longer = longer_before(&spans);
    for (activity, owner) in trace.activities.iter().zip(owners) {
        if activity.call.get().is_none() {
            let start = trace.slices.start(activity.event);
            let step = innermost(&spans, &longer, Interval::new(start, start + Nanos(1)));
            *owner = step.and_then(|step| u32::try_from(step).ok());
        }
        if let Some(step) = owner.and_then(|step| steps.get_mut(step as usize)) {
            step.activities += 1;
        }
    }
}

/// Marks the steps in which the timeline shows operators, of the host or of a device; if it shows any at all.
///
/// The last one of them may be shown in part: with less than 0.8 × the operators of the previous one, it is not
/// covered.
fn mark_covered(trace: &Trace, steps: &mut [Step], owners: &[Option<u32>]) {
    let mut operators = vec![0_u64; steps.len()];
    for (activity, owner) in trace.activities.iter().zip(owners) {
        if let Some(count) = owner.filter(|_| !activity.communication).and_then(|step| operators.get_mut(step as usize))
        {
            *count += 1;
        }
    }
    let spans: Vec<Interval> = steps.iter().map(|step| step.host).collect();
    let longer = longer_before(&spans);
    for id in trace.slices_of(Class::Operator) {
        let start = trace.slices.start(id);
        if let Some(step) = innermost(&spans, &longer, Interval::new(start, start + Nanos(1))) {
            operators[step] += 1;
        }
    }
    if operators.iter().all(|count| *count == 0) {
        return;
    }
    for (step, count) in steps.iter_mut().zip(&operators) {
        step.covered = *count > 0;
    }
    let last = operators.iter().rposition(|count| *count > 0).filter(|last| *last + 1 < operators.len());
    // Graphs have operators of their own.
    let before = |last: usize| steps[..last].iter().rposition(|step| step.graph == steps[last].graph);
    if let Some((last, before)) = last.and_then(|last| Some((last, before(last)?))) {
        steps[last].covered = operators[last] * 10 >= operators[before] * 8;
    }
}

/// The steps' names and spans, their source, and the facts of an inference engine's steps.
fn marks(trace: &Trace, config: &StepsConfig) -> (Vec<(String, Interval)>, StepSource, Vec<InferenceStep>) {
    if config.whole {
        return (whole_step(trace), StepSource::WholeTrace, Vec::new());
    }
    let (marks, source) = training_marks(trace, config);
    if matches!(source, StepSource::Marks | StepSource::Pattern) {
        return (marks, source, Vec::new());
    }
    let (found, facts) = inference::steps(trace);
    if found.is_empty() { (marks, source, facts) } else { (found, StepSource::InferenceMarks, facts) }
}

fn training_marks(trace: &Trace, config: &StepsConfig) -> (Vec<(String, Interval)>, StepSource) {
    if let Some(pattern) = &config.pattern {
        let named = named_ranges(trace, |name| matches(pattern, name).then(|| name.to_owned()));
        return (named, StepSource::Pattern);
    }
    if !trace.step_marks.is_empty() {
        return (told_steps(trace), StepSource::Marks);
    }
    let marked = named_ranges(trace, |name| marked_step(name).map(str::to_owned));
    if !marked.is_empty() {
        return (marked, StepSource::Marks);
    }
    let counted = named_ranges(trace, |name| counted_step(name).map(str::to_owned));
    let repeating = if is_sequence(&counted) { counted } else { same_name(trace) };
    if is_sequence(&repeating) {
        return (repeating, StepSource::RepeatingRanges);
    }
    let named = operator::steps(trace, config.begins_with.as_deref(), config.ends_with.as_deref());
    if !named.is_empty() {
        return (named, StepSource::Operator);
    }
    if trace.has_events() && super::mindspore::recorded_step(trace).is_some() {
        return (Vec::new(), StepSource::Table);
    }
    // The page does without it until there is a trace of MindSpore's (`xtask/src/page/split`).
    if Recorder::of(trace) == Recorder::MindSpore {
        let found = repeating::steps(trace);
        if !found.is_empty() {
            return (found, StepSource::RepeatingOperators);
        }
    }
    (whole_step(trace), StepSource::WholeTrace)
}

/// The number in a framework's own mark of a step: PyTorch's `ProfilerStep#3`, Paddle's `ProfileStep#3`.
pub(crate) fn marked_step(name: &str) -> Option<&str> {
    name.strip_prefix("ProfilerStep#").or_else(|| name.strip_prefix("ProfileStep#"))
}

/// The slices that the reader marks as steps, by start; a mark inside another one marks no step of its own.
fn told_steps(trace: &Trace) -> Vec<(String, Interval)> {
    let told = |(id, name): &(EventId, NameId)| (trace.strings.get(*name).to_owned(), trace.slices.interval(*id));
    let mut steps: Vec<(String, Interval)> = trace.step_marks.iter().map(told).collect();
    steps.compact_sort_by_key(|(_, span)| (span.start, std::cmp::Reverse(span.end)));
    let mut until = Nanos::MIN;
    steps.retain(|(_, span)| {
        let outside = span.end > until;
        until = until.max(span.end);
        outside
    });
    steps
}

/// Whether ranges come one after the other, as steps do.
fn is_sequence(ranges: &[(String, Interval)]) -> bool {
    ranges.len() > 1 && ranges.windows(2).all(|pair| pair[0].1.end <= pair[1].1.start)
}

/// The ranges of one name that means a step, such as `train_step`, numbered from 0; among several such names, those
/// that take the most time.
fn same_name(trace: &Trace) -> Vec<(String, Interval)> {
    let named = named_ranges(trace, |name| is_step_name(name).then(|| name.to_owned()));
    let mut total: BTreeMap<&str, Nanos> = BTreeMap::new();
    for (name, span) in &named {
        *total.entry(name).or_default() += span.len();
    }
    let Some((longest, _)) = total.into_iter().max_by_key(|(_, time)| *time) else {
        return Vec::new();
    };
    let ranges = named.iter().filter(|(name, _)| name == longest);
    ranges.enumerate().map(|(index, (_, span))| (index.to_string(), *span)).collect()
}

/// Whether a range of that name marks a step.
pub(super) fn marks_step(name: &str) -> bool {
    marked_step(name).is_some() || is_step_name(name) || InferenceStep::of_name(name).is_some()
}

/// Whether a range's name means a step, without its number. An optimizer's step and operators (`aten::…`) do not count.
fn is_step_name(name: &str) -> bool {
    const WORDS: [&str; 3] = ["step", "iteration", "iter"];
    let name = name.to_ascii_lowercase();
    !name.contains("optim")
        && !name.contains("::")
        && WORDS.iter().any(|word| name.trim_matches(['#', ' ']).ends_with(word))
}

/// Host annotations whose name is a step's, by start.
fn named_ranges(trace: &Trace, step_name: impl Fn(&str) -> Option<String>) -> Vec<(String, Interval)> {
    let names = trace.strings.map(step_name);
    let is_range = |id: &EventId| matches!(trace.slices.class(*id), Class::Annotation | Class::Operator);
    let host = trace.tracks.iter().filter(|track| track.layer == Layer::Host);
    let mut ranges: Vec<(String, Interval)> = host
        .flat_map(stepscope_trace::Track::events)
        .filter(is_range)
        .filter_map(|id| Some((names[trace.slices.name(id).index()].clone()?, trace.slices.interval(id))))
        .collect();
    ranges.compact_sort_by_key(|(_, span)| (span.start, span.end));
    ranges
}

/// The number of a range whose name means a step, such as `train_step 12` or `iteration_3`.
fn counted_step(name: &str) -> Option<&str> {
    const STEMS: [&str; 5] = ["step", "iteration", "iter", "batch", "train"];
    let stem = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let number = &name[stem.len()..];
    let word = stem.trim_end_matches([' ', '#', '_', ':', '-', '=']).to_ascii_lowercase();
    (!number.is_empty() && STEMS.iter().any(|stem| word.ends_with(stem))).then_some(number)
}

/// Whether a name matches a pattern, in which `*` stands for anything.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut left) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

fn has_operators(trace: &Trace) -> bool {
    trace.slices_of(Class::Operator).next().is_some()
}

/// The step whose host span wholly contains each activity's launching call.
fn owners(trace: &Trace, marks: &[(String, Interval)]) -> Vec<Option<u32>> {
    let spans: Vec<Interval> = marks.iter().map(|(_, span)| *span).collect();
    let longer = longer_before(&spans);
    let owner = |call: Interval| u32::try_from(innermost(&spans, &longer, call)?).ok();
    trace.activities.iter().map(|activity| owner(trace.slices.interval(activity.call.get()?))).collect()
}

/// By span, for spans sorted by start, the last previous one that ends later.
fn longer_before(spans: &[Interval]) -> Vec<Option<usize>> {
    let mut longer: Vec<Option<usize>> = Vec::with_capacity(spans.len());
    for (index, span) in spans.iter().enumerate() {
        let outlasts = |before: &usize| spans[*before].end > span.end;
        let found = std::iter::successors(index.checked_sub(1), |before| longer[*before]).find(outlasts);
        longer.push(found);
    }
    longer
}

/// The last of the spans, which are sorted by start, that wholly contains another span.
fn innermost(spans: &[Interval], longer: &[Option<usize>], inner: Interval) -> Option<usize> {
    let after = spans.partition_point(|span| span.start <= inner.start);
    // All spans between a span and the one that outlasts it end too early, too.
    let mut candidates = std::iter::successors(after.checked_sub(1), |index| longer[*index]);
    candidates.find(|index| spans[*index].contains(inner))
}

/// Adds facts of steps from the arguments `warm_up` and `samples`, which the program sets, and `partial`.
fn tell_arguments(trace: &Trace, steps: &mut [Step]) {
    let [warm_up, samples, partial] = ["warm_up", "samples", "partial"].map(|key| trace.strings.find(key));
    for (mark, _) in &trace.step_marks {
        let span = trace.slices.interval(*mark);
        // They are sorted by start, and none is inside another one.
        let index = steps.partition_point(|step| step.host.start < span.start);
        let Some(step) = steps.get_mut(index).filter(|step| step.host == span) else { continue };
        // The last value counts, as in an export, if it is valid for a step.
        let said = |key: Option<NameId>| {
            let all = trace.arguments_of(*mark).filter(|argument| Some(argument.key) == key);
            all.last().map(|argument| argument.value)
        };
        if let Some(ArgumentValue::Bool(yes)) = said(warm_up) {
            step.warm_up = yes;
        }
        if let Some(ArgumentValue::Bool(yes)) = said(partial) {
            step.partial |= yes;
        }
        match said(samples) {
            Some(ArgumentValue::Unsigned(count)) => step.samples = Some(count),
            Some(ArgumentValue::Signed(count @ 0..)) => step.samples = Some(count.cast_unsigned()),
            _ => {}
        }
    }
}

/// The graph of a step's mark, as the reader found it.
pub(super) fn graph_of_mark(trace: &Trace, mark: EventId) -> Option<u64> {
    let key = trace.strings.find("graph")?;
    trace.arguments_of(mark).find(|argument| argument.key == key).and_then(|argument| match argument.value {
        ArgumentValue::Unsigned(graph) => Some(graph),
        _ => None,
    })
}

/// Sets the graph that each step ran. With several graphs, it is also a part of the step's name, as each graph counts
/// its own iterations.
fn tell_graphs(trace: &Trace, steps: &mut [Step]) {
    for (mark, _) in &trace.step_marks {
        let Some(graph) = graph_of_mark(trace, *mark) else { continue };
        let span = trace.slices.interval(*mark);
        let index = steps.partition_point(|step| step.host.start < span.start);
        if let Some(step) = steps.get_mut(index).filter(|step| step.host == span) {
            step.graph = Some(graph);
        }
    }
    if graphs_of(steps).len() < 2 {
        return;
    }
    for step in steps {
        if let Some(graph) = step.graph {
            step.name = [graph.to_string(), std::mem::take(&mut step.name)].join(":");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_with_stars() {
        let cases = [
            ("train*", "train 12", true),
            ("*step*", "my step 3", true),
            ("step", "step", true),
            ("step", "step 1", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("*", "", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern, name), expected, "{pattern} on {name}");
        }
    }

    #[test]
    fn names_that_count() {
        assert_eq!(counted_step("train_step 12"), Some("12"));
        assert_eq!(counted_step("Iteration#3"), Some("3"));
        assert_eq!(counted_step("step"), None);
        assert_eq!(counted_step("conv2d_3"), None);
    }

    proptest::proptest! {
        #[test]
        fn any_calls_get_the_steps_of_the_plain_definition(
            steps in proptest::collection::vec((0_i64..60, 0_i64..30), 0..40),
            calls in proptest::collection::vec((0_i64..70, 0_i64..20), 1..40),
        ) {
            let interval = |(start, length): &(i64, i64)| Interval::new(Nanos(*start), Nanos(start + length));
            let mut steps: Vec<Interval> = steps.iter().map(interval).collect();
            steps.sort_by_key(|span| (span.start, span.end));
            let longer = longer_before(&steps);
            for call in calls.iter().map(interval) {
                let plain = steps.iter().rposition(|step| step.contains(call));
                proptest::prop_assert_eq!(innermost(&steps, &longer, call), plain);
            }
        }
    }

    #[test]
    fn calls_behind_very_many_steps_are_told_apart() {
        // One long step around many short ones: calls in no short one are in the long one, or in none.
        let count = 100_000;
        let mut steps = vec![Interval::new(Nanos(0), Nanos(10 * count))];
        steps.extend((0..count).map(|step| Interval::new(Nanos(5 * step), Nanos(5 * step + 4))));
        let longer = longer_before(&steps);
        let owner = |start, end| innermost(&steps, &longer, Interval::new(Nanos(start), Nanos(end)));
        for call in 0..count {
            assert_eq!(owner(6 * count + call, 6 * count + call + 1), Some(0));
            assert_eq!(owner(6 * count + call, 20 * count), None);
        }
        assert_eq!(owner(11, 12), Some(3));
    }
}
