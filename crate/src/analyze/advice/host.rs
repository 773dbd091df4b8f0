//! Rules about what the host does.

use super::facts::Facts;
use super::{Excuse, Measured, Unjudged};
use crate::analyze::idle::{CallMeaning, call_meaning};
use crate::analyze::{IdleClass, Role, is_dataloader, mean};
use crate::trace::{Activity, Class, EventId};
use crate::units::{Interval, Nanos};

type Judged = Result<Measured, Unjudged>;

/// The part of a step in which nothing goes on but the wait for data. Gain: the host's whole wait, as far as a device
/// idles at all.
pub(super) fn dataloader(facts: &Facts<'_>, _: &[f64]) -> Judged {
    facts.step()?;
    let average = &facts.analysis.average;
    let alone = average.roles[Role::Dataloader as usize];
    let (trace, loading) = (facts.trace, facts.trace.category_named("Dataloader"));
    let named = facts.named(is_dataloader);
    let is_wait = |id: &EventId| {
        let marked = trace.slices.class(*id) == Class::Annotation && Some(trace.slices.category(*id)) == loading;
        (marked || named.has(*id)) && facts.is_inside(*id)
    };
    Ok(Measured {
        value: facts.share(alone),
        gain: Some(average.data_wait.max(alone).min(facts.idle().max(alone))),
        evidence: facts.longest(trace.slices.ids().filter(is_wait)),
        ..Measured::default()
    })
}

/// How many devices one process feeds by `DataParallel.forward`; none if it does not. Gain: what a device idles.
#[expect(clippy::cast_precision_loss, reason = "a count of devices")]
pub(super) fn data_parallel(facts: &Facts<'_>, _: &[f64]) -> Judged {
    facts.device_step()?;
    let devices = facts.analysis.devices.len();
    if devices < 2 {
        return Err(Unjudged::OneDevice);
    }
    let named = facts.named(|name| name == "DataParallel.forward");
    let calls: Vec<EventId> = facts.trace.slices.ids().filter(|id| named.has(*id)).collect();
    Ok(Measured {
        value: if calls.is_empty() { 0.0 } else { devices as f64 },
        gain: Some(facts.idle()),
        evidence: facts.longest(calls),
        ..Measured::default()
    })
}

/// Whether hosts communicate in an operator of that name.
pub(super) fn is_host_collective(name: &str) -> bool {
    name.starts_with("gloo:") || name.starts_with("mpi:")
}

/// The part of a step in which the hosts communicate, where devices compute and none of them communicates. Gain: all of
/// that, as far as a device idles at all.
pub(super) fn communication_backend(facts: &Facts<'_>, _: &[f64]) -> Judged {
    facts.device_step()?;
    let trace = facts.trace;
    let named = facts.named(is_host_collective);
    let calls: Vec<EventId> = trace.slices.ids().filter(|id| named.has(*id) && facts.is_inside(*id)).collect();
    let by_devices = trace.activities.iter().any(|activity| activity.communication);
    if calls.is_empty() && !by_devices {
        return Err(Unjudged::NoCommunication);
    }
    let time = facts.on_hosts(&calls);
    Ok(Measured {
        value: facts.share(time),
        excuse: by_devices.then_some(Excuse::DevicesCommunicate),
        gain: Some(time.min(facts.idle())),
        evidence: facts.longest(calls),
        ..Measured::default()
    })
}

/// The part of the devices' idle time in which the host was late, if kernels are short. Gain: what all launches of a
/// step take until what they launch begins, as far as a device idles at all.
pub(super) fn launch_bound(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    facts.device_step()?;
    let idle = &facts.analysis.idle;
    let whole: Nanos = idle.iter().map(|device| device.times.idle()).sum();
    let late = idle.iter().map(|device| device.times.classes[IdleClass::HostWait as usize]).sum::<Nanos>();
    let kernels = &facts.analysis.kernels;
    let count = kernels.iter().map(|row| row.time.calls).sum();
    let kernel = mean(kernels.iter().map(|row| row.time.total).sum(), count);
    if count == 0 {
        return Err(Unjudged::NoKernels);
    }
    let (cost, calls) = facts.launching()?;
    #[expect(clippy::cast_precision_loss, reason = "a length to be compared with a threshold")]
    let is_long = kernel.0 as f64 >= limits[1];
    Ok(Measured {
        value: late.ratio_of(whole).unwrap_or_default(),
        excuse: is_long.then_some(Excuse::LongKernels),
        gain: Some((*cost).min(facts.idle())),
        evidence: facts.longest(calls.iter().copied()),
        ..Measured::default()
    })
}

