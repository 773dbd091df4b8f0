//! Rules about the devices' memory.

use super::facts::Facts;
use super::late::Cause;
use super::{Exemption, Measured, NotApplicable};
use crate::memory::capacity;
use stepscope_trace::{Device, HOST_MEMORY, MemoryEvent, MemoryPool};

type Judged = Result<Measured, NotApplicable>;

/// The largest part of its memory that a device has in use at a time.
pub(super) fn peak(facts: &Facts<'_>, reserved: bool) -> Result<f64, NotApplicable> {
    let events = facts.trace.memory.iter().filter(|event| event.device != HOST_MEMORY);
    let totals = events.filter_map(|event| {
        let held = event.known_reserved().filter(|_| reserved);
        let used = event.known_allocated().filter(|_| event.pool == MemoryPool::Allocated);
        Some((event.device, held.max(used)?))
    });
    let (mut any, mut most) = (false, None::<f64>);
    for (device, bytes) in totals {
        any = true;
        if let Some(share) = capacity::share(bytes, capacity::of_device(facts.trace, device.into())) {
            most = Some(most.map_or(share, |most| most.max(share)));
        }
    }
    most.ok_or(if any { NotApplicable::UnknownDevice } else { NotApplicable::NoMemory })
}

/// Whether the memory that programs allocate and free on the fullest device fits into the memory that its allocator
/// leaves. Then the rest is held permanently, as a cache of keys and values is, and not for lack of memory.
fn is_pool(facts: &Facts<'_>) -> bool {
    /// Smallest number of events that shows the need of steps.
    const FEWEST: usize = 10;
    let fits = |device: &Device| {
        let size = i64::try_from(device.memory_bytes?).ok()?;
        let events = || facts.trace.memory.iter().filter(|event| i64::from(event.device) == device.id);
        let allocated = || events().filter(|event| event.pool == MemoryPool::Allocated);
        let used = || allocated().filter_map(MemoryEvent::known_allocated);
        allocated().nth(FEWEST - 1)?;
        let held = events().filter_map(MemoryEvent::known_reserved).max().max(used().max())?;
        let change = used().max()? - used().min()?;
        // The first event has the use after it.
        let first = allocated().next().map_or(0, |event| event.bytes.saturating_abs());
        Some((held, change.saturating_add(first) < size.saturating_sub(held)))
    };
    let devices = facts.trace.meta.devices.iter().filter_map(fits);
    devices.max_by_key(|(held, _)| *held).is_some_and(|(_, fits)| fits)
}

/// The largest part of its memory that a device's allocator holds, unless what is allocated and freed fits into the
/// rest. Gain: the part of a device's idle time that the calls that allocate and free can have caused.
pub(super) fn memory_full(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let value = peak(facts, true)?;
    let calls = &facts.calls().allocates;
    // A full memory is a finding whatever it costs.
    let claim = facts.claim(facts.caused_by(calls, Cause::Allocation), -1.0);
    // The use of memory does not depend on the step, its cost does.
    let claim = Some(claim).filter(|_| !facts.captures());
    Ok(Measured {
        value,
        gain: claim.as_ref().map(|claim| facts.per_step(claim.time.len())),
        evidence: facts.longest(calls.iter().copied()),
        exemption: is_pool(facts).then_some(Exemption::MemoryIsPool),
        claim,
        ..Measured::default()
    })
}

/// The largest part of its memory that a device uses, unless its allocator holds nearly all. No gain: the time of a
/// larger batch is unknown.
pub(super) fn memory_unused(facts: &Facts<'_>, _: &[f64]) -> Judged {
    /// The threshold of [`memory_full`].
    const FULL: f64 = 0.9;
    let value = peak(facts, false)?;
    let is_held = peak(facts, true)? > FULL;
    Ok(Measured { value, exemption: is_held.then_some(Exemption::MemoryIsHeld), ..Measured::default() })
}
