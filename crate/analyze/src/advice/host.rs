//! Rules about the work of the host.

use super::facts::{Facts, WORTH};
use super::late::Cause;
use super::printed;
use super::{Evidence, Exemption, Measured, NotApplicable};
use crate::data_loading::is_start;
use crate::data_wait::DataWaits;
use crate::idle::{CallMeaning, call_meaning, runs_compiled};
use crate::time_categories::names_collective;
use crate::{
    Analysis, CopyKind, IdleClass, IdleLeaf, IntervalSet, PathClass, PathRow, PathTimes, Recorder, StepSource,
    StepTimes, TimeCategory, Vendor, mean,
};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Activity, Class, EventId, Trace, TrackId};

type Judged = Result<Measured, NotApplicable>;

/// The part of a step in which nothing happens but the wait for data. Gain: the part of a device's idle time that the
/// waits can have caused. The trace's first wait is left out if it is the loader's start ([`is_start`]): that comes
/// once, not with each step.
pub(super) fn dataloader(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    if let Ok(found) = printed::reader_ratio(facts.trace) {
        return Ok(found);
    }
    facts.step()?;
    let trace = facts.trace;
    let waits = DataWaits::of(trace);
    let is_wait = |id: &EventId| waits.has(trace, *id);
    // One inside another one is a part of that.
    let outermost = |id: &EventId| !trace.slices.ancestors(*id).any(|around| is_wait(&around));
    let all: Vec<EventId> = trace.slices.ids().filter(is_wait).filter(outermost).collect();
    // A trace of the device, or steps of a table, alone do not show what the host did in them.
    if all.is_empty() && facts.analysis.operators.rows.is_empty() {
        return Err(NotApplicable::NoOperators);
    }
    let first = all.iter().copied().min_by_key(|id| (trace.slices.start(*id), *id));
    let start = first.filter(|first| {
        let span = trace.slices.interval(*first);
        let others = all.iter().map(|id| trace.slices.interval(*id)).filter(|other| other.start >= span.end);
        is_start(span.len().0 as f64, &others.map(|other| other.len().0 as f64).collect::<Vec<_>>())
    });
    let is_in_start = |id: &EventId| {
        start.is_some_and(|start| {
            trace.slices.interval(*id).intersection(trace.slices.interval(start)) == trace.slices.interval(*id)
        })
    };
    let waits: Vec<EventId> = all.iter().copied().filter(|id| facts.is_inside(*id) && !is_in_start(id)).collect();
    let claim = facts.claim(facts.caused_by(&waits, Cause::Data), WORTH);
    let lengths = alone(facts, start);
    let share = |steps: &[(Nanos, Nanos)]| {
        let whole = steps.iter().map(|(_, length)| *length).sum();
        steps.iter().map(|(wait, _)| *wait).sum::<Nanos>().ratio_of(whole).unwrap_or_default()
    };
    let limit = limits.first().copied().unwrap_or_default();
    let waiting = lengths.iter().filter(|(wait, length)| wait.ratio_of(*length).is_some_and(|share| share > limit));
    let is_once = lengths.len() > FEW && waiting.count() == 1;
    Ok(Measured {
        value: share(&lengths),
        gain: Some(facts.per_step(claim.time.len())),
        evidence: facts.longest(waits),
        claim: Some(claim),
        wording: match () {
            () if is_once => Some("dataloader.once"),
            () if trace.meta.framework == "TensorFlow" && is_ahead(trace) => Some("dataloader.tf_data_ahead"),
            () if trace.meta.framework == "TensorFlow" => Some("dataloader.tf_data"),
            // Nothing is copied to a device.
            () => trace.activities.is_empty().then_some("dataloader.host"),
        },
        ..Measured::default()
    })
}

/// Whether the recorded stages of tf.data have both a prefetch and a parallel map.
fn is_ahead(trace: &Trace) -> bool {
    // A stage's name may have those around it before its own.
    let is_stage = |name: &str, starts: &str| {
        name.strip_prefix("Iterator::").is_some_and(|path| path.split("::").any(|stage| stage.starts_with(starts)))
    };
    let is_named = |starts| trace.strings.map(|name| is_stage(name, starts)).contains(&true);
    is_named("Prefetch") && is_named("ParallelMap")
}

/// Number of steps above which a single one can be an exception.
const FEW: usize = 2;

