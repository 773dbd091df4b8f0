//! A rank's own time: all time but communication without computing.
//!
//! A rank waits for others in communication. So this clock stops while it waits, and between two moments it advances by
//! the time that the rank itself needs.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::intervals::IntervalSet;
use crate::time_categories::HostCategories;
use stepscope_base::{CompactSort as _, Interval, Nanos, sort_times};
use stepscope_trace::{Activity, Class, EventId, Trace, Track, TrackId};

/// The clock of a rank's own work.
#[derive(Debug)]
pub(super) struct Progress<'a> {
    waits: &'a [Interval],
    /// Per wait, the length of those before it.
    before: Vec<Nanos>,
}

impl<'a> Progress<'a> {
    /// The clock that stops during some waits.
    pub(super) fn of(waits: &'a IntervalSet) -> Self {
        let waits = waits.intervals();
        let mut sum = Nanos::ZERO;
        let mut add = |wait: &Interval| {
            let before = sum;
            sum += wait.len();
            before
        };
        let before = waits.iter().map(&mut add).collect();
        Self { waits, before }
    }

    /// Its value at a moment.
    pub(super) fn at(&self, moment: Nanos) -> Nanos {
        let after = self.waits.partition_point(|wait| wait.start < moment);
        let Some(last) = after.checked_sub(1) else { return moment };
        let wait = self.waits[last];
        moment - self.before[last] - (wait.end.min(moment) - wait.start)
    }
}

/// Times at which collectives could begin: they wait for the work launched on the device before them. Then they may
/// have to wait for other collectives of their stream, which other ranks cause.
pub(super) struct Ready {
    /// By the start of calls: the end of the device's work launched by then.
    until: Vec<(Nanos, Nanos)>,
    /// Collectives by their stream and start, with the latest end of those of the stream that began no later.
    streams: Vec<(TrackId, Nanos, Nanos)>,
    /// By transfer of the host's own threads: the time of its request. They have to wait for one another, too.
    asked: HashMap<EventId, Nanos, FxBuildHasher>,
}

impl Ready {
    /// For these collectives, by start.
    pub(super) fn of(trace: &Trace, collectives: &[EventId]) -> Self {
        let (communicating, others): (Vec<&Activity>, Vec<&Activity>) =
            trace.activities.iter().partition(|activity| activity.communication);
        let launched =
            |activity: &&Activity| Some((trace.slices.start(activity.call.get()?), trace.slices.end(activity.event)));
        let mut until: Vec<(Nanos, Nanos)> = others.iter().filter_map(launched).collect();
        until.compact_sort();
        let mut last = Nanos::MIN;
        for (_, end) in &mut until {
            last = last.max(*end);
            *end = last;
        }
        let of_stream = |activity: &&Activity| {
            let Interval { start, end } = trace.slices.interval(activity.event);
            (trace.slices.track(activity.event), start, end)
        };
        let mut streams: Vec<(TrackId, Nanos, Nanos)> = communicating.iter().map(of_stream).collect();
        streams.compact_sort();
        for of_stream in streams.chunk_by_mut(|a, b| a.0 == b.0) {
            let mut last = Nanos::MIN;
            for (_, _, end) in of_stream {
                last = last.max(*end);
                *end = last;
            }
        }
        Self { until, streams, asked: asked(trace, collectives) }
    }

    /// The moment for a slice. It is its start if its call is unknown or launches a graph, or if no other collective of
    /// its stream was in its way: it may have waited for one of another stream that was launched before it, as
    /// computing does.
    pub(super) fn at(&self, trace: &Trace, id: EventId) -> Nanos {
        let start = trace.slices.start(id);
        if let Some(asked) = self.asked.get(&id) {
            return *asked;
        }
        let activity = trace.activity(id).filter(|activity| activity.graph == 0);
        let Some(call) = activity.and_then(|activity| activity.call.get()) else { return start };
        let call = trace.slices.start(call);
        let before = self.until.partition_point(|(launched, _)| *launched < call);
        let done = before.checked_sub(1).map_or(call, |before| self.until[before].1);
        let ready = done.max(call).min(start);
        if self.stream_is_free(trace.slices.track(id), start, ready) { start } else { ready }
    }

    /// Whether the collectives that a stream began before one had ended at a moment.
    fn stream_is_free(&self, stream: TrackId, start: Nanos, at: Nanos) -> bool {
        let before = self.streams.partition_point(|(other, began, _)| (*other, *began) < (stream, start));
        let last = before.checked_sub(1).map(|before| self.streams[before]);
        last.is_none_or(|(other, _, end)| other != stream || end <= at)
    }
}

/// Times at which operators of `PyTorch` requested the transfers of the host's threads: they are linked by their order
/// alone. Empty if that cannot be right.
fn asked(trace: &Trace, collectives: &[EventId]) -> HashMap<EventId, Nanos, FxBuildHasher> {
    let asks = |id: &EventId| {
        let names = |id: EventId| trace.slices.class(id) == Class::Operator && trace.name_of(id).starts_with("c10d::");
        names(*id) && !trace.slices.ancestors(*id).any(names)
    };
    let by_host: Vec<EventId> = collectives.iter().copied().filter(|id| trace.activity(*id).is_none()).collect();
    if by_host.is_empty() {
        return HashMap::default();
    }
    let tracks = trace.tracks.iter().filter(|track| HostCategories::counts(track));
    let mut operators: Vec<Nanos> =
        tracks.flat_map(Track::events).filter(asks).map(|id| trace.slices.start(id)).collect();
    sort_times(&mut operators);
    let pairs = || by_host.iter().copied().zip(operators.iter().copied());
    if by_host.len() != operators.len() || pairs().any(|(id, asked)| trace.slices.start(id) < asked) {
        return HashMap::default();
    }
    pairs().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn it_counts_the_moments_that_are_no_waits(
            spans in proptest::collection::vec((0_i64..60, 0_i64..20), 0..20),
            moment in 0_i64..100,
        ) {
            let waits = IntervalSet::of(spans.iter().map(|(at, length)| Interval::new(Nanos(*at), Nanos(at + length))));
            let own = (0..moment).filter(|at| !waits.has(Nanos(*at))).count();
            proptest::prop_assert_eq!(Progress::of(&waits).at(Nanos(moment)), Nanos(own as i64));
        }
    }
}
