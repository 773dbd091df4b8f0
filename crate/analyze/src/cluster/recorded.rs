//! Sums that a rank's profiler wrote, where there is nothing else: `MindSpore`'s tables of a job. METRICS section 8.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::mean;
use crate::mindspore::{cluster_row, rank_flops, table, whole_operations};
use crate::steps::Steps;
use stepscope_base::Nanos;
use stepscope_trace::{Layer, Trace, Track};

/// The average step of a rank without events, by its tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordedRank {
    /// Its times, if a table has them.
    pub times: Option<RecordedTimes>,
    /// Floating-point operations, and their number per second of computing.
    pub flops: Option<[u64; 2]>,
}

/// The times of a rank's average step, as its profiler has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordedTimes {
    /// Time of computing.
    pub compute: Nanos,
    /// Time of communicating without computing.
    pub communication_alone: Nanos,
    /// The stage's own time.
    pub stage: Option<Nanos>,
    /// Time of waiting for other stages without computing.
    pub receive_alone: Option<Nanos>,
}

impl RecordedRank {
    /// The data of a trace's tables; none for a trace that has events of the program or of a device.
    #[must_use]
    pub fn of(trace: &Trace, steps: &Steps) -> Option<Self> {
        let is_told = |track: &Track| track.layer == Layer::Profiler || track.events().next().is_none();
        if trace.recorded.is_empty() || !trace.activities.is_empty() || !trace.tracks.iter().all(is_told) {
            return None;
        }
        let flops = rank_flops(0, trace).map(|flops| [flops.operations, flops.rate].map(whole_operations));
        Some(Self { times: RecordedTimes::of(trace, steps), flops })
    }
}

impl RecordedTimes {
    /// The mean over the steps that count. If some of these have no rows, the profiler's average, which may include
    /// other steps.
    fn of(trace: &Trace, steps: &Steps) -> Option<Self> {
        let times = |index: Option<usize>| {
            let row = cluster_row(0, trace, index)?;
            Some(Self {
                compute: row.computation,
                communication_alone: row.communication_alone,
                stage: row.stage,
                receive_alone: row.receive_alone,
            })
        };
        let of_steps = || -> Option<Vec<Self>> {
            let (step_trace, rows) = (table(trace, "step_trace")?, table(trace, "cluster_step_trace")?.rows.len());
            let mut row_of_step: HashMap<&str, usize, FxBuildHasher> = HashMap::default();
            for (index, row) in step_trace.rows.iter().enumerate() {
                if let Some(name) = step_trace.cell(row, "step_num").text() {
                    row_of_step.entry(name).or_insert(index);
                }
            }
            let row_of = |step: &usize| {
                // The last row is the average.
                let row = row_of_step.get(steps.steps[*step].name.as_str()).filter(|row| *row + 1 < rows)?;
                times(Some(*row))
            };
            steps.counted().iter().map(row_of).collect()
        };
        let Some(found) = of_steps().filter(|found| !found.is_empty()) else { return times(None) };
        let count = found.len() as u64;
        let of = |time: fn(&Self) -> Nanos| mean(found.iter().map(time).sum(), count);
        let known = |time: fn(&Self) -> Option<Nanos>| {
            let known: Option<Vec<Nanos>> = found.iter().map(time).collect();
            Some(mean(known?.into_iter().sum(), count))
        };
        Some(Self {
            compute: of(|times| times.compute),
            communication_alone: of(|times| times.communication_alone),
            stage: known(|times| times.stage),
            receive_alone: known(|times| times.receive_alone),
        })
    }
}
