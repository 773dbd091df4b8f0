//! Two traces beside each other: METRICS section 10.

use crate::calls::modules_with;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use proptest::test_runner::TestCaseError;
use stepscope::analyze::{
    AnalysisConfig, CallGrouping, CallNode, Called, CompareConfig, CompareSide, Comparison, OperatorChange, Sides,
    StepChoice, TimeCategory, TimeChange, call_tree, compare,
};
use stepscope::export::report_json::{Diff, DiffSide};
use stepscope::table::messages::Language;
use stepscope::{Nanos, Rank};
use stepscope_tests::files::rank;
use stepscope_tests::generator::{Difference, Producer, Program, ProgramSpec, Spec, Waits};

fn rank_of(text: &[u8]) -> Rank {
    rank("trace.json", text, &AnalysisConfig::standard()).expect("a generated trace")
}

fn compared(a: &Rank, b: &Rank, shapes: bool) -> Comparison {
    let of = |rank: &Rank| CompareSide::of(rank, CompareConfig { shapes });
    compare(Sides { a: of(a), b: of(b) }.as_ref())
}

/// A program in which the device is what takes the time.
fn busy_program(seed: u64) -> Program {
    Program::new(ProgramSpec {
        seed,
        steps: 5,
        operators: 12,
        host: 2_000,
        kernel: 60_000,
        collective: 30_000,
        communicating: 20,
        data_wait: 50_000,
        waits: Waits::Device,
        backward_thread: true,
        tells_waits: false,
        shapes: false,
    })
}

/// The contributions and the categories each add up to the step, exactly.
fn adds_up(found: &Comparison) -> Result<(), TestCaseError> {
    let sum = |of: &dyn Fn(&TimeChange) -> Nanos, parts: &mut dyn Iterator<Item = TimeChange>| -> Nanos {
        parts.map(|part| of(&part)).sum()
    };
    for side in [|change: &TimeChange| change.total.a, |change: &TimeChange| change.total.b] {
        let length = side(&found.length);
        let known = length - side(&found.before_first);
        prop_assert_eq!(sum(&side, &mut found.categories.iter().copied()), known);
        prop_assert_eq!(sum(&side, &mut found.contributions.iter().map(|row| row.own)), known);
        for (index, category) in TimeCategory::ALL.iter().enumerate() {
            let of_category = found.contributions.iter().filter(|row| row.category == *category).map(|row| row.own);
            prop_assert_eq!(sum(&side, &mut of_category.into_iter()), side(&found.categories[index]), "{:?}", category);
        }
    }
    let mut sizes = found.contributions.iter().map(|row| row.own.difference().0.abs());
    prop_assert!(sizes.by_ref().is_sorted_by(|a, b| a >= b));
    Ok(())
}

