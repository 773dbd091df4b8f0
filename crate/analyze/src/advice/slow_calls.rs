//! Few calls that take far longer than a usual launch: kernels that are loaded, or a device that is initialized.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Facts, WORTH};
use super::late::Cause;
use super::{Measured, NotApplicable};
use crate::idle::RuntimeRanges;
use crate::median;
use stepscope_base::{CompactSort as _, Nanos, sort_times};
use stepscope_trace::{Class, EventId, NameId};

/// Multiple of the median launch above which a call is slow.
const TIMES: i64 = 100;

/// Slow calls are an exception if they are at most one in this many calls.
const FEW: u64 = 10;

/// The part of a step in which the host is in such calls. Gain: the part of a device's idle time that these can have
/// caused; where no device is recorded, all of their time.
pub(super) fn rule(facts: &Facts<'_>, _: &[f64]) -> Result<Measured, NotApplicable> {
    if facts.calls().count == 0 {
        facts.device_step()?;
        return Err(NotApplicable::NoCalls);
    }
    facts.step()?;
    let mut slow = match facts.launching() {
        Ok(launching) => launching.slow.clone(),
        Err(_) => slow_calls(facts, usual_lengths(facts), std::iter::empty()),
    };
    // Allocations are another cause of the budget.
    let allocates = &facts.calls().allocates;
    slow.retain(|id| allocates.binary_search(id).is_err());
    // A call that takes as long as its own copy waits for that.
    let copying = copying_calls(facts);
    slow.retain(|id| copying.binary_search(id).is_err());
    let claim = facts.claim(facts.caused_by(&slow, Cause::Calls), WORTH);
    Ok(Measured {
        value: facts.share(facts.on_hosts(&slow)),
        gain: Some(facts.per_step(claim.time.len())),
        evidence: facts.longest(slow.iter().copied()),
        claim: Some(claim),
        ..Measured::default()
    })
}

/// The calls, sorted, that spend half of their time or more in the copy or memset that they start.
fn copying_calls(facts: &Facts<'_>) -> Vec<EventId> {
    let slices = &facts.trace.slices;
    let copies = facts.trace.activities.iter().filter(|one| slices.class(one.event) != Class::Kernel);
    let calls = copies.filter_map(|copy| {
        let call = copy.call.get()?;
        let span = slices.interval(call);
        let together = span.intersection(slices.interval(copy.event)).len();
        (together + together >= span.len()).then_some(call)
    });
    let mut calls: Vec<EventId> = calls.collect();
    calls.compact_sort();
    calls
}

/// Lengths of usual calls where no call is linked to its activities: those with `Launch` in their names, else all that
/// do not wait.
fn usual_lengths(facts: &Facts<'_>) -> Vec<Nanos> {
    let slices = &facts.trace.slices;
    let (waits, launches) = (&facts.calls().waits, facts.named(|name| name.contains("Launch")));
    let inside = |id: &EventId| facts.is_inside(*id) && waits.binary_search(id).is_err();
    let calls: Vec<EventId> = facts.trace.slices_of(Class::RuntimeCall).filter(inside).collect();
    let launching: Vec<Nanos> = calls.iter().filter(|id| launches.has(**id)).map(|id| slices.length(*id)).collect();
    if launching.is_empty() { calls.iter().map(|id| slices.length(*id)).collect() } else { launching }
}

/// The slow calls, sorted: calls of the runtime or driver in the steps that count that wait neither for the device nor
/// for room in its queue. Names that are slow in most steps are left out; if many calls are slow, there are none.
/// `lengths` are those of usual launches in these steps, `blocked` the launches that wait for room.
pub(super) fn slow_calls(
    facts: &Facts<'_>,
    mut lengths: Vec<Nanos>,
    blocked: impl Iterator<Item = EventId>,
) -> Vec<EventId> {
    let slices = &facts.trace.slices;
    sort_times(&mut lengths);
    let usual = median(&lengths);
    if usual == Nanos::ZERO {
        return Vec::new();
    }
    let is_long = |id: &EventId| slices.length(*id).0 > usual.0.saturating_mul(TIMES);
    let mut blocked: Vec<EventId> = blocked.filter(is_long).collect();
    blocked.compact_sort();
    let waits = &facts.calls().waits;
    let named = facts.named(is_call);
    let ranges = RuntimeRanges::of(facts.trace);
    let is_such = |id: &EventId| {
        is_long(id)
            && facts.is_inside(*id)
            && named.has(*id)
            && !ranges.has(facts.trace, *id)
            && waits.binary_search(id).is_err()
            && blocked.binary_search(id).is_err()
    };
    let mut slow: Vec<EventId> = facts.trace.slices_of(Class::RuntimeCall).filter(is_such).collect();
    slow.compact_sort();
    // A call of the driver inside one of the runtime is the same call.
    let all = slow.clone();
    slow.retain(|id| !slices.ancestors(*id).any(|outer| all.binary_search(&outer).is_ok()));
    let mut steps: BTreeMap<NameId, BTreeSet<usize>> = BTreeMap::new();
    for id in &slow {
        steps.entry(slices.name(*id)).or_default().extend(facts.step_of(*id));
    }
    let count = facts.count();
    let is_usual = |id: &EventId| {
        count > 1 && steps.get(&slices.name(*id)).is_some_and(|steps| steps.len().saturating_mul(2) > count)
    };
    slow.retain(|id| !is_usual(id));
    if (slow.len() as u64).saturating_mul(FEW) > facts.calls().count {
        slow.clear();
    }
    slow
}

/// Whether a name is that of a call of a runtime or driver, such as `hipLaunchKernel`: frameworks name their own ranges
/// otherwise.
fn is_call(name: &str) -> bool {
    let name = name.rsplit('@').next().unwrap_or(name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::is_call;

    #[test]
    fn names_of_calls() {
        for name in ["hipLaunchKernel", "cudaFree", "cuModuleLoadData", "AscendCL@aclrtMalloc"] {
            assert!(is_call(name), "{name}");
        }
        for name in ["predictor_executor::run gif_thread_id:1573", "enqueueCommand memcpyHtoDAsync", ""] {
            assert!(!is_call(name), "{name}");
        }
    }
}
