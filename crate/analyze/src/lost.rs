//! Launches without activity in the trace: recorded into a graph, or lost.

use std::collections::BTreeMap;

use super::activities::DeviceSets;
use super::captures::{CallName, captures, does};
use super::cuda_gaps::cuda_gaps;
use super::earlier_work::earlier_work;
use super::intervals::IntervalSet;
use super::linked::Linked;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{EventId, Layer, Trace, Track};

/// The calls that launch kernels and graphs, by their outcome.
///
/// Calls that copy or set memory do not count: with zero bytes they start nothing. A trace in which no activity has a
/// launching call does not count either: it does not show which call launched what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchRecord {
    /// The calls; only the outer one of nested calls.
    pub calls: u64,
    /// Those inside the capture of a graph: they are recorded into the graph, which runs when it is launched.
    pub captured: u64,
    /// The others without activity: the trace lacks the activities that they started.
    pub lost: u64,
    /// The first of these.
    pub first_lost: Option<EventId>,
    /// By device, the times at which these activities may have run, or work from before the recording: no activity is
    /// recorded then, and the device is not known to be idle.
    pub unrecorded: BTreeMap<i64, IntervalSet>,
}

impl LaunchRecord {
    /// Examines each launching call.
    ///
    /// Activities of a call may have run from the call's start to the first activity that its thread launched later, or
    /// to the end of a synchronization of the device by its thread; with neither, to the trace's end.
    ///
    /// ```
    /// use stepscope::{Interval, Loader, Nanos, analyze};
    ///
    /// // The second launch has no kernel.
    /// let text = br#"{"deviceProperties": [], "traceEvents": [
    ///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":2,"args":{"correlation":1}},
    ///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":3,"dur":10,"args":{"correlation":1}},
    ///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":20,"dur":2,"args":{"correlation":2}},
    ///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":40,"dur":2,"args":{"correlation":3}},
    ///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":43,"dur":10,"args":{"correlation":3}}
    /// ]}"#;
    /// # let mut loader = Loader::new("example.json");
    /// # loader.space(text.len()).copy_from_slice(text);
    /// # loader.advance(text.len())?;
    /// let trace = loader.finish()?.trace;
    /// let found = analyze::LaunchRecord::of(&trace);
    /// assert_eq!((found.calls, found.captured, found.lost), (3, 0, 1));
    /// let unrecorded = Interval::new(Nanos(20_000), Nanos(43_000));
    /// assert_eq!(found.unrecorded[&0].intervals(), [unrecorded]);
    /// # Ok::<(), stepscope::Error>(())
    /// ```
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        Self::of_linked(trace, &Linked::of(trace))
    }

    /// The same, given the launching calls.
    pub(super) fn of_linked(trace: &Trace, linked: &Linked) -> Self {
        let names = trace.strings.map(CallName::of);
        if !names.contains(&Some(CallName::Launches)) || linked.len() == 0 {
            return Self::default();
        }
        let captures = captures(trace, &names);
        let calls = Calls { trace, names, linked };
        let mut found = Self::default();
        let mut spans: BTreeMap<i64, Vec<Interval>> = BTreeMap::new();
        for track in trace.tracks.iter().filter(|track| track.layer == Layer::Host) {
            let capture = captures.get(&track.process);
            let lost = calls.of_track(track, capture, &mut found);
            calls.unrecorded(track, &lost, &mut spans);
        }
        add_gaps(trace, &mut spans);
        for (device, waits) in earlier_work(trace) {
            spans.entry(device).or_default().push(waits);
        }
        if spans.is_empty() {
            return found;
        }
        let mut sets = DeviceSets::by_device(trace);
        for (device, spans) in spans {
            let busy = sets.remove(&device).unwrap_or_default().busy();
            found.unrecorded.insert(device, IntervalSet::of(spans).difference(&busy));
        }
        found
    }

    /// The times at which a device may have run unrecorded activities.
    #[must_use]
    pub fn unrecorded_on(&self, device: i64) -> IntervalSet {
        self.unrecorded.get(&device).cloned().unwrap_or_default()
    }
}

/// Adds the times in which a process recorded nothing of CUDA, for the devices that it uses.
fn add_gaps(trace: &Trace, spans: &mut BTreeMap<i64, Vec<Interval>>) {
    for (process, gaps) in cuda_gaps(trace) {
        let is_of =
            |call| trace.tracks.get(trace.slices.track(call).index()).is_some_and(|track| track.process == process);
        let of_process = trace.activities.iter().filter(|activity| activity.call.get().is_some_and(is_of));
        let used = of_process.filter_map(|activity| Some(trace.stream_of(activity.event)?.device));
        let mut devices: Vec<i64> = Vec::new();
        used.for_each(|device| {
            if !devices.contains(&device) {
                devices.push(device);
            }
        });
        for device in devices {
            spans.entry(device).or_default().extend_from_slice(gaps.intervals());
        }
    }
}

