//! Measurements of rules on steps written by hand: only events in the step count, compared with the same step.

use std::collections::BTreeSet;

use stepscope::Rank;
use stepscope::analyze::{
    AdviceConfig, AnalysisConfig, BudgetVerdict, CauseKind, Evidence, Exemption, Judgement, NotApplicable, advice,
    data_loading, program_part_around, with_costs,
};
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
    rank_on("", events)
}

/// The same with a device, as its profiler describes it.
pub(crate) fn rank_on(device: &str, events: &[String]) -> Rank {
    let text = format!(r#"{{"deviceProperties": [{device}], "traceEvents": [{}]}}"#, events.join(","));
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
    let events = |copied: (u32, u32), direction: &str| {
        rank_of(&[
            step(1, (0, 100)),
            call("cudaLaunchKernel", (1, 2), 1),
            kernel("gemm", 7, (3, 60), 1),
            call("cudaMemcpyAsync", (20, 62), 2),
            activity("gpu_memcpy", direction, 7, copied, 2),
        ])
    };
    let (to_device, to_host) = ("Memcpy HtoD (Pageable -> Device)", "Memcpy DtoH (Device -> Pageable)");
    let rank = events((60, 61), to_device);
    assert_measures(&rank, "pageable_copies", 0.42, true);
    // The copy, and as much of the idle time from 61 µs on as the host had waited before.
    assert_eq!(of_rule(&rank, "pageable_copies").gain(), Some(Nanos(40_000)));
    // That is one wait, and one finding.
    assert_measures(&rank, "synchronization", 0.42, false);
    assert_eq!(of_rule(&rank, "synchronization").covered_by, Some("pageable_copies"));
    // Waiting for a copy to the host is synchronization: faster copies bring the value no earlier.
    let rank = events((60, 61), to_host);
    assert_measures(&rank, "pageable_copies", 0.02, true);
    // The copy, and as much idle time as its call takes after it began.
    assert_eq!(of_rule(&rank, "pageable_copies").gain(), Some(Nanos(3_000)));
    assert_measures(&rank, "synchronization", 0.42, true);
    // A call that returns before the copy is done waits for nothing.
    let rank = events((70, 71), to_device);
    assert_measures(&rank, "synchronization", 0.0, false);
}

#[test]
fn a_wait_costs_nothing_while_the_device_is_busy() {
    // The device is busy from 3 to 99 µs; the copy was waited for, but the device did not idle because of it.
    let rank = rank_of(&[
        step(1, (0, 100)),
        call("cudaLaunchKernel", (1, 2), 1),
        kernel("gemm", 7, (3, 60), 1),
        call("cudaLaunchKernel", (4, 5), 2),
        kernel("gemm", 8, (3, 100), 2),
        call("cudaMemcpyAsync", (20, 62), 3),
        activity("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 7, (60, 61), 3),
    ]);
    for rule in ["synchronization", "pageable_copies"] {
        assert_measures(&rank, rule, 0.42, false);
        assert_eq!(of_rule(&rank, rule).exemption(), Some(Exemption::Little), "{rule}");
    }
}

#[test]
fn without_devices_nothing_tells_whether_these_communicate() {
    let rank = rank_of(&[step(1, (0, 100)), slice("cpu_op", "nccl:all_to_all", 1, (10, 20), "")]);
    assert_eq!(of_rule(&rank, "small_collectives").measured.err(), Some(NotApplicable::NoDevice));
}

#[test]
fn only_the_part_of_a_call_that_lies_in_the_step_counts() {
    // Until 40 µs the device runs work that was launched before: the step begins then.
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

/// A step of 10 ms with sums of 4 bytes at these times.
fn small_sums(spans: &[(u32, u32)]) -> Rank {
    small_sums_on(1, spans)
}

/// The same, in turn on so many devices.
fn small_sums_on(devices: u32, spans: &[(u32, u32)]) -> Rank {
    let mut events = vec![step(1, (0, 10_000)), call("cudaLaunchKernel", (1, 2), 1), kernel("gemm", 7, (3, 2_000), 1)];
    for (correlation, span) in (2..).zip(spans) {
        let told = r#""Collective name":"allreduce","In msg nelems":1,"Out msg nelems":1,"dtype":"Float","Process Group Name":"0""#;
        let device = correlation % devices;
        let args = format!(r#""device":{device},"stream":9,"correlation":{correlation},{told}"#);
        events.push(call("cudaLaunchKernel", (2 + correlation, 3 + correlation), correlation));
        events.push(slice("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 9, *span, &args));
    }
    rank_of(&events)
}

/// One of 6 ms that waits for other ranks promises nothing: there is nothing to merge it with, or only its overhead is
/// saved.
#[test]
fn small_collectives_promise_their_overhead() {
    assert_measures(&small_sums(&[(3_000, 9_000)]), "small_collectives", 1.0, false);
    let rank = small_sums(&[(3_000, 9_000), (9_100, 9_106)]);
    assert_measures(&rank, "small_collectives", 1.0, false);
    assert_eq!(of_rule(&rank, "small_collectives").exemption(), Some(Exemption::Little));
    assert_eq!(of_rule(&rank, "exposed_communication").gain(), Some(Nanos(6_006_000)), "it promises the wait");
    // Six of seven calls of 50 µs are saved, wherever one of them waited.
    let spans: Vec<(u32, u32)> =
        (0..6).map(|at| (2_500 + 100 * at, 2_550 + 100 * at)).chain([(4_000, 9_000)]).collect();
    let rank = small_sums(&spans);
    assert_measures(&rank, "small_collectives", 1.0, true);
    assert_eq!(of_rule(&rank, "small_collectives").gain(), Some(Nanos(300_000)));
    // Collectives on another device cannot be merged.
    assert_measures(&small_sums_on(7, &spans), "small_collectives", 1.0, false);
    // Collectives that are hidden by computation cost nothing.
    let hidden: Vec<(u32, u32)> = (0..7).map(|at| (1_000 + 100 * at, 1_050 + 100 * at)).collect();
    assert_measures(&small_sums(&hidden), "small_collectives", 1.0, false);
}

/// Steps in which the device is always busy, and that start late: it idles between them.
#[test]
fn time_between_steps_is_no_busy_time() {
    let rank = rank_of(&[
        step(1, (0, 1_000)),
        call("cudaLaunchKernel", (0, 1), 1),
        kernel("gemm", 7, (1, 1_000), 1),
        step(2, (3_000, 4_000)),
        call("cudaLaunchKernel", (3_000, 3_001), 2),
        kernel("gemm", 7, (3_001, 4_000), 2),
    ]);
    assert_eq!(rank.analysis.average.device.idle, Nanos(1_000));
    assert_eq!(rank.analysis.steps.mean_between(), Nanos(2_000_000));
    let utilization = of_rule(&rank, "low_utilization");
    let value = utilization.measured.as_ref().expect("it is judged").value;
    // A step of 1 ms, of which it works 999 µs, and 2 ms until the next one.
    assert!((value - 999.0 / 3_000.0).abs() < 1e-9, "{value}");
    // That time is time between steps; the pause is the same time.
    for rule in ["low_utilization", "long_gaps"] {
        assert_eq!(of_rule(&rank, rule).covered_by, Some("iteration_interval"), "{rule}");
    }
    assert_eq!(utilization.wording(), "low_utilization.periods");
    let interval = of_rule(&rank, "iteration_interval");
    let found = (interval.holds, interval.gain(), interval.step);
    assert_eq!(found, (true, Some(Nanos(2_000_000)), Some(Nanos(3_000_000))));
    assert_eq!(interval.wording(), "iteration_interval.no_host");
}

/// Steps of a wait for the loader, and of the device's work after it.
fn loads(steps: &[(u32, u32)]) -> Rank {
    let mut events = Vec::new();
    let mut start = 0;
    for (number, (wait, work)) in (1..).zip(steps) {
        let end = start + wait + work;
        let loader = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
        events.extend([
            step(number, (start, end)),
            slice("user_annotation", loader, 1, (start, start + wait), ""),
            call("cudaLaunchKernel", (start + wait, start + wait + 1), number),
            kernel("gemm", 7, (start + wait + 1, end), number),
        ]);
        start = end;
    }
    rank_of(&events)
}

#[test]
fn the_loaders_start_is_no_wait_of_each_step() {
    // Steps differ so much that the first one is not a warm-up step.
    let near = |steps: &[(u32, u32)], counted: &[(u32, u32)]| {
        let rank = loads(steps);
        assert_eq!(rank.analysis.steps.counted().len(), steps.len());
        let value = of_rule(&rank, "dataloader").measured.expect("it is judged").value;
        let waits: u32 = counted.iter().map(|(wait, _)| wait).sum();
        let expected = f64::from(waits) / f64::from(counted.iter().map(|(wait, work)| wait + work).sum::<u32>());
        assert!((value - expected).abs() < 1e-6, "{steps:?}: {value}, not {expected}");
    };
    let once = [(900, 1_000), (10, 3_000), (20, 1_000), (15, 3_000), (10, 1_000), (20, 3_000)];
    near(&once, &once[1..]);
    // Each third batch is late: so is the first one.
    let each = [(900, 1_000), (10, 3_000), (20, 1_000), (880, 3_000), (10, 1_000), (20, 3_000), (890, 1_000)];
    near(&each, &each);
    // Too few others show the usual length.
    near(&once[..3], &once[..3]);
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
    // Nothing shows why the device idles after its last activity.
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
    assert_eq!(of_rule(&rank, "iteration_interval").measured.err(), Some(NotApplicable::OneStep));
}

#[test]
fn hosts_that_communicate_without_a_device() {
    let computes = slice("cpu_op", "aten::mm", 1, (90, 99), "");
    let rank = rank_of(&[step(1, (0, 100)), slice("cpu_op", "gloo:all_reduce", 2, (10, 90), ""), computes]);
    assert_measures(&rank, "exposed_communication", 0.8, true);
    assert_eq!(of_rule(&rank, "exposed_communication").gain(), Some(Nanos(80_000)));
    assert_eq!(of_rule(&rank, "small_collectives").measured.err(), Some(NotApplicable::NoSizes));
    let silent = rank_of(&[step(1, (0, 100)), slice("cpu_op", "aten::mm", 1, (10, 90), "")]);
    assert_eq!(of_rule(&silent, "exposed_communication").measured.err(), Some(NotApplicable::NoDevice));
    // Without a device, a host without collectives of its own does not show that none runs.
    assert_eq!(of_rule(&silent, "small_collectives").measured.err(), Some(NotApplicable::NoDevice));
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
    let found = data_loading(&rank.trace, &analysis.steps, &analysis.categories).expect("it waits");
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
    assert_eq!((found.holds, found.exemption()), (false, Some(Exemption::LongKernels)));
    assert_eq!(of_rule(&rank, "exposed_communication").exemption(), None);
}

/// The rule measures the host's wait; the budget knows that the device has work during it.
#[test]
fn a_rule_whose_cause_costs_hardly_anything_has_nothing_to_say() {
    let rank = rank_of(&[
        step(1, (0, 100)),
        call("cudaLaunchKernel", (1, 2), 1),
        kernel("gemm", 7, (3, 30), 1),
        call("cudaDeviceSynchronize", (10, 80), 90),
        call("cudaLaunchKernel", (81, 82), 2),
        kernel("gemm", 7, (84, 100), 2),
    ]);
    let found = |budget: &BudgetVerdict| {
        let judged = with_costs(advice(&rank.trace, &rank.analysis, &AdviceConfig::default()), budget);
        let of = |rule: &str| judged.iter().find(|one| one.rule.id == rule).cloned().expect("the rule");
        (of("synchronization"), of("low_utilization"))
    };
    let mut budget = rank.budget_verdict();
    let (rule, symptom) = found(&budget);
    assert_eq!((rule.holds, symptom.covered_by), (true, Some("synchronization")));
    let cost = budget.costs.iter_mut().find(|cost| cost.cause.kind == CauseKind::Synchronization).expect("a cause");
    (cost.saving, cost.cause.score) = (None, Nanos(cost.length.0 / 200));
    let (rule, symptom) = found(&budget);
    assert_eq!((rule.holds, rule.exemption()), (false, Some(Exemption::Little)));
    // Nor does it explain a symptom.
    assert_eq!((symptom.holds, symptom.covered_by), (true, None));
    // A cause that the budget does not list costs nothing, as far as the budget knows any.
    let cost = budget.costs.iter_mut().find(|cost| cost.cause.kind == CauseKind::Synchronization).expect("a cause");
    cost.cause.kind = CauseKind::GarbageCollection;
    assert!(!found(&budget).0.holds);
    budget.costs.clear();
    assert!(found(&budget).0.holds);
}

/// The cost of a cause in the budget and the measurement of a symptom are of the same idle time.
#[test]
fn idle_time_is_promised_once_beside_what_its_cause_costs() {
    let mut events = vec![step(1, (0, 2_000))];
    for i in 0..40 {
        let start = i * 50;
        events.push(call("cudaLaunchKernel", (start, start + 30), i + 1));
        events.push(kernel("tiny", 7, (start + 32, start + 34), i + 1));
    }
    let rank = rank_of(&events);
    let judged =
        |budget: &BudgetVerdict| with_costs(advice(&rank.trace, &rank.analysis, &AdviceConfig::default()), budget);
    let mut budget = rank.budget_verdict();
    let promised =
        |judged: &[Judgement]| judged.iter().filter(|one| one.holds).filter_map(Judgement::saves).sum::<Nanos>();
    let found = judged(&budget);
    assert!(
        promised(&found) > Nanos::ZERO && promised(&found) <= budget.idle,
        "{:?} of {:?}",
        promised(&found),
        budget.idle
    );
    // With a cause that costs nearly all of it, a symptom leaves its part to the cause's rule.
    let cost = budget.costs.iter_mut().find(|cost| cost.cause.kind == CauseKind::LaunchBound).expect("a cause");
    (cost.saving, cost.cause.score) = (None, budget.idle - Nanos(1));
    let found = judged(&budget);
    let holding: Vec<&str> =
        found.iter().filter(|one| one.holds && one.saves().is_some()).map(|one| one.rule.id).collect();
    assert_eq!(holding.len(), 1, "{holding:?}");
    assert!(found.iter().any(|one| one.covered_by == Some(holding[0])), "{holding:?}");
    assert!(promised(&found) <= budget.idle);
}

/// A call's own name does not show which part of the program waits.
#[test]
fn a_call_is_in_a_part_of_the_program() {
    let rank = rank_of(&[
        step(1, (0, 100)),
        slice("user_annotation", "## wait_sparse_data_dist ##", 1, (5, 60), ""),
        slice("cpu_op", "aten::to", 1, (6, 50), ""),
        slice("cpu_op", "aten::copy_", 1, (7, 49), ""),
        call("cudaMemcpyAsync", (8, 48), 1),
        slice("cpu_op", "aten::item", 1, (61, 90), ""),
        slice("cpu_op", "aten::_local_scalar_dense", 1, (62, 89), ""),
        call("cudaStreamSynchronize", (63, 88), 2),
        call("cudaDeviceSynchronize", (92, 95), 3),
        kernel("gemm", 7, (10, 47), 4),
    ]);
    let of = |name: &str| {
        let id = rank.trace.slices.ids().find(|id| rank.trace.name_of(*id) == name).expect("a slice");
        program_part_around(&rank.trace, &rank.analysis.steps.steps, id).map(|part| rank.trace.name_of(part).to_owned())
    };
    assert_eq!(of("cudaMemcpyAsync").as_deref(), Some("## wait_sparse_data_dist ##"));
    assert_eq!(of("cudaStreamSynchronize").as_deref(), Some("aten::item"));
    assert_eq!(of("cudaDeviceSynchronize"), None, "a step is no part of the program");
    assert_eq!(of("gemm"), None);
}

/// A mark of a step is around all of it, also where the device still works for the step before.
#[test]
fn a_mark_of_a_step_is_no_part_of_the_program() {
    let mut events = Vec::new();
    for number in 0..4 {
        let at = 100 * number;
        events.push(slice("user_annotation", &format!("iteration {number}"), 1, (at, at + 100), ""));
        events.push(call("cudaLaunchKernel", (at + 1, at + 2), number + 1));
        events.push(kernel("gemm", 7, (at + 30, at + 120), number + 1));
        events.push(slice("cpu_op", "aten::item", 1, (at + 60, at + 90), ""));
        events.push(slice("cuda_runtime", "cudaStreamSynchronize", 1, (at + 61, at + 89), ""));
    }
    let rank = rank_of(&events);
    let waits = rank.trace.slices.ids().filter(|id| rank.trace.name_of(*id) == "cudaStreamSynchronize");
    let parts: BTreeSet<Option<&str>> = waits
        .map(|id| program_part_around(&rank.trace, &rank.analysis.steps.steps, id).map(|part| rank.trace.name_of(part)))
        .collect();
    assert_eq!(parts, BTreeSet::from([Some("aten::item")]), "{:?}", rank.analysis.steps.source);
}

/// The remedy is that of the same cause in the step budget: a graph does not shorten one long piece of work.
#[test]
fn long_work_of_the_host_has_the_budget_s_remedy() {
    let of = |pieces: &[(u32, u32)]| {
        let mut events = vec![step(1, (0, 10_000))];
        for (number, (start, end)) in (1..).zip(pieces.iter().copied()) {
            events.push(slice("cpu_op", "aten::work", 1, (start, end), ""));
            events.push(call("cudaLaunchKernel", (end, end + 2), number));
            events.push(kernel("gemm", 7, (end + 3, end + 8), number));
        }
        let rank = rank_of(&events);
        let budget = BudgetVerdict::of(rank.step_budget().expect("a budget"));
        let judged = with_costs(advice(&rank.trace, &rank.analysis, &AdviceConfig::default()), &budget);
        let holds = judged.iter().find(|one| one.holds && matches!(one.rule.id, "host_bound" | "launch_bound"));
        holds.map(Judgement::wording)
    };
    let short: Vec<(u32, u32)> = (0..120).map(|piece| (piece * 80, piece * 80 + 70)).collect();
    assert!(of(&short).is_some_and(|wording| !wording.ends_with(".long")), "{:?}", of(&short));
    let long: Vec<(u32, u32)> =
        (0..50).map(|piece| (piece * 80, piece * 80 + 70)).chain([(4000, 7000), (7010, 9900)]).collect();
    assert!(of(&long).is_some_and(|wording| wording.ends_with(".long")), "{:?}", of(&long));
}