/// The part of the launches that take longer than what they launch. Gain: as of [`launch_bound`].
#[expect(clippy::cast_precision_loss, reason = "counts of calls")]
pub(super) fn short_kernels(facts: &Facts<'_>, _: &[f64]) -> Judged {
    facts.device_step()?;
    let total = &facts.analysis.launches.total;
    let (cost, calls) = facts.launching()?;
    Ok(Measured {
        value: total.short as f64 / total.calls.max(1) as f64,
        gain: Some((*cost).min(facts.idle())),
        evidence: facts.longest(calls.iter().copied()),
        ..Measured::default()
    })
}

/// The part of a step in which the host is in a call that waits for the device, be it for a copy to be done. Gain: all of
/// that, as far as a device idles at all.
pub(super) fn synchronization(facts: &Facts<'_>, _: &[f64]) -> Judged {
    held_up(facts, &facts.calls().waits)
}

fn held_up(facts: &Facts<'_>, calls: &[EventId]) -> Judged {
    facts.step()?;
    if facts.calls().count == 0 {
        return Err(Unjudged::NoCalls);
    }
    let time = facts.on_hosts(calls);
    Ok(Measured {
        value: facts.share(time),
        gain: Some(time.min(facts.idle())),
        evidence: facts.longest(calls.iter().copied()),
        ..Measured::default()
    })
}

/// How many calls per step allocate or free memory. Gain: the time in them, as far as a device idles at all.
#[expect(clippy::cast_precision_loss, reason = "a count of calls")]
pub(super) fn allocation(facts: &Facts<'_>, _: &[f64]) -> Judged {
    facts.marked_step()?;
    let calls = &facts.calls().allocates;
    Ok(Measured { value: calls.len() as f64 / facts.steps(), ..held_up(facts, calls)? })
}

/// The part of a step in which the device copies from or to pageable memory, or the host is in a call for that. Gain: all
/// of that, as far as the device idles or does nothing but copy.
pub(super) fn pageable_copies(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let named = facts.named(|name| name.contains("Pageable"));
    copying(facts, |copy| named.has(copy.event))
}

/// The same of copies and fills for calls that come back when they are done. Gain: as of [`pageable_copies`].
pub(super) fn synchronous_copies(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let copies = facts.named(|name| call_meaning(name) == CallMeaning::Copies);
    copying(facts, |copy| copy.call.get().is_some_and(|call| copies.has(call)))
}

fn copying(facts: &Facts<'_>, is_such: impl Fn(&Activity) -> bool) -> Judged {
    facts.device_step()?;
    let slices = &facts.trace.slices;
    let is_copy = |activity: &&Activity| matches!(slices.class(activity.event), Class::Memcpy | Class::Memset);
    let copies: Vec<&Activity> =
        facts.activities().map(|(_, activity)| activity).filter(is_copy).filter(|copy| is_such(copy)).collect();
    let events: Vec<EventId> = copies.iter().map(|copy| copy.event).collect();
    let calls = copies.iter().filter_map(|copy| copy.call.get()).map(|call| facts.on_host(call));
    let spans = events.iter().map(|id| slices.interval(*id)).chain(calls);
    let time = facts.united(spans.collect::<Vec<Interval>>());
    let longer = |copy: &&Activity| {
        let call = copy.call.get().filter(|call| slices.length(*call) > slices.length(copy.event));
        call.unwrap_or(copy.event)
    };
    let average = &facts.analysis.average.device;
    let possible = average.idle + average.exposed_memcpy + average.exposed_memset;
    Ok(Measured {
        value: facts.share(time),
        gain: Some(time.min(possible)),
        evidence: facts.longest(copies.iter().map(longer)),
        ..Measured::default()
    })
}
