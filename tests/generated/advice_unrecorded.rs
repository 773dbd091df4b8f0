//! Advice makes no statement about unrecorded events, on steps written by hand.

use stepscope::analyze::{
    AdviceConfig, BudgetLeaf, Conclusion, Evidence, IdleLeaf, Missing, NotApplicable, Verdict, advice, budget, overview,
};
use stepscope::{Nanos, Rank};

use super::advice_hand::{assert_measures, call, kernel, of_rule, rank_of, rank_on, slice, step};

/// A collective of the host beside computing, or without any.
#[test]
fn communication_of_hosts_is_exposed_where_none_of_their_threads_computes() {
    let reduces = slice("cpu_op", "gloo:all_reduce", 2, (10, 90), "");
    let computes = slice("cpu_op", "aten::mm", 1, (5, 50), "");
    let rank = rank_of(&[step(1, (0, 100)), reduces.clone(), computes]);
    assert_measures(&rank, "exposed_communication", 0.4, true);
    assert_eq!(of_rule(&rank, "exposed_communication").gain(), Some(Nanos(40_000)));
    let alone = rank_of(&[step(1, (0, 100)), reduces]);
    assert_eq!(of_rule(&alone, "exposed_communication").measured, Err(NotApplicable::NoComputing));
}

/// Between two operators the trace shows nothing for most of the time: within a marked step the host is at least known to be in it.
#[test]
fn a_path_through_silence_is_not_the_hosts() {
    let of = |mark: &[String]| {
        let events = [
            slice("cpu_op", "aten::mm", 1, (0, 3), ""),
            call("cudaLaunchKernel", (1, 2), 1),
            kernel("gemm", 7, (3, 10), 1),
            slice("cpu_op", "aten::mm", 1, (994, 997), ""),
            call("cudaLaunchKernel", (995, 996), 2),
            kernel("gemm", 7, (998, 999), 2),
        ];
        of_rule(&rank_of(&[mark, &events].concat()), "host_bound").measured.map(|_| ())
    };
    assert_eq!(of(&[]), Err(NotApplicable::PathUnrecorded));
    assert_eq!(of(&[step(1, (0, 1_000))]), Ok(()));
}

/// The device state is unknown for most of the step, and the device idles in nearly all of the rest.
#[test]
fn a_device_that_idles_whenever_its_state_is_known_is_mostly_idle() {
    let rank = rank_of(&[
        slice("cpu_op", "aten::mm", 1, (0, 1_000), ""),
        call("cudaLaunchKernel", (10, 12), 1),
        // It waits for earlier work, which is not in the trace.
        kernel("gemm", 7, (700, 710), 1),
        call("cudaLaunchKernel", (980, 982), 2),
        kernel("gemm", 7, (983, 990), 2),
        slice("cpu_op", "aten::mm", 1, (1_000, 1_002), ""),
    ]);
    let found = of_rule(&rank, "low_utilization");
    assert!(found.measured.as_ref().is_ok_and(|found| found.value < 0.1), "{found:?}");
    assert!(found.holds || found.covered_by.is_some(), "{found:?}");
}

/// After the last activity nothing is recorded: the part of it that could be saved is not known.
#[test]
fn an_end_that_nothing_explains_is_no_gain() {
    let rank = rank_of(&[step(1, (0, 10_000)), call("cudaLaunchKernel", (10, 12), 1), kernel("gemm", 7, (13, 20), 1)]);
    let found = of_rule(&rank, "low_utilization");
    assert_eq!((found.holds, found.gain()), (true, None), "{found:?}");
}

/// Three steps wait for data hardly at all, one for half of its time.
#[test]
fn one_step_that_waits_is_told_as_one() {
    const WAIT: &str = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    let of = |waits: [u32; 5]| {
        let steps = waits.iter().enumerate().flat_map(|(index, wait)| {
            let at = 1_000 * u32::try_from(index).expect("few steps");
            let work = at + wait;
            [
                step(index as u32 + 1, (at, at + 1_000)),
                slice("user_annotation", WAIT, 1, (at, work), ""),
                call("cudaLaunchKernel", (work + 1, work + 2), index as u32 + 1),
                kernel("gemm", 7, (work + 3, at + 999), index as u32 + 1),
            ]
        });
        of_rule(&rank_of(&steps.collect::<Vec<_>>()), "dataloader").wording()
    };
    assert_eq!(of([5, 6, 500, 5, 6]), "dataloader.once");
    assert_eq!(of([5, 300, 500, 300, 400]), "dataloader");
    // The others wait for less than the limit on average, but three steps wait for more than it.
    assert_eq!(of([2, 75, 2, 60, 120]), "dataloader");
}

