//! Critical paths and what-if replays.

use std::cell::OnceCell;

use schemars::JsonSchema;
use serde::Serialize;

use super::Named;
use super::table::{TableRows, rows_of};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    Change, CriticalPath, ExecutionGraph, PathClass, PathContext, PathPiece, PathTable, PathTimes, Replay, Steps,
    critical_path, what_if,
};
use stepscope_base::CompactSort;
use stepscope_table::Table;
use stepscope_trace::{EventId, NameId, Trace};

/// The critical path of a rank's steps, and what-if replays. METRICS section 11.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CriticalReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    critical_path: Option<CriticalPathsReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    what_if: Vec<ReplayReport>,
}

/// The requested parts of the report.
#[derive(Clone, Copy, Debug, Default)]
pub struct CriticalRequest<'a> {
    /// Whether the paths are requested.
    pub paths: bool,
    /// The step whose path is requested in pieces, by its index.
    pub step: Option<usize>,
    /// Changes to replay.
    pub changes: &'a [Change],
}

impl CriticalReport {
    /// The requested parts for a rank.
    #[must_use]
    pub fn of(rank: &Rank, request: CriticalRequest<'_>) -> Self {
        let (trace, steps) = (&rank.trace, &rank.analysis.steps);
        let graph = OnceCell::new();
        let graph = || graph.get_or_init(|| ExecutionGraph::of(trace, steps));
        let replay = |change| ReplayReport::of(steps, change, &what_if(trace, steps, graph(), change));
        let path = |step| Some((step, critical_path(trace, steps, graph(), step)?));
        let paths = || CriticalPathsReport::of(rank, request.step.and_then(path));
        Self { critical_path: request.paths.then(paths), what_if: request.changes.iter().map(replay).collect() }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
struct CriticalPathsReport {
    steps_counted: u64,
    step_ns: i64,
    /// False where more than half of the paths' time is `unlinked`.
    known: bool,
    /// Time of a step's path on the host while devices run work that no call launched: the host may wait for it.
    unlinked_ns_per_step: i64,
    /// Time of a step's path for which it follows other threads by elimination: the step's thread shows no work then.
    #[serde(skip_serializing_if = "Option::is_none")]
    inferred_ns_per_step: Option<i64>,
    classes: Named<i64>,
    steps: Vec<StepPathReport>,
    #[schemars(schema_with = "rows_of::<PathTable>")]
    rows: TableRows,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<CriticalPathReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct StepPathReport {
    name: String,
    length_ns: i64,
    classes: Named<i64>,
}

/// The critical path of a step as consecutive pieces.
#[derive(Debug, JsonSchema, Serialize)]
struct CriticalPathReport {
    step: usize,
    start_ns: i64,
    end_ns: i64,
    classes: Vec<&'static str>,
    /// Slice, start, end, and an index into `classes`.
    pieces: Vec<(Option<u32>, i64, i64, usize)>,
    /// The distinct names of the pieces' slices.
    names: Vec<String>,
    /// For each piece an index into `names`.
    piece_names: Vec<Option<usize>>,
}

impl CriticalPathsReport {
    fn of(rank: &Rank, path: Option<(usize, CriticalPath)>) -> Self {
        let trace = &rank.trace;
        let paths = rank.analysis.paths(trace);
        let of_steps = rank.analysis.steps.steps.iter().zip(&paths.steps);
        Self {
            steps_counted: paths.counted,
            step_ns: paths.mean_length.0,
            known: paths.are_known(),
            unlinked_ns_per_step: paths.unlinked_per_step().0,
            inferred_ns_per_step: Some(paths.inferred_per_step().0).filter(|time| *time > 0),
            classes: classes(&paths.mean),
            steps: of_steps
                .map(|(step, times)| StepPathReport {
                    name: step.name.clone(),
                    length_ns: step.span.len().0,
                    classes: classes(times),
                })
                .collect(),
            rows: TableRows::of(Table::of::<PathTable>(&paths.rows, &PathContext { trace, paths })),
            path: path.map(|(step, path)| CriticalPathReport::of(trace, step, &path)),
        }
    }
}

impl CriticalPathReport {
    fn of(trace: &Trace, step: usize, path: &CriticalPath) -> Self {
        let slice = |id: EventId| id.get().map(|id| id.0);
        let pieces = path.pieces.iter();
        let name = |id: EventId| id.get().map(|id| trace.slices.name(id));
        let mut known: Vec<NameId> = path.pieces.iter().filter_map(|piece| name(piece.slice)).collect();
        known.compact_sort();
        known.dedup();
        let place = |piece: &PathPiece| known.binary_search(&name(piece.slice)?).ok();
        Self {
            step,
            start_ns: path.span.start.0,
            end_ns: path.span.end.0,
            classes: PathClass::ALL.iter().map(|class| class.name()).collect(),
            pieces: pieces
                .map(|piece| (slice(piece.slice), piece.span.start.0, piece.span.end.0, piece.class as usize))
                .collect(),
            piece_names: path.pieces.iter().map(place).collect(),
            names: known.iter().map(|name| trace.strings.get(*name).to_owned()).collect(),
        }
    }
}

fn classes(times: &PathTimes) -> Named<i64> {
    const KEYS: [&str; PathClass::ALL.len()] = [
        "host_operator_ns",
        "runtime_call_ns",
        "launch_delay_ns",
        "start_late_ns",
        "compute_ns",
        "communication_ns",
        "memcpy_ns",
        "memset_ns",
        "sync_wait_ns",
        "data_loading_ns",
        "kernel_wait_ns",
        "other_ns",
    ];
    Named(KEYS.into_iter().zip(times.iter().map(|time| time.0)).collect())
}

#[derive(Debug, JsonSchema, Serialize)]
struct ReplayReport {
    change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    factor: Option<f64>,
    changed: u64,
    steps_counted: u64,
    step_ns: i64,
    new_step_ns: i64,
    gain_ns_per_step: i64,
    steps: Vec<StepReplayReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct StepReplayReport {
    name: String,
    length_ns: i64,
    new_length_ns: i64,
}

impl ReplayReport {
    fn of(steps: &Steps, change: &Change, replay: &Replay) -> Self {
        let (kernel, factor) = match change {
            Change::Kernel { name, factor } => (Some(name.clone()), Some(*factor)),
            _ => (None, None),
        };
        let [before, after] = replay.mean;
        let of_steps = steps.steps.iter().zip(&replay.steps);
        Self {
            change: change.name(),
            kernel,
            factor,
            changed: replay.changed,
            steps_counted: replay.counted,
            step_ns: before.0,
            new_step_ns: after.0,
            gain_ns_per_step: (before - after).0,
            steps: of_steps
                .map(|(step, replayed)| StepReplayReport {
                    name: step.name.clone(),
                    length_ns: replayed.before.len().0,
                    new_length_ns: replayed.after.len().0,
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_base::Nanos;

    #[test]
    fn keys_are_the_classes_names() {
        let named = classes(&[Nanos::ZERO; PathClass::ALL.len()]);
        let keys = named.0.iter().map(|(key, _)| key.trim_end_matches("_ns"));
        assert!(keys.eq(PathClass::ALL.iter().map(|class| class.name())));
    }
}
