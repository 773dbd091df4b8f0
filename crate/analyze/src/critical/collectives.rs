//! Collectives of the host (Gloo, MPI). Traces do not show which thread waits for them: time on the path without
//! another explanation counts as theirs while they run.

use super::{PathClass, PathPiece};
use crate::time_categories::{HostCategories, TimeCategory, names_collective};
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{EventId, Trace, Track};

/// Spans of the host's collectives, without overlaps: the collective that began first takes a shared time.
pub(super) fn host_collectives(trace: &Trace) -> Vec<(Interval, EventId)> {
    let names = trace.strings.map(names_collective);
    if !names.contains(&true) {
        return Vec::new();
    }
    let categories = HostCategories::of(trace);
    let tracks = trace.tracks.iter().filter(|track| HostCategories::counts(track));
    let is_such = |id: &EventId| categories.categories(trace, *id).contains(&Some(TimeCategory::Communication));
    let mut found: Vec<EventId> = tracks.flat_map(Track::events).filter(is_such).collect();
    found.compact_sort_by_key(|id| (trace.slices.start(*id), trace.slices.end(*id)));
    let mut until = Nanos::MIN;
    let mut spans = Vec::new();
    for id in found {
        let span = Interval::new(trace.slices.start(id).max(until), trace.slices.end(id));
        if !span.is_empty() {
            until = span.end;
            spans.push((span, id));
        }
    }
    spans
}

/// Attributes unexplained time to the collectives that run during it.
pub(super) fn explain(pieces: Vec<PathPiece>, collectives: &[(Interval, EventId)]) -> Vec<PathPiece> {
    if collectives.is_empty() {
        return pieces;
    }
    let mut explained = Vec::with_capacity(pieces.len());
    for piece in pieces {
        if piece.class != PathClass::Other {
            explained.push(piece);
            continue;
        }
        let mut at = piece.span.start;
        let first = collectives.partition_point(|(span, _)| span.end <= at);
        for (span, slice) in collectives[first..].iter().take_while(|(span, _)| span.start < piece.span.end) {
            let part = span.intersection(piece.span);
            if part.start > at {
                explained.push(PathPiece { span: Interval::new(at, part.start), ..piece });
            }
            explained.push(PathPiece { slice: *slice, span: part, class: PathClass::Communication });
            at = part.end;
        }
        if at < piece.span.end {
            explained.push(PathPiece { span: Interval::new(at, piece.span.end), ..piece });
        }
    }
    explained
}
