//! Details of a table's row: the lengths of its events, by step and by variant. METRICS section 4.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::histogram::Distribution;
use super::intervals::IntervalSet;
use super::operators::calls_of;
use super::scope::{Scope, activities_in};
use super::steps::{StepAt, Steps};
use super::{CopyRow, KernelGrouping, KernelRow, OperatorRow, OperatorsConfig, launch_rows};
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{Activity, Class, ConfigId, EventId, NO_BYTES, NameId, Trace};

/// Limits of the lists in a row's details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowConfig {
    /// Most of the slowest events that are listed, and of the first.
    pub listed: usize,
    /// Most variants that are listed; all others are one.
    pub variants: usize,
}

impl RowConfig {
    /// Twenty events, eight variants.
    #[must_use]
    pub fn standard() -> Self {
        Self { listed: 20, variants: 8 }
    }
}

/// The key of a row, with its table.
#[derive(Clone, Copy, Debug)]
pub enum RowKey<'a> {
    /// A row of operators, with the table's settings.
    Operator(&'a OperatorRow, OperatorsConfig),
    /// A row of kernels, with its grouping.
    Kernel(&'a KernelRow, KernelGrouping),
    /// A row of copies and memsets.
    Copy(&'a CopyRow),
    /// A row of launches: the name of the calls.
    Launch(NameId),
}

/// Sums over events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowTimes {
    /// Number of events; of a step, those that belong to it: see [`RowEvent::step`].
    pub calls: u64,
    /// Sum of the lengths that count: see [`RowEvent::counts`]. Of a step, calls of the host have their part in it.
    pub total: Nanos,
    /// Sum of their device times; see [`RowEvent::device`].
    pub device: Nanos,
}

impl RowTimes {
    fn add(&mut self, event: &RowEvent) {
        self.begin(event);
        if event.counts {
            self.total += event.length;
        }
    }

    /// Adds an event without its length.
    fn begin(&mut self, event: &RowEvent) {
        self.calls += 1;
        self.device += event.device;
    }

    fn add_all(&mut self, other: &Self) {
        self.calls += other.calls;
        self.total += other.total;
        self.device += other.device;
    }
}

/// The properties in which events of one row may differ; each has those of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variant {
    /// An operator's inputs' shapes.
    pub shapes: NameId,
    /// An operator's inputs' types.
    pub types: NameId,
    /// A kernel's launch configuration.
    pub config: ConfigId,
    /// Bytes of a copy or memset; [`NO_BYTES`] if unknown.
    pub bytes: u64,
}

impl Variant {
    const UNKNOWN: Self = Self { shapes: NameId::NONE, types: NameId::NONE, config: ConfigId::NONE, bytes: NO_BYTES };

    /// Whether any property is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        *self != Self::UNKNOWN
    }
}

/// The events of a row with one variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowVariant {
    /// The variant; none for all events that have none of the listed ones.
    pub variant: Option<Variant>,
    /// All of its events.
    pub times: RowTimes,
    /// Those of each step.
    pub steps: Vec<RowTimes>,
}

/// One event of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowEvent {
    /// The slice.
    pub event: EventId,
    /// Its length.
    pub length: Nanos,
    /// Whether its length counts in totals: not if it is inside another event of the row on its thread.
    pub counts: bool,
    /// Time on the device: for an operator, the union of the activities that it launched directly; for a launching
    /// call, the union of those it launched; for an activity, its own.
    pub device: Nanos,
    /// Index of its step: by launch for activities, else the one in which it begins.
    pub step: Option<usize>,
    /// Its variant.
    pub variant: Variant,
}

/// Details of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowDetail {
    /// The lengths of the scope's events.
    pub lengths: Distribution,
    /// The slowest of the scope's events, the slowest first.
    pub slowest: Vec<RowEvent>,
    /// The first of the scope's events, by start.
    pub first: Vec<RowEvent>,
    /// The events of each step, whatever the scope.
    pub steps: Vec<RowTimes>,
    /// The events that are in no step.
    pub outside: RowTimes,
    /// The same by variant, the most time first, all others last; empty without variants.
    pub variants: Vec<RowVariant>,
    /// Number of variants.
    pub variant_count: u64,
}

