//! Critical paths and what-ifs: METRICS section 11.

use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::Just;
use proptest::test_runner::TestCaseError;
use stepscope::Rank;
use stepscope::analyze::{Change, ExecutionGraph, what_if};
use stepscope_tests::files::load;
use stepscope_tests::generator::{Difference, Problem, Program, ProgramSpec, Waits};
use stepscope_tests::oracle::critical_identities;

/// Relative tolerance of a prediction.
const TOLERANCE: f64 = 0.02;

/// Programs of any kind.
pub(crate) fn programs() -> impl Strategy<Value = ProgramSpec> {
    let shape = (2..7_usize, 4..40_usize, 0..=60_u64);
    let times = (1_000..20_000_u64, 2_000..60_000_u64, 20_000..300_000_u64, 1..2_000_000_u64);
    let waits = prop_oneof![
        Just(Waits::Never),
        Just(Waits::Device),
        Just(Waits::Stream),
        Just(Waits::Event),
        Just(Waits::Copy)
    ];
    (any::<u64>(), shape, times, waits, any::<[bool; 2]>()).prop_map(|(seed, shape, times, waits, switches)| {
        let (steps, operators, communicating) = shape;
        let (host, kernel, collective, data_wait) = times;
        let [backward_thread, tells_waits] = switches;
        ProgramSpec {
            seed,
            steps,
            operators,
            host,
            kernel,
            collective,
            communicating,
            data_wait,
            waits,
            backward_thread,
            tells_waits,
            shapes: false,
        }
    })
}

/// The possible changes, for the analyzer and for the machine.
fn changes(factor: f64) -> [(Change, Difference); 5] {
    [
        (Change::Nothing, Difference::Nothing),
        (Change::Overlap, Difference::Overlap),
        (Change::Data, Difference::Data),
        (Change::Launches, Difference::Launches),
        (Change::Kernel { name: Program::KERNEL.to_owned(), factor }, Difference::Kernel(factor)),
    ]
}

fn rank_of(program: &Program) -> Result<Rank, TestCaseError> {
    let text = program.trace();
    let loaded = load("program.json", &text, 1 << 18).map_err(|error| TestCaseError::fail(error.to_string()))?;
    Ok(Rank::new("program.json", text.len() as u64, loaded, &stepscope::analyze::AnalysisConfig::standard()))
}

#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
fn mean_of(spans: &[(i64, i64)], counted: &[usize]) -> f64 {
    counted.iter().map(|step| spans[*step].1 - spans[*step].0).sum::<i64>() as f64 / counted.len() as f64
}

#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
fn predicts(program: &Program, factor: f64) -> Result<(), TestCaseError> {
    let rank = rank_of(program)?;
    critical_identities(&rank).map_err(TestCaseError::fail)?;
    let (trace, steps) = (&rank.trace, &rank.analysis.steps);
    let graph = ExecutionGraph::of(trace, steps);
    let counted = steps.counted();
    let recorded = program.steps(Difference::Nothing);
    prop_assert!(!counted.is_empty());
    for (change, difference) in changes(factor) {
        let replay = what_if(trace, steps, &graph, &change);
        let truth = program.steps(difference);
        prop_assert_eq!(replay.steps.len(), truth.len());
        // If the steps before those that count gain more than these do, these seem to become longer.
        let mean = mean_of(&truth, &counted).min(mean_of(&recorded, &counted));
        let found = replay.mean[1].0 as f64;
        prop_assert!(
            (found - mean).abs() <= TOLERANCE * mean,
            "{:?}: {} instead of {}, from {:?}",
            difference,
            found,
            mean,
            replay.mean[0]
        );
        for (step, (after, before)) in replay.steps.iter().zip(truth.iter().zip(&recorded)) {
            // The predicted end, relative to the time until then, and not only the predicted length.
            let (earlier, true_earlier) = ((step.before.end - step.after.end).0, before.1 - after.1);
            let off = (earlier - true_earlier).abs() as f64;
            let until = (after.1 - truth[0].0) as f64;
            prop_assert!(off <= TOLERANCE * until, "{:?}: {} earlier instead of {}", difference, earlier, true_earlier);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_would_be_is_predicted(spec in programs(), factor in 1.0..20.0_f64) {
        predicts(&Program::new(spec), factor)?;
    }

    /// The host waits for a place in the queue most of the time: faster kernels free it sooner.
    #[test]
    fn a_full_queue_is_part_of_what_would_be(spec in programs(), queue in 4..32_usize, factor in 1.0..4.0_f64) {
        let waits = if spec.waits == Waits::Copy { Waits::Device } else { spec.waits };
        let spec = ProgramSpec { operators: 40, host: 2_000, kernel: spec.kernel.max(25_000), data_wait: 1, waits, ..spec };
        predicts(&Program::new(spec).with(Problem::FullQueue(queue)), factor)?;
    }
}

/// The queue of the collectives is full, too, though the host waits for that of the kernels between.
#[test]
fn two_full_queues_are_part_of_what_would_be() {
    let spec = ProgramSpec {
        seed: 17_070_307_533_199_229_647,
        steps: 5,
        operators: 40,
        host: 2_000,
        kernel: 25_000,
        collective: 289_482,
        communicating: 57,
        data_wait: 1,
        waits: Waits::Never,
        backward_thread: false,
        tells_waits: false,
        shapes: false,
    };
    predicts(&Program::new(spec).with(Problem::FullQueue(16)), 2.0).expect("as it would be");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// The same with about as many places as CUDA's queues have.
    #[test]
    fn a_full_queue_of_cuda_is_part_of_what_would_be(spec in programs(), queue in 900..1_100_usize, factor in 1.0..4.0_f64) {
        let spec = ProgramSpec { steps: 3, operators: 600, host: 2_000, kernel: spec.kernel.max(25_000), data_wait: 1, ..spec };
        let spec = ProgramSpec { waits: if spec.waits == Waits::Copy { Waits::Device } else { spec.waits }, ..spec };
        predicts(&Program::new(spec).with(Problem::FullQueue(queue)), factor)?;
    }
}
