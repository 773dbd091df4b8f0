//! Problems that can be planted into a program that has none.

use super::items::{COLLECTIVES, COMPUTE, COPIES, Item, Launch, What};
use super::work::{GOOD_FUSED, Product, Work, attention, elements_for, product, rows_for, sum};

/// A reason for longer steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The host waits for the device after every n-th operator.
    Synchronization(usize),
    /// The host allocates memory before each operator, for so many ns.
    Allocation(i64),
    /// The host copies pageable memory to the device, which takes so many ns.
    PageableCopy(i64),
    /// The host calls a synchronous memcpy.
    SynchronousCopy(i64),
    /// The host does nothing for so many ns in the middle of a step.
    Pause(i64),
    /// A kernel changes the order of data after each operator.
    Transposes(i64),
    /// One kernel takes so many ns.
    SlowKernel(i64),
    /// The hosts reduce gradients, while the devices wait.
    HostCollective(i64),
    /// The host reads a value from the device after every n-th operator, as `.item()` does.
    ReadsValue(usize),
    /// The host collects garbage after every n-th operator, for so many ns.
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
    /// A memset of so many ns after each operator.
    Fills(i64),
    /// No kernel uses tensor cores.
    NoTensorCores,
    /// Collectives are of few bytes.
    SmallCollectives,
    /// The data loader runs in the host's own thread, and takes so many ns.
    OwnLoader(i64),
    /// Workers of the data loader, so many, make a batch in so many ns each.
    SlowWorkers(i64, usize),
    /// After every n-th operator the host frees memory, for which the driver waits, and allocates it for so many ns.
    Thrash(usize, i64),
    /// The devices reduce gradients for so many ns while nothing else runs.
    Reduction(i64),
    /// The same, and a rank is late by up to so many ns.
    LateRank(i64),
    /// So many small collectives of so many ns, and each is waited for.
    SmallBuckets(usize, i64),
    /// The device waits for another stage of a pipeline for so many ns, twice.
    Bubble(i64),
    /// Kernels wait for a copy on another stream that takes so many ns.
    EventWait(i64),
    /// A kernel of a graph waits for the graph's copy that takes so many ns.
    GraphCopy(i64),
    /// Every n-th operator is interrupted for so many ns, as by other programs on the host's cores.
    Starvation(usize, i64),
    /// No more than so many launches wait in a stream's queue.
    FullQueue(usize),
    /// The first batch takes so many ns more than others.
    FirstBatch(i64),
    /// Products of matrices that take `least` ns at the device's limit in 16 bit, and reach `percent` of their own
    /// limit.
    Products {
        /// Number of products.
        count: usize,
        /// Duration of each at the limit, in ns.
        least: i64,
        /// Percentage of its own limit that it reaches.
        percent: i64,
        /// Kind of its matrices.
        kind: Product,
    },
    /// Attention over so many tokens.
    Attention {
        /// Number of tokens.
        tokens: i64,
        /// Number of repetitions.
        count: usize,
        /// Whether a kernel does it all.
        is_fused: bool,
    },
    /// Sums that take so many ns together, in so many kernels.
    Sums(usize, i64),
}

/// Percentage of its limit that a good kernel reaches.
const WELL: i64 = 80;

impl Problem {
    /// The same work without the problem; `None` if there is none.
    #[must_use]
    pub fn instead(self) -> Option<Self> {
        match self {
            Self::Products { count, least, .. } => {
                Some(Self::Products { count, least, percent: WELL, kind: Product::Aligned })
            }
            Self::Attention { tokens, count, .. } => Some(Self::Attention { tokens, count, is_fused: true }),
            Self::Sums(_, length) => Some(Self::Sums(1, length)),
            _ => None,
        }
    }

