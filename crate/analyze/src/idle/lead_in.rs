//! The time before a device's first recorded activity. INSIGHT section 5, B.5.

use super::meaning::{CallMeaning, call_meaning};
use crate::{DeviceReport, IntervalSet, Steps};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, EventId, Layer, Trace};

/// Longest time from a launching call's end to a first activity that does not wait for unrecorded work.
pub(crate) const LATE: Nanos = Nanos(30_000);

/// Time from which the trace shows each device's work, by device as [`Trace::active_devices`] lists them.
///
/// Before that time a device without activity is not known to be idle: it may run work that was launched before the
/// recording began. The time is
/// - the first activity's start, if that activity started more than 30 µs after its launching call's end, or if the
///   trace does not show its launching call;
/// - else the end of the first synchronization that the launching thread completed before the first activity;
/// - else [`Nanos::MIN`]: the device is assumed to have been empty.
#[must_use]
pub(crate) fn known_from(trace: &Trace) -> Vec<(i64, Nanos)> {
    let first_of = |device: i64| {
        let tracks = trace.tracks.iter().filter(|track| track.layer == Layer::Device);
        let of_device = tracks.filter(|track| track.stream.is_some_and(|stream| stream.device == device));
        let first = of_device.filter_map(|track| track.events().find(|id| trace.slices.class(*id).is_activity()));
        // If several start together, the one that was launched last.
        first.min_by_key(|id| {
            let call = call_of(trace, *id).map(|call| std::cmp::Reverse(trace.slices.start(call)));
            (trace.slices.start(*id), call.is_none(), call, *id)
        })
    };
    let devices = trace.active_devices().into_iter();
    devices.map(|device| (device, first_of(device).map_or(Nanos::MIN, |first| shown_since(trace, first)))).collect()
}

fn call_of(trace: &Trace, activity: EventId) -> Option<EventId> {
    trace.activity(activity)?.call.get()
}

fn shown_since(trace: &Trace, first: EventId) -> Nanos {
    let start = trace.slices.start(first);
    match call_of(trace, first) {
        Some(call) if start - trace.slices.end(call) <= LATE => synchronized(trace, call, start).unwrap_or(Nanos::MIN),
        _ => start,
    }
}

/// The end of the first synchronization of a stream or device on the thread of a call, if it is not after a time.
pub(crate) fn synchronized(trace: &Trace, call: EventId, until: Nanos) -> Option<Nanos> {
    let calls = trace.tracks[trace.slices.track(call).index()].events();
    let early = calls.take_while(|id| trace.slices.start(*id) < until);
    let waits = early.filter(|id| {
        trace.slices.class(*id) == Class::RuntimeCall
            && trace.slices.end(*id) <= until
            && call_meaning(trace.name_of(*id)) == CallMeaning::Waits
            // A wait for an event may return while the device still works.
            && !trace.name_of(*id).contains("Event")
    });
    waits.map(|id| trace.slices.end(id)).min()
}

/// Known idle times of a device, and the lead-in in which its state is unknown.
///
/// The two sets and the device's activities cover the device's window and the steps without overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdleSpans {
    /// The device's number as the producer counts.
    pub device: i64,
    /// No activity, and known to be idle: gaps between activities, and the parts of steps before the first activity and
    /// after the last one; without steps that the timeline does not cover.
    pub idle: IntervalSet,
    /// "Device state unknown at start": the part of the steps in which the device may have run work from before
    /// the recording. It is never idle time, and the host is never its cause.
    pub before_first: Option<Interval>,
}

/// The known idle times of each device, within its window and the steps, in the order of the reports.
///
/// ```
/// use stepscope::{Interval, Loader, Nanos, analyze};
///
/// // The first kernel starts 80 µs after its call: the device was busy with something that is not recorded.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":130},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":10,"dur":5,"args":{"correlation":8}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":95,"dur":10,"args":{"correlation":8}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &analyze::StepsConfig::default());
/// let spans = &analyze::idle_spans(&steps, &analyze::device_time(&trace))[0];
/// let micros = |start: i64, end: i64| Interval::new(Nanos(start * 1000), Nanos(end * 1000));
/// assert_eq!(spans.before_first, Some(micros(0, 95)));
/// assert_eq!(spans.idle.intervals(), [micros(105, 130)]);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn idle_spans(steps: &Steps, devices: &[DeviceReport]) -> Vec<IdleSpans> {
    let of_device = |report: &DeviceReport| {
        let of_steps = steps.steps.iter().map(|step| step.span);
        let looked_at = IntervalSet::of(of_steps.chain([report.window]));
        let start = looked_at.hull().map_or(report.window.start, |hull| hull.start);
        let before_first = Interval::new(start, report.known_from.max(start));
        let unknown = IntervalSet::from_interval(before_first);
        IdleSpans {
            device: report.time.device,
            idle: looked_at.difference(&report.sets.busy()).difference(&unknown).difference(&report.uncovered),
            before_first: Some(before_first).filter(|span| !span.is_empty()),
        }
    };
    devices.iter().map(of_device).collect()
}
