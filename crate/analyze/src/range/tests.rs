//! Ranges against the definitions, for each slice and each point of time.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};

use super::{RangeConfig, RangeReport, RangeSums, compare_ranges, range};
use crate::{AnalysisConfig, analyze};
use stepscope_base::{Interval, Nanos, Warnings};
use stepscope_trace::{Activity, Class, EventId, Layer, NewSlice, RawId, Stream, Trace, TraceBuilder, TrackId};

/// A thread (of three, or a stream), a name, a start, a length, and whether it is long.
type Drawn = (usize, usize, i64, i64);

fn slices() -> impl Strategy<Value = Vec<Drawn>> {
    prop::collection::vec((0..5_usize, 0..3_usize, 0..60_i64, 0..20_i64), 1..60)
}

fn trace(slices: &[Drawn]) -> Trace {
    let mut builder = TraceBuilder::new();
    let names = [&b"gemm"[..], b"nccl", b"aten::mm"].map(|name| builder.intern(name));
    for (thread, name, start, length) in slices {
        let id = RawId::Number(i64::try_from(*thread).expect("few"));
        let (track, class) = match thread {
            0 | 1 => (
                builder.track(RawId::Number(1), id, Layer::Host, None),
                [Class::Operator, Class::RuntimeCall][thread % 2],
            ),
            2 => (builder.track(RawId::Number(1), id, Layer::Async, None), Class::Async),
            _ => {
                let stream = Stream { device: 0, stream: i64::try_from(*thread).expect("few") };
                (builder.track(RawId::Number(0), id, Layer::Device, Some(stream)), Class::Kernel)
            }
        };
        let category = builder.category(b"any");
        let (name, start, end) = (names[*name], Nanos(*start), Nanos(start + length));
        let row = builder.slice(NewSlice { track, class, category, name, start, end, position: 0 });
        if class == Class::Kernel {
            builder.activity(row, Activity::default());
        }
    }
    builder.finish(&mut Warnings::default()).expect("a small trace")
}

fn of(trace: &Trace, span: Interval, tracks: Option<Vec<TrackId>>) -> RangeReport {
    range(trace, &analyze(trace, &AnalysisConfig::standard()), &RangeConfig { span, tracks })
}

fn span(start: i64, end: i64) -> Interval {
    Interval::new(Nanos(start), Nanos(end))
}

fn touches(own: Interval, span: Interval) -> bool {
    (own.is_empty() && span.start <= own.start && own.start < span.end) || !own.intersection(span).is_empty()
}

/// The points of a slice in a span.
fn points(trace: &Trace, id: EventId, within: Interval) -> BTreeSet<i64> {
    let inside = trace.slices.interval(id).intersection(within);
    (inside.start.0..inside.end.0).collect()
}

/// The sums of slices, slice by slice and point by point.
fn by_definition(trace: &Trace, ids: &[EventId], within: Interval) -> RangeSums {
    let mut sums = RangeSums::default();
    let mut union = BTreeSet::new();
    // The sweep goes by time, then by track.
    let mut ids = ids.to_vec();
    ids.sort_by_key(|id| (trace.slices.start(*id), *id));
    for id in &ids {
        let own = trace.slices.interval(*id);
        let inside = points(trace, *id, within);
        let flat = matches!(trace.tracks[trace.slices.track(*id).index()].layer, Layer::Device | Layer::Async);
        let children = trace.slices.ids().filter(|child| !flat && trace.slices.parent(*child) == Some(*id));
        let taken: BTreeSet<i64> = children.flat_map(|child| points(trace, child, within)).collect();
        let length = |points: usize| Nanos(i64::try_from(points).expect("few"));
        sums.shortest = if sums.slices == 0 { own.len() } else { sums.shortest.min(own.len()) };
        if sums.slices == 0 || own.len() > sums.longest {
            (sums.longest, sums.longest_slice) = (own.len(), *id);
        }
        sums.slices += 1;
        sums.begun += u64::from(own.start >= within.start);
        sums.sum += length(inside.len());
        sums.own += length(inside.difference(&taken).count());
        sums.lengths += own.len();
        union.extend(inside);
    }
    sums.union = Nanos(i64::try_from(union.len()).expect("few"));
    sums
}

