//! The budget's saving for a removed cause, compared with programs that run again without it. INSIGHT section 5, C and
//! D.

use stepscope::Rank;
use stepscope::analyze::{
    AnalysisConfig, BudgetCause, CauseKind, CompareConfig, CompareSide, FirstLine, Outcome, OutcomeVerdict, RoofFamily,
    Sides, compare,
};
use stepscope_tests::files::load;
use stepscope_tests::generator::{Difference, Family, Gone, Problem, Product, Program, ProgramSpec, Random, Waits};

/// Tolerance of a saving, as a share of the step.
pub(crate) const TOLERANCE: f64 = 0.02;

/// The difference that removes a cause from a program; `None` for causes that these programs do not have.
fn without(kind: CauseKind) -> Option<Difference> {
    Some(match kind {
        CauseKind::DataPipeline => Difference::Data,
        CauseKind::Communication => Difference::Overlap,
        CauseKind::Synchronization => Difference::Gone(Gone::Waits),
        CauseKind::Allocation => Difference::Gone(Gone::Allocations),
        CauseKind::GarbageCollection => Difference::Gone(Gone::GarbageCollection),
        CauseKind::Compile => Difference::Gone(Gone::Compilation),
        CauseKind::HostCollective => Difference::Gone(Gone::HostCollectives),
        CauseKind::LaunchBound => Difference::Gone(Gone::HostWork),
        CauseKind::Copies => Difference::Gone(Gone::Copies),
        CauseKind::BetweenKernels => Difference::Gone(Gone::Pauses),
        CauseKind::AboveRoof(RoofFamily::Matrix) => Difference::Good(Family::Matrix),
        CauseKind::Float32Products => Difference::Good(Family::Single),
        CauseKind::AboveRoof(RoofFamily::Elementwise) => Difference::Good(Family::Elementwise),
        CauseKind::AboveRoof(RoofFamily::Softmax) => Difference::Good(Family::Softmax),
        CauseKind::AboveRoof(RoofFamily::Attention) => Difference::Good(Family::Attention),
        _ => return None,
    })
}

/// A program of any kind, with one or two problems of any strength.
fn program(seed: u64) -> (Program, Vec<Problem>) {
    let mut random = Random::new(seed);
    let mut between = |low: u64, high: u64| random.range(low, high);
    let waits = [Waits::Never, Waits::Device, Waits::Stream, Waits::Event, Waits::Copy][between(0, 4) as usize];
    let spec = ProgramSpec {
        seed: between(0, 1 << 40),
        steps: between(3, 6) as usize,
        operators: between(6, 24) as usize,
        host: between(1_000, 20_000),
        kernel: between(2_000, 80_000),
        collective: between(10_000, 200_000),
        communicating: between(0, 40),
        data_wait: between(1, 400_000),
        waits,
        backward_thread: between(0, 1) == 0,
        tells_waits: between(0, 1) == 0,
        shapes: false,
    };
    let count = between(0, 2);
    let mut problems: Vec<Problem> = (0..count)
        .map(|_| match between(0, 13) {
            0 => Problem::Synchronization(between(1, 8) as usize),
            1 => Problem::Allocation(nanos(between(5_000, 80_000))),
            2 => Problem::PageableCopy(nanos(between(200_000, 3_000_000))),
            3 => Problem::SynchronousCopy(nanos(between(200_000, 3_000_000))),
            4 => Problem::HostCollective(nanos(between(200_000, 3_000_000))),
            5 => Problem::ReadsValue(between(1, 8) as usize),
            6 => Problem::GarbageCollection(between(4, 20) as usize, nanos(between(50_000, 600_000))),
            7 => Problem::Compilation(nanos(between(300_000, 4_000_000))),
            8 => Problem::ModuleLoad(nanos(between(300_000, 4_000_000))),
            9 => Problem::SlowPython(nanos(between(10_000, 80_000))),
            10 => Problem::SlowOperators(nanos(between(10_000, 80_000))),
            11 => Problem::SlowLaunches(nanos(between(5_000, 60_000))),
            12 => Problem::Fills(nanos(between(2_000, 30_000))),
            _ => Problem::Transposes(nanos(between(2_000, 30_000))),
        })
        .collect();
    if seed % 4 == 3 {
        problems.push(Problem::FullQueue(between(4, 32) as usize));
    }
    (problems.iter().fold(Program::new(spec), |program, problem| program.with(*problem)), problems)
}

