//! Advice on programs with one problem planted each: METRICS section 9.

use std::collections::BTreeSet;

use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, prop_assume, proptest};
use stepscope::analyze::{AdviceConfig, AnalysisConfig, CLAIM_ORDER, Evidence, Judgement, advice};
use stepscope::{Interval, Nanos, Rank};
use stepscope_tests::files::load;
use stepscope_tests::generator::{Difference, Problem, Program, ProgramSpec, Waits};

use crate::critical::programs;

/// A program bound by the device: the host is far ahead, data are there, communication is hidden.
fn healthy() -> ProgramSpec {
    ProgramSpec {
        seed: 3,
        steps: 6,
        operators: 16,
        host: 4_000,
        kernel: 150_000,
        collective: 60_000,
        communicating: 20,
        data_wait: 10_000,
        waits: Waits::Never,
        backward_thread: true,
        tells_waits: true,
        shapes: false,
    }
}

fn rank_of(program: &Program) -> Rank {
    let text = program.trace();
    let loaded = load("program.json", &text, 1 << 18).expect("a trace");
    Rank::new("program.json", text.len() as u64, loaded, &AnalysisConfig::standard())
}

fn judged(rank: &Rank) -> Vec<Judgement> {
    advice(&rank.trace, &rank.analysis, &AdviceConfig::default())
}

fn holding(judged: &[Judgement]) -> BTreeSet<&'static str> {
    judged.iter().filter(|one| one.holds).map(|one| one.rule.id).collect()
}

/// Mean difference between the lengths of the steps that count, with and without a difference: the true gain.
fn true_gain(program: &Program, rank: &Rank, difference: Difference) -> i64 {
    let (with, without) = (program.steps(Difference::Nothing), program.steps(difference));
    let counted = rank.analysis.steps.counted();
    let sum = |steps: &[(i64, i64)]| counted.iter().map(|step| steps[*step].1 - steps[*step].0).sum::<i64>();
    (sum(&with) - sum(&without)) / i64::try_from(counted.len()).expect("few steps")
}