/// Time of each step with nothing but waits for data, and the step's length, without the step in which the loader
/// starts.
fn alone(facts: &Facts<'_>, start: Option<EventId>) -> Vec<(Nanos, Nanos)> {
    let (steps, categories) = (&facts.analysis.steps, facts.analysis.known_categories());
    let starts = |index: &usize| {
        start.is_some_and(|start| {
            let (host, at) = (steps.steps[*index].host, facts.trace.slices.start(start));
            host.start <= at && at < host.end
        })
    };
    let counted = steps.counted();
    let others: Vec<usize> = counted.iter().copied().filter(|index| !starts(index)).collect();
    let looked_at = if others.is_empty() { counted } else { others };
    looked_at
        .iter()
        .map(|index| (categories[*index][TimeCategory::Dataloader as usize], steps.steps[*index].span.len()))
        .collect()
}

/// Number of devices that one process feeds by `DataParallel.forward`; zero if it does not. Gain: a device's idle time.
#[expect(clippy::cast_precision_loss, reason = "a count of devices")]
pub(super) fn data_parallel(facts: &Facts<'_>, _: &[f64]) -> Judged {
    facts.device_step()?;
    let devices = facts.analysis.devices.len();
    if devices < 2 {
        return Err(NotApplicable::OneDevice);
    }
    let named = facts.named(|name| name == "DataParallel.forward");
    let calls: Vec<EventId> = facts.trace.slices.ids().filter(|id| named.has(*id)).collect();
    Ok(Measured {
        value: if calls.is_empty() { 0.0 } else { devices as f64 },
        gain: Some(facts.idle()),
        // Devices that are fed one by one need not idle for it.
        claim: Some(facts.claim(facts.idle_time().clone(), -1.0)),
        evidence: facts.longest(calls),
        ..Measured::default()
    })
}

/// The part of a step in which the hosts communicate, where devices compute and none of them communicates. Gain: the
/// part of a device's idle time that this can have caused.
pub(super) fn communication_backend(facts: &Facts<'_>, _: &[f64]) -> Judged {
    facts.device_step()?;
    let trace = facts.trace;
    let named = facts.named(names_collective);
    let calls: Vec<EventId> = trace.slices.ids().filter(|id| named.has(*id) && facts.is_inside(*id)).collect();
    let by_devices = trace.activities.iter().any(|activity| activity.communication);
    if calls.is_empty() && !by_devices {
        return Err(NotApplicable::NoCommunication);
    }
    Ok(Measured {
        value: facts.share(facts.on_hosts(&calls)),
        exemption: by_devices.then_some(Exemption::DevicesCommunicate),
        ..lost(facts, facts.caused_by(&calls, Cause::Collective), calls)
    })
}

/// Measures idle time that is lost for some calls.
fn lost(facts: &Facts<'_>, time: IntervalSet, calls: impl IntoIterator<Item = EventId>) -> Measured {
    let claim = facts.claim(time, WORTH);
    Measured {
        gain: Some(facts.per_step(claim.time.len())),
        evidence: facts.longest(calls),
        claim: Some(claim),
        ..Measured::default()
    }
}

/// The part of the devices' idle time in which the host was late, if kernels are short; without the few calls that take
/// far longer than a usual launch. Gain: the part of a device's idle time that the other launches can have caused.
pub(super) fn launch_bound(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    facts.device_step()?;
    let idle = &facts.analysis.idle;
    let whole: Nanos = idle.iter().map(|device| device.times.idle()).sum();
    let late = |device: &crate::DeviceIdle| {
        let unexplained = device.times.leaves[IdleLeaf::StartLate as usize];
        device.times.classes[IdleClass::HostWait as usize] - unexplained
    };
    let late = idle.iter().map(late).sum::<Nanos>();
    let kernels = &facts.analysis.kernels;
    let count = kernels.iter().map(|row| row.time.calls).sum();
    let kernel = mean(kernels.iter().map(|row| row.time.total).sum(), count);
    if count == 0 {
        return Err(NotApplicable::NoKernels);
    }
    let launching = facts.launching()?;
    let (time, gain) = facts.caused_by_launches(launching);
    let recorded = facts.recorded_of_host();
    let in_slow = |report: &crate::DeviceReport| {
        let calls = IntervalSet::of(launching.slow.iter().map(|id| facts.trace.slices.interval(*id)));
        calls.clip(report.window).difference(&report.sets.busy()).len()
    };
    let slow: Nanos = facts.analysis.devices.iter().map(in_slow).sum();
    #[expect(clippy::cast_precision_loss, reason = "a length to be compared with a threshold")]
    let is_long = kernel.0 as f64 >= limits[1];
    Ok(Measured {
        value: (late - slow).max(Nanos::ZERO).ratio_of(whole - slow).unwrap_or_default(),
        exemption: is_long.then_some(Exemption::LongKernels),
        gain: Some(gain),
        // The budget does not know the cause of the rest.
        wording: (recorded + recorded < gain).then_some("launch_bound.unrecorded"),
        ..lost(facts, time, launching.calls.iter().copied())
    })
}