/// Looks into a row of the tables of a scope, or of the whole trace.
///
/// The steps' `total` and that outside of them add up to the row's total, exactly, where steps do not overlap; so do the
/// variants'.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{KernelGrouping, RowConfig, RowKey, StepsConfig, kernels, row_detail, steps};
///
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":4},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":5,"dur":9}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = steps(&trace, &StepsConfig::default());
/// let row = &kernels(&trace, KernelGrouping::Name)[0];
/// let key = RowKey::Kernel(row, KernelGrouping::Name);
/// let found = row_detail(&trace, &steps, key, None, RowConfig::standard());
/// assert_eq!((found.slowest[0].length, found.first[0].length), (Nanos(9_000), Nanos(4_000)));
/// assert_eq!(found.outside.calls, 0); // without operators the only step is all activities
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn row_detail(
    trace: &Trace,
    steps: &Steps,
    key: RowKey<'_>,
    scope: Option<&Scope<'_>>,
    config: RowConfig,
) -> RowDetail {
    let all = events(trace, steps, key, None);
    let parts = Parts::of(trace, steps, matches!(key, RowKey::Operator(..) | RowKey::Launch(_)));
    let (of_steps, outside) = by_step(&parts, &all);
    let (variants, variant_count) = variants(&parts, &all, config.variants);
    let inside = if scope.is_some() { events(trace, steps, key, scope) } else { all };
    let mut lengths: Vec<Nanos> = inside.iter().map(|event| event.length).collect();
    let start = |event: &RowEvent| (trace.slices.start(event.event).0, event.event);
    RowDetail {
        lengths: Distribution::of(&mut lengths),
        slowest: least(&inside, config.listed, |event| (-event.length.0, start(event))),
        first: least(&inside, config.listed, start),
        steps: of_steps,
        outside,
        variants,
        variant_count,
    }
}

/// The events with the smallest keys, the smallest first.
fn least<K: Ord>(events: &[RowEvent], most: usize, key: impl Fn(&RowEvent) -> K) -> Vec<RowEvent> {
    let mut kept: Vec<(K, RowEvent)> = Vec::with_capacity(most + 1);
    for event in events {
        let key = key(event);
        if kept.len() < most || kept.last().is_some_and(|(last, _)| key < *last) {
            kept.insert(kept.partition_point(|(known, _)| *known <= key), (key, *event));
            kept.truncate(most);
        }
    }
    kept.into_iter().map(|(_, event)| event).collect()
}

/// The parts of events in steps, by the rule of [`Scope`].
struct Parts<'a> {
    trace: &'a Trace,
    steps: &'a Steps,
    /// Whether the events are calls of the host, whose time in each step counts there. Activities count whole.
    of_host: bool,
    /// The time of all steps on the host.
    all: IntervalSet,
}

impl<'a> Parts<'a> {
    fn of(trace: &'a Trace, steps: &'a Steps, of_host: bool) -> Self {
        Self { trace, steps, of_host, all: IntervalSet::of(steps.steps.iter().map(|step| step.host)) }
    }

    /// Adds an event to the steps that it is in, and returns the rest of its length, which is outside of them.
    fn add(&self, event: &RowEvent, to: &mut [RowTimes]) -> Nanos {
        if let Some(step) = event.step {
            to[step].begin(event);
        }
        if !event.counts {
            return Nanos::ZERO;
        }
        let span = self.trace.slices.interval(event.event);
        let is_whole = |step: &usize| !self.of_host || self.steps.steps[*step].host.contains(span);
        if let Some(step) = event.step.filter(is_whole) {
            to[step].total += event.length;
            return Nanos::ZERO;
        }
        let inside = if self.of_host { self.all.len_in(span) } else { Nanos::ZERO };
        if inside > Nanos::ZERO {
            let until = self.steps.steps.partition_point(|step| step.host.start < span.end);
            for (step, times) in self.steps.steps[..until].iter().zip(to) {
                times.total += step.host.intersection(span).len();
            }
        }
        event.length - inside
    }
}

fn by_step(parts: &Parts<'_>, events: &[RowEvent]) -> (Vec<RowTimes>, RowTimes) {
    let mut of_steps = vec![RowTimes::default(); parts.steps.steps.len()];
    let mut outside = RowTimes::default();
    for event in events {
        outside.total += parts.add(event, &mut of_steps);
        if event.step.is_none() {
            outside.begin(event);
        }
    }
    (of_steps, outside)
}

