//! Promises of advice on real traces, compared with the table of idle time.

use stepscope::analyze::{
    AdviceConfig, AnalysisConfig, Evidence, IdleClass, IdleLeaf, Judgement, Missing, NotApplicable, advice, overview,
};
use stepscope::{Nanos, Rank};
use stepscope_tests::files::{load_file, real_traces};

/// A trace, and the outcomes of the rules.
fn judged(name: &str) -> Option<(Rank, Vec<Judgement>)> {
    let path = real_traces()?.join(format!("{name}.json.gz"));
    let bytes = std::fs::read(&path).expect("a trace");
    let loaded = load_file(name, &bytes, 1 << 20).expect("a trace");
    let rank = Rank::new(name, bytes.len() as u64, loaded, &AnalysisConfig::standard());
    let judged = advice(&rank.trace, &rank.analysis, &AdviceConfig::default());
    Some((rank, judged))
}

/// Promise of a rule per step, in ms.
fn promised(judged: &[Judgement], rule: &str) -> f64 {
    let gain = judged.iter().find(|one| one.rule.id == rule).and_then(Judgement::gain);
    gain.map_or(0.0, |gain| gain.0 as f64 / 1e6)
}

/// Rules about the host's activity.
const HOST: [&str; 10] = [
    "dataloader",
    "pageable_copies",
    "synchronous_copies",
    "slow_calls",
    "memory_full",
    "allocation",
    "synchronization",
    "communication_backend",
    "short_kernels",
    "host_bound",
];

#[test]
fn a_full_queue_is_not_the_hosts() {
    let Some((rank, judged)) = judged("pytorch/v100_rank1of2_test") else { return };
    // Copies wait for recorded work: the trace shows the device's activity.
    assert!(!Missing::of(&rank.trace, &rank.analysis, Vec::new()).contains(&Missing::Start));
    // The host waits for 0.4 ms in 745 ms.
    for rule in HOST {
        assert!(promised(&judged, rule) <= 0.1, "{rule}: {}", promised(&judged, rule));
    }
}

#[test]
fn waits_cost_what_the_device_idles_for_them() {
    for (name, rule, at_most) in [
        ("pytorch/mtia_inference", "synchronization", 0.1),
        ("pytorch/a100_rank3of8_control", "pageable_copies", 9.6),
        ("more/inference/vllm_piecewise/graph_capture_rank_0.1773709679453551615.pt.trace", "synchronization", 0.6),
    ] {
        let Some((_, judged)) = judged(name) else { return };
        assert!(promised(&judged, rule) <= at_most, "{name}: {rule} promises {} ms", promised(&judged, rule));
    }
}

#[test]
fn the_host_is_promised_no_more_than_it_is_late() {
    for name in ["pytorch/a100_rank0of2_nccl", "pytorch/mi300_sd35"] {
        let Some((rank, judged)) = judged(name) else { return };
        let idle = &rank.analysis.idle[0];
        let late: i64 = idle
            .steps
            .iter()
            .map(|leaves| {
                let before: i64 = leaves[..IdleLeaf::StartLate as usize].iter().map(|time| time.0).sum();
                before + leaves[IdleLeaf::AfterLast as usize].0
            })
            .sum();
        let steps = rank.analysis.steps.counted().len() as f64;
        let host = promised(&judged, "host_bound");
        assert!(host > 0.0 && host <= late as f64 / 1e6 / steps, "{name}: {host} of {late} ns in {steps} steps");
    }
}

/// A third of these paths is time without records of the host, which may wait for the device there.
#[test]
fn a_path_through_silence_promises_nothing() {
    for name in ["pytorch/sampled_rank0of128", "pytorch/sampled_rank1of128"] {
        let Some((_, judged)) = judged(name) else { return };
        let found = judged.iter().find(|one| one.rule.id == "host_bound").map(|one| one.measured.as_ref().err());
        assert_eq!(found, Some(Some(&NotApplicable::PathUnrecorded)), "{name}");
    }
}

/// The server's earlier batch is not recorded. The first copy waits for it in its stream for 463.3 ms.
#[test]
fn a_stream_that_runs_an_earlier_batch_is_not_idle() {
    let Some((rank, judged)) = judged("more/inference/sglang_decode/sglang_Qwen3-8B_decode") else { return };
    let device = &rank.analysis.idle[0];
    let late = device.times.leaves[IdleLeaf::StartLate as usize];
    let uncovered: Nanos = rank.analysis.idle[0].steps.iter().map(|leaves| leaves[IdleLeaf::Uncovered as usize]).sum();
    assert!(uncovered.0 > 463_000_000 && late.0 < 2_000_000, "{uncovered:?} {late:?}");
    assert!(overview(&rank.analysis, None).start_late < Nanos(2_000_000));
    let host = device.times.classes[IdleClass::HostWait as usize];
    assert!(host.0 < 2_000_000, "{host:?}");
    assert!(judged.iter().all(|one| one.gain().is_none_or(|gain| gain.0 < 2_000_000)));
    assert_eq!(rank.missing, [Missing::Start]);
}

#[test]
fn calls_that_load_kernels_are_named() {
    for (name, call) in [
        ("pytorch/mi250_minitoy", "hipLaunchKernel"),
        ("more/inference/normalization_layer_test", "hipLaunchKernel"),
        ("pytorch/alexnet_old_categories", "cudaDeviceGetStreamPriorityRange"),
    ] {
        let Some((rank, judged)) = judged(name) else { return };
        assert_eq!(judged[0].rule.id, "slow_calls", "{name}");
        let Some(Evidence::Slice(id, _)) = judged[0].measured.as_ref().ok().and_then(|found| found.evidence.first())
        else {
            panic!("{name}: no call is named")
        };
        assert_eq!(rank.trace.name_of(*id), call, "{name}");
        assert!(promised(&judged, "launch_bound") < 30.0, "{name}: {}", promised(&judged, "launch_bound"));
    }
}

#[test]
fn pauses_name_what_the_table_of_gaps_names() {
    let Some((rank, found)) = judged("pytorch/h100_timesformer") else { return };
    let pause = found.iter().find(|one| one.rule.id == "long_gaps").and_then(|one| one.measured.as_ref().ok());
    let Some(Evidence::Gap { host: Some(host), .. }) = pause.and_then(|found| found.evidence.first()) else {
        panic!("the host is not named")
    };
    let table = rank.analysis.idle[0].edges.iter().filter_map(|edge| edge.host.and_then(|host| host.slice));
    assert!(table.into_iter().any(|shown| shown == *host));
    let Some((_, found)) = judged("pytorch/triton") else { return };
    // 13.3 s come after the last kernel, and nothing is recorded there.
    assert!(found.iter().all(|one| one.gain().is_none_or(|gain| gain.0 < 10_000_000)));
}
