//! Comparison of two traces: what made the step longer or shorter. METRICS section 10.
//!
//! The frameworks may differ: steps, categories and phases mean the same in all of them; operators, kernels and copies are
//! aligned by their names.

mod causes;
mod job;
mod side;
mod sides;
mod spent;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

pub use self::causes::{CauseChange, Outcome, OutcomeVerdict, SideCause, SideCauses};
use self::causes::{cause_changes, outcome};
pub use self::job::{JobComparison, JobSide, SideRank, compare_jobs};
pub use self::side::CompareConfig;
pub use self::side::{CompareSide, SideContribution, SideOperator, SidePhase, SideStep};
pub use self::sides::Sides;
use super::BudgetWhole;
use super::benchmark::WorkDone;
use super::phases::Phase;
use super::time_categories::TimeCategory;
use stepscope_base::{CompactSort, Nanos, div_half_even};
use stepscope_trace::Class;

/// A time per step on both sides, as its sum over the steps that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeChange {
    /// The sums.
    pub total: Sides<Nanos>,
    /// Number of steps that count.
    pub steps: Sides<u64>,
}

impl TimeChange {
    /// The mean per step on each side.
    #[must_use]
    pub fn per_step(&self) -> Sides<Nanos> {
        let of = |total, steps| super::mean(total, steps);
        Sides { a: of(self.total.a, self.steps.a), b: of(self.total.b, self.steps.b) }
    }

    /// Additional time per step in the second; the exact difference, rounded once, half to even.
    #[must_use]
    pub fn difference(&self) -> Nanos {
        let of = |total: Nanos, others: u64| i128::from(total.0) * i128::from(others.max(1));
        let (a, b) = (of(self.total.a, self.steps.b), of(self.total.b, self.steps.a));
        let steps = i128::from(self.steps.a.max(1)) * i128::from(self.steps.b.max(1));
        Nanos(i64::try_from(div_half_even(b - a, steps)).unwrap_or(i64::MAX))
    }
}

/// Contribution of a name to the step on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The category of its time.
    pub category: TimeCategory,
    /// The name; empty for [`TimeCategory::Other`], when nothing is recorded.
    pub name: String,
    /// The shapes, where they are part of the rows' key.
    pub shapes: String,
    /// Number of slices that began in the steps that count.
    pub calls: Sides<u64>,
    /// The sum of their durations.
    pub total: Sides<Nanos>,
    /// The time of the steps that is charged to it alone: the sum of all rows is the steps' length.
    pub own: TimeChange,
}

impl Contribution {
    /// The mean duration of a slice on each side; none where there is no slice.
    #[must_use]
    pub fn mean(&self) -> Sides<Option<Nanos>> {
        let of = |total, calls| (calls > 0).then(|| super::mean(total, calls));
        Sides { a: of(self.total.a, self.calls.a), b: of(self.total.b, self.calls.b) }
    }
}

/// The times of an operator on both sides, or of the modules at a path, of the calls in the steps that count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorChange {
    /// Its name, or path.
    pub name: String,
    /// Operator, annotation, or Python function, as modules are.
    pub class: Class,
    /// The inputs' shapes, where they are part of the rows' key.
    pub shapes: String,
    /// The inputs' types, where they are part of the rows' key.
    pub types: String,
    /// Number of calls.
    pub calls: Sides<u64>,
    /// Time on the host.
    pub host_total: TimeChange,
    /// The same without what is called inside.
    pub host_self: TimeChange,
    /// Device time launched by it and what it calls.
    pub device_total: TimeChange,
    /// Device time launched by it directly.
    pub device_self: TimeChange,
}

/// A phase on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseChange {
    /// The phase.
    pub phase: Phase,
    /// Its time on the host.
    pub host: TimeChange,
    /// Device time launched in it.
    pub device: TimeChange,
}