fn variants(parts: &Parts<'_>, events: &[RowEvent], most: usize) -> (Vec<RowVariant>, u64) {
    let mut number_of: HashMap<Variant, usize, FxBuildHasher> = HashMap::default();
    let mut sums: Vec<(Variant, RowTimes)> = Vec::new();
    for event in events {
        let number = *number_of.entry(event.variant).or_insert_with(|| {
            sums.push((event.variant, RowTimes::default()));
            sums.len() - 1
        });
        sums[number].1.add(event);
    }
    let count = sums.len() as u64;
    if !sums.iter().any(|(variant, _)| variant.is_known()) {
        return (Vec::new(), count);
    }
    sums.compact_sort_by_key(|(variant, times)| (-times.total.0, *variant));
    let rest = sums.split_off(most.min(sums.len()));
    let empty = || vec![RowTimes::default(); parts.steps.steps.len()];
    let mut found: Vec<RowVariant> =
        sums.into_iter().map(|(variant, times)| RowVariant { variant: Some(variant), times, steps: empty() }).collect();
    if !rest.is_empty() {
        let mut times = RowTimes::default();
        rest.iter().for_each(|(_, one)| times.add_all(one));
        found.push(RowVariant { variant: None, times, steps: empty() });
    }
    let last = found.len() - 1;
    for (place, row) in found.iter().enumerate() {
        if let Some(variant) = row.variant {
            number_of.insert(variant, place);
        }
    }
    for (variant, _) in rest {
        number_of.insert(variant, last);
    }
    for event in events {
        if let Some(place) = number_of.get(&event.variant) {
            parts.add(event, &mut found[*place].steps);
        }
    }
    (found, count)
}

/// The events of a row, track by track.
fn events(trace: &Trace, steps: &Steps, key: RowKey<'_>, scope: Option<&Scope<'_>>) -> Vec<RowEvent> {
    match key {
        RowKey::Operator(row, config) => operator_calls(trace, steps, &calls_of(trace, row, config, scope)),
        RowKey::Kernel(row, grouping) => {
            let mut keys = grouping.keys(trace);
            activities(trace, steps, scope, |activity| {
                trace.slices.class(activity.event) == Class::Kernel && keys.has(row, activity)
            })
        }
        RowKey::Copy(row) => activities(trace, steps, scope, |activity| {
            (trace.slices.class(activity.event), trace.slices.name(activity.event)) == (row.class, row.name)
        }),
        RowKey::Launch(name) => launches(trace, steps, name, scope),
    }
}

fn operator_calls(trace: &Trace, steps: &Steps, calls: &[(EventId, bool)]) -> Vec<RowEvent> {
    let step_at = StepAt::of(steps);
    let mut launched: Vec<(EventId, Interval)> = Vec::new();
    for activity in &trace.activities {
        if let Some(operator) = activity.operator.get()
            && calls.binary_search_by_key(&operator, |(id, _)| *id).is_ok()
        {
            launched.push((operator, trace.slices.interval(activity.event)));
        }
    }
    launched.compact_sort();
    let mut device: HashMap<EventId, Nanos, FxBuildHasher> = HashMap::default();
    for of_call in launched.chunk_by(|a, b| a.0 == b.0) {
        let spans: Vec<Interval> = of_call.iter().map(|(_, span)| *span).collect();
        device.insert(of_call[0].0, IntervalSet::of(spans).len());
    }
    let event = |(id, counts): &(EventId, bool)| RowEvent {
        event: *id,
        length: trace.slices.length(*id),
        counts: *counts,
        device: device.get(id).copied().unwrap_or_default(),
        step: step_at.at(trace.slices.start(*id)),
        variant: trace.operation(*id).map_or(Variant::UNKNOWN, |operation| Variant {
            shapes: operation.shapes,
            types: operation.types,
            ..Variant::UNKNOWN
        }),
    };
    calls.iter().map(event).collect()
}

fn activities(
    trace: &Trace,
    steps: &Steps,
    scope: Option<&Scope<'_>>,
    mut is_of_row: impl FnMut(&Activity) -> bool,
) -> Vec<RowEvent> {
    let event = |activity: &Activity| {
        let length = trace.slices.length(activity.event);
        let of_step = trace.activity_number(activity.event).and_then(|number| steps.step_of_activity.get(number));
        RowEvent {
            event: activity.event,
            length,
            counts: true,
            device: length,
            step: of_step.copied().flatten().map(|step| step as usize),
            variant: Variant { config: activity.config, bytes: activity.bytes, ..Variant::UNKNOWN },
        }
    };
    activities_in(trace, scope).filter(|activity| is_of_row(activity)).map(event).collect()
}

fn launches(trace: &Trace, steps: &Steps, name: NameId, scope: Option<&Scope<'_>>) -> Vec<RowEvent> {
    let step_at = StepAt::of(steps);
    let rows = launch_rows(trace).into_iter().filter(|launch| trace.slices.name(launch.call) == name);
    let inside = rows.filter(|launch| scope.is_none_or(|scope| scope.has_slice(trace, launch.call)));
    inside
        .map(|launch| RowEvent {
            event: launch.call,
            length: launch.cpu,
            counts: true,
            device: launch.gpu,
            step: step_at.at(trace.slices.start(launch.call)),
            variant: Variant::UNKNOWN,
        })
        .collect()
}
