//! Links: activity → launching call → launching operator, and the file's own flows.

use super::builder::{FastMap, FlowPhase, FlowPoint};
use super::column::Column;
use super::details::{Flow, NO_SERIAL, Serial};
use super::ids::{EventId, ProcessId, TrackId};
use super::serial_map::SerialMap;
use super::serial_set::SerialSet;
use super::slices::Class;
use super::tracks::{Layer, RawId};
use super::{Trace, classify};
use stepscope_base::{Code, Interval, Nanos, Warnings};

/// Finds each activity's call by correlation, and the innermost operator around that call.
pub(super) fn launches(trace: &mut Trace, starts: &Column<Serial>, ends: &Column<Serial>, warnings: &mut Warnings) {
    let launcher_of = launchers_by_correlation(trace);
    let by_flow = launchers_by_flow(trace);
    let (starts, ends) = (SerialSet::of(starts.iter()), SerialSet::of(ends.iter()));
    let mut activities = std::mem::take(&mut trace.activities);
    let mut operator_of = None;
    let mut orphans = 0;
    let mut first_orphan = None;
    for activity in &mut activities {
        let key = activity.correlation;
        activity.has_flow = key != NO_SERIAL && starts.contains(key) && ends.contains(key);
        let flow = by_flow.get(&activity.event).copied().unwrap_or_default();
        let launcher = launcher_of.get(key);
        if launcher.call.get().is_some() {
            activity.call = launcher.call;
            activity.operator = launcher.operator.get().unwrap_or(flow.operator);
            continue;
        }
        if flow.call.get().is_some() {
            (activity.call, activity.operator) = (flow.call, flow.operator);
            continue;
        }
        orphans += 1;
        first_orphan.get_or_insert(activity.event);
        // In traces of 2022 the external id of an activity is its correlation id, which identifies no operator.
        if activity.external != NO_SERIAL && activity.external != key {
            let by_external = operator_of.get_or_insert_with(|| operators_by_external(trace));
            activity.operator = by_external.get(&activity.external).copied().unwrap_or_default();
        }
        activity.operator = activity.operator.get().unwrap_or(flow.operator);
    }
    // If no call is recorded at all, as on an Ascend that runs whole graphs, that is as intended.
    let has_calls = || {
        let by_number = trace.calls.iter().any(|call| launcher_of.get(call.correlation).call.get().is_some());
        by_number || by_flow.values().any(|launcher| launcher.call.get().is_some())
    };
    if let Some(event) = first_orphan.and_then(EventId::get).filter(|_| has_calls()) {
        let name = trace.strings.get(trace.slices.name(event)).to_owned();
        let position = trace.slices.position(event);
        warnings.add_many(Code::ActivityWithoutLaunch, orphans, Some(position), || name);
    }
    trace.activities = activities;
    classify::communication(trace);
}

/// A runtime or driver call and the innermost operator around it, if there is one.
#[derive(Clone, Copy, Default)]
struct Launcher {
    call: EventId,
    operator: EventId,
}

/// The runtime or driver calls by correlation.
fn launchers_by_correlation(trace: &Trace) -> SerialMap<Launcher> {
    let mut launcher_of: SerialMap<Launcher> = SerialMap::with_room(trace.calls.iter().map(|call| call.correlation));
    let mut open = OpenOperators::default();
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Host) {
        open.0.clear();
        for id in track.events() {
            match trace.slices.class(id) {
                Class::Operator => open.add(id, trace.slices.interval(id)),
                Class::RuntimeCall => {
                    if let Some(call) = trace.call(id)
                        && call.correlation != NO_SERIAL
                    {
                        let known = launcher_of.get_mut(call.correlation);
                        if known.call.get().is_none_or(|known| is_later(trace, id, known)) {
                            let operator = open.around(trace.slices.interval(id));
                            *known = Launcher { call: id, operator };
                        }
                    }
                }
                _ => {}
            }
        }
    }
    launcher_of
}

/// The calls and operators from which the file has a flow to an activity. Where the framework's threads and the
/// runtime's are separate rows, as on an Ascend, only a flow shows which operator launched it.
fn launchers_by_flow(trace: &Trace) -> FastMap<EventId, Launcher> {
    let mut launcher_of: FastMap<EventId, Launcher> = FastMap::default();
    for flow in trace.flows.iter().filter(|flow| trace.slices.class(flow.to).is_activity()) {
        let from = trace.slices.class(flow.from);
        if !matches!(from, Class::Operator | Class::RuntimeCall) {
            continue;
        }
        let launcher = launcher_of.entry(flow.to).or_default();
        if from == Class::Operator {
            launcher.operator = flow.from;
        } else {
            launcher.call = flow.from;
        }
    }
    launcher_of
}

