//! The host's waits for a data loader: PyTorch's, Paddle's, or one whose batches are marked. METRICS section 7.

use super::IntervalSet;
use super::histogram::Distribution;
use super::steps::Steps;
use super::time_categories::{CategoryTimes, HostCategories, TimeCategory};
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_table::{Bar, Field, Rows, Unit, Value};
use stepscope_trace::{EventId, Trace};

/// The processes that make batches, by the iterator's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoaderKind {
    /// In the training process itself, while it waits (`num_workers=0`).
    SingleProcess,
    /// In other processes, ahead of time.
    Workers,
    /// In threads of the training process: tf.data.
    Threads,
    /// The name does not show it.
    Unknown,
}

impl LoaderKind {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SingleProcess => "single_process",
            Self::Workers => "workers",
            Self::Threads => "threads",
            Self::Unknown => "unknown",
        }
    }

    /// The loader kind of a trace, by its names; unknown where there are both kinds.
    pub(crate) fn of_trace(trace: &Trace) -> Self {
        let is_loader = |name: &str| name.contains("DataLoaderIter");
        let kinds = trace.strings.map(|name| is_loader(name).then(|| Self::of_name(name)));
        match [Self::SingleProcess, Self::Workers].map(|kind| kinds.contains(&Some(kind))) {
            [true, false] => Self::SingleProcess,
            [false, true] => Self::Workers,
            _ => Self::Unknown,
        }
    }

    fn of_name(name: &str) -> Self {
        if name.contains("SingleProcess") {
            Self::SingleProcess
        } else if name.contains("MultiProcess") {
            Self::Workers
        } else if name.contains("IteratorGetNext") {
            Self::Threads
        } else {
            Self::Unknown
        }
    }
}

/// The waits that began in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepWaits {
    /// Number of waits.
    pub calls: u64,
    /// Their sum.
    pub total: Nanos,
    /// The longest.
    pub longest: Nanos,
    /// The longest wait.
    pub longest_wait: EventId,
    /// The part of the host's step during which any of them runs.
    pub waiting: Nanos,
    /// The host's step, of which `waiting` is a part.
    pub host: Nanos,
    /// The part of the step in [`TimeCategory::Dataloader`]: only waiting.
    pub exposed: Nanos,
}

/// The host's waits for data.
#[derive(Clone, Debug, PartialEq)]
pub struct DataLoading {
    /// The processes that make batches.
    pub kind: LoaderKind,
    /// The waits' lengths.
    pub waits: Distribution,
    /// Per step.
    pub steps: Vec<StepWaits>,
    /// The mean of the steps that count; the longest of all of them.
    pub average: StepWaits,
    /// Number of steps that count which spend more than the limit only waiting.
    pub waiting_steps: u64,
    /// The longest waits, falling.
    pub longest: Vec<EventId>,
}

/// The waits of a step, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitsOfStep {
    /// The step's name.
    pub name: String,
    /// The step's start and end.
    pub span: Interval,
    /// Its waits.
    pub waits: StepWaits,
}

impl DataLoading {
    /// The rows of [`WaitsTable`].
    #[must_use]
    pub fn rows(&self, steps: &Steps) -> Vec<WaitsOfStep> {
        let rows = steps.steps.iter().zip(&self.steps);
        rows.map(|(step, waits)| WaitsOfStep { name: step.name.clone(), span: step.span, waits: *waits }).collect()
    }
}

/// The table of the waits for data, by step.
#[derive(Debug)]
pub enum WaitsTable {}

impl Rows for WaitsTable {
    const ID: &'static str = "data_loading.steps";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("name", Unit::Text, |row, ()| row.name.as_str().into()).sorted_by("start_ns").known(),
        Field::<Self>::new("start_ns", Unit::Moment, |row, ()| row.span.start.into()).data().known(),
        Field::<Self>::new("waits", Unit::Count, |row, ()| row.waits.calls.into()).known(),
        Field::<Self>::new("total_ns", Unit::Duration, |row, ()| row.waits.total.into())
            .bar(Bar::OfLargest)
            .part()
            .known(),
        Field::<Self>::new("longest_ns", Unit::Duration, |row, ()| row.waits.longest.into()).known(),
        Field::<Self>::new("longest_slice", Unit::Id, |row, ()| {
            row.waits.longest_wait.get().map_or(Value::Unknown, |slice| Value::id(slice.0.into()))
        })
        .event(),
        Field::<Self>::new("waiting_ns", Unit::Duration, |row, ()| row.waits.waiting.into()).data().known(),
        Field::<Self>::new("host_step_ns", Unit::Duration, |row, ()| row.waits.host.into()).data().known(),
        Field::<Self>::new("waiting_share_of_host_step", Unit::Share, |row, ()| {
            row.waits.waiting.ratio_of(row.waits.host).into()
        }),
        Field::<Self>::new("exposed_ns", Unit::Duration, |row, ()| row.waits.exposed.into()).known(),
        Field::<Self>::new("exposed_share_of_step", Unit::Share, |row, ()| {
            row.waits.exposed.ratio_of(row.span.len()).into()
        }),
    ];
    const FIRST: &'static [&'static str] =
        &["name", "waits", "total_ns", "waiting_share_of_host_step", "longest_ns", "exposed_ns"];
    const SORT: &'static str = "name";
    const IS_ASCENDING: bool = true;
    type Row = WaitsOfStep;
    type Context<'a> = ();
}

