//! Waits for data: the slices of the host that are such waits, for all analyses.

use std::collections::BTreeSet;

use super::by_name::ByName;
use super::steps::marks_step;
use stepscope_base::Nanos;
use stepscope_trace::{Class, EventId, Layer, ProcessId, RawId, Trace, Track};

/// The way in which a wait for data is recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DataWait {
    /// The framework's category: Paddle's `Dataloader`.
    Category,
    /// The name that a framework gives it: see [`is_frameworks_wait`].
    Framework,
    /// The name that the user gave a range: see [`names_wait`].
    Named,
}

/// The waits for batches that workers make, as far as they are longer than one for a batch that is ready.
pub(super) struct WorkerWaits {
    by_name: ByName<bool>,
}

impl WorkerWaits {
    /// The longest wait for a batch that is ready.
    const READY: Nanos = Nanos(1_000_000);

    /// The waits of a trace.
    pub(super) fn of(trace: &Trace) -> Self {
        Self { by_name: ByName::of(trace, |name| is_dataloader(name) && name.contains("MultiProcessing")) }
    }

    /// Whether a slice is such a wait.
    #[inline]
    pub(super) fn has(&mut self, trace: &Trace, id: EventId) -> bool {
        trace.slices.length(id) > Self::READY
            && matches!(trace.slices.class(id), Class::Operator | Class::Annotation)
            && self.by_name.get(trace, trace.slices.name(id))
    }
}

/// The slices of a trace that are waits for data.
#[derive(Debug)]
pub(super) struct DataWaits {
    by_name: Vec<Option<DataWait>>,
    /// Paddle's category of waits.
    category: Option<u16>,
    /// By track, whether ranges that the user named count: a thread that loads ahead does not wait.
    counts: Vec<bool>,
}

impl DataWaits {
    /// The waits of a trace.
    pub(super) fn of(trace: &Trace) -> Self {
        let by_name = trace.strings.map(|name| {
            let named = || names_wait(name).then_some(DataWait::Named);
            is_frameworks_wait(name).then_some(DataWait::Framework).or_else(named)
        });
        let any_named = by_name.contains(&Some(DataWait::Named));
        let counts = if any_named { threads_of_steps(trace) } else { Vec::new() };
        Self { by_name, category: trace.category_named("Dataloader"), counts }
    }

    /// The way in which a slice is recognized as a wait for data; none if it is no such wait.
    #[inline]
    pub(super) fn kind(&self, trace: &Trace, id: EventId) -> Option<DataWait> {
        let class = trace.slices.class(id);
        if class == Class::Annotation && self.category == Some(trace.slices.category(id)) {
            return Some(DataWait::Category);
        }
        if class == Class::DeviceAnnotation {
            return None;
        }
        let kind = self.by_name[trace.slices.name(id).index()]?;
        let is_range = matches!(class, Class::Annotation | Class::Operator | Class::Other);
        let counts = || self.counts.get(trace.slices.track(id).index()).copied().unwrap_or_default();
        (kind == DataWait::Framework || is_range && counts()).then_some(kind)
    }

    /// Whether a slice is a wait for data.
    #[inline]
    pub(super) fn has(&self, trace: &Trace, id: EventId) -> bool {
        self.kind(trace, id).is_some()
    }
}

/// By track, whether its thread marks steps or launches; true for all where no thread does.
fn threads_of_steps(trace: &Trace) -> Vec<bool> {
    let thread = |track: &Track| (track.process, track.thread);
    let marks = trace.strings.map(marks_step);
    let mut threads: BTreeSet<(ProcessId, RawId)> = BTreeSet::new();
    let of_slice = |id: EventId| thread(&trace.tracks[trace.slices.track(id).index()]);
    threads.extend(trace.step_marks.iter().map(|(id, _)| of_slice(*id)));
    threads.extend(trace.activities.iter().filter_map(|activity| Some(of_slice(activity.call.get()?))));
    for track in trace.tracks.iter().filter(|track| track.layer == Layer::Host) {
        if track.events().any(|id| marks[trace.slices.name(id).index()]) {
            threads.insert(thread(track));
        }
    }
    trace.tracks.iter().map(|track| threads.is_empty() || threads.contains(&thread(track))).collect()
}

