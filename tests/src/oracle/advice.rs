//! Invariants of advice on any trace: no time twice, no contradictions, and no "all is well" without data.

use std::collections::BTreeSet;

use stepscope::analyze::{
    AdviceConfig, CONTRADICTIONS, Conclusion, DeviceReport, IntervalSet, Judgement, Missing, Verdict, advice,
    idle_spans, mean, unseen_work,
};
use stepscope::{Interval, Nanos, Rank};

/// Rules that promise time in which a device idles or only copies.
const IDLE: [&str; 15] = [
    "dataloader",
    "data_parallel",
    "pageable_copies",
    "synchronous_copies",
    "slow_calls",
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

/// Checks the outcomes of the rules for a rank.
///
/// # Errors
///
/// The check that fails.
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
    let mean = rank.step_budget();
    let budget = rank.budget_verdict();
    let missing = Missing::with_rules(&rank.missing, judged.iter(), &budget);
    let conclusion = Conclusion::of(judged.iter(), missing.iter().copied(), [budget.cause]);
    if conclusion.verdict == Verdict::Nothing {
        if !missing.is_empty() {
            return Err(format!("advice: nothing to do, though the trace lacks {missing:?}"));
        }
        if let Some(cause) = mean
            .and_then(|mean| mean.causes.first())
            .filter(|cause| cause.saves() >= Nanos(mean.map_or(0, |mean| mean.length.0 / 20)))
        {
            return Err(format!("advice: nothing to do, though the budget loses time to {cause:?}"));
        }
        if mean.is_some_and(|mean| mean.first.lacks_cause()) {
            return Err("advice: nothing to do, though the budget says that not enough is recorded".to_owned());
        }
    }
    same_as_the_table(rank, &judged)?;
    no_time_twice(rank, &judged)
}

/// The rules' busy and idle times are those of the table of devices: of the steps that count, and of the time between
/// them, without hidden work.
#[expect(clippy::cast_precision_loss, reason = "shares, compared with a tolerance")]
fn same_as_the_table(rank: &Rank, judged: &[Judgement]) -> Result<(), String> {
    let analysis = &rank.analysis;
    let counted = analysis.steps.counted();
    let gaps = counted.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
    let of_steps = counted.iter().map(|index| (analysis.steps.steps[*index].span, counted.len()));
    let between = analysis.steps.between();
    let windows: Vec<_> = of_steps.chain(between.intervals().iter().map(|gap| (*gap, gaps))).collect();
    let hidden = unseen_work(&rank.trace);
    // With damaged times, lengths may be extremely large.
    if windows.iter().map(|(window, _)| window.len().0 as f64).sum::<f64>() > 1e15 {
        return Ok(());
    }
    let of_device = |report: &DeviceReport| {
        let hidden = hidden.difference(&report.sets.busy());
        // Per step, and per time between two.
        let (mut busy, mut known) = (0.0, 0.0);
        for (window, count) in &windows {
            let time = report.time_in(*window);
            let shown = Interval::new(report.known_from.clamp(window.start, window.end), window.end);
            busy += (time.compute + time.exposed_communication).0 as f64 / *count as f64;
            known += (time.known() - hidden.clip(shown).len()).0 as f64 / *count as f64;
        }
        (known > 0.0).then(|| busy / known)
    };
    let least = analysis.devices.iter().filter_map(of_device).reduce(f64::min);
    let value = |rule: &str| {
        let found = judged.iter().find(|one| one.rule.id == rule)?.measured.as_ref().ok()?;
        Some(found.value)
    };
    let share = analysis.average.device.exposed_communication.ratio_of(analysis.average.length);
    let exposed = share.filter(|_| !analysis.devices.is_empty());
    for (rule, table) in [("low_utilization", least), ("exposed_communication", exposed)] {
        let Some((told, table)) = value(rule).zip(table) else { continue };
        if (told - table).abs() > 1e-6 {
            return Err(format!("advice: {rule} {told}, and by the table of the devices {table}"));
        }
    }
    Ok(())
}

/// On a single device, the rules together promise no more than its idle time, or its busy time.
fn no_time_twice(rank: &Rank, judged: &[Judgement]) -> Result<(), String> {
    let analysis = &rank.analysis;
    let [device] = &analysis.devices[..] else { return Ok(()) };
    let counted = analysis.steps.counted();
    let between = analysis.steps.between();
    let gaps = counted.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
    let mean_of = |time: &IntervalSet| {
        let inside = counted.iter().map(|index| time.clip(analysis.steps.steps[*index].span).len()).sum();
        mean(inside, counted.len() as u64) + mean(time.intersection(&between).len(), gaps as u64)
    };
    let idle = &idle_spans(&analysis.steps, std::slice::from_ref(device))[0].idle;
    let kernels = device.sets.compute.union(&device.sets.communication);
    let alone = device.sets.memcpy.union(&device.sets.memset).difference(&kernels);
    for (rules, whole) in [(&IDLE[..], mean_of(&idle.union(&alone))), (&BUSY[..], mean_of(&kernels))] {
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