/// The table of the longest waits for data. Rows are their calls.
#[derive(Debug)]
pub enum LongestWaitTable {}

impl Rows for LongestWaitTable {
    const ID: &'static str = "data_loading.longest";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("slice", Unit::Id, |row, _| Value::id(row.0.into())).event().known(),
        Field::<Self>::new("name", Unit::Text, |row, trace| trace.strings.get(trace.slices.name(*row)).into()).known(),
        Field::<Self>::new("start_ns", Unit::Moment, |row, trace| trace.slices.start(*row).into()).known(),
        Field::<Self>::new("length_ns", Unit::Duration, |row, trace| trace.slices.length(*row).into()).known(),
    ];
    const FIRST: &'static [&'static str] = &["name", "start_ns", "length_ns"];
    const SORT: &'static str = "length_ns";
    type Row = EventId;
    type Context<'a> = Trace;
}

/// The part of a step above which it waits for data: the limit of the advice.
const WAITING: f64 = 0.05;

/// Number of longest waits that are listed.
const LONGEST: usize = 20;

/// The host's waits for the data loader; none if it never waits, or no wait is recorded.
#[must_use]
pub fn data_loading(trace: &Trace, steps: &Steps, categories: &[CategoryTimes]) -> Option<DataLoading> {
    let waits = waits(trace);
    let mut lengths: Vec<Nanos> = waits.iter().map(|id| trace.slices.length(*id)).collect();
    let kind = waits.iter().map(|id| LoaderKind::of_name(trace.strings.get(trace.slices.name(*id))));
    // With several iterators, the one in this process is what would be changed.
    let kind = kind.min_by_key(|kind| *kind as u8)?;
    let all = IntervalSet::of(waits.iter().map(|id| trace.slices.interval(*id)));
    let mut of_steps: Vec<StepWaits> = categories
        .iter()
        .zip(&steps.steps)
        .map(|(times, step)| StepWaits {
            waiting: all.clip(step.host).len(),
            host: step.host.len(),
            exposed: times[TimeCategory::Dataloader as usize],
            ..StepWaits::default()
        })
        .collect();
    for (id, length) in waits.iter().zip(&lengths) {
        let start = trace.slices.start(*id);
        let after = steps.steps.partition_point(|step| step.host.start <= start);
        let step = after.checked_sub(1).filter(|step| start < steps.steps[*step].host.end);
        if let Some(step) = step.and_then(|step| of_steps.get_mut(step)) {
            step.calls += 1;
            step.total += *length;
            if *length > step.longest || step.calls == 1 {
                (step.longest, step.longest_wait) = (*length, *id);
            }
        }
    }
    let mut longest = waits;
    let by_length = |id: &EventId| (std::cmp::Reverse(trace.slices.length(*id)), trace.slices.start(*id));
    longest.compact_sort_by_key(by_length);
    longest.truncate(LONGEST);
    let counted = steps.counted();
    let waiting = |index: &&usize| {
        let length = steps.steps[**index].span.len();
        of_steps[**index].exposed.ratio_of(length).is_some_and(|share| share > WAITING)
    };
    Some(DataLoading {
        kind,
        average: average(&of_steps, &counted),
        waiting_steps: counted.iter().filter(waiting).count() as u64,
        steps: of_steps,
        longest,
        waits: Distribution::of(&mut lengths),
    })
}

/// Number of waits after the first one that show a usual wait: as many steps as the rule for a warm-up step takes.
const OTHERS: usize = 3;

/// The chance of taking a first wait for the start although it is like the others.
const CHANCE: f64 = 1.0 / 200.0;

