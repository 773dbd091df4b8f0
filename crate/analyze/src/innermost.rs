//! The innermost slices of a track.

use stepscope_base::{Interval, Nanos};
use stepscope_trace::{EventId, Trace, TrackId};

/// Finds the innermost slices of tracks. A span is found fast if it is close to the latest one on its track.
pub(crate) struct Innermost<'a> {
    trace: &'a Trace,
    /// By track, the first row in the latest span.
    latest: Vec<usize>,
    /// Memory for the open slices.
    open: Vec<EventId>,
}

impl<'a> Innermost<'a> {
    pub(crate) fn of(trace: &'a Trace) -> Self {
        Self { trace, latest: vec![0; trace.tracks.len()], open: Vec::new() }
    }

    /// Calls `tell` for each part of a span with the innermost slice of a track, `EventId::NONE` where there is none.
    pub(crate) fn each(&mut self, track: TrackId, span: Interval, mut tell: impl FnMut(EventId, Interval)) {
        let Self { trace, latest, open } = self;
        let rows = trace.tracks[track.index()].rows();
        let latest = &mut latest[track.index()];
        let first = trace.slices.first_near(rows.clone(), span.start, *latest);
        *latest = first;
        // The slice around the first one is only looked up when it is needed.
        let mut around = first.checked_sub(1).filter(|before| rows.contains(before)).map(EventId::from_index);
        let mut at = span.start;
        let mut tell_until = |next: Nanos, open: &mut Vec<EventId>| {
            while at < next {
                let Some(id) = open.last().copied().or(around) else {
                    tell(EventId::NONE, Interval::new(at, next));
                    at = next;
                    return;
                };
                let until = trace.slices.end(id).min(next);
                if until > at {
                    tell(id, Interval::new(at, until));
                    at = until;
                }
                if at < next && open.pop().is_none() {
                    around = trace.slices.parent(id);
                }
            }
        };
        for id in (first..rows.end).map(EventId::from_index).take_while(|id| trace.slices.start(*id) < span.end) {
            tell_until(trace.slices.start(id), open);
            open.push(id);
        }
        tell_until(span.end, open);
        open.clear();
    }
}