/// The operators of a thread that may still be the innermost one around a later span, with falling ends.
///
/// The slices' own nesting does not show this: an annotation that outlasts an operator hides it there. The rule is the
/// same as in [`super::nest`], with only operators on the stack.
#[derive(Default)]
struct OpenOperators(Vec<(Nanos, EventId)>);

impl OpenOperators {
    fn add(&mut self, id: EventId, span: Interval) {
        while self.0.last().is_some_and(|(end, _)| *end <= span.start || *end < span.end) {
            self.0.pop();
        }
        self.0.push((span.end, id));
    }

    /// The innermost operator that wholly contains a span which starts now; `NONE` without one.
    fn around(&mut self, span: Interval) -> EventId {
        while self.0.last().is_some_and(|(end, _)| *end <= span.start) {
            self.0.pop();
        }
        let containers = self.0.partition_point(|(end, _)| *end >= span.end);
        self.0[..containers].last().map_or(EventId::NONE, |(_, id)| *id)
    }
}

/// Whether, among slices with one id, this one has priority over the known one: the one that starts last and, among
/// these, the shortest. That is the innermost of nested ones, independent of the threads' order.
#[inline]
fn is_later(trace: &Trace, id: EventId, known: EventId) -> bool {
    let rank = |id: EventId| (trace.slices.start(id), std::cmp::Reverse(trace.slices.end(id)));
    rank(id) >= rank(known)
}

fn operators_by_external(trace: &Trace) -> FastMap<Serial, EventId> {
    let mut operator_of = FastMap::default();
    for id in trace.slices.ids().filter(|id| trace.slices.class(*id) == Class::Operator) {
        if let Some(operation) = trace.operation(id)
            && operation.external != NO_SERIAL
        {
            let known = operator_of.entry(operation.external).or_insert(id);
            if is_later(trace, id, *known) {
                *known = id;
            }
        }
    }
    operator_of
}

/// Joins the points of flows of the same kind and id, and finds their slices.
///
/// An id may be used again after its flow has ended: a start begins another flow. With a single start, points of an
/// earlier time are its ends, too, since the clocks of two threads may differ.
pub(super) fn flows(
    trace: &mut Trace,
    points: &Column<FlowPoint>,
    places: &[(ProcessId, RawId)],
    origin: Nanos,
    warnings: &mut Warnings,
) {
    let mut points: Vec<FlowPoint> = points.iter().collect();
    points.sort_by_key(|point| (point.kind, point.id, point.at, point.phase));
    let tracks_of = tracks_of_places(trace, places);
    let mut started = Started { trace, last: vec![0; trace.tracks.len()] };
    let mut touched = |point: &FlowPoint| {
        let (tracks, at) = (&tracks_of[point.place as usize], point.at - origin);
        if point.phase == FlowPhase::EndAtNext { started.next(tracks, at) } else { started.slice_at(tracks, at) }
    };
    let mut unmatched = 0;
    let mut flows = Vec::new();
    for of_id in points.chunk_by_mut(|a, b| (a.kind, a.id) == (b.kind, b.id)) {
        let kind = of_id[0].kind;
        if let [only] = &starts_of(of_id)[..] {
            of_id[..=*only].rotate_right(1);
        }
        for flow in of_id.chunk_by(|_, next| next.phase != FlowPhase::Start) {
            let (Some(start), ends @ [_, ..]) =
                (flow.first().filter(|first| first.phase == FlowPhase::Start), &flow[1..])
            else {
                unmatched += flow.len() as u64;
                continue;
            };
            let mut from = touched(start);
            for end in ends {
                let to = touched(end);
                match (from, to) {
                    (Some(from), Some(to)) => flows.push(Flow { kind, from, to }),
                    _ => unmatched += 1,
                }
                if end.phase == FlowPhase::Step {
                    from = to;
                }
            }
        }
    }
    flows.sort_unstable_by_key(|flow| (flow.from, flow.to, flow.kind));
    trace.flows = flows;
    warnings.add_many(Code::UnmatchedFlow, unmatched, None, String::new);
}

