//! A rank's trace as PyTorch's profiler writes it.

use super::machine::{Done, Run};
use super::names::{gloo_name, kernel_of, operation_name};
use super::program::{Group, Operation, Phase, ranks};
use super::truth::{groups_of, host_name, memory_at, shapes_of, told_ranks};
use super::{JobSpec, Library, Tells};

const BASE: i64 = 1_790_795_520_000_000_000;
const ZERO: i64 = 4_458_676_416_000_000;

/// The trace of a rank.
pub(super) fn trace(spec: &JobSpec, run: &Run, rank: u64) -> Vec<u8> {
    let index = usize::try_from(rank).unwrap_or_default();
    let mut done = run.done[index].clone();
    done.sort_by_key(start_of);
    let mut writer = Writer {
        spec,
        rank,
        events: Vec::new(),
        correlation: 100,
        between: 0,
        host: 0,
        layers: 0,
        jump_at: jump_at(spec, run, index),
    };
    let steps = done.iter().filter(|done| matches!(done, Done::Step(..))).count();
    let mut number = 0;
    let first = spec.recorded.filter(|(of, ..)| *of == rank).map_or(0, |(_, first, _)| first);
    let until = if spec.cut == Some(rank) { cut_at(&done) } else { i64::MAX };
    let recorded = recorded(spec, &done, rank);
    for done in done.iter().filter(|done| recorded.contains(&start_of(done))) {
        match *done {
            Done::Step(start, end) => {
                number += 1;
                writer.host = i64::MAX;
                let name = format!("ProfilerStep#{}", number + first);
                writer.slice("user_annotation", &name, (1, 1), (start, end), "");
            }
            Done::Data(start, end) => {
                let name = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
                writer.slice("user_annotation", name, (1, 1), (start, end), "");
            }
            Done::Call(call, [start, end]) => {
                let [name, category] = call.event();
                writer.slice(category, name, (1, 1), (start, end), "");
            }
            Done::Copy(times) => writer.copy(times),
            Done::Kernel(phase, times) => writer.kernel(phase, times),
            Done::Part(group, operation, place, times, bytes) if times[0] < until => {
                writer.part((group, operation), place, times, bytes);
            }
            Done::Part(..) => {}
        }
    }
    debug_assert!(number <= steps);
    let base = if spec.base { format!("\"baseTimeNanoseconds\": {BASE}, ") } else { String::new() };
    let groups = if spec.tells == Tells::Names { String::new() } else { writer.groups() };
    let host = spec.host.map_or_else(String::new, |_| format!("\"host_name\": \"{}\", ", host_name(spec, rank)));
    let backend = if spec.library == Library::Gloo { "gloo" } else { "nccl" };
    let devices: Vec<String> = (0..devices(spec))
        .map(|id| format!("{{\"id\": {id}, \"name\": \"NVIDIA H100\", \"totalGlobalMem\": 85000000000}}"))
        .collect();
    let text = format!(
        "{{\"deviceProperties\": [{}],\n{host}\
         \"distributedInfo\": {{\"backend\": \"{backend}\", \"rank\": {rank}, \"world_size\": {}, \"pg_config\": [{groups}]}},\n\
         {base}\"traceEvents\": [\n{}\n]}}\n",
        devices.join(", "),
        spec.ranks(),
        writer.events.join(",\n")
    );
    text.into_bytes()
}

fn start_of(done: &Done) -> i64 {
    match done {
        Done::Step(start, _) | Done::Data(start, _) => *start,
        Done::Call(_, times) => times[0],
        Done::Copy(times) | Done::Kernel(_, times) | Done::Part(.., times, _) => times[0],
    }
}

/// Number of devices per host.
fn devices(spec: &JobSpec) -> u64 {
    if spec.library == Library::Gloo { 0 } else { spec.host.unwrap_or(1) }
}

/// The time range of a rank's recorded events, by their beginnings.
fn recorded(spec: &JobSpec, done: &[Done], rank: u64) -> std::ops::Range<i64> {
    let Some((_, first, end)) = spec.recorded.filter(|(of, ..)| *of == rank) else { return i64::MIN..i64::MAX };
    let starts = done.iter().filter_map(|done| if let Done::Step(start, _) = done { Some(*start) } else { None });
    let starts: Vec<i64> = starts.collect();
    let at = |step: usize| starts.get(step).copied().unwrap_or(i64::MAX);
    at(first)..at(end)
}

/// The middle of the last step.
fn cut_at(done: &[Done]) -> i64 {
    let last =
        done.iter().rev().find_map(|done| if let Done::Step(start, end) = done { Some((*start, *end)) } else { None });
    last.map_or(i64::MAX, |(start, end)| i64::midpoint(start, end))
}

