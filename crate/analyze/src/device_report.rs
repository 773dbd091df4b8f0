//! A device's times, and when it did what.

use stepscope_base::{Interval, Nanos};

use crate::activities::DeviceSets;
use crate::intervals::IntervalSet;
use crate::statistics::mean_of;

/// Where a device's time goes in a window. Every length is of a union, never a sum.
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
    /// The device state is unknown at the start: the device may run work from before the recording: neither busy nor
    /// known to be idle.
    pub before_first: Nanos,
    /// Not recorded: in steps that the timeline does not cover, where the device may do more than what is recorded, so that this
    /// counts neither as busy nor as exposed; and after launches without activity, as [`LaunchRecord`](super::LaunchRecord) says.
    pub uncovered: Nanos,
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

    /// The part of the window in which the trace shows what the device does: what shares of busy and idle time are of. It is the
    /// window without [`before_first`](Self::before_first); as a sum of its parts it stays whole where means are rounded.
    #[must_use]
    pub fn known(&self) -> Nanos {
        self.busy + self.idle
    }

    /// The share of the known time; none where the timeline does not cover a hundredth of the window.
    #[must_use]
    pub fn share(&self, part: Nanos) -> Option<f64> {
        part.ratio_of(self.known()).filter(|_| !self.is_uncovered())
    }

    /// Whether the trace does not show what the device does in so much of the window that no share of it is known: in a hundredth.
    #[must_use]
    pub fn is_uncovered(&self) -> bool {
        self.uncovered.0.saturating_mul(100) > self.window.0
    }

    /// The number in a mean of several devices' times.
    pub const SEVERAL: i64 = -1;

    /// The means of several devices' times, rounded half to even. Of times of one device it has that one's number.
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

    /// The same, of a device of which the trace shows nothing before a time, and not all in a set, which `sets` are without: see
    /// [`DeviceReport::known_from`] and [`DeviceReport::uncovered`].
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
    /// When the device did what, without [`uncovered`](Self::uncovered).
    pub sets: DeviceSets,
    /// Since when the trace shows what the device does, at the latest since its first activity. Before that, the device
    /// may have run work that was launched before the recording; [`Nanos::MIN`] if nothing says so.
    pub known_from: Nanos,
    /// Where the timeline may lack some of what the device did: steps that it does not cover, and the time after launches without
    /// activity.
    pub uncovered: IntervalSet,
}

impl DeviceReport {
    /// Leaves out what lies in a set: of that the trace shows a part only.
    pub(super) fn leave_out(&mut self, uncovered: &IntervalSet) {
        self.uncovered = uncovered.clone();
        self.sets = self.sets.without(uncovered);
        self.time = DeviceTime::of_known(self.time.device, &self.sets, self.window, (Nanos::MIN, uncovered));
    }

    /// The device's times in a window, a step's or any other.
    #[must_use]
    pub fn time_in(&self, window: Interval) -> DeviceTime {
        DeviceTime::of_known(self.time.device, &self.sets.clip(window), window, (self.known_from, &self.uncovered))
    }
}