#[test]
fn errors_of_the_profiler_keep_a_trace_from_nothing_to_do() {
    let text = format!(
        r#"{{"deviceProperties": [], "traceEvents": [{}],
            "ERROR": ["failed with code 35"]}}"#,
        [step(1, (0, 100)), call("cudaLaunchKernel", (1, 2), 1), kernel("gemm", 7, (3, 99), 1)].join(",")
    );
    let loaded = stepscope_tests::files::load("hand.json", text.as_bytes(), 1 << 12).expect("a trace");
    let config = stepscope::analyze::AnalysisConfig::standard();
    let rank = Rank::new("hand.json", text.len() as u64, loaded, &config);
    assert!(rank.missing.contains(&Missing::Errors), "{:?} {:?}", rank.missing, rank.warnings);
}

const A100: &str = r#"{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "computeMajor": 8, "computeMinor": 0}"#;

/// A step of five products of square matrices of that size and type on an A100, each a millisecond.
fn products(size: u32, dtype: &str) -> Rank {
    let product = |number: u32| {
        let at = 1_000 * (number - 1);
        let shapes = format!(r#""Input Dims":[[{size},{size}],[{size},{size}]],"Input type":["{dtype}","{dtype}"]"#);
        [
            slice("cpu_op", "aten::mm", 1, (10 * number, 10 * number + 8), &shapes),
            call("cudaLaunchKernel", (10 * number + 2, 10 * number + 4), number),
            kernel(&format!("gemm_{number}"), 7, (at.max(15), at + 1_000), number),
        ]
    };
    let events = [step(1, (0, 5_000))].into_iter().chain((1..=5).flat_map(product));
    rank_on(A100, &events.collect::<Vec<_>>())
}

/// The inputs show what keeps products from the limit, so that padding is not advised for aligned ones.
#[test]
fn slow_products_are_told_by_their_sizes_and_types() {
    let wording = |size: u32, dtype: &str| products(size, dtype).budget_verdict().cause.expect("a cause").wording;
    assert_eq!(wording(4096, "c10::Half"), "above_roof_matrix_aligned");
    assert_eq!(wording(4095, "c10::Half"), "above_roof_matrix_unaligned");
    assert_eq!(wording(1024, "float"), "above_roof_matrix_wide");
}

/// Matrix products on an A100 take five times as long as its matrix units need: no rule covers that, but the budget
/// does.
#[test]
fn nothing_to_do_is_not_said_beside_a_cause_of_the_budget() {
    let rank = products(4096, "c10::Half");
    let judged = advice(&rank.trace, &rank.analysis, &AdviceConfig::default());
    let budget = rank.budget_verdict();
    let missing = Missing::with_rules(&rank.missing, judged.iter(), &budget);
    let found = Conclusion::of(judged.iter(), missing, [budget.cause]);
    let (_, cause) = found.cause.expect("the budget names a cause");
    assert_eq!((found.verdict, cause.wording), (Verdict::Cause, "above_roof_matrix_aligned"));
    assert!((cause.share - 0.45).abs() < 0.02, "{cause:?}");
    // Without shapes there is no limit to compare with: the result is unknown, not zero.
    let silent: Vec<String> =
        [step(1, (0, 100)), call("cudaLaunchKernel", (1, 2), 1), kernel("gemm", 7, (3, 99), 1)].into();
    let rank = rank_on(A100, &silent);
    let budget = rank.budget_verdict();
    assert!(Missing::with_rules(&rank.missing, [].iter(), &budget).contains(&Missing::Cause), "{budget:?}");
}

/// The first of these steps, which the step trace leaves out, is as long as the others together.
#[test]
fn time_between_steps_is_a_part_of_the_average_step() {
    let of = |number: u32, (start, end): (u32, u32)| {
        let forward = slice("user_annotation", "forward", 1, (start + 20, end - 10), "");
        [step(number, (start, end)), forward, slice("cpu_op", "aten::mm", 1, (start + 20, end - 10), "")]
    };
    let steps = [of(1, (0, 200)), of(2, (200, 310)), of(3, (310, 400))].concat();
    let rank = rank_of(&steps);
    let found = of_rule(&rank, "iteration_interval");
    assert_eq!((rank.analysis.average.steps, found.holds, found.step), (3, true, Some(rank.analysis.average.length)));
    assert!(found.gain_share().is_some_and(|share| (share - 60.0 / 400.0).abs() < 1e-6), "{found:?}");
}

/// Nothing but a range of the program is recorded while the device waits for the next launch.
fn in_a_range(category: &str, inner: &str) -> Rank {
    rank_of(&[
        step(1, (0, 10_000)),
        call("cudaLaunchKernel", (1, 2), 1),
        kernel("gemm", 7, (3, 1_000), 1),
        slice(category, "run_stage", 1, (500, 9_000), ""),
        slice("user_annotation", inner, 1, (600, 700), ""),
        call("cudaLaunchKernel", (9_000, 9_001), 2),
        kernel("gemm", 7, (9_003, 9_900), 2),
    ])
}

#[test]
fn a_range_of_the_program_is_what_the_host_is_in() {
    let rank = in_a_range("user_annotation", "load");
    let times = budget(&rank.trace, &rank.analysis).devices[0].windows[0].clone();
    assert_eq!(times.get(BudgetLeaf::Idle(IdleLeaf::Range)), Nanos(8_000_000));
    // Before the first call.
    assert_eq!(times.get(BudgetLeaf::Idle(IdleLeaf::Unrecorded)), Nanos(1_000));
    // Advice and budget name the same cause.
    let found = of_rule(&rank, "long_gaps");
    let Some(Evidence::Gap { host: Some(host), cause, .. }) = found.measured.as_ref().expect("a gap").evidence.first()
    else {
        panic!("the range is named: {found:?}")
    };
    assert_eq!((rank.trace.name_of(*host), *cause), ("run_stage", Some(IdleLeaf::Range)));
    assert_eq!(rank.budget_verdict().cause.map(|cause| cause.wording), Some("launch_bound_long"));
}

/// A span of the runtime around ranges of the program is not a call, however long.
#[test]
fn a_span_around_ranges_is_no_slow_call() {
    let rank = in_a_range("cuda_runtime", "load");
    assert_eq!(of_rule(&rank, "slow_calls").measured.map(|found| found.value), Ok(0.0));
    let times = budget(&rank.trace, &rank.analysis).devices[0].windows[0].clone();
    assert_eq!(times.get(BudgetLeaf::SlowCall), Nanos::ZERO);
    assert_eq!(times.get(BudgetLeaf::Idle(IdleLeaf::Range)), Nanos(8_000_000));
}

/// In a trace without steps, headline, advice and budget cover the same time.
#[test]
fn the_budget_is_of_the_step_of_the_headline() {
    let rank = rank_of(&[
        kernel("before", 7, (0, 400), 90),
        slice("cpu_op", "aten::mm", 1, (500, 520), ""),
        call("cudaLaunchKernel", (505, 507), 1),
        kernel("gemm", 7, (510, 900), 1),
        kernel("after", 7, (950, 1_500), 91),
    ]);
    let budget = budget(&rank.trace, &rank.analysis);
    let step = rank.analysis.average.length;
    assert_eq!((budget.sum().total(), budget.are_steps), (step, true));
    assert_eq!(budget.devices[0].trace.get(BudgetLeaf::OutsideSteps), budget.devices[0].trace_length - step);
}

/// The communication of hosts is exposed for the same time in the first line, in the table of ranks, and in advice.
#[test]
fn communication_of_hosts_has_one_number() {
    let events = [
        step(1, (0, 100)),
        slice("cpu_op", "gloo:all_reduce", 2, (10, 90), ""),
        slice("cpu_op", "aten::mm", 1, (5, 50), ""),
    ];
    let rank = rank_of(&events);
    let tile = overview(&rank.analysis, None).tiles[2];
    assert_eq!((tile.name, tile.time, tile.share), ("exposed_communication", Nanos(40_000), Some(0.4)));
    let of_step = overview(&rank.analysis, Some(0)).tiles[2];
    assert_eq!((of_step.time, of_step.share), (tile.time, tile.share));
    let row = rank.digest().map(|digest| digest.steps[0].communication_alone);
    assert_eq!(row, Some(tile.time));
    // Without any computation it is not known.
    let alone = rank_of(&events[..2]);
    assert_eq!(overview(&alone.analysis, None).tiles[2].share, None);
}
