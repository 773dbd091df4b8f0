//! The step budget of a step, or of several.

use stepscope_base::{Interval, Nanos};
use stepscope_trace::EventId;

use super::cause_kind::CauseKind;
use super::functions::CauseFunction;
use super::leaf::{BudgetLeaf, BudgetTimes};
use crate::LoaderKind;
use crate::flops::RoofFamily;
use crate::roofline::Hindrance;

/// Time of each device by leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// The windows: the steps, or the whole trace without any. Where no steps are marked, there is a single one.
    pub windows: Vec<Interval>,
    /// Whether they are steps.
    pub are_steps: bool,
    /// Whether the windows that count are recorded time rather than whole steps.
    pub is_recorded_time: bool,
    /// The windows that count, by index: no warm-up, no part of a step.
    pub counted: Vec<usize>,
    /// The mean time between windows that count and follow each other. It is outside of all windows, and a leaf of
    /// their sum.
    pub between: Nanos,
    /// Whether the windows that count capture a graph: they are no steady steps.
    pub captures: bool,
    /// Whether the trace shows a compiled model: then advice does not suggest compiling it.
    pub compiled: bool,
    /// The share of the CUDA calls that the trace has, where it has only a sample of them.
    pub sampled_calls: Option<f64>,
    /// The share of the activities in windows that count whose launching call is known; one of none.
    pub launches_known: f64,
    /// The share of the time in which the thread that launches most could run that it waits for a processor; none where
    /// that was not sampled.
    pub processor_wait: Option<f64>,
    /// Whether the Python functions of that thread were recorded, each call of them: that takes time of the host.
    pub has_stacks: bool,
    /// Whether TF32 makes products in float32 shorter, on a device.
    pub has_tf32: bool,
    /// The processes that make batches; unknown where loaders of both kinds are.
    pub loader: LoaderKind,
    /// By device.
    pub devices: Vec<DeviceBudget>,
}

/// The whole of a budget's shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetWhole {
    /// The steps.
    Steps,
    /// The steps, each with the mean time to the next one.
    Periods,
    /// The recorded time: all of it is the only step of a trace without marks, or the profiler recorded only a part of a step.
    Recorded,
    /// The whole trace.
    Trace,
}

impl BudgetWhole {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Steps, Self::Periods, Self::Recorded, Self::Trace];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Periods => "periods",
            Self::Recorded => "recorded",
            Self::Trace => "trace",
        }
    }
}

/// Time of a device by leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceBudget {
    /// The device's number as the producer counts.
    pub device: i64,
    /// The times of each window; they add up to its length.
    pub windows: Vec<BudgetTimes>,
    /// The time that better kernels could save in each window.
    pub savings: Vec<KernelSavings>,
    /// The times of the trace, from the first window's or activity's start to the last end.
    pub trace: BudgetTimes,
    /// The length of the trace, likewise.
    pub trace_length: Nanos,
    /// The part of the host's work in windows that count before launches which takes more than a millisecond in one gap.
    pub long_work: Nanos,
    /// The time that better products of matrices, and fused attention, could save in windows that count, by [`Hindrance`].
    pub hindered: [Nanos; Hindrance::COUNT],
    /// The functions and activities of each cause in windows that count, those with the most time first; of none, the kernels
    /// whose limit is not known.
    pub functions: Vec<(Option<CauseKind>, CauseFunction)>,
    /// The longest span of each leaf in windows that count, in the order of the tree.
    pub longest: Vec<(BudgetLeaf, Longest)>,
}

/// The time that better kernels could save: kernels that reach 80 % of the peak of the units that compute, 85 % of the memory's bandwidth,
/// or 70 % of either where they would do all of attention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelSavings {
    /// With the same numbers, by [`RoofFamily::ALL`].
    pub above: [Nanos; RoofFamily::ALL.len()],
    /// Beside that with shorter numbers than float32.
    pub float32: Nanos,
}

/// The longest span of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Longest {
    /// Its start and end.
    pub span: Interval,
    /// The time of that in the leaf: of a kernel, the part beyond its limit, or at it. The longest has the most of it.
    pub part: Nanos,
    /// The activity that runs, or that the device waits for; none after the last one.
    pub activity: Option<EventId>,
    /// The slice that shows best what the host did, where the device waits for the host.
    pub host: Option<EventId>,
    /// The rank that it is of, in a job's cause: the span counts from that trace's start, and its events are not kept.
    pub rank: Option<u64>,
}

impl Budget {
    /// The whole of all shares.
    #[must_use]
    pub fn whole(&self) -> BudgetWhole {
        match (self.are_steps, self.between) {
            (false, _) => BudgetWhole::Trace,
            (true, _) if self.is_recorded_time => BudgetWhole::Recorded,
            (true, Nanos::ZERO) => BudgetWhole::Steps,
            (true, _) => BudgetWhole::Periods,
        }
    }

    /// The times of all windows that count, each with the mean time between them, of all devices.
    #[must_use]
    pub fn sum(&self) -> BudgetTimes {
        let mut sum = BudgetTimes::default();
        let divisor = i64::try_from(self.divisor()).unwrap_or(i64::MAX);
        sum.add(BudgetLeaf::BetweenSteps, Nanos(self.between.0.saturating_mul(divisor)));
        for device in &self.devices {
            self.counted.iter().filter_map(|index| device.windows.get(*index)).for_each(|times| sum.add_all(times));
        }
        sum
    }

    /// The divisor of the sum for a mean window of a device.
    #[must_use]
    pub fn divisor(&self) -> u64 {
        (self.counted.len() * self.devices.len()) as u64
    }

    /// The longest span of a leaf, on whatever device.
    #[must_use]
    pub fn longest(&self, leaf: BudgetLeaf) -> Option<Longest> {
        let of = |device: &DeviceBudget| device.longest.iter().find(|(known, _)| *known == leaf).copied();
        let all = self.devices.iter().filter_map(of).map(|(_, longest)| longest);
        // The first device's one among equals.
        all.reduce(|known, other| if other.part > known.part { other } else { known })
    }
}
