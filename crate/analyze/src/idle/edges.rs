//! Idle time of a device in steps outside of its window: before its first activity, and after its last.

use super::host::Hosts;
use super::report::{EdgeSide, IdleEdge};
use crate::{IntervalSet, Steps};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{Class, EventId, Layer, Trace, TrackId};

/// The parts of steps before and after `window`, by side. Parts in which the device idles exclude times that the
/// timeline does not cover.
pub(super) fn outside(
    spans: &IntervalSet,
    window: Interval,
    known_from: Nanos,
    uncovered: &IntervalSet,
) -> [(EdgeSide, IntervalSet); 3] {
    let known_from = known_from.min(window.start);
    let idle = spans.difference(uncovered);
    [
        (EdgeSide::BeforeFirst, spans.clip(Interval::new(Nanos::MIN, known_from))),
        (EdgeSide::LeadIn, idle.clip(Interval::new(known_from, window.start))),
        (EdgeSide::LeadOut, idle.clip(Interval::new(window.end, Nanos::MAX))),
    ]
}

/// The longest of those parts: `listed` of those longer than `long`, by start.
pub(super) fn longest(
    parts: &[(EdgeSide, IntervalSet); 3],
    [first, last]: [EventId; 2],
    (long, listed): (Nanos, usize),
    (trace, steps): (&Trace, &Steps),
    hosts: &mut Hosts<'_>,
) -> Vec<IdleEdge> {
    let edges = |(side, part): &(EdgeSide, IntervalSet)| {
        let (side, activity) = (*side, if *side == EdgeSide::LeadOut { last } else { first });
        let edge = |span: &Interval| IdleEdge { span: *span, side, activity, host: None };
        part.intervals().iter().filter(|span| span.len() > long).map(edge).collect::<Vec<_>>()
    };
    let mut found: Vec<IdleEdge> = parts.iter().flat_map(edges).collect();
    found.compact_sort_by_key(|edge| std::cmp::Reverse(edge.span.len()));
    found.truncate(listed);
    found.compact_sort_by_key(|edge| edge.span.start);
    for edge in found.iter_mut().filter(|edge| edge.side != EdgeSide::BeforeFirst) {
        let launching = trace.activity(edge.activity).and_then(|activity| activity.call.get());
        let thread = marking(trace, steps, edge.span).or_else(|| Some(trace.slices.track(launching?)));
        edge.host = thread.map(|thread| hosts.look_at(thread, edge.span));
    }
    found
}

/// The thread that marks the step in which a span begins.
pub(crate) fn marking(trace: &Trace, steps: &Steps, span: Interval) -> Option<TrackId> {
    let step = steps.steps.iter().find(|step| step.host.start <= span.start && span.start < step.host.end)?.host;
    let marks = |index: &usize| {
        let track = &trace.tracks[*index];
        let rows = track.rows();
        let first = trace.slices.first_at(rows.clone(), step.start);
        let mut same =
            (first..rows.end).map(EventId::from_index).take_while(|id| trace.slices.start(*id) == step.start);
        track.layer == Layer::Host
            && same.any(|id| trace.slices.end(id) == step.end && trace.slices.class(id) == Class::Annotation)
    };
    (0..trace.tracks.len()).find(marks).map(TrackId::from_index)
}
