//! Reasons for applicable and other rules, in words that are true of the trace, on steps written by hand.

use stepscope::Rank;
use stepscope::analyze::{Exemption, NotApplicable};
use stepscope::present::budget::first_sentences;
use stepscope::table::messages::Language;

use super::advice_hand::{assert_measures, call, kernel, of_rule, rank_of, rank_on, slice, step};

/// Calls of the runtime are judged where no device is recorded, too: one loads a module for half of the step.
#[test]
fn slow_calls_need_no_device() {
    let mut events = vec![step(1, (0, 1_000))];
    events.extend((0..20).map(|at| call("cudaLaunchKernel", (at * 10, at * 10 + 2), at + 1)));
    events.push(call("cudaModuleLoadData", (400, 900), 100));
    assert_measures(&rank_of(&events), "slow_calls", 0.5, true);
    let without = [step(1, (0, 1_000)), slice("cpu_op", "aten::mm", 1, (0, 900), "")];
    assert_eq!(of_rule(&rank_of(&without), "slow_calls").measured.map(|_| ()), Err(NotApplicable::NoDevice));
}

/// Calls are recorded, but most kernels are linked to none of them.
#[test]
fn kernels_without_their_calls_are_told() {
    let kernels = (0..9).map(|index| kernel("gemm", 7, (10 + 50 * index, 50 + 50 * index), 100 + index));
    let calls = [step(1, (0, 1_000)), call("cudaLaunchKernel", (1, 3), 1), kernel("gemm", 7, (4, 8), 1)];
    let rank = rank_of(&calls.iter().cloned().chain(kernels.clone()).collect::<Vec<_>>());
    assert_eq!(of_rule(&rank, "host_bound").measured.map(|_| ()), Err(NotApplicable::Unlinked));
    let rank = rank_of(&[step(1, (0, 1_000))].into_iter().chain(kernels).collect::<Vec<_>>());
    assert_eq!(of_rule(&rank, "host_bound").measured.map(|_| ()), Err(NotApplicable::NoCalls));
}

/// A device of 1000 bytes whose allocator reserves `reserved`, and the allocated bytes after each event.
fn allocates(reserved: i64, allocated: &[i64]) -> Rank {
    let mut before = allocated[0];
    let mut events = vec![step(1, (0, 1_000)), call("cudaLaunchKernel", (1, 3), 1), kernel("gemm", 7, (4, 900), 1)];
    for (index, now) in allocated.iter().enumerate() {
        let (at, bytes) = (10 + 10 * index, now - before);
        before = *now;
        events.push(format!(
            r#"{{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":{at},"s":"t","args":{{
                "Total Reserved":{reserved},"Total Allocated":{now},"Bytes":{bytes},"Addr":{index},
                "Device Type":1,"Device Id":0}}}}"#
        ));
    }
    rank_on(r#"{"id":0,"name":"A","totalGlobalMem":1000}"#, &events)
}

/// A cache that takes most of the memory on purpose is not a lack of memory: steps need less than the rest.
#[test]
fn a_pool_is_not_a_full_memory() {
    let pool = of_rule(&allocates(940, &[920, 935, 920, 930].repeat(3)), "memory_full");
    assert_eq!(pool.exemption(), Some(Exemption::MemoryIsPool));
    assert!(!pool.holds);
    assert_measures(&allocates(940, &[400, 900, 400, 930].repeat(3)), "memory_full", 0.94, true);
    assert_measures(&allocates(940, &[920, 935]), "memory_full", 0.94, true);
}

/// The device waits for work that was launched long before: the host's activity is not the cause.
#[test]
fn pauses_of_queued_work_are_told_as_such() {
    let rank = rank_of(&[
        step(1, (0, 10_000)),
        call("cudaLaunchKernel", (1, 3), 1),
        kernel("gemm", 8, (4, 100), 1),
        call("cudaLaunchKernel", (10, 12), 2),
        kernel("gemm", 8, (6_000, 9_900), 2),
    ]);
    let found = of_rule(&rank, "long_gaps");
    assert!(found.holds);
    assert_eq!(found.wording(), "long_gaps.queued");
    let rank = rank_of(&[
        step(1, (0, 10_000)),
        call("cudaLaunchKernel", (1, 3), 1),
        kernel("gemm", 7, (4, 100), 1),
        slice("cpu_op", "aten::mm", 1, (100, 5_999), ""),
        call("cudaLaunchKernel", (5_990, 5_995), 2),
        kernel("gemm", 8, (6_000, 9_900), 2),
    ]);
    assert_eq!(of_rule(&rank, "long_gaps").wording(), "long_gaps");
}