/// The part of the launches that take longer than their activities. Gain: as for [`launch_bound`].
#[expect(clippy::cast_precision_loss, reason = "counts of calls")]
pub(super) fn short_kernels(facts: &Facts<'_>, _: &[f64]) -> Judged {
    facts.device_step()?;
    let total = &facts.analysis.launches.total;
    let launching = facts.launching()?;
    let (time, gain) = facts.caused_by_launches(launching);
    Ok(Measured {
        value: total.short as f64 / total.calls.max(1) as f64,
        gain: Some(gain),
        ..lost(facts, time, launching.short.iter().copied())
    })
}

/// The part of the critical path that lies in recorded work of the host, without waits for data and for the device.
/// Gain: the idle time of a device for which the host is late.
///
/// # Errors
///
/// If only unrecorded host time reaches the limit: there the host may wait for the device.
pub(super) fn host_bound(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    facts.device_step()?;
    // Without launches a path cannot lead to the device.
    if facts.analysis.launches.total.activities <= facts.analysis.launches.unlinked {
        return Err(facts.no_launches());
    }
    let paths = facts.paths();
    let host = || PathClass::ALL.into_iter().filter(|class| class.is_of_host());
    let on_host = |times: &PathTimes| host().map(|class| times[class as usize]).sum::<Nanos>();
    let share = |unclear: Nanos| (on_host(&paths.mean) - unclear).ratio_of(paths.mean_length).unwrap_or_default();
    let value = share(mean(paths.unclear, paths.counted));
    let limit = limits.first().copied().unwrap_or_default();
    if value <= limit && share(Nanos::ZERO) > limit {
        return Err(NotApplicable::PathUnrecorded);
    }
    let slow = facts.launching().map(|launching| launching.slow.as_slice()).unwrap_or_default();
    let is_usual = |slice: EventId| slow.binary_search(&slice).is_err();
    let is_there = |row: &&PathRow| row.class.is_of_host() && row.longest.slice.get().is_some_and(is_usual);
    let rows = paths.rows.iter().filter(is_there);
    let of_row = |row: &PathRow| Evidence::Slices(row.longest.slice, row.longest.span, mean(row.total, paths.counted));
    // A path may end on the host though the device is busy all the time.
    let claim = facts.claim(facts.host_late(), IDLE);
    Ok(Measured {
        value,
        gain: Some(facts.per_step(claim.time.len())),
        wording: runs_compiled(facts.trace).then_some("host_bound.compiled"),
        evidence: rows.take(ROWS).map(of_row).collect(),
        claim: Some(claim),
        ..Measured::default()
    })
}

/// The part of the steps that a device must idle for the host to be its limit.
const IDLE: f64 = 0.1;

/// Number of names of a path that are shown.
const ROWS: usize = 5;