/// The comparison of two traces.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The step's length.
    pub length: TimeChange,
    /// Each category's part of it; with [`before_first`](Self::before_first) their differences add up to the step's.
    pub categories: [TimeChange; 8],
    /// The part before the first recorded activity, where a device may run work from before the recording: no category's.
    pub before_first: TimeChange,
    /// The phases, by [`Phase::ALL`].
    pub phases: Vec<PhaseChange>,
    /// The contributions of names, the largest difference first.
    pub contributions: Vec<Contribution>,
    /// Operators by the largest difference of their self time, on the device and the host.
    pub operators: Vec<OperatorChange>,
    /// Modules by their paths, likewise, and the time outside of them, under no name: their own times are those of all threads, and of
    /// all device activities. Empty where only one side records modules: its time would be called new.
    pub modules: Vec<OperatorChange>,
    /// The causes of lost time by the step budgets, those that changed most first.
    pub causes: Vec<CauseChange>,
    /// The change of the step where a large cause of the first side is gone; none if no such cause is gone.
    pub outcome: Option<Outcome>,
    /// The throughput, if it is known on both sides.
    pub throughput: Option<Throughput>,
    /// The steps that count, by index, in pairs: of the same name if both sides have the same, else in their order.
    pub steps: Vec<Sides<Option<usize>>>,
}

/// Work per second on both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throughput {
    /// Whether samples are counted: the steps of both sides say how many they have. Else steps are.
    pub in_samples: bool,
    /// Samples or steps per second.
    pub per_second: Sides<f64>,
}

impl Throughput {
    #[expect(clippy::cast_precision_loss, reason = "rates are shown with a few digits")]
    fn of(sides: Sides<&CompareSide>) -> Option<Self> {
        let work = Sides { a: sides.a.work?, b: sides.b.work? };
        let samples = work.a.samples.zip(work.b.samples).map(|(a, b)| Sides { a, b });
        let done = samples.unwrap_or_else(|| work.map(|work| work.steps));
        let rate = |done: u64, work: WorkDone| done as f64 * 1e9 / work.time.0 as f64;
        let per_second = Sides { a: rate(done.a, work.a), b: rate(done.b, work.b) };
        Some(Self { in_samples: samples.is_some(), per_second })
    }

    /// Whatever is counted.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        if self.in_samples { "samples" } else { "steps" }
    }

    /// The increase, as a share of the first side's.
    #[must_use]
    pub fn change(&self) -> Option<f64> {
        let Sides { a, b } = self.per_second;
        (a > 0.0).then(|| b / a - 1.0)
    }
}

/// Compares the second side with the first.
#[must_use]
pub fn compare(sides: Sides<&CompareSide>) -> Comparison {
    let steps = sides.map(|side| side.steps.len() as u64);
    let change = |of: &dyn Fn(&CompareSide) -> Nanos| TimeChange { total: sides.map(|side| of(side)), steps };
    let phases = Phase::ALL.iter().enumerate().map(|(index, phase)| PhaseChange {
        phase: *phase,
        host: change(&|side| side.phases[index].host),
        device: change(&|side| side.phases[index].device),
    });
    let of_causes = sides.map(|side| &side.causes);
    // Parts of steps lose less than whole ones.
    let is_part = of_causes.map(|causes| match causes.whole {
        BudgetWhole::Steps | BudgetWhole::Periods => None,
        part => Some(part),
    });
    let are_alike = is_part.a == is_part.b;
    let causes = if are_alike { cause_changes(of_causes) } else { Vec::new() };
    let have_modules = !sides.a.modules.is_empty() && !sides.b.modules.is_empty();
    Comparison {
        outcome: if are_alike { outcome(of_causes, &causes) } else { None },
        causes,
        length: change(&|side| side.length),
        categories: std::array::from_fn(|category| change(&|side| side.categories[category])),
        before_first: change(&|side| side.before_first),
        phases: phases.collect(),
        contributions: contributions(sides, steps),
        operators: operators(sides.map(|side| side.operators.as_slice()), steps),
        modules: if have_modules { operators(sides.map(|side| side.modules.as_slice()), steps) } else { Vec::new() },
        throughput: Throughput::of(sides),
        steps: pairs(sides),
    }
}

/// The values of both sides by key; at least one side has each key.
struct Aligned<K, V>(HashMap<K, Sides<Option<V>>, FxBuildHasher>);

