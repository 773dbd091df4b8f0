//! Work of other threads while a path's thread shows none.
//!
//! In a trace without device activity, no call shows for whom its thread waits. While a path's thread shows neither an
//! operator nor a call, the path follows the operators that threads of its process run then. This is inferred by
//! elimination, and reported as such.

use super::{PathClass, PathPiece};
use crate::data_wait::DataWaits;
use crate::innermost::Innermost;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, EventId, Layer, Trace, Track, TrackId};

/// The outermost slices of a class on a thread, by time.
#[derive(Clone, Debug)]
struct Work {
    class: PathClass,
    spans: Vec<(Interval, EventId)>,
}

/// A slice that runs at a time, and its rank among others: the least one is followed.
#[derive(Clone, Copy, Debug)]
struct Running {
    /// Whether it is a wait for data, whether it continues after the wait of the path's thread, and when it begins.
    rank: (bool, bool, Nanos),
    class: PathClass,
    slice: EventId,
}

/// The operators and waits for data of a process's threads.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherThreads(Vec<Work>);

impl OtherThreads {
    /// Those of a track's process. None where devices run work: there, threads that launch it hand over to each other.
    pub(super) fn of(trace: &Trace, main: TrackId) -> Self {
        let Some(main) = trace.tracks.get(main.index()).filter(|_| trace.activities.is_empty()) else {
            return Self::default();
        };
        let waits = DataWaits::of(trace);
        let mut found = Vec::new();
        for track in trace.tracks.iter().filter(|track| (track.process, track.layer) == (main.process, Layer::Host)) {
            let spans = outermost(trace, track, |id| waits.has(trace, id));
            found.push(Work { class: PathClass::DataLoading, spans });
            if !prepares_data(trace, track) {
                let computes = |id| trace.slices.class(id) == Class::Operator && !waits.has(trace, id);
                found.push(Work { class: PathClass::HostOperator, spans: outermost(trace, track, computes) });
            }
        }
        found.retain(|work| !work.spans.is_empty());
        Self(found)
    }

    /// Leads a path through other threads where nothing else explains its time. Returns the time for which it does.
    pub(super) fn explain(&self, trace: &Trace, innermost: &mut Innermost<'_>, pieces: &mut Vec<PathPiece>) -> Nanos {
        let mut inferred = Nanos::ZERO;
        if self.0.is_empty() {
            return inferred;
        }
        // The last first.
        let mut explained = Vec::with_capacity(pieces.len());
        for piece in pieces.drain(..).rev() {
            if piece.class != PathClass::Other {
                explained.push(piece);
                continue;
            }
            let mut until = piece.span.end;
            while until > piece.span.start {
                let (from, running) = self.back_from(until, piece.span);
                let span = Interval::new(from, until);
                match running {
                    None => explained.push(PathPiece { span, ..piece }),
                    Some(Running { class: PathClass::HostOperator, slice, .. }) => {
                        let first = explained.len();
                        innermost.each(trace.slices.track(slice), span, |slice, span| {
                            explained.push(PathPiece { slice, span, class: PathClass::on_host(trace, slice) });
                        });
                        explained[first..].reverse();
                        inferred += span.len();
                    }
                    Some(Running { class, slice, .. }) => {
                        explained.push(PathPiece { slice, span, class });
                        inferred += span.len();
                    }
                }
                until = from;
            }
        }
        explained.reverse();
        *pieces = explained;
        inferred
    }

    /// The slice that a path follows back from a time inside a wait, and since when; the end of the last slice before
    /// that time if none runs.
    ///
    /// Of operators that run at once, the one that began first: it took the longest. An operator that continues after
    /// the wait was not waited for, so others come first.
    fn back_from(&self, until: Nanos, wait: Interval) -> (Nanos, Option<Running>) {
        let mut running: Option<Running> = None;
        let (mut computed, mut ended) = (wait.start, wait.start);
        for work in &self.0 {
            let after = work.spans.partition_point(|(span, _)| span.start < until);
            let Some((span, slice)) = after.checked_sub(1).map(|last| work.spans[last]) else { continue };
            let loads = work.class == PathClass::DataLoading;
            if span.end < until {
                ended = ended.max(span.end);
                computed = computed.max(if loads { wait.start } else { span.end });
                continue;
            }
            let rank = (loads, span.end > wait.end, span.start);
            if running.is_none_or(|known| rank < known.rank) {
                running = Some(Running { rank, class: work.class, slice });
            }
        }
        let from = running.map_or(ended, |found| match found.rank {
            (false, false, start) => start.max(wait.start),
            (_, _, start) => start.max(computed),
        });
        (from, running)
    }
}

/// The outermost of the slices of a track that a condition takes.
fn outermost(trace: &Trace, track: &Track, takes: impl Fn(EventId) -> bool) -> Vec<(Interval, EventId)> {
    let mut until = Nanos::MIN;
    let mut spans = Vec::new();
    for id in track.events() {
        let span = trace.slices.interval(id);
        if span.start >= until && !span.is_empty() && takes(id) {
            until = span.end;
            spans.push((span, id));
        }
    }
    spans
}

/// Whether a thread prepares later batches, by the name that its framework gives it: TensorFlow's `tf_data_…`, PyTorch's
/// `pt_data_…`.
fn prepares_data(trace: &Trace, track: &Track) -> bool {
    let name = trace.strings.get(track.name);
    name.starts_with("tf_data_") || name.starts_with("pt_data_")
}