/// Whether a framework gives this name to the wait for its data loader's next batch.
///
/// - PyTorch, any class: `enumerate(DataLoader)#….__next__`, `enumerate(DataPipe)#…` (`torch/utils/data`)
/// - TensorFlow: operators and ops that start with `IteratorGetNext`, as xprof counts them (`ClassifyCpuEvent`), and their eager call
/// - Lightning: `[pl][profile][_TrainingEpochLoop].train_dataloader_next`, without the prefix in NVTX
pub(super) fn is_frameworks_wait(name: &str) -> bool {
    is_dataloader(name)
        || name.strip_prefix("EagerLocalExecute: ").unwrap_or(name).starts_with("IteratorGetNext")
        || name.ends_with("].train_dataloader_next")
}

/// Whether the name that a user gave a range means the wait for data, such as JAX programs' `data_wait` or
/// `next(loader)`.
///
/// Letter case and `_ - / : . #` make no difference. `reader_cost` is the name in Paddle's benchmarks, `batch-generator` in
/// Megatron-LM's timers.
pub(super) fn names_wait(name: &str) -> bool {
    const LONGEST: usize = 32;
    const NAMES: [&str; 21] = [
        "data wait",
        "wait data",
        "wait for data",
        "waiting for data",
        "dataloader",
        "dataloader next",
        "data loader",
        "data loading",
        "data load",
        "load data",
        "load batch",
        "get batch",
        "get next batch",
        "next batch",
        "fetch batch",
        "fetch data",
        "data fetch",
        "data time",
        "batch generator",
        "reader cost",
        "input wait",
    ];
    if name.len() > LONGEST {
        return false;
    }
    let mut words = [b' '; LONGEST];
    for (word, byte) in words.iter_mut().zip(name.bytes()) {
        *word = if b"_-/:.".contains(&byte) { b' ' } else { byte.to_ascii_lowercase() };
    }
    let words = std::str::from_utf8(&words).unwrap_or_default().trim_matches(['#', ' ']);
    let of_next = words.strip_prefix("next(").and_then(|rest| rest.strip_suffix(')'));
    NAMES.contains(&words)
        || of_next.is_some_and(|of| ["loader", "iter", "data", "batch"].iter().any(|it| of.contains(it)))
}

/// Whether a Python function of this name is the data loader's wait.
pub(super) fn is_python_wait(name: &str) -> bool {
    name.contains("utils/data/dataloader.py") && name.ends_with("__next__")
}

/// Whether a range of that name is the wait for the next batch of PyTorch's data loader.
#[must_use]
pub fn is_dataloader(name: &str) -> bool {
    (name.starts_with("enumerate(DataLoader)#") && name.ends_with(".__next__"))
        || name.starts_with("enumerate(DataPipe)#")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_waits() {
        for name in [
            "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
            "IteratorGetNext",
            "IteratorGetNextOp::DoCompute",
            "EagerLocalExecute: IteratorGetNext",
            "[pl][profile][_TrainingEpochLoop].train_dataloader_next",
        ] {
            assert!(is_frameworks_wait(name), "{name}");
        }
        for name in
            ["data_wait", "## Data loading ##", "next(train_loader)", "get_batch", "batch-generator", "reader_cost"]
        {
            assert!(names_wait(name) && !is_frameworks_wait(name), "{name}");
        }
        for name in
            ["Iterator::Prefetch", "data_parallel", "next", "next(x)", "batch", "train", "load_model", "dataset"]
        {
            assert!(!names_wait(name) && !is_frameworks_wait(name), "{name}");
        }
    }
}
