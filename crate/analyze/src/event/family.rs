//! The slices inside an event, and the Python functions around it.

use crate::intervals::newly_covered;
use stepscope_base::Nanos;
use stepscope_trace::{EventId, Layer, Trace, Track};

/// The number of slices directly inside one, the first of them, and its length without theirs.
pub(super) fn children(trace: &Trace, event: EventId, listed: usize) -> (u64, Vec<EventId>, Nanos) {
    let slices = &trace.slices;
    let rows = trace.tracks[slices.track(event).index()].rows();
    let end = slices.end(event);
    let (mut count, mut first, mut own, mut covered) = (0, Vec::new(), slices.length(event), slices.start(event));
    let inside = (event.index() + 1..rows.end).map(EventId::from_index).take_while(|id| slices.start(*id) < end);
    for child in inside.filter(|id| slices.parent(*id) == Some(event)) {
        count += 1;
        if first.len() < listed {
            first.push(child);
        }
        own -= newly_covered(&mut covered, slices.interval(child));
    }
    (count, first, own)
}

/// The Python functions that are open on a track's thread at a time, the innermost first.
pub(super) fn frames_at(trace: &Trace, track: &Track, at: Nanos) -> Vec<EventId> {
    open_at(trace, track, Layer::Python, at).collect()
}

/// The slices of another layer of a track's thread that are open at a time, the innermost first.
pub(super) fn open_at<'a>(
    trace: &'a Trace,
    track: &Track,
    layer: Layer,
    at: Nanos,
) -> impl Iterator<Item = EventId> + 'a {
    let thread = (track.process, track.thread);
    let same = move |other: &&Track| other.layer == layer && (other.process, other.thread) == thread;
    let last = trace.tracks.iter().find(same).and_then(|found| {
        let rows = found.rows();
        let started = trace.slices.first_at(rows.clone(), at + Nanos(1));
        (started > rows.start).then(|| EventId::from_index(started - 1))
    });
    let around = last.into_iter().flat_map(|last| std::iter::once(last).chain(trace.slices.ancestors(last)));
    around.filter(move |id| trace.slices.end(*id) > at)
}
