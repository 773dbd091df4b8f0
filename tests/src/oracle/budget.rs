//! The step budget of any trace: each nanosecond has one leaf, and the leaves are consistent with other analyses.

use stepscope::analyze::{
    Branch, BudgetCause, BudgetLeaf, BudgetTimes, CauseKind, DeviceBudget, DeviceTime, FirstLine, IdleLeaf, LeafTimes,
    budget,
};
use stepscope::{Nanos, Rank};

/// Leaves add up to their windows, to exposed times, and to the leaves of idle time; causes are sorted by cost.
///
/// # Errors
///
/// The check that fails, with its numbers.
pub fn budget_identities(rank: &Rank) -> Result<(), String> {
    let analysis = &rank.analysis;
    let found = budget(&rank.trace, analysis);
    for (place, device) in found.devices.iter().enumerate() {
        if device.trace.total() != device.trace_length {
            return Err(format!("{:?} of {:?} have a leaf", device.trace.total(), device.trace_length));
        }
        for (index, (times, window)) in device.windows.iter().zip(&found.windows).enumerate() {
            if times.total() != window.len() {
                return Err(format!("window {index}: {:?} of {:?} have a leaf", times.total(), window.len()));
            }
            if times.leaves().any(|(_, time)| time < Nanos::ZERO) {
                return Err(format!("window {index}: {times:?}"));
            }
            if !found.are_steps {
                same_exposed(times, &analysis.devices[place].time)?;
                continue;
            }
            same_exposed(times, &analysis.step_devices[index][place])?;
            same_idle(times, &analysis.idle[place].steps[index])?;
        }
    }
    // The windows are the headline's.
    let counted = analysis.steps.counted();
    let spans: Vec<_> = analysis.steps.steps.iter().map(|step| step.span).collect();
    if found.are_steps == counted.is_empty()
        || (found.are_steps && (&found.windows, &found.counted) != (&spans, &counted))
    {
        return Err(format!("windows {:?} instead of {spans:?}", found.windows));
    }
    let outside = |device: &DeviceBudget| device.trace.get(BudgetLeaf::OutsideSteps) != Nanos::ZERO;
    if !found.are_steps && found.devices.iter().any(outside) {
        return Err("without steps nothing is outside of them".to_owned());
    }
    let Some(mean) = rank.step_budget() else { return Err("no budget of a trace with events".to_owned()) };
    let list = &mean.causes;
    let is_sorted = list.is_sorted_by(|a, b| a.saves() >= b.saves());
    let is_within = |cause: &BudgetCause| {
        cause.saving.is_none_or(|saving| {
            Nanos::ZERO <= saving.low
                && saving.low <= cause.score
                && cause.score <= saving.high
                && saving.high <= mean.length
        })
    };
    let is_wrong = |cause: &BudgetCause| cause.score > cause.time || cause.share > 1.0 || !is_within(cause);
    if !is_sorted || list.iter().any(is_wrong) {
        return Err(format!("causes {list:?}"));
    }
    if matches!(mean.first, FirstLine::OneCause | FirstLine::TwoCauses) && list.is_empty() {
        return Err(format!("{:?} without a cause", mean.first));
    }
    Ok(())
}

fn same_exposed(times: &BudgetTimes, time: &DeviceTime) -> Result<(), String> {
    let branch = |branch: Branch| times.sum(|leaf| leaf.branch() == branch);
    let ours = [Branch::Compute, Branch::ExposedCommunication, Branch::ExposedCopies, Branch::ExposedSets].map(branch);
    let known = [time.compute, time.exposed_communication, time.exposed_memcpy, time.exposed_memset];
    if ours == known { Ok(()) } else { Err(format!("leaves of busy time {ours:?} instead of {known:?}")) }
}

/// Idle time of late ordinary work after lost lead, and of slow calls, is the idle time of that work and those calls
/// elsewhere.
fn same_idle(times: &BudgetTimes, leaves: &LeafTimes) -> Result<(), String> {
    let is_ordinary = |leaf: IdleLeaf| {
        let is_call = matches!(leaf, IdleLeaf::RuntimeCall | IdleLeaf::LaunchingCall | IdleLeaf::GraphLaunch);
        is_call || matches!(leaf, IdleLeaf::Operator | IdleLeaf::Python | IdleLeaf::Range)
    };
    let lost = times.sum(|leaf| matches!(leaf, BudgetLeaf::LeadLost(_) | BudgetLeaf::SlowCall));
    let mut ordinary = (lost, Nanos::ZERO);
    for leaf in IdleLeaf::ALL {
        let (ours, known) = (times.get(BudgetLeaf::Idle(leaf)), leaves[leaf as usize]);
        if is_ordinary(leaf) {
            ordinary = (ordinary.0 + ours, ordinary.1 + known);
        } else if ours != known {
            return Err(format!("{}: {ours:?} instead of {known:?}", leaf.name()));
        }
    }
    if ordinary.0 == ordinary.1 { Ok(()) } else { Err(format!("ordinary work {ordinary:?}")) }
}

/// The kind of the largest cause, and the first line.
#[must_use]
pub fn first_cause(rank: &Rank) -> (Option<CauseKind>, FirstLine) {
    let Some(mean) = rank.step_budget() else { return (None, FirstLine::NoDevice) };
    (mean.causes.first().map(|cause| cause.kind), mean.first)
}
