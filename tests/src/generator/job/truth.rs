//! The true answers about a job: counted on its run, moment by moment, not on the traces.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::{Done, Run, carried};
use super::program::{Group, Operation, Phase, data_group, expert_group, host_of, place, ranks, tensor_group};
use super::{JobSpec, Library};

/// The true answers about a job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobTruth {
    /// Rank by rank.
    pub ranks: Vec<RankTruth>,
    /// By operation and group.
    pub collectives: Vec<CollectiveTruth>,
    /// By sender and receiver.
    pub links: Vec<LinkTruth>,
}

/// A rank's times over all steps together, in ns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankTruth {
    /// Its host; empty if the traces do not name it.
    pub host: String,
    /// Its steps' lengths.
    pub step: i64,
    /// Computing.
    pub compute: i64,
    /// Communicating.
    pub communication: i64,
    /// Communicating without computing.
    pub communication_alone: i64,
    /// Receiving without computing.
    pub receive_alone: i64,
    /// Copying, and nothing else.
    pub copy: i64,
    /// Nothing of that.
    pub idle: i64,
    /// From the end of the step before to the first forward kernel, to the end of the last backward one, to the step's
    /// end; over all steps but the first.
    pub step_trace: [i64; 3],
    /// Floating-point operations.
    pub flops: u64,
    /// The most bytes allocated.
    pub memory_peak: i64,
}

/// The operations of a kind in a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollectiveTruth {
    /// Its name in METRICS.
    pub kind: &'static str,
    /// The group's ranks.
    pub ranks: Vec<u64>,
    /// Number of operations.
    pub count: u64,
    /// Their bytes.
    pub bytes: i64,
    /// The bytes that each link carries for them.
    pub carried: i64,
    /// Their total duration from the last rank's arrival on.
    pub transfer: i64,
    /// The same of all parts.
    pub transfer_of_parts: i64,
    /// Total time in which ranks wait for each other.
    pub wait: i64,
    /// Total time from the first to the last rank's beginning.
    pub skew: i64,
    /// The longest such time.
    pub max_skew: i64,
}

/// Messages from one rank to another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkTruth {
    /// The sender.
    pub from: u64,
    /// The receiver.
    pub to: u64,
    /// Whether the two are on different hosts; `None` if the traces name no hosts.
    pub across_hosts: Option<bool>,
    /// Number of messages.
    pub count: u64,
    /// Their bytes.
    pub bytes: i64,
    /// Their total duration from the second rank's arrival on.
    pub transfer: i64,
    /// Total time in which the two wait for each other.
    pub wait: i64,
}

impl JobTruth {
    pub(super) fn of(spec: &JobSpec, run: &Run) -> Self {
        let ranks = (0..spec.ranks()).zip(&run.done).map(|(rank, done)| rank_truth(spec, rank, done)).collect();
        let mut collectives: BTreeMap<(Operation, Vec<u64>), CollectiveTruth> = BTreeMap::new();
        let mut links = Vec::new();
        for (group, operations) in &run.groups {
            let mut link = None;
            if let Group::Link(from, to) = *group {
                let across_hosts = spec.host.map(|_| host_of(spec, from) != host_of(spec, to));
                link = Some(LinkTruth { from, to, across_hosts, ..LinkTruth::default() });
            }
            let ranks = told_ranks(spec, *group);
            for of in operations {
                let Some((last, transfer)) = of.transfer else { continue };
                let parts = i64::try_from(of.began.len()).unwrap_or_default();
                let wait = of.began.values().map(|began| last - began).sum::<i64>();
                let first = of.began.values().min().copied().unwrap_or_default();
                let sums = collectives.entry((of.operation, ranks.clone())).or_default();
                (sums.kind, sums.ranks) = (kind_name(of.operation), ranks.clone());
                sums.count += 1;
                sums.bytes += of.bytes;
                sums.carried += carried(of.operation, of.bytes, of.began.len());
                sums.transfer += transfer;
                sums.transfer_of_parts += transfer * parts;
                sums.wait += wait;
                sums.skew += last - first;
                sums.max_skew = sums.max_skew.max(last - first);
                if let Some(link) = &mut link {
                    link.count += 1;
                    link.bytes += of.bytes;
                    link.transfer += transfer;
                    link.wait += wait;
                }
            }
            links.extend(link);
        }
        Self { ranks, collectives: collectives.into_values().collect(), links }
    }
}

/// The ranks of a group in the traces: messages between two ranks are operations of their pipeline.
pub(super) fn told_ranks(spec: &JobSpec, group: Group) -> Vec<u64> {
    match group {
        Group::Link(from, _) => {
            let [data, tensor, _] = place(spec, from);
            let same = |rank: &u64| place(spec, *rank)[..2] == [data, tensor];
            (0..spec.ranks()).filter(same).collect()
        }
        _ => ranks(spec, group),
    }
}

/// The groups of a rank.
pub(super) fn groups_of(spec: &JobSpec, rank: u64) -> Vec<Group> {
    let mut groups = vec![data_group(spec, rank), tensor_group(spec, rank), Group::Link(rank, rank)];
    if spec.experts > 1 {
        groups.push(expert_group(spec, rank));
    }
    groups
}

fn kind_name(operation: Operation) -> &'static str {
    match operation {
        Operation::AllReduce => "all_reduce",
        Operation::AllGather => "all_gather",
        Operation::ReduceScatter => "reduce_scatter",
        Operation::AllToAll => "all_to_all",
        Operation::Message => "send",
    }
}

