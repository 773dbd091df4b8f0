//! Causes of idle time: launches, queues, gaps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Named;
use super::table::{RowOf, TableRows, rows_of};
use stepscope_analyze::Rank;
use stepscope_analyze::{
    Analysis, DeviceIdle, Distribution, HostActivity, HostInGap, HostTimes, IdleConfig, IdleInSteps, IdleLeaf,
    IdleSplitTable, IdleTimeTable, LaunchNameTable, LaunchSum, LaunchTable, Launches, LaunchesConfig, LeafTimes,
    PerStep, Queue, QueueLength, QueueTable, StepChoice, idle, idle_in_steps, launches,
};
use stepscope_base::Nanos;
use stepscope_table::Table;
use stepscope_trace::{EventId, Trace};

/// Launches, queues and idle time of a rank.
#[derive(Debug, JsonSchema, Serialize)]
pub struct WhyIdle {
    launches: LaunchesReport,
    #[serde(skip_serializing_if = "TableRows::hand_over")]
    #[schemars(schema_with = "rows_of::<QueueTable>")]
    queues: TableRows,
    /// The curves of the queues, in their order; only on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_curves: Option<Vec<QueueCurvesReport>>,
    idle: Vec<DeviceIdleReport>,
}

impl WhyIdle {
    /// The report of the whole trace, with the idle time in chosen steps; none if no device has activities.
    #[must_use]
    pub fn of(rank: &Rank, choice: StepChoice) -> Option<Self> {
        let (trace, analysis) = (&rank.trace, &rank.analysis);
        (!trace.activities.is_empty()).then(|| {
            let mut report = Self {
                launches: LaunchesReport::of(trace, &analysis.launches),
                queues: TableRows::of(Table::of::<QueueTable>(&analysis.queues, &())),
                queue_curves: None,
                idle: analysis.idle.iter().map(|device| DeviceIdleReport::of(trace, device)).collect(),
            };
            report.choose(analysis, &analysis.idle, choice);
            report
        })
    }

    /// The report with other thresholds, and with the queues' curves.
    #[must_use]
    pub fn with(rank: &Rank, thresholds: &IdleThresholds, choice: StepChoice) -> Option<Self> {
        let (trace, analysis) = (&rank.trace, &rank.analysis);
        let mut report = Self::of(rank, choice)?;
        let (calls, gaps) = thresholds.over(&analysis.launches.config, analysis.idle.first().map(|idle| &idle.config));
        if calls != analysis.launches.config {
            report.launches = LaunchesReport::of(trace, &launches(trace, &calls));
        }
        if analysis.idle.iter().any(|device| device.config != gaps) {
            let changed = idle(trace, &analysis.steps, &gaps);
            report.idle = changed.iter().map(|device| DeviceIdleReport::of(trace, device)).collect();
            report.choose(analysis, &changed, choice);
        }
        let curves =
            |queue: &Queue| QueueCurvesReport { waiting: points(&queue.waiting), in_flight: points(&queue.in_flight) };
        report.queue_curves = Some(analysis.queues.iter().map(curves).collect());
        Some(report)
    }

    /// Adds the idle time in chosen steps.
    fn choose(&mut self, analysis: &Analysis, idle: &[DeviceIdle], choice: StepChoice) {
        let chosen = idle_in_steps(analysis, idle, choice).into_iter().flatten();
        for (device, chosen) in self.idle.iter_mut().zip(chosen) {
            device.in_steps = Some(InStepsReport::of(&chosen, choice));
        }
    }
}

/// Thresholds set by the user, in ns.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct IdleThresholds {
    /// A call that takes longer is slow.
    pub slow_call_ns: Option<i64>,
    /// A launch is late if the device idles longer after the call's end before it starts.
    pub late_ns: Option<i64>,
    /// A gap before something that had been launched in time is a kernel wait if it is shorter.
    pub kernel_wait_ns: Option<i64>,
    /// A gap of a whole device is long if it is longer.
    pub long_gap_ns: Option<i64>,
}

impl IdleThresholds {
    fn over(&self, calls: &LaunchesConfig, gaps: Option<&IdleConfig>) -> (LaunchesConfig, IdleConfig) {
        let chosen = |wanted: Option<i64>, else_this: Nanos| wanted.map_or(else_this, |wanted| Nanos(wanted.max(0)));
        let gaps = gaps.copied().unwrap_or_else(IdleConfig::standard);
        (
            LaunchesConfig {
                slow: chosen(self.slow_call_ns, calls.slow),
                late: chosen(self.late_ns, calls.late),
                ..*calls
            },
            IdleConfig {
                kernel_wait: chosen(self.kernel_wait_ns, gaps.kernel_wait),
                long_gap: chosen(self.long_gap_ns, gaps.long_gap),
                ..gaps
            },
        )
    }
}

/// A queue's length from a time on, until the next point.
fn points(length: &QueueLength) -> Vec<(i64, u64)> {
    length.curve.iter().map(|(at, length)| (at.0, *length)).collect()
}

/// A reference to a slice.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct SliceReport {
    slice: u32,
    name: String,
}

