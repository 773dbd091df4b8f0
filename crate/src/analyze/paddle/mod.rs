//! What Paddle's own summary shows, by Paddle's own rules, which are not ours everywhere.
//!
//! Source: the notes that the summary prints below its tables, and the tables of real runs, which a test
//! compares with these numbers to the nanosecond. Ratios are left to whoever shows them: the Overview's, the Model
//! Summary's and the UserDefined Summary's are to [`PaddleSummary::steps`], an operator's to the sum of the
//! operators' rows, a part's to its operator.

mod memory;
mod overview;

use std::collections::BTreeMap;

pub use self::memory::{MemoryOfRange, memory_of_ranges};
pub use self::overview::{CategoryTime, Place};
use super::intervals::IntervalSet;
use super::ranges::{Launched, RangeTimes, range_times};
use super::statistics::Statistics;
use crate::trace::{Class, EventId, Layer, NameId, RawId, Trace};
use crate::units::Nanos;

/// The categories of the Model Summary, in its order; all but the first are a step's phases.
pub const MODEL: [&str; 5] = ["ProfileStep", "Dataloader", "Forward", "Backward", "Optimization"];

/// Everything that Paddle's summary shows and that other reports here do not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaddleSummary {
    /// The union of the steps: what shares are of.
    pub steps: Nanos,
    /// Overview Summary: time by category.
    pub overview: Vec<CategoryTime>,
    /// Model Summary: those of [`MODEL`] that occur. Of phases in each other the outermost counts.
    pub model: Vec<(&'static str, RangeTimes)>,
    /// What of the steps is no phase: on the host, and in kernels. Negative if phases overlap.
    pub others: [Nanos; 2],
    /// Operator Summary: the longest first.
    pub operators: Vec<PaddleOperator>,
    /// UserDefined Summary: ranges marked in Python.
    pub user_defined: Vec<(NameId, RangeTimes)>,
    /// Memory Manipulation Summary: ranges marked anywhere whose name says that they copy or fill.
    pub memory_manipulation: Vec<(NameId, RangeTimes)>,
    /// Memory Summary: by the range that allocated.
    pub memory: Vec<MemoryOfRange>,
    /// Device Summary: the union of each device's kernels, to be divided by the steps.
    pub kernels_of_devices: Vec<(i64, Nanos)>,
}

/// An operator of the Operator Summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaddleOperator {
    /// Its thread, where threads are told apart.
    pub thread: Option<RawId>,
    /// Its name.
    pub name: NameId,
    /// Its calls, with all that is in them.
    pub times: RangeTimes,
    /// What it consists of, by name: ranges directly in it that are no operators.
    pub parts: Vec<PaddlePart>,
    /// What it launched itself, outside of its parts, by name.
    pub activities: Vec<(NameId, Statistics)>,
}

/// A part of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaddlePart {
    /// Its name.
    pub name: NameId,
    /// Its calls, with all that is in them.
    pub times: RangeTimes,
    /// What it launched itself, by name.
    pub activities: Vec<(NameId, Statistics)>,
}

/// The numbers of the categories that occur.
struct Categories<'a>(&'a Trace);

impl Categories<'_> {
    fn is(&self, id: EventId, category: &str) -> bool {
        self.0.category_of(id) == category
    }

    /// Which of the phases a slice is.
    fn phase(&self, id: EventId) -> Option<&'static str> {
        let category = self.0.category_of(id);
        MODEL[1..].iter().copied().find(|phase| *phase == category)
    }
}

/// The numbers of Paddle's summary; `by_thread` tells apart the threads of operators and of ranges marked in Python.
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
/// let summary = analyze::paddle_summary(&trace, false);
/// let (phase, forward) = &summary.model[1];
/// assert_eq!((*phase, forward.host.total, summary.others[0]), ("Forward", Nanos(9_000), Nanos(11_000)));
/// let matmul = &summary.operators[0];
/// assert_eq!((matmul.times.host.total, matmul.parts[0].times.host.total), (Nanos(6_000), Nanos(1_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn paddle_summary(trace: &Trace, by_thread: bool) -> PaddleSummary {
    let launched = Launched::of(trace);
    let model = model(trace, &launched);
    let steps = overview::union_of(trace, |id| Categories(trace).is(id, MODEL[0]));
    let sum = |of: &dyn Fn(&RangeTimes) -> Nanos| -> Nanos { model.iter().skip(1).map(|(_, times)| of(times)).sum() };
    let others = match model.first() {
        Some((first, times)) if *first == MODEL[0] => {
            [steps - sum(&|times| times.host.total), times.kernels.total - sum(&|times| times.kernels.total)]
        }
        _ => [Nanos::ZERO; 2],
    };
    let (user_defined, memory_manipulation) = marked(trace, &launched);
    PaddleSummary {
        steps,
        overview: overview::overview(trace, &model),
        others,
        operators: operators(trace, &launched, by_thread),
        user_defined,
        memory_manipulation,
        memory: memory_of_ranges(trace),
        kernels_of_devices: kernels_of_devices(trace),
        model,
    }
}

