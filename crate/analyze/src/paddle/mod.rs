//! Paddle's own summary, by Paddle's own rules, which differ from ours in places.
//!
//! Source: the notes that the summary prints below its tables, and the tables of real runs, which a test compares with
//! these numbers to the nanosecond. Ratios are left to the caller: the Overview's, the Model Summary's and the
//! UserDefined Summary's are to [`PaddleSummary::steps`], an operator's to the sum of the operators' rows, a part's to
//! its operator.
//!
//! Rows come in the order in which Paddle visits them. It is the order of its unsorted tables, and of equal rows in the
//! sorted ones.

mod kinds;
mod memory;
mod overview;
mod processors;
mod work_split;

use std::collections::BTreeMap;

pub use self::kinds::MODEL;
use self::kinds::{Kinds, in_order};
pub use self::memory::{MemoryOfRange, memory_of_ranges};
pub use self::overview::{CategorySide, CategoryTime};
pub use self::processors::{ProcessorUse, processor_use};
pub use self::work_split::{WorkSplit, work_split};
use super::flops::Works;
use super::intervals::IntervalSet;
use super::phases::{Phase, stretches};
use super::ranges::{Launched, RangeTimes, range_times};
use super::statistics::Statistics;
use super::steps::Steps;
use stepscope_base::Nanos;
use stepscope_trace::{Class, EventId, Layer, NameId, RawId, Trace};

/// The parts of Paddle's summary that other reports here do not have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaddleSummary {
    /// The union of the steps: the whole of shares.
    pub steps: Nanos,
    /// Overview Summary: time by category.
    pub overview: Vec<CategoryTime>,
    /// Model Summary: the ones of [`MODEL`] that occur. Among nested phases, the outermost counts.
    pub model: Vec<(&'static str, RangeTimes)>,
    /// The steps' time outside of phases: on the host, and in kernels. Negative if phases overlap.
    pub others: [Nanos; 2],
    /// Distribution Summary.
    pub distribution: WorkSplit,
    /// Operator Summary.
    pub operators: Vec<PaddleOperator>,
    /// Kernel Summary: the kernels by name that a recorded call launched.
    pub kernels: Vec<(NameId, Statistics)>,
    /// UserDefined Summary: ranges marked in Python.
    pub user_defined: Vec<MarkedRange>,
    /// Memory Manipulation Summary: ranges marked anywhere whose names indicate a copy or a memset.
    pub memory_manipulation: Vec<(NameId, RangeTimes)>,
    /// Memory Summary: by the range that allocated.
    pub memory: Vec<MemoryOfRange>,
    /// Device Summary: the union of each device's kernels, to be divided by the steps.
    pub kernels_of_devices: Vec<(i64, Nanos)>,
}

/// An operator of the Operator Summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaddleOperator {
    /// Its thread, where it is a part of the key.
    pub thread: Option<RawId>,
    /// Its name.
    pub name: NameId,
    /// Its calls, with everything inside them.
    pub times: RangeTimes,
    /// The floating-point operations of its calls, by the shapes of their inputs; zero where these are not recorded.
    pub flops: u64,
    /// Its parts by name: ranges directly inside it that are no operators.
    pub parts: Vec<PaddlePart>,
    /// The activities that it launched directly, outside of its parts, by name.
    pub activities: Vec<(NameId, Statistics)>,
}

/// A part of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaddlePart {
    /// Its name.
    pub name: NameId,
    /// Its calls, with everything inside them.
    pub times: RangeTimes,
    /// The activities that it launched directly, by name.
    pub activities: Vec<(NameId, Statistics)>,
}

/// Ranges of one name that were marked in Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedRange {
    /// Their thread, where it is a part of the key.
    pub thread: Option<RawId>,
    /// Their name.
    pub name: NameId,
    /// Their calls, with everything inside them.
    pub times: RangeTimes,
}

