//! Detects communication kernels (METRICS section 1, in the order given there) and XLA's waits.

use super::Trace;
use super::builder::FastMap;
use super::ids::NameId;
use super::slices::Class;

/// Marks the communication kernels; copies stay copies.
pub(super) fn communication(trace: &mut Trace) {
    let mut activities = std::mem::take(&mut trace.activities);
    let mut by_name: FastMap<NameId, bool> = FastMap::default();
    let mut by_operator: FastMap<NameId, bool> = FastMap::default();
    let by_category: Vec<bool> =
        trace.categories.iter().map(|id| is_communication_category(trace.strings.get(*id))).collect();
    for activity in &mut activities {
        let event = activity.event;
        if event.get().is_none() || trace.slices.class(event) != Class::Kernel {
            continue;
        }
        let name = trace.slices.name(event);
        let operator = activity.operator.get().map(|id| trace.slices.name(id));
        // An exported part of a trace may lack the deciding operator: the export itself has the flag.
        activity.communication = activity.communication
            || trace.collective(event).is_some()
            || operator.is_some_and(|operator| {
                *by_operator.entry(operator).or_insert_with(|| is_communication_operator(trace.strings.get(operator)))
            })
            || by_category.get(usize::from(trace.slices.category[event.index()])).copied().unwrap_or_default()
            || *by_name.entry(name).or_insert_with(|| is_communication_kernel(trace.strings.get(name)));
    }
    trace.activities = activities;
}

/// Whether an operator, or a range around a library's call, with that name launches communication.
#[must_use]
pub fn is_communication_operator(name: &str) -> bool {
    const PREFIXES: [&str; 6] = ["c10d::", "_c10d_functional::", "symm_mem::", "nccl:", "gloo:", "mpi:"];
    name == "record_param_comms" || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn is_communication_category(category: &str) -> bool {
    category.eq_ignore_ascii_case("hccl") || category.eq_ignore_ascii_case("communication")
}

/// Whether a kernel with that name communicates.
#[must_use]
pub fn is_communication_kernel(name: &str) -> bool {
    const PARTS: [&str; 14] = [
        "nccl",
        "rccl",
        "hccl",
        "hcom_",
        "bkcl",
        "xccl",
        "mccl",
        "oneccl",
        "msccl",
        "gloo",
        "nvshmem",
        "deep_ep",
        "deepep",
        "cross_device_reduce",
    ];
    // Each stands for the words joined or with one underscore between.
    const PAIRS: [(&str, &str); 4] = [("all", "reduce"), ("all", "gather"), ("reduce", "scatter"), ("send", "recv")];
    if name.starts_with("triton_") {
        return false;
    }
    let name = name.to_ascii_lowercase();
    let joined = |(first, second): (&str, &str)| {
        name.match_indices(first).any(|(at, _)| {
            let rest = &name[at + first.len()..];
            rest.strip_prefix('_').unwrap_or(rest).starts_with(second)
        })
    };
    PARTS.iter().any(|part| name.contains(part))
        || PAIRS.iter().any(|pair| joined(*pair))
        || is_all_to_all(&name)
        || is_of_first_nccl(&name)
}

/// Whether an operator of `MindSpore` is a collective, by its own name: `Default/AllReduce-op3`.
#[must_use]
pub fn is_mindspore_collective(name: &str) -> bool {
    const KINDS: [&str; 6] = ["AllReduce", "AllGather", "ReduceScatter", "AlltoAll", "AllToAll", "Broadcast"];
    let own = name.rsplit('/').next().unwrap_or(name);
    let kind = own.split('-').next().unwrap_or(own);
    KINDS.contains(&kind)
}

/// NCCL 1 named its kernels by the operation alone; `KernelArgs` is the type of their arguments.
fn is_of_first_nccl(name: &str) -> bool {
    name.contains("kernelargs") && (name.contains("broadcastkernel") || name.contains("reducekernel"))
}

/// `all_?to_?all`.
fn is_all_to_all(name: &str) -> bool {
    ["alltoall", "all_toall", "allto_all", "all_to_all"].iter().any(|form| name.contains(form))
}

/// Whether a slice of the host of that name waits for a device: of XLA, or JAX's function around what XLA does not
/// record (`$api.py:3154 block_until_ready`).
#[must_use]
pub fn is_xla_wait(name: &str) -> bool {
    name.ends_with("Buffer::Await")
        || name.ends_with(" block_until_ready")
        || name.rsplit("::").next().is_some_and(|call| call.starts_with("BlockHostUntil"))
}

#[cfg(test)]
mod tests {
    use super::{is_communication_kernel, is_mindspore_collective, is_xla_wait};

    #[test]
    fn operators_of_mindspore_that_communicate() {
        for name in
            ["Default/AllReduce-op3", "AllGather", "x/ReduceScatter-op0", "AlltoAll-op1", "AllToAll", "Broadcast"]
        {
            assert!(is_mindspore_collective(name), "{name}");
        }
        for name in ["Default/BroadcastTo-op3", "Gradients/DynamicBroadcastTo-op1", "AllReduce/Mul-op1", "AllGatherX"] {
            assert!(!is_mindspore_collective(name), "{name}");
        }
    }

    #[test]
    fn names_of_waits() {
        for name in [
            "CommonPjRtBuffer::Await",
            "PjRtStreamExecutorBuffer::Await",
            "BlockHostUntilDone",
            "PyLocalBuffer::BlockHostUntilReady",
            "$api.py:3154 block_until_ready",
        ] {
            assert!(is_xla_wait(name), "{name}");
        }
        for name in ["Wait for usage holds", "PjitFunction(step)", "ThunkExecutor::Execute (wait for completion)"] {
            assert!(!is_xla_wait(name), "{name}");
        }
    }

    #[test]
    fn names_of_many_libraries_and_years() {
        let communicate = [
            "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
            "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL",
            "void multimem_all_reduce_kernel<c10::BFloat16>",
            "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>",
            "hcom_broadcast_",
            "ncclSendRecv",
            "moe_all_to_all_dispatch",
            "void BroadcastKernel<256, 8, FuncSum<char>, char>(KernelArgs<char>)",
            "_Z12ReduceKernelILi256ELi8E7FuncSumIfEfEv10KernelArgsIT2_E",
        ];
        let compute = [
            "void at::native::reduce_kernel<512, 1>",
            "triton_red_fused_all_reduce_0",
            "ampere_sgemm_128x64_nn",
            "void caffe2::ReduceKernel<float>(int, float const*, float*)",
            "void scatter_gather_elementwise_kernel",
        ];
        for name in communicate {
            assert!(is_communication_kernel(name), "{name}");
        }
        for name in compute {
            assert!(!is_communication_kernel(name), "{name}");
        }
    }
}
