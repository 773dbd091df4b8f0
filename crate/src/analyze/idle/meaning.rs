//! What a slice of the host says that its thread does.

use super::host::HostActivity;
use crate::analyze::roles::is_dataloader;
use crate::sort::CompactSort;
use crate::trace::{Class, EventId, Trace};

/// Tells what slices of the host show; looks at each name once, and only at those that are asked for.
pub(super) struct Meanings<'a> {
    trace: &'a Trace,
    /// By name.
    names: Vec<NameMeaning>,
    /// The calls that copy from or to pageable memory, sorted: the host waits in them.
    pageable: Vec<EventId>,
    /// The category by which Paddle marks the wait for data.
    loading: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NameMeaning {
    /// Nobody asked.
    NotSeen,
    /// The wait for the data loader.
    DataLoading,
    /// An operator that reads a value from the device.
    ReadsValue,
    /// A call that waits for the device.
    Synchronizes,
    /// A call that allocates or frees.
    Allocates,
    /// None of these.
    Plain,
}

impl<'a> Meanings<'a> {
    pub(super) fn new(trace: &'a Trace) -> Self {
        let mut known = vec![None; trace.strings.len()];
        let mut is_pageable = |id: EventId| {
            let name = trace.slices.name(id);
            *known[name.index()].get_or_insert_with(|| trace.strings.get(name).contains("Pageable"))
        };
        let copies = trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Memcpy);
        let mut pageable: Vec<EventId> =
            copies.filter(|copy| is_pageable(copy.event)).filter_map(|copy| copy.call.get()).collect();
        pageable.compact_sort();
        let loading = trace.category_named("Dataloader");
        Self { trace, names: vec![NameMeaning::NotSeen; trace.strings.len()], pageable, loading }
    }

    /// What the thread does while a slice of its own shows this; `None` if that says nothing.
    #[inline]
    pub(super) fn of(&mut self, id: EventId) -> Option<HostActivity> {
        let class = self.trace.slices.class(id);
        match (class, self.of_name(id)) {
            (Class::PythonFrame, _) => Some(HostActivity::Python),
            (_, NameMeaning::DataLoading) => Some(HostActivity::DataLoading),
            (Class::Annotation, _) if self.loading == Some(self.trace.slices.category(id)) => {
                Some(HostActivity::DataLoading)
            }
            (Class::Synchronization, _) => Some(HostActivity::Synchronization),
            (Class::Operator, NameMeaning::ReadsValue) => Some(HostActivity::Synchronization),
            (Class::Operator, _) => Some(HostActivity::Operator),
            (Class::RuntimeCall, NameMeaning::Synchronizes) => Some(HostActivity::Synchronization),
            (Class::RuntimeCall, NameMeaning::Allocates) => Some(HostActivity::Allocation),
            (Class::RuntimeCall, _) if self.is_pageable_copy(id) => Some(HostActivity::Synchronization),
            (Class::RuntimeCall, _) => Some(HostActivity::Launching),
            _ => None,
        }
    }

    fn is_pageable_copy(&self, id: EventId) -> bool {
        !self.pageable.is_empty() && self.pageable.binary_search(&id).is_ok()
    }

    #[inline]
    fn of_name(&mut self, id: EventId) -> NameMeaning {
        let name = self.trace.slices.name(id);
        match self.names[name.index()] {
            NameMeaning::NotSeen => {
                let meaning = meaning(self.trace.strings.get(name));
                self.names[name.index()] = meaning;
                meaning
            }
            known => known,
        }
    }
}

/// What a name says: of a call, as CUDA, HIP, CANN and others name theirs.
fn meaning(name: &str) -> NameMeaning {
    const WAITS: [&str; 3] = ["ynchronize", "QueueFinish", "urEventWait"];
    const ALLOCATES: [&str; 10] = [
        "alloc",
        "Alloc",
        "Free",
        "HostRegister",
        "HostUnregister",
        "MemCreate",
        "MemMap",
        "MemUnmap",
        "MemSetAccess",
        "MemRelease",
    ];
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if is_dataloader(name) {
        NameMeaning::DataLoading
    } else if matches!(name, "aten::item" | "aten::_local_scalar_dense" | "aten::is_nonzero") {
        NameMeaning::ReadsValue
    } else if has(&WAITS) || is_blocking_copy(name) {
        NameMeaning::Synchronizes
    } else if has(&ALLOCATES) {
        NameMeaning::Allocates
    } else {
        NameMeaning::Plain
    }
}