/// Activity of a rank at a moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Doing {
    Computing,
    Communicating,
    Receiving,
    Copying,
}

fn rank_truth(spec: &JobSpec, rank: u64, done: &[Done]) -> RankTruth {
    let mut truth = RankTruth {
        host: spec.host.map_or_else(String::new, |_| host_name(spec, rank)),
        memory_peak: if spec.details { memory_at(spec, rank, spec.layers) } else { 0 },
        ..RankTruth::default()
    };
    let mut spans: Vec<(Doing, i64, [i64; 2])> = Vec::new();
    let mut steps: Vec<[i64; 2]> = Vec::new();
    let mut kernels: Vec<(Phase, i64, [i64; 2])> = Vec::new();
    for done in done {
        match *done {
            Done::Step(start, end) => steps.push([start, end]),
            Done::Data(..) | Done::Call(..) => {}
            Done::Copy([launched, start, end]) => spans.push((Doing::Copying, launched, [start, end])),
            Done::Kernel(phase, [launched, start, end]) => {
                spans.push((Doing::Computing, launched, [start, end]));
                kernels.push((phase, launched, [start, end]));
                truth.flops += if spec.details { flops_of(phase) } else { 0 };
            }
            Done::Part(group, _, _, [launched, start, end], _) => {
                spans.push((Doing::Communicating, launched, [start, end]));
                if matches!(group, Group::Link(_, to) if to == rank) {
                    spans.push((Doing::Receiving, launched, [start, end]));
                }
            }
        }
    }
    steps.sort_unstable();
    let mut before = None;
    for [start, end] in steps {
        let within = |launched: i64| start <= launched && launched < end;
        // Without a device, only the host defines a step.
        let on_device = spans.iter().filter(|(_, launched, _)| within(*launched) && spec.library != Library::Gloo);
        let end = on_device.map(|(_, _, [_, end])| *end).fold(end, i64::max);
        let start = before.map_or(start, |before| start.max(before));
        add_step(&mut truth, &spans, [start, end]);
        let of = |wanted: Phase| kernels.iter().filter(move |(phase, at, _)| *phase == wanted && within(*at));
        let first = of(Phase::Forward).map(|(.., [start, _])| *start).min().unwrap_or(start);
        let last = of(Phase::Backward).map(|(.., [_, end])| *end).max().unwrap_or(end);
        if let Some(before) = before {
            let parts = [first - before, last - first, end - last];
            truth.step_trace = std::array::from_fn(|part| truth.step_trace[part] + parts[part]);
        }
        before = Some(end);
    }
    truth
}

/// Adds a rank's activities in a step, moment by moment: they are constant between consecutive beginnings and ends.
fn add_step(truth: &mut RankTruth, spans: &[(Doing, i64, [i64; 2])], [start, end]: [i64; 2]) {
    let mut changes: BTreeMap<i64, Vec<(Doing, i64)>> = BTreeMap::new();
    for (doing, _, [from, to]) in spans {
        let (from, to) = (*from.max(&start), *to.min(&end));
        if from < to {
            changes.entry(from).or_default().push((*doing, 1));
            changes.entry(to).or_default().push((*doing, -1));
        }
    }
    changes.entry(end).or_default();
    let mut going: BTreeMap<Doing, i64> = BTreeMap::new();
    let mut at = start;
    for (moment, change) in changes {
        let now: BTreeSet<Doing> = going.iter().filter(|(_, count)| **count > 0).map(|(doing, _)| *doing).collect();
        let is = |doing| i64::from(now.contains(&doing)) * (moment - at);
        let alone = i64::from(!now.contains(&Doing::Computing));
        truth.step += moment - at;
        truth.compute += is(Doing::Computing);
        truth.communication += is(Doing::Communicating);
        truth.communication_alone += alone * is(Doing::Communicating);
        truth.receive_alone += alone * is(Doing::Receiving);
        truth.copy += if now.contains(&Doing::Communicating) { 0 } else { alone * is(Doing::Copying) };
        truth.idle += if now.is_empty() { moment - at } else { 0 };
        for (doing, more) in change {
            *going.entry(doing).or_default() += more;
        }
        at = moment;
    }
}

/// The name of a rank's host.
pub(super) fn host_name(spec: &JobSpec, rank: u64) -> String {
    format!("node{}", host_of(spec, rank))
}

/// FLOPs of a kernel: [`shapes_of`] multiplied, two operations each.
pub(super) fn flops_of(phase: Phase) -> u64 {
    let [[rows, inner], [_, columns]] = shapes_of(phase);
    2 * rows * inner * columns
}

/// The shapes of a kernel's inputs: those of a layer run near the limit of the device in the traces.
pub(super) fn shapes_of(phase: Phase) -> [[u64; 2]; 2] {
    match phase {
        Phase::Forward => [[4096, 2048], [2048, 18_432]],
        Phase::Backward => [[8192, 2048], [2048, 18_432]],
        Phase::Optimizer => [[1024, 1024], [1024, 1024]],
    }
}

/// The bytes that are allocated after so many forward layers of a part.
pub(super) fn memory_at(spec: &JobSpec, rank: u64, layers: usize) -> i64 {
    let layers = i64::try_from(layers).unwrap_or_default();
    let rank = i64::try_from(rank).unwrap_or_default();
    let held = if spec.sharded { i64::try_from(spec.parallel[0]).unwrap_or(1) } else { 1 };
    (1 << 32) / held + rank * (1 << 20) + layers * (64 << 20)
}
