//! The amount of waiting work on each stream. METRICS section 5, "queue length of a stream".

use super::IntervalSet;
use super::linked::Linked;
use stepscope_base::{CompactSort, Interval, Nanos, sort_times};
use stepscope_table::{Field, Rows, Unit, Value};
use stepscope_trace::{Stream, Trace};

/// Settings of queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuesConfig {
    /// The length of a full queue: a call blocks until the stream begins something. `None`: the limit is recognized
    /// from the plateau at the queue's maximum, if it has one.
    pub full: Option<u64>,
    /// Most values of a curve; see [`QueueLength::curve`].
    pub samples: usize,
}

impl QueuesConfig {
    /// Limits are recognized; 1000 values.
    #[must_use]
    pub fn standard() -> Self {
        Self { full: None, samples: 1000 }
    }
}

/// Work that calls put on a stream and that has not begun, or not ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// The stream.
    pub stream: Stream,
    /// Number of calls that launched something on it.
    pub calls: u64,
    /// Launched and not begun: from a call's start to its first activity's start.
    pub waiting: QueueLength,
    /// Launched and not ended: from a call's start to its last activity's end.
    pub in_flight: QueueLength,
    /// The length at which the queue is full, the blocked call included; none if it shows no limit.
    pub limit: Option<u64>,
    /// Total time for which the queue was full.
    pub blocked: Nanos,
    /// The times at which it was full: a launching call that starts then waits for the stream.
    pub full: IntervalSet,
}

/// The table of queues.
pub enum QueueTable {}

impl Rows for QueueTable {
    const ID: &'static str = "queues";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("device", Unit::Id, |row, ()| Value::Whole(row.stream.device)),
        Field::<Self>::new("stream", Unit::Id, |row, ()| Value::Whole(row.stream.stream)),
        Field::<Self>::new("calls", Unit::Count, |row, ()| row.calls.into()),
        Field::<Self>::new("limit", Unit::Count, |row, ()| row.limit.into()),
        Field::<Self>::new("blocked_ns", Unit::Duration, |row, ()| row.blocked.into()),
        Field::<Self>::new("waiting.start_ns", Unit::Moment, |row, ()| row.waiting.window.start.into()).data(),
        Field::<Self>::new("waiting.end_ns", Unit::Moment, |row, ()| row.waiting.window.end.into()).data(),
        Field::<Self>::new("waiting.mean", Unit::Decimal, |row, ()| row.waiting.mean.into()),
        Field::<Self>::new("waiting.max", Unit::Count, |row, ()| row.waiting.max.into()),
        Field::<Self>::new("in_flight.start_ns", Unit::Moment, |row, ()| row.in_flight.window.start.into()).data(),
        Field::<Self>::new("in_flight.end_ns", Unit::Moment, |row, ()| row.in_flight.window.end.into()).data(),
        Field::<Self>::new("in_flight.mean", Unit::Decimal, |row, ()| row.in_flight.mean.into()),
        Field::<Self>::new("in_flight.max", Unit::Count, |row, ()| row.in_flight.max.into()),
    ];
    const FIRST: &'static [&'static str] =
        &["stream", "device", "calls", "waiting.mean", "waiting.max", "in_flight.mean", "in_flight.max"];
    const SORT: &'static str = "calls";
    type Row = Queue;
    type Context<'a> = ();
}

/// A queue's length over time.
///
/// An activity that starts before its own call, as where clocks differ, never waits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueueLength {
    /// From the first call's start until the queue is empty for good.
    pub window: Interval,
    /// The greatest length; among changes at the same time, rises come first.
    pub max: u64,
    /// Its mean over the window, weighted by time; `None` if the window is empty.
    pub mean: Option<f64>,
    /// The length from a time on, until the next one's.
    ///
    /// All changes, if they are few. Else the shortest, the longest and the last length in each of equal parts of the
    /// window: a drawing no finer than the parts shows no difference.
    pub curve: Vec<(Nanos, u64)>,
}

/// Every stream's queue, by device and stream.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::QueuesConfig;
///
/// // Two launches at 0 and 10 µs; their kernels run from 20 to 40 and from 40 to 60 µs.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":5,"args":{"correlation":8}},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":10,"dur":5,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":20,"dur":20,"args":{"correlation":8}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":40,"dur":20,"args":{"correlation":9}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let queue = &analyze::queues(&trace, &QueuesConfig::standard())[0];
/// // One for 10 µs, two for 10 µs, one for 20 µs.
/// assert_eq!((queue.calls, queue.waiting.max, queue.waiting.mean), (2, 2, Some(1.25)));
/// let micros = |at: i64| Nanos(at * 1000);
/// assert_eq!(queue.waiting.curve, [(micros(0), 1), (micros(10), 2), (micros(20), 1), (micros(40), 0)]);
/// assert_eq!((queue.in_flight.max, queue.in_flight.window.end), (2, micros(60)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn queues(trace: &Trace, config: &QueuesConfig) -> Vec<Queue> {
    queues_of(trace, &Linked::of(trace), config)
}

