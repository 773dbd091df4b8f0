//! What advice may say of any trace: no time twice, nothing that contradicts, and no "all is well" of what is not there.

use std::collections::BTreeSet;

use stepscope::analyze::{
    AdviceConfig, CONTRADICTIONS, Conclusion, Judgement, Missing, Verdict, advice, idle_spans, mean,
};
use stepscope::{Nanos, Rank};

/// Rules that promise time in which a device idles or only copies.
const IDLE: [&str; 14] = [
    "dataloader",
    "data_parallel",
    "pageable_copies",
    "synchronous_copies",
    "exposed_copies",
    "memory_full",
    "allocation",
    "synchronization",
    "communication_backend",
    "launch_bound",
    "short_kernels",
    "host_bound",
    "long_gaps",
    "low_utilization",
];

/// Rules that promise time in which a device is busy.
const BUSY: [&str; 5] =
    ["small_collectives", "exposed_communication", "format_conversion", "tensor_cores", "slow_operator"];

/// Checks what the rules say of a rank.
///
/// # Errors
///
/// What does not hold.
pub(super) fn advice_identities(rank: &Rank) -> Result<(), String> {
    let judged = advice(&rank.trace, &rank.analysis, &AdviceConfig::default());
    let holding: BTreeSet<&str> = judged.iter().filter(|one| one.holds).map(|one| one.rule.id).collect();
    for (one, other) in CONTRADICTIONS.iter().filter(|pair| pair.0 != "at_the_peak") {
        if holding.contains(one) && holding.contains(other) {
            return Err(format!("advice: {one} and {other} contradict each other"));
        }
    }
    if let Some(unused) = judged.iter().find(|one| one.rule.id == "memory_unused" && one.gain().is_some()) {
        return Err(format!("advice: memory_unused promises {:?}", unused.gain()));
    }
    for one in judged.iter().filter(|one| one.covered_by.is_some()) {
        if one.holds || one.covered_by.is_some_and(|other| !holding.contains(other)) {
            return Err(format!("advice: {} leaves its time to {:?}", one.rule.id, one.covered_by));
        }
    }
    let missing = Missing::with_rules(&rank.missing, judged.iter());
    let conclusion = Conclusion::of(judged.iter(), missing.iter().copied());
    if conclusion.verdict == Verdict::Nothing && !missing.is_empty() {
        return Err(format!("advice: nothing to do, though the trace lacks {missing:?}"));
    }
    no_time_twice(rank, &judged)
}

/// Of one device, what its rules promise together is no more than it idles, or is busy.
fn no_time_twice(rank: &Rank, judged: &[Judgement]) -> Result<(), String> {
    let analysis = &rank.analysis;
    // Where a device communicates, late launches lose more than it idles.
    let [device] = &analysis.devices[..] else { return Ok(()) };
    if !device.sets.communication.is_empty() {
        return Ok(());
    }
    let counted = analysis.steps.counted();
    let steps = || counted.iter().map(|index| analysis.steps.steps[*index].span);
    let idle = &idle_spans(&analysis.steps, std::slice::from_ref(device))[0].idle;
    let kernels = device.sets.compute.union(&device.sets.communication);
    let alone = device.sets.memcpy.union(&device.sets.memset).difference(&kernels);
    let lost: Nanos = steps().map(|span| idle.union(&alone).clip(span).len()).sum();
    let busy: Nanos = steps().map(|span| kernels.clip(span).len()).sum();
    let count = counted.len() as u64;
    for (rules, whole) in [(&IDLE[..], mean(lost, count)), (&BUSY[..], mean(busy, count))] {
        let such: Vec<&Judgement> = judged.iter().filter(|one| one.holds && rules.contains(&one.rule.id)).collect();
        let promised: Nanos = such.iter().filter_map(|one| one.gain()).sum();
        // Each mean is rounded.
        if promised > whole + Nanos(such.len() as i64) {
            let names: Vec<&str> = such.iter().map(|one| one.rule.id).collect();
            return Err(format!("advice: {names:?} promise {promised:?} of {whole:?}"));
        }
    }
    Ok(())
}
