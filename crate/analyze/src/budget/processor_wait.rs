//! The time that the launching thread waits for a processor while others have it, by the samples of a recorder.

use crate::IntervalSet;
use stepscope_base::Interval;
use stepscope_trace::{Counter, RawId, Trace, TrackId};

/// The recorder's samples of the time that a process's threads wait for a processor and have one, in percent of a core.
/// Those of a single thread have the suffix [`OF_THREAD`].
const WAITING: &str = "CPU time (% of a core): waiting";
const RUNNING: &str = "CPU time (% of a core): running";
const OF_THREAD: &str = ", thread ";

/// Its samples of the number of a process's threads.
const THREADS: &str = "threads";

/// The part of the windows that samples have to cover.
const COVERED: f64 = 0.5;

/// The share of the time in which a thread could run that it waits for a processor, over the windows. None where
/// samples cover too little of them. A recorder samples single threads once they are busy: a thread without samples of
/// its own is known if its process has no other.
pub(super) fn processor_wait(trace: &Trace, thread: TrackId, windows: &IntervalSet) -> Option<f64> {
    let track = &trace.tracks[thread.index()];
    let RawId::Number(id) = track.thread else { return None };
    let of_process: Vec<(String, &Counter)> = trace
        .counters
        .iter()
        .filter(|counter| counter.process == track.process)
        .map(|counter| (crate::resources::full_name(trace, counter), counter))
        .collect();
    let named =
        |is_it: &dyn Fn(&str) -> bool| of_process.iter().find(|(name, _)| is_it(name)).map(|(_, counter)| *counter);
    let own = |kind: &str| {
        let is_own = |name: &str| {
            let thread = name.strip_prefix(kind).and_then(|rest| rest.strip_prefix(OF_THREAD));
            let number = thread.and_then(|thread| thread.strip_suffix(')')?.rsplit_once('('));
            number.is_some_and(|(_, number)| number.parse() == Ok(id))
        };
        named(&is_own)
    };
    let is_alone = || {
        let threads = named(&|name| name == THREADS)?;
        threads.samples.iter().all(|sample| sample.value <= 1.0).then_some(())
    };
    let of_whole = |kind: &str| is_alone().and_then(|()| named(&|name| name == kind));
    let time = |kind: &str| in_windows(own(kind).or_else(|| of_whole(kind))?, windows);
    let (waiting, running) = (time(WAITING)?, time(RUNNING)?);
    (waiting + running > 0.0).then(|| waiting / (waiting + running))
}

/// A counter's integral over the windows; none where samples cover too little of these. A sample lasts until the next
/// one. The last one has no known end and counts for no time.
#[expect(clippy::cast_precision_loss, reason = "a share")]
fn in_windows(counter: &Counter, windows: &IntervalSet) -> Option<f64> {
    let all = windows.len().0 as f64;
    let (mut sum, mut covered) = (0.0, 0.0);
    for pair in counter.samples.windows(2) {
        let span = Interval::new(pair[0].at, pair[1].at);
        let inside = windows.clip(span).len().0 as f64;
        sum += pair[0].value * inside;
        covered += inside;
    }
    (covered > COVERED * all).then_some(sum)
}