fn model(trace: &Trace, launched: &Launched) -> Vec<(&'static str, RangeTimes)> {
    let categories = Categories(trace);
    let times = range_times(trace, launched, |id| {
        let phase = categories.phase(id);
        let outermost = || trace.slices.ancestors(id).all(|around| categories.phase(around).is_none());
        phase.filter(|_| outermost()).or_else(|| categories.is(id, MODEL[0]).then_some(MODEL[0]))
    });
    MODEL.into_iter().filter_map(|name| Some((name, *times.get(name)?))).collect()
}

type Marked = Vec<(NameId, RangeTimes)>;

/// Ranges marked in Python, and those marked anywhere whose name says that they copy or fill.
fn marked(trace: &Trace, launched: &Launched) -> (Marked, Marked) {
    let moves = trace.strings.map(|name| {
        let name = name.to_ascii_lowercase();
        ["memcpy", "memorycopy", "memset"].iter().any(|word| name.contains(word))
    });
    let of = |wanted: &dyn Fn(&str, bool) -> bool| -> Marked {
        let key = |id: EventId| {
            let name = trace.slices.name(id);
            wanted(trace.category_of(id), moves[name.index()]).then_some(name)
        };
        by_length(range_times(trace, launched, key), |name| trace.strings.get(*name).to_owned())
    };
    let python = "PythonUserDefined";
    (
        of(&|category, moves| category == python && !moves),
        of(&|category, moves| (category == python || category == "UserDefined") && moves),
    )
}

/// Groups by falling length on the host, then by name.
fn by_length<K>(groups: BTreeMap<K, RangeTimes>, name: impl Fn(&K) -> String) -> Vec<(K, RangeTimes)> {
    let mut groups: Vec<(K, RangeTimes)> = groups.into_iter().collect();
    groups.sort_by_cached_key(|(key, times)| (std::cmp::Reverse(times.host.total), name(key)));
    groups
}

type Key = (Option<RawId>, NameId);

fn operators(trace: &Trace, launched: &Launched, by_thread: bool) -> Vec<PaddleOperator> {
    let categories = Categories(trace);
    let key = |id: EventId| -> Option<Key> {
        let thread = || trace.tracks[trace.slices.track(id).index()].thread;
        categories.is(id, "Operator").then(|| (by_thread.then(thread), trace.slices.name(id)))
    };
    // The operator directly around a range or call.
    let around = |id: EventId| key(trace.slices.parent(id)?);
    let is_part = |id: EventId| !categories.is(id, "Operator") && trace.slices.class(id) != Class::RuntimeCall;
    let part = |id: EventId| Some((around(id).filter(|_| is_part(id))?, trace.slices.name(id)));
    let mut parts: BTreeMap<Key, Vec<PaddlePart>> = BTreeMap::new();
    let mut by_part = activities(trace, |call| part(trace.slices.parent(call)?));
    for ((operator, name), times) in
        by_length(range_times(trace, launched, part), |(_, name)| trace.strings.get(*name).to_owned())
    {
        let activities = by_part.remove(&(operator, name)).unwrap_or_default();
        parts.entry(operator).or_default().push(PaddlePart { name, times, activities });
    }
    let mut own = activities(trace, around);
    let rows = by_length(range_times(trace, launched, key), |(_, name)| trace.strings.get(*name).to_owned());
    let row = |(key, times): (Key, RangeTimes)| PaddleOperator {
        thread: key.0,
        name: key.1,
        times,
        parts: parts.remove(&key).unwrap_or_default(),
        activities: own.remove(&key).unwrap_or_default(),
    };
    rows.into_iter().map(row).collect()
}

/// The activities by a key of their call and by name.
fn activities<K: Ord + Clone>(
    trace: &Trace,
    key: impl Fn(EventId) -> Option<K>,
) -> BTreeMap<K, Vec<(NameId, Statistics)>> {
    let mut lengths: BTreeMap<(K, NameId), Vec<Nanos>> = BTreeMap::new();
    for activity in &trace.activities {
        if let Some(key) = activity.call.get().and_then(&key) {
            let name = trace.slices.name(activity.event);
            lengths.entry((key, name)).or_default().push(trace.slices.length(activity.event));
        }
    }
    let mut found: BTreeMap<K, Vec<(NameId, Statistics)>> = BTreeMap::new();
    for ((key, name), mut lengths) in lengths {
        found.entry(key).or_default().push((name, Statistics::of(&mut lengths)));
    }
    found
}

fn kernels_of_devices(trace: &Trace) -> Vec<(i64, Nanos)> {
    let kernels = |device: i64| {
        let tracks = trace.tracks.iter().filter(move |track| {
            track.layer == Layer::Device && track.stream.is_some_and(|stream| stream.device == device)
        });
        let ids = tracks.flat_map(crate::trace::Track::events);
        let kernels = ids.filter(|id| trace.slices.class(*id) == Class::Kernel);
        IntervalSet::of(kernels.map(|id| trace.slices.interval(id))).len()
    };
    trace.active_devices().into_iter().map(|device| (device, kernels(device))).collect()
}

#[cfg(test)]
mod tests;