/// Adds the part of a device's idle time that the time between two steps can have caused, unless the profiler recorded
/// a step trace of these steps.
pub(super) fn between_steps(facts: &Facts<'_>, mut found: Measured) -> Measured {
    let analysis: &Analysis = facts.analysis;
    if analysis.recorded_steps().is_some() || analysis.steps.source == StepSource::WholeTrace {
        return found;
    }
    let idle = facts.idle_between();
    let is_without_host =
        |one: &Evidence| matches!(one, Evidence::Gap { cause: Some(IdleLeaf::NoHostRecord), host: None, .. });
    let time = match analysis.step_trace.as_ref().filter(|found| !found.is_of_other_steps(&analysis.steps)) {
        Some(steps) => {
            let between = |step: &StepTimes| Interval::new(step.start, step.start + step.iteration_interval);
            let between = IntervalSet::of(steps.steps.iter().map(between));
            if !idle.is_empty() && idle.iter().all(is_without_host) {
                // Nothing shows that the host is late: it may be so whenever the device idles.
                let wording = of_recorder(facts.trace, "iteration_interval.step_trace.no_host");
                (found.wording, found.evidence) = (Some(wording), idle);
                facts.idle_periods().intersection(&between)
            } else {
                facts.caused_between(&between)
            }
        }
        None => {
            found.wording = no_host_wording(facts.trace, &idle, "iteration_interval.no_host");
            found.evidence = idle;
            facts.idle_periods().intersection(&analysis.steps.between())
        }
    };
    let claim = facts.claim(time, WORTH);
    found.gain = found.gain.map(|gain| gain.min(facts.per_period(&claim.time)));
    // The time between two steps is a part of neither.
    found.step = Some(facts.period());
    found.claim = Some(claim);
    found
}

/// The texts for time in which the trace shows nothing of the host, if it shows nothing in any pause of the evidence.
pub(super) fn no_host_wording(trace: &Trace, evidence: &[Evidence], wording: &'static str) -> Option<&'static str> {
    let is_silent = |one: &Evidence| match one {
        Evidence::Gap { host, cause, .. } => {
            host.is_none() && cause.is_none_or(|cause| matches!(cause, IdleLeaf::NoHostRecord | IdleLeaf::Unrecorded))
        }
        Evidence::Slice(..) | Evidence::Slices(..) | Evidence::Rank(..) | Evidence::Named(..) => false,
    };
    (!evidence.is_empty() && evidence.iter().all(is_silent)).then(|| of_recorder(trace, wording))
}

/// The texts about what to record of the host, with the names that the recording's profiler has for it.
fn of_recorder(trace: &Trace, wording: &'static str) -> &'static str {
    match (Recorder::of(trace), wording) {
        (Recorder::MindSpore, "long_gaps.no_host") => "long_gaps.no_host.mindspore",
        (Recorder::MindSpore, "iteration_interval.no_host") => "iteration_interval.no_host.mindspore",
        (Recorder::MindSpore, "iteration_interval.step_trace.no_host") => {
            "iteration_interval.step_trace.no_host.mindspore"
        }
        _ => wording,
    }
}

/// The texts for pauses in which launched work waits, if most of the evidence is such pauses: the host is not the
/// cause.
pub(super) fn queued_wording(evidence: &[Evidence]) -> Option<&'static str> {
    let time = |is_such: &dyn Fn(Option<IdleLeaf>) -> bool| {
        let of = |one: &Evidence| match one {
            Evidence::Gap { span, cause, .. } if is_such(*cause) => span.len(),
            _ => Nanos::ZERO,
        };
        evidence.iter().map(of).sum::<Nanos>()
    };
    let waits = |cause: Option<IdleLeaf>| {
        matches!(cause, Some(IdleLeaf::QueuedWaiting | IdleLeaf::BetweenQueued | IdleLeaf::StartLate))
    };
    let queued = time(&waits);
    (queued + queued > time(&|_| true)).then_some("long_gaps.queued")
}

/// The part of a step in which the host is in a call that waits for the device or for a copy. Gain: the part of a
/// device's idle time that this can have caused.
pub(super) fn synchronization(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let calls = &facts.calls().waits;
    let found = held_up(facts, calls, facts.caused_by(calls, Cause::Synchronization))?;
    Ok(Measured { wording: synchronization_wording(facts.trace), ..found })
}

/// The texts that fit: PyTorch's functions only where PyTorch runs on the devices that these are for.
fn synchronization_wording(trace: &Trace) -> Option<&'static str> {
    let is_known = matches!(Vendor::of_trace(trace), Vendor::Nvidia | Vendor::Amd);
    let is_pytorch = trace.meta.framework.is_empty() || trace.meta.framework.contains("PyTorch");
    (!(is_known && is_pytorch)).then_some("synchronization.other")
}

fn held_up(facts: &Facts<'_>, calls: &[EventId], time: IntervalSet) -> Judged {
    facts.step()?;
    if facts.calls().count == 0 {
        return Err(NotApplicable::NoCalls);
    }
    Ok(Measured { value: facts.share(facts.on_hosts(calls)), ..lost(facts, time, calls.iter().copied()) })
}

