//! Meaning of a slice of the host: the activity of its thread.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::leaves::IdleLeaf;
use crate::IntervalSet;
use crate::by_name::ByName;
use crate::data_wait::{DataWaits, is_python_wait};
use crate::steps::marks_step;
use crate::time_categories::names_collective;
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{Activity, Class, EventId, Trace, TrackId, is_xla_wait};

/// Meanings of slices of the host. Each name is examined once, at its first use.
pub(super) struct Meanings<'a> {
    trace: &'a Trace,
    /// By name.
    names: Vec<NameMeaning>,
    /// The calls that wait for their own copy though their name does not show it, sorted.
    blocked: Vec<EventId>,
    waits: DataWaits,
    /// The names of the runtime's slices that are ranges; computed at first use.
    ranges: Option<RuntimeRanges>,
    /// The names that mark steps.
    marks: ByName<bool>,
    /// The names of Python functions that wait for another thread.
    handing: ByName<bool>,
}

/// Longest call that may end after its own copy without having waited for it.
const BLOCKED: Nanos = Nanos(20_000);

#[derive(Clone, Copy, PartialEq, Eq)]
enum NameMeaning {
    /// Not examined yet.
    NotSeen,
    /// A function of Python that waits for the data loader.
    DataLoading,
    /// An operator that reads a value from the device.
    ReadsValue,
    /// A call that waits for the device.
    Synchronizes,
    /// A function of Python that waits for the device.
    PythonSynchronizes,
    /// A call that allocates or frees.
    Allocates,
    /// A call that loads a module of kernels.
    LoadsModule,
    /// A function that compiles or tunes kernels.
    Compiles,
    /// A function that collects garbage.
    CollectsGarbage,
    /// A collective of the host.
    Collective,
    /// None of these.
    Plain,
}

impl<'a> Meanings<'a> {
    pub(super) fn new(trace: &'a Trace) -> Self {
        let mut pageable = ByName::of(trace, |name| name.contains("Pageable"));
        let copies = trace.activities.iter().filter(|activity| trace.slices.class(activity.event) == Class::Memcpy);
        let blocks = |copy: &&Activity| {
            let came_back_after = |call: EventId| {
                trace.slices.length(call) > BLOCKED
                    && trace.slices.end(call) >= trace.slices.end(copy.event)
                    && trace.name_of(call).contains("Memcpy")
            };
            pageable.get(trace, trace.slices.name(copy.event)) || copy.call.get().is_some_and(came_back_after)
        };
        let mut blocked: Vec<EventId> = copies.filter(blocks).filter_map(|copy| copy.call.get()).collect();
        blocked.compact_sort();
        let (names, waits) = (vec![NameMeaning::NotSeen; trace.strings.len()], DataWaits::of(trace));
        let (marks, handing) = (ByName::of(trace, marks_step), ByName::of(trace, waits_for_thread));
        Self { trace, names, blocked, waits, ranges: None, marks, handing }
    }

    /// Activity of the thread during a slice of its own; `None` if the slice shows none.
    #[inline]
    pub(super) fn of(&mut self, id: EventId) -> Option<IdleLeaf> {
        let class = self.trace.slices.class(id);
        Some(match (class, self.of_name(id)) {
            (Class::PythonFrame, NameMeaning::DataLoading) => IdleLeaf::DataWait,
            _ if self.waits.has(self.trace, id) => IdleLeaf::DataWait,
            (_, NameMeaning::Compiles) => IdleLeaf::Compile,
            (_, NameMeaning::CollectsGarbage) => IdleLeaf::GarbageCollection,
            (Class::PythonFrame, NameMeaning::PythonSynchronizes) => IdleLeaf::Synchronization,
            (Class::PythonFrame, _) => IdleLeaf::Python,
            (Class::Operator | Class::Annotation, NameMeaning::Collective) => IdleLeaf::HostCollective,
            (Class::Synchronization, _) => IdleLeaf::Synchronization,
            (Class::Operator, NameMeaning::ReadsValue) => IdleLeaf::Synchronization,
            (Class::Operator, _) => IdleLeaf::Operator,
            (Class::RuntimeCall, NameMeaning::Synchronizes) => IdleLeaf::Synchronization,
            (Class::RuntimeCall, NameMeaning::Allocates) => IdleLeaf::Allocation,
            (Class::RuntimeCall, NameMeaning::LoadsModule) => IdleLeaf::ModuleLoad,
            (Class::RuntimeCall, _) if self.is_blocked(id) => IdleLeaf::Synchronization,
            (Class::RuntimeCall, _) if self.is_runtime_range(id) => IdleLeaf::Range,
            (Class::RuntimeCall, _) => IdleLeaf::RuntimeCall,
            (Class::Annotation, _) if self.is_range(id) => IdleLeaf::Range,
            _ => return None,
        })
    }

