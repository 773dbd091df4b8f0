//! Calls of the runtime by their correlation, and the queue in which an activity waited.

use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::{Activity, Class, EventId, NO_SERIAL, Serial, Stream, Trace};

/// The wait of an activity in its stream's queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuePlace {
    /// From the end of the call that launched it to its start; zero if it started before.
    pub delay: Nanos,
    /// Number of earlier calls for the same stream of which no activity had begun when its own call began.
    pub ahead: u64,
}

/// The wait of an activity; none if its call or its stream is unknown.
///
/// A stream runs its work in launch order. So activities that begin on it between this one's call and its start were
/// launched before. Those whose call is not an earlier one are not counted.
pub(super) fn queue_place(trace: &Trace, activity: &Activity) -> Option<QueuePlace> {
    let slices = &trace.slices;
    let call = activity.call.get()?;
    let (called, begins) = (slices.start(call), slices.start(activity.event));
    let stream = trace.stream_of(activity.event)?;
    let mut first: Vec<(EventId, Nanos)> = Vec::new();
    // Several tracks may be the same stream.
    for track in trace.tracks.iter().filter(|track| track.stream == Some(stream)) {
        let rows = track.rows();
        let ids = (slices.first_at(rows.clone(), called)..rows.end).map(EventId::from_index);
        for id in ids.take_while(|id| slices.start(*id) <= begins).filter(|id| *id != activity.event) {
            let other = trace.activity(id).and_then(|other| other.call.get());
            let earlier = |other: &EventId| *other != call && slices.start(*other) < called;
            if let Some(other) = other.filter(earlier) {
                first.push((other, slices.start(id)));
            }
        }
    }
    first.compact_sort();
    first.dedup_by_key(|(other, _)| *other);
    // A call is no longer waiting if an activity of it had begun.
    let waits = |(other, _): &&(EventId, Nanos)| !begun_before(trace, *other, stream, called);
    let ahead = first.iter().filter(waits).count() as u64;
    Some(QueuePlace { delay: (begins - slices.end(call)).max(Nanos::ZERO), ahead })
}

/// Whether the last activity that began on a stream before a time belongs to a call, which then is no longer waiting.
fn begun_before(trace: &Trace, call: EventId, stream: Stream, at: Nanos) -> bool {
    let tracks = trace.tracks.iter().filter(|track| track.stream == Some(stream));
    tracks.into_iter().any(|track| {
        let rows = track.rows();
        let before = trace.slices.first_at(rows.clone(), at);
        (rows.start..before)
            .rev()
            .map(EventId::from_index)
            .find_map(|id| trace.activity(id))
            .is_some_and(|last| last.call == call)
    })
}

/// The runtime or driver calls with these correlations, in their order; `NONE` where there is none.
///
/// Among several calls with one correlation, the innermost: the one that starts last.
pub(super) fn calls_of<const N: usize>(trace: &Trace, correlations: [Serial; N]) -> [EventId; N] {
    let mut found = [EventId::NONE; N];
    if correlations.iter().all(|correlation| *correlation == NO_SERIAL) {
        return found;
    }
    for id in trace.slices_of(Class::RuntimeCall) {
        let Some(call) = trace.call(id).filter(|call| call.correlation != NO_SERIAL) else { continue };
        for (found, wanted) in found.iter_mut().zip(correlations) {
            let is_later = |known: EventId| trace.slices.start(id) >= trace.slices.start(known);
            if call.correlation == wanted && found.get().is_none_or(is_later) {
                *found = id;
            }
        }
    }
    found
}
