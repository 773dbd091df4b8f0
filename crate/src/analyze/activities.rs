//! The sets of points in time at which a device is busy with something. METRICS section 1.

use super::intervals::IntervalSet;
use crate::trace::{Activity, Class, Trace};
use crate::units::Interval;

/// What a device did when, by class of activity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceSets {
    /// Compute kernels.
    pub compute: IntervalSet,
    /// Communication kernels.
    pub communication: IntervalSet,
    /// Copies.
    pub memcpy: IntervalSet,
    /// Fills.
    pub memset: IntervalSet,
}

impl DeviceSets {
    /// The sets of all the given activities together.
    #[must_use]
    pub fn of<'a>(trace: &Trace, activities: impl IntoIterator<Item = &'a Activity>) -> Self {
        let (mut compute, mut communication, mut memcpy, mut memset) = (vec![], vec![], vec![], vec![]);
        for activity in activities {
            let list = match trace.slices.class(activity.event) {
                Class::Kernel if activity.communication => &mut communication,
                Class::Kernel => &mut compute,
                Class::Memcpy => &mut memcpy,
                _ => &mut memset,
            };
            list.push(trace.slices.interval(activity.event));
        }
        Self {
            compute: IntervalSet::of(compute),
            communication: IntervalSet::of(communication),
            memcpy: IntervalSet::of(memcpy),
            memset: IntervalSet::of(memset),
        }
    }

    /// The sets of one device.
    #[must_use]
    pub fn of_device(trace: &Trace, device: i64) -> Self {
        let here = |activity: &&Activity| trace.stream_of(activity.event).is_some_and(|stream| stream.device == device);
        Self::of(trace, trace.activities.iter().filter(here))
    }

    /// What lies inside a window.
    #[must_use]
    pub fn clip(&self, window: Interval) -> Self {
        Self {
            compute: self.compute.clip(window),
            communication: self.communication.clip(window),
            memcpy: self.memcpy.clip(window),
            memset: self.memset.clip(window),
        }
    }

    /// Whenever the device did anything.
    #[must_use]
    pub fn busy(&self) -> IntervalSet {
        let kernels = self.compute.union(&self.communication);
        kernels.union(&self.memcpy).union(&self.memset)
    }
}
