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
    /// The host reads a value from the device behind each of so many operators, as `.item()` does.
    ReadsValue(usize),
    /// The host collects garbage for so many ns behind each of so many operators.
    GarbageCollection(usize, i64),
    /// The host compiles for so many ns in the middle of a step.
    Compilation(i64),
    /// The host loads kernels for so many ns in the middle of a step.
    ModuleLoad(i64),
    /// A function of Python takes so many ns before each operator.
    SlowPython(i64),
    /// Operators take so many ns more before they launch.
    SlowOperators(i64),
    /// Each call that launches takes so many ns more.
    SlowLaunches(i64),
    /// A fill of so many ns behind each operator.
    Fills(i64),
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
            Self::ReadsValue(every) => {
                let name = "Memcpy DtoH (Device -> Pinned)";
                let copy = Launch { what: What::Copy, ..kernel(name, 1_500) };
                behind(step, every, &|| Item::WaitForStream { stream: COMPUTE, call: 1_500, returns: 4_000 });
                behind(step, every, &|| Item::Operator {
                    name: "aten::item",
                    before: 500,
                    launches: vec![copy.clone()],
                    after: 0,
                });
            }
            Self::GarbageCollection(every, length) => {
                behind(step, every, &|| Item::Python { name: "<built-in function collect>", length });
            }
            Self::Compilation(length) => {
                let name = "torch/_dynamo/convert_frame.py(1064): _compile";
                step.insert(step.len() / 2, planted(Item::Python { name, length }));
            }
            Self::ModuleLoad(length) => {
                step.insert(step.len() / 2, planted(Item::Call { name: "cuModuleLoadData", length }));
            }
            Self::SlowPython(length) => {
                behind(step, 1, &|| Item::Python { name: "model.py(12): forward", length });
            }
            Self::SlowOperators(length) => {
                for item in step.iter_mut() {
                    if let Item::Operator { before, .. } = item {
                        *before += length;
                    }
                }
            }
            Self::SlowLaunches(length) => {
                for item in step.iter_mut() {
                    if let Item::Operator { launches, .. } = item {
                        launches.iter_mut().for_each(|launch| launch.call += length);
                    }
                }
            }
            Self::Fills(length) => {
                let fill = Launch { what: What::Fill, ..kernel("Memset (Device)", length) };
                behind(step, 1, &|| operator("aten::zero_", fill.clone()));
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