/// The times at which calls put work on a stream, and at which the first of it began and the last ended.
#[derive(Default)]
struct Times {
    called: Vec<Nanos>,
    begun: Vec<Nanos>,
    ended: Vec<Nanos>,
}

pub(super) fn queues_of(trace: &Trace, linked: &Linked, config: &QueuesConfig) -> Vec<Queue> {
    // Several tracks may be the same stream.
    let mut streams: Vec<Stream> = trace.tracks.iter().filter_map(|track| track.stream).collect();
    streams.compact_sort();
    streams.dedup();
    let number_of: Vec<Option<usize>> =
        trace.tracks.iter().map(|track| streams.binary_search(&track.stream?).ok()).collect();
    let mut times: Vec<Times> = streams.iter().map(|_| Times::default()).collect();
    let mut on_streams: Vec<(usize, Interval)> = Vec::new();
    for (call, activities) in linked.calls() {
        let called = trace.slices.start(call);
        on_streams.clear();
        on_streams.extend(activities.filter_map(|activity| {
            let event = trace.activities[activity.index()].event;
            Some((number_of[trace.slices.track(event).index()]?, trace.slices.interval(event)))
        }));
        if on_streams.len() > 1 {
            on_streams.compact_sort();
        }
        for of_stream in on_streams.chunk_by(|a, b| a.0 == b.0) {
            let times = &mut times[of_stream[0].0];
            let ended = of_stream.iter().map(|(_, span)| span.end).fold(called, Nanos::max);
            times.called.push(called);
            times.begun.push(of_stream[0].1.start.max(called));
            times.ended.push(ended);
        }
    }
    let used = streams.into_iter().zip(times).filter(|(_, times)| !times.called.is_empty());
    used.map(|(stream, times)| queue(stream, times, config)).collect()
}

fn queue(stream: Stream, mut times: Times, config: &QueuesConfig) -> Queue {
    // Each is sorted but for a few runs, one per thread.
    sort_times(&mut times.called);
    sort_times(&mut times.begun);
    sort_times(&mut times.ended);
    let limit = config.full.or_else(|| plateau(&times.called, &times.begun));
    let (waiting, full) = length(&times.called, &times.begun, limit, config);
    let (in_flight, _) = length(&times.called, &times.ended, None, config);
    Queue { stream, calls: times.called.len() as u64, waiting, in_flight, limit, blocked: full.len(), full }
}

/// The limit of a queue that rises and falls at sorted times: a length just below its maximum that it reaches far more
/// often than the lengths below. A host that is not blocked passes each length about as often.
fn plateau(rises: &[Nanos], falls: &[Nanos]) -> Option<u64> {
    /// Shorter queues have no limit: a stream that is often empty rises to one again and again.
    const SHORTEST: usize = 128;
    /// A plateau is reached at least this often, and this many times as often as the lengths below.
    const OFTEN: u32 = 32;
    const TIMES: f64 = 8.0;
    let mut reached: Vec<u32> = Vec::new();
    let mut fallen = 0;
    for (risen, rise) in (1..).zip(rises) {
        while falls.get(fallen).is_some_and(|fall| fall < rise) {
            fallen += 1;
        }
        let length: usize = risen - fallen;
        if length >= reached.len() {
            reached.resize(length + 1, 0);
        }
        reached[length] += 1;
    }
    let most = reached.len().saturating_sub(1);
    if most < SHORTEST {
        return None;
    }
    // Events and markers occupy places in the queue, too, and are no launches.
    #[expect(clippy::integer_division, reason = "a width")]
    let width = (most / 64).max(1);
    let top = most - width..=most;
    let limit = top.max_by_key(|length| reached[*length])?;
    let below = &reached[most - 9 * width..most - width];
    let usual = f64::from(below.iter().sum::<u32>()) / f64::from(u32::try_from(below.len()).unwrap_or(1).max(1));
    let often = reached[limit];
    (often >= OFTEN && f64::from(often) >= TIMES * usual).then_some(limit as u64)
}

