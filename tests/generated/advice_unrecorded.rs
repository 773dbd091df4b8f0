//! Advice says nothing of what is not recorded, on steps written by hand.

use stepscope::Nanos;
use stepscope::analyze::{AdviceConfig, Conclusion, Missing, Unjudged, Verdict, advice};

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
    assert_eq!(of_rule(&alone, "exposed_communication").measured, Err(Unjudged::NoComputing));
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
    assert_eq!(of(&[]), Err(Unjudged::PathUnrecorded));
    assert_eq!(of(&[step(1, (0, 1_000))]), Ok(()));
}

/// The device state is unknown for most of the step, and the device idles in nearly all of the rest.
#[test]
fn a_device_that_idles_whenever_its_state_is_known_is_mostly_idle() {
    let rank = rank_of(&[
        slice("cpu_op", "aten::mm", 1, (0, 1_000), ""),
        call("cudaLaunchKernel", (10, 12), 1),
        // It waits for earlier work, which the trace does not hold.
        kernel("gemm", 7, (700, 710), 1),
        call("cudaLaunchKernel", (980, 982), 2),
        kernel("gemm", 7, (983, 990), 2),
        slice("cpu_op", "aten::mm", 1, (1_000, 1_002), ""),
    ]);
    let found = of_rule(&rank, "low_utilization");
    assert!(found.measured.as_ref().is_ok_and(|found| found.value < 0.1), "{found:?}");
    assert!(found.holds || found.covered_by.is_some(), "{found:?}");
}

/// After the last activity nothing is recorded: how much of it could be saved is not known.
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
    let rank = stepscope::Rank::new("hand.json", text.len() as u64, loaded, &config);
    assert!(rank.missing.contains(&Missing::Errors), "{:?} {:?}", rank.missing, rank.warnings);
}

/// Matrix products on an A100 take five times as long as its matrix units need: no rule is about that, and the budget is.
#[test]
fn nothing_to_do_is_not_said_beside_a_cause_of_the_budget() {
    let product = |number: u32| {
        let at = 1_000 * (number - 1);
        let shapes = r#""Input Dims":[[4096,4096],[4096,4096]],"Input type":["c10::Half","c10::Half"]"#;
        [
            slice("cpu_op", "aten::mm", 1, (10 * number, 10 * number + 8), shapes),
            call("cudaLaunchKernel", (10 * number + 2, 10 * number + 4), number),
            kernel(&format!("gemm_{number}"), 7, (at.max(15), at + 1_000), number),
        ]
    };
    let events = [step(1, (0, 5_000))].into_iter().chain((1..=5).flat_map(product));
    let device = r#"{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "computeMajor": 8, "computeMinor": 0}"#;
    let rank = rank_on(device, &events.collect::<Vec<_>>());
    let judged = advice(&rank.trace, &rank.analysis, &AdviceConfig::default());
    let budget = rank.budget_verdict();
    let missing = Missing::with_rules(&rank.missing, judged.iter(), &budget);
    let found = Conclusion::of(judged.iter(), missing, [budget.cause]);
    let (_, cause) = found.cause.expect("the budget names a cause");
    assert_eq!((found.verdict, cause.wording), (Verdict::Cause, "above_roof_matrix"));
    assert!((cause.share - 0.45).abs() < 0.02, "{cause:?}");
    // Without shapes there is no limit to compare with: that is not known, and not nothing.
    let silent: Vec<String> =
        [step(1, (0, 100)), call("cudaLaunchKernel", (1, 2), 1), kernel("gemm", 7, (3, 99), 1)].into();
    let rank = rank_on(device, &silent);
    let budget = rank.budget_verdict();
    assert!(Missing::with_rules(&rank.missing, [].iter(), &budget).contains(&Missing::Cause), "{budget:?}");
}
