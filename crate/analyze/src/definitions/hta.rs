//! HolisticTraceAnalysis: temporal breakdown, overlap, kernels by type and name; its rounding to
//! microseconds is left out.
//!
//! Device activity is every complete event with a stream other than −1, so that synchronization and host operators that
//! carry a stream count. With more than one `ProfilerStep`, those without a launching call that starts before the last
//! step's end are dropped.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::value::{Definition, DefinitionKernel, DefinitionValues, Value};
use crate::{IntervalSet, Statistics, StepSource, Steps};
use stepscope_base::{CompactSort, Nanos};
use stepscope_trace::{Class, EventId, NO_SERIAL, NameId, Serial, Trace};

pub(super) fn values(trace: &Trace, steps: &Steps) -> DefinitionValues {
    let events = events(trace, steps);
    let kinds = trace.strings.map(kind);
    let kind_of = |id: EventId| kinds[trace.slices.name(id).index()];
    let set = |wanted: Kind| {
        let chosen = events.iter().filter(|id| kind_of(**id) == wanted);
        IntervalSet::of(chosen.map(|id| trace.slices.interval(*id)))
    };
    let all = IntervalSet::of(events.iter().map(|id| trace.slices.interval(*id)));
    let sets = [set(Kind::Computation), set(Kind::Communication), set(Kind::Memory)];
    let [compute, communication, _] = &sets;
    let window = all.hull().unwrap_or_default().len();
    let idle = window - all.len();
    let overlap = communication.intersection(compute).len();
    DefinitionValues {
        definition: Definition::Hta,
        values: vec![
            ("kernel_time_ns", Value::Time(window)),
            ("idle_time_ns", Value::Time(idle)),
            ("compute_time_ns", Value::Time(compute.len())),
            ("non_compute_time_ns", Value::Time(window - compute.len() - idle)),
            ("communication_ns", Value::Time(communication.len())),
            ("overlap_ns", Value::Time(overlap)),
            ("overlap_of_communication", Value::Ratio(overlap.ratio_of(communication.len()))),
        ],
        steps: Vec::new(),
        kernels: kernels(trace, &events, kind_of),
        kernel_types: kernel_types(&sets),
    }
}

fn events(trace: &Trace, steps: &Steps) -> Vec<EventId> {
    let marks = if steps.source == StepSource::Marks { &steps.steps[..] } else { &[] };
    let activities = trace.activities.iter().map(|activity| (activity.event, activity.correlation));
    let others = trace.stream_arguments.iter().filter(|(_, stream)| *stream != -1);
    let others = others.map(|(id, _)| (*id, trace.call(*id).map_or(NO_SERIAL, |call| call.correlation)));
    let all = activities.chain(others);
    if marks.len() < 2 {
        return all.map(|(id, _)| id).collect();
    }
    let last_end = marks.iter().map(|step| step.mark.end).max().unwrap_or(Nanos::MAX);
    let calls = trace.slices_of(Class::RuntimeCall).filter(|id| trace.slices.start(*id) <= last_end);
    let mut launched: Vec<Serial> = calls.filter_map(|id| Some(trace.call(id)?.correlation)).collect();
    launched.compact_sort();
    all.filter(|(_, correlation)| *correlation != NO_SERIAL && launched.binary_search(correlation).is_ok())
        .map(|(id, _)| id)
        .collect()
}

fn kernels(trace: &Trace, events: &[EventId], kind_of: impl Fn(EventId) -> Kind) -> Vec<DefinitionKernel> {
    let mut groups: HashMap<(Kind, NameId), Vec<Nanos>, FxBuildHasher> = HashMap::default();
    for id in events {
        let kind = kind_of(*id);
        if kind != Kind::Other {
            groups.entry((kind, trace.slices.name(*id))).or_default().push(trace.slices.length(*id));
        }
    }
    let mut rows: Vec<DefinitionKernel> = groups
        .into_iter()
        .map(|((kind, name), mut lengths)| DefinitionKernel {
            name,
            kind: kind.name(),
            time: Statistics::of(&mut lengths),
        })
        .collect();
    rows.compact_sort_by(|a, b| {
        a.kind.cmp(b.kind).then_with(|| trace.strings.get(a.name).cmp(trace.strings.get(b.name)))
    });
    rows
}

/// The time of each combination of types, the longest first.
fn kernel_types(sets: &[IntervalSet; 3]) -> Vec<(String, Nanos)> {
    const KINDS: [Kind; 3] = [Kind::Computation, Kind::Communication, Kind::Memory];
    let mut found = Vec::new();
    for combination in 1_usize..8 {
        let inside = |index: &usize| combination & (1 << index) != 0;
        let mut common: Option<IntervalSet> = None;
        for index in (0..3).filter(inside) {
            common = Some(common.map_or_else(|| sets[index].clone(), |set| set.intersection(&sets[index])));
        }
        let outside = (0..3).filter(|index| !inside(index));
        let alone = outside.fold(common.unwrap_or_default(), |set, index| set.difference(&sets[index]));
        if !alone.is_empty() {
            let names: Vec<&str> = (0..3).filter(inside).map(|index| KINDS[index].name()).collect();
            found.push((names.join(" overlapping "), alone.len()));
        }
    }
    found.compact_sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Computation,
    Communication,
    Memory,
    Other,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Computation => "COMPUTATION",
            Self::Communication => "COMMUNICATION",
            Self::Memory => "MEMORY",
            Self::Other => "OTHER",
        }
    }
}

/// `^nccl.*Kernel` communicates, `^Memcpy`, `^Memset` and `^dma` are memory. Other names that contain a copy, a memset
/// or synchronization are other. All else computes.
fn kind(name: &str) -> Kind {
    if name.strip_prefix("nccl").is_some_and(|rest| rest.contains("Kernel")) {
        Kind::Communication
    } else if ["Memcpy", "Memset", "dma"].iter().any(|start| name.starts_with(start)) {
        Kind::Memory
    } else if ["Memcpy", "Memset", "Sync"].iter().any(|part| name.contains(part)) {
        Kind::Other
    } else {
        Kind::Computation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_alone_tells_the_type() {
        let cases = [
            ("ncclDevKernel_AllReduce_Sum_f32", "COMMUNICATION"),
            ("ncclKernel_Broadcast", "COMMUNICATION"),
            ("my_ncclKernel", "COMPUTATION"),
            ("nccl_no_kernel", "COMPUTATION"),
            ("Memcpy HtoD (Pageable -> Device)", "MEMORY"),
            ("Memset (Device)", "MEMORY"),
            ("dma_request", "MEMORY"),
            ("Context Sync", "OTHER"),
            ("async Memcpy", "OTHER"),
            ("gemm", "COMPUTATION"),
        ];
        for (name, expected) in cases {
            assert_eq!(kind(name).name(), expected, "{name}");
        }
    }

    #[test]
    fn each_moment_belongs_to_one_combination() {
        let set = |start, end| IntervalSet::from_interval(stepscope_base::Interval::new(Nanos(start), Nanos(end)));
        let found = kernel_types(&[set(0, 10), set(5, 20), set(8, 9)]);
        let expected = [
            ("COMMUNICATION", 10),
            ("COMPUTATION", 5),
            ("COMPUTATION overlapping COMMUNICATION", 4),
            ("COMPUTATION overlapping COMMUNICATION overlapping MEMORY", 1),
        ];
        assert_eq!(found, expected.map(|(name, time)| (name.to_owned(), Nanos(time))));
    }
}
