//! Tasks of an Ascend device's streams, by their type.

use stepscope_trace::Class;

/// What a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// It computes, on whichever of the chip's engines.
    Compute,
    /// It copies; on a collective's stream that is a part of the collective.
    Copy,
    /// It fills memory.
    Fill,
    /// It reduces while it copies, which only collectives do.
    Reduce,
    /// It waits for, or tells, another stream or (with notifications) another device.
    Order {
        /// Whether another device is meant: only collectives do that.
        notifies: bool,
    },
}

/// What the task type that msprof gives says.
pub(super) fn task(kind: &str) -> Task {
    let kind = kind.to_ascii_uppercase();
    let has = |part: &str| kind.contains(part);
    if has("NOTIFY") {
        Task::Order { notifies: true }
    } else if has("EVENT") || has("WAIT") || has("PLACE_HOLDER") || has("LABEL") || has("BARRIER") {
        Task::Order { notifies: false }
    } else if has("REDUCE_ASYNC") || has("REDUCE_INLINE") {
        Task::Reduce
    } else if has("MEMCPY") || has("SDMA") || has("PCIE_DMA") {
        Task::Copy
    } else if has("MEMSET") {
        Task::Fill
    } else {
        Task::Compute
    }
}

/// What an activity of a GPU is, by the call that its row names.
pub(super) fn gpu_class(call: &str) -> Class {
    let call = call.to_ascii_lowercase();
    if call.contains("memcpy") {
        Class::Memcpy
    } else if call.contains("memset") {
        Class::Memset
    } else {
        Class::Kernel
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_tasks() {
        for compute in ["AI_CORE", "AI_CPU", "AI_VECTOR_CORE", "MIX_AIC", "KERNEL_AICPU", "KERNEL_MIX_AIV", "FFTS_PLUS"]
        {
            assert_eq!(task(compute), Task::Compute, "{compute}");
        }
        assert_eq!(task("MEMCPY_ASYNC"), Task::Copy);
        assert_eq!(task("REDUCE_ASYNC_V2"), Task::Reduce);
        assert_eq!(task("NOTIFY_WAIT"), Task::Order { notifies: true });
        assert_eq!(task("EVENT_RECORD"), Task::Order { notifies: false });
        assert_eq!(gpu_class("cuMemcpyDtoH_v2"), Class::Memcpy);
        assert_eq!(gpu_class("cuLaunchKernel"), Class::Kernel);
    }
}