/// Indices of the starts among the points of one id, up to the second one.
fn starts_of(points: &[FlowPoint]) -> Vec<usize> {
    let starts = points.iter().enumerate().filter(|(_, point)| point.phase == FlowPhase::Start);
    starts.map(|(index, _)| index).take(2).collect()
}

/// The tracks on which a flow can end, by place.
fn tracks_of_places(trace: &Trace, places: &[(ProcessId, RawId)]) -> Vec<Vec<TrackId>> {
    let mut by_thread: FastMap<(ProcessId, RawId), Vec<TrackId>> = FastMap::default();
    for (index, track) in trace.tracks.iter().enumerate() {
        if matches!(track.layer, Layer::Host | Layer::Device) {
            by_thread.entry((track.process, track.thread)).or_default().push(TrackId::from_index(index));
        }
    }
    // Several places are the same thread where an export's lanes were merged again.
    places.iter().map(|place| by_thread.get(place).cloned().unwrap_or_default()).collect()
}

/// Finds slices by time: flows mostly come in rising or falling order, so the next slice is near the last one.
struct Started<'a> {
    trace: &'a Trace,
    /// By track, the number of slices that had started at the last request.
    last: Vec<usize>,
}

impl Started<'_> {
    /// The innermost slice of the tracks that is open at a point, or starts there.
    fn slice_at(&mut self, tracks: &[TrackId], at: Nanos) -> Option<EventId> {
        let Trace { slices, tracks: all, .. } = self.trace;
        let open = |id: &EventId| slices.end(*id) > at || slices.start(*id) == at;
        tracks.iter().find_map(|track| {
            let first = all[track.index()].rows().start;
            let started = self.count(*track, |start| start <= at);
            let last = (started > 0).then(|| EventId::from_index(first + started - 1))?;
            std::iter::once(last).chain(slices.ancestors(last)).find(open)
        })
    }

    /// The first slice of the tracks that starts at a point or after it.
    fn next(&mut self, tracks: &[TrackId], at: Nanos) -> Option<EventId> {
        let trace = self.trace;
        let first = |track: &TrackId| {
            let rows = trace.tracks[track.index()].rows();
            let before = self.count(*track, |start| start < at);
            (before < rows.len()).then(|| EventId::from_index(rows.start + before))
        };
        tracks.iter().filter_map(first).min_by_key(|id| trace.slices.start(*id))
    }

    /// The number of a track's slices that had started.
    fn count(&mut self, track: TrackId, has_started: impl Fn(Nanos) -> bool) -> usize {
        let starts = &self.trace.slices.start[self.trace.tracks[track.index()].rows()];
        let last = &mut self.last[track.index()];
        *last = partition_point_near(starts, *last, has_started);
        *last
    }
}

/// As [`slice::partition_point`], searched in growing steps from an index near the result.
fn partition_point_near<T: Copy>(list: &[T], mut near: usize, is_before: impl Fn(T) -> bool) -> usize {
    // All before `low` are before, all from `high` on are not.
    let (mut low, mut high) = (0, list.len());
    near = near.min(high.saturating_sub(1));
    let mut step = 1;
    while low < high
        && let Some(item) = list.get(near)
    {
        let is_bracketed = if is_before(*item) {
            low = near + 1;
            near = near.saturating_add(step);
            high < list.len()
        } else {
            high = near;
            near = near.saturating_sub(step);
            low > 0
        };
        if is_bracketed {
            break;
        }
        step *= 2;
    }
    low + list[low..high].partition_point(|item| is_before(*item))
}

#[cfg(test)]
mod tests {
    use crate::{
        Activity, AddedSlice, Call, Class, EventId, FlowPhase, Layer, NO_SERIAL, NewSlice, Operation, RawId, Trace,
        TraceBuilder,
    };
    use stepscope_base::{Code, Nanos, Warnings};

    /// Adds slices by their class, thread, name and span.
    #[derive(Default)]
    struct Events(TraceBuilder);

    impl Events {
        fn add(&mut self, class: Class, thread: i64, name: &str, (start, end): (i64, i64)) -> AddedSlice {
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
        // Its external id differs: the call counts.
        events.kernel("gemm", (30, 40), 9, 1);
        let (trace, warnings) = events.finish();
        assert_eq!(launched_by(&trace, 0), [Some("launch"), Some("inner")]);
        assert_eq!(warnings.count(Code::ActivityWithoutLaunch), 0);
    }

