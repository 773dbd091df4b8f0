//! Streams whose first recorded activity waits for work from before the recording. METRICS section 2.

use super::captures::{CallName, is_call};
use super::idle::{LATE, synchronized};
use super::sampled_calls::sampled_calls;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{EventId, Layer, Trace};

/// The times at which streams were busy with work that was launched before the recording, each with its device.
///
/// A stream runs its work in order. If its first recorded activity starts more than 30 µs after its call returned, and
/// no device had recorded work in the last 30 µs of that time, it waited for work that is not recorded: from the call's
/// return to that start, the device is not known to be idle. A synchronization by the calling thread, or of a device by
/// any thread, before the call shows that there was no such work; a function that the host runs in a stream may be what
/// it waits for, and the first launch of a graph may wait for its upload. Samples of a trace show no stream's first work.
pub(super) fn earlier_work(trace: &Trace) -> Vec<(i64, Interval)> {
    let mut found: Vec<(i64, Interval)> = Vec::new();
    let mut explained: Option<Nanos> = None;
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Device) {
        let Some(stream) = track.stream else { continue };
        let Some(first) = track.events().find(|id| trace.slices.class(*id).is_activity()) else { continue };
        let Some(call) = trace.activity(first).and_then(|activity| activity.call.get()) else { continue };
        let waits = Interval::new(trace.slices.end(call), trace.slices.start(first).max(trace.slices.end(call)));
        if waits.len() <= LATE || trace.name_of(call).contains("GraphLaunch") {
            continue;
        }
        let explained = *explained.get_or_insert_with(|| explained_from(trace));
        let begun = trace.slices.start(call);
        let is_explained = explained <= begun || synchronized(trace, call, begun).is_some();
        if !is_explained && waits.end - last_end(trace, waits) > LATE {
            found.push((stream.device, waits));
        }
    }
    if !found.is_empty() && sampled_calls(trace, &[trace.span()]).is_some() {
        found.clear();
    }
    found
}

/// The time from which streams hold no work from before the recording, or may wait for a function of the host.
fn explained_from(trace: &Trace) -> Nanos {
    let names = trace.strings.map(|name| {
        let waits = CallName::of(name) == Some(CallName::Synchronizes);
        (waits || name.contains("LaunchHostFunc") || name.contains("StreamAddCallback")).then_some(waits)
    });
    let moment = |id: EventId| {
        let waits = names[trace.slices.name(id).index()].filter(|_| is_call(trace, id))?;
        Some(if waits { trace.slices.end(id) } else { trace.slices.start(id) })
    };
    trace.slices.ids().filter_map(moment).min().unwrap_or(Nanos::MAX)
}

/// The last moment of a span at which a stream of any device has recorded work; its start, if there is none.
fn last_end(trace: &Trace, span: Interval) -> Nanos {
    let streams = trace.tracks.iter().filter(|track| track.layer == Layer::Device);
    let ends = streams.filter_map(|track| {
        let rows = track.rows();
        let before = rows.start..trace.slices.first_at(rows, span.end);
        let last = before.rev().map(EventId::from_index).find(|id| trace.slices.class(*id).is_activity())?;
        Some(trace.slices.end(last).min(span.end))
    });
    ends.max().map_or(span.start, |end| end.max(span.start))
}

#[cfg(test)]
mod tests {
    use crate::{AnalysisConfig, IdleLeaf, analyze};
    use stepscope_base::Nanos;
    use stepscope_input::Loader;

    /// The time of 500 µs in which the device is not known to be idle, and the idle time, in µs: a kernel on stream 7
    /// at once, and one on stream 8 that starts at 400 µs, 298 µs after its call; `more` is recorded, too.
    fn unknown_and_idle(more: &str) -> [i64; 2] {
        let text = format!(
            r#"{{"deviceProperties": [], "traceEvents": [
            {{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":500}},
            {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":80,"dur":2,"args":{{"correlation":1}}}},
            {{"ph":"X","cat":"kernel","name":"arange","pid":0,"tid":7,"ts":85,"dur":5,"args":{{"device":0,"stream":7,"correlation":1}}}},
            {more}
            {{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":100,"dur":2,"args":{{"correlation":2}}}},
            {{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":8,"ts":400,"dur":100,"args":{{"device":0,"stream":8,"correlation":2}}}}
            ]}}"#
        );
        let mut loader = Loader::new("test.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let analysis = analyze(&loader.finish().expect("a trace").trace, &AnalysisConfig::standard());
        let (idle, time) = (&analysis.idle[0], &analysis.step_devices[0][0]);
        assert_eq!(time.window, time.busy + time.idle + time.before_first + time.uncovered);
        assert_eq!(idle.steps[0][IdleLeaf::Uncovered as usize], time.uncovered);
        [time.uncovered, time.idle].map(|Nanos(time)| time / 1000)
    }

    #[test]
    fn a_stream_that_starts_late_was_busy_before_the_recording() {
        assert_eq!(unknown_and_idle(""), [298, 97]);
    }

    #[test]
    fn a_stream_that_was_waited_for_is_empty() {
        let wait = r#"{"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":1,"tid":1,"ts":92,"dur":4},"#;
        assert_eq!(unknown_and_idle(wait), [0, 395]);
        // A wait after the launch is for the launched work, too.
        let later =
            r#"{"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":1,"tid":1,"ts":110,"dur":395},"#;
        assert_eq!(unknown_and_idle(later), [298, 97]);
    }

    #[test]
    fn a_stream_that_waits_for_recorded_work_is_explained() {
        let recorded = r#"{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":90,"dur":2,"args":{"correlation":3}},
            {"ph":"X","cat":"kernel","name":"long","pid":0,"tid":7,"ts":95,"dur":300,"args":{"device":0,"stream":7,"correlation":3}},"#;
        assert_eq!(unknown_and_idle(recorded), [0, 95]);
    }

    #[test]
    fn other_devices_threads_and_functions_explain_a_wait() {
        let on_other_device = r#"{"ph":"X","cat":"kernel","name":"long","pid":1,"tid":7,"ts":95,"dur":300,"args":{"device":1,"stream":7}},"#;
        assert_eq!(unknown_and_idle(on_other_device)[0], 0);
        for name in ["cudaDeviceSynchronize", "cudaLaunchHostFunc"] {
            let by_other_thread =
                format!(r#"{{"ph":"X","cat":"cuda_runtime","name":"{name}","pid":1,"tid":2,"ts":93,"dur":4}},"#);
            assert_eq!(unknown_and_idle(&by_other_thread), [0, 395], "{name}");
        }
    }
}