pub(crate) fn nanos(length: u64) -> i64 {
    i64::try_from(length).expect("less than a second")
}

pub(crate) fn rank_of(program: &Program) -> Rank {
    rank_without(program, Difference::Nothing)
}

fn rank_without(program: &Program, difference: Difference) -> Rank {
    rank_of_text("program.json", &program.trace_of(difference))
}

pub(crate) fn rank_of_text(name: &str, text: &[u8]) -> Rank {
    let loaded = load(name, text, 1 << 18).expect("a trace");
    Rank::new(name, text.len() as u64, loaded, &AnalysisConfig::standard())
}

/// The mean time of the steps that count, each until the next one begins if that counts, too.
#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
pub(crate) fn mean(steps: &[(i64, i64)], counted: &[usize]) -> f64 {
    let until = |step: usize| if counted.contains(&(step + 1)) { steps[step + 1].0 } else { steps[step].1 };
    counted.iter().map(|step| until(*step) - steps[*step].0).sum::<i64>() as f64 / counted.len() as f64
}

/// The true saving without a cause.
pub(crate) fn truth(program: &Program, counted: &[usize], kind: CauseKind) -> Option<f64> {
    let difference = without(kind)?;
    Some(mean(&program.steps(Difference::Nothing), counted) - mean(&program.steps(difference), counted))
}

#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
pub(crate) fn bounds(cause: &BudgetCause) -> Option<(f64, f64)> {
    let saving = cause.saving?;
    Some((saving.low.0 as f64, saving.high.0 as f64))
}

#[test]
fn what_removing_a_cause_saves_lies_between_its_bounds() {
    const PROGRAMS: u64 = 400;
    let (mut causes, mut outside) = (0_u32, Vec::new());
    for seed in 0..PROGRAMS {
        let (program, problems) = program(seed);
        let rank = rank_of(&program);
        let counted = rank.analysis.steps.counted();
        let step = mean(&program.steps(Difference::Nothing), &counted);
        for cause in &rank.step_budget().expect("events").causes {
            let Some(truth) = truth(&program, &counted, cause.kind) else { continue };
            // Small causes are not replayed.
            let Some((low, high)) = bounds(cause) else { continue };
            causes += 1;
            let off = (low - truth).max(truth - high);
            if off > TOLERANCE * step {
                let kind = cause.kind.name();
                outside.push(format!(
                    "{seed}: {kind} saves {truth:.0} of {step:.0}, not {low:.0} to {high:.0} ({problems:?})"
                ));
            }
        }
    }
    assert!(causes > 1_000, "{causes} causes");
    assert!(outside.len() * 100 <= causes as usize, "{} of {causes} outside:\n{}", outside.len(), outside.join("\n"));
}