/// Number of calls per step that allocate or free memory. Gain: the part of a device's idle time that these can have
/// caused.
#[expect(clippy::cast_precision_loss, reason = "a count of calls")]
pub(super) fn allocation(facts: &Facts<'_>, _: &[f64]) -> Judged {
    facts.marked_step()?;
    let calls = &facts.calls().allocates;
    let found = held_up(facts, calls, facts.caused_by(calls, Cause::Allocation))?;
    Ok(Measured { value: calls.len() as f64 / facts.steps(), ..found })
}

/// The part of a step in which the device copies from or to pageable memory, or the host is in a call for that, without
/// the waits of copies to the host for earlier work. Gain: the part of a device's time that this can have caused in
/// which it idles or only copies.
pub(super) fn pageable_copies(facts: &Facts<'_>, _: &[f64]) -> Judged {
    let named = facts.named(|name| name.contains("Pageable"));
    copying(facts, |copy| named.has(copy.event))
}

/// The same for copies and memsets whose calls return when they are done. Gain: as for [`pageable_copies`].
pub(super) fn synchronous_copies(facts: &Facts<'_>, limits: &[f64]) -> Judged {
    if let Ok(found) = printed::waited_for(facts.trace, limits) {
        return Ok(found);
    }
    let copies = facts.named(|name| call_meaning(name) == CallMeaning::Copies);
    copying(facts, |copy| copy.call.get().is_some_and(|call| copies.has(call)))
}

/// The part of a step in which a device copies and runs no kernel. Copies of pageable memory, and by calls that wait,
/// do not count. Gain: all of that.
pub(super) fn exposed_copies(facts: &Facts<'_>, _: &[f64]) -> Judged {
    if let Ok(found) = printed::copies(facts.trace) {
        return Ok(found);
    }
    facts.device_step()?;
    let trace = facts.trace;
    let slices = &trace.slices;
    // Copies of pageable memory, and those that the host waits for, have rules of their own.
    let others = facts.named(|name| name.contains("Pageable"));
    let within = facts.named(is_within_devices);
    let waits = facts.named(|name| call_meaning(name) == CallMeaning::Copies);
    let copies: Vec<EventId> = facts
        .activities()
        .filter(|(_, copy)| slices.class(copy.event) == Class::Memcpy && !others.has(copy.event))
        .filter(|(_, copy)| !copy.call.get().is_some_and(|call| waits.has(call)))
        .map(|(_, copy)| copy.event)
        .collect();
    let exposed_of = |is_such: &dyn Fn(EventId) -> bool| {
        let of_device = |report: &crate::DeviceReport| {
            let is_own = |id: &EventId| trace.stream_of(*id).is_some_and(|at| at.device == report.time.device);
            let own = copies.iter().copied().filter(|id| is_own(id) && is_such(*id));
            let copied = IntervalSet::of(own.map(|id| slices.interval(id)));
            copied.difference(&report.sets.compute.union(&report.sets.communication))
        };
        let devices = facts.analysis.devices.iter();
        devices.fold(IntervalSet::new(), |all, report| all.union(&of_device(report))).intersection(facts.spans())
    };
    let exposed = exposed_of(&|_| true);
    let on_device = exposed_of(&|id| within.has(id));
    // The advice depends on where most of them go.
    let is_within = on_device.len() + on_device.len() > exposed.len();
    let wording = is_within.then_some("exposed_copies.on_device");
    let value = facts.share(facts.per_step(exposed.len()));
    let shown: Vec<EventId> = copies.iter().copied().filter(|id| within.has(*id) == is_within).collect();
    Ok(Measured { value, wording, ..lost(facts, exposed, shown) })
}

/// Whether a copy stays on devices, by its name: the host has no part in it.
fn is_within_devices(name: &str) -> bool {
    matches!(CopyKind::of(name), CopyKind::OnDevice | CopyKind::PeerToPeer)
}

