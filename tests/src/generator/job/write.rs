//! A rank's trace as PyTorch's profiler writes it.

use super::machine::{Done, Run};
use super::program::{Group, data_group, place, ranks, tensor_group};
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
            Done::Kernel(launched, start, end) => {
                writer.launched("aten::mm", "ampere_fp16_s16816gemm_fp16_128x64", 7, [launched, start, end], "");
            }
            Done::Part(group, place, times, bytes) if times[0] < until => writer.part(group, place, times, bytes),
            Done::Part(..) => {}
        }
    }
    debug_assert!(number <= steps);
    let base = if spec.base { format!("\"baseTimeNanoseconds\": {BASE}, ") } else { String::new() };
    let groups = if spec.tells == Tells::Names { String::new() } else { writer.groups() };
    let text = format!(
        "{{\"deviceProperties\": [{{\"id\": 0, \"name\": \"NVIDIA H100\", \"totalGlobalMem\": 85000000000}}],\n\
         \"distributedInfo\": {{\"backend\": \"nccl\", \"rank\": {rank}, \"world_size\": {}, \"pg_config\": [{groups}]}},\n\
         {base}\"traceEvents\": [\n{}\n]}}\n",
        spec.ranks(),
        writer.events.join(",\n")
    );
    text.into_bytes()
}

fn start_of(done: &Done) -> i64 {
    match done {
        Done::Step(start, _) | Done::Data(start, _) => *start,
        Done::Kernel(launched, ..) => *launched,
        Done::Part(_, _, times, _) => times[0],
    }
}

/// The time of which a rank's profiler recorded what began.
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
    let mut steps: Vec<i64> = run.done[rank]
        .iter()
        .filter_map(|done| if let Done::Step(start, _) = done { Some(*start) } else { None })
        .collect();
    steps.sort_unstable();
    steps.get(step).copied().unwrap_or(i64::MAX)
}

/// The name of a kernel that sends, receives or sums up.
fn kernel_of(library: Library, operation: &str) -> &'static str {
    match (library, operation) {
        (Library::Nccl, "allreduce") => "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        (Library::Nccl, _) => "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
        (Library::Nccl1, _) => "void AllReduceKernel<256, 8, FuncSum<float>, float>(KernelArgs<float>)",
        (Library::Nccl2, "allreduce") => "ncclAllReduceRingLLKernel_sum_f32(ncclColl)",
        (Library::Nccl2, _) => "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)",
        (Library::Rccl, _) => "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",
        (Library::Hccl, "allreduce") => "hcom_allReduce__773_0_1",
        (Library::Hccl, "send") => "hcom_send__402_1_1",
        (Library::Hccl, _) => "hcom_receive__402_1_1",
        (Library::Bkcl, "allreduce") => "xpu3::bkcl::all_reduce_kernel<float>(void*, void*, int)",
        (Library::Bkcl, _) => "xpu3::bkcl::send_recv_kernel<float>(void*, void*, int)",
    }
}

struct Writer<'a> {
    spec: &'a JobSpec,
    rank: u64,
    events: Vec<String>,
    correlation: u64,
    /// When the host launches next: it runs ahead of the device from the step's first launch on.
    host: i64,
    /// What the rank counts of the operations between two ranks.
    between: u64,
    jump_at: i64,
}

impl Writer<'_> {
    fn part(&mut self, group: Group, place: usize, times: [i64; 3], bytes: i64) {
        let name = match group {
            Group::Link(from, _) if from == self.rank => "send",
            Group::Link(..) => "recv",
            _ => "allreduce",
        };
        let kernel = kernel_of(self.spec.library, name);
        let stream = match group {
            Group::Data(_) => 20,
            Group::Tensor(_) => 24,
            Group::Link(from, to) => 28 + 2 * i64::from(from.min(to) == self.rank),
        };
        let args =
            if self.spec.tells == Tells::Names { String::new() } else { self.arguments(group, name, place, bytes) };
        self.launched("record_param_comms", kernel, stream, times, &args);
    }

    fn arguments(&mut self, group: Group, name: &str, place: usize, bytes: i64) -> String {
        let (number, members, purpose) = self.group(group);
        let elements = bytes / 4;
        let mut args = format!(
            ", \"Collective name\": \"{name}\", \"In msg nelems\": {elements}, \"Out msg nelems\": {elements}, \
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

    /// A group's name, ranks and purpose; what goes between two ranks is an operation of their pipeline.
    fn group(&self, group: Group) -> (u64, Vec<u64>, &'static str) {
        let all = self.spec.ranks();
        let told = self.spec.tells != Tells::NoPurpose;
        let purpose = |text| if told { text } else { "undefined" };
        match group {
            Group::Data(number) => (1 + number, ranks(self.spec, group), purpose("DATA_PARALLEL_GROUP")),
            Group::Tensor(number) => {
                (1 + all + number, ranks(self.spec, group), purpose("TENSOR_MODEL_PARALLEL_GROUP"))
            }
            Group::Link(from, _) => {
                let [data, tensor, _] = place(self.spec, from);
                let same = |rank: &u64| place(self.spec, *rank)[..2] == [data, tensor];
                let number = 1 + 2 * all + data * self.spec.parallel[1] + tensor;
                (number, (0..all).filter(same).collect(), purpose("PIPELINE_MODEL_PARALLEL_GROUP"))
            }
        }
    }

    fn groups(&self) -> String {
        let groups =
            [data_group(self.spec, self.rank), tensor_group(self.spec, self.rank), Group::Link(self.rank, self.rank)];
        let text = groups.map(|group| {
            let (number, members, purpose) = self.group(group);
            format!(
                "{{\"pg_name\": \"{number}\", \"pg_desc\": \"{purpose}\", \"pg_size\": {}, \"ranks\": {members:?}}}",
                members.len()
            )
        });
        text.join(", ")
    }

    /// An operator with its call and what that launches.
    fn launched(&mut self, operator: &str, kernel: &str, stream: i64, [call, start, end]: [i64; 3], more: &str) {
        let call = call.min(self.host);
        self.host = call + 600;
        self.correlation += 1;
        let id = self.correlation;
        self.slice("cpu_op", operator, (1, 1), (call, call + 300), &format!("\"External id\": {id}{more}"));
        let link = format!("\"External id\": {id}, \"correlation\": {id}");
        self.slice("cuda_runtime", "cudaLaunchKernel", (1, 1), (call + 50, call + 250), &link);
        let of_kernel = format!("{link}, \"device\": 0, \"stream\": {stream}{more}");
        self.slice("kernel", kernel, (0, stream), (start, end), &of_kernel);
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
             \"ts\": {}.{:03}, \"dur\": {}.{:03}, \"args\": {{{args}}}}}",
            start / 1000,
            start % 1000,
            length / 1000,
            length % 1000
        ));
    }

    /// What the rank's clock shows at a true time.
    fn clock(&self, time: i64) -> i64 {
        let rank = i64::try_from(self.rank).unwrap_or_default();
        let jump = if time >= self.jump_at { 50_000_000 } else { 0 };
        let drift = time / 1000 * rank * self.spec.clock_drift / 1000;
        ZERO + time + rank * self.spec.clock_offset + drift + jump
    }
}
