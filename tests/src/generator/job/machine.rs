//! Runs the programs of all ranks together.

use std::collections::BTreeMap;

use super::program::{Group, Item, Operation, Phase, host_of, program, ranks};
use super::{Fault, HostCall, JobSpec};

/// Between a launching call and its kernel.
pub(super) const LAUNCH: i64 = 500;

/// A rank's action, in true time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    Step(i64, i64),
    Data(i64, i64),
    Call(HostCall, [i64; 2]),
    /// A memcpy to the device: launched, began, ended.
    Copy([i64; 3]),
    /// A kernel: launched, began, ended.
    Kernel(Phase, [i64; 3]),
    /// A rank's part of the n-th operation of a group: launched, began, ended, bytes.
    Part(Group, Operation, usize, [i64; 3], i64),
}

/// A joint operation of a group's ranks.
#[derive(Clone, Debug)]
pub(super) struct Together {
    pub(super) operation: Operation,
    posted: BTreeMap<u64, i64>,
    pub(super) bytes: i64,
    /// When each rank's part begins.
    pub(super) began: BTreeMap<u64, i64>,
    /// When all of them have begun, and the duration from then on.
    pub(super) transfer: Option<(i64, i64)>,
}

impl Together {
    fn end(&self) -> Option<i64> {
        self.transfer.map(|(start, length)| start + length)
    }
}

/// Result of a run.
pub(super) struct Run {
    pub(super) done: Vec<Vec<Done>>,
    pub(super) groups: BTreeMap<Group, Vec<Together>>,
}

struct Rank {
    items: Vec<Item>,
    at: usize,
    now: i64,
    began: i64,
    posted: BTreeMap<Group, usize>,
}

impl Run {
    /// Runs a job.
    pub(super) fn of(spec: &JobSpec) -> Self {
        let mut ranks: Vec<Rank> = (0..spec.ranks())
            .map(|rank| Rank { items: program(spec, rank), at: 0, now: 0, began: 0, posted: BTreeMap::new() })
            .collect();
        let mut groups: BTreeMap<Group, Vec<Together>> = BTreeMap::new();
        let mut resolved: BTreeMap<Group, usize> = BTreeMap::new();
        let mut done: Vec<Vec<Done>> = vec![Vec::new(); ranks.len()];
        loop {
            let mut moved = false;
            for (number, rank) in (0..).zip(&mut ranks) {
                while advance(number, rank, &mut groups, &mut done) {
                    moved = true;
                }
            }
            for (group, operations) in &mut groups {
                let next = resolved.entry(*group).or_default();
                while *next < operations.len() && resolve(spec, *group, operations, *next) {
                    *next += 1;
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
        let index = |rank: u64| usize::try_from(rank).unwrap_or_default();
        for (group, operations) in &groups {
            for (number, of) in operations.iter().enumerate() {
                let Some(end) = of.end() else { continue };
                for (rank, began) in &of.began {
                    let times = [of.posted[rank], *began, end];
                    done[index(*rank)].push(Done::Part(*group, of.operation, number, times, of.bytes));
                }
            }
        }
        Self { done, groups }
    }

    /// Time until the last rank's last step ends.
    pub(super) fn length(&self) -> i64 {
        let ends = self.done.iter().flatten().map(|done| if let Done::Step(_, end) = done { *end } else { 0 });
        ends.max().unwrap_or_default()
    }
}

/// Does a rank's next item, if it can be done.
fn advance(number: u64, rank: &mut Rank, groups: &mut BTreeMap<Group, Vec<Together>>, done: &mut [Vec<Done>]) -> bool {
    let Some(item) = rank.items.get(rank.at).copied() else { return false };
    let done = &mut done[usize::try_from(number).unwrap_or_default()];
    match item {
        Item::Begin => rank.began = rank.now,
        Item::End => done.push(Done::Step(rank.began, rank.now)),
        Item::Data(length) => {
            done.push(Done::Data(rank.now, rank.now + length));
            rank.now += length;
        }
        Item::Host(length) => rank.now += length,
        Item::Call(call, length) => {
            done.push(Done::Call(call, [rank.now, rank.now + length]));
            rank.now += length;
        }
        Item::Copy(length) | Item::Compute(_, length) => {
            let times = [rank.now, rank.now + LAUNCH, rank.now + LAUNCH + length];
            done.push(if let Item::Compute(phase, _) = item { Done::Kernel(phase, times) } else { Done::Copy(times) });
            rank.now = times[2];
        }
        Item::Post(group, operation, bytes) => {
            let place = rank.posted.entry(group).or_default();
            let operations = groups.entry(group).or_default();
            if operations.len() <= *place {
                let (posted, began) = (BTreeMap::new(), BTreeMap::new());
                operations.push(Together { operation, posted, bytes, began, transfer: None });
            }
            operations[*place].posted.insert(number, rank.now);
            *place += 1;
            // The call takes a moment; the next item is not inside of it.
            rank.now += LAUNCH;
        }
        Item::Wait(group) => {
            let Some(posted) = rank.posted.get(&group) else {
                rank.at += 1;
                return true;
            };
            let Some(end) = groups.get(&group).and_then(|operations| operations[posted - 1].end()) else {
                return false;
            };
            rank.now = rank.now.max(end);
        }
    }
    rank.at += 1;
    true
}

/// Ends an operation that all ranks have joined.
fn resolve(spec: &JobSpec, group: Group, operations: &mut [Together], next: usize) -> bool {
    let members = ranks(spec, group);
    let before = next.checked_sub(1).and_then(|before| operations[before].end()).unwrap_or(i64::MIN);
    let operation = &mut operations[next];
    if operation.posted.len() < members.len() {
        return false;
    }
    operation.began = operation.posted.iter().map(|(rank, posted)| (*rank, (posted + LAUNCH).max(before))).collect();
    let slower = |fault: &Fault| match (*fault, group) {
        (Fault::Link(from, to, percent), Group::Link(a, b)) if (from, to) == (a, b) => percent,
        (Fault::Group(rank, percent), Group::Tensor(_)) if members.contains(&rank) => percent,
        (Fault::Replicas(rank, percent), Group::Data(_)) if members.contains(&rank) => percent,
        (Fault::Experts(rank, percent), Group::Expert(_)) if members.contains(&rank) => percent,
        _ => 100,
    };
    let percent = spec.faults.iter().map(slower).max().unwrap_or(100);
    let across = members.iter().any(|rank| host_of(spec, *rank) != host_of(spec, members[0]));
    let rate = if across { spec.rate_across } else { spec.rate };
    let transfer = 8_000 + carried(operation.operation, operation.bytes, members.len()) * 1000 / rate;
    let last = operation.began.values().max().copied().unwrap_or_default();
    operation.transfer = Some((last, transfer * i64::try_from(percent).unwrap_or_default() / 100));
    true
}

/// The bytes that each link carries for an operation among so many ranks.
pub(super) fn carried(operation: Operation, bytes: i64, ranks: usize) -> i64 {
    let count = i64::try_from(ranks).unwrap_or_default();
    match operation {
        Operation::Message => bytes,
        Operation::AllReduce => bytes * 2 * (count - 1) / count,
        Operation::AllGather | Operation::ReduceScatter | Operation::AllToAll => bytes * (count - 1) / count,
    }
}
