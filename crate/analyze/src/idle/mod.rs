//! Idle time of streams and devices by cause. METRICS section 5, "each gap on a stream" and what follows.

mod activity;
mod edges;
mod gaps;
mod host;
mod in_steps;
mod lead_in;
mod leaves;
mod meaning;
mod parts;
mod report;
mod split;
mod table;
#[cfg(test)]
mod tests;
mod timeline;

pub use self::activity::{HostActivity, HostTimes};
pub(super) use self::edges::marking as marking_thread;
pub use self::gaps::{Gap, IdleClass};
pub(super) use self::host::{Hosts, python_of, recorded_in};
pub use self::in_steps::{IdleInSteps, idle_in_steps};
pub use self::lead_in::{IdleSpans, idle_spans};
pub(super) use self::lead_in::{LATE, known_from, synchronized};
pub use self::leaves::{IdleLeaf, LeafTimes};
pub(super) use self::meaning::{
    CallMeaning, RuntimeRanges, call_meaning, is_blocking_copy, runs_compiled, waits_for_device, waits_for_lock,
};
pub(super) use self::parts::{IdlePart, idle_parts};
pub use self::report::{DeviceIdle, EdgeSide, HostInGap, IdleConfig, IdleEdge, IdleTimes, ListedGap, StepClasses};
pub use self::split::{IdleSplit, IdleSplitTable};
pub use self::table::{IdleTime, IdleTimeTable};

use self::gaps::Sweep;
use self::leaves::Cells;
use crate::{IntervalSet, LaunchRecord, Steps};
use stepscope_base::{CompactSort, Interval, Nanos, map_of};
use stepscope_trace::{EventId, Layer, Stream, Trace, Track, TrackId};

/// Activities of the host's threads that have slices in a span; the times of each add up to the span.
#[must_use]
pub fn hosts_in(trace: &Trace, span: Interval) -> Vec<(TrackId, HostInGap)> {
    let mut hosts = Hosts::new(trace, Some(span));
    let is_there =
        |(_, track): &(usize, &Track)| track.layer == Layer::Host && trace.touching(track, Some(span)).next().is_some();
    let there = trace.tracks.iter().enumerate().filter(is_there).map(|(index, _)| TrackId::from_index(index));
    there.map(|track| (track, hosts.look_at(track, span))).collect()
}

/// Idle time of each device by cause.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{HostActivity, IdleClass, IdleConfig};
///
/// // The device ends at 10 µs; the host, which waited for it until 11 µs, launches the next kernel at 20 µs.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":10},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":1,"tid":1,"ts":1,"dur":10},
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":14,"dur":9},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":20,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":25,"dur":5,"args":{"correlation":9}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &analyze::StepsConfig::default());
/// let times = analyze::idle(&trace, &steps, &IdleConfig::standard())[0].times;
/// assert_eq!((times.window, times.busy), (Nanos(30_000), Nanos(15_000)));
/// assert_eq!(times.classes[IdleClass::HostWait as usize], Nanos(15_000));
/// let host = |activity: HostActivity| times.host[activity as usize];
/// assert_eq!((host(HostActivity::Synchronization), host(HostActivity::Operator)), (Nanos(1_000), Nanos(6_000)));
/// assert_eq!((host(HostActivity::Launching), host(HostActivity::Unrecorded)), (Nanos(5_000), Nanos(3_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn idle(trace: &Trace, steps: &Steps, config: &IdleConfig) -> Vec<DeviceIdle> {
    idle_of(trace, steps, &LaunchRecord::of(trace), config)
}

/// Spans in which a device may run unrecorded work: in steps that the timeline does not cover, and after launches
/// without activity.
pub(super) fn uncovered_of(steps: &Steps, launches: &LaunchRecord, device: i64) -> IntervalSet {
    steps.uncovered().union(&launches.unrecorded_on(device))
}

/// The same as [`idle`], given the outcome of the launches.
pub(super) fn idle_of(trace: &Trace, steps: &Steps, launches: &LaunchRecord, config: &IdleConfig) -> Vec<DeviceIdle> {
    let mut streams: Vec<(Stream, usize)> = trace
        .tracks
        .iter()
        .enumerate()
        .filter(|(_, track)| track.layer == Layer::Device && !track.rows().is_empty())
        .filter_map(|(index, track)| Some((track.stream?, index)))
        .collect();
    streams.compact_sort();
    let known = map_of(known_from(trace));
    let mut hosts = Hosts::new(trace, None);
    let of_device = |tracks: &[(Stream, usize)]| {
        let device = tracks.first().map_or(0, |(stream, _)| stream.device);
        let known_from = known.get(&device).copied();
        let uncovered = uncovered_of(steps, launches, device);
        device_idle((trace, steps), tracks, (known_from.unwrap_or(Nanos::MIN), &uncovered), config, &mut hosts)
    };
    streams.chunk_by(|a, b| a.0.device == b.0.device).map(of_device).collect()
}

