//! The tasks of a collective: an Ascend shows on its planes when each copies, reduces or waits for another device.
//! METRICS section 8.
//!
//! MindSpore's guide splits an operator of communication so: long copies are a slow link, long waits a slow rank, a
//! long reduction is the reduction's own.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::intervals::IntervalSet;
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_trace::{EventId, Layer, Stream, Trace};

/// The times of a collective's tasks. Planes work side by side: a moment belongs to the first of these kinds that any
/// of them runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollectiveTasks {
    /// A task reduces; one that also copies (`Reduce_Inline`) counts here.
    pub reduce: Nanos,
    /// Else a task copies or sends.
    pub transfer: Nanos,
    /// Else a task waits for a notification of another device.
    pub wait: Nanos,
}

/// The kind of a task, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TaskKind {
    Reduce,
    Transfer,
    Wait,
    /// A signal to another device, or the order of streams.
    Other,
}

impl TaskKind {
    fn of_name(name: &str) -> Self {
        let name = name.to_ascii_uppercase();
        let has = |part: &str| name.contains(part);
        if has("REDUCE") {
            Self::Reduce
        } else if has("NOTIFY") {
            if has("WAIT") { Self::Wait } else { Self::Other }
        } else if ["MEMCPY", "SDMA", "RDMA", "PCIE", "SEND", "WRITE", "READ"].iter().any(|part| has(part)) {
            Self::Transfer
        } else {
            Self::Other
        }
    }
}

/// The tasks of collectives, in their order; empty if no plane shows any. None for a collective without tasks, or
/// during which its device runs another one: the trace does not show to which of them a task belongs.
pub(super) fn tasks_of(trace: &Trace, collectives: &[EventId]) -> Vec<Option<CollectiveTasks>> {
    let by_device = tasks_by_device(trace);
    if by_device.is_empty() {
        return Vec::new();
    }
    let device = |id: EventId| trace.stream_of(id).map(|on: Stream| on.device);
    let spans: Vec<(Option<i64>, Interval)> =
        collectives.iter().map(|id| (device(*id), trace.slices.interval(*id))).collect();
    // They come by start: one that still runs is among those before, however many.
    let mut ends: HashMap<Option<i64>, Nanos, FxBuildHasher> = HashMap::default();
    let alone_before: Vec<bool> = spans
        .iter()
        .map(|(on, span)| {
            let last = ends.entry(*on).or_insert(Nanos::MIN);
            let is_alone = *last <= span.start;
            *last = span.end.max(*last);
            is_alone
        })
        .collect();
    let is_alone = |index: usize| {
        let (on, span) = spans[index];
        let after = spans[index + 1..].iter().find(|(other, _)| *other == on);
        alone_before[index] && after.is_none_or(|(_, of)| of.start >= span.end)
    };
    let found = |index: usize| {
        let (on, span) = spans[index];
        let tasks = by_device.get(&on?).filter(|_| is_alone(index))?;
        let from = tasks.partition_point(|(_, part)| part.start < span.start);
        let inside = tasks[from..].iter().take_while(|(_, part)| part.start < span.end);
        let inside: Vec<(TaskKind, Interval)> = inside.filter(|(_, part)| part.end <= span.end).copied().collect();
        let of = |kind: TaskKind| IntervalSet::of(inside.iter().filter(|(one, _)| *one == kind).map(|(_, part)| *part));
        let (reduce, transfer, wait) = (of(TaskKind::Reduce), of(TaskKind::Transfer), of(TaskKind::Wait));
        let active = reduce.union(&transfer);
        let is_known = !inside.iter().all(|(kind, _)| *kind == TaskKind::Other);
        is_known.then(|| CollectiveTasks {
            reduce: reduce.len(),
            transfer: transfer.difference(&reduce).len(),
            wait: wait.difference(&active).len(),
        })
    };
    (0..collectives.len()).map(found).collect()
}

