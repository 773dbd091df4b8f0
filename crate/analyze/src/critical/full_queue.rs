//! Launching calls that waited for a place in the full queue of their stream.

use crate::linked::Linked;
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{EventId, Trace};

/// Shorter calls need not have waited.
const LONG: Nanos = Nanos(10_000);

/// Longest time from the beginning of the activity that left its place until the call returned.
const RETURNS: Nanos = Nanos(20_000);

/// Fewer waiting launches are no full queue: a host that is not ahead has one or two.
const SHORTEST: usize = 4;

/// Fewer calls that found the queue as long as this do not show a limit.
const OFTEN: usize = 8;

/// A launching call with the beginning of its activity.
struct Launch {
    call: EventId,
    span: Interval,
    begins: Nanos,
}

/// The calls that waited for a place, sorted. A queue has a limit where most of its long calls returned just after
/// something began, and left as many launches waiting each time.
pub(super) fn waiting_calls(trace: &Trace, linked: &Linked) -> Vec<EventId> {
    let mut of_streams: Vec<Vec<Launch>> = trace.tracks.iter().map(|_| Vec::new()).collect();
    for (call, mut activities) in linked.calls() {
        let Some(first) = activities.next() else { continue };
        let event = trace.activities[first.index()].event;
        let span = trace.slices.interval(call);
        of_streams[trace.slices.track(event).index()].push(Launch { call, span, begins: trace.slices.start(event) });
    }
    let mut found = Vec::new();
    for launches in of_streams.iter_mut().filter(|launches| launches.len() > OFTEN) {
        launches.compact_sort_by_key(|launch| launch.span.start);
        let mut begins: Vec<Nanos> = launches.iter().map(|launch| launch.begins).collect();
        begins.compact_sort();
        // Each long call, with the number of launches that wait when it returns, its own among them.
        let mut long: Vec<(usize, EventId)> = Vec::new();
        for (number, launch) in (1..).zip(launches.iter()).filter(|(_, launch)| launch.span.len() >= LONG) {
            let begun = begins.partition_point(|begins| *begins <= launch.span.end);
            let waited = begun
                .checked_sub(1)
                .is_some_and(|last| begins[last] > launch.span.start && launch.span.end - begins[last] <= RETURNS);
            long.push((if waited { number - begun.min(number) } else { 0 }, launch.call));
        }
        long.compact_sort();
        let limit = long.get(long.len() / 2).map_or(0, |(length, _)| *length);
        // Events and markers take places, too, and are no launches.
        #[expect(clippy::integer_division, reason = "a width")]
        let width = (limit / 64).max(1);
        let full = long.iter().filter(|(length, _)| length.abs_diff(limit) <= width);
        let calls: Vec<EventId> = full.map(|(_, call)| *call).collect();
        if limit >= SHORTEST && calls.len() >= OFTEN && calls.len() * 4 >= long.len() * 3 {
            found.extend(calls);
        }
    }
    found.compact_sort();
    found
}
