//! The step budget and its causes.

use serde::Serialize;

use super::Named;
use stepscope_analyze::Rank;
use stepscope_analyze::{BudgetCause, BudgetTimes, DeviceBudget, Longest, budget, causes};
use stepscope_trace::Trace;

/// The budget of a rank, and what it says.
#[derive(Debug, Serialize)]
pub struct BudgetReport {
    budget: DevicesReport,
    causes: Vec<CauseReport>,
}

#[derive(Debug, Serialize)]
struct DevicesReport {
    /// What the windows are: `steps`, or all of the `trace`.
    windows: &'static str,
    /// How many windows the means are of: without warm-up and partial steps.
    counted: u64,
    /// What is said first, by name.
    first_line: &'static str,
    /// The mean time between the windows, which is no part of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    between_ns: Option<i64>,
    devices: Vec<DeviceReport>,
}

#[derive(Debug, Serialize)]
struct DeviceReport {
    device: i64,
    trace: TimesReport,
    steps: Vec<StepReport>,
}

#[derive(Debug, Serialize)]
struct StepReport {
    step: String,
    counts: bool,
    #[serde(flatten)]
    times: TimesReport,
}

/// A window, and its leaves: their times are the window's length.
#[derive(Debug, Serialize)]
struct TimesReport {
    length_ns: i64,
    leaves: Named<i64>,
}

impl TimesReport {
    fn of(times: &BudgetTimes) -> Self {
        let leaves = times.leaves().map(|(leaf, time)| (leaf.name(), time.0));
        Self { length_ns: times.total().0, leaves: Named(leaves.collect()) }
    }
}

#[derive(Debug, Serialize)]
struct CauseReport {
    cause: &'static str,
    /// The last part of its messages' keys.
    wording: &'static str,
    /// The leaves' time per window, the mean over windows and devices.
    mean_ns: i64,
    /// What removing the cause saves at the most, likewise.
    score_ns: i64,
    /// That as a share of the windows.
    share: f64,
    leaves: Named<i64>,
    longest: Vec<LongestReport>,
}

#[derive(Debug, Serialize)]
struct LongestReport {
    leaf: &'static str,
    start_ns: i64,
    length_ns: i64,
    /// The activity that runs, or that the device waits for.
    event: Option<u32>,
    name: Option<String>,
    /// What shows best what the host did.
    host: Option<String>,
}

impl LongestReport {
    fn of(trace: &Trace, leaf: &'static str, longest: &Longest) -> Self {
        Self {
            leaf,
            start_ns: longest.span.start.0,
            length_ns: longest.span.len().0,
            event: longest.activity.and_then(|event| u32::try_from(event.index()).ok()),
            name: longest.activity.map(|event| trace.name_of(event).to_owned()),
            host: longest.host.map(|event| trace.name_of(event).to_owned()),
        }
    }
}

impl CauseReport {
    fn of(trace: &Trace, cause: &BudgetCause) -> Self {
        Self {
            cause: cause.kind.name(),
            wording: cause.wording,
            mean_ns: cause.time.0,
            score_ns: cause.score.0,
            share: cause.share,
            leaves: Named(cause.leaves.iter().map(|(leaf, time)| (leaf.name(), time.0)).collect()),
            longest: cause.longest.iter().map(|(leaf, one)| LongestReport::of(trace, leaf.name(), one)).collect(),
        }
    }
}

impl BudgetReport {
    /// The budget of a rank.
    #[must_use]
    pub fn of(rank: &Rank) -> Self {
        let found = budget(&rank.trace, &rank.analysis);
        let (causes, first) = causes(&found);
        let of_device = |device: &DeviceBudget| {
            let steps = rank.analysis.steps.steps.iter().zip(&device.windows).enumerate();
            let of_step = |(index, (step, times)): (usize, (&stepscope_analyze::Step, &BudgetTimes))| StepReport {
                step: step.name.clone(),
                counts: found.counted.contains(&index),
                times: TimesReport::of(times),
            };
            DeviceReport {
                device: device.device,
                trace: TimesReport::of(&device.trace),
                steps: if found.are_steps { steps.map(of_step).collect() } else { Vec::new() },
            }
        };
        Self {
            budget: DevicesReport {
                windows: if found.are_steps { "steps" } else { "trace" },
                counted: found.counted.len() as u64,
                first_line: first.name(),
                between_ns: Some(found.between.0).filter(|between| *between > 0),
                devices: found.devices.iter().map(of_device).collect(),
            },
            causes: causes.iter().map(|cause| CauseReport::of(&rank.trace, cause)).collect(),
        }
    }
}