struct Calls<'a> {
    trace: &'a Trace,
    /// By name.
    names: Vec<Option<CallName>>,
    linked: &'a Linked,
}

impl Calls<'_> {
    fn does(&self, id: EventId, what: CallName) -> bool {
        does(self.trace, &self.names, id, what)
    }

    /// Whether a call, or one inside it, launched an activity.
    fn is_linked(&self, call: EventId) -> bool {
        let (slices, pairs) = (&self.trace.slices, self.linked.pairs());
        let next = pairs.partition_point(|(linked, _)| *linked < call);
        pairs.get(next).is_some_and(|(linked, _)| {
            let is_inside = || slices.start(*linked) < slices.end(call);
            *linked == call || (slices.track(*linked) == slices.track(call) && is_inside())
        })
    }

    /// The device and start of the first activity of a linked call, by the index of one of the call's pairs.
    fn launched(&self, pair: usize) -> Option<(i64, Nanos)> {
        let pairs = self.linked.pairs();
        let (call, _) = pairs.get(pair)?;
        let first = pairs.partition_point(|(linked, _)| linked < call);
        let activities = pairs[first..].iter().take_while(|(linked, _)| linked == call);
        let events = activities.map(|(_, activity)| self.trace.activities[activity.index()].event);
        let event = events.min_by_key(|event| self.trace.slices.start(*event))?;
        Some((self.trace.stream_of(event)?.device, self.trace.slices.start(event)))
    }

    /// Counts the launching calls of a track, and returns those that are lost.
    fn of_track(&self, track: &Track, capture: Option<&IntervalSet>, found: &mut LaunchRecord) -> Vec<EventId> {
        let slices = &self.trace.slices;
        let mut lost = Vec::new();
        for call in track.events().filter(|id| self.does(*id, CallName::Launches)) {
            if slices.ancestors(call).any(|outer| self.does(outer, CallName::Launches)) {
                continue;
            }
            found.calls += 1;
            if self.is_linked(call) {
                continue;
            }
            if capture.is_some_and(|capture| capture.has(slices.start(call))) {
                found.captured += 1;
            } else {
                found.lost += 1;
                found.first_lost.get_or_insert(call);
                lost.push(call);
            }
        }
        lost
    }

    /// Adds the times at which the activities of a track's lost calls may have run.
    fn unrecorded(&self, track: &Track, lost: &[EventId], spans: &mut BTreeMap<i64, Vec<Interval>>) {
        let (slices, end) = (&self.trace.slices, self.trace.slices.latest_end().unwrap_or_default());
        let Some(first) = lost.first() else { return };
        let (rows, pairs) = (track.rows(), self.linked.pairs());
        let is_here = |pair: &usize| pairs.get(*pair).is_some_and(|(call, _)| rows.contains(&call.index()));
        let waits: Vec<EventId> =
            track.events().filter(|id| first < id && self.does(*id, CallName::Synchronizes)).collect();
        let all = self.trace.active_devices();
        for call in lost {
            let place = pairs.partition_point(|(linked, _)| linked < call);
            let next = Some(place).filter(is_here).and_then(|pair| self.launched(pair));
            let before = || place.checked_sub(1).filter(is_here).and_then(|pair| self.launched(pair));
            let known_by = next.map_or(end, |(_, start)| start);
            let wait = waits.get(waits.partition_point(|wait| wait < call)).map_or(end, |wait| slices.end(*wait));
            let start = slices.start(*call);
            let span = Interval::new(start, known_by.min(wait).max(start));
            let known = next.or_else(before).map(|(device, _)| [device]);
            let devices = known.as_ref().map_or(&all[..], |device| device);
            devices.iter().for_each(|device| spans.entry(*device).or_default().push(span));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnalysisConfig, IdleLeaf, analyze};
    use stepscope_input::Loader;

    fn event(category: &str, name: &str, thread: i64, [start, length]: [i64; 2], correlation: i64) -> String {
        format!(
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":{},"tid":{thread},"ts":{start},"dur":{length},"args":{{"correlation":{correlation}}}}}"#,
            i64::from(thread != 7)
        )
    }

    fn call(name: &str, thread: i64, start: i64, correlation: i64) -> String {
        event("cuda_runtime", name, thread, [start, 2], correlation)
    }

    fn kernel(start: i64, correlation: i64) -> String {
        event("kernel", "gemm", 7, [start, 5], correlation)
    }

    fn trace_of(events: &[String]) -> Trace {
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
        let mut loader = Loader::new("test.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        loader.finish().expect("a trace").trace
    }

    fn micros(start: i64, end: i64) -> Interval {
        Interval::new(Nanos(start * 1000), Nanos(end * 1000))
    }

    #[test]
    fn what_a_capture_records_is_not_lost() {
        let trace = trace_of(&[
            call("cudaLaunchKernel", 1, 0, 1),
            kernel(3, 1),
            call("cudaStreamBeginCapture", 1, 10, 2),
            call("cudaLaunchKernel", 1, 20, 3),
            // On the thread of the backward pass.
            call("cudaLaunchKernelExC", 2, 30, 4),
            call("cudaStreamEndCapture", 1, 40, 5),
            call("cudaGraphLaunch", 1, 50, 6),
            kernel(53, 6),
            kernel(60, 6),
        ]);
        let found = LaunchRecord::of(&trace);
        assert_eq!((found.calls, found.captured, found.lost), (4, 2, 0));
        assert!(found.unrecorded.is_empty());
    }

    #[test]
    fn a_capture_that_the_trace_cuts() {
        let launch = |start: i64, number: i64| call("cudaLaunchKernel", 1, start, number);
        let known = [launch(100, 1), kernel(103, 1)];
        let count = |events: &[String]| {
            let found = LaunchRecord::of(&trace_of(&[events, &known].concat()));
            (found.captured, found.lost)
        };
        let [begin, end] = ["cudaStreamBeginCapture", "cudaStreamEndCapture"];
        assert_eq!(count(&[launch(10, 2), call(end, 1, 20, 3), launch(30, 4)]), (1, 1));
        assert_eq!(count(&[launch(10, 2), call(begin, 1, 20, 3), launch(30, 4)]), (1, 1));
    }

    #[test]
    fn calls_inside_calls_are_one_launch() {
        let trace = trace_of(&[
            event("cuda_runtime", "cudaLaunchKernel", 1, [0, 10], 1),
            event("cuda_driver", "cuLaunchKernel", 1, [2, 5], 2),
            kernel(12, 2),
            event("cuda_runtime", "cudaLaunchKernel", 1, [20, 10], 3),
            event("cuda_driver", "cuLaunchKernel", 1, [22, 5], 4),
            kernel(32, 3),
        ]);
        let found = LaunchRecord::of(&trace);
        assert_eq!((found.calls, found.lost), (2, 0));
    }

    #[test]
    fn a_device_is_not_idle_after_its_recording_ended() {
        let step = event("user_annotation", "ProfilerStep#3", 1, [0, 100], 0);
        let mut events = vec![step, call("cudaLaunchKernel", 1, 10, 1), kernel(15, 1)];
        events.extend((2..7).map(|number| call("cudaLaunchKernel", 1, 10 * number + 10, number)));
        let trace = trace_of(&events);
        let analysis = analyze(&trace, &AnalysisConfig::standard());
        assert_eq!((analysis.launch_record.calls, analysis.launch_record.lost), (6, 5));
        assert_eq!(analysis.launch_record.unrecorded[&0].intervals(), [micros(30, 100)]);
        let time = analysis.step_devices[0][0];
        assert_eq!((time.busy, time.idle, time.uncovered), (Nanos(5_000), Nanos(25_000), Nanos(70_000)));
        assert_eq!(time.share(time.busy), None, "the rest of the step may be busy, too");
        let leaves = analysis.idle[0].steps[0];
        assert_eq!(leaves[IdleLeaf::AfterLast as usize], Nanos(10_000));
        assert_eq!(leaves[IdleLeaf::Uncovered as usize], Nanos(70_000));
    }

    #[test]
    fn a_wait_for_the_device_ends_what_is_not_known() {
        let trace = trace_of(&[
            call("cudaLaunchKernel", 1, 0, 1),
            kernel(3, 1),
            call("cudaLaunchKernel", 1, 20, 2),
            call("cudaDeviceSynchronize", 1, 30, 3),
            call("cudaLaunchKernel", 1, 80, 4),
            kernel(83, 4),
        ]);
        let analysis = analyze(&trace, &AnalysisConfig::standard());
        assert_eq!(analysis.launch_record.unrecorded[&0].intervals(), [micros(20, 32)]);
        let times = analysis.idle[0].times;
        assert_eq!((times.uncovered, times.idle()), (Nanos(12_000), Nanos(63_000)));
    }

    #[test]
    fn a_trace_without_links_says_nothing_of_launches() {
        let trace = trace_of(&[
            call("cudaLaunchKernel", 1, 0, 1),
            r#"{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":5,"dur":5}"#.to_owned(),
        ]);
        assert_eq!(LaunchRecord::of(&trace), LaunchRecord::default());
    }
}