/// The rows of modules have the times of the tab of modules, and together those of all threads and devices.
fn modules_add_up(found: &Comparison, ranks: Sides<&Rank>) -> Result<(), TestCaseError> {
    for (rank, side) in [(ranks.a, (|sides| sides.a) as fn(Sides<Nanos>) -> Nanos), (ranks.b, |sides| sides.b)] {
        let tree = call_tree(&rank.trace, &rank.analysis, StepChoice::Average.into(), CallGrouping::Modules);
        let mut paths: Vec<String> = Vec::new();
        let mut by_path: std::collections::BTreeMap<&str, Vec<&CallNode>> = std::collections::BTreeMap::new();
        for node in &tree.nodes {
            let above = node.parent.map_or("", |parent| paths[parent].as_str());
            paths.push(match node.call {
                Called::Thread(_) | Called::Phase(_) => String::new(),
                Called::Name(name) => {
                    let name = rank.trace.strings.get(name).trim_start_matches("nn.Module: ");
                    if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") }
                }
            });
        }
        for (path, node) in paths.iter().zip(&tree.nodes).filter(|(path, _)| !path.is_empty()) {
            by_path.entry(path).or_default().push(node);
        }
        let rows = |path: &str| found.modules.iter().find(|row| row.name == path);
        for (path, nodes) in by_path {
            let row = rows(path).expect("each module of the tab is a row");
            let shown = |of: fn(&CallNode) -> Nanos| nodes.iter().map(|node| of(node)).sum::<Nanos>();
            let times = [
                (&row.host_total, shown(|node| node.host)),
                (&row.host_self, shown(|node| node.host_self)),
                (&row.device_total, shown(|node| node.device)),
                (&row.device_self, shown(|node| node.device_self)),
            ];
            for (change, shown) in times {
                // Each mean is rounded; those of one thread alone are the same.
                prop_assert!((side(change.per_step()) - shown).0.abs() < nodes.len() as i64, "{path}");
            }
        }
        let sum = |rows: &[&OperatorChange], of: fn(&OperatorChange) -> TimeChange| TimeChange {
            total: rows.iter().fold(Sides::default(), |sum: Sides<Nanos>, row| {
                let Sides { a, b } = of(row).total;
                Sides { a: sum.a + a, b: sum.b + b }
            }),
            steps: found.length.steps,
        };
        let all: Vec<_> = found.modules.iter().collect();
        let top: Vec<_> = found.modules.iter().filter(|row| !row.name.contains('.')).collect();
        let own = (sum(&all, |row| row.host_self), sum(&all, |row| row.device_self));
        prop_assert_eq!((sum(&top, |row| row.host_total), sum(&top, |row| row.device_total)), own);
        prop_assert_eq!(side(own.0.per_step()), tree.host);
        prop_assert!((side(own.1.per_step()) - tree.device - tree.device_unlinked).0.abs() <= 1);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// A slower kernel is named as the reason for the step's change, with the true amount.
    #[test]
    fn a_slower_kernel_ranks_first(seed in any::<u64>(), factor in 2.0..6.0_f64) {
        let program = busy_program(seed);
        let (slow, fast) = (rank_of(&program.trace()), rank_of(&program.trace_of(Difference::Kernel(factor))));
        let found = compared(&fast, &slow, false);
        adds_up(&found)?;
        let first = &found.contributions[0];
        prop_assert_eq!((first.category, first.name.as_str()), (TimeCategory::Kernel, Program::KERNEL));
        // Its stream runs one kernel at a time: all its time is its own.
        prop_assert_eq!(first.own.total, first.total);
        let lengths = |rank: &Rank| rank.analysis.kernels.iter()
            .filter(|row| rank.trace.strings.get(row.name) == Program::KERNEL)
            .map(|row| (row.time.calls, row.time.total))
            .next();
        // If no step is left out as a warm-up step.
        if found.length.steps == (Sides { a: 5, b: 5 }) {
            prop_assert_eq!(first.calls.a, first.calls.b);
            prop_assert_eq!(lengths(&fast), Some((first.calls.a, first.total.a)));
            prop_assert_eq!(lengths(&slow), Some((first.calls.b, first.total.b)));
        }
        prop_assert!(first.own.difference() > Nanos::ZERO);
        let operators = |comparison: &Comparison| comparison.operators.iter().map(|row| row.device_self.difference()).max();
        prop_assert!(operators(&found) > Some(Nanos::ZERO));
    }

    /// The serialized form of a side is complete: the traces need not be in one place.
    #[test]
    fn a_side_comes_back_from_its_bytes(seeds in any::<[u64; 2]>(), shapes in any::<bool>(), steps in 1..6_usize) {
        let spec = |seed, steps| Spec { steps, ..Spec::small(seed) };
        let (a, b) = (rank_of(&spec(seeds[0], 4).generate().0), rank_of(&spec(seeds[1], steps).generate().0));
        let config = CompareConfig { shapes };
        let sides = Sides { a: DiffSide::of(&a, config), b: DiffSide::of(&b, config) };
        let bytes = sides.map(DiffSide::to_bytes);
        let back = bytes.map(|bytes| DiffSide::from_bytes(bytes).expect("a side"));
        prop_assert_eq!(&back, &sides);
        let direct = Diff::of(Sides { a: &a, b: &b }, config).to_json();
        prop_assert!(direct == Diff::between(back.as_ref(), Language::English).to_json());
        for end in [0, 1, bytes.a.len() / 2, bytes.a.len() - 1] {
            prop_assert_eq!(DiffSide::from_bytes(&bytes.a[..end]), None);
        }
    }

    /// A trace compared with itself has not changed; compared the other way round, everything has the other sign.
    #[test]
    fn the_other_way_round(seeds in any::<[u64; 2]>(), shapes in any::<bool>(), steps in 1..6_usize) {
        let spec = |seed, steps| Spec { steps, python: true, ..Spec::small(seed) };
        let (a, b) = (rank_of(&spec(seeds[0], 4).generate().0), rank_of(&spec(seeds[1], steps).generate().0));
        let (forth, back, same) = (compared(&a, &b, shapes), compared(&b, &a, shapes), compared(&a, &a, shapes));
        adds_up(&forth)?;
        adds_up(&same)?;
        prop_assert!(forth.modules.len() > 1);
        modules_add_up(&forth, Sides { a: &a, b: &b })?;
        prop_assert!(same.modules.iter().all(|row| row.host_total.difference() == Nanos::ZERO));
        prop_assert!(same.contributions.iter().all(|row| row.own.difference() == Nanos::ZERO));
        prop_assert!(same.operators.iter().all(|row| row.host_self.difference() == Nanos::ZERO));
        prop_assert!(same.steps.iter().all(|pair| pair.a == pair.b && pair.a.is_some()));
        prop_assert_eq!(forth.contributions.len(), back.contributions.len());
        for row in &forth.contributions {
            let other = back.contributions.iter()
                .find(|other| (other.category, &other.name, &other.shapes) == (row.category, &row.name, &row.shapes));
            let other = other.expect("the same names");
            prop_assert_eq!(row.own.difference().0, -other.own.difference().0);
            prop_assert_eq!((row.calls.a, row.total.a), (other.calls.b, other.total.b));
        }
        prop_assert_eq!(forth.length.difference().0, -back.length.difference().0);
    }
}

/// The same run as different frameworks write it: the device's activity is the same.
#[test]
fn frameworks_may_differ() {
    let of = |producer| rank_of(&Spec { producer, ..Spec::small(5) }.generate().0);
    let (torch, paddle) = (of(Producer::Kineto), of(Producer::Paddle));
    let found = compared(&torch, &paddle, false);
    adds_up(&found).expect("it adds up");
    for category in [TimeCategory::Kernel, TimeCategory::Communication, TimeCategory::Memcpy] {
        let change = found.categories[category as usize];
        assert!(change.total.a > Nanos::ZERO, "{category:?}");
        assert_eq!(change.total.a, change.total.b, "{category:?}");
    }
    let kernels = || found.contributions.iter().filter(|row| row.category == TimeCategory::Kernel);
    assert!(kernels().count() > 3);
    assert_eq!(kernels().find(|row| row.calls.a != row.calls.b || row.own.difference() != Nanos::ZERO), None);
}

/// Rows of only one trace are there, with nothing on the other side.
#[test]
fn added_and_removed() {
    let of = |communicating| rank_of(&Spec { communicating, ..Spec::small(9) }.generate().0);
    let found = compared(&of(0), &of(100), false);
    adds_up(&found).expect("it adds up");
    let added: Vec<_> = found.contributions.iter().filter(|row| row.category == TimeCategory::Communication).collect();
    assert!(!added.is_empty());
    for row in added {
        assert_eq!((row.calls.a, row.total.a, row.mean().a), (0, Nanos::ZERO, None), "{}", row.name);
        assert!(row.calls.b > 0 && row.mean().b > Some(Nanos::ZERO), "{}", row.name);
        assert_eq!(row.own.difference(), row.own.per_step().b);
    }
    assert!(found.operators.iter().any(|row| row.calls.a == 0 && row.calls.b > 0));
}

/// The module that became slower is the first row, by its own time; the model around it has that time in its total only.
#[test]
fn a_slower_module_ranks_first() {
    let (fast, slow) = (modules_with(0), modules_with(8));
    let found = compared(&fast, &slow, false);
    modules_add_up(&found, Sides { a: &fast, b: &slow }).expect("it adds up");
    let times = |row: &OperatorChange| {
        let times = [&row.device_self, &row.device_total, &row.host_self, &row.host_total];
        times.map(|time| (time.total.a.0 / 1000, time.difference().0 / 1000))
    };
    let rows: Vec<_> = found.modules.iter().map(|row| (row.name.as_str(), times(row))).collect();
    let wanted = [
        ("Net_0.Linear_1", [(20, 8), (20, 8), (40, 8), (40, 8)]),
        ("Net_0", [(5, 0), (35, 8), (100, -8), (200, 0)]),
        ("", [(40, 0), (40, 0), (230, 0), (230, 0)]),
        ("Net_0.Linear_0", [(10, 0), (10, 0), (60, 0), (60, 0)]),
    ];
    assert_eq!(rows, wanted);
    assert_eq!(found.modules[0].calls, Sides { a: 1, b: 1 });
    // Without modules there are no rows, not one for all time.
    let bare = rank_of(&Spec { python: false, ..Spec::small(3) }.generate().0);
    assert_eq!(compared(&bare, &bare, false).modules, []);
}
