//! Launching calls that waited for a place in the full queue of their stream.

use crate::linked::Linked;
use stepscope_base::{CompactSort as _, Interval, Nanos, partition_point_near};
use stepscope_trace::{EventId, Trace};

/// Shorter calls need not have waited.
const LONG: Nanos = Nanos(10_000);

/// Longest time from the beginning of the activity that left its place until the call returned.
const RETURNS: Nanos = Nanos(20_000);

/// Fewer waiting launches are no full queue: a host that is not ahead has one or two.
const SHORTEST: usize = 4;

/// Fewer calls that found the queue as long as this do not show a limit.
const OFTEN: usize = 8;

/// So many calls in a row wait where a queue is full: other calls that take long have short ones between them.
const IN_A_ROW: usize = 3;

/// A launching call with the beginning of its activity.
struct Launch {
    call: EventId,
    span: Interval,
    begins: Nanos,
}

impl Launch {
    /// Whether the call returned just after an activity began that had not begun when the call started. `last` is the
    /// latest one that began until it returned.
    fn returns_after(&self, last: Nanos) -> bool {
        self.span.len() >= LONG && last > self.span.start && self.span.end - last <= RETURNS
    }
}

/// The calls that waited for a place, sorted. A queue has a limit where most of the calls that return just after
/// something began leave as many launches waiting, some of them in a row, most other calls leave fewer, and none more.
pub(super) fn waiting_calls(trace: &Trace, linked: &Linked) -> Vec<EventId> {
    let mut of_streams: Vec<Vec<Launch>> = trace.tracks.iter().map(|_| Vec::new()).collect();
    for (call, mut activities) in linked.calls() {
        let Some(first) = activities.next() else { continue };
        let event = trace.activities[first.index()].event;
        let span = trace.slices.interval(call);
        of_streams[trace.slices.track(event).index()].push(Launch { call, span, begins: trace.slices.start(event) });
    }
    let mut found: Vec<EventId> = of_streams.iter_mut().flat_map(|launches| of_stream(launches)).collect();
    found.compact_sort();
    found
}