/// Where the host waits for places in a full queue, faster kernels free them sooner: the replay must know, or the lower
/// bound is nothing.
#[test]
fn a_full_queue_does_not_hide_what_faster_kernels_save() {
    const PROGRAMS: u64 = 40;
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed);
        let spec = ProgramSpec {
            seed,
            steps: 4,
            operators: 40,
            host: 2_000,
            kernel: 30_000,
            collective: 10_000,
            communicating: 0,
            data_wait: 1,
            waits: Waits::Device,
            backward_thread: false,
            tells_waits: true,
            // The limits of products are known by their shapes.
            shapes: true,
        };
        let products =
            Problem::Products { count: 2, least: 60_000, percent: nanos(random.range(20, 50)), kind: Product::Aligned };
        let queue = Problem::FullQueue(usize::try_from(random.range(4, 16)).expect("small"));
        let program = Program::new(spec).with(products).with(queue);
        let rank = rank_of(&program);
        let counted = rank.analysis.steps.counted();
        let kind = CauseKind::AboveRoof(RoofFamily::Matrix);
        let cause =
            rank.step_budget().expect("events").causes.iter().find(|cause| cause.kind == kind).expect("a cause");
        let (truth, (low, high)) = (truth(&program, &counted, kind).expect("known"), bounds(cause).expect("replayed"));
        assert!(low >= 0.9 * truth && truth <= 1.02 * high, "{seed}: {truth:.0} of {low:.0} to {high:.0}");
    }
}

/// Where workers make batches too slowly, a faster host waits for them: it saves nothing. Where they are much faster than
/// the host, it saves as much as without them. How fast workers are that are never late is not recorded.
#[test]
fn workers_bound_what_a_faster_host_saves() {
    const PROGRAMS: u64 = 80;
    let (mut causes, mut bounded, mut outside) = (0_u32, 0_u32, Vec::new());
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed);
        let spec = ProgramSpec {
            seed,
            steps: 10,
            operators: 12,
            host: 4_000,
            kernel: 20_000,
            collective: 10_000,
            communicating: 0,
            data_wait: 1,
            waits: [Waits::Never, Waits::Device][usize::try_from(seed % 2).expect("small")],
            backward_thread: false,
            tells_waits: true,
            shapes: false,
        };
        let host = match seed % 3 {
            0 => Problem::SlowPython(nanos(random.range(100_000, 200_000))),
            1 => Problem::SlowOperators(nanos(random.range(100_000, 200_000))),
            _ => Problem::GarbageCollection(6, nanos(random.range(600_000, 1_200_000))),
        };
        let workers = random.range(1, 4);
        // The host needs 4 to 9 ms for a step, and without the problem less than 2 ms.
        let (low, high) = if seed % 4 == 0 { (200_000, 1_000_000) } else { (11_000_000, 16_000_000) };
        let batch = nanos(workers * random.range(low, high));
        let loader = Problem::SlowWorkers(batch, usize::try_from(workers).expect("small"));
        let program = Program::new(spec).with(host).with(loader);
        let rank = rank_of(&program);
        let counted = rank.analysis.steps.counted();
        let step = mean(&program.steps(Difference::Nothing), &counted);
        for cause in &rank.step_budget().expect("events").causes {
            let kind = cause.kind;
            let Some((truth, (low, high))) = truth(&program, &counted, kind).zip(bounds(cause)) else { continue };
            causes += 1;
            let is_host = matches!(kind, CauseKind::LaunchBound | CauseKind::GarbageCollection);
            #[expect(clippy::cast_precision_loss, reason = "a share")]
            let takes = cause.score.0 as f64;
            bounded += u32::from(is_host && truth + TOLERANCE * step < takes);
            if (low - truth).max(truth - high) > TOLERANCE * step {
                let kind = kind.name();
                outside.push(format!(
                    "{seed}: {kind} saves {truth:.0} of {step:.0}, not {low:.0} to {high:.0} ({host:?}, {loader:?})"
                ));
            }
        }
    }
    assert!(causes > 100 && bounded > 20, "{causes} causes, {bounded} of them bounded by workers");
    assert!(outside.len() * 100 <= causes as usize, "{} of {causes} outside:\n{}", outside.len(), outside.join("\n"));
}