/// Whether the first of a run's waits for data is the start of the loader or pipeline, which comes once and not with each step:
/// workers start, files are opened, and queues fill.
///
/// It is, if it is at least twice the median of the others, and further above that than by chance. Waits of a loader
/// that is sometimes late are spread about exponentially: many are short, a few long. Of `n` such waits the longest is
/// above the median by some time. The chance that one more is above it by `f` times as much is (r + 1) / (n + 1) · ∏ k
/// / (k + f) for k from 1 to r, where r = n / 2 waits are longer than the median. It must be below 1/200. For 3 others
/// that is 99 times as much, for 5 others 13 times, for 9 others 5 times. So each fourth wait of four workers, which is
/// long, is no start, and where others hardly differ, little is enough.
#[must_use]
#[expect(clippy::cast_precision_loss, clippy::integer_division, reason = "a chance; half of a count")]
pub(super) fn is_start(first: f64, others: &[f64]) -> bool {
    if others.len() < OTHERS {
        return false;
    }
    let mut sorted = others.to_vec();
    sorted.compact_sort_by(f64::total_cmp);
    let count = sorted.len();
    let (median, longest) = (f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]), sorted[count - 1]);
    if first <= longest || first < 2.0 * median {
        return false;
    }
    let above = (first - median) / (longest - median);
    let longer = count / 2;
    let chance = (1..=longer).map(|place| place as f64 / (place as f64 + above)).product::<f64>();
    chance * (longer + 1) as f64 / (count + 1) as f64 <= CHANCE
}

/// The outermost waits of host threads; one inside of another is a part of that.
pub(super) fn waits(trace: &Trace) -> Vec<EventId> {
    let host = HostCategories::of(trace);
    let waits = |id: EventId| host.categories(trace, id).contains(&Some(TimeCategory::Dataloader));
    let tracks = trace.tracks.iter().filter(|track| HostCategories::counts(track));
    let outermost = |id: &EventId| {
        let around = std::iter::successors(trace.slices.parent(*id), |parent| trace.slices.parent(*parent));
        !around.into_iter().any(waits)
    };
    tracks.flat_map(stepscope_trace::Track::events).filter(|id| waits(*id)).filter(outermost).collect()
}

#[expect(clippy::integer_division, reason = "a mean count for display")]
fn average(steps: &[StepWaits], counted: &[usize]) -> StepWaits {
    let count = counted.len() as u64;
    let mean = |of: fn(&StepWaits) -> Nanos| super::mean(counted.iter().map(|index| of(&steps[*index])).sum(), count);
    let calls: u64 = counted.iter().map(|index| steps[*index].calls).sum();
    let longest = counted.iter().map(|index| &steps[*index]).max_by_key(|step| step.longest);
    StepWaits {
        calls: (calls + count / 2) / count.max(1),
        total: mean(|step| step.total),
        longest: longest.map_or(Nanos::ZERO, |step| step.longest),
        longest_wait: longest.map_or(EventId::NONE, |step| step.longest_wait),
        waiting: mean(|step| step.waiting),
        host: mean(|step| step.host),
        exposed: mean(|step| step.exposed),
    }
}

#[cfg(test)]
mod tests {
    use super::is_start;

    #[test]
    fn a_first_wait_that_comes_once() {
        assert!(is_start(900.0, &[10.0, 20.0, 15.0]));
        assert!(is_start(50.0, &[10.0, 11.0, 9.0, 10.0, 12.0]));
        assert!(is_start(5.0, &[0.0, 0.0, 0.0]), "no other one waits at all");
        assert!(
            is_start(900.0, &[1.0, 2.0, 1.0, 1.0, 90.0, 1.0, 1.0, 2.0, 1.0]),
            "one more is late, and not nearly as late"
        );
    }

    #[test]
    fn a_first_wait_that_is_like_others() {
        assert!(!is_start(900.0, &[10.0, 20.0]), "too few tell what is usual");
        assert!(!is_start(19.0, &[10.0, 10.0, 10.0]), "less than twice the others");
        assert!(!is_start(100.0, &[1.0, 1.0, 1.0, 98.0, 1.0, 1.0, 1.0]), "each fourth is late");
        assert!(!is_start(60.0, &[5.0, 40.0, 10.0, 30.0, 20.0]), "others differ as much");
        assert!(!is_start(80.0, &[9.0, 30.0, 20.0]), "few others, and these differ");
        assert!(!is_start(10.0, &[10.0, 20.0, 30.0]) && !is_start(0.0, &[0.0, 0.0, 0.0, 0.0]));
    }
}