/// The same for the launches on a stream.
fn of_stream(launches: &mut [Launch]) -> Vec<EventId> {
    if launches.len() < SHORTEST + OFTEN {
        return Vec::new();
    }
    launches.compact_sort_by_key(|launch| launch.span.start);
    let mut begins: Vec<Nanos> = launches.iter().map(|launch| launch.begins).collect();
    begins.compact_sort();
    let mut begun = 0;
    // The number of launches that wait when each call returns, its own among them, and whether it may have waited.
    let left = |(number, launch): (usize, &Launch)| {
        begun = partition_point_near(&begins, begun, |begins| *begins <= launch.span.end);
        let may_have_waited = begun.checked_sub(1).is_some_and(|last| launch.returns_after(begins[last]));
        (number - begun.min(number), may_have_waited)
    };
    let left: Vec<(usize, bool)> = (1..).zip(launches.iter()).map(left).collect();
    let mut lengths: Vec<usize> = left.iter().filter(|(_, waited)| *waited).map(|(length, _)| *length).collect();
    lengths.compact_sort();
    let limit = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    // Events and markers take places, too, and are no launches.
    #[expect(clippy::integer_division, reason = "a width")]
    let width = (limit / 64).max(1);
    let is_full = |length: usize| length.abs_diff(limit) <= width;
    let waited = |(length, waited): &(usize, bool)| *waited && is_full(*length);
    let full = left.iter().filter(|(length, _)| is_full(*length)).count();
    let most = left.iter().map(|(length, _)| *length).max().unwrap_or_default();
    let longest_row = left.split(|one| !waited(one)).map(<[_]>::len).max().unwrap_or_default();
    let calls: Vec<EventId> =
        launches.iter().zip(&left).filter(|(_, left)| waited(left)).map(|(launch, _)| launch.call).collect();
    let is_often = calls.len() >= OFTEN && calls.len() * 4 >= lengths.len() * 3 && calls.len() * 2 > full;
    let is_limit = is_often && most <= limit + width && longest_row >= IN_A_ROW;
    if limit >= SHORTEST && is_limit { calls } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_input::Loader;

    /// Times of a machine in µs: a host that launches on one stream.
    struct Machine {
        now: u64,
        free: u64,
        calls: Vec<(u64, u64)>,
        kernels: Vec<(u64, u64)>,
    }

    impl Machine {
        fn new() -> Self {
            Self { now: 0, free: 0, calls: Vec::new(), kernels: Vec::new() }
        }

        /// A call of a length launches a kernel of a length, after a wait for a place in a queue of `places`.
        fn launch(&mut self, call: u64, kernel: u64, places: usize) {
            let start = self.now;
            if let Some(before) = self.kernels.len().checked_sub(places) {
                self.now = self.now.max(self.kernels[before].0);
            }
            self.now += call;
            self.calls.push((start, self.now - start));
            let begins = self.free.max(self.now + 2);
            self.kernels.push((begins, kernel));
            self.free = begins + kernel + 1;
            self.now += 2;
        }

        fn synchronize(&mut self) {
            self.now = self.now.max(self.free) + 5;
        }

        /// The number of calls that are found to have waited in a trace of what ran from a time on.
        fn waiting_from(&self, from: u64) -> usize {
            let event = |category: &str, on: &str, (start, length): (u64, u64), id: usize| {
                format!(
                    r#",{{"ph":"X","cat":"{category}","name":"a","pid":{on},"ts":{start},"dur":{length},"args":{{"correlation":{id}}}}}"#
                )
            };
            let mut text = String::from(
                r#"{"deviceProperties": [], "traceEvents": [{"ph":"X","cat":"cpu_op","name":"first","pid":1,"tid":1,"ts":0,"dur":1}"#,
            );
            for (id, (call, kernel)) in
                (1..).zip(self.calls.iter().zip(&self.kernels)).filter(|(_, (call, _))| call.0 >= from)
            {
                text.push_str(&event("cuda_runtime", "1,\"tid\":1", *call, id));
                text.push_str(&event("kernel", "0,\"tid\":7", *kernel, id));
            }
            text.push_str("]}");
            let mut loader = Loader::new("queue.json");
            loader.space(text.len()).copy_from_slice(text.as_bytes());
            loader.advance(text.len()).expect("a trace");
            let trace = loader.finish().expect("a trace").trace;
            waiting_calls(&trace, &Linked::of(&trace)).len()
        }

        fn waiting(&self) -> usize {
            self.waiting_from(0)
        }
    }

    /// Numbers that differ, the same each time.
    fn lengths(seed: u64, low: u64, high: u64) -> impl Iterator<Item = u64> {
        let mut state = seed * 2 + 1;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            low + (state >> 33) % (high - low + 1)
        })
    }

    const NONE: usize = usize::MAX;

    #[test]
    fn a_queue_of_any_length_is_found() {
        for (seed, places) in (1..).zip([4, 32, 300, 1_000, 1_024, 4_000]) {
            let mut machine = Machine::new();
            for kernel in lengths(seed, 20, 60).take(3 * places + 40) {
                machine.launch(4, kernel, places);
            }
            let found = machine.waiting();
            // It is full after 1.17 times as many launches as it has places.
            let most = 2 * places + 40;
            assert!(10 * found >= 9 * most && found <= most, "{found} of a queue of {places}");
        }
    }

    /// The profiler sees no launch before its start: the queue is full of them.
    #[test]
    fn a_queue_that_is_full_at_the_start_is_found_once_it_is_full_of_what_is_recorded() {
        let mut machine = Machine::new();
        for kernel in lengths(5, 20, 60).take(4_500) {
            machine.launch(4, kernel, 1_000);
        }
        let start = machine.calls[2_000].0;
        assert!((1_400..=1_500).contains(&machine.waiting_from(start)), "{}", machine.waiting_from(start));
    }

    /// First launches load kernels: these calls take long, and wait for nothing.
    #[test]
    fn first_launches_do_not_hide_a_full_queue_and_are_none() {
        let mut machine = Machine::new();
        for call in lengths(3, 50, 900).take(400) {
            machine.launch(call, 30, 1_000);
        }
        assert_eq!(machine.waiting(), 0, "first launches alone");
        for kernel in lengths(4, 20, 60).take(1_600) {
            machine.launch(4, kernel, 1_000);
        }
        assert!((420..=440).contains(&machine.waiting()), "{}", machine.waiting());
    }

    #[test]
    fn a_host_that_is_ahead_has_no_full_queue() {
        for (call, kernels) in [(4, 40), (12, 40), (15, 16)] {
            let mut machine = Machine::new();
            for kernel in lengths(call, kernels / 2, kernels + kernels / 2).take(3_000) {
                machine.launch(call, kernel, NONE);
            }
            assert_eq!(machine.waiting(), 0, "calls of {call} µs, kernels of about {kernels} µs");
        }
    }

    /// Calls take as long as kernels for another reason, such as a lock that another thread has.
    #[test]
    fn calls_that_are_as_slow_as_kernels_have_no_full_queue() {
        for seed in 0..40 {
            let mut machine = Machine::new();
            let (calls, kernels) = (lengths(seed, 10, 50), lengths(seed + 100, 12, 52));
            machine.launch(4, 40 * (5 + seed % 30), NONE);
            for (call, kernel) in calls.zip(kernels).take(1_500) {
                machine.launch(call, kernel, NONE);
            }
            assert_eq!(machine.waiting(), 0, "{seed}");
        }
    }

    /// One or two calls of each step take long, always at the same place.
    #[test]
    fn a_stall_that_repeats_at_the_same_depth_is_no_full_queue() {
        for (place, stalls, long) in [(20, 1, 30), (39, 1, 30), (38, 2, 30), (39, 1, 200), (10, 1, 15), (38, 2, 15)] {
            let mut machine = Machine::new();
            for _ in 0..30 {
                for launch in 0..40 {
                    let is_long = (place..place + stalls).contains(&launch);
                    machine.launch(if is_long { long } else { 4 }, 20, NONE);
                }
                machine.synchronize();
            }
            assert_eq!(machine.waiting(), 0, "{stalls} calls of {long} µs at {place}");
        }
    }
}
