//! Device time and overlap. METRICS section 2.

use std::collections::BTreeMap;

use super::activities::DeviceSets;
use super::idle::known_from;
use super::intervals::IntervalSet;
use crate::device_report::{DeviceReport, DeviceTime};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Layer, Trace};

/// The times of each device over the whole trace.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
///
/// // A kernel from 0 to 6 µs, and a collective from 4 to 10 µs on another stream.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":100,"dur":6,"args":{"device":0,"stream":7}},
///   {"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":9,"ts":104,"dur":6,"args":{"device":0,"stream":9}}
/// ]}"#;
/// let mut loader = Loader::new("example.json");
/// loader.space(text.len()).copy_from_slice(text);
/// loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let time = analyze::device_time(&trace)[0].time;
/// assert_eq!((time.window, time.busy, time.compute), (Nanos(10_000), Nanos(10_000), Nanos(6_000)));
/// assert_eq!((time.overlap, time.exposed_communication), (Nanos(2_000), Nanos(4_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn device_time(trace: &Trace) -> Vec<DeviceReport> {
    let (mut sets, windows) = (DeviceSets::by_device(trace), windows(trace));
    let report = |(device, known_from): (i64, Nanos)| {
        let sets = sets.remove(&device).unwrap_or_default();
        let window = windows.get(&device).copied().unwrap_or_default();
        DeviceReport {
            time: DeviceTime::of(device, &sets, window),
            window,
            sets,
            known_from,
            uncovered: IntervalSet::new(),
        }
    };
    known_from(trace).into_iter().map(report).collect()
}

/// From each device's first activity's start to the last one's end, those without a length included.
fn windows(trace: &Trace) -> BTreeMap<i64, Interval> {
    let mut windows: BTreeMap<i64, Interval> = BTreeMap::new();
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Device) {
        let activities = track.events().filter(|id| trace.slices.class(*id).is_activity());
        let span = |a: Interval, b: Interval| Interval::new(a.start.min(b.start), a.end.max(b.end));
        let window = activities.map(|id| trace.slices.interval(id)).reduce(span);
        if let (Some(stream), Some(window)) = (track.stream, window) {
            windows.entry(stream.device).and_modify(|known| *known = span(*known, window)).or_insert(window);
        }
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::device_time;
    use stepscope_base::{Interval, Nanos};
    use stepscope_input::Loader;

    #[test]
    fn each_device_has_its_own_time() {
        let kernel = |device: i64, stream: i64, start: i64, name: &str| {
            format!(
                r#"{{"ph":"X","cat":"kernel","name":"{name}","pid":{device},"tid":{stream},"ts":{start},"dur":10,
                    "args":{{"device":{device},"stream":{stream}}}}}"#
            )
        };
        // The rows of the devices take turns, and each has a second stream.
        let all = (0..40).flat_map(|device| {
            [(7, 0, "gemm"), (20, 5, "ncclDevKernel_AllReduce")]
                .map(|(stream, later, name)| kernel(device % 20, stream, 100 + 50 * device + later, name))
        });
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, all.collect::<Vec<_>>().join(","));
        let mut loader = Loader::new("test.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let found = device_time(&loader.finish().expect("a trace").trace);
        assert_eq!(found.iter().map(|report| report.time.device).collect::<Vec<_>>(), (0..20).collect::<Vec<i64>>());
        for report in found {
            let start = Nanos(50_000 * report.time.device);
            assert_eq!(report.window, Interval::new(start, start + Nanos(1_015_000)));
            assert_eq!((report.time.busy, report.time.overlap), (Nanos(30_000), Nanos(10_000)));
        }
    }

    #[test]
    fn an_activity_without_length_is_in_the_window() {
        let text = r#"{"deviceProperties": [], "traceEvents": [
            {"ph":"X","cat":"gpu_memset","name":"Memset","pid":0,"tid":7,"ts":100,"dur":0,"args":{"device":0,"stream":7}},
            {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":110,"dur":5,"args":{"device":0,"stream":7}},
            {"ph":"X","cat":"gpu_memset","name":"Memset","pid":0,"tid":7,"ts":130,"dur":0,"args":{"device":0,"stream":7}}
        ]}"#;
        let mut loader = Loader::new("test.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        let report = &device_time(&loader.finish().expect("a trace").trace)[0];
        assert_eq!(report.window, Interval::new(Nanos(0), Nanos(30_000)));
        assert_eq!(
            (report.time.window, report.time.busy, report.time.idle),
            (Nanos(30_000), Nanos(5_000), Nanos(25_000))
        );
    }
}
