//! Phases of a step: data loading, forward, backward, optimizer. METRICS section 3.
//!
//! On the host, a moment belongs to the first phase of [`Phase::ALL`] that runs in any thread, so that the phases' host
//! times add up to the step's host span. On the device, an activity belongs to the phase that ran on its launching
//! thread at its launch; it counts wholly.

mod phase;
mod sources;

pub use self::phase::Phase;
pub use sources::PhaseSource;
pub(crate) use sources::{is_module, marked_engine};

use self::sources::{PhaseRanges, Range, Ranges, find_ranges};
use super::intervals::IntervalSet;
use super::steps::Steps;
use stepscope_base::{CompactSort, Interval, Nanos, sort_times};
use stepscope_trace::{Activity, Class, EventId, Layer, ProcessId, RawId, Trace};

/// Times of a phase in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseTime {
    /// Number of separate stretches of the phase that began in the step's host span, over all threads.
    pub calls: u64,
    /// Time on the host; the phases' sum is the step's host span.
    pub host: Nanos,
    /// Union of the device activities that were launched in the phase.
    pub device: Nanos,
    /// From its first to its last moment on the host.
    pub host_hull: Option<Interval>,
    /// From the start of the first to the end of the last activity launched in it; collectives are left out.
    pub device_hull: Option<Interval>,
}

/// The phases of a trace's steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// The source of each phase but [`Phase::Other`], by [`Phase::ALL`].
    pub sources: [PhaseSource; 4],
    /// Per step the times, by [`Phase::ALL`].
    pub steps: Vec<[PhaseTime; 5]>,
    found: PhaseRanges,
}

impl Phases {
    /// The phases that were found, in the order of a step, with their sources.
    #[must_use]
    pub fn known(&self) -> Vec<(Phase, PhaseSource)> {
        let known = [Phase::Dataloader, Phase::Forward, Phase::Backward, Phase::Optimizer];
        let with_source = known.into_iter().map(|phase| (phase, self.sources[phase as usize]));
        with_source.filter(|(_, source)| *source != PhaseSource::Absent).collect()
    }
}

/// Splits each step into phases.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::Phase;
///
/// // Forward for 6 of 20 µs, the optimizer for 4; what was launched in the forward phase runs for 9.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"X","cat":"user_annotation","name":"forward","pid":1,"tid":1,"ts":1,"dur":6},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":6,"dur":9,"args":{"correlation":9}},
///   {"ph":"X","cat":"user_annotation","name":"Optimizer.step#SGD.step","pid":1,"tid":1,"ts":10,"dur":4}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &analyze::StepsConfig::default());
/// let times = analyze::phases(&trace, &steps).steps[0];
/// let forward = times[Phase::Forward as usize];
/// assert_eq!((forward.host, forward.device, forward.calls), (Nanos(6_000), Nanos(9_000), 1));
/// assert_eq!(times[Phase::Optimizer as usize].host, Nanos(4_000));
/// assert_eq!(times[Phase::Other as usize].host, Nanos(10_000));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn phases(trace: &Trace, steps: &Steps) -> Phases {
    let found = find_ranges(trace, steps);
    let ranges = &found.ranges;
    let exclusive = exclusive(ranges);
    let starts: [Vec<Nanos>; 4] = std::array::from_fn(|index| sorted_starts(&ranges[index]));
    let devices = device_intervals(trace, steps, &found);
    let times = steps.steps.iter().zip(devices).map(|(step, launched)| {
        let mut times = [PhaseTime::default(); 5];
        let mut rest = step.host.len();
        for (index, set) in exclusive.iter().enumerate() {
            let set = set.clip(step.host);
            times[index].host = set.len();
            times[index].host_hull = set.hull();
            rest -= times[index].host;
            let before = |at: Nanos| starts[index].partition_point(|start| *start < at) as u64;
            times[index].calls = before(step.host.end) - before(step.host.start);
        }
        times[4].host = rest;
        for (time, launched) in times.iter_mut().zip(launched) {
            time.device = IntervalSet::of(launched.intervals).len();
            time.device_hull = launched.hull;
        }
        times
    });
    let steps = times.collect();
    Phases { sources: found.sources, steps, found }
}