#[test]
fn the_first_line_names_what_saves_most() {
    const PROGRAMS: u64 = 400;
    let (mut judged, mut wrong) = (0_u32, Vec::new());
    for seed in 0..PROGRAMS {
        let (program, problems) = program(seed);
        let rank = rank_of(&program);
        let counted = rank.analysis.steps.counted();
        let step = mean(&program.steps(Difference::Nothing), &counted);
        let budget = rank.step_budget().expect("events");
        let saves = |kind: CauseKind| truth(&program, &counted, kind);
        let kinds = CauseKind::all().into_iter();
        let (best, most) =
            kinds.filter_map(|kind| Some((kind, saves(kind)?))).max_by(|a, b| a.1.total_cmp(&b.1)).expect("kinds");
        if most < 0.05 * step {
            continue;
        }
        judged += 1;
        let named = match budget.first {
            // These programs record no shapes: if kernels take most of the step, the largest known cause is named
            // second.
            FirstLine::OneCause | FirstLine::NotEnoughRecorded | FirstLine::LimitUnknown | FirstLine::NoSingleCause => {
                1
            }
            FirstLine::TwoCauses => 2,
            _ => 0,
        };
        let named: Vec<(&str, f64)> = budget
            .causes
            .iter()
            .take(named)
            .map(|cause| (cause.kind.name(), saves(cause.kind).unwrap_or_default()))
            .collect();
        if !named.iter().any(|(_, saved)| *saved >= 0.9 * most) {
            wrong.push(format!("{seed}: {} saves {most:.0} of {step:.0}, said {named:?} ({problems:?})", best.name()));
        }
    }
    assert!(judged > 350, "{judged} programs lose time");
    assert!(wrong.len() * 100 <= judged as usize * 3, "{} of {judged} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// If a cause is removed, a comparison with the program without it shows the prediction, and that it was right.
#[test]
fn a_comparison_says_what_was_predicted_and_achieved() {
    const PROGRAMS: u64 = 200;
    let (mut judged, mut wrong) = (0_usize, Vec::new());
    for seed in 0..PROGRAMS {
        let (program, problems) = program(seed);
        let before = rank_of(&program);
        // Communication that nothing waits for may still be exposed: it has not disappeared.
        let goes = |kind: CauseKind| kind != CauseKind::Communication && without(kind).is_some();
        let large = |cause: &&BudgetCause| cause.share >= 0.1 && goes(cause.kind);
        let budget = before.step_budget().expect("events");
        let Some(cause) = budget.causes.iter().find(large) else { continue };
        let after = rank_without(&program, without(cause.kind).expect("a difference"));
        let sides = Sides { a: &before, b: &after }.map(|rank| CompareSide::of(rank, CompareConfig { shapes: false }));
        let found = compare(sides.as_ref());
        judged += 1;
        let kept = |found: &Outcome| found.cause.kind == cause.kind && found.verdict == OutcomeVerdict::AsPredicted;
        if !found.outcome.as_ref().is_some_and(kept) {
            wrong.push(format!("{seed}: {} is gone, said {:?} ({problems:?})", cause.kind.name(), found.outcome));
        }
    }
    assert!(judged > 80, "{judged} programs with a large cause");
    assert!(wrong.len() * 20 <= judged, "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
}

/// With every thousandth of the numbered calls, a trace is a sample; with every tenth it is not.
#[test]
fn a_sample_of_the_calls_is_said_first() {
    let text = String::from_utf8(program(3).0.trace_of(Difference::Nothing)).expect("text");
    let numbered = |every: u64| {
        let mut parts = text.split("\"correlation\": ");
        let mut told = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(part.len());
            let number: u64 = part[..end].parse().expect("a number");
            told.push_str(&format!("\"correlation\": {}{}", number * every, &part[end..]));
        }
        rank_of_text("program.json", told.as_bytes())
    };
    let first = |every: u64| numbered(every).step_budget().map(|budget| (budget.first, budget.sampled_calls));
    let (found, share) = first(1_000).expect("a budget");
    assert_eq!(found, FirstLine::SampledCalls);
    assert!(share.is_some_and(|share| (share - 0.001).abs() < 0.000_5), "{share:?}");
    for every in [1, 10] {
        assert!(matches!(first(every), Some((first, None)) if first != FirstLine::SampledCalls), "{every}");
    }
}