/// When the last rank's clock jumps.
fn jump_at(spec: &JobSpec, run: &Run, rank: usize) -> i64 {
    let Some(step) = spec.clock_jump.filter(|_| rank + 1 == run.done.len()) else { return i64::MAX };
    let span = |done: &Done| if let Done::Step(start, end) = done { Some((*start, *end)) } else { None };
    let mut steps: Vec<(i64, i64)> = run.done[rank].iter().filter_map(span).collect();
    steps.sort_unstable();
    let inside = |(start, end): &(i64, i64)| start + (end - start) / 100 * spec.clock_jump_inside;
    steps.get(step).map_or(i64::MAX, inside)
}

struct Writer<'a> {
    spec: &'a JobSpec,
    rank: u64,
    events: Vec<String>,
    correlation: u64,
    /// When the host launches next: it runs ahead of the device from the step's first launch on.
    host: i64,
    /// The rank's own count of operations between two ranks.
    between: u64,
    /// Layers after their forward pass and before their backward pass.
    layers: usize,
    jump_at: i64,
}

impl Writer<'_> {
    fn copy(&mut self, times: [i64; 3]) {
        let more = ", \"bytes\": 1000000";
        self.launched("aten::copy_", ("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)"), 7, times, ["", more]);
    }

    fn kernel(&mut self, phase: Phase, times: [i64; 3]) {
        let [launched, start, end] = times;
        if self.spec.library == Library::Gloo {
            self.slice("cpu_op", "aten::mm", (1, 1), (start, end), "");
            return;
        }
        let told = if self.spec.details { self.told_of(phase, launched) } else { String::new() };
        let kernel = ("kernel", "ampere_fp16_s16816gemm_fp16_128x64");
        self.launched("aten::mm", kernel, 7, times, [&told, ""]);
    }

    /// The shapes and the pass of a kernel's operator; also writes its allocation.
    fn told_of(&mut self, phase: Phase, launched: i64) -> String {
        self.layers = match phase {
            Phase::Forward => self.layers % self.spec.layers + 1,
            Phase::Backward => self.layers.saturating_sub(1),
            Phase::Optimizer => 0,
        };
        let allocated = memory_at(self.spec, self.rank, self.layers);
        let at = self.clock(launched.min(self.host));
        self.events.push(format!(
            "{{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\", \"pid\": 1, \"tid\": 1, \
             \"ts\": {}.{:03}, \"args\": {{\"Total Reserved\": {allocated}, \"Total Allocated\": {allocated}, \"Bytes\": 512, \
             \"Addr\": 4096, \"Device Id\": {}, \"Device Type\": 1}}}}",
            at / 1000,
            at % 1000,
            self.device()
        ));
        let pass = match phase {
            Phase::Forward => ", \"Sequence number\": 1, \"Fwd thread id\": 0",
            Phase::Backward => ", \"Sequence number\": 1, \"Fwd thread id\": 1",
            Phase::Optimizer => "",
        };
        format!(", \"Input Dims\": {:?}, \"Input type\": [\"c10::Half\", \"c10::Half\"]{pass}", shapes_of(phase))
    }

    /// The rank's device on its host.
    fn device(&self) -> u64 {
        self.spec.host.map_or(0, |ranks| self.rank % ranks.max(1))
    }

    fn part(&mut self, (group, operation): (Group, Operation), place: usize, times: [i64; 3], bytes: i64) {
        let sends = matches!(group, Group::Link(from, _) if from == self.rank);
        let name = operation_name(operation, sends);
        let stream = match group {
            Group::Data(_) => 20,
            Group::Tensor(_) => 24,
            Group::Expert(_) => 26,
            Group::Link(from, to) => 28 + 2 * i64::from(from.min(to) == self.rank),
        };
        if self.spec.library == Library::Gloo {
            self.gloo(operation, sends, stream, times);
            return;
        }
        let kernel = ("kernel", kernel_of(self.spec.library, name));
        let args = if self.spec.tells == Tells::Names {
            String::new()
        } else {
            self.arguments((group, operation), name, place, bytes)
        };
        self.launched("record_param_comms", kernel, stream, times, [&args, &args]);
    }

    /// An operation of Gloo, on a thread of its own.
    fn gloo(&mut self, operation: Operation, sends: bool, thread: i64, [call, start, end]: [i64; 3]) {
        let (call_name, name) = gloo_name(operation, sends);
        self.slice("cpu_op", call_name, (1, 1), (call, call + 300), "");
        self.slice("user_annotation", name, (1, thread), (start, end), "");
    }

    fn arguments(&mut self, (group, operation): (Group, Operation), name: &str, place: usize, bytes: i64) -> String {
        let (number, members, purpose) = self.group(group);
        let all = bytes / 4;
        let part = all / i64::try_from(members.len()).unwrap_or(1);
        let (input, output) = match operation {
            Operation::AllGather => (part, all),
            Operation::ReduceScatter => (all, part),
            _ => (all, all),
        };
        let mut args = format!(
            ", \"Collective name\": \"{name}\", \"In msg nelems\": {input}, \"Out msg nelems\": {output}, \
             \"Group size\": {}, \"dtype\": \"Float\", \"Process Group Name\": \"{number}\", \
             \"Process Group Description\": \"{purpose}\", \"Process Group Ranks\": \"{members:?}\"",
            members.len()
        );
        let local = |rank: u64| members.iter().position(|member| *member == rank).unwrap_or_default();
        let mut sequence = place as u64 + 1;
        if let Group::Link(from, to) = group {
            self.between += 1;
            sequence = self.between;
            let (key, peer) = if from == self.rank { ("Dst Rank", to) } else { ("Src Rank", from) };
            args.push_str(&format!(", \"{key}\": {}", local(peer)));
        }
        if self.spec.tells != Tells::NoSequence {
            args.push_str(&format!(", \"Seq\": {sequence}"));
        }
        args
    }

    /// A group's name, ranks and purpose; messages between two ranks are operations of their pipeline.
    fn group(&self, group: Group) -> (u64, Vec<u64>, &'static str) {
        let all = self.spec.ranks();
        let told = self.spec.tells != Tells::NoPurpose;
        let purpose = |text| if told { text } else { "undefined" };
        match group {
            Group::Data(number) => (1 + number, ranks(self.spec, group), purpose("DATA_PARALLEL_GROUP")),
            Group::Tensor(number) => {
                (1 + all + number, ranks(self.spec, group), purpose("TENSOR_MODEL_PARALLEL_GROUP"))
            }
            Group::Expert(number) => {
                (1 + 4 * all + number, ranks(self.spec, group), purpose("EXPERT_MODEL_PARALLEL_GROUP"))
            }
            Group::Link(..) => {
                let members = told_ranks(self.spec, group);
                let number = 1 + 2 * all + members[0];
                (number, members, purpose("PIPELINE_MODEL_PARALLEL_GROUP"))
            }
        }
    }

    fn groups(&self) -> String {
        let text = groups_of(self.spec, self.rank).into_iter().map(|group| {
            let (number, members, purpose) = self.group(group);
            format!(
                "{{\"pg_name\": \"{number}\", \"pg_desc\": \"{purpose}\", \"pg_size\": {}, \"ranks\": {members:?}}}",
                members.len()
            )
        });
        text.collect::<Vec<String>>().join(", ")
    }

    /// An operator with its call and its activity, and the arguments of the operator and the activity.
    fn launched(
        &mut self,
        operator: &str,
        (category, name): (&str, &str),
        stream: i64,
        [call, start, end]: [i64; 3],
        [of_operator, of_activity]: [&str; 2],
    ) {
        let call = call.min(self.host);
        self.host = call + 600;
        self.correlation += 1;
        let (id, device) = (self.correlation, self.device());
        self.slice("cpu_op", operator, (1, 1), (call, call + 300), &format!("\"External id\": {id}{of_operator}"));
        let link = format!("\"External id\": {id}, \"correlation\": {id}");
        self.slice("cuda_runtime", "cudaLaunchKernel", (1, 1), (call + 50, call + 250), &link);
        let args = format!("{link}, \"device\": {device}, \"stream\": {stream}{of_activity}");
        let device = i64::try_from(device).unwrap_or_default();
        self.slice(category, name, (device, stream), (start, end), &args);
    }

    fn slice(
        &mut self,
        category: &str,
        name: &str,
        (process, thread): (i64, i64),
        (start, end): (i64, i64),
        args: &str,
    ) {
        let (start, end) = (self.clock(start), self.clock(end));
        let length = end - start;
        self.events.push(format!(
            "{{\"ph\": \"X\", \"cat\": \"{category}\", \"name\": \"{name}\", \"pid\": {process}, \"tid\": {thread}, \
             \"ts\": {}.{:03}, \"dur\": {}{}.{:03}, \"args\": {{{args}}}}}",
            start / 1000,
            start % 1000,
            if length < 0 { "-" } else { "" },
            length.abs() / 1000,
            length.abs() % 1000
        ));
    }

    /// The rank's clock at a true time.
    fn clock(&self, time: i64) -> i64 {
        let rank = i64::try_from(self.rank).unwrap_or_default();
        let jump = if time >= self.jump_at { self.spec.clock_jump_by } else { 0 };
        let drift = time / 1000 * rank * self.spec.clock_drift / 1000;
        ZERO + time + rank * self.spec.clock_offset + drift + jump
    }
}