impl SliceReport {
    pub(super) fn of(trace: &Trace, id: EventId) -> Self {
        Self { slice: id.0, name: trace.name_of(id).to_owned() }
    }
}

/// Launching calls of the trace.
#[derive(Debug, JsonSchema, Serialize)]
struct LaunchesReport {
    slow_threshold_ns: i64,
    late_threshold_ns: i64,
    #[serde(flatten)]
    total: LaunchSumReport,
    unlinked_activities: u64,
    cpu: DistributionReport,
    gpu: DistributionReport,
    delay: DistributionReport,
    #[serde(skip_serializing_if = "TableRows::hand_over")]
    #[schemars(schema_with = "rows_of::<LaunchNameTable>")]
    names: TableRows,
    #[serde(skip_serializing_if = "TableRows::hand_over")]
    #[schemars(schema_with = "rows_of::<LaunchTable<false>>")]
    slowest: TableRows,
    #[serde(skip_serializing_if = "TableRows::hand_over")]
    #[schemars(schema_with = "rows_of::<LaunchTable<true>>")]
    latest: TableRows,
}

impl LaunchesReport {
    fn of(trace: &Trace, launches: &Launches) -> Self {
        Self {
            slow_threshold_ns: launches.config.slow.0,
            late_threshold_ns: launches.config.late.0,
            total: LaunchSumReport::of(&launches.total),
            unlinked_activities: launches.unlinked,
            cpu: DistributionReport::of(&launches.cpu),
            gpu: DistributionReport::of(&launches.gpu),
            delay: DistributionReport::of(&launches.delay),
            names: TableRows::of(Table::of::<LaunchNameTable>(&launches.names, trace)),
            slowest: TableRows::of(Table::of::<LaunchTable<false>>(&launches.slowest, trace)),
            latest: TableRows::of(Table::of::<LaunchTable<true>>(&launches.latest, trace)),
        }
    }
}

/// Sums over launching calls.
#[derive(Debug, JsonSchema, Serialize)]
struct LaunchSumReport {
    calls: u64,
    activities: u64,
    short: u64,
    slow: u64,
    /// Calls blocked by a full queue; not counted as short or slow.
    blocked: u64,
    /// Calls whose first activity started long after the call: `queued`, `before_first_activity` or `late`.
    delayed: u64,
    queued: u64,
    before_first_activity: u64,
    late: u64,
    cpu_ns: i64,
    cpu_max_ns: i64,
    gpu_ns: i64,
    delay_ns: i64,
    delay_mean_ns: i64,
    delay_max_ns: i64,
}

impl LaunchSumReport {
    fn of(sum: &LaunchSum) -> Self {
        Self {
            calls: sum.calls,
            activities: sum.activities,
            short: sum.short,
            slow: sum.slow,
            blocked: sum.blocked,
            delayed: sum.delayed,
            queued: sum.queued,
            before_first_activity: sum.before_first,
            late: sum.late,
            cpu_ns: sum.cpu.0,
            cpu_max_ns: sum.cpu_max.0,
            gpu_ns: sum.gpu.0,
            delay_ns: sum.delay.0,
            delay_mean_ns: sum.delay_mean().0,
            delay_max_ns: sum.delay_max.0,
        }
    }
}

/// Statistics and histogram of lengths.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DistributionReport {
    mean_ns: i64,
    median_ns: i64,
    min_ns: i64,
    max_ns: i64,
    std_ns: i64,
    histogram: Vec<HistogramBarReport>,
}

/// Number of lengths from `from_ns` to below `to_ns`. Empty bars are left out.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct HistogramBarReport {
    pub(super) from_ns: i64,
    pub(super) to_ns: i64,
    pub(super) count: u64,
}

impl DistributionReport {
    pub(super) fn of(distribution: &Distribution) -> Self {
        let Distribution { statistics, histogram } = distribution;
        let bars = histogram.bars();
        Self {
            mean_ns: statistics.mean.0,
            median_ns: statistics.median.0,
            min_ns: statistics.min.0,
            max_ns: statistics.max.0,
            std_ns: statistics.std.0,
            histogram: bars
                .filter(|(_, count)| *count > 0)
                .map(|(bar, count)| HistogramBarReport { from_ns: bar.start.0, to_ns: bar.end.0, count })
                .collect(),
        }
    }
}

/// The number of waiting and in-flight launches of a queue: from each time on, until the next.
#[derive(Debug, JsonSchema, Serialize)]
struct QueueCurvesReport {
    waiting: Vec<(i64, u64)>,
    in_flight: Vec<(i64, u64)>,
}

/// Idle time of a device.
#[derive(Debug, JsonSchema, Serialize)]
struct DeviceIdleReport {
    #[serde(flatten)]
    split: RowOf<IdleSplitTable<false>>,
    kernel_wait_threshold_ns: i64,
    /// Idle time by leaf; the leaves add up to `idle_ns`.
    leaves_ns: LeavesReport,
    streams: Vec<StreamIdleReport>,
    long_gaps: LongGapsReport,
    /// Leaves of each step, in order.
    step_leaves_ns: Vec<LeavesReport>,
    /// Long lead-in and lead-out times, as gaps with one end.
    #[schemars(schema_with = "rows_of::<IdleTimeTable<true>>")]
    edges: TableRows,
    /// Device time in the chosen step, or averaged over steps; left out for the whole trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_steps: Option<InStepsReport>,
}

