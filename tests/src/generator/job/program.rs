//! What each rank does, item by item.

use super::{Fault, JobSpec};

/// A group of ranks with an order of operations of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// The n-th of those that share the data.
    Data(u64),
    /// The n-th of those that share the layers' parts.
    Tensor(u64),
    /// What goes from one rank to another one.
    Link(u64, u64),
}

/// An item of a rank's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A step begins.
    Begin,
    /// It ends.
    End,
    /// The host waits for data.
    Data(i64),
    /// The host does something else.
    Host(i64),
    /// A kernel.
    Compute(i64),
    /// The next operation of a group, with its bytes.
    Post(Group, i64),
    /// The device waits for all operations of a group that were posted.
    Wait(Group),
}

/// Where a rank stands: data, tensor, stage.
pub(super) fn place(spec: &JobSpec, rank: u64) -> [u64; 3] {
    let [data, tensor, _] = spec.parallel;
    [rank / tensor % data, rank % tensor, rank / (tensor * data)]
}

/// The rank that stands there.
fn rank_at(spec: &JobSpec, [data, tensor, stage]: [u64; 3]) -> u64 {
    (stage * spec.parallel[0] + data) * spec.parallel[1] + tensor
}

/// A group's ranks.
pub(super) fn ranks(spec: &JobSpec, group: Group) -> Vec<u64> {
    let of = |wanted: &dyn Fn(u64) -> bool| (0..spec.ranks()).filter(|rank| wanted(*rank)).collect();
    match group {
        Group::Data(number) => of(&|rank| data_group(spec, rank) == Group::Data(number)),
        Group::Tensor(number) => of(&|rank| tensor_group(spec, rank) == Group::Tensor(number)),
        Group::Link(from, to) => vec![from, to],
    }
}

pub(super) fn data_group(spec: &JobSpec, rank: u64) -> Group {
    let [_, tensor, stage] = place(spec, rank);
    Group::Data(stage * spec.parallel[1] + tensor)
}

pub(super) fn tensor_group(spec: &JobSpec, rank: u64) -> Group {
    Group::Tensor(rank / spec.parallel[1])
}

/// All of a rank's steps: the passes of all parts of the batch forward, then all backward, as `GPipe` does.
pub(super) fn program(spec: &JobSpec, rank: u64) -> Vec<Item> {
    let here = place(spec, rank);
    let [_, _, stage] = here;
    let last = spec.parallel[2] - 1;
    let at_stage = |stage: u64| rank_at(spec, [here[0], here[1], stage]);
    let mut writer = Writer { spec, rank, stage, count: 0, items: Vec::new() };
    let waits_for = |fault: fn(&Fault) -> Option<(u64, u64)>| -> i64 {
        let times = spec.faults.iter().filter_map(fault).filter(|(of, _)| *of == rank).map(|(_, time)| time);
        i64::try_from(times.sum::<u64>()).unwrap_or_default()
    };
    let [message, sum, gradients] = spec.bytes;
    for _ in 0..spec.steps {
        writer.items.push(Item::Begin);
        let data = waits_for(|fault| if let Fault::Data(rank, time) = fault { Some((*rank, *time)) } else { None });
        let host = waits_for(|fault| if let Fault::Host(rank, time) = fault { Some((*rank, *time)) } else { None });
        writer.items.push(Item::Data(200_000 + data));
        writer.items.push(Item::Host(50_000 + host));
        for _ in 0..spec.microbatches {
            if stage > 0 {
                writer.blocking(Group::Link(at_stage(stage - 1), rank), message);
            }
            for _ in 0..spec.layers {
                writer.compute(spec.kernel);
                writer.tensor_parallel(sum);
            }
            if stage < last {
                writer.items.push(Item::Post(Group::Link(rank, at_stage(stage + 1)), message));
            }
        }
        for microbatch in 0..spec.microbatches {
            if stage < last {
                writer.blocking(Group::Link(at_stage(stage + 1), rank), message);
            }
            for _ in 0..spec.layers {
                writer.compute(2 * spec.kernel);
                writer.tensor_parallel(sum);
                if spec.parallel[0] > 1 && microbatch + 1 == spec.microbatches {
                    writer.items.push(Item::Post(data_group(spec, rank), gradients));
                }
            }
            if stage > 0 {
                writer.items.push(Item::Post(Group::Link(rank, at_stage(stage - 1)), message));
            }
        }
        writer.items.push(Item::Wait(data_group(spec, rank)));
        writer.compute(spec.kernel);
        writer.items.push(Item::End);
    }
    writer.items
}

struct Writer<'a> {
    spec: &'a JobSpec,
    rank: u64,
    stage: u64,
    count: u64,
    items: Vec<Item>,
}

impl Writer<'_> {
    /// A kernel, longer or shorter by chance, and longer by what is wrong with the rank or its stage.
    fn compute(&mut self, length: i64) {
        self.count += 1;
        let spread = i64::try_from(spec_random(self.spec, self.rank, self.count) % (2 * self.spec.jitter + 1))
            .unwrap_or_default()
            - i64::try_from(self.spec.jitter).unwrap_or_default();
        let more: i64 = self
            .spec
            .faults
            .iter()
            .map(|fault| match fault {
                Fault::Compute(rank, percent) if *rank == self.rank => *percent,
                Fault::Stage(stage, percent) if *stage == self.stage => *percent,
                _ => 0,
            })
            .sum::<u64>()
            .try_into()
            .unwrap_or_default();
        self.items.push(Item::Compute(length * (100 + spread) / 100 * (100 + more) / 100));
    }

    fn tensor_parallel(&mut self, bytes: i64) {
        if self.spec.parallel[1] > 1 {
            self.blocking(tensor_group(self.spec, self.rank), bytes);
        }
    }

    fn blocking(&mut self, group: Group, bytes: i64) {
        self.items.extend([Item::Post(group, bytes), Item::Wait(group)]);
    }
}

/// The same number for the same kernel of the same rank, whatever is wrong with the job.
fn spec_random(spec: &JobSpec, rank: u64, count: u64) -> u64 {
    crate::generator::Random::new(spec.seed ^ rank << 40 ^ count << 8).next()
}
