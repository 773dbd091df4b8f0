//! Tasks of an Ascend device's streams, by their type.

use stepscope_trace::Class;

/// The kind of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// A computation, on any of the chip's engines.
    Compute,
    /// A copy; on a collective's stream it is a part of the collective.
    Copy,
    /// A memset.
    Fill,
    /// A reduction during a copy, as only collectives do.
    Reduce,
    /// A wait for, or a signal to, another stream or (with notifications) another device.
    Order {
        /// Whether the other side is another device, as only in collectives.
        notifies: bool,
    },
}

/// The kind of a task, by the task type from msprof.
pub(crate) fn task(kind: &str) -> Task {
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

/// The class of a GPU's activity, by the call in its row.
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