/// The phases' times in a span, whatever its steps. Those on the host add up to it. Those on the device are of
/// activities launched in the phase, cut off at the span's ends.
#[must_use]
pub fn phases_in(trace: &Trace, phases: &Phases, span: Interval) -> [PhaseTime; 5] {
    let near = |ranges: &Ranges| -> Ranges {
        ranges.iter().filter(|range| range.span.start < span.end && span.start < range.span.end).copied().collect()
    };
    let ranges = phases.found.ranges.each_ref().map(near);
    let mut times = [PhaseTime::default(); 5];
    let mut rest = span.len();
    for (time, (set, ranges)) in times.iter_mut().zip(exclusive(&ranges).iter().zip(&ranges)) {
        let set = set.clip(span);
        time.calls = ranges.iter().filter(|range| span.start <= range.span.start).count() as u64;
        time.host = set.len();
        time.host_hull = set.hull();
        rest -= time.host;
    }
    times[Phase::Other as usize].host = rest;
    let mut launched: [Launched; 5] = Default::default();
    let mut cursors = cursors(&phases.found);
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Device) {
        for activity in trace.touching(track, Some(span)).filter_map(|id| trace.activity(id)) {
            if let Some(call) = activity.call.get() {
                let phase = phase_of(trace, call, &mut cursors);
                launched[phase as usize].add(activity, trace.slices.interval(activity.event).intersection(span), true);
            }
        }
    }
    for (time, launched) in times.iter_mut().zip(launched) {
        time.device = IntervalSet::of(launched.intervals).len();
        time.device_hull = launched.hull;
    }
    times
}

/// A stretch of a phase on one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stretch {
    /// Its time.
    pub(super) span: Interval,
    /// The sum of the kernels launched in it.
    pub(super) kernels: Nanos,
    /// The sum of all activities launched in it.
    pub(super) device: Nanos,
}

/// The stretches of each phase, by [`Phase::ALL`] without [`Phase::Other`].
pub(super) fn stretches(trace: &Trace, steps: &Steps) -> [Vec<Stretch>; 4] {
    let found = find_ranges(trace, steps);
    let stretch = |range: &Range| Stretch { span: range.span, ..Stretch::default() };
    let mut stretches = [0, 1, 2, 3].map(|phase| found.ranges[phase].iter().map(stretch).collect::<Vec<_>>());
    let mut cursors = cursors(&found);
    // The autograd engine launches on a thread of its own, during the stretch that the user named backward.
    let ranges = &found.ranges[Phase::Backward as usize];
    let mut backward: Vec<(Nanos, usize)> = ranges.iter().map(|range| range.span.start).zip(0..).collect();
    backward.compact_sort();
    for activity in &trace.activities {
        let Some(call) = activity.call.get() else { continue };
        let (thread, at) = place_of(trace, call);
        let going_on = cursors.iter_mut().take(4).find_map(|cursor| Some((cursor.phase, cursor.going_on(thread, at)?)));
        let evaluated = || {
            cursors[4].going_on(thread, at)?;
            let after = backward.partition_point(|(start, _)| *start <= at);
            let (_, index) = backward[..after].last().filter(|(_, index)| at < ranges[*index].span.end)?;
            Some((Phase::Backward, *index))
        };
        if let Some((phase, index)) = going_on.or_else(evaluated) {
            let stretch = &mut stretches[phase as usize][index];
            let length = trace.slices.length(activity.event);
            stretch.device += length;
            if trace.slices.class(activity.event) == Class::Kernel {
                stretch.kernels += length;
            }
        }
    }
    stretches
}

fn sorted_starts(ranges: &Ranges) -> Vec<Nanos> {
    let mut starts: Vec<Nanos> = ranges.iter().map(|range| range.span.start).collect();
    sort_times(&mut starts);
    starts
}

/// Each phase's points without those of the phases before it.
fn exclusive(ranges: &[Ranges; 4]) -> [IntervalSet; 4] {
    let mut taken = IntervalSet::new();
    std::array::from_fn(|index| {
        let set = IntervalSet::of(ranges[index].iter().map(|range| range.span));
        let rest = set.difference(&taken);
        taken = taken.union(&set);
        rest
    })
}