/// The length of a queue with as many falls as rises, at sorted times, and the times at which it was full.
///
/// It never falls below zero, as each fall comes no earlier than its own rise.
#[expect(clippy::cast_precision_loss, reason = "a mean for display")]
fn length(rises: &[Nanos], falls: &[Nanos], limit: Option<u64>, config: &QueuesConfig) -> (QueueLength, IntervalSet) {
    let (Some(first), Some(last)) = (rises.first(), falls.last()) else {
        return (QueueLength::default(), IntervalSet::new());
    };
    let window = Interval::new(*first, *last);
    let mut curve = Curve::new(window, rises.len() + falls.len(), config.samples);
    let (mut max, mut area, mut full) = (0, 0_i128, Vec::new());
    let (mut risen, mut fallen, mut since) = (0, 0, window.start);
    while fallen < falls.len() {
        let at = rises.get(risen).map_or(falls[fallen], |rise| (*rise).min(falls[fallen]));
        let length = (risen - fallen) as u64;
        area += i128::from(length) * i128::from((at - since).0);
        if limit.is_some_and(|limit| length >= limit) {
            full.push(Interval::new(since, at));
        }
        since = at;
        while rises.get(risen) == Some(&at) {
            risen += 1;
        }
        max = max.max((risen - fallen) as u64);
        while falls.get(fallen) == Some(&at) {
            fallen += 1;
        }
        curve.add(at, (risen - fallen) as u64);
    }
    let mean = (!window.is_empty()).then(|| area as f64 / window.len().0 as f64);
    (QueueLength { window, max, mean, curve: curve.finish() }, IntervalSet::of(full))
}

/// Thins a curve while it is computed.
struct Curve {
    window: Interval,
    /// Equal parts of the window; none if every change is kept.
    parts: Option<i128>,
    samples: Vec<(Nanos, u64)>,
    /// The start of the next part.
    next_part: Nanos,
    /// The shortest, longest and last of the part.
    kept: Option<[(Nanos, u64); 3]>,
}

impl Curve {
    fn new(window: Interval, changes: usize, most: usize) -> Self {
        let parts = (changes > most).then(|| (most / 3).max(1) as i128);
        let samples = Vec::with_capacity(changes.min(most));
        Self { window, parts, samples, next_part: Nanos::MIN, kept: None }
    }

    /// Adds the length from a time on; times must rise.
    fn add(&mut self, at: Nanos, length: u64) {
        let Some(parts) = self.parts else {
            self.samples.push((at, length));
            return;
        };
        if at >= self.next_part {
            self.close_part();
            let window = i128::from(self.window.len().0.max(1));
            let part = i128::from((at - self.window.start).0) * parts / window;
            // The last moment of the window belongs to the last part.
            let next = if part >= parts - 1 { i128::MAX } else { ((part + 1) * window + parts - 1) / parts };
            self.next_part = self.window.start + Nanos(i64::try_from(next).unwrap_or(i64::MAX));
        }
        let new = (at, length);
        self.kept = Some(self.kept.map_or([new; 3], |[shortest, longest, _]| {
            [if length < shortest.1 { new } else { shortest }, if length > longest.1 { new } else { longest }, new]
        }));
    }

    fn close_part(&mut self) {
        if let Some(mut kept) = self.kept.take() {
            kept.compact_sort();
            for sample in kept {
                if self.samples.last() != Some(&sample) {
                    self.samples.push(sample);
                }
            }
        }
    }

