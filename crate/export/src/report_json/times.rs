//! Device time, categories and phases: of a device, a step, the average step.

use schemars::JsonSchema;
use serde::Serialize;

use super::Named;
use super::table::RowOf;
use stepscope_analyze::{
    Analysis, CategoryTimes, DeviceTime, PerStep, Phase, PhaseTime, Statistics, StepAverage, StepContext, StepTable,
    Steps, TimeCategory, WholeStep,
};
use stepscope_base::Nanos;
use stepscope_table::Count;

/// Time of a device by category.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DeviceTimeReport {
    /// The device's number; null for a mean of several devices.
    device: Option<i64>,
    window_ns: i64,
    busy_ns: i64,
    idle_ns: i64,
    /// Time before the first recorded activity: neither busy nor known to be idle.
    before_first_activity_ns: i64,
    /// Time in steps that the timeline does not cover: neither busy nor known to be idle.
    uncovered_ns: i64,
    compute_ns: i64,
    communication_ns: i64,
    memcpy_ns: i64,
    memset_ns: i64,
    overlap_ns: i64,
    exposed_communication_ns: i64,
    exposed_memcpy_ns: i64,
    exposed_memset_ns: i64,
    overlap_of_communication: Option<f64>,
}

impl DeviceTimeReport {
    pub(super) fn of(time: &DeviceTime) -> Self {
        Self {
            device: Some(time.device).filter(|device| *device != DeviceTime::SEVERAL),
            window_ns: time.window.0,
            busy_ns: time.busy.0,
            idle_ns: time.idle.0,
            before_first_activity_ns: time.before_first.0,
            uncovered_ns: time.uncovered.0,
            compute_ns: time.compute.0,
            communication_ns: time.communication.0,
            memcpy_ns: time.memcpy.0,
            memset_ns: time.memset.0,
            overlap_ns: time.overlap.0,
            exposed_communication_ns: time.exposed_communication.0,
            exposed_memcpy_ns: time.exposed_memcpy.0,
            exposed_memset_ns: time.exposed_memset.0,
            overlap_of_communication: time.overlap_of_communication(),
        }
    }
}

/// Time by category.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
struct CategoriesReport {
    kernel_ns: i64,
    memcpy_ns: i64,
    memset_ns: i64,
    communication_ns: i64,
    runtime_ns: i64,
    dataloader_ns: i64,
    cpu_ns: i64,
    other_ns: i64,
}

impl CategoriesReport {
    fn of(times: &CategoryTimes) -> Self {
        let of = |category: TimeCategory| times[category as usize].0;
        Self {
            kernel_ns: of(TimeCategory::Kernel),
            memcpy_ns: of(TimeCategory::Memcpy),
            memset_ns: of(TimeCategory::Memset),
            communication_ns: of(TimeCategory::Communication),
            runtime_ns: of(TimeCategory::Runtime),
            dataloader_ns: of(TimeCategory::Dataloader),
            cpu_ns: of(TimeCategory::Cpu),
            other_ns: of(TimeCategory::Other),
        }
    }
}

/// Host categories while the state of a device is unknown, and their sum.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
struct EarlyCategories {
    runtime_ns: i64,
    dataloader_ns: i64,
    cpu_ns: i64,
    other_ns: i64,
    total_ns: i64,
}

impl EarlyCategories {
    fn of(times: &CategoryTimes) -> Option<Self> {
        let of = |category: TimeCategory| times[category as usize].0;
        let total: Nanos = times.iter().copied().sum();
        (total > Nanos::ZERO).then(|| Self {
            runtime_ns: of(TimeCategory::Runtime),
            dataloader_ns: of(TimeCategory::Dataloader),
            cpu_ns: of(TimeCategory::Cpu),
            other_ns: of(TimeCategory::Other),
            total_ns: total.0,
        })
    }
}

/// Time by category, and what of it is at the start while the state of a device is unknown.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ByCategory {
    categories: CategoriesReport,
    /// The part of `categories` before the first recorded activity, while the state of a device is unknown; left out if zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    categories_before_first_activity: Option<EarlyCategories>,
    #[serde(flatten)]
    earlier: EarlierNames,
}

impl ByCategory {
    pub(super) fn of(times: &CategoryTimes, before: &CategoryTimes) -> Self {
        Self {
            categories: CategoriesReport::of(times),
            categories_before_first_activity: EarlyCategories::of(before),
            earlier: EarlierNames::of(times, before),
        }
    }
}

/// Time of a phase.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct PhaseReport {
    calls: u64,
    host_ns: i64,
    device_ns: i64,
}

/// The phases' times by their names.
pub(super) fn phases_of(times: &[PhaseTime; 5]) -> Named<PhaseReport> {
    let phase = |time: &PhaseTime| PhaseReport { calls: time.calls, host_ns: time.host.0, device_ns: time.device.0 };
    Named(Phase::ALL.iter().map(|name| name.name()).zip(times.iter().map(phase)).collect())
}

