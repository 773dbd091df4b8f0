//! Rules about the devices' memory.

use super::facts::Facts;
use super::late::Cause;
use super::{Excuse, Measured, Unjudged};
use stepscope_trace::{HOST_MEMORY, MemoryPool};

type Judged = Result<Measured, Unjudged>;

/// The largest part of its memory that a device has in use at a time.
#[expect(clippy::cast_precision_loss, reason = "bytes, for a share")]
pub(super) fn peak(facts: &Facts<'_>, reserved: bool) -> Result<f64, Unjudged> {
    let events = facts.trace.memory.iter().filter(|event| event.device != HOST_MEMORY);
    let totals = events.filter_map(|event| {
        let held = event.known_reserved().filter(|_| reserved);
        let used = event.known_allocated().filter(|_| event.pool == MemoryPool::Allocated);
        Some((event.device, held.max(used)?))
    });
    let (mut any, mut most) = (false, None::<f64>);
    for (device, bytes) in totals {
        any = true;
        let of_device = facts.trace.meta.devices.iter().find(|known| known.id == i64::from(device));
        if let Some(size) = of_device.and_then(|known| known.memory_bytes).filter(|size| *size > 0) {
            let share = bytes as f64 / size as f64;
            most = Some(most.map_or(share, |most| most.max(share)));
        }
    }
    most.ok_or(if any { Unjudged::UnknownDevice } else { Unjudged::NoMemory })
}

/// The largest part of its memory that a device's allocator holds. Gain: what of a device's idle time the calls that allocate
/// and free can have caused.
pub(super) fn memory_full(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let value = peak(facts, true)?;
    let calls = &facts.calls().allocates;
    // A full memory is worth a word whatever it costs.
    let claim = facts.claim(facts.caused_by(calls, Cause::Allocation), -1.0);
    // How full it is does not depend on the step, what that costs does.
    let claim = Some(claim).filter(|_| !facts.captures());
    Ok(Measured {
        value,
        gain: claim.as_ref().map(|claim| facts.per_step(claim.time.len())),
        evidence: facts.longest(calls.iter().copied()),
        claim,
        ..Measured::default()
    })
}

/// The largest part of its memory that a device uses, unless its allocator holds nearly all. No gain: nothing tells what a larger
/// batch takes.
pub(super) fn memory_unused(facts: &Facts<'_>, _: &[f64]) -> Judged {
    /// As of [`memory_full`].
    const FULL: f64 = 0.9;
    let value = peak(facts, false)?;
    let is_held = peak(facts, true)? > FULL;
    Ok(Measured { value, excuse: is_held.then_some(Excuse::MemoryIsHeld), ..Measured::default() })
}
