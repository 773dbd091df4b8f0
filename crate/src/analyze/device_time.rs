//! Device time and overlap. METRICS section 2.

use super::activities::DeviceSets;
use super::statistics::mean;
use crate::trace::{Layer, Trace, Track};
use crate::units::{Interval, Nanos};

/// Where a device's time goes in a window. Every length is of a union, never a sum.
///
/// `compute + exposed_communication + exposed_memcpy + exposed_memset + idle = window`, exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceTime {
    /// The device's number as the producer counts.
    pub device: i64,
    /// The window: the first activity's start to the last one's end, or a step.
    pub window: Nanos,
    /// Any activity.
    pub busy: Nanos,
    /// No activity.
    pub idle: Nanos,
    /// Compute kernels.
    pub compute: Nanos,
    /// Communication kernels.
    pub communication: Nanos,
    /// Copies.
    pub memcpy: Nanos,
    /// Fills.
    pub memset: Nanos,
    /// Communication while computing.
    pub overlap: Nanos,
    /// Communication while not computing.
    pub exposed_communication: Nanos,
    /// Copies during neither.
    pub exposed_memcpy: Nanos,
    /// Fills during nothing else.
    pub exposed_memset: Nanos,
}

impl DeviceTime {
    /// Overlap / communication; `None` without communication.
    #[must_use]
    pub fn overlap_of_communication(&self) -> Option<f64> {
        self.overlap.ratio_of(self.communication)
    }

    /// The means of several devices' times, rounded half to even.
    #[must_use]
    pub fn mean(times: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> Nanos| mean(times.iter().map(of).sum(), times.len() as u64);
        Self {
            device: 0,
            window: mean(|time| time.window),
            busy: mean(|time| time.busy),
            idle: mean(|time| time.idle),
            compute: mean(|time| time.compute),
            communication: mean(|time| time.communication),
            memcpy: mean(|time| time.memcpy),
            memset: mean(|time| time.memset),
            overlap: mean(|time| time.overlap),
            exposed_communication: mean(|time| time.exposed_communication),
            exposed_memcpy: mean(|time| time.exposed_memcpy),
            exposed_memset: mean(|time| time.exposed_memset),
        }
    }

    /// The times of a device whose sets lie inside a window.
    #[must_use]
    pub fn of(device: i64, sets: &DeviceSets, window: Interval) -> Self {
        let kernels = sets.compute.union(&sets.communication);
        let copying = kernels.union(&sets.memcpy);
        let busy = copying.union(&sets.memset).len();
        let overlap = sets.communication.intersection(&sets.compute).len();
        let communication = sets.communication.len();
        Self {
            device,
            window: window.len(),
            busy,
            idle: window.len() - busy,
            compute: sets.compute.len(),
            communication,
            memcpy: sets.memcpy.len(),
            memset: sets.memset.len(),
            overlap,
            exposed_communication: communication - overlap,
            exposed_memcpy: copying.len() - kernels.len(),
            exposed_memset: busy - copying.len(),
        }
    }
}

/// Where each device's time goes over the whole trace.
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
    trace
        .active_devices()
        .into_iter()
        .map(|device| {
            let sets = DeviceSets::of_device(trace, device);
            let window = window(trace, device);
            DeviceReport { time: DeviceTime::of(device, &sets, window), window, sets }
        })
        .collect()
}

/// From a device's first activity's start to the last one's end, those without a length included.
fn window(trace: &Trace, device: i64) -> Interval {
    let here =
        |track: &&Track| track.layer == Layer::Device && track.stream.is_some_and(|stream| stream.device == device);
    let events = trace.tracks.iter().filter(here).flat_map(Track::events);
    let spans = events.filter(|id| trace.slices.class(*id).is_activity()).map(|id| trace.slices.interval(id));
    spans.reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end))).unwrap_or_default()
}

/// A device's times with the sets they were measured on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceReport {
    /// The times over the whole trace.
    pub time: DeviceTime,
    /// From the first activity's start to the last one's end.
    pub window: Interval,
    /// When the device did what.
    pub sets: DeviceSets,
}

#[cfg(test)]
mod tests {
    use super::device_time;
    use crate::input::Loader;
    use crate::units::{Interval, Nanos};

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