    #[test]
    fn a_flow_links_what_no_number_does() {
        let mut events = Events::default();
        events.operator(1, "op", (0, 20), 5);
        events.add(Class::Annotation, 1, "step", (0, 30));
        events.call(2, "launch", (3, 5), 9);
        events.kernel("by both", (30, 40), 9, NO_SERIAL);
        events.kernel("by flow", (50, 60), NO_SERIAL, NO_SERIAL);
        events.kernel("by no flow", (70, 80), NO_SERIAL, NO_SERIAL);
        let kind = events.0.intern(b"async_npu");
        let mut flow = |id, thread, phase, at| {
            events.0.flow_point(kind, id, phase, RawId::Number(1), RawId::Number(thread), Nanos(at));
        };
        for (id, (thread, from), to) in [(1, (1, 0), 30), (2, (1, 0), 50), (3, (2, 3), 50), (4, (1, 25), 70)] {
            flow(id, thread, FlowPhase::Start, from);
            flow(id, 7, FlowPhase::End, to);
        }
        let (trace, warnings) = events.finish();
        assert_eq!(launched_by(&trace, 0), [Some("launch"), Some("op")]);
        assert_eq!(launched_by(&trace, 1), [Some("launch"), Some("op")]);
        assert_eq!(launched_by(&trace, 2), [None, None], "an annotation launches nothing");
        assert_eq!(warnings.count(Code::ActivityWithoutLaunch), 1);
    }

    #[test]
    fn an_annotation_that_crosses_the_operator_does_not_hide_it() {
        let mut events = Events::default();
        events.operator(1, "A", (0, 10), 1);
        events.add(Class::Annotation, 1, "crossing", (5, 15));
        events.call(1, "launch", (6, 7), 1);
        // An operator that another one outlasts: spans in both belong to the one that starts last.
        events.operator(1, "B", (20, 30), 2);
        events.operator(1, "C", (25, 35), 3);
        events.call(1, "in both", (26, 27), 2);
        events.call(1, "in the later", (31, 32), 3);
        // Calls that outlast the innermost operator belong to the one around it, or to none.
        events.operator(1, "outer", (40, 60), 4);
        events.operator(1, "inner", (42, 50), 5);
        events.call(1, "crossing a call", (45, 52), 4);
        events.call(1, "behind", (48, 49), 5);
        events.call(1, "outlasts all", (55, 65), 6);
        events.call(1, "under none", (60, 61), 7);
        for correlation in 1..=7 {
            let start = 100 + 10 * i64::from(correlation);
            events.kernel("gemm", (start, start + 5), correlation, 0);
        }
        let (trace, _) = events.finish();
        let operators: Vec<Option<&str>> = (0..7).map(|activity| launched_by(&trace, activity)[1]).collect();
        assert_eq!(operators, [Some("A"), Some("C"), Some("C"), Some("outer"), Some("inner"), None, None]);
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
        assert_eq!(warnings.count(Code::ActivityWithoutLaunch), 0, "no call was recorded at all");
        for (first, second) in [(1, 2), (2, 1)] {
            let mut events = Events::default();
            events.operator(first, "early", (0, 20), 5);
            events.operator(second, "late", (1, 20), 5);
            events.kernel("gemm", (30, 40), 9, 5);
            assert_eq!(launched_by(&events.finish().0, 0), [None, Some("late")], "threads {first} and {second}");
        }
    }

    #[test]
    fn activities_without_a_call_are_told_where_others_have_one() {
        let warned = |call: bool| {
            let mut events = Events::default();
            if call {
                events.call(1, "launch", (3, 5), 1);
                events.kernel("launched", (10, 20), 1, NO_SERIAL);
            }
            events.kernel("lost", (30, 40), 9, NO_SERIAL);
            events.kernel("without a number", (50, 60), NO_SERIAL, NO_SERIAL);
            events.finish().1.count(Code::ActivityWithoutLaunch)
        };
        assert_eq!((warned(true), warned(false)), (2, 0));
    }

    proptest::proptest! {
        #[test]
        fn a_place_is_found_from_wherever_it_is_looked_for(
            mut list in proptest::collection::vec(0..50_u32, 0..60),
            near in 0..70_usize,
            bound in 0..52_u32,
        ) {
            list.sort_unstable();
            let expected = list.partition_point(|item| *item < bound);
            proptest::prop_assert_eq!(super::partition_point_near(&list, near, |item| item < bound), expected);
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