/// The activities launched in a phase.
#[derive(Default)]
struct Launched {
    intervals: Vec<Interval>,
    /// From the first to the last activity that is no collective.
    hull: Option<Interval>,
}

impl Launched {
    /// Adds an activity; only one in the order of its stream extends the phase's hull.
    fn add(&mut self, activity: &Activity, span: Interval, is_in_order: bool) {
        self.intervals.push(span);
        if !activity.communication && is_in_order {
            let hull = self.hull.get_or_insert(span);
            *hull = Interval::new(hull.start.min(span.start), hull.end.max(span.end));
        }
    }
}

/// Per step and phase, the activities launched in it.
fn device_intervals(trace: &Trace, steps: &Steps, found: &PhaseRanges) -> Vec<[Launched; 5]> {
    let mut launched: Vec<[Launched; 5]> = steps.steps.iter().map(|_| Default::default()).collect();
    let mut cursors = cursors(found);
    let mut out_of_order = steps.out_of_order.iter().map(|id| id.index()).peekable();
    for (row, (activity, step)) in trace.activities.iter().zip(&steps.step_of_activity).enumerate() {
        let is_in_order = out_of_order.next_if_eq(&row).is_none();
        if let (Some(step), Some(call)) = (step, activity.call.get()) {
            let phase = phase_of(trace, call, &mut cursors);
            launched[*step as usize][phase as usize].add(activity, trace.slices.interval(activity.event), is_in_order);
        }
    }
    launched
}

fn cursors(found: &PhaseRanges) -> [Cursor<'_>; 5] {
    let cursor = |phase, ranges| Cursor { phase, ranges, after: 0 };
    let [loading, optimizer, backward, forward] = &found.ranges;
    [
        cursor(Phase::Dataloader, loading),
        cursor(Phase::Optimizer, optimizer),
        cursor(Phase::Backward, backward),
        cursor(Phase::Forward, forward),
        // A call outside of all phases may still be the autograd engine's, which is backward.
        cursor(Phase::Backward, &found.engine),
    ]
}

/// A call's thread and start.
fn place_of(trace: &Trace, call: EventId) -> ((ProcessId, RawId), Nanos) {
    let track = &trace.tracks[trace.slices.track(call).index()];
    ((track.process, track.thread), trace.slices.start(call))
}

