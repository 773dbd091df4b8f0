//! Two traces beside each other: what made the step longer or shorter. METRICS section 10.
//!
//! The frameworks may differ: steps, roles and phases mean the same in all of them; operators, kernels and copies are
//! aligned by their names.

mod spent;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use self::spent::{Key, Spent, spent};
use super::all::Analysis;
use super::operators::{OperatorGrouping, OperatorsConfig, operators_in};
use super::phases::{Phase, PhaseTime};
use super::roles::Role;
use super::scope::Scope;
use crate::sort::CompactSort;
use crate::trace::{Class, Trace};
use crate::units::{Nanos, div_half_even};

/// The same of both traces: `a` is the one that the other is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides<T> {
    /// Of the first.
    pub a: T,
    /// Of the second.
    pub b: T,
}

impl<T> Sides<T> {
    /// What a function makes of each.
    pub fn map<U>(&self, mut of: impl FnMut(&T) -> U) -> Sides<U> {
        Sides { a: of(&self.a), b: of(&self.b) }
    }
}

/// A trace with its reports.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// All reports on it.
    pub analysis: &'a Analysis,
}

/// How traces are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompareConfig {
    /// Whether calls of an operator with different shapes are different rows; kernels and copies then are told apart by
    /// the shapes of the operator that launched them.
    pub shapes: bool,
}

/// A time per step on both sides, as its sum over the steps that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeChange {
    /// The sums.
    pub total: Sides<Nanos>,
    /// How many steps count.
    pub steps: Sides<u64>,
}

impl TimeChange {
    /// The mean per step on each side.
    #[must_use]
    pub fn per_step(&self) -> Sides<Nanos> {
        let of = |total, steps| super::mean(total, steps);
        Sides { a: of(self.total.a, self.steps.a), b: of(self.total.b, self.steps.b) }
    }

    /// How much more it is per step in the second; the exact difference, rounded once, half to even.
    #[must_use]
    pub fn difference(&self) -> Nanos {
        let of = |total: Nanos, others: u64| i128::from(total.0) * i128::from(others.max(1));
        let (a, b) = (of(self.total.a, self.steps.b), of(self.total.b, self.steps.a));
        let steps = i128::from(self.steps.a.max(1)) * i128::from(self.steps.b.max(1));
        Nanos(i64::try_from(div_half_even(b - a, steps)).unwrap_or(i64::MAX))
    }
}

/// What a name contributes to the step on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// What its moments are spent with.
    pub role: Role,
    /// The name; empty for [`Role::Other`], when nothing is recorded.
    pub name: String,
    /// The shapes, where rows tell them apart.
    pub shapes: String,
    /// How many slices began in the steps that count.
    pub calls: Sides<u64>,
    /// The sum of their durations.
    pub total: Sides<Nanos>,
    /// The moments of the steps that are its alone: the sum of all rows is the steps' length.
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

/// An operator's times on both sides, of the calls in the steps that count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorChange {
    /// Its name.
    pub name: String,
    /// Operator or annotation.
    pub class: Class,
    /// The inputs' shapes, where rows tell them apart.
    pub shapes: String,
    /// The inputs' types, where rows tell them apart.
    pub types: String,
    /// How many calls.
    pub calls: Sides<u64>,
    /// Time on the host.
    pub host_total: TimeChange,
    /// The same without what is called inside.
    pub host_self: TimeChange,
    /// Device time launched by it and what it calls.
    pub device_total: TimeChange,
    /// Device time launched by itself.
    pub device_self: TimeChange,
}

/// A phase on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseChange {
    /// Which.
    pub phase: Phase,
    /// Its time on the host.
    pub host: TimeChange,
    /// Device time launched in it.
    pub device: TimeChange,
}

/// Two traces beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The step's length.
    pub length: TimeChange,
    /// Each role's part of it; their differences add up to the step's.
    pub roles: [TimeChange; 8],
    /// The phases, by [`Phase::ALL`].
    pub phases: Vec<PhaseChange>,
    /// What each name contributes, the largest difference first.
    pub contributions: Vec<Contribution>,
    /// Operators by the largest difference of their self time, on the device and the host.
    pub operators: Vec<OperatorChange>,
    /// The steps that count, by index, in pairs: of the same name if both sides have the same, else in their order.
    pub steps: Vec<Sides<Option<usize>>>,
}