/// Total time of late starts without a known reason in the steps that count; the largest over all devices.
#[must_use]
pub fn started_late(steps: &Steps, devices: &[DeviceIdle]) -> Nanos {
    let counted = steps.counted();
    let of_step = |device: &DeviceIdle, step: usize| {
        device.steps.get(step).map_or(Nanos::ZERO, |leaves| leaves[IdleLeaf::StartLate as usize])
    };
    let of_device = |device: &DeviceIdle| counted.iter().map(|step| of_step(device, *step)).sum::<Nanos>();
    devices.iter().map(of_device).max().unwrap_or_default()
}

/// Shows each gap of a device by time: between its activities, and before the first one from a time on.
pub(super) fn device_gaps(trace: &Trace, device: i64, from: Nanos, kernel_wait: Nanos, mut see: impl FnMut(Gap)) {
    let events = parts::activities_of(trace, device);
    let mut sweep = Sweep::new(trace, kernel_wait);
    if let Some((start, first)) = events.first().filter(|(start, _)| from < *start) {
        see(Gap::of(trace, Interval::new(from, *start), [*first, *first], kernel_wait));
    }
    for (start, event) in events {
        if let Some(gap) = sweep.next(start, event) {
            see(gap);
        }
    }
}

/// The idle time of the device that has the given tracks.
fn device_idle(
    (trace, steps): (&Trace, &Steps),
    tracks: &[(Stream, usize)],
    (known_from, uncovered): (Nanos, &IntervalSet),
    config: &IdleConfig,
    hosts: &mut Hosts<'_>,
) -> DeviceIdle {
    let mut events: Vec<(Nanos, EventId)> = Vec::new();
    let mut streams = Vec::new();
    for of_stream in tracks.chunk_by(|a, b| a.0 == b.0) {
        let first = events.len();
        for (_, index) in of_stream {
            let activities = trace.tracks[*index].events().filter(|id| trace.slices.class(*id).is_activity());
            events.extend(activities.map(|id| (trace.slices.start(id), id)));
        }
        let events = &mut events[first..];
        if of_stream.len() > 1 {
            events.sort();
        }
        streams.push((of_stream[0].0, times((trace, uncovered), events, config, hosts, |_, _, _| {})));
    }
    let mut long = Vec::new();
    let mut in_steps = InSteps::of(steps);
    // The events of each stream are sorted: a merge sort finds that.
    events.sort();
    let times = times((trace, uncovered), &events, config, hosts, |gap, span, hosts| {
        in_steps.add(span, |window, times| hosts.add(gap, window, times.cells.of_class(gap.class)));
        if span.len() > config.long_gap {
            long.push(Gap { span, ..*gap });
        }
    });
    let from_known = uncovered.clip(Interval::new(known_from, Nanos::MAX));
    from_known.intervals().iter().for_each(|span| in_steps.add_outside(*span, IdleLeaf::Uncovered));
    let (long_gaps, long_gaps_time) = (long.len() as u64, long.iter().map(|gap| gap.span.len()).sum());
    long.compact_sort_by_key(|gap| (std::cmp::Reverse(gap.span.len()), gap.span.start));
    long.truncate(config.listed);
    let longest = long.into_iter().map(|gap| hosts.listed(gap)).collect();
    let device = tracks.first().map_or(0, |(stream, _)| stream.device);
    let mut idle = DeviceIdle {
        device,
        config: *config,
        times,
        streams,
        longest,
        long_gaps,
        long_gaps_time,
        steps: Vec::new(),
        step_classes: Vec::new(),
        before_first: Nanos::ZERO,
        lead_in: Nanos::ZERO,
        lead_out: Nanos::ZERO,
        edges: Vec::new(),
    };
    let last = events.iter().max_by_key(|(_, id)| trace.slices.end(*id));
    if let (Some((start, first)), Some((_, last))) = (events.first(), last) {
        let window = Interval::new(*start, *start + times.window);
        let spans = IntervalSet::of(steps.steps.iter().map(|step| step.span));
        let parts = edges::outside(&spans, window, known_from, uncovered);
        [idle.before_first, idle.lead_in, idle.lead_out] = [0, 1, 2].map(|side| parts[side].1.len());
        for (side, part) in &parts {
            let Some(span) = part.hull() else { continue };
            // Like a gap of the window, the lead-in is cut as a whole.
            let gap = Gap::of(trace, span, [*first, *first], config.kernel_wait);
            for span in part.intervals() {
                match side {
                    EdgeSide::BeforeFirst => in_steps.add_outside(*span, IdleLeaf::BeforeFirst),
                    EdgeSide::LeadIn => in_steps.add(*span, |window, times| {
                        times.lead_in += window.len();
                        hosts.add(&gap, window, &mut times.outside);
                    }),
                    EdgeSide::LeadOut => in_steps.add_outside(*span, IdleLeaf::AfterLast),
                }
            }
        }
        let limits = (config.long_gap, config.listed);
        idle.edges = edges::longest(&parts, [*first, *last], limits, (trace, steps), hosts);
    }
    idle.steps = in_steps.times.iter().map(InStep::leaves).collect();
    idle.step_classes = in_steps.times.iter().map(InStep::classes).collect();
    idle
}

