//! The sets of points in time at which a device is busy with something. METRICS section 1.

use std::collections::BTreeMap;

use super::intervals::IntervalSet;
use stepscope_base::{Interval, map_of};
use stepscope_trace::{Activity, Class, Trace};

/// Spans of activities by class, in the order in which they come.
#[derive(Default)]
struct Lists {
    compute: Vec<Interval>,
    communication: Vec<Interval>,
    memcpy: Vec<Interval>,
    memset: Vec<Interval>,
}

impl Lists {
    fn add(&mut self, trace: &Trace, activity: &Activity) {
        let list = match trace.slices.class(activity.event) {
            Class::Kernel if activity.communication => &mut self.communication,
            Class::Kernel => &mut self.compute,
            Class::Memcpy => &mut self.memcpy,
            _ => &mut self.memset,
        };
        list.push(trace.slices.interval(activity.event));
    }
}

impl From<Lists> for DeviceSets {
    fn from(lists: Lists) -> Self {
        Self {
            compute: IntervalSet::of(lists.compute),
            communication: IntervalSet::of(lists.communication),
            memcpy: IntervalSet::of(lists.memcpy),
            memset: IntervalSet::of(lists.memset),
        }
    }
}

/// The times at which a device runs activities, by class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceSets {
    /// Compute kernels.
    pub compute: IntervalSet,
    /// Communication kernels.
    pub communication: IntervalSet,
    /// Copies.
    pub memcpy: IntervalSet,
    /// Memsets.
    pub memset: IntervalSet,
}

impl DeviceSets {
    /// The sets of all the given activities together.
    #[must_use]
    pub fn of<'a>(trace: &Trace, activities: impl IntoIterator<Item = &'a Activity>) -> Self {
        let mut lists = Lists::default();
        for activity in activities {
            lists.add(trace, activity);
        }
        lists.into()
    }

    /// The sets of each device by its number, in one pass over the activities; a device without activities has no
    /// entry.
    #[must_use]
    pub fn by_device(trace: &Trace) -> BTreeMap<i64, Self> {
        let mut by_device: BTreeMap<i64, Lists> = BTreeMap::new();
        let track = |activity: &Activity| trace.slices.track(activity.event);
        for of_track in trace.activities.chunk_by(|a, b| track(a) == track(b)) {
            if let Some(stream) = trace.stream_of(of_track[0].event) {
                let lists = by_device.entry(stream.device).or_default();
                of_track.iter().for_each(|activity| lists.add(trace, activity));
            }
        }
        map_of(by_device.into_iter().map(|(device, lists)| (device, lists.into())))
    }

    /// The sets of several devices together.
    #[must_use]
    pub fn together(devices: &[Self]) -> Self {
        let union = |of: fn(&Self) -> &IntervalSet| {
            IntervalSet::of(devices.iter().flat_map(|device| of(device).intervals()).copied())
        };
        Self {
            compute: union(|sets| &sets.compute),
            communication: union(|sets| &sets.communication),
            memcpy: union(|sets| &sets.memcpy),
            memset: union(|sets| &sets.memset),
        }
    }

    /// The parts outside of a set.
    #[must_use]
    pub fn without(&self, other: &IntervalSet) -> Self {
        Self {
            compute: self.compute.difference(other),
            communication: self.communication.difference(other),
            memcpy: self.memcpy.difference(other),
            memset: self.memset.difference(other),
        }
    }

    /// The parts inside a window.
    #[must_use]
    pub fn clip(&self, window: Interval) -> Self {
        Self {
            compute: self.compute.clip(window),
            communication: self.communication.clip(window),
            memcpy: self.memcpy.clip(window),
            memset: self.memset.clip(window),
        }
    }

    /// The times at which the device is busy.
    #[must_use]
    pub fn busy(&self) -> IntervalSet {
        let kernels = self.compute.union(&self.communication);
        kernels.union(&self.memcpy).union(&self.memset)
    }
}
