//! Where a device idles in marked steps outside of its window: before its first activity, and after its last.

use super::HostInGap;
use super::host::Hosts;
use crate::analyze::{IntervalSet, StepSource, Steps};
use crate::sort::CompactSort as _;
use crate::trace::{Class, EventId, Layer, Trace, TrackId};
use crate::units::{Interval, Nanos};

/// On which side of a device's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeSide {
    /// Before the device's first activity.
    LeadIn,
    /// After its last one.
    LeadOut,
}

impl EdgeSide {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LeadIn => "lead_in",
            Self::LeadOut => "lead_out",
        }
    }
}

/// A long stretch of marked steps before a device's first activity or after its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleEdge {
    /// From when to when.
    pub span: Interval,
    /// On which side.
    pub side: EdgeSide,
    /// The device's first or last activity.
    pub activity: EventId,
    /// What the thread that marks the steps did, else the one that launched the activity; none if neither is known.
    pub host: Option<HostInGap>,
}

/// The parts of marked steps before `window`, the first being those before its start, and behind it.
pub(super) fn outside(steps: &Steps, window: Interval) -> [IntervalSet; 2] {
    if steps.source == StepSource::WholeTrace {
        return [IntervalSet::new(), IntervalSet::new()];
    }
    let marked = IntervalSet::of(steps.steps.iter().map(|step| step.host));
    [Interval::new(Nanos::MIN, window.start), Interval::new(window.end, Nanos::MAX)].map(|side| marked.clip(side))
}

/// The longest of those parts: `listed` of those longer than `long`, by start.
pub(super) fn longest(
    parts: &[IntervalSet; 2],
    activities: [EventId; 2],
    (long, listed): (Nanos, usize),
    (trace, steps): (&Trace, &Steps),
    hosts: &mut Hosts<'_>,
) -> Vec<IdleEdge> {
    let sides = [EdgeSide::LeadIn, EdgeSide::LeadOut].into_iter().zip(activities).zip(parts);
    let mut found: Vec<IdleEdge> = sides
        .flat_map(|((side, activity), parts)| {
            let long = parts.intervals().iter().filter(move |span| span.len() > long);
            long.map(move |span| IdleEdge { span: *span, side, activity, host: None })
        })
        .collect();
    found.compact_sort_by_key(|edge| std::cmp::Reverse(edge.span.len()));
    found.truncate(listed);
    found.compact_sort_by_key(|edge| edge.span.start);
    for edge in &mut found {
        let launching = trace.activity(edge.activity).and_then(|activity| activity.call.get());
        let thread = marking(trace, steps, edge.span).or_else(|| Some(trace.slices.track(launching?)));
        edge.host = thread.map(|thread| hosts.look_at(thread, edge.span));
    }
    found
}

/// The thread that marks the step in which a span begins.
fn marking(trace: &Trace, steps: &Steps, span: Interval) -> Option<TrackId> {
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