impl<K: Eq + std::hash::Hash, V> Aligned<K, V> {
    fn of(a: impl Iterator<Item = (K, V)>, b: impl Iterator<Item = (K, V)>) -> Self {
        let mut rows: HashMap<K, Sides<Option<V>>, FxBuildHasher> = HashMap::default();
        for (key, value) in a {
            rows.entry(key).or_insert(Sides { a: None, b: None }).a = Some(value);
        }
        for (key, value) in b {
            rows.entry(key).or_insert(Sides { a: None, b: None }).b = Some(value);
        }
        Self(rows)
    }
}

fn contributions(sides: Sides<&CompareSide>, steps: Sides<u64>) -> Vec<Contribution> {
    fn named(row: &SideContribution) -> ((TimeCategory, &str, &str), &SideContribution) {
        ((row.category, &row.name, &row.shapes), row)
    }
    let aligned = Aligned::of(sides.a.contributions.iter().map(named), sides.b.contributions.iter().map(named));
    let rows = aligned.0.into_iter().map(|((category, name, shapes), row)| {
        let time = |of: fn(&SideContribution) -> Nanos| row.map(|row| row.map_or(Nanos::ZERO, of));
        Contribution {
            category,
            name: name.to_owned(),
            shapes: shapes.to_owned(),
            calls: row.map(|row| row.map_or(0, |row| row.calls)),
            total: time(|row| row.total),
            own: TimeChange { total: time(|row| row.own), steps },
        }
    });
    let mut rows: Vec<Contribution> = rows.collect();
    let size = |row: &Contribution| row.own.difference().0.abs();
    rows.compact_sort_by(|a, b| {
        (size(b), a.category, &a.name, &a.shapes).cmp(&(size(a), b.category, &b.name, &b.shapes))
    });
    rows
}

fn operators(sides: Sides<&[SideOperator]>, steps: Sides<u64>) -> Vec<OperatorChange> {
    fn named(row: &SideOperator) -> ((Class, &str, &str, &str), &SideOperator) {
        ((row.class, &row.name, &row.shapes, &row.types), row)
    }
    let aligned = Aligned::of(sides.a.iter().map(named), sides.b.iter().map(named));
    let changes = aligned.0.into_iter().map(|((class, name, shapes, types), row)| {
        let time =
            |of: fn(&SideOperator) -> Nanos| TimeChange { total: row.map(|row| row.map_or(Nanos::ZERO, of)), steps };
        OperatorChange {
            name: name.to_owned(),
            class,
            shapes: shapes.to_owned(),
            types: types.to_owned(),
            calls: row.map(|row| row.map_or(0, |row| row.calls)),
            host_total: time(|row| row.host_total),
            host_self: time(|row| row.host_self),
            device_total: time(|row| row.device_total),
            device_self: time(|row| row.device_self),
        }
    });
    let mut changes: Vec<OperatorChange> = changes.collect();
    let size = |row: &OperatorChange| {
        let (device, host) = (row.device_self.difference().0.abs(), row.host_self.difference().0.abs());
        (device.max(host), device)
    };
    changes.compact_sort_by(|a, b| {
        let key = |row: &OperatorChange| (row.name.clone(), row.class, row.shapes.clone(), row.types.clone());
        size(b).cmp(&size(a)).then_with(|| key(a).cmp(&key(b)))
    });
    changes
}

fn pairs(sides: Sides<&CompareSide>) -> Vec<Sides<Option<usize>>> {
    let of_name: HashMap<&str, usize, FxBuildHasher> =
        sides.b.steps.iter().map(|step| (step.name.as_str(), step.index)).collect();
    if !sides.a.steps.iter().any(|step| of_name.contains_key(step.name.as_str())) {
        let of = |side: &CompareSide, place: usize| side.steps.get(place).map(|step| step.index);
        let most = sides.a.steps.len().max(sides.b.steps.len());
        return (0..most).map(|place| sides.map(|side| of(side, place))).collect();
    }
    let mut others = of_name;
    let pair = |step: &SideStep| Sides { a: Some(step.index), b: others.remove(step.name.as_str()) };
    let mut pairs: Vec<Sides<Option<usize>>> = sides.a.steps.iter().map(pair).collect();
    let mut alone: Vec<usize> = others.into_values().collect();
    alone.compact_sort();
    pairs.extend(alone.into_iter().map(|step| Sides { a: None, b: Some(step) }));
    pairs
}