proptest! {
    #[test]
    fn sums_are_those_of_the_slices(drawn in slices(), from in 0..70_i64, length in 0..40_i64, chosen in 0..6_usize) {
        let trace = trace(&drawn);
        let within = span(from, from + length);
        let tracks = (chosen > 0).then(|| (0..chosen.min(trace.tracks.len())).map(TrackId::from_index).collect::<Vec<_>>());
        let found = of(&trace, within, tracks.clone());
        let is_there = |id: &EventId| {
            tracks.as_ref().is_none_or(|tracks| tracks.contains(&trace.slices.track(*id)))
                && touches(trace.slices.interval(*id), within)
        };
        let all: Vec<EventId> = trace.slices.ids().filter(is_there).collect();
        prop_assert_eq!(found.whole, by_definition(&trace, &all, within));
        let group = |key: &dyn Fn(EventId) -> usize| {
            let mut groups: BTreeMap<usize, Vec<EventId>> = BTreeMap::new();
            all.iter().for_each(|id| groups.entry(key(*id)).or_default().push(*id));
            groups.into_iter().map(|(key, ids)| (key, by_definition(&trace, &ids, within))).collect::<Vec<_>>()
        };
        let tracks: Vec<(usize, RangeSums)> = found.tracks.iter().map(|(id, sums)| (id.index(), *sums)).collect();
        prop_assert_eq!(&tracks, &group(&|id| trace.slices.track(id).index()));
        let classes: Vec<(usize, RangeSums)> = found.classes.iter().map(|(class, sums)| (*class as usize, *sums)).collect();
        prop_assert_eq!(classes, group(&|id| trace.slices.class(id) as usize));
        let key = |name: usize, class: Class| 100 * name + class as usize;
        let mut names: Vec<(usize, RangeSums)> =
            found.names.iter().map(|row| (key(row.name.index(), row.class), row.sums)).collect();
        prop_assert_eq!(names.is_sorted_by(|a, b| a.1.sum >= b.1.sum), true);
        names.sort_by_key(|(key, _)| *key);
        prop_assert_eq!(names, group(&|id| key(trace.slices.name(id).index(), trace.slices.class(id))));
        let counted = trace.activities.iter().map(|activity| activity.event).filter(is_there);
        let busy: BTreeSet<i64> = counted.flat_map(|event| points(&trace, event, within)).collect();
        for time in &found.devices {
            prop_assert_eq!((time.window, time.busy), (within.len(), Nanos(i64::try_from(busy.len()).expect("few"))));
        }
        prop_assert_eq!(found.categories.iter().copied().sum::<Nanos>(), within.len());
        let chosen = found.hosts.iter().all(|(track, _)| tracks.iter().any(|(there, _)| *there == track.index()));
        prop_assert_eq!(chosen, true);
    }
}

#[test]
fn what_devices_and_hosts_do_is_of_the_chosen_tracks() {
    let trace = trace(&[(0, 2, 0, 10), (1, 2, 2, 6), (3, 0, 4, 4), (4, 0, 6, 6)]);
    let track = |stream: i64| {
        let found = trace.tracks.iter().position(|track| track.stream.is_some_and(|on| on.stream == stream));
        TrackId::from_index(found.expect("a stream"))
    };
    let all = of(&trace, span(0, 20), None);
    assert_eq!((all.devices[0].compute, all.hosts.len()), (Nanos(8), 2));
    let one = of(&trace, span(0, 20), Some(vec![track(4)]));
    assert_eq!((one.devices[0].compute, one.devices[0].window, one.hosts.len()), (Nanos(6), Nanos(20), 0));
    assert_eq!(one.categories.map(|time| time.0), [6, 0, 0, 0, 0, 0, 0, 14]);
    let thread = trace.tracks.iter().position(|track| track.stream.is_none()).expect("a thread");
    let host = of(&trace, span(0, 20), Some(vec![TrackId::from_index(thread)]));
    assert_eq!((host.devices.len(), host.hosts.len()), (0, 1), "no stream of a device is chosen");
}

#[test]
fn two_ranges_differ_by_what_their_names_differ() {
    let trace = trace(&[(0, 2, 0, 10), (3, 0, 4, 4), (3, 1, 20, 8), (0, 2, 22, 3)]);
    let (first, second) = (of(&trace, span(0, 10), None), of(&trace, span(20, 30), None));
    let found = compare_ranges((&trace, &first), (&trace, &second));
    let rows: Vec<(&str, Class, i64)> =
        found.rows.iter().map(|row| (row.name, row.class, row.difference().0)).collect();
    assert_eq!(rows, [("nccl", Class::Kernel, 8), ("aten::mm", Class::Operator, -7), ("gemm", Class::Kernel, -4)]);
    assert_eq!(found.rows[1].sums.map(|sums| sums.slices), crate::Sides { a: 1, b: 1 });
    let sides = found.devices[0].map(|time| (time.compute.0, time.communication.0, time.idle.0));
    // The first kernel's call is not recorded: whether the device idles before it is not known.
    assert_eq!((sides.a, sides.b), ((4, 0, 2), (0, 8, 2)));
    assert_eq!(found.devices[0].map(|time| time.before_first.0), crate::Sides { a: 4, b: 0 });
    // So that is also a part of the host's categories, as in the tables of steps.
    let early = [&first, &second].map(|range| range.categories_before_first.iter().map(|time| time.0).sum::<i64>());
    assert_eq!(early, [4, 0]);
    let same = compare_ranges((&trace, &first), (&trace, &first));
    assert!(same.rows.iter().all(|row| row.difference() == Nanos::ZERO));
}

#[test]
fn an_empty_range_holds_nothing() {
    let trace = trace(&[(0, 2, 0, 10), (3, 0, 4, 4)]);
    let found = of(&trace, span(5, 5), None);
    assert_eq!((found.whole, found.names.len(), found.tracks.len()), (RangeSums::default(), 0, 0));
    assert_eq!((found.devices[0].window, found.devices[0].idle), (Nanos::ZERO, Nanos::ZERO));
}
