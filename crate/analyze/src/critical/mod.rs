//! The critical path of each step, and replays with one change. METRICS section 11.

mod build;
mod calls;
mod collectives;
mod device;
mod full_queue;
mod gone;
mod graph;
mod host;
mod other_threads;
mod path;
mod recorded_waits;
mod replay;
mod report;
mod table;
#[cfg(test)]
mod tests;
mod waits;

pub(crate) use self::gone::{Gone, saving_without};
pub use self::graph::ExecutionGraph;
pub(crate) use self::host::pageable_calls;
pub use self::replay::{Change, Replay, ReplayedStep, kernels_named, what_if};
pub use self::report::{CriticalPath, CriticalPaths, PathClass, PathPiece, PathRow, PathTimes};
pub use self::table::{PathContext, PathTable};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;

use super::innermost::Innermost;
use super::{IntervalSet, Steps};
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::{NameId, Trace};

/// Longest unrecorded time that an interpreter needs from one operator to the next.
const SILENCE: Nanos = Nanos(100_000);

/// The critical path through a step; none if there is no such step.
///
/// It leads from the step's end back to the dependency that came last, and on from there, so that its pieces cover the
/// step exactly.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{ExecutionGraph, PathClass, StepsConfig, critical_path};
///
/// // The host launches a kernel of 50 µs, waits for it until 62 µs, and is done at 70 µs.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":70},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":50,"args":{"stream":7,"correlation":9}},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":1,"tid":1,"ts":8,"dur":54}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let steps = analyze::steps(&trace, &StepsConfig::default());
/// let path = critical_path(&trace, &steps, &ExecutionGraph::of(&trace, &steps), 0).expect("a step");
/// let pieces: Vec<_> = path.pieces.iter().map(|piece| (piece.class, piece.span.len().0 / 1000)).collect();
/// use PathClass::*;
/// assert_eq!(pieces, [(Other, 5), (RuntimeCall, 2), (LaunchDelay, 3), (Compute, 50), (SyncWait, 2), (Other, 8)]);
/// assert_eq!(path.times.into_iter().sum::<Nanos>(), path.span.len());
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn critical_path(trace: &Trace, steps: &Steps, graph: &ExecutionGraph, step: usize) -> Option<CriticalPath> {
    let last = *path::last_nodes(steps, graph).get(step)?;
    Some(path::of_step(trace, steps, graph, &mut Innermost::of(trace), (step, last)))
}

/// Spans in which devices run work that no call launched.
fn unlinked_work(trace: &Trace) -> IntervalSet {
    let unlinked = trace.activities.iter().filter(|activity| activity.call.get().is_none());
    IntervalSet::of(unlinked.map(|activity| trace.slices.interval(activity.event)))
}

impl CriticalPaths {
    /// Whether the paths are known: at most half of their time lies on the host, or between activities, beside work that
    /// no call launched.
    #[must_use]
    pub fn are_known(&self) -> bool {
        self.unlinked_per_step().0.saturating_mul(2) <= self.mean.iter().copied().sum::<Nanos>().0
    }

    /// [`Self::unlinked`] of a step, on average.
    #[must_use]
    pub fn unlinked_per_step(&self) -> Nanos {
        super::mean(self.unlinked, self.counted)
    }

    /// [`Self::inferred`] of a step, on average.
    #[must_use]
    pub fn inferred_per_step(&self) -> Nanos {
        super::mean(self.inferred, self.counted)
    }
}

/// The critical paths of all steps, without their pieces.
#[must_use]
pub fn critical_paths(trace: &Trace, steps: &Steps, graph: &ExecutionGraph) -> CriticalPaths {
    let last = path::last_nodes(steps, graph);
    let counted = steps.counted();
    let mut times = Vec::with_capacity(last.len());
    let unlinked_work = unlinked_work(trace);
    let mut innermost = Innermost::of(trace);
    let (mut unclear, mut unlinked, mut inferred) = (Nanos::ZERO, Nanos::ZERO, Nanos::ZERO);
    let mut rows: HashMap<(PathClass, NameId), PathRow, FxBuildHasher> = HashMap::default();
    for (step, node) in last.into_iter().enumerate() {
        let path = path::of_step(trace, steps, graph, &mut innermost, (step, node));
        times.push(path.times);
        if counted.binary_search(&step).is_err() {
            continue;
        }
        inferred += path.inferred;
        for piece in path.pieces {
            // An activity may wait for work of another stream, as the host may.
            if piece.class.is_of_host() || piece.class == PathClass::KernelWait {
                let beside = unlinked_work.clip(piece.span).len();
                let is_silent = piece.slice.get().is_none() && piece.span.len() > SILENCE;
                if piece.class.is_of_host() {
                    unclear += if is_silent { piece.span.len() } else { beside };
                }
                unlinked += beside;
            }
            let name = piece.slice.get().map_or(NameId::NONE, |id| trace.slices.name(id));
            let new = PathRow { class: piece.class, name, pieces: 0, total: Nanos::ZERO, longest: piece };
            let row = rows.entry((piece.class, name)).or_insert(new);
            row.pieces += 1;
            row.total += piece.span.len();
            if piece.span.len() > row.longest.span.len() {
                row.longest = piece;
            }
        }
    }
    let mean =
        |of: &dyn Fn(usize) -> Nanos| super::mean(counted.iter().map(|step| of(*step)).sum(), counted.len() as u64);
    let mut rows: Vec<PathRow> = rows.into_values().collect();
    rows.compact_sort_by_key(|row| (Reverse(row.total), row.class, trace.strings.get(row.name), row.name));
    CriticalPaths {
        mean: std::array::from_fn(|class| mean(&|step| times[step][class])),
        mean_length: mean(&|step| steps.steps[step].span.len()),
        counted: counted.len() as u64,
        unclear,
        unlinked,
        inferred,
        steps: times,
        rows,
    }
}