/// The span of a copy's call that is for the copy. The call of a copy to the host first waits for all earlier work of
/// its stream, which is synchronization: however fast the copy, the value is there no earlier.
fn copying_call(facts: &Facts<'_>, copy: &Activity) -> Option<(TrackId, Interval)> {
    let call = copy.call.get()?;
    let slices = &facts.trace.slices;
    let span = facts.on_host(call);
    let is_to_host = matches!(
        CopyKind::of(facts.trace.name_of(copy.event)),
        CopyKind::ToPageable | CopyKind::ToPinned | CopyKind::ToHost
    );
    let start = if is_to_host { slices.start(copy.event).clamp(span.start, span.end) } else { span.start };
    Some((slices.track(call), Interval::new(start, span.end)))
}

fn copying(facts: &Facts<'_>, is_such: impl Fn(&Activity) -> bool) -> Judged {
    facts.device_step()?;
    let slices = &facts.trace.slices;
    let is_copy = |activity: &&Activity| matches!(slices.class(activity.event), Class::Memcpy | Class::Memset);
    let copies: Vec<&Activity> =
        facts.activities().map(|(_, activity)| activity).filter(is_copy).filter(|copy| is_such(copy)).collect();
    let calls: Vec<(TrackId, Interval)> = copies.iter().filter_map(|copy| copying_call(facts, copy)).collect();
    let copied = IntervalSet::of(copies.iter().map(|copy| slices.interval(copy.event)));
    let called = IntervalSet::of(calls.iter().map(|(_, span)| *span));
    let time = facts.per_step(copied.union(&called).intersection(facts.spans()).len());
    // As far as nothing else runs on a device.
    let kernels = |report: &crate::DeviceReport| report.sets.compute.union(&report.sets.communication);
    let computed = facts.analysis.devices.iter().fold(IntervalSet::new(), |all, report| all.union(&kernels(report)));
    let alone = copied.intersection(facts.spans()).difference(&computed);
    let longer = |copy: &&Activity| {
        let is_longer = copying_call(facts, copy).is_some_and(|(_, span)| span.len() > slices.length(copy.event));
        copy.call.get().filter(|_| is_longer).unwrap_or(copy.event)
    };
    Ok(Measured {
        value: facts.share(time),
        ..lost(
            facts,
            facts.caused_during(calls.into_iter(), Cause::Synchronization).union(&alone),
            copies.iter().map(longer),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::is_within_devices;
    use crate::{AdviceConfig, AnalysisConfig, advice, analyze};
    use stepscope_base::Nanos;
    use stepscope_input::Loader;

    /// A step of 100 µs in which a copy takes 60 µs, 10 of them beside a kernel: whether the rule holds, its gain, and
    /// whether it comes first.
    fn judged(copy: &str) -> (bool, Option<Nanos>, bool) {
        let text = format!(
            r#"{{"deviceProperties": [], "traceEvents": [
              {{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":100}},
              {{"ph":"X","cat":"cpu_op","name":"aten::copy_","pid":1,"tid":1,"ts":0,"dur":8}},
              {{"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":1,"tid":1,"ts":2,"dur":2,"args":{{"correlation":8}}}},
              {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":10,"dur":2,"args":{{"correlation":9}}}},
              {{"ph":"X","cat":"gpu_memcpy","name":"{copy}","pid":0,"tid":7,"ts":5,"dur":60,"args":{{"correlation":8,"stream":7}}}},
              {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":9,"ts":55,"dur":45,"args":{{"correlation":9,"stream":9}}}}]}}"#
        );
        let mut loader = Loader::new("copies.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let trace = loader.finish().expect("a trace").trace;
        let found = advice(&trace, &analyze(&trace, &AnalysisConfig::standard()), &AdviceConfig::default());
        let place = found.iter().position(|one| one.rule.id == "exposed_copies").expect("the rule");
        let is_on_device = found[place].wording() == "exposed_copies.on_device";
        assert_eq!(is_on_device, found[place].holds && is_within_devices(copy), "{copy}");
        (found[place].holds, found[place].gain(), place == 0)
    }

    #[test]
    fn copies_that_no_kernel_hides_are_found() {
        assert_eq!(judged("Memcpy HtoD (Pinned -> Device)"), (true, Some(Nanos(50_000)), true));
        assert_eq!(judged("Memcpy DtoD (Device -> Device)"), (true, Some(Nanos(50_000)), true));
        // Another rule explains more of them.
        assert!(!judged("Memcpy HtoD (Pageable -> Device)").0);
        assert!(is_within_devices("Memcpy PtoP (Device -> Device)") && !is_within_devices("MEMCPY_HtoD"));
    }
}
