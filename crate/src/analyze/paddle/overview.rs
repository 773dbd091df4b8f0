//! Time by category.

use std::collections::BTreeMap;

use super::RangeTimes;
use crate::analyze::IntervalSet;
use crate::sort::CompactSort;
use crate::trace::{EventId, Layer, NameId, Trace, Track};
use crate::units::{Interval, Nanos};

/// Where a category's slices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// On threads of the host.
    Host,
    /// On devices.
    Device,
}

/// A row of the Overview Summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CategoryTime {
    /// Where.
    pub place: Place,
    /// The category.
    pub category: NameId,
    /// How many slices; of phases in each other, the outermost.
    pub calls: u64,
    /// Their union over all threads and devices; of phases, their sum.
    pub time: Nanos,
}

/// The categories by place, the longest first.
pub(super) fn overview(trace: &Trace, model: &[(&str, RangeTimes)]) -> Vec<CategoryTime> {
    let mut spans: BTreeMap<(Place, u16), Vec<Interval>> = BTreeMap::new();
    for track in &trace.tracks {
        let place = match track.layer {
            Layer::Host => Place::Host,
            Layer::Device => Place::Device,
            _ => continue,
        };
        for id in track.events() {
            spans.entry((place, trace.slices.category(id))).or_default().push(trace.slices.interval(id));
        }
    }
    let row = |((place, category), spans): ((Place, u16), Vec<Interval>)| {
        let category = trace.categories.get(usize::from(category)).copied().unwrap_or_default();
        let phase = model.iter().skip_while(|(name, _)| *name == super::MODEL[0]);
        let phase = phase.into_iter().find(|(name, _)| *name == trace.strings.get(category));
        match phase {
            Some((_, times)) => CategoryTime { place, category, calls: times.calls, time: times.host.total },
            None => CategoryTime { place, category, calls: spans.len() as u64, time: IntervalSet::of(spans).len() },
        }
    };
    let mut rows: Vec<CategoryTime> = spans.into_iter().map(row).collect();
    rows.compact_sort_by_key(|row| (row.place, std::cmp::Reverse(row.time), row.category));
    rows
}

/// The union of the host's slices that are wanted.
pub(super) fn union_of(trace: &Trace, wanted: impl Fn(EventId) -> bool) -> Nanos {
    let host = trace.tracks.iter().filter(|track| track.layer == Layer::Host);
    let ids = host.flat_map(Track::events).filter(|id| wanted(*id));
    IntervalSet::of(ids.map(|id| trace.slices.interval(id))).len()
}