/// Compares the second trace with the first.
#[must_use]
pub fn compare(sides: Sides<Compared<'_>>, config: CompareConfig) -> Comparison {
    let counted = sides.map(|side| side.analysis.steps.counted());
    let steps = counted.map(|steps| steps.len() as u64);
    let sum = |of: &dyn Fn(&Analysis, usize) -> Nanos| {
        let of_side = |side: &Compared<'_>, steps: &[usize]| steps.iter().map(|step| of(side.analysis, *step)).sum();
        TimeChange { total: Sides { a: of_side(&sides.a, &counted.a), b: of_side(&sides.b, &counted.b) }, steps }
    };
    let phase = |index: usize, of: fn(&PhaseTime) -> Nanos| {
        sum(&|analysis, step| analysis.phases.steps.get(step).map_or(Nanos::ZERO, |times| of(&times[index])))
    };
    let phases = Phase::ALL.iter().enumerate().map(|(index, name)| PhaseChange {
        phase: *name,
        host: phase(index, |time| time.host),
        device: phase(index, |time| time.device),
    });
    Comparison {
        length: sum(&|analysis, step| analysis.steps.steps[step].span.len()),
        roles: std::array::from_fn(|role| sum(&|analysis, step| analysis.roles[step][role])),
        phases: phases.collect(),
        contributions: contributions(&sides, steps, config),
        operators: operators(&sides, &counted, config),
        steps: pairs(&sides, &counted),
    }
}

/// Where each side has what has the same names; at least one has.
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

fn contributions(sides: &Sides<Compared<'_>>, steps: Sides<u64>, config: CompareConfig) -> Vec<Contribution> {
    let found = sides.map(|side| spent(side.trace, &side.analysis.steps, config.shapes));
    fn named<'a>(trace: &'a Trace, (key, spent): (&Key, &Spent)) -> ((Role, &'a str, &'a str), Spent) {
        ((key.role, trace.strings.get(key.name), trace.strings.get(key.shapes)), *spent)
    }
    let aligned = Aligned::of(
        found.a.iter().map(|row| named(sides.a.trace, row)),
        found.b.iter().map(|row| named(sides.b.trace, row)),
    );
    let rows = aligned.0.into_iter().map(|((role, name, shapes), spent)| {
        let spent = spent.map(|side| side.unwrap_or_default());
        Contribution {
            role,
            name: name.to_owned(),
            shapes: shapes.to_owned(),
            calls: spent.map(|side| side.calls),
            total: spent.map(|side| side.total),
            own: TimeChange { total: spent.map(|side| side.own), steps },
        }
    });
    let mut rows: Vec<Contribution> = rows.collect();
    let size = |row: &Contribution| row.own.difference().0.abs();
    rows.compact_sort_by(|a, b| (size(b), a.role, &a.name, &a.shapes).cmp(&(size(a), b.role, &b.name, &b.shapes)));
    rows
}

fn operators(sides: &Sides<Compared<'_>>, counted: &Sides<Vec<usize>>, config: CompareConfig) -> Vec<OperatorChange> {
    let grouping = if config.shapes { OperatorGrouping::NameShapes } else { OperatorGrouping::Name };
    let config = OperatorsConfig { grouping, merge_only_children: false };
    let rows_of = |side: &Compared<'_>, counted: &[usize]| {
        operators_in(side.trace, config, Some(&Scope::of_steps(&side.analysis.steps, counted))).rows
    };
    let rows = Sides { a: rows_of(&sides.a, &counted.a), b: rows_of(&sides.b, &counted.b) };
    let steps = counted.map(|steps| steps.len() as u64);
    let texts = sides.map(|side| &side.trace.strings);
    let aligned = Aligned::of(
        rows.a.iter().map(|row| ((row.class, row.name.as_str(), texts.a.get(row.shapes), texts.a.get(row.types)), row)),
        rows.b.iter().map(|row| ((row.class, row.name.as_str(), texts.b.get(row.shapes), texts.b.get(row.types)), row)),
    );
    let changes = aligned.0.into_iter().map(|((class, name, shapes, types), row)| {
        let time = |of: fn(&super::OperatorRow) -> Nanos| TimeChange {
            total: row.map(|row| row.map_or(Nanos::ZERO, of)),
            steps,
        };
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

fn pairs(sides: &Sides<Compared<'_>>, counted: &Sides<Vec<usize>>) -> Vec<Sides<Option<usize>>> {
    let name = |side: &Compared<'_>, step: usize| side.analysis.steps.steps[step].name.clone();
    let of_name: HashMap<String, usize, FxBuildHasher> =
        counted.b.iter().map(|step| (name(&sides.b, *step), *step)).collect();
    let same = counted.a.iter().filter(|step| of_name.contains_key(&name(&sides.a, **step))).count();
    if same == 0 {
        let of = |steps: &[usize], index: usize| steps.get(index).copied();
        let most = counted.a.len().max(counted.b.len());
        return (0..most).map(|index| Sides { a: of(&counted.a, index), b: of(&counted.b, index) }).collect();
    }
    let mut others = of_name;
    let pair = |step: &usize| Sides { a: Some(*step), b: others.remove(&name(&sides.a, *step)) };
    let mut pairs: Vec<Sides<Option<usize>>> = counted.a.iter().map(pair).collect();
    let mut alone: Vec<usize> = others.into_values().collect();
    alone.compact_sort();
    pairs.extend(alone.into_iter().map(|step| Sides { a: None, b: Some(step) }));
    pairs
}
