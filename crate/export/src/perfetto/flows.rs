//! Flows between slices, part by part: from calls to what they launched, and those that the file had.

use std::io;

use super::computed::CATEGORY;
use super::cut::inside;
use super::rows::Rows;
use super::text::Out;
use super::thread_ids::ThreadIds;
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{Activity, EventId, Flow, Trace};

/// Categories that are not flows when an export is read back, but may be flow kinds in another producer's trace.
const TAKEN: [&str; 3] = ["ac2g", "async_cpu_to_gpu", CATEGORY];

/// The category of a flow with one of these kinds: its kind is then in its name only.
const OTHERS_FLOW: &str = "stepscope flow";

/// Flows from calls to the activities that they launched, grouped by call.
///
/// A flow `ac2g` of the file stays one, with the correlation as id. Launches known from correlations alone are flows
/// in a category of this tool.
#[derive(Debug)]
pub(super) struct Launches {
    /// Launched activities by index, in the order of their calls.
    by_call: Vec<u32>,
    at: usize,
}

impl Launches {
    pub(super) fn of(trace: &Trace) -> Self {
        let launched = |place: &u32| activity(trace, *place).call.get().is_some();
        let mut by_call: Vec<u32> = (0..).take(trace.activities.len()).filter(launched).collect();
        by_call.compact_sort_by_key(|place| {
            let activity = activity(trace, *place);
            (activity.call, activity.has_flow, activity.event)
        });
        Self { by_call, at: 0 }
    }

    /// Writes until `out` has `most` bytes; returns whether all is written. With a single rank, flows keep the file's
    /// ids.
    pub(super) fn go_on(
        &mut self,
        out: &mut Out<'_>,
        rows: &mut Rows,
        trace: &Trace,
        (place_of, is_single): (&[ThreadIds], bool),
        most: usize,
    ) -> io::Result<bool> {
        let of_call = |place: &u32| (activity(trace, *place).call, activity(trace, *place).has_flow);
        while out.sent() < most {
            let Some(launched) = self.by_call[self.at..].chunk_by(|a, b| of_call(a) == of_call(b)).next() else {
                return Ok(true);
            };
            self.at += launched.len();
            let first = activity(trace, launched[0]);
            let ends = launched.iter().map(|place| activity(trace, *place).event);
            let mut ends = ends.filter(|end| is_written(place_of, *end)).peekable();
            if !is_written(place_of, first.call) || ends.peek().is_none() {
                continue;
            }
            let kind = if first.has_flow { ("ac2g", "ac2g") } else { (CATEGORY, "launch") };
            let id = if is_single && first.has_flow { u64::from(first.correlation) } else { rows.flow() };
            flow(out, trace, place_of, kind, id, first.call, ends)?;
        }
        Ok(false)
    }
}

fn activity(trace: &Trace, place: u32) -> &Activity {
    &trace.activities[place as usize]
}

/// The file's own flows, grouped by start.
#[derive(Debug)]
pub(super) struct Flows {
    flows: Vec<Flow>,
    at: usize,
}

impl Flows {
    pub(super) fn of(trace: &Trace) -> Self {
        let mut flows = trace.flows.clone();
        // Flows of a kind stay sorted by their slices.
        flows.compact_sort_by_key(|flow| flow.kind);
        Self { flows, at: 0 }
    }

    /// Writes until `out` has `most` bytes; returns whether all is written.
    pub(super) fn go_on(
        &mut self,
        out: &mut Out<'_>,
        rows: &mut Rows,
        trace: &Trace,
        place_of: &[ThreadIds],
        most: usize,
    ) -> io::Result<bool> {
        while out.sent() < most {
            let same = |a: &Flow, b: &Flow| (a.kind, a.from) == (b.kind, b.from);
            let Some(same) = self.flows[self.at..].chunk_by(same).next() else { return Ok(true) };
            self.at += same.len();
            let from = same[0].from;
            let mut ends = same.iter().map(|flow| flow.to).filter(|end| is_written(place_of, *end)).peekable();
            if is_written(place_of, from) && ends.peek().is_some() {
                let kind = trace.strings.get(same[0].kind);
                let category = if TAKEN.contains(&kind) { OTHERS_FLOW } else { kind };
                flow(out, trace, place_of, (category, kind), rows.flow(), from, ends)?;
            }
        }
        Ok(false)
    }
}

/// Whether a slice was written.
fn is_written(place_of: &[ThreadIds], id: EventId) -> bool {
    place_of[id.index()] != ThreadIds::NONE
}

/// One flow with one start and any number of ends; its kind is a category and a name.
fn flow(
    out: &mut Out<'_>,
    trace: &Trace,
    place_of: &[ThreadIds],
    kind: (&str, &str),
    id: u64,
    from: EventId,
    ends: impl Iterator<Item = EventId>,
) -> io::Result<()> {
    if !out.has_flow_events() {
        let from = (from, inside(out, trace, from));
        for end in ends {
            out.flow(from, (end, inside(out, trace, end)));
        }
        return Ok(());
    }
    let mut point = |phase: &str, event: EventId, not_before: Nanos| {
        out.begin(phase, kind.1, place_of[event.index()]);
        out.category(kind.0);
        let at = point_on_top(trace, event, inside(out, trace, event), not_before);
        out.at(at);
        out.raw(",\"id\":");
        out.number(id);
        if phase == "f" {
            out.raw(",\"bp\":\"e\"");
            out.written.flows += 1;
        }
        out.end().map(|()| at)
    };
    let start = point("s", from, Nanos::MIN)?;
    for end in ends {
        point("f", end, start)?;
    }
    Ok(())
}

/// A time at which the written part of a slice is the topmost of its lane: its start, unless a child starts there.
///
/// Perfetto loses a flow that ends before it starts. A flow may reach a slice that began earlier, as a wait for a
/// batch does. It then ends within that slice, not before the flow's start.
fn point_on_top(trace: &Trace, id: EventId, inside: Interval, not_before: Nanos) -> Nanos {
    let end = inside.end;
    let start = if not_before < end { inside.start.max(not_before) } else { inside.start };
    let mut at = start;
    let track = &trace.tracks[trace.slices.track(id).index()];
    for next in (id.index() + 1..track.rows().end).map(EventId::from_index) {
        let span = trace.slices.interval(next);
        if span.start > at || at >= end {
            break;
        }
        at = at.max(span.end).max(if span.is_empty() { span.start + Nanos(1) } else { at });
    }
    // Children without gaps leave no such time: the flow then touches the first child.
    if at < end { at } else { start }
}