/// For a model that is compiled already, the advice is not to compile it.
#[test]
fn a_compiled_model_is_not_to_be_compiled() {
    let of = |name: &str, end: u32| {
        let mut events = vec![step(1, (0, 10_000)), slice("cpu_op", name, 1, (0, end), "")];
        for launch in 0..400 {
            let at = 20 * launch;
            events.push(call("cudaLaunchKernel", (at + 10, at + 18), launch + 1));
            events.push(kernel("gemm", 7, (at + 19, at + 21), launch + 1));
        }
        let rank = rank_of(&events);
        let cause = rank.budget_verdict().cause.map(|cause| cause.wording);
        (of_rule(&rank, "host_bound").wording(), cause)
    };
    assert_eq!(of("aten::mm", 9_990), ("host_bound", Some("launch_bound")));
    assert_eq!(of("Torch-Compiled Region: 0/0", 9_990), ("host_bound.compiled", Some("launch_bound_compiled")));
    // One compiled function is not a compiled model.
    assert_eq!(of("Torch-Compiled Region: 0/0", 990), ("host_bound", Some("launch_bound")));
}

/// With samples of the processors, slow launches are distinguished from launches whose thread shares its processor.
#[test]
fn a_thread_that_waits_for_a_processor_is_not_merely_slow() {
    let of = |counters: &[(&str, [u32; 3])]| {
        let mut events = vec![step(1, (0, 10_000)), slice("cpu_op", "aten::mm", 1, (0, 9_990), "")];
        for launch in 0..400 {
            let at = 20 * launch;
            events.push(call("cudaLaunchKernel", (at + 10, at + 18), launch + 1));
            events.push(kernel("gemm", 7, (at + 19, at + 21), launch + 1));
        }
        for (name, values) in counters {
            for (at, value) in [0, 5_000, 10_000].iter().zip(values) {
                events.push(format!(r#"{{"ph":"C","name":"{name}","pid":1,"ts":{at},"args":{{"":{value}}}}}"#));
            }
        }
        let rank = rank_of(&events);
        let sentences = first_sentences(rank.step_budget().expect("a budget"), Language::English).join(" ");
        let said = sentences.find("waits for a processor for ").map(|at| sentences[at + 26..].replace('\u{2009}', " "));
        let share = said.map(|rest| rest.split_once('%').map(|(share, _)| share.trim().to_owned()).expect("a share"));
        (rank.budget_verdict().cause.expect("a cause").wording, share)
    };
    let own = |waiting, running| {
        [
            ("CPU time (% of a core): waiting, thread python (1)", waiting),
            ("CPU time (% of a core): running, thread python (1)", running),
        ]
    };
    assert_eq!(of(&[]), ("launch_bound", None));
    // The last sample has no known end.
    assert_eq!(of(&own([60, 30, 0], [40, 60, 0])), ("launch_bound_starved", Some("47.4".to_owned())));
    assert_eq!(of(&own([10, 10, 99], [90, 90, 1])), ("launch_bound", None));
    // Another thread's waiting, or that of all threads together, does not show that.
    assert_eq!(of(&[("CPU time (% of a core): waiting, thread loader (11)", [90; 3])]), ("launch_bound", None));
    let whole = |threads| {
        [
            ("CPU time (% of a core): waiting", [50; 3]),
            ("CPU time (% of a core): running", [50; 3]),
            ("threads", [threads; 3]),
        ]
    };
    assert_eq!(of(&whole(4)), ("launch_bound", None));
    assert_eq!(of(&whole(1)), ("launch_bound_starved", Some("50.0".to_owned())));
}
