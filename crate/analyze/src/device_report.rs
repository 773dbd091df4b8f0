//! A device's times, and the sets of its activity.

use stepscope_base::{Interval, Nanos};

use crate::activities::DeviceSets;
use crate::intervals::IntervalSet;
use crate::statistics::mean_of;

/// Times of a device in a window, by use. Every length is of a union, never a sum.
///
/// `compute + exposed_communication + exposed_memcpy + exposed_memset + idle + before_first + uncovered = window`, exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceTime {
    /// The device's number as the producer counts.
    pub device: i64,
    /// The window: the first activity's start to the last one's end, or a step.
    pub window: Nanos,
    /// Any activity.
    pub busy: Nanos,
    /// No activity, and the device is known to be idle.
    pub idle: Nanos,
    /// The state of the device is unknown at the start, as it may run work from before the recording: neither busy nor
    /// known to be idle.
    pub before_first: Nanos,
    /// Not recorded. In steps that the timeline does not cover, the device may do more than what is recorded, so that
    /// this counts neither as busy nor as exposed. The same is true after launches without activity, see
    /// [`LaunchRecord`](super::LaunchRecord).
    pub uncovered: Nanos,
    /// Compute kernels.
    pub compute: Nanos,
    /// Communication kernels.
    pub communication: Nanos,
    /// Copies.
    pub memcpy: Nanos,
    /// Memsets.
    pub memset: Nanos,
    /// Communication while computing.
    pub overlap: Nanos,
    /// Communication while not computing.
    pub exposed_communication: Nanos,
    /// Copies during neither.
    pub exposed_memcpy: Nanos,
    /// Memsets during nothing else.
    pub exposed_memset: Nanos,
}

impl DeviceTime {
    /// Overlap / communication; `None` without communication.
    #[must_use]
    pub fn overlap_of_communication(&self) -> Option<f64> {
        self.overlap.ratio_of(self.communication)
    }

    /// The part of the window in which the trace shows what the device does: the whole of all shares of busy and idle
    /// time. It is the window without [`before_first`](Self::before_first); as a sum of its parts it stays whole where
    /// means are rounded.
    #[must_use]
    pub fn known(&self) -> Nanos {
        self.busy + self.idle
    }

    /// The share of the known time; none where the timeline lacks more than a hundredth of the window.
    #[must_use]
    pub fn share(&self, part: Nanos) -> Option<f64> {
        part.ratio_of(self.known()).filter(|_| !self.is_uncovered())
    }

    /// Whether the trace does not show what the device does in more than a hundredth of the window: then no share of it
    /// is known.
    #[must_use]
    pub fn is_uncovered(&self) -> bool {
        self.uncovered.0.saturating_mul(100) > self.window.0
    }

    /// The number in a mean of several devices' times.
    pub const SEVERAL: i64 = -1;

    /// The means of several devices' times, rounded half to even. If all times are of one device, the mean has its
    /// number.
    #[must_use]
    pub fn mean(times: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> Nanos| mean_of(times.iter().map(of));
        let device = times.first().map(|first| first.device);
        let device = device.filter(|device| times.iter().all(|time| time.device == *device));
        Self {
            device: device.unwrap_or(Self::SEVERAL),
            window: mean(|time| time.window),
            busy: mean(|time| time.busy),
            idle: mean(|time| time.idle),
            before_first: mean(|time| time.before_first),
            uncovered: mean(|time| time.uncovered),
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
        Self::of_known(device, sets, window, (Nanos::MIN, &IntervalSet::new()))
    }

    /// The same for a device of which the trace shows nothing before `known_from` and not everything in `uncovered`,
    /// which `sets` leave out: see [`DeviceReport::known_from`] and [`DeviceReport::uncovered`].
    #[must_use]
    pub fn of_known(
        device: i64,
        sets: &DeviceSets,
        window: Interval,
        (known_from, uncovered): (Nanos, &IntervalSet),
    ) -> Self {
        let kernels = sets.compute.union(&sets.communication);
        let copying = kernels.union(&sets.memcpy);
        let all = copying.union(&sets.memset);
        let busy = all.len();
        let overlap = sets.communication.intersection(&sets.compute).len();
        let communication = sets.communication.len();
        let known_from = known_from.clamp(window.start, window.end);
        let before_first = known_from - window.start;
        let uncovered = uncovered.clip(Interval::new(known_from, window.end)).difference(&all).len();
        Self {
            device,
            window: window.len(),
            busy,
            idle: window.len() - busy - before_first - uncovered,
            before_first,
            uncovered,
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

/// A device's times with the sets they were measured on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceReport {
    /// The times over the whole trace.
    pub time: DeviceTime,
    /// From the first activity's start to the last one's end.
    pub window: Interval,
    /// The times of its activity, without [`uncovered`](Self::uncovered).
    pub sets: DeviceSets,
    /// The time from which the trace shows what the device does: its first activity or earlier. Before that, the device
    /// may have run work that was launched before the recording; [`Nanos::MIN`] if nothing indicates that.
    pub known_from: Nanos,
    /// The times at which the timeline may lack a part of the device's activity: steps that it does not cover, and the
    /// time after launches without activity.
    pub uncovered: IntervalSet,
}

impl DeviceReport {
    /// Leaves out a set of times of which the trace shows only a part.
    pub(super) fn leave_out(&mut self, uncovered: &IntervalSet) {
        self.uncovered = uncovered.clone();
        self.sets = self.sets.without(uncovered);
        self.time = DeviceTime::of_known(self.time.device, &self.sets, self.window, (Nanos::MIN, uncovered));
    }

    /// The device's times in a step or any other window.
    #[must_use]
    pub fn time_in(&self, window: Interval) -> DeviceTime {
        DeviceTime::of_known(self.time.device, &self.sets.clip(window), window, (self.known_from, &self.uncovered))
    }
}
