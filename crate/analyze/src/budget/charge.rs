//! Charges each busy nanosecond of a device to an activity. INSIGHT section 5, A.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use stepscope_base::{Interval, Nanos};
use stepscope_trace::{ActivityId, Class, Layer, Trace};

/// Activities by falling priority: the first that runs pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Charged {
    /// A compute kernel.
    Compute,
    /// A communication kernel.
    Communication,
    /// A copy.
    Memcpy,
    /// A memset.
    Memset,
}

/// The order in which running activities pay: by class, start, stream, place in the trace.
type Rank = (Charged, Nanos, i64, ActivityId);

/// Calls `pay` with each busy span of a device and the activity that it is charged to, by time.
///
/// A compute kernel pays for one span: from the time at which it is the first one to its end.
pub(super) fn charge(trace: &Trace, device: i64, mut pay: impl FnMut(Charged, ActivityId, Interval)) {
    let mut events: Vec<(Nanos, ActivityId)> = Vec::new();
    let tracks = trace.tracks.iter().filter(|track| track.layer == Layer::Device);
    for track in tracks.filter(|track| track.stream.is_some_and(|stream| stream.device == device)) {
        let activities = track.events().filter_map(|id| Some((trace.slices.start(id), trace.activity_number(id)?)));
        events.extend(activities.map(|(start, number)| (start, ActivityId::from_index(number))));
    }
    // A few sorted runs, one per stream: a merge sort finds those.
    events.sort();
    let mut running: BinaryHeap<Reverse<(Rank, Nanos)>> = BinaryHeap::new();
    let mut now = Nanos::MIN;
    let mut until = |time: Nanos, running: &mut BinaryHeap<Reverse<(Rank, Nanos)>>| {
        while now < time {
            let Some(Reverse(((class, _, _, id), end))) = running.peek().copied() else { break };
            if end <= now {
                running.pop();
                continue;
            }
            let paid = Interval::new(now, end.min(time));
            pay(class, id, paid);
            now = paid.end;
        }
        now = now.max(time);
    };
    for (start, id) in events {
        until(start, &mut running);
        let activity = &trace.activities[id.index()];
        let class = match trace.slices.class(activity.event) {
            Class::Kernel if activity.communication => Charged::Communication,
            Class::Kernel => Charged::Compute,
            Class::Memcpy => Charged::Memcpy,
            _ => Charged::Memset,
        };
        let stream = trace.stream_of(activity.event).map_or(i64::MAX, |stream| stream.stream);
        running.push(Reverse(((class, start, stream, id), trace.slices.end(activity.event))));
    }
    until(Nanos::MAX, &mut running);
}