/// The numbers of Paddle's summary; with `by_thread`, operators and ranges marked in Python have a row per thread.
///
/// Also for traces of other frameworks: there, `steps` are the steps and their phases are the phases.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
///
/// let text = br#"{"span_index": "0", "traceEvents": [
///   {"ph":"X","cat":"ProfileStep","name":"ProfileStep#0[20.000 us]","pid":1,"tid":"1(Python)","ts":7,"dur":20,
///    "args":{"start_time":"0.000 us","end_time":"20.000 us"}},
///   {"ph":"X","cat":"Forward","name":"Linear[9.000 us]","pid":1,"tid":"1(Python)","ts":8,"dur":9,
///    "args":{"start_time":"1.000 us","end_time":"10.000 us"}},
///   {"ph":"X","cat":"Operator","name":"matmul dygraph[6.000 us]","pid":1,"tid":"1(C++)","ts":9,"dur":6,
///    "args":{"start_time":"2.000 us","end_time":"8.000 us"}},
///   {"ph":"X","cat":"OperatorInner","name":"matmul infer_meta[1.000 us]","pid":1,"tid":"1(C++)","ts":10,"dur":1,
///    "args":{"start_time":"3.000 us","end_time":"4.000 us"}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &analyze::StepsConfig::default());
/// let summary = analyze::paddle_summary(&trace, &steps, false);
/// let (phase, forward) = &summary.model[1];
/// assert_eq!((*phase, forward.host.total, summary.others[0]), ("Forward", Nanos(9_000), Nanos(11_000)));
/// let matmul = &summary.operators[0];
/// assert_eq!((matmul.times.host.total, matmul.parts[0].times.host.total), (Nanos(6_000), Nanos(1_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn paddle_summary(trace: &Trace, steps: &Steps, by_thread: bool) -> PaddleSummary {
    let kinds = Kinds::of(trace);
    let launched = Launched::of(trace);
    let (model, union) = if kinds.own {
        (model(trace, &kinds, &launched), overview::union_of(trace, |id| kinds.is(id, MODEL[0])))
    } else {
        (model_of_phases(trace, steps), IntervalSet::of(steps.steps.iter().map(|step| step.host)).len())
    };
    let sum = |of: &dyn Fn(&RangeTimes) -> Nanos| -> Nanos { model.iter().skip(1).map(|(_, times)| of(times)).sum() };
    let others = match model.first() {
        Some((first, times)) if *first == MODEL[0] => {
            [union - sum(&|times| times.host.total), times.kernels.total - sum(&|times| times.kernels.total)]
        }
        _ => [Nanos::ZERO; 2],
    };
    let distribution = work_split(trace);
    let (user_defined, memory_manipulation) = marked(trace, &kinds, &launched, by_thread);
    PaddleSummary {
        steps: union,
        overview: overview::overview(trace, &kinds, &model, union, &distribution),
        others,
        distribution,
        operators: operators(trace, &kinds, &launched, by_thread),
        kernels: kernels(trace, &kinds),
        user_defined,
        memory_manipulation,
        memory: memory_of_ranges(trace),
        kernels_of_devices: kernels_of_devices(trace),
        model,
    }
}