/// The phase that runs in a call's thread when it starts.
fn phase_of(trace: &Trace, call: EventId, cursors: &mut [Cursor<'_>]) -> Phase {
    cursor_of(trace, call, cursors).map_or(Phase::Other, |index| cursors[index].phase)
}

/// The first of the cursors with a range that contains a call's start, on its thread.
fn cursor_of(trace: &Trace, call: EventId, cursors: &mut [Cursor<'_>]) -> Option<usize> {
    let (thread, at) = place_of(trace, call);
    cursors.iter_mut().position(|cursor| cursor.going_on(thread, at).is_some())
}

/// The phases in which calls launch, as [`phases`] finds them, with their sources.
pub(super) struct LaunchPhases<'a> {
    trace: &'a Trace,
    sources: [PhaseSource; 5],
    cursors: [Cursor<'a>; 5],
}

impl<'a> LaunchPhases<'a> {
    pub(super) fn new(trace: &'a Trace, phases: &'a Phases) -> Self {
        let [loading, optimizer, backward, forward] = phases.sources;
        let sources = [loading, optimizer, backward, forward, PhaseSource::Autograd];
        Self { trace, sources, cursors: cursors(&phases.found) }
    }

    /// The phase of a call; it is fast if the calls of a thread come in their order.
    pub(super) fn of(&mut self, call: EventId) -> (Phase, PhaseSource) {
        cursor_of(self.trace, call, &mut self.cursors)
            .map_or((Phase::Other, PhaseSource::Absent), |index| (self.cursors[index].phase, self.sources[index]))
    }
}

/// A place among ranges near which the next look-up is likely to end: activities come in the order of launch.
struct Cursor<'a> {
    phase: Phase,
    ranges: &'a Ranges,
    /// The first range that starts after the last looked-up time.
    after: usize,
}

impl Cursor<'_> {
    /// Index of the range of the thread that contains a time.
    fn going_on(&mut self, thread: (ProcessId, RawId), at: Nanos) -> Option<usize> {
        let is_before = |range: &Range| (range.thread, range.span.start) <= (thread, at);
        let fits = |after: usize| {
            after.checked_sub(1).is_none_or(|last| is_before(&self.ranges[last]))
                && self.ranges.get(after).is_none_or(|next| !is_before(next))
        };
        self.after = [self.after, self.after + 1]
            .into_iter()
            .find(|after| *after <= self.ranges.len() && fits(*after))
            .unwrap_or_else(|| self.ranges.partition_point(is_before));
        // Ranges of one thread are disjoint and sorted: the last one that starts before can contain it.
        self.after.checked_sub(1).filter(|last| {
            let range = &self.ranges[*last];
            range.thread == thread && at < range.span.end
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StepsConfig, steps};
    use stepscope_input::Loader;

    fn of(events: &str) -> Phases {
        let trace = read(events);
        phases(&trace, &steps(&trace, &StepsConfig::default()))
    }

    fn read(events: &str) -> Trace {
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{events}]}}"#);
        let mut loader = Loader::new("test.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        loader.finish().expect("a trace").trace
    }

    const ENGINE: &str = r###"
            {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":30},
            {"ph":"X","cat":"user_annotation","name":"## backward ##","pid":1,"tid":1,"ts":1,"dur":9},
            {"ph":"X","cat":"cpu_op","name":"autograd::engine::evaluate_function: MmBackward0","pid":1,"tid":2,"ts":2,"dur":4},
            {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":3,"dur":1,"args":{"correlation":7}},
            {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":5,"dur":8,"args":{"correlation":7}},
            {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":8,"dur":1,"args":{"correlation":8}},
            {"ph":"X","cat":"kernel","name":"other","pid":0,"tid":7,"ts":14,"dur":2,"args":{"correlation":8}}
        "###;

    #[test]
    fn the_engine_launches_a_named_backward_from_its_own_thread() {
        let phases = of(ENGINE);
        let times = phases.steps[0];
        assert_eq!(phases.sources[Phase::Backward as usize], PhaseSource::NamedRanges);
        let backward = times[Phase::Backward as usize];
        assert_eq!((backward.calls, backward.host, backward.device), (1, Nanos(9_000), Nanos(8_000)));
        assert_eq!(times[Phase::Other as usize].device, Nanos(2_000));
    }

    #[test]
    fn a_thread_that_launches_in_backward_alone_is_the_engine_s() {
        let launch = |thread: i64, at: i64, number: i64| {
            format!(
                r#"{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":{thread},"ts":{at},"dur":1,"args":{{"correlation":{number}}}}},
                {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{kernel},"dur":2,"args":{{"correlation":{number}}}}}"#,
                kernel = 100 + 3 * number,
            )
        };
        // Thread 2 is the engine's; thread 3 copies ahead, also while backward runs.
        let events = [
            r#"{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":90}"#.to_owned(),
            r###"{"ph":"X","cat":"user_annotation","name":"## backward ##","pid":1,"tid":1,"ts":10,"dur":20}"###
                .to_owned(),
            launch(1, 5, 1),
            launch(2, 12, 2),
            launch(2, 25, 3),
            launch(3, 15, 4),
            launch(3, 40, 5),
        ];
        let times = of(&events.join(",")).steps[0];
        assert_eq!(
            (times[Phase::Backward as usize].device, times[Phase::Other as usize].device),
            (Nanos(4_000), Nanos(6_000))
        );
    }

    #[test]
    fn what_the_engine_launches_belongs_to_the_stretch_that_is_named() {
        let trace = read(ENGINE);
        let stretches = stretches(&trace, &steps(&trace, &StepsConfig::default()));
        let [backward] = stretches[Phase::Backward as usize][..] else { panic!("one stretch") };
        assert_eq!(
            (backward.span.len(), backward.kernels, backward.device),
            (Nanos(9_000), Nanos(8_000), Nanos(8_000))
        );
    }
}