/// The leaves of each step: the parts of gaps that lie in it.
struct InSteps {
    /// Spans of the steps; they do not overlap.
    spans: Vec<Interval>,
    times: Vec<InStep>,
}

/// The leaves of a step.
#[derive(Default)]
struct InStep {
    /// Gaps in the device's window, by their class.
    cells: Cells,
    /// Outside of the window, or where the timeline does not cover the step.
    outside: LeafTimes,
    /// The part of these before the first activity in which the device is idle.
    lead_in: Nanos,
}

impl InStep {
    fn leaves(&self) -> LeafTimes {
        let of_gaps = self.cells.leaves();
        std::array::from_fn(|leaf| of_gaps[leaf] + self.outside[leaf])
    }

    fn classes(&self) -> StepClasses {
        StepClasses { classes: self.cells.classes(), host: self.cells.host(), lead_in: self.lead_in }
    }
}

impl InSteps {
    fn of(steps: &Steps) -> Self {
        let spans: Vec<Interval> = steps.steps.iter().map(|step| step.span).collect();
        Self { times: spans.iter().map(|_| InStep::default()).collect(), spans }
    }

    /// Shows the part of a span in each step that it touches, to be added to the step's leaves.
    fn add(&mut self, span: Interval, mut add: impl FnMut(Interval, &mut InStep)) {
        let first = self.spans.partition_point(|step| step.end <= span.start);
        let touched = self.spans[first..].iter().zip(&mut self.times[first..]);
        for (step, times) in touched.take_while(|(step, _)| step.start < span.end) {
            let part = step.intersection(span);
            if !part.is_empty() {
                add(part, times);
            }
        }
    }

    /// Adds all of a span to a leaf outside of the device's window.
    fn add_outside(&mut self, span: Interval, leaf: IdleLeaf) {
        self.add(span, |part, times| times.outside[leaf as usize] += part.len());
    }
}

/// Sums up the gaps between activities that come by start, and shows their parts in which the device is known to be
/// idle.
fn times<'a>(
    (trace, uncovered): (&Trace, &IntervalSet),
    events: &[(Nanos, EventId)],
    config: &IdleConfig,
    hosts: &mut Hosts<'a>,
    mut see: impl FnMut(&Gap, Interval, &mut Hosts<'a>),
) -> IdleTimes {
    let mut times = IdleTimes::default();
    let mut cells = Cells::default();
    let mut sweep = Sweep::new(trace, config.kernel_wait);
    let mut idle_there = Nanos::ZERO;
    for (start, event) in events {
        let Some(gap) = sweep.next(*start, *event) else { continue };
        let mut known = std::slice::from_ref(&gap.span);
        let parts;
        if !uncovered.is_empty() {
            parts = IntervalSet::from_interval(gap.span).difference(&uncovered.clip(gap.span));
            known = parts.intervals();
            idle_there += gap.span.len() - parts.len();
        }
        times.gaps[gap.class as usize] += u64::from(!known.is_empty());
        for span in known {
            times.handed_over += hosts.add_marked(&gap, *span, cells.of_class(gap.class));
            see(&gap, *span, hosts);
        }
    }
    times.leaves = cells.leaves();
    times.classes = cells.classes();
    times.host = cells.host();
    times.window = sweep.window();
    if let Some((start, _)) = events.first() {
        times.uncovered = uncovered.clip(Interval::new(*start, *start + times.window)).len();
    }
    times.busy = sweep.busy - (times.uncovered - idle_there);
    times
}