    fn finish(mut self) -> Vec<(Nanos, u64)> {
        self.close_part();
        self.samples
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::*;

    /// The length at a time, by the definition.
    fn at(launches: &[(i64, i64)], moment: i64) -> u64 {
        launches.iter().filter(|(call, begin)| *call <= moment && moment < *begin).count() as u64
    }

    fn measure(launches: &[(i64, i64)], config: &QueuesConfig) -> (QueueLength, Nanos) {
        let sorted = |of: &dyn Fn(&(i64, i64)) -> i64| {
            let mut times: Vec<Nanos> = launches.iter().map(|launch| Nanos(of(launch))).collect();
            times.sort_unstable();
            times
        };
        let (found, full) = length(&sorted(&|launch| launch.0), &sorted(&|launch| launch.1), config.full, config);
        (found, full.len())
    }

    /// A host that launches every 2 µs work that takes the device 10 µs; its queue has a limit.
    fn launched(calls: usize, limit: usize) -> (Vec<Nanos>, Vec<Nanos>) {
        let (mut called, mut begun): (Vec<Nanos>, Vec<Nanos>) = (Vec::new(), Vec::new());
        for index in 0..calls {
            // A call that finds the queue full comes back when the stream begins something.
            let free = index.checked_sub(limit).map_or(Nanos::ZERO, |before| begun[before]);
            let at = called.last().map_or(Nanos::ZERO, |last| (*last + Nanos(2_000)).max(free));
            called.push(at);
            begun.push(begun.last().map_or(at, |last| (*last + Nanos(10_000)).max(at)));
        }
        (called, begun)
    }

    #[test]
    fn a_limit_is_recognized_from_its_plateau() {
        for limit in [1022, 1023, 1024, 4096] {
            let (called, begun) = launched(3 * limit, limit);
            // The call that waits counts, too.
            assert_eq!(plateau(&called, &begun), Some(limit as u64 + 1), "{limit}");
        }
        // A queue below its limit never blocks.
        let (called, begun) = launched(3_000, 100_000);
        assert_eq!(plateau(&called, &begun), None);
        assert!(begun.len() > 2_400);
        // A queue of two for which the host waits again and again is no limit of the stream.
        let (called, begun) = launched(3_000, 2);
        assert_eq!(plateau(&called, &begun), None);
    }

    fn value(curve: &[(Nanos, u64)], moment: i64) -> u64 {
        curve[..curve.partition_point(|(at, _)| at.0 <= moment)].last().map_or(0, |(_, length)| *length)
    }

    #[test]
    fn rises_come_first() {
        // The second is launched when the first begins: both are in the queue for no time at all.
        let (found, full) = measure(&[(0, 5), (5, 8), (8, 8)], &QueuesConfig { full: Some(1), samples: 10 });
        assert_eq!((found.max, found.mean, full), (2, Some(1.0), Nanos(8)));
        assert_eq!(found.curve, [(Nanos(0), 1), (Nanos(5), 1), (Nanos(8), 0)]);
        let (empty, _) = measure(&[(3, 3)], &QueuesConfig::standard());
        assert_eq!((empty.max, empty.mean, empty.window.is_empty()), (1, None, true));
    }

    proptest! {
        #[test]
        fn lengths_are_those_of_each_moment(
            launches in proptest::collection::vec((0_i64..60, 0_i64..30), 1..40),
            full in 0_u64..6,
        ) {
            let launches: Vec<(i64, i64)> = launches.iter().map(|(call, wait)| (*call, call + wait)).collect();
            let (found, blocked) = measure(&launches, &QueuesConfig { full: Some(full), samples: 1000 });
            let window = found.window.start.0..found.window.end.0;
            let lengths: Vec<u64> = window.clone().map(|moment| at(&launches, moment)).collect();
            let mean = (!lengths.is_empty()).then(|| lengths.iter().sum::<u64>() as f64 / lengths.len() as f64);
            prop_assert_eq!(found.mean, mean);
            prop_assert!(found.max >= lengths.iter().copied().max().unwrap_or(1));
            prop_assert_eq!(blocked.0, lengths.iter().filter(|length| **length >= full).count() as i64);
            for moment in window {
                prop_assert_eq!(value(&found.curve, moment), at(&launches, moment));
            }
        }

        #[test]
        fn a_thinned_curve_keeps_peaks_troughs_and_what_each_part_ends_with(
            launches in proptest::collection::vec((0_i64..400, 0_i64..60), 30..120),
        ) {
            let launches: Vec<(i64, i64)> = launches.iter().map(|(call, wait)| (*call, call + wait)).collect();
            const PARTS: i64 = 4;
            let config = QueuesConfig { full: None, samples: 3 * PARTS as usize };
            let (whole, _) = measure(&launches, &QueuesConfig { samples: 1000, ..config });
            let (thin, _) = measure(&launches, &config);
            prop_assert!(thin.curve.len() <= config.samples, "{:?}", thin.curve);
            prop_assert!(thin.curve.is_sorted_by_key(|(at, _)| *at));
            let (start, length) = (whole.window.start.0, whole.window.len().0);
            let part = |at: Nanos| ((at.0 - start) * PARTS / length).min(PARTS - 1);
            for number in 0..PARTS {
                let of = |curve: &[(Nanos, u64)]| {
                    let here: Vec<u64> =
                        curve.iter().filter(|(at, _)| part(*at) == number).map(|(_, length)| *length).collect();
                    (here.iter().copied().min(), here.iter().copied().max(), here.last().copied())
                };
                prop_assert_eq!(of(&thin.curve), of(&whole.curve), "part {}", number);
            }
            for (at, length) in &thin.curve {
                prop_assert_eq!(value(&whole.curve, at.0), *length);
            }
        }
    }
}