/// A step.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct StepReport {
    #[serde(flatten)]
    row: RowOf<StepTable>,
    device_time: Vec<DeviceTimeReport>,
    #[serde(flatten)]
    earlier: EarlierNames,
}

/// Earlier names of keys of a step's row.
#[derive(Debug, JsonSchema, Serialize)]
struct EarlierNames {
    /// The earlier name of `categories`.
    #[schemars(extend("deprecated" = true))]
    roles: CategoriesReport,
    /// The earlier name of `categories_before_first_activity`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("deprecated" = true))]
    roles_before_first_activity: Option<EarlyCategories>,
}

impl EarlierNames {
    fn of(times: &CategoryTimes, before: &CategoryTimes) -> Self {
        Self { roles: CategoriesReport::of(times), roles_before_first_activity: EarlyCategories::of(before) }
    }
}

impl StepReport {
    /// All steps.
    pub(super) fn all(analysis: &Analysis) -> Vec<Self> {
        let steps: Vec<usize> = (0..analysis.steps.steps.len()).collect();
        let rows = RowOf::<StepTable>::all(&steps, &StepContext { analysis, known: false });
        let early = |index: usize| analysis.categories_before_first.get(index).copied().unwrap_or_default();
        let more = rows.zip(analysis.step_devices.iter().zip(&analysis.categories)).enumerate();
        more.map(|(index, (row, (devices, categories)))| Self {
            row,
            device_time: devices.iter().map(DeviceTimeReport::of).collect(),
            earlier: EarlierNames::of(categories, &early(index)),
        })
        .collect()
    }
}

/// Means over steps.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct AverageReport {
    steps: u64,
    /// The number of steps averaged in `categories`, `device_time` and `data_wait_ns`: those that the timeline covers.
    covered_steps: u64,
    step_ns: i64,
    /// The mean time of the steps' marks outside of the steps: the profiler recorded nothing there.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrecorded_ns: Option<i64>,
    /// The mean time between these steps, not included in their length.
    #[serde(skip_serializing_if = "Option::is_none")]
    between_steps_ns: Option<i64>,
    #[serde(flatten)]
    by_category: ByCategory,
    device_time: DeviceTimeReport,
    /// Without devices: communication on hosts while no host computes.
    #[serde(skip_serializing_if = "Option::is_none")]
    exposed_on_hosts_ns: Option<i64>,
    data_wait_ns: i64,
}

impl AverageReport {
    pub(super) fn of(average: &StepAverage) -> Self {
        Self {
            steps: average.steps,
            covered_steps: average.covered_steps,
            step_ns: average.length.0,
            unrecorded_ns: None,
            between_steps_ns: None,
            by_category: ByCategory::of(&average.categories, &average.categories_before_first),
            device_time: DeviceTimeReport::of(&average.device),
            exposed_on_hosts_ns: average.exposed_on_hosts.map(|time| time.0),
            data_wait_ns: average.data_wait.0,
        }
    }

    /// The averages of steps, with the time between them.
    pub(super) fn of_steps(average: &StepAverage, steps: &Steps) -> Self {
        let between_steps_ns = known(steps.mean_between());
        Self { between_steps_ns, ..Self::of(average) }.with_unrecorded(steps.unrecorded(None))
    }

    pub(super) fn with_unrecorded(self, time: Nanos) -> Self {
        Self { unrecorded_ns: known(time), ..self }
    }
}

/// A time that is left out if zero.
fn known(time: Nanos) -> Option<i64> {
    Some(time.0).filter(|time| *time > 0)
}

/// The extent of the only step, if the trace marks no steps.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct WholeStepReport {
    /// `operators`, `activities` or `events`: the step spans from the first to the last of these.
    span: &'static str,
    /// Time of the trace before and after the step.
    outside_ns: i64,
    device_busy_outside_ns: i64,
}

impl WholeStepReport {
    pub(super) fn of(whole: &WholeStep) -> Self {
        Self { span: whole.span.name(), outside_ns: whole.outside.0, device_busy_outside_ns: whole.busy_outside.0 }
    }
}

/// Statistics of the lengths of calls.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct StatisticsReport {
    calls: Count,
    total_ns: i64,
    mean_ns: i64,
    median_ns: i64,
    min_ns: i64,
    max_ns: i64,
    std_ns: i64,
}

impl StatisticsReport {
    /// Sums per step, and statistics of single calls.
    pub(super) fn of(times: &Statistics, per: PerStep) -> Self {
        Self {
            calls: per.count(times.calls),
            total_ns: per.time(times.total).0,
            mean_ns: times.mean.0,
            median_ns: times.median.0,
            min_ns: times.min.0,
            max_ns: times.max.0,
            std_ns: times.std.0,
        }
    }
}