/// Exactly these rules apply, and the first one promises no less than the true gain, and no more than `slack` times
/// that.
fn check(program: &Program, expected: &[&'static str], difference: Difference, slack: f64) {
    let rank = rank_of(program);
    let judged = judged(&rank);
    let found = holding(&judged);
    let told: Vec<String> = judged
        .iter()
        .filter(|one| one.holds)
        .map(|one| {
            format!("{} {:?} gain {:?}", one.rule.id, one.measured.as_ref().map(|found| found.value), one.gain())
        })
        .collect();
    assert_eq!(found, expected.iter().copied().collect(), "{}: {told:#?}", expected[0]);
    let planted = judged.iter().find(|one| one.rule.id == expected[0]).expect("the rule");
    let promised = planted.gain().expect("a gain").0;
    let there_is = true_gain(program, &rank, difference);
    let step = rank.analysis.average.length;
    assert!(there_is > step.0 / 200, "{}: there is nothing to gain: {there_is} of {step:?}", expected[0]);
    // Steps shift against each other if nothing waits at their ends.
    assert!(promised + step.0 / 200 >= there_is, "{}: {promised} promised, {there_is} to gain", expected[0]);
    #[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
    let ratio = promised as f64 / there_is as f64;
    assert!(ratio <= slack, "{}: {promised} promised, {there_is} to gain: {ratio:.2} times", expected[0]);
}

#[test]
fn a_healthy_program_needs_no_advice() {
    let rank = rank_of(&Program::new(healthy()));
    let judged = judged(&rank);
    assert_eq!(holding(&judged), BTreeSet::new());
    let passed = judged.iter().filter(|one| one.measured.is_ok()).count();
    assert!(passed >= 13, "{passed} rules were judged");
    for one in &judged {
        assert_eq!(one.gain(), None, "{}", one.rule.id);
    }
}

#[test]
fn a_slow_loader() {
    let program = Program::new(ProgramSpec { data_wait: 22_000_000, ..healthy() });
    check(&program, &["dataloader"], Difference::Data, 1.8);
}

/// A wait of the host that the device does not notice costs nothing.
#[test]
fn a_loader_that_keeps_up() {
    let program = Program::new(ProgramSpec { data_wait: 8_000_000, ..healthy() });
    assert_eq!(holding(&judged(&rank_of(&program))), BTreeSet::new());
}

#[test]
fn communication_that_is_not_hidden() {
    let program = Program::new(ProgramSpec { collective: 1_500_000, communicating: 50, ..healthy() });
    check(&program, &["exposed_communication"], Difference::Overlap, 1.5);
}

#[test]
fn tiny_kernels() {
    let program = Program::new(ProgramSpec { kernel: 2_000, host: 20_000, communicating: 0, ..healthy() });
    let expected = ["launch_bound", "host_bound"];
    check(&program, &expected, Difference::Launches, 4.0);
}

#[test]
fn problems_that_were_planted() {
    let slow_host = ProgramSpec { host: 60_000, kernel: 60_000, communicating: 0, ..healthy() };
    let with = |problem: Problem| Program::new(healthy()).with(problem);
    let on_host = |problem: Problem| Program::new(slow_host).with(problem);
    let cases: [(Program, &[&str], f64); 8] = [
        (on_host(Problem::Synchronization(1)), &["synchronization"], 4.0),
        (on_host(Problem::Allocation(60_000)), &["allocation"], 4.0),
        // The host waits for the copies, too: that is the same time.
        (with(Problem::PageableCopy(1_500_000)), &["pageable_copies"], 4.0),
        (with(Problem::SynchronousCopy(1_500_000)), &["synchronous_copies"], 4.0),
        (on_host(Problem::Pause(4_500_000)), &["long_gaps"], 2.0),
        (with(Problem::Transposes(60_000)), &["format_conversion"], 1.2),
        (with(Problem::SlowKernel(9_000_000)), &["slow_operator"], 1.2),
        (on_host(Problem::HostCollective(2_000_000)), &["communication_backend"], 2.0),
    ];
    for (program, expected, slack) in &cases {
        check(program, expected, Difference::NotPlanted, *slack);
    }
}

#[test]
fn what_kernels_and_collectives_are() {
    let of = |problem: Problem| holding(&judged(&rank_of(&Program::new(healthy()).with(problem))));
    assert_eq!(of(Problem::NoTensorCores), BTreeSet::from(["tensor_cores"]));
    // They are hidden, and cost nothing.
    assert_eq!(of(Problem::SmallCollectives), BTreeSet::new());
}

/// Mean time per step that a difference saves.
fn saved(program: &Program, difference: Difference, steps: usize) -> i64 {
    saved_by(program, difference, program.steps(Difference::Nothing).len() - 1)
        / i64::try_from(steps).expect("few steps")
}

/// Time by which a step ends earlier with a difference.
fn saved_by(program: &Program, difference: Difference, step: usize) -> i64 {
    let end = |difference| program.steps(difference).get(step).map_or(0, |step| step.1);
    end(Difference::Nothing) - end(difference)
}

/// Cost of waits for data that their rule does not promise, over all steps: the first step's part if the rule takes its
/// wait for the loader's start, and the time in which only communication runs, when the device is not idle.
fn unpromised(program: &Program, rank: &Rank, data: &Judgement) -> i64 {
    let slices = &rank.trace.slices;
    let waits: Vec<_> = slices.ids().filter(|id| rank.trace.name_of(*id).contains("DataLoader")).collect();
    let first = waits.iter().copied().min_by_key(|id| slices.start(*id));
    let evidence = data.measured.as_ref().map(|found| found.evidence.clone()).unwrap_or_default();
    // Evidence begins with the longest wait that counts.
    let longest = waits.iter().copied().max_by_key(|id| slices.length(*id));
    let is_start =
        first == longest && !evidence.iter().any(|one| matches!(one, Evidence::Slice(id, _) if Some(*id) == first));
    let start = if is_start { saved_by(program, Difference::Data, 0) } else { 0 };
    // A wait makes the host late by its length at most, until the next one: while a busy device hides it, and beyond.
    let spans: Vec<Interval> = waits.iter().map(|id| slices.interval(*id)).collect();
    let until = |wait: &Interval| {
        let next = spans.iter().map(|other| other.start).filter(|start| *start >= wait.end).min();
        Interval::new(wait.start, next.unwrap_or(Nanos::MAX))
    };
    let lonely = rank.analysis.devices.iter().map(|device| {
        let alone = device.sets.communication.difference(&device.sets.compute);
        spans.iter().map(|wait| alone.clip(until(wait)).len().min(wait.len()).0).sum::<i64>()
    });
    start + lonely.max().unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// A rule promises no less than the true gain. Findings promise a time once: together, the findings up to one
    /// promise no less than the gain of a run without all of their causes.
    #[test]
    fn gains_are_upper_bounds(spec in programs()) {
        are_upper_bounds(spec)?;
    }
}

fn are_upper_bounds(spec: ProgramSpec) -> Result<(), TestCaseError> {
    let program = Program::new(spec);
    let rank = rank_of(&program);
    let step = rank.analysis.average.length.0;
    let steps = rank.analysis.steps.counted().len();
    // If a program's first step is left out, the others seem to gain its loss.
    prop_assume!(steps == rank.analysis.steps.steps.len());
    let judgements = judged(&rank);
    let counted = i64::try_from(steps).expect("few steps");
    let data = judgements.iter().find(|one| one.rule.id == "dataloader").expect("the rule");
    let beside = unpromised(&program, &rank, data) / counted;
    for one in &judgements {
        let difference = match one.rule.id {
            "dataloader" => Difference::Data,
            "exposed_communication" => Difference::Overlap,
            "launch_bound" | "short_kernels" => Difference::Launches,
            _ => continue,
        };
        if one.holds || one.covered_by.is_some() {
            continue;
        }
        let Some(promised) = one.measured.as_ref().ok().and_then(|found| found.gain) else { continue };
        let (id, there_is) = (one.rule.id, saved(&program, difference, steps));
        let beside = if id == "dataloader" { beside } else { 0 };
        let at_most = promised.0 + beside + step / 50;
        prop_assert!(there_is <= at_most, "{}: {} promised, {} to gain of {}", id, promised.0, there_is, step);
    }
    let (mut causes, mut promised, mut told) = ([false; 3], 0, Vec::new());
    for rule in CLAIM_ORDER {
        let Some(one) = judgements.iter().find(|one| one.holds && one.rule.id == rule) else { continue };
        promised += one.gain().map_or(0, |gain| gain.0);
        told.push((rule, one.gain()));
        match rule {
            "exposed_communication" => causes[0] = true,
            "dataloader" => causes[1] = true,
            "launch_bound" | "short_kernels" => causes[2] = true,
            _ => continue,
        }
        let there_is = saved(&program, Difference::Several(causes), steps);
        let beside = if causes[1] { beside } else { 0 };
        prop_assert!(there_is <= promised + beside + step / 50, "{:?}: {} to gain of {}", told, there_is, step);
    }
    Ok(())
}

/// The first wait of one program is taken for the loader's start; after the second wait of the other one, communication
/// runs alone for a while.
#[test]
fn gains_beside_what_is_promised() {
    let start = ProgramSpec {
        seed: 10_964_999_135_488_902_115,
        steps: 5,
        operators: 28,
        host: 1_000,
        kernel: 18_962,
        collective: 20_000,
        communicating: 50,
        data_wait: 656_235,
        waits: Waits::Device,
        backward_thread: true,
        tells_waits: false,
        shapes: false,
    };
    let communicating = ProgramSpec {
        seed: 11_930_970_536_335_295_419,
        steps: 2,
        operators: 23,
        host: 18_058,
        kernel: 17_944,
        collective: 76_021,
        communicating: 36,
        data_wait: 242_406,
        waits: Waits::Never,
        backward_thread: true,
        tells_waits: true,
        shapes: false,
    };
    for spec in [start, communicating] {
        are_upper_bounds(spec).expect("an upper bound");
    }
}

/// A rule applies below its own value, and not from it on.
#[test]
fn thresholds_decide() {
    let rank = rank_of(&Program::new(ProgramSpec { data_wait: 22_000_000, collective: 2_500_000, ..healthy() }));
    let judged = judged(&rank);
    let simple: Vec<_> = judged.iter().filter(|one| one.holds && one.rule.thresholds.len() == 1).collect();
    assert!(simple.len() >= 2, "{:?}", holding(&judged));
    for one in simple {
        let value = one.measured.as_ref().expect("it holds").value;
        for (threshold, holds) in [(value, false), (value * 0.999, true)] {
            let mut config = AdviceConfig::default();
            assert!(config.set_threshold(one.rule.id, threshold));
            let again = advice(&rank.trace, &rank.analysis, &config);
            let same = again.iter().find(|other| other.rule.id == one.rule.id).expect("the rule");
            assert_eq!((same.holds, same.threshold), (holds, threshold), "{}", one.rule.id);
        }
    }
    let mut config = AdviceConfig::default();
    assert!(config.set_threshold("long_gaps", 1e12));
    let again = advice(&rank.trace, &rank.analysis, &config);
    assert!(!holding(&again).contains("long_gaps"));
    assert!(again.windows(2).all(|pair| pair[0].gain().unwrap_or(Nanos(-1)) >= pair[1].gain().unwrap_or(Nanos(-1))));
}

/// The applicable rules for a trace written by hand, of one step of 100 µs.
fn of_events(devices: &str, events: &str) -> BTreeSet<&'static str> {
    let text = format!(
        r#"{{"deviceProperties": [{devices}], "traceEvents": [
        {{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":100}}, {events}]}}"#
    );
    let loaded = load("hand.json", text.as_bytes(), 1 << 12).expect("a trace");
    holding(&judged(&Rank::new("hand.json", text.len() as u64, loaded, &AnalysisConfig::standard())))
}

/// Kernels that keep a device busy from 1 to 99 µs.
fn busy(device: u32) -> String {
    let kernel = |index: u32| {
        let (at, correlation) = (1 + 14 * index, 100 * device + index);
        format!(
            r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":{device},"ts":{index},"dur":1,
                "args":{{"correlation":{correlation}}}}},
            {{"ph":"X","cat":"kernel","name":"fill","pid":{device},"tid":7,"ts":{at},"dur":14,
                "args":{{"device":{device},"stream":7,"correlation":{correlation}}}}}"#
        )
    };
    (0..7).map(kernel).collect::<Vec<_>>().join(",")
}

