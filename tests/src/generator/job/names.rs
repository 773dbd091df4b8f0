//! Names of operations in libraries and profilers.

use super::Library;
use super::program::Operation;

/// PyTorch's name of an operation.
pub(super) fn operation_name(operation: Operation, sends: bool) -> &'static str {
    match operation {
        Operation::AllReduce => "allreduce",
        Operation::AllGather => "_allgather_base",
        Operation::ReduceScatter => "_reduce_scatter_base",
        Operation::AllToAll => "all_to_all",
        Operation::Message if sends => "send",
        Operation::Message => "recv",
    }
}

/// The operator that calls Gloo for an operation, and the profiler's name of Gloo's own slice.
pub(super) fn gloo_name(operation: Operation, sends: bool) -> (&'static str, &'static str) {
    match operation {
        Operation::AllReduce => ("c10d::allreduce_", "gloo:all_reduce"),
        Operation::AllGather => ("c10d::_allgather_base_", "gloo:all_gather"),
        Operation::ReduceScatter => ("c10d::_reduce_scatter_base_", "gloo:reduce_scatter"),
        Operation::AllToAll => ("c10d::alltoall_base_", "gloo:all_to_all"),
        Operation::Message if sends => ("c10d::send", "gloo:send"),
        Operation::Message => ("c10d::recv_", "gloo:recv"),
    }
}

/// The name of a kernel that sends, receives or sums up.
pub(super) fn kernel_of(library: Library, operation: &str) -> &'static str {
    match (library, operation) {
        (Library::Nccl, "allreduce") => "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        (Library::Nccl, "_allgather_base") => "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        (Library::Nccl, "_reduce_scatter_base") => {
            "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
        }
        (Library::Nccl | Library::Gloo, _) => "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
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
