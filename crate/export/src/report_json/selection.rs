//! Overview and tables of a rank or of one of its steps, for the page.

use schemars::JsonSchema;
use serde::Serialize;

use super::Tables;
use stepscope_analyze::Rank;
use stepscope_analyze::{OperatorsConfig, OverlapBar, StepChoice, Tile, overview};

/// Overview and tables of a rank, a step or the average step.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Selection {
    tiles: Vec<TileReport>,
    overlap: Vec<OverlapReport>,
    /// Time before the first recorded activity, in which the device state is unknown.
    before_first_activity_ns: i64,
    /// Time in which device activity is not recorded.
    uncovered_ns: i64,
    /// Time of the step's mark, or on average of the steps' marks, outside of the step: the profiler recorded nothing there.
    unrecorded_ns: i64,
    /// The mean time between averaged steps, not included in their length; 0 for one step.
    between_steps_ns: i64,
    /// Idle time in which launched work starts late, for an unknown reason or behind other work.
    idle_start_late_ns: i64,
    #[serde(flatten)]
    tables: Tables,
}

impl Selection {
    /// The overview and tables of a step, of the average step, or of the whole trace.
    #[must_use]
    pub fn of(rank: &Rank, choice: StepChoice, config: OperatorsConfig) -> Self {
        let step = if let StepChoice::One(step) = choice { Some(step) } else { None };
        let overview = overview(&rank.analysis, step);
        Self {
            tiles: overview.tiles.iter().map(TileReport::of).collect(),
            overlap: overview.overlap.iter().map(OverlapReport::of).collect(),
            before_first_activity_ns: overview.before_first.0,
            uncovered_ns: overview.uncovered.0,
            unrecorded_ns: overview.unrecorded.0,
            between_steps_ns: overview.between.0,
            idle_start_late_ns: overview.start_late.0,
            tables: Tables::of(rank, choice, config),
        }
    }
}

/// A number of the overview.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct TileReport {
    name: &'static str,
    time_ns: i64,
    share: Option<f64>,
}

impl TileReport {
    pub(super) fn of(tile: &Tile) -> Self {
        Self { name: tile.name, time_ns: tile.time.0, share: tile.share }
    }
}

/// Time of a device by overlap of compute and communication.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct OverlapReport {
    device: i64,
    compute_alone_ns: i64,
    overlap_ns: i64,
    exposed_communication_ns: i64,
    exposed_memcpy_ns: i64,
    exposed_memset_ns: i64,
    idle_ns: i64,
    before_first_activity_ns: i64,
    uncovered_ns: i64,
}

impl OverlapReport {
    pub(super) fn of(bar: &OverlapBar) -> Self {
        Self {
            device: bar.device,
            compute_alone_ns: bar.compute_alone.0,
            overlap_ns: bar.overlap.0,
            exposed_communication_ns: bar.exposed_communication.0,
            exposed_memcpy_ns: bar.exposed_memcpy.0,
            exposed_memset_ns: bar.exposed_memset.0,
            idle_ns: bar.idle.0,
            before_first_activity_ns: bar.before_first.0,
            uncovered_ns: bar.uncovered.0,
        }
    }
}