/// The tasks on each device's planes, by start.
fn tasks_by_device(trace: &Trace) -> HashMap<i64, Vec<(TaskKind, Interval)>, FxBuildHasher> {
    let mut found: HashMap<i64, Vec<(TaskKind, Interval)>, FxBuildHasher> = HashMap::default();
    let Some(part) = trace.category_named("collective_part") else { return found };
    let by_name = trace.strings.map(TaskKind::of_name);
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::DeviceAnnotation) {
        let Some(Stream { device, .. }) = track.stream else { continue };
        for id in track.events().filter(|id| trace.slices.category(*id) == part) {
            found.entry(device).or_default().push((by_name[trace.slices.name(id).index()], trace.slices.interval(id)));
        }
    }
    for parts in found.values_mut() {
        parts.compact_sort_by_key(|(_, part)| (part.start, part.end));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_input::Loader;

    /// All-reduces with their starts and ends in µs, as msprof exports them, with tasks on two planes.
    fn trace(tasks: &[(&str, u32, u32, u32)], all_reduces: &[(u32, u32)]) -> Trace {
        let row = |name: &str, thread: u32, start: u32, end: u32| {
            let length = end - start;
            format!(
                r#"{{"name":"{name}","pid":4,"tid":{thread},"ts":{start},"dur":{length},"args":{{"stream id":{thread}}},"ph":"X"}}"#
            )
        };
        let named = |thread: u32, name: &str| {
            format!(r#"{{"name":"thread_name","pid":4,"tid":{thread},"args":{{"name":"{name}"}},"ph":"M"}}"#)
        };
        let mut events = vec![
            r#"{"name":"process_name","pid":3,"tid":0,"args":{"name":"Ascend Hardware"},"ph":"M"}"#.to_owned(),
            r#"{"name":"process_name","pid":4,"tid":0,"args":{"name":"HCCL"},"ph":"M"}"#.to_owned(),
            named(0, "Communication Kernel"),
            named(1, "Plane 0"),
            named(2, "Plane 1"),
        ];
        let all_reduces = all_reduces.iter().zip(0..);
        events.extend(
            all_reduces.map(|((from, to), at)| row(&format!("hcom_allReduce__1_{at}"), 0, 1_000 + from, 1_000 + to)),
        );
        events.extend(tasks.iter().map(|(name, plane, from, to)| row(name, *plane, 1_000 + from, 1_000 + to)));
        let text = format!("[{}]", events.join(","));
        let mut loader = Loader::new("job/profiler/PROF_1/device_0/timeline/msprof_0_2_1.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        loader.finish().expect("a trace").trace
    }

    fn found(tasks: &[(&str, u32, u32, u32)], second: u32) -> Vec<Option<[i64; 3]>> {
        found_in(tasks, &[(0, 100), (second, 100 + second)])
    }

    fn found_in(tasks: &[(&str, u32, u32, u32)], all_reduces: &[(u32, u32)]) -> Vec<Option<[i64; 3]>> {
        let trace = trace(tasks, all_reduces);
        let mut collectives: Vec<EventId> =
            trace.activities.iter().filter(|one| one.communication).map(|one| one.event).collect();
        collectives.compact_sort_by_key(|id| trace.slices.start(*id));
        assert_eq!(collectives.len(), all_reduces.len());
        let micros = |tasks: CollectiveTasks| [tasks.reduce, tasks.transfer, tasks.wait].map(|time| time.0 / 1_000);
        tasks_of(&trace, &collectives).into_iter().map(|tasks| tasks.map(micros)).collect()
    }

    #[test]
    fn a_moment_is_of_what_reduces_then_copies_then_waits() {
        let tasks = [
            ("Notify_Wait", 1, 0, 40),
            ("Memcpy", 1, 40, 60),
            ("Reduce_Inline", 1, 60, 90),
            ("Notify_Record", 1, 90, 95),
            ("Notify_Wait", 2, 0, 50),
            ("RDMASend", 2, 50, 80),
        ];
        // Plane 1 waits until 50 beside the copy of plane 0; both planes are done at 95.
        assert_eq!(found(&tasks, 200), [Some([30, 20, 40]), None]);
        let second = [("Memcpy", 1, 210, 250), ("Reduce_TBE", 2, 240, 260)];
        assert_eq!(found(&[&tasks[..], &second].concat(), 200), [Some([30, 20, 40]), Some([20, 30, 0])]);
        // Two at once: the trace does not show to which of them a task belongs.
        assert_eq!(found(&tasks, 50), [None, None]);
        // Nothing but signals, or nothing at all.
        assert_eq!(found(&[("Notify_Record", 1, 0, 5)], 200), [None, None]);
        assert_eq!(found(&[], 200), Vec::<Option<[i64; 3]>>::new());
    }

    #[test]
    fn of_many_collectives_inside_a_long_one_none_has_tasks() {
        let inside = (0..30).map(|at| (100 * at + 10, 100 * at + 60));
        let all: Vec<(u32, u32)> = std::iter::once((0, 4_000)).chain(inside.clone()).chain([(5_000, 5_100)]).collect();
        let tasks: Vec<(&str, u32, u32, u32)> =
            inside.chain([(5_000, 5_060)]).map(|(from, _)| ("Memcpy", 1, from + 5, from + 25)).collect();
        let found = found_in(&tasks, &all);
        assert_eq!(found.last(), Some(&Some([0, 20, 0])));
        assert!(found[..31].iter().all(Option::is_none), "{found:?}");
    }
}