/// Device time in the chosen steps; the window is their length.
#[derive(Debug, JsonSchema, Serialize)]
struct InStepsReport {
    /// The number of steps averaged; null for one step.
    averaged_steps: Option<u64>,
    #[serde(flatten)]
    split: RowOf<IdleSplitTable<false>>,
    leaves_ns: LeavesReport,
}

impl InStepsReport {
    fn of(found: &IdleInSteps, choice: StepChoice) -> Self {
        let per = PerStep(found.divisor);
        Self {
            averaged_steps: (choice == StepChoice::Average).then_some(found.divisor),
            split: RowOf::one(&found.split(), &()),
            leaves_ns: leaves_of(&found.leaves.map(|sum| per.time(sum))),
        }
    }
}

impl DeviceIdleReport {
    fn of(trace: &Trace, device: &DeviceIdle) -> Self {
        let splits = RowOf::all(&device.stream_splits(), &());
        let streams = device.streams.iter().zip(splits);
        Self {
            split: RowOf::one(&device.split(), &()),
            kernel_wait_threshold_ns: device.config.kernel_wait.0,
            leaves_ns: leaves_of(&device.times.leaves),
            streams: streams
                .map(|((_, times), split)| StreamIdleReport { split, leaves_ns: leaves_of(&times.leaves) })
                .collect(),
            long_gaps: LongGapsReport {
                threshold_ns: device.config.long_gap.0,
                count: device.long_gaps,
                total_ns: device.long_gaps_time.0,
                longest: TableRows::of(Table::of::<IdleTimeTable<false>>(&device.gap_rows(), trace)),
            },
            step_leaves_ns: device.steps.iter().map(leaves_of).collect(),
            edges: TableRows::of(Table::of::<IdleTimeTable<true>>(&device.edge_rows(), trace)),
            in_steps: None,
        }
    }
}

/// Idle time of a stream.
#[derive(Debug, JsonSchema, Serialize)]
struct StreamIdleReport {
    #[serde(flatten)]
    split: RowOf<IdleSplitTable<true>>,
    leaves_ns: LeavesReport,
}

/// The time of each leaf by its name; leaves without time are left out.
type LeavesReport = Named<i64>;

fn leaves_of(times: &LeafTimes) -> LeavesReport {
    let some = IdleLeaf::ALL.into_iter().zip(times).filter(|(_, time)| **time > Nanos::ZERO);
    Named(some.map(|(leaf, time)| (leaf.name(), time.0)).collect())
}

/// Host time by activity.
#[derive(Debug, JsonSchema, Serialize)]
struct HostTimesReport {
    data_loading_ns: i64,
    synchronization_ns: i64,
    allocation_ns: i64,
    launching_ns: i64,
    operator_ns: i64,
    python_ns: i64,
    /// Left out if zero.
    #[serde(skip_serializing_if = "is_zero")]
    range_ns: i64,
    unrecorded_ns: i64,
    /// Launched in time but started late; not caused by the host. Left out if zero.
    #[serde(skip_serializing_if = "is_zero")]
    start_late_unexplained_ns: i64,
}

#[cfg_attr(target_pointer_width = "64", expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so"))]
fn is_zero(time: &i64) -> bool {
    *time == 0
}

impl HostTimesReport {
    fn of(times: &HostTimes) -> Self {
        let of = |activity: HostActivity| times[activity as usize].0;
        Self {
            data_loading_ns: of(HostActivity::DataLoading),
            synchronization_ns: of(HostActivity::Synchronization),
            allocation_ns: of(HostActivity::Allocation),
            launching_ns: of(HostActivity::Launching),
            operator_ns: of(HostActivity::Operator),
            python_ns: of(HostActivity::Python),
            range_ns: of(HostActivity::Range),
            unrecorded_ns: of(HostActivity::Unrecorded),
            start_late_unexplained_ns: of(HostActivity::StartLate),
        }
    }
}

/// Long gaps of a device.
#[derive(Debug, JsonSchema, Serialize)]
struct LongGapsReport {
    threshold_ns: i64,
    count: u64,
    total_ns: i64,
    #[schemars(schema_with = "rows_of::<IdleTimeTable<false>>")]
    longest: TableRows,
}

/// Host activity in a gap.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct HostInGapReport {
    activity: &'static str,
    shown_by: Option<SliceReport>,
    #[serde(flatten)]
    times: HostTimesReport,
}

impl HostInGapReport {
    pub(super) fn of(trace: &Trace, host: &HostInGap) -> Self {
        Self {
            activity: host.activity.name(),
            shown_by: host.slice.map(|id| SliceReport::of(trace, id)),
            times: HostTimesReport::of(&host.times),
        }
    }
}
