//! Links: activity → launching call → launching operator, and the file's own arrows.

use super::builder::{FastMap, FlowPoint};
use super::column::Column;
use super::details::{Flow, NO_SERIAL, Serial};
use super::ids::{EventId, ProcessId, TrackId};
use super::serial_set::SerialSet;
use super::slices::Class;
use super::tracks::{Layer, RawId};
use super::{Trace, classify};
use crate::units::Nanos;
use crate::warn::{Code, Warnings};

/// Finds each activity's call by correlation, and the innermost operator around that call.
pub(super) fn launches(trace: &mut Trace, starts: &Column<Serial>, ends: &Column<Serial>, warnings: &mut Warnings) {
    let call_of = calls_by_correlation(trace);
    let (starts, ends) = (SerialSet::of(starts.iter()), SerialSet::of(ends.iter()));
    let mut activities = std::mem::take(&mut trace.activities);
    let mut operator_of = None;
    let mut orphans = 0;
    let mut first_orphan = None;
    for activity in &mut activities {
        let key = activity.correlation;
        activity.has_flow = key != NO_SERIAL && starts.contains(key) && ends.contains(key);
        if let Some(call) = call_of.get(&key) {
            activity.call = *call;
            let around = trace.slices.ancestors(*call).find(|id| trace.slices.class(*id) == Class::Operator);
            activity.operator = around.unwrap_or_default();
            continue;
        }
        orphans += 1;
        first_orphan.get_or_insert(activity.event);
        // In traces of 2022 the external id of an activity is its correlation id: that says nothing.
        if activity.external != NO_SERIAL && activity.external != key {
            let by_external = operator_of.get_or_insert_with(|| operators_by_external(trace));
            activity.operator = by_external.get(&activity.external).copied().unwrap_or_default();
        }
    }
    if let Some(event) = first_orphan.and_then(EventId::get) {
        let name = trace.strings.get(trace.slices.name(event)).to_owned();
        let position = trace.slices.position(event);
        warnings.add_many(Code::ActivityWithoutLaunch, orphans, Some(position), || name);
    }
    trace.activities = activities;
    classify::communication(trace);
}

/// The runtime or driver calls by correlation; of several with the same, the innermost (the last).
fn calls_by_correlation(trace: &Trace) -> FastMap<Serial, EventId> {
    let mut call_of = FastMap::with_capacity_and_hasher(trace.calls.len(), rustc_hash::FxBuildHasher);
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Host) {
        for id in track.events() {
            if trace.slices.class(id) == Class::RuntimeCall
                && let Some(call) = trace.call(id)
                && call.correlation != NO_SERIAL
            {
                call_of.insert(call.correlation, id);
            }
        }
    }
    call_of
}

fn operators_by_external(trace: &Trace) -> FastMap<Serial, EventId> {
    let mut operator_of = FastMap::default();
    for id in trace.slices.ids().filter(|id| trace.slices.class(*id) == Class::Operator) {
        if let Some(operation) = trace.operation(id)
            && operation.external != NO_SERIAL
        {
            operator_of.insert(operation.external, id);
        }
    }
    operator_of
}

/// Joins the ends of arrows of the same kind and id, and finds the slices they touch.
pub(super) fn flows(
    trace: &mut Trace,
    points: &Column<FlowPoint>,
    places: &[(ProcessId, RawId)],
    origin: Nanos,
    warnings: &mut Warnings,
) {
    let mut points: Vec<FlowPoint> = points.iter().collect();
    points.sort_by_key(|point| (point.kind, point.id, !point.start, point.at));
    let tracks_of = tracks_of_places(trace, places);
    let mut unmatched = 0;
    let mut flows = Vec::new();
    for arrow in points.chunk_by(|a, b| (a.kind, a.id) == (b.kind, b.id)) {
        let touched = |point: &FlowPoint| slice_at(trace, &tracks_of[point.place as usize], point.at - origin);
        let (start, ends) = match arrow {
            [start, ends @ ..] if start.start && !ends.is_empty() => (touched(start), ends),
            _ => {
                unmatched += arrow.len() as u64;
                continue;
            }
        };
        let kind = arrow[0].kind;
        for end in ends {
            match (start, touched(end)) {
                (Some(from), Some(to)) if !end.start => flows.push(Flow { kind, from, to }),
                _ => unmatched += 1,
            }
        }
    }
    flows.sort_unstable_by_key(|flow| (flow.from, flow.to, flow.kind));
    trace.flows = flows;
    warnings.add_many(Code::UnmatchedFlow, unmatched, None, String::new);
}

/// The tracks on which an arrow at a place may end.
fn tracks_of_places(trace: &Trace, places: &[(ProcessId, RawId)]) -> Vec<Vec<TrackId>> {
    let mut tracks_of = vec![Vec::new(); places.len()];
    let by_place: FastMap<_, usize> = places.iter().enumerate().map(|(index, place)| (*place, index)).collect();
    for (index, track) in trace.tracks.iter().enumerate() {
        if matches!(track.layer, Layer::Host | Layer::Device)
            && let Some(place) = by_place.get(&(track.process, track.thread))
        {
            tracks_of[*place].push(TrackId::from_index(index));
        }
    }
    tracks_of
}

/// The innermost slice of the tracks that is open at a point, or starts there.
fn slice_at(trace: &Trace, tracks: &[TrackId], at: Nanos) -> Option<EventId> {
    tracks.iter().find_map(|track| {
        let rows = trace.tracks[track.index()].rows();
        let started = trace.slices.start[rows.clone()].partition_point(|start| *start <= at);
        let last = (started > 0).then(|| EventId::from_index(rows.start + started - 1))?;
        let open = |id: &EventId| trace.slices.end(*id) > at || trace.slices.start(*id) == at;
        std::iter::once(last).chain(trace.slices.ancestors(last)).find(open)
    })
}