type Model = Vec<(&'static str, RangeTimes)>;

fn model(trace: &Trace, kinds: &Kinds<'_>, launched: &Launched) -> Model {
    let times = range_times(trace, launched, |id| {
        let phase = kinds.phase(id);
        let outermost = || trace.slices.ancestors(id).all(|around| kinds.phase(around).is_none());
        phase.filter(|_| outermost()).or_else(|| kinds.is(id, MODEL[0]).then_some(MODEL[0]))
    });
    MODEL.into_iter().filter_map(|name| Some((name, *times.get(name)?))).collect()
}

/// The same for a framework whose phases are no ranges of their own: each stretch of a phase is a call.
fn model_of_phases(trace: &Trace, steps: &Steps) -> Model {
    let mut whole: Vec<RangeTimes> = vec![RangeTimes::default(); steps.steps.len()];
    let mut sums = vec![[Nanos::ZERO; 2]; steps.steps.len()];
    for (activity, step) in trace.activities.iter().zip(&steps.step_of_activity) {
        if let Some(sum) = step.and_then(|step| sums.get_mut(step as usize)) {
            let length = trace.slices.length(activity.event);
            sum[1] += length;
            if trace.slices.class(activity.event) == Class::Kernel {
                sum[0] += length;
            }
        }
    }
    for ((times, step), [kernels, device]) in whole.iter_mut().zip(&steps.steps).zip(sums) {
        times.add(step.host.len(), kernels, device);
    }
    let mut all = RangeTimes::default();
    whole.iter().for_each(|times| all.add(times.host.total, times.kernels.total, times.device.total));
    let mut model = vec![(MODEL[0], all)];
    let phases = [Phase::Dataloader, Phase::Forward, Phase::Backward, Phase::Optimizer];
    let stretches = stretches(trace, steps);
    for (name, phase) in MODEL[1..].iter().zip(phases) {
        let mut times = RangeTimes::default();
        for stretch in &stretches[phase as usize] {
            times.add(stretch.span.len(), stretch.kernels, stretch.device);
        }
        if times.calls > 0 {
            model.push((*name, times));
        }
    }
    model
}

/// Ranges marked in Python, and those marked anywhere whose names indicate a copy or a memset.
fn marked(
    trace: &Trace,
    kinds: &Kinds<'_>,
    launched: &Launched,
    by_thread: bool,
) -> (Vec<MarkedRange>, Vec<(NameId, RangeTimes)>) {
    let moves = trace.strings.map(|name| {
        let name = name.to_ascii_lowercase();
        ["memcpy", "memorycopy", "memset"].iter().any(|word| name.contains(word))
    });
    let key = |id: EventId| {
        let (kind, name) = (kinds.kind(id), trace.slices.name(id));
        let moves = moves[name.index()];
        // Where steps have no kind of their own, a step's mark is not a range of the program.
        let own = kind == "PythonUserDefined" && (kinds.own || !is_step_mark(trace, id));
        let wanted = if moves { own || kind == "UserDefined" } else { own };
        wanted.then(|| (moves, (by_thread && !moves).then(|| kinds.thread(id)), name))
    };
    let groups = range_times(trace, launched, key);
    let rows = in_order(groups, trace.slices.ids().filter_map(|id| Some((key(id)?, kinds.visit(id)))));
    let (moving, own): (Vec<_>, Vec<_>) = rows.into_iter().partition(|((moves, ..), _)| *moves);
    let range = |((_, thread, name), times)| MarkedRange { thread, name, times };
    (own.into_iter().map(range).collect(), moving.into_iter().map(|((_, _, name), times)| (name, times)).collect())
}

fn is_step_mark(trace: &Trace, id: EventId) -> bool {
    trace.step_of(id).is_some() || super::steps::marked_step(trace.name_of(id)).is_some()
}

type Key = (Option<RawId>, NameId);

fn operators(trace: &Trace, kinds: &Kinds<'_>, launched: &Launched, by_thread: bool) -> Vec<PaddleOperator> {
    let key = |id: EventId| -> Option<Key> {
        kinds.is(id, "Operator").then(|| (by_thread.then(|| kinds.thread(id)), trace.slices.name(id)))
    };
    // The operator directly around a range or call.
    let around = |id: EventId| key(trace.slices.parent(id)?);
    let is_part = |id: EventId| !kinds.is(id, "Operator") && trace.slices.class(id) != Class::RuntimeCall;
    let part = |id: EventId| Some((around(id).filter(|_| is_part(id))?, trace.slices.name(id)));
    // Parts come with their operator's calls, and within one by start.
    let visit = |id: EventId| (trace.slices.parent(id).map(|parent| kinds.visit(parent)), trace.slices.start(id));
    let mut parts: BTreeMap<Key, Vec<PaddlePart>> = BTreeMap::new();
    let mut by_part = activities(trace, kinds, |call| part(trace.slices.parent(call)?));
    let visits = trace.slices.ids().filter_map(|id| Some((part(id)?, visit(id))));
    for ((operator, name), times) in in_order(range_times(trace, launched, part), visits) {
        let activities = by_part.remove(&(operator, name)).unwrap_or_default();
        parts.entry(operator).or_default().push(PaddlePart { name, times, activities });
    }
    let mut own = activities(trace, kinds, around);
    let mut works = Works::of(trace);
    let mut flops: BTreeMap<Key, u64> = BTreeMap::new();
    for id in trace.slices.ids() {
        if let (Some(key), Some(work)) = (key(id), works.of_call(id)) {
            let sum = flops.entry(key).or_default();
            *sum = sum.saturating_add(work.flops);
        }
    }
    let visits = trace.slices.ids().filter_map(|id| Some((key(id)?, kinds.visit(id))));
    let rows = in_order(range_times(trace, launched, key), visits);
    let row = |(key, times): (Key, RangeTimes)| PaddleOperator {
        thread: key.0,
        name: key.1,
        times,
        flops: flops.remove(&key).unwrap_or_default(),
        parts: parts.remove(&key).unwrap_or_default(),
        activities: own.remove(&key).unwrap_or_default(),
    };
    rows.into_iter().map(row).collect()
}

/// The activities by a key of their call and by name.
fn activities<K: Ord + Clone>(
    trace: &Trace,
    kinds: &Kinds<'_>,
    key: impl Fn(EventId) -> Option<K>,
) -> BTreeMap<K, Vec<(NameId, Statistics)>> {
    let mut lengths: BTreeMap<(K, NameId), Vec<Nanos>> = BTreeMap::new();
    let mut visits = Vec::new();
    for activity in &trace.activities {
        let Some(call) = activity.call.get() else { continue };
        if let Some(key) = key(call) {
            let name = trace.slices.name(activity.event);
            visits.push(((key.clone(), name), kinds.launch(call)));
            lengths.entry((key, name)).or_default().push(trace.slices.length(activity.event));
        }
    }
    let mut found: BTreeMap<K, Vec<(NameId, Statistics)>> = BTreeMap::new();
    for ((key, name), mut lengths) in in_order(lengths, visits.into_iter()) {
        found.entry(key).or_default().push((name, Statistics::of(&mut lengths)));
    }
    found
}

fn kernels(trace: &Trace, kinds: &Kinds<'_>) -> Vec<(NameId, Statistics)> {
    let mut lengths: BTreeMap<NameId, Vec<Nanos>> = BTreeMap::new();
    let mut visits = Vec::new();
    for activity in trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Kernel) {
        let Some(call) = activity.call.get() else { continue };
        let name = trace.slices.name(activity.event);
        visits.push((name, kinds.launch(call)));
        lengths.entry(name).or_default().push(trace.slices.length(activity.event));
    }
    let rows = in_order(lengths, visits.into_iter());
    rows.into_iter().map(|(name, mut lengths)| (name, Statistics::of(&mut lengths))).collect()
}

fn kernels_of_devices(trace: &Trace) -> Vec<(i64, Nanos)> {
    let kernels = |device: i64| {
        let tracks = trace.tracks.iter().filter(move |track| {
            track.layer == Layer::Device && track.stream.is_some_and(|stream| stream.device == device)
        });
        let ids = tracks.flat_map(stepscope_trace::Track::events);
        let kernels = ids.filter(|id| trace.slices.class(*id) == Class::Kernel);
        IntervalSet::of(kernels.map(|id| trace.slices.interval(id))).len()
    };
    trace.active_devices().into_iter().map(|device| (device, kernels(device))).collect()
}

#[cfg(test)]
mod tests;