/// What a call of the runtime or driver does besides launching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analyze) enum CallMeaning {
    /// It waits for the device.
    Waits,
    /// It comes back when a copy or fill is done.
    Copies,
    /// It allocates or frees memory, and waits meanwhile.
    Allocates,
    /// None of these.
    Other,
}

/// What a call's name says of it.
pub(in crate::analyze) fn call_meaning(name: &str) -> CallMeaning {
    match meaning(name) {
        _ if is_blocking_copy(name) || is_blocking(name, "Memset") => CallMeaning::Copies,
        NameMeaning::Synchronizes => CallMeaning::Waits,
        NameMeaning::Allocates if !name.contains("Async") => CallMeaning::Allocates,
        _ => CallMeaning::Other,
    }
}

/// `cudaMemcpy`, `hipMemcpyWithStream`, `cuMemcpyDtoH_v2`, but not `cudaMemcpyAsync` or `cudaGraphAddMemcpyNode`.
fn is_blocking_copy(name: &str) -> bool {
    is_blocking(name, "Memcpy")
}

/// Whether it is a call that does `what` and comes back when that is done.
fn is_blocking(name: &str, what: &str) -> bool {
    const LONGEST_PREFIX: usize = "aclrt".len();
    // CANN's calls say of which library they are: `AscendCL@aclrtMemcpy`.
    let name = name.rsplit('@').next().unwrap_or(name);
    name.find(what).is_some_and(|at| at <= LONGEST_PREFIX) && !name.contains("Async")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_hold_the_host_up() {
        for (name, expected) in [
            ("cudaMemset", CallMeaning::Copies),
            ("cuMemcpyDtoH_v2", CallMeaning::Copies),
            ("cudaMemsetAsync", CallMeaning::Other),
            ("cudaMalloc", CallMeaning::Allocates),
            ("cudaFree", CallMeaning::Allocates),
            ("cudaMallocAsync", CallMeaning::Other),
            ("cudaDeviceSynchronize", CallMeaning::Waits),
            ("cudaLaunchKernel", CallMeaning::Other),
        ] {
            assert_eq!(call_meaning(name), expected, "{name}");
        }
    }

    #[test]
    fn names_of_calls() {
        let waits = [
            "cudaStreamSynchronize",
            "cudaDeviceSynchronize",
            "hipEventSynchronize",
            "cuCtxSynchronize",
            "aclrtSynchronizeStream",
            "cudaMemcpy",
            "cudaMemcpy2D",
            "hipMemcpyWithStream",
            "cuMemcpyDtoH_v2",
            "AscendCL@aclrtMemcpy",
            "synchronizeStream",
            "urQueueFinish",
        ];
        let allocates = [
            "cudaMalloc",
            "cudaFree",
            "cudaMallocAsync",
            "cudaHostAlloc",
            "hipHostMalloc",
            "cuMemAlloc_v2",
            "cuMemFree_v2",
            "cuMemCreate",
            "cuMemUnmap",
            "cudaHostRegister",
        ];
        let plain = [
            "cudaLaunchKernel",
            "cudaMemcpyAsync",
            "cuMemcpyHtoDAsync_v2",
            "cudaGraphAddMemcpyNode",
            "cudaMemsetAsync",
            "cudaStreamWaitEvent",
            "cudaEventRecord",
            "enqueueCommand memcpyHtoDAsync",
            "aten::mm",
        ];
        for (names, expected) in [
            (&waits[..], NameMeaning::Synchronizes),
            (&allocates, NameMeaning::Allocates),
            (&plain, NameMeaning::Plain),
            (&["aten::item", "aten::is_nonzero"], NameMeaning::ReadsValue),
            (&["enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"], NameMeaning::DataLoading),
        ] {
            for name in names {
                assert!(meaning(name) == expected, "{name}");
            }
        }
    }
}