#[test]
fn memory_that_is_full_or_unused() {
    let of = |allocated: u64, reserved: u64| {
        let memory = format!(
            r#"{{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":1,"tid":1,"ts":5,
            "args":{{"Total Reserved":{reserved},"Total Allocated":{allocated},"Bytes":10,"Addr":1,"Device Id":0,
            "Device Type":1}}}}, {}"#,
            busy(0)
        );
        of_events(r#"{"id": 0, "name": "A100", "totalGlobalMem": 1000}"#, &memory)
    };
    assert_eq!(of(700, 900), BTreeSet::new());
    assert_eq!(of(700, 901), BTreeSet::from(["memory_full"]));
    assert_eq!(of(499, 600), BTreeSet::from(["memory_unused"]));
}

#[test]
fn one_process_that_feeds_two_devices() {
    let call = r#"{"ph":"X","cat":"cpu_op","name":"DataParallel.forward","pid":1,"tid":1,"ts":9,"dur":80}"#;
    let devices = r#"{"id": 0, "name": "A100"}, {"id": 1, "name": "A100"}"#;
    let both = [busy(0), busy(1)].join(",");
    assert_eq!(of_events(devices, &both), BTreeSet::new());
    assert_eq!(of_events(devices, &[both.as_str(), call].join(",")), BTreeSet::from(["data_parallel"]));
}
