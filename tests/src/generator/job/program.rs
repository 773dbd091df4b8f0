//! The program of each rank, item by item.

use super::{Fault, HostCall, JobSpec, Schedule};

/// A group of ranks with an order of operations of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// The n-th data-parallel group.
    Data(u64),
    /// The n-th tensor-parallel group.
    Tensor(u64),
    /// The n-th expert-parallel group.
    Expert(u64),
    /// The link from one rank to another one.
    Link(u64, u64),
}

/// Kind of a group's operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operation {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    /// From one rank to another one.
    Message,
}

/// Purpose of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Forward,
    Backward,
    Optimizer,
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
    /// The host is busy otherwise.
    Host(i64),
    /// The host makes a call.
    Call(HostCall, i64),
    /// The device gets the data.
    Copy(i64),
    /// A kernel.
    Compute(Phase, i64),
    /// The next operation of a group, with its bytes as nccl-tests counts them.
    Post(Group, Operation, i64),
    /// The device waits for all operations of a group that were posted.
    Wait(Group),
}

/// Coordinates of a rank: data, tensor, stage.
pub(super) fn place(spec: &JobSpec, rank: u64) -> [u64; 3] {
    let [data, tensor, _] = spec.parallel;
    [rank / tensor % data, rank % tensor, rank / (tensor * data)]
}

/// The rank at these coordinates.
fn rank_at(spec: &JobSpec, [data, tensor, stage]: [u64; 3]) -> u64 {
    (stage * spec.parallel[0] + data) * spec.parallel[1] + tensor
}

/// A group's ranks.
pub(super) fn ranks(spec: &JobSpec, group: Group) -> Vec<u64> {
    let of = |wanted: &dyn Fn(u64) -> bool| (0..spec.ranks()).filter(|rank| wanted(*rank)).collect();
    match group {
        Group::Data(number) => of(&|rank| data_group(spec, rank) == Group::Data(number)),
        Group::Tensor(number) => of(&|rank| tensor_group(spec, rank) == Group::Tensor(number)),
        Group::Expert(number) => of(&|rank| expert_group(spec, rank) == Group::Expert(number)),
        Group::Link(from, to) => vec![from, to],
    }
}

/// The host of a rank, by its number; the first one for all ranks if hosts are not defined.
pub(super) fn host_of(spec: &JobSpec, rank: u64) -> u64 {
    spec.host.map_or(0, |ranks| rank / ranks.max(1))
}

pub(super) fn data_group(spec: &JobSpec, rank: u64) -> Group {
    let [_, tensor, stage] = place(spec, rank);
    Group::Data(stage * spec.parallel[1] + tensor)
}

pub(super) fn tensor_group(spec: &JobSpec, rank: u64) -> Group {
    Group::Tensor(rank / spec.parallel[1])
}

/// Expert-parallel group: neighbors among the data-parallel ranks with the same parts of the layers.
pub(super) fn expert_group(spec: &JobSpec, rank: u64) -> Group {
    let [data, tensor, stage] = place(spec, rank);
    let [all, tensors, _] = spec.parallel;
    let groups = all.div_ceil(spec.experts.max(1));
    Group::Expert((stage * tensors + tensor) * groups + data / spec.experts.max(1))
}

/// All of a rank's steps.
pub(super) fn program(spec: &JobSpec, rank: u64) -> Vec<Item> {
    let place = place(spec, rank);
    let mut writer = Writer { spec, rank, place, count: 0, items: Vec::new() };
    let waits_for = |fault: fn(&Fault) -> Option<(u64, u64)>| -> i64 {
        let times = spec.faults.iter().filter_map(fault).filter(|(of, _)| *of == rank).map(|(_, time)| time);
        i64::try_from(times.sum::<u64>()).unwrap_or_default()
    };
    for step in 0..spec.steps {
        let pause = waits_for(|fault| if let Fault::Pause(rank, time) = fault { Some((*rank, *time)) } else { None });
        if step > 0 && pause > 0 {
            writer.items.push(Item::Host(pause));
        }
        writer.items.push(Item::Begin);
        let data = waits_for(|fault| if let Fault::Data(rank, time) = fault { Some((*rank, *time)) } else { None });
        let host = waits_for(|fault| if let Fault::Host(rank, time) = fault { Some((*rank, *time)) } else { None });
        writer.items.push(Item::Data(200_000 + data));
        writer.items.push(Item::Host(50_000 + host));
        for fault in &spec.faults {
            if let Fault::Call(of, time, call) = fault
                && *of == rank
            {
                writer.items.push(Item::Call(*call, i64::try_from(*time).unwrap_or_default()));
            }
        }
        if spec.details {
            writer.items.push(Item::Copy(30_000));
        }
        writer.passes();
        writer.items.push(Item::Wait(data_group(spec, rank)));
        writer.compute(Phase::Optimizer, spec.kernel);
        writer.items.push(Item::End);
    }
    writer.items
}

