//! What rules measure on steps written by hand: only what lies in the step, and against the same step.

use stepscope::Rank;
use stepscope::analyze::{AdviceConfig, AnalysisConfig, Evidence, Excuse, Judgement, Unjudged, advice, data_loading};
use stepscope::{Interval, Nanos};
use stepscope_tests::files::load;

pub(crate) fn slice(category: &str, name: &str, thread: u32, (start, end): (u32, u32), args: &str) -> String {
    let length = end - start;
    format!(
        r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":{thread},"ts":{start},"dur":{length},"args":{{{args}}}}}"#
    )
}

pub(crate) fn step(number: u32, span: (u32, u32)) -> String {
    slice("user_annotation", &format!("ProfilerStep#{number}"), 1, span, "")
}

pub(crate) fn call(name: &str, span: (u32, u32), correlation: u32) -> String {
    slice("cuda_runtime", name, 1, span, &format!(r#""correlation":{correlation}"#))
}

pub(crate) fn activity(category: &str, name: &str, stream: u32, span: (u32, u32), correlation: u32) -> String {
    slice(category, name, stream, span, &format!(r#""device":0,"stream":{stream},"correlation":{correlation}"#))
}

pub(crate) fn kernel(name: &str, stream: u32, span: (u32, u32), correlation: u32) -> String {
    activity("kernel", name, stream, span, correlation)
}

pub(crate) fn rank_of(events: &[String]) -> Rank {
    let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
    let loaded = load("hand.json", text.as_bytes(), 1 << 12).expect("a trace");
    Rank::new("hand.json", text.len() as u64, loaded, &AnalysisConfig::standard())
}

pub(crate) fn of_rule(rank: &Rank, rule: &str) -> Judgement {
    let judged = advice(&rank.trace, &rank.analysis, &AdviceConfig::default());
    judged.into_iter().find(|one| one.rule.id == rule).expect("the rule")
}

#[track_caller]
pub(crate) fn assert_measures(rank: &Rank, rule: &str, expected: f64, holds: bool) {
    let found = of_rule(rank, rule);
    let value = found.measured.as_ref().expect("it is judged").value;
    assert!((value - expected).abs() < 1e-9, "{rule}: {value}, not {expected}");
    assert_eq!(found.holds, holds, "{rule}");
}

#[test]
fn a_copy_of_pageable_memory_holds_the_host_up() {
    let events = |copied: (u32, u32)| {
        rank_of(&[
            step(1, (0, 100)),
            call("cudaLaunchKernel", (1, 2), 1),
            kernel("gemm", 7, (3, 60), 1),
            call("cudaMemcpyAsync", (20, 62), 2),
            activity("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 7, copied, 2),
        ])
    };
    let rank = events((60, 61));
    assert_measures(&rank, "pageable_copies", 0.42, true);
    // The copy, and as much of the idle time from 61 µs on as the host was held up before.
    assert_eq!(of_rule(&rank, "pageable_copies").gain(), Some(Nanos(40_000)));
    // That is one wait, and one finding.
    assert_measures(&rank, "synchronization", 0.42, false);
    assert_eq!(of_rule(&rank, "synchronization").covered_by, Some("pageable_copies"));
    // A call that comes back before the copy is done waits for nothing.
    let rank = events((70, 71));
    assert_measures(&rank, "synchronization", 0.0, false);
}

#[test]
fn a_wait_costs_nothing_while_the_device_is_busy() {
    // The device is busy from 3 to 99 µs; the copy was waited for, and nothing idles for it.
    let rank = rank_of(&[
        step(1, (0, 100)),
        call("cudaLaunchKernel", (1, 2), 1),
        kernel("gemm", 7, (3, 60), 1),
        call("cudaLaunchKernel", (4, 5), 2),
        kernel("gemm", 8, (3, 100), 2),
        call("cudaMemcpyAsync", (20, 62), 3),
        activity("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 7, (60, 61), 3),
    ]);
    for rule in ["synchronization", "pageable_copies"] {
        assert_measures(&rank, rule, 0.42, false);
        assert_eq!(of_rule(&rank, rule).excuse(), Some(Excuse::Little), "{rule}");
    }
}

#[test]
fn only_the_part_of_a_call_that_lies_in_the_step_counts() {
    // Until 40 µs the device does what was launched before: the step begins then.
    let rank = rank_of(&[
        step(1, (0, 100)),
        kernel("before", 7, (0, 40), 90),
        call("cudaDeviceSynchronize", (1, 43), 91),
        call("cudaLaunchKernel", (44, 45), 1),
        kernel("gemm", 7, (46, 140), 1),
        call("cudaDeviceSynchronize", (90, 140), 92),
    ]);
    assert_eq!(rank.analysis.average.length, Nanos(100_000));
    assert_measures(&rank, "synchronization", 0.13, true);
    assert_eq!(of_rule(&rank, "synchronization").gain(), Some(Nanos(6_000)));
}

#[test]
fn the_longest_kernel_is_a_part_of_its_step() {
    // The second step begins when the first one's work ends; most of its kernel lies before.
    let rank = rank_of(&[
        step(1, (0, 100)),
        call("cudaLaunchKernel", (1, 2), 1),
        kernel("gemm", 7, (10, 300), 1),
        step(2, (100, 200)),
        call("cudaLaunchKernel", (101, 102), 2),
        kernel("gemm", 8, (110, 310), 2),
    ]);
    assert_measures(&rank, "slow_operator", 1.0, true);
    assert_eq!(of_rule(&rank, "slow_operator").gain(), Some(Nanos(150_000)));
}

#[test]
fn a_collective_is_no_slow_operator() {
    let rank = rank_of(&[
        step(1, (0, 100)),
        call("cudaLaunchKernel", (1, 2), 1),
        kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 8, (10, 70), 1),
        call("cudaLaunchKernel", (3, 4), 2),
        kernel("gemm", 7, (70, 90), 2),
    ]);
    assert_measures(&rank, "slow_operator", 0.25, false);
}

#[test]
fn a_device_that_begins_late_pauses() {
    let rank = rank_of(&[
        step(1, (0, 10_000)),
        slice("user_annotation", "forward", 1, (7_900, 8_100), ""),
        call("cudaLaunchKernel", (8_000, 8_001), 1),
        kernel("gemm", 7, (8_002, 9_000), 1),
    ]);
    assert_measures(&rank, "long_gaps", 8_002_000.0, true);
    let found = of_rule(&rank, "long_gaps");
    // Nothing says what the device idles for after its last activity.
    assert_eq!(found.gain(), Some(Nanos(8_002_000)));
    let spans: Vec<Interval> = found
        .measured
        .expect("it is judged")
        .evidence
        .iter()
        .map(|one| match one {
            Evidence::Gap { device: 0, span, .. } => *span,
            other => panic!("a gap is shown, not {other:?}"),
        })
        .collect();
    let gaps = [(0, 8_002_000)];
    assert_eq!(spans, gaps.map(|(start, end)| Interval::new(Nanos(start), Nanos(end))));
    // There is nothing between two steps.
    assert_eq!(of_rule(&rank, "iteration_interval").measured.err(), Some(Unjudged::OneStep));
}

#[test]
fn hosts_that_communicate_without_a_device() {
    let rank = rank_of(&[step(1, (0, 100)), slice("cpu_op", "gloo:all_reduce", 2, (10, 90), "")]);
    assert_measures(&rank, "exposed_communication", 0.8, true);
    assert_eq!(of_rule(&rank, "exposed_communication").gain(), Some(Nanos(80_000)));
    assert_eq!(of_rule(&rank, "small_collectives").measured.err(), Some(Unjudged::NoSizes));
    let silent = rank_of(&[step(1, (0, 100)), slice("cpu_op", "aten::mm", 1, (10, 90), "")]);
    assert_eq!(of_rule(&silent, "exposed_communication").measured.err(), Some(Unjudged::NoDevice));
    assert_eq!(of_rule(&silent, "small_collectives").measured.err(), Some(Unjudged::NoCommunication));
}

#[test]
fn a_wait_for_data_is_a_part_of_the_hosts_step() {
    let rank = rank_of(&[
        step(1, (0, 100)),
        kernel("before", 7, (0, 94), 90),
        slice("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 1, (5, 90), ""),
        call("cudaLaunchKernel", (91, 92), 1),
        kernel("gemm", 7, (95, 98), 1),
    ]);
    let analysis = &rank.analysis;
    assert_eq!(analysis.average.length, Nanos(6_000));
    let found = data_loading(&rank.trace, &analysis.steps, &analysis.roles).expect("it waits");
    let average = found.average;
    assert_eq!((average.total, average.waiting, average.host), (Nanos(85_000), Nanos(85_000), Nanos(100_000)));
}

#[test]
fn why_a_rule_does_not_hold_though_its_value_is_reached() {
    let rank = rank_of(&[
        step(1, (0, 10_000)),
        call("cudaLaunchKernel", (100, 101), 1),
        kernel("gemm", 7, (102, 900), 1),
        call("cudaLaunchKernel", (2_000, 2_001), 2),
        kernel("gemm", 7, (2_002, 2_900), 2),
    ]);
    let found = of_rule(&rank, "launch_bound");
    assert_eq!((found.holds, found.excuse()), (false, Some(Excuse::LongKernels)));
    assert_eq!(of_rule(&rank, "exposed_communication").excuse(), None);
}
