//! Advice on the host promises only time in which the device idles for the host, on steps written by hand.

use stepscope::analyze::{Evidence, Exemption, HostActivity, IdleLeaf, Missing, advice, overview};
use stepscope::{Nanos, Rank};

use super::advice_hand::{activity, assert_measures, call, kernel, of_rule, rank_of, slice, step};

fn little(rank: &Rank, rule: &str) {
    let found = of_rule(rank, rule);
    assert_eq!((found.holds, found.exemption()), (false, Some(Exemption::Little)), "{rule}: {:?}", found.measured);
}

/// The host waited for a copy while the device had enough work in its queue.
#[test]
fn a_gap_before_queued_work_is_not_the_hosts() {
    let rank = rank_of(&[
        step(1, (0, 100)),
        call("cudaLaunchKernel", (1, 2), 1),
        kernel("gemm", 7, (3, 60), 1),
        call("cudaLaunchKernel", (3, 4), 2),
        kernel("gemm", 7, (70, 99), 2),
        call("cudaMemcpyAsync", (10, 58), 3),
        activity("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 8, (50, 51), 3),
    ]);
    for rule in ["pageable_copies", "synchronization"] {
        little(&rank, rule);
    }
    // Nor do launches or anything else of the host gain more.
    for rule in ["short_kernels", "launch_bound", "host_bound"] {
        assert!(of_rule(&rank, rule).gain().is_none_or(|gain| gain <= Nanos(4_000)), "{rule}");
    }
}

#[test]
fn a_wait_of_a_thread_that_launches_nothing_holds_no_other_up() {
    let of = |thread: u32| {
        rank_of(&[
            step(1, (0, 100)),
            call("cudaLaunchKernel", (1, 2), 1),
            kernel("gemm", 7, (3, 40), 1),
            slice("cuda_runtime", "cudaStreamSynchronize", thread, (5, 58), ""),
            call("cudaLaunchKernel", (60, 61), 2),
            kernel("gemm", 7, (62, 99), 2),
        ])
    };
    assert_measures(&of(1), "synchronization", 0.53, true);
    assert_eq!(of_rule(&of(1), "synchronization").gain(), Some(Nanos(23_000)));
    little(&of(2), "synchronization");
}

#[test]
fn what_starts_late_is_not_the_hosts_wait() {
    let rank = rank_of(&[
        step(1, (0, 100)),
        call("cudaLaunchKernel", (1, 2), 1),
        kernel("gemm", 7, (3, 40), 1),
        call("cudaLaunchKernel", (45, 46), 2),
        kernel("gemm", 7, (90, 100), 2),
    ]);
    let device = &rank.analysis.idle[0];
    let late = Nanos(44_000);
    assert_eq!(device.times.leaves[IdleLeaf::StartLate as usize], late);
    assert_eq!(device.times.host[HostActivity::StartLate as usize], late);
    assert_eq!(device.times.host[HostActivity::Launching as usize], Nanos(1_000));
    assert_eq!(overview(&rank.analysis, None).start_late, late);
    assert!(rank.missing.contains(&Missing::LateStart), "{:?}", rank.missing);
    assert!(of_rule(&rank, "host_bound").gain().is_none_or(|gain| gain <= Nanos(9_000)));
}

/// Ten launches of 2 µs, one of them of 5 ms.
fn lazy(slow: bool) -> Rank {
    let mut events = vec![step(1, (0, 10_000))];
    for index in 0..10 {
        let at = 100 + 20 * index + if slow && index > 4 { 5_000 } else { 0 };
        let start = if slow && index == 5 { at - 5_000 } else { at };
        events.push(call("cudaLaunchKernel", (start, at + 2), index + 1));
        events.push(kernel("gemm", 7, (at + 4, at + 9), index + 1));
    }
    // More calls, so that one is few.
    events.extend(
        (0..10).map(|index| slice("cuda_runtime", "cudaEventQuery", 1, (9_000 + 10 * index, 9_001 + 10 * index), "")),
    );
    rank_of(&events)
}

#[test]
fn a_call_that_loads_its_kernel_is_no_usual_launch() {
    let rank = lazy(true);
    let found = of_rule(&rank, "slow_calls");
    assert!(found.holds, "{found:?}");
    assert_eq!(found.gain(), Some(Nanos(4_993_000 + 9_000)));
    let evidence = found.measured.expect("it is judged").evidence;
    assert!(
        matches!(&evidence[..], [Evidence::Slice(id, span)]
            if rank.trace.name_of(*id) == "cudaLaunchKernel" && span.len() == Nanos(5_002_000)),
        "{evidence:?}"
    );
    // Launching promises the time of the others.
    let launches = of_rule(&rank, "launch_bound");
    assert!(launches.gain().is_none_or(|gain| gain < Nanos(100_000)), "{:?}", launches.gain());
    let usual = of_rule(&lazy(false), "slow_calls");
    assert_eq!((usual.holds, usual.measured.expect("it is judged").value), (false, 0.0));
}

/// Idle time after the last activity is no gain unless the trace shows its cause.
#[test]
fn idle_time_after_the_last_activity() {
    let of = |more: &[String]| {
        let events = [step(1, (0, 10_000)), call("cudaLaunchKernel", (100, 101), 1), kernel("gemm", 7, (102, 900), 1)];
        rank_of(&[&events[..], more].concat())
    };
    let rank = of(&[]);
    assert!(!of_rule(&rank, "long_gaps").holds);
    let judged = advice(&rank.trace, &rank.analysis, &stepscope::analyze::AdviceConfig::default());
    for one in judged.iter().filter(|one| one.holds && one.rule.id != "slow_operator") {
        assert!(one.gain().is_none_or(|gain| gain <= Nanos(102_000)), "{}: {:?}", one.rule.id, one.gain());
    }
    let saves = slice("cpu_op", "save", 1, (1_000, 9_500), "");
    let found = of_rule(&of(&[saves]), "long_gaps");
    assert_eq!(found.gain(), Some(Nanos(8_500_000)));
}

#[test]
fn words_fit_the_devices() {
    let of = |device: &str| {
        let text = format!(
            r#"{{"deviceProperties": [{{"id": 0, "name": "{device}"}}], "traceEvents": [{}]}}"#,
            [
                step(1, (0, 100)),
                call("cudaLaunchKernel", (1, 2), 1),
                kernel("gemm", 7, (3, 40), 1),
                slice("cuda_runtime", "synchronizeStream", 1, (5, 58), ""),
                call("cudaLaunchKernel", (60, 61), 2),
                kernel("gemm", 7, (62, 99), 2),
            ]
            .join(",")
        );
        let loaded = stepscope_tests::files::load("hand.json", text.as_bytes(), 1 << 12).expect("a trace");
        let rank = Rank::new("hand.json", text.len() as u64, loaded, &stepscope::analyze::AnalysisConfig::standard());
        of_rule(&rank, "synchronization").wording()
    };
    assert_eq!(of("NVIDIA A100-SXM4-40GB"), "synchronization");
    assert_eq!(of("ARTEMIS"), "synchronization.other");
}
