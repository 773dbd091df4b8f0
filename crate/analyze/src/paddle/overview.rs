//! Time by category.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::kinds::{Kinds, MODEL};
use super::{RangeTimes, WorkSplit};
use crate::IntervalSet;
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{EventId, Layer, RawId, Trace, Track};

/// The location of a category's slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CategorySide {
    /// On threads of the host.
    Host,
    /// On devices.
    Device,
}

/// A row of the Overview Summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryTime {
    /// The location.
    pub place: CategorySide,
    /// The category.
    pub category: String,
    /// Number of slices: for nested phases, the outermost ones; for collectives, different spans.
    pub calls: u64,
    /// Their union over all threads and devices; for phases, their sum.
    pub time: Nanos,
}

/// The host's categories, the longest first; then the devices', in Paddle's order.
pub(super) fn overview(
    trace: &Trace,
    kinds: &Kinds<'_>,
    model: &[(&'static str, RangeTimes)],
    steps: Nanos,
    distribution: &WorkSplit,
) -> Vec<CategoryTime> {
    let mut spans: BTreeMap<(CategorySide, &str), Vec<Interval>> = BTreeMap::new();
    let mut first: BTreeMap<(CategorySide, &str), Order> = BTreeMap::new();
    for track in &trace.tracks {
        let place = match track.layer {
            Layer::Host => CategorySide::Host,
            Layer::Device => CategorySide::Device,
            _ => continue,
        };
        for id in track.events() {
            let key = (place, kinds.kind(id));
            // Collectives have rows of their own.
            if matches!(key.1, "" | "Communication") {
                continue;
            }
            spans.entry(key).or_default().push(trace.slices.interval(id));
            let order = order(trace, kinds, id);
            let known = first.entry(key).or_insert(order);
            *known = (*known).min(order);
        }
    }
    let mut rows: Vec<(Option<Order>, CategoryTime)> = Vec::new();
    let model_row =
        |name: &str| model.iter().skip_while(|(first, _)| *first == MODEL[0]).find(|(phase, _)| *phase == name);
    for ((place, kind), spans) in spans {
        let (calls, time) = match model_row(kind) {
            Some((_, times)) => (times.calls, times.host.total),
            None => (spans.len() as u64, IntervalSet::of(spans).len()),
        };
        rows.push((first.get(&(place, kind)).copied(), CategoryTime { place, category: kind.to_owned(), calls, time }));
    }
    if !kinds.own {
        let row = |(name, times): &(&str, RangeTimes)| {
            let time = if *name == MODEL[0] { steps } else { times.host.total };
            CategoryTime { place: CategorySide::Host, category: (*name).to_owned(), calls: times.calls, time }
        };
        rows.extend(model.iter().map(|entry| (None, row(entry))));
    }
    rows.compact_sort_by_key(|(order, row)| {
        let time = if row.place == CategorySide::Host { Reverse(row.time) } else { Reverse(Nanos::ZERO) };
        (row.place, time, *order)
    });
    let mut rows: Vec<CategoryTime> = rows.into_iter().map(|(_, row)| row).collect();
    let communication = |place, (calls, time): (u64, Nanos)| {
        (calls > 0).then(|| CategoryTime { place, category: "Communication".to_owned(), calls, time })
    };
    if let Some(row) = communication(CategorySide::Host, distribution.host) {
        let after = rows.iter().take_while(|known| known.place == CategorySide::Host && known.time >= row.time).count();
        rows.insert(after, row);
    }
    rows.extend(communication(CategorySide::Device, distribution.device));
    rows
}

/// A slice's place in Paddle's order: a range before its calls, then device by device the activities of the calls.
type Order = (i64, RawId, Option<super::kinds::Visit>, bool, Nanos);

fn order(trace: &Trace, kinds: &Kinds<'_>, id: EventId) -> Order {
    let call = trace.activity(id).map(|activity| activity.call);
    let device = trace.stream_of(id).map_or(0, |stream| stream.device);
    let is_call = trace.slices.class(id) == stepscope_trace::Class::RuntimeCall;
    match call.map(EventId::get) {
        Some(Some(call)) => {
            let (thread, around, start) = kinds.launch(call);
            (device, thread, around, true, start)
        }
        None if is_call => {
            let (thread, around, start) = kinds.launch(id);
            (device, thread, around, true, start)
        }
        _ => (device, kinds.thread(id), Some(kinds.visit(id)), false, trace.slices.start(id)),
    }
}

/// The union of the wanted slices of the host.
pub(super) fn union_of(trace: &Trace, wanted: impl Fn(EventId) -> bool) -> Nanos {
    let host = trace.tracks.iter().filter(|track| track.layer == Layer::Host);
    let ids = host.flat_map(Track::events).filter(|id| wanted(*id));
    IntervalSet::of(ids.map(|id| trace.slices.interval(id))).len()
}