struct Writer<'a> {
    spec: &'a JobSpec,
    rank: u64,
    place: [u64; 3],
    count: u64,
    items: Vec<Item>,
}

impl Writer<'_> {
    /// The passes of all parts of the batch.
    fn passes(&mut self) {
        let parts = self.spec.microbatches;
        let stages_behind = usize::try_from(self.spec.parallel[2] - 1 - self.place[2]).unwrap_or(usize::MAX);
        let ahead = match self.spec.schedule {
            Schedule::AllForward => parts,
            Schedule::OneForwardOneBackward => stages_behind.min(parts),
        };
        (0..ahead).for_each(|_| self.forward());
        for part in 0..parts {
            if ahead + part < parts {
                self.forward();
            }
            self.backward(part + 1 == parts);
        }
    }

    /// The rank with the same coordinates in the next or previous stage.
    fn other_stage(&self, forward: bool) -> Option<u64> {
        let [data, tensor, stage] = self.place;
        let other = if forward { Some(stage + 1) } else { stage.checked_sub(1) };
        let other = other.filter(|stage| *stage < self.spec.parallel[2])?;
        Some(rank_at(self.spec, [data, tensor, other]))
    }

    fn receive(&mut self, from: Option<u64>) {
        if let Some(from) = from {
            self.blocking(Group::Link(from, self.rank), Operation::Message, self.spec.bytes[0]);
        }
    }

    fn send(&mut self, to: Option<u64>) {
        let post = |to| Item::Post(Group::Link(self.rank, to), Operation::Message, self.spec.bytes[0]);
        self.items.extend(to.map(post));
    }

    fn forward(&mut self) {
        self.receive(self.other_stage(false));
        self.gather();
        for layer in 0..self.spec.layers {
            self.gathered(layer);
            self.layer(Phase::Forward, self.spec.kernel);
        }
        self.send(self.other_stage(true));
    }

    fn backward(&mut self, last: bool) {
        let group = data_group(self.spec, self.rank);
        self.receive(self.other_stage(true));
        self.gather();
        for layer in 0..self.spec.layers {
            self.gathered(layer);
            self.layer(Phase::Backward, 2 * self.spec.kernel);
            if self.spec.parallel[0] > 1 && last {
                let sum = if self.spec.sharded { Operation::ReduceScatter } else { Operation::AllReduce };
                self.items.push(Item::Post(group, sum, self.spec.bytes[2]));
            }
        }
        self.send(self.other_stage(false));
    }

    /// Begins to gather the parts of a layer from the other ranks.
    fn gather(&mut self) {
        if self.spec.sharded && self.spec.parallel[0] > 1 {
            let group = data_group(self.spec, self.rank);
            self.items.push(Item::Post(group, Operation::AllGather, self.spec.bytes[2]));
        }
    }

    /// Waits for these, and begins with the next layer's.
    fn gathered(&mut self, layer: usize) {
        if self.spec.sharded {
            self.items.push(Item::Wait(data_group(self.spec, self.rank)));
        }
        if layer + 1 < self.spec.layers {
            self.gather();
        }
    }

    /// A layer: with experts, their inputs and outputs are exchanged between their ranks.
    fn layer(&mut self, phase: Phase, length: i64) {
        let [exchanged, sum, _] = self.spec.bytes;
        let experts = self.spec.experts > 1;
        if experts {
            self.blocking(expert_group(self.spec, self.rank), Operation::AllToAll, exchanged);
        }
        self.compute(phase, length);
        if experts {
            self.blocking(expert_group(self.spec, self.rank), Operation::AllToAll, exchanged);
        }
        if self.spec.parallel[1] > 1 {
            self.blocking(tensor_group(self.spec, self.rank), Operation::AllReduce, sum);
        }
    }

    /// A kernel, longer or shorter by chance, and longer by a fault of the rank or its stage.
    fn compute(&mut self, phase: Phase, length: i64) {
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
                Fault::Stage(stage, percent) if *stage == self.place[2] => *percent,
                _ => 0,
            })
            .sum::<u64>()
            .try_into()
            .unwrap_or_default();
        self.items.push(Item::Compute(phase, length * (100 + spread) / 100 * (100 + more) / 100));
    }

    fn blocking(&mut self, group: Group, operation: Operation, bytes: i64) {
        self.items.extend([Item::Post(group, operation, bytes), Item::Wait(group)]);
    }
}

/// The same number for the same kernel of the same rank, whatever the job's faults.
fn spec_random(spec: &JobSpec, rank: u64, count: u64) -> u64 {
    crate::generator::Random::new(spec.seed ^ rank << 40 ^ count << 8).next()
}