    /// Whether an annotation is a range of the program that shows where its thread is: no step, and no outermost range
    /// with a number, such as `train 7`.
    fn is_range(&mut self, id: EventId) -> bool {
        let name = self.trace.name_of(id);
        let is_one_of_many = name.ends_with(|end: char| end.is_ascii_digit()) && self.trace.slices.depth(id) == 0;
        !is_one_of_many && !self.marks.get(self.trace, self.trace.slices.name(id))
    }

    fn is_runtime_range(&mut self, id: EventId) -> bool {
        self.ranges.get_or_insert_with(|| RuntimeRanges::of(self.trace)).has(self.trace, id)
    }

    /// Whether a function of Python waits until another thread is done, as for autograd's.
    pub(super) fn waits_for_thread(&mut self, id: EventId) -> bool {
        let slices = &self.trace.slices;
        slices.class(id) == Class::PythonFrame && self.handing.get(self.trace, slices.name(id))
    }

    fn is_blocked(&self, id: EventId) -> bool {
        !self.blocked.is_empty() && self.blocked.binary_search(&id).is_ok()
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

/// Names of runtime slices that are ranges rather than calls: they contain operators or ranges of the program, which a
/// runtime or driver does not call.
pub(crate) struct RuntimeRanges(Vec<bool>);

impl RuntimeRanges {
    pub(crate) fn of(trace: &Trace) -> Self {
        let slices = &trace.slices;
        let mut names = vec![false; trace.strings.len()];
        for inner in slices.ids().filter(|id| matches!(slices.class(*id), Class::Operator | Class::Annotation)) {
            let Some(outer) = slices.parent(inner).filter(|outer| slices.class(*outer) == Class::RuntimeCall) else {
                continue;
            };
            // Rounded times may put the next slice inside of a call, at its end.
            if slices.start(outer) < slices.start(inner) && slices.end(inner) < slices.end(outer) {
                names[slices.name(outer).index()] = true;
            }
        }
        Self(names)
    }

    pub(crate) fn has(&self, trace: &Trace, id: EventId) -> bool {
        self.0[trace.slices.name(id).index()]
    }
}

/// Meaning of a name; calls have the names of CUDA, HIP, CANN and others.
fn meaning(name: &str) -> NameMeaning {
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
    if is_python_wait(name) {
        NameMeaning::DataLoading
    } else if python_synchronizes(name) {
        NameMeaning::PythonSynchronizes
    } else if compiles(name) {
        NameMeaning::Compiles
    } else if name == "<built-in function collect>" {
        NameMeaning::CollectsGarbage
    } else if names_collective(name) {
        NameMeaning::Collective
    } else if has(&["ModuleLoad", "LibraryLoad"]) {
        NameMeaning::LoadsModule
    } else if matches!(name, "aten::item" | "aten::_local_scalar_dense" | "aten::is_nonzero" | "aten::nonzero") {
        NameMeaning::ReadsValue
    } else if waits_for_device(name) || is_blocking_copy(name) {
        NameMeaning::Synchronizes
    } else if has(&ALLOCATES) {
        NameMeaning::Allocates
    } else {
        NameMeaning::Plain
    }
}

/// Whether a call of that name waits for the device.
pub(crate) fn waits_for_device(name: &str) -> bool {
    ["ynchronize", "QueueFinish", "urEventWait"].iter().any(|part| name.contains(part)) || is_xla_wait(name)
}

/// Whether a function of Python of this name waits for another thread.
fn waits_for_thread(name: &str) -> bool {
    name.contains("run_backward") || waits_for_lock(name)
}

/// Whether a function of Python of this name waits for a lock, an event or a task, when it calls nothing else.
pub(crate) fn waits_for_lock(name: &str) -> bool {
    let is_any = |functions: &[&str]| functions.iter().any(|function| name.ends_with(function));
    if name.contains("threading.py(") {
        return is_any(&[": wait", ": join", ": _acquire_restore", ": _wait_for_tstate_lock"]);
    }
    name.contains("'acquire' of '_thread.lock'")
        || name.starts_with("<built-in method acquire of _thread.")
        || (name.contains("concurrent/futures/thread.py(") && is_any(&[": _worker"]))
}

/// Whether a function of Python waits for the device: `torch.cuda.synchronize` and the methods of streams and events.
/// The runtime's call in it may not be recorded.
fn python_synchronizes(name: &str) -> bool {
    (name.starts_with("<built-in ") && name.contains("synchronize"))
        || (name.starts_with("torch/") && name.ends_with(": synchronize"))
}

/// Whether a function of Python compiles or tunes kernels. A path alone does not show it: compiled code runs from the
/// same files.
fn compiles(name: &str) -> bool {
    let Some((path, function)) = name.rsplit_once(": ").filter(|(path, _)| path.contains(".py(")) else {
        return false;
    };
    path.contains("_dynamo/convert_frame.py")
        || (function.contains("compile") && (path.contains("compile_fx.py") || path.contains("triton/compiler/")))
        || function.contains("autotune")
        || function.contains("benchmark_all_configs")
}

/// Whether most kernels are launched by code that PyTorch compiled: one compiled function does not make a compiled
/// model.
pub(crate) fn runs_compiled(trace: &Trace) -> bool {
    let shows = |name: &str| name.starts_with("Torch-Compiled Region") || name.starts_with("## Call CompiledFxGraph");
    let names = trace.strings.map(shows);
    if !names.contains(&true) {
        return false;
    }
    let slices = &trace.slices;
    let mut regions: HashMap<TrackId, Vec<Interval>, FxBuildHasher> = HashMap::default();
    for id in slices.ids().filter(|id| names[slices.name(*id).index()]) {
        regions.entry(slices.track(id)).or_default().push(slices.interval(id));
    }
    let regions: HashMap<TrackId, IntervalSet, FxBuildHasher> =
        regions.into_iter().map(|(track, spans)| (track, IntervalSet::of(spans))).collect();
    let is_inside = |call: EventId| {
        let start = slices.start(call);
        let spans = regions.get(&slices.track(call)).map_or(&[][..], IntervalSet::intervals);
        let next = spans.partition_point(|span| span.start <= start);
        next.checked_sub(1).is_some_and(|place| start < spans[place].end)
    };
    let is_kernel = |activity: &&Activity| slices.class(activity.event) == Class::Kernel;
    let calls = trace.activities.iter().filter(is_kernel).filter_map(|activity| activity.call.get());
    let (inside, all) =
        calls.fold((0_usize, 0), |(inside, all), call| (inside + usize::from(is_inside(call)), all + 1));
    inside * 2 > all
}

/// Effect of a call of the runtime or driver besides launching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallMeaning {
    /// It waits for the device.
    Waits,
    /// It returns when a copy or memset is done.
    Copies,
    /// It allocates or frees memory, and blocks.
    Allocates,
    /// None of these.
    Other,
}

/// Effect of a call, by its name.
pub(crate) fn call_meaning(name: &str) -> CallMeaning {
    match meaning(name) {
        _ if is_blocking_copy(name) || is_blocking(name, "Memset") => CallMeaning::Copies,
        NameMeaning::Synchronizes => CallMeaning::Waits,
        NameMeaning::Allocates if !name.contains("Async") => CallMeaning::Allocates,
        _ => CallMeaning::Other,
    }
}

/// `cudaMemcpy`, `hipMemcpyWithStream`, `cuMemcpyDtoH_v2`, but not `cudaMemcpyAsync` or `cudaGraphAddMemcpyNode`.
pub(crate) fn is_blocking_copy(name: &str) -> bool {
    is_blocking(name, "Memcpy")
}

/// Whether a call does `what` and returns when that is done.
fn is_blocking(name: &str, what: &str) -> bool {
    const LONGEST_PREFIX: usize = "aclrt".len();
    // CANN's calls begin with the name of their library: `AscendCL@aclrtMemcpy`.
    let name = name.rsplit('@').next().unwrap_or(name);
    // Without a prefix it is XLA's name of what any call launches.
    name.find(what).is_some_and(|at| 0 < at && at <= LONGEST_PREFIX) && !name.contains("Async")
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
    fn functions_that_wait_for_a_thread() {
        for (name, waits) in [
            ("<built-in method run_backward of torch._C._EngineBase object at 0x7f>", true),
            ("torch/autograd/graph.py(800): _engine_run_backward", true),
            ("<method 'acquire' of '_thread.lock' objects>", true),
            ("<built-in method acquire of _thread.lock object at 0x7f>", true),
            ("<built-in method acquire of _thread.RLock object at 0x7f>", true),
            ("threading.py(283): _acquire_restore", true),
            ("concurrent/futures/thread.py(81): _worker", true),
            ("concurrent/futures/thread.py(54): run", false),
            ("threading.py(300): wait", true),
            ("threading.py(1000): run", false),
            ("train.py(12): forward", false),
        ] {
            assert_eq!(waits_for_thread(name), waits, "{name}");
        }
    }

    #[test]
    fn names_of_calls() {
        let waits = [
            "cudaStreamSynchronize",
            "cudaDeviceSynchronize",
            "hipEventSynchronize",
            "cudaEventSynchronize",
            "cuCtxSynchronize",
            "aclrtSynchronizeStream",
            "cudaMemcpy",
            "cudaMemcpy2D",
            "hipMemcpyWithStream",
            "cuMemcpyDtoH_v2",
            "AscendCL@aclrtMemcpy",
            "synchronizeStream",
            "urQueueFinish",
            "BlockHostUntilDone",
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
            (&["torch/utils/data/dataloader.py(701): __next__"], NameMeaning::DataLoading),
            (
                &[
                    "<built-in method synchronize of torch.Event object at 0x7f3ab849d0f0>",
                    "<built-in function _cuda_synchronize>",
                    "torch/cuda/__init__.py(1073): synchronize",
                ],
                NameMeaning::PythonSynchronizes,
            ),
            (&["hipModuleLoadData", "cuLibraryLoadData"], NameMeaning::LoadsModule),
            (
                &[
                    "torch/_dynamo/convert_frame.py(1064): _compile",
                    "torch/_inductor/compile_fx.py(608): compile_fx_inner",
                    "triton/compiler/compiler.py(226): compile",
                    "torch/_inductor/runtime/triton_heuristics.py(900): autotune_to_one_config",
                ],
                NameMeaning::Compiles,
            ),
            (
                &[
                    "torch/_dynamo/eval_frame.py(838): _fn",
                    "torch/_inductor/runtime/triton_heuristics.py(1100): run",
                    "torch/_inductor/compile_fx.py(1456): run",
                ],
                NameMeaning::Plain,
            ),
        ] {
            for name in names {
                assert!(meaning(name) == expected, "{name}");
            }
        }
    }
}