    /// Adds the problem to a step, given its number.
    pub(super) fn plant(self, number: usize, step: &mut Vec<Item>) {
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
                let reduce = Item::Operator {
                    name: "gloo:all_reduce",
                    before: half,
                    launches: Vec::new(),
                    after: half,
                    inputs: None,
                };
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
                    inputs: None,
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
            Self::SmallCollectives | Self::FullQueue(_) => {}
            Self::OwnLoader(length) => step.insert(1, planted(Item::Data(length))),
            Self::SlowWorkers(length, _) => step.insert(1, planted(Item::Batch(length))),
            Self::FirstBatch(length) if number == 0 => step.insert(1, planted(Item::Data(length))),
            Self::FirstBatch(_) => {}
            Self::Thrash(every, length) => {
                behind(step, every, &|| Item::Call { name: "cudaMalloc", length });
                behind(step, every, &|| Item::Free { call: 3_000, returns: 5_000 });
            }
            Self::Reduction(length) => communicate(step, 2, "c10d::allreduce_", REDUCE, length),
            Self::LateRank(length) => {
                // Late by another part of the length in each step.
                let late = length * (i64::try_from(number % 4).unwrap_or_default() + 1) / 4;
                communicate(step, 2, "c10d::allreduce_", REDUCE, late);
            }
            Self::SmallBuckets(count, length) => {
                for _ in 0..count {
                    communicate(step, 2, "c10d::allreduce_", REDUCE, length);
                }
            }
            Self::Bubble(length) => {
                communicate(step, 4, "c10d::recv_", RECEIVE, length);
                communicate(step, 2, "c10d::recv_", RECEIVE, length);
            }
            Self::EventWait(length) => {
                let name = "Memcpy HtoD (Pinned -> Device)";
                let copy = Launch { what: What::Copy, stream: COPIES, ..kernel(name, length) };
                wait_for(step, 2, operator("aten::copy_", copy));
            }
            Self::GraphCopy(length) => {
                let name = "Memcpy HtoD (Pinned -> Device)";
                let copy = Launch { what: What::Copy, stream: COPIES, ..kernel(name, length) };
                let node = || kernel(super::Program::KERNEL, 20_000);
                let launches = vec![copy, node(), node(), node()];
                step.insert(step.len() / 2, planted(Item::Graph { call: 8_000, launches, awaits: 2 }));
            }
            Self::Starvation(every, length) => {
                let operators = step.iter_mut().filter_map(|item| match item {
                    Item::Operator { before, .. } => Some(before),
                    _ => None,
                });
                operators.skip(every / 2).step_by(every).for_each(|before| *before += length);
            }
            Self::Products { count, least, percent, kind } => {
                let one = || vec![product(rows_for(least), percent, kind)];
                (0..count).for_each(|_| work(step, one()));
            }
            Self::Attention { tokens, count, is_fused } => {
                let one = || attention(tokens, is_fused, if is_fused { GOOD_FUSED } else { WELL });
                work(step, (0..count).flat_map(|_| one()).collect());
            }
            Self::Sums(count, length) => {
                let each = elements_for(length / i64::try_from(count).unwrap_or(1).max(1));
                (0..count).for_each(|_| work(step, vec![sum(each, WELL)]));
            }
        }
    }
}

fn planted(item: Item) -> Item {
    Item::Planted(Box::new(item))
}

/// Adds an item after every `every` operators.
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
    Item::Operator { name, before: 2_000, launches: vec![launch], after: 1_000, inputs: None }
}

fn kernel(name: &'static str, length: i64) -> Launch {
    Launch { name, what: What::Kernel, stream: COMPUTE, call: 3_000, delay: 2_000, gap: 1_000, length, good: None }
}

const REDUCE: &str = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)";
const RECEIVE: &str = "ncclDevKernel_SendRecv(ncclDevComm*, unsigned long, ncclWork*)";

/// Adds an operator that communicates at a part of a step, and makes the stream that computes wait for it.
fn communicate(step: &mut Vec<Item>, part: usize, name: &'static str, kernel_name: &'static str, length: i64) {
    let what = if kernel_name == REDUCE { What::Collective } else { What::Kernel };
    let launch = Launch { what, stream: COLLECTIVES, ..kernel(kernel_name, length) };
    wait_for(step, part, operator(name, launch));
}

/// Adds an operator that launches on another stream after earlier computation, and makes later computation wait for it.
fn wait_for(step: &mut Vec<Item>, part: usize, operator: Item) {
    let Item::Operator { launches, .. } = &operator else { return };
    let other = launches[0].stream;
    let place = step.len() / part;
    // Events of these are numbered backwards: those of the program forwards.
    let number = usize::MAX - 2 * step.len();
    let [ready, done] = [number, number - 1];
    let length = 1_000;
    let items = [
        Item::Record { event: ready, stream: COMPUTE, length },
        Item::Await { event: ready, stream: other, length },
        operator,
        Item::Record { event: done, stream: other, length },
        Item::Await { event: done, stream: COMPUTE, length },
    ];
    step.splice(place..place, items.map(planted));
}

/// Adds operators in the middle of a step.
fn work(step: &mut Vec<Item>, works: Vec<Work>) {
    let items = works.into_iter().map(|work| {
        let launch = Launch { good: Some((work.family, work.good)), ..kernel(work.kernel, work.length) };
        let (name, inputs) = (work.operator, Some(work.inputs));
        planted(Item::Operator { name, before: 2_000, launches: vec![launch], after: 1_000, inputs })
    });
    let place = step.len() / 2;
    step.splice(place..place, items.collect::<Vec<_>>());
}

fn without_tensor_cores(item: &mut Item) {
    if let Item::Operator { launches, .. } = item {
        for launch in launches.iter_mut().filter(|launch| launch.name.contains("gemm")) {
            launch.name = "ampere_sgemm_128x64_nn";
        }
    }
}
