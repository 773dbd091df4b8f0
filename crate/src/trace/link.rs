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

/// The runtime or driver calls by correlation.
fn calls_by_correlation(trace: &Trace) -> FastMap<Serial, EventId> {
    let mut call_of: FastMap<Serial, EventId> =
        FastMap::with_capacity_and_hasher(trace.calls.len(), rustc_hash::FxBuildHasher);
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Host) {
        for id in track.events() {
            if trace.slices.class(id) == Class::RuntimeCall
                && let Some(call) = trace.call(id)
                && call.correlation != NO_SERIAL
            {
                keep_latest(trace, &mut call_of, call.correlation, id);
            }
        }
    }
    call_of
}

/// Keeps, of several slices with one id, the one that starts last and, of such, the shortest: the innermost
/// of nested ones, and never a matter of the threads' order.
#[inline]
fn keep_latest(trace: &Trace, of: &mut FastMap<Serial, EventId>, serial: Serial, id: EventId) {
    let rank = |id: EventId| (trace.slices.start(id), std::cmp::Reverse(trace.slices.end(id)));
    let known = of.entry(serial).or_insert(id);
    if rank(id) >= rank(*known) {
        *known = id;
    }
}

fn operators_by_external(trace: &Trace) -> FastMap<Serial, EventId> {
    let mut operator_of = FastMap::default();
    for id in trace.slices.ids().filter(|id| trace.slices.class(*id) == Class::Operator) {
        if let Some(operation) = trace.operation(id)
            && operation.external != NO_SERIAL
        {
            keep_latest(trace, &mut operator_of, operation.external, id);
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
    let mut by_thread: FastMap<(ProcessId, RawId), Vec<TrackId>> = FastMap::default();
    for (index, track) in trace.tracks.iter().enumerate() {
        if matches!(track.layer, Layer::Host | Layer::Device) {
            by_thread.entry((track.process, track.thread)).or_default().push(TrackId::from_index(index));
        }
    }
    // Several places are the same thread where an export's lanes were joined again.
    places.iter().map(|place| by_thread.get(place).cloned().unwrap_or_default()).collect()
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

#[cfg(test)]
mod tests {
    use crate::trace::{
        Activity, Call, Class, EventId, Layer, NO_SERIAL, NewSlice, Operation, RawId, Row, Trace, TraceBuilder,
    };
    use crate::units::Nanos;
    use crate::warn::{Code, Warnings};

    /// Adds slices by their class, thread, name and span.
    #[derive(Default)]
    struct Events(TraceBuilder);

    impl Events {
        fn add(&mut self, class: Class, thread: i64, name: &str, (start, end): (i64, i64)) -> Row {
            let layer = if class.is_activity() { Layer::Device } else { Layer::Host };
            let track = self.0.track(RawId::Number(1), RawId::Number(thread), layer, None);
            let category = self.0.category(b"test");
            let name = self.0.intern(name.as_bytes());
            let (start, end) = (Nanos(start), Nanos(end));
            self.0.slice(NewSlice { track, class, category, name, start, end, position: 0 })
        }

        fn operator(&mut self, thread: i64, name: &str, span: (i64, i64), external: u32) {
            let row = self.add(Class::Operator, thread, name, span);
            self.0.operation(row, Operation { external, ..Operation::default() });
        }

        fn call(&mut self, thread: i64, name: &str, span: (i64, i64), correlation: u32) {
            let row = self.add(Class::RuntimeCall, thread, name, span);
            self.0.call(row, Call { correlation, external: NO_SERIAL });
        }

        fn kernel(&mut self, name: &str, span: (i64, i64), correlation: u32, external: u32) {
            let row = self.add(Class::Kernel, 7, name, span);
            self.0.activity(row, Activity { correlation, external, ..Activity::default() });
        }

        fn finish(self) -> (Trace, Warnings) {
            let mut warnings = Warnings::default();
            let trace = self.0.finish(&mut warnings).expect("few slices");
            (trace, warnings)
        }
    }

    /// The names of an activity's call and operator.
    fn launched_by(trace: &Trace, activity: usize) -> [Option<&str>; 2] {
        let name = |id: EventId| id.get().map(|id| trace.name_of(id));
        [name(trace.activities[activity].call), name(trace.activities[activity].operator)]
    }

    #[test]
    fn a_call_launches_what_has_its_correlation_and_the_innermost_operator_around_it_is_the_launcher() {
        let mut events = Events::default();
        events.operator(1, "outer", (0, 20), 1);
        events.operator(1, "inner", (2, 10), 2);
        events.call(1, "launch", (3, 5), 9);
        // Its external id says something else: the call counts.
        events.kernel("gemm", (30, 40), 9, 1);
        let (trace, warnings) = events.finish();
        assert_eq!(launched_by(&trace, 0), [Some("launch"), Some("inner")]);
        assert_eq!(warnings.count(Code::ActivityWithoutLaunch), 0);
    }

    #[test]
    fn without_a_call_the_external_id_tells_unless_it_is_the_correlation() {
        let mut events = Events::default();
        events.operator(1, "op", (0, 20), 5);
        events.kernel("by external id", (30, 40), 9, 5);
        events.kernel("of 2022", (50, 60), 5, 5);
        let (trace, warnings) = events.finish();
        assert_eq!(launched_by(&trace, 0), [None, Some("op")]);
        assert_eq!(launched_by(&trace, 1), [None, None]);
        assert_eq!(warnings.count(Code::ActivityWithoutLaunch), 2);
        for (first, second) in [(1, 2), (2, 1)] {
            let mut events = Events::default();
            events.operator(first, "early", (0, 20), 5);
            events.operator(second, "late", (1, 20), 5);
            events.kernel("gemm", (30, 40), 9, 5);
            assert_eq!(launched_by(&events.finish().0, 0), [None, Some("late")], "threads {first} and {second}");
        }
    }

    #[test]
    fn of_several_calls_with_one_correlation_the_latest_counts_on_whichever_thread() {
        for (first, second) in [(1, 2), (2, 1), (1, 1)] {
            let mut events = Events::default();
            events.call(first, "runtime", (3, 12), 9);
            events.call(second, "driver", (5, 10), 9);
            events.kernel("gemm", (30, 40), 9, 0);
            let (trace, _) = events.finish();
            assert_eq!(launched_by(&trace, 0)[0], Some("driver"), "threads {first} and {second}");
        }
    }
}
