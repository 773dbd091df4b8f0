//! Problems that can be planted into a program that has none.

use super::items::{COMPUTE, Item, Launch, What};

/// What makes steps longer than they need be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The host waits for the device behind each of so many operators.
    Synchronization(usize),
    /// The host allocates memory before each operator, for so many ns.
    Allocation(i64),
    /// The host copies pageable memory to the device, which takes so many ns.
    PageableCopy(i64),
    /// The host calls a copy that comes back when it is done.
    SynchronousCopy(i64),
    /// The host does nothing for so many ns in the middle of a step.
    Pause(i64),
    /// A kernel changes the order of data behind each operator.
    Transposes(i64),
    /// One kernel takes so many ns.
    SlowKernel(i64),
    /// The hosts reduce gradients, while the devices wait.
    HostCollective(i64),
    /// No kernel uses tensor cores.
    NoTensorCores,
    /// Collectives are of few bytes.
    SmallCollectives,
}

impl Problem {
    /// Adds the problem to a step.
    pub(super) fn plant(self, step: &mut Vec<Item>) {
        match self {
            Self::Synchronization(every) => {
                behind(step, every, &|| Item::WaitForDevice { call: 2_000, returns: 5_000 });
            }
            Self::Allocation(length) => {
                behind(step, 1, &|| Item::Call { name: "cudaMalloc", length });
            }
            Self::PageableCopy(length) => copy(step, "cudaMemcpyAsync", "Memcpy HtoD (Pageable -> Device)", length),
            Self::SynchronousCopy(length) => copy(step, "cudaMemcpy", "Memcpy HtoD (Pinned -> Device)", length),
            Self::Pause(length) => step.insert(step.len() / 2, planted(Item::Unrecorded(length))),
            Self::Transposes(length) => {
                let name = "void at::native::transpose_kernel<float>(int, float const*, float*)";
                behind(step, 1, &|| operator("aten::contiguous", kernel(name, length)));
            }
            Self::SlowKernel(length) => {
                let name = "void at::native::radixSortKVInPlace<float>(float*, int)";
                step.insert(step.len() / 2, planted(operator("aten::sort", kernel(name, length))));
            }
            Self::HostCollective(length) => {
                let half = length / 2;
                let reduce =
                    Item::Operator { name: "gloo:all_reduce", before: half, launches: Vec::new(), after: half };
                step.insert(step.len() / 2, planted(reduce));
            }
            Self::NoTensorCores => step.iter_mut().for_each(without_tensor_cores),
            Self::SmallCollectives => {}
        }
    }
}

fn planted(item: Item) -> Item {
    Item::Planted(Box::new(item))
}

/// Adds something behind every so many operators.
fn behind(step: &mut Vec<Item>, every: usize, item: &dyn Fn() -> Item) {
    let mut operators = 0;
    let old = std::mem::take(step);
    for one in old {
        operators += usize::from(matches!(one, Item::Operator { .. }));
        let due = matches!(one, Item::Operator { .. }) && operators % every == 0;
        step.push(one);
        if due {
            step.push(planted(item()));
        }
    }
}

fn copy(step: &mut Vec<Item>, call: &'static str, name: &'static str, length: i64) {
    let launch = Launch { what: What::Copy, ..kernel(name, length) };
    step.insert(step.len() / 2, planted(Item::CopyBack { name: call, launch, returns: 4_000 }));
}

fn operator(name: &'static str, launch: Launch) -> Item {
    Item::Operator { name, before: 2_000, launches: vec![launch], after: 1_000 }
}

fn kernel(name: &'static str, length: i64) -> Launch {
    Launch { name, what: What::Kernel, stream: COMPUTE, call: 3_000, delay: 2_000, gap: 1_000, length }
}

fn without_tensor_cores(item: &mut Item) {
    if let Item::Operator { launches, .. } = item {
        for launch in launches.iter_mut().filter(|launch| launch.name.contains("gemm")) {
            launch.name = "ampere_sgemm_128x64_nn";
        }
    }
}
