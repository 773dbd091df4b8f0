//! Idle time of devices by cause, in a step or in the average step.

use super::{IdleClass, IdleLeaf, LeafTimes};
use crate::{Analysis, StepChoice};
use stepscope_base::Nanos;

/// A device's time by cause in chosen steps, as sums over them.
///
/// `busy + unknown + host wait + kernel wait + other + uncovered + before_first + lead_in + lead_out = window`,
/// exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdleInSteps {
    /// The device's number as the producer counts.
    pub device: i64,
    /// Number of steps by which the sums are to be divided.
    pub divisor: u64,
    /// Length of the steps.
    pub window: Nanos,
    /// Any activity.
    pub busy: Nanos,
    /// Without activity, and known to be idle.
    pub idle: Nanos,
    /// The time of gaps by [`IdleClass::ALL`].
    pub classes: [Nanos; 4],
    /// Activities of the launching threads during the host wait.
    pub host: super::HostTimes,
    /// The time without activity by [`IdleLeaf::ALL`].
    pub leaves: LeafTimes,
    /// Before the device's first activity, where it may run work from before the recording: not known to be idle.
    pub before_first: Nanos,
    /// The rest of the time before its first activity.
    pub lead_in: Nanos,
    /// After its last activity.
    pub lead_out: Nanos,
    /// In steps that the timeline does not cover: not known to be idle.
    pub uncovered: Nanos,
}

/// Each device's time by cause in a choice of steps, given the result of [`idle`](super::idle) for the trace; none if
/// the choice is the whole trace.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{AnalysisConfig, IdleClass, StepChoice};
///
/// // Two steps of 20 µs; in the second one the device waits for the host for 13 µs before its kernel.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":2,"args":{"correlation":1}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":6,"dur":14,"args":{"correlation":1}},
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":1,"tid":1,"ts":20,"dur":20},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":30,"dur":2,"args":{"correlation":2}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":33,"dur":7,"args":{"correlation":2}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let analysis = analyze::analyze(&trace, &AnalysisConfig::standard());
/// let found = analyze::idle_in_steps(&analysis, &analysis.idle, StepChoice::One(1)).expect("a step")[0];
/// assert_eq!((found.window, found.busy, found.idle), (Nanos(20_000), Nanos(7_000), Nanos(13_000)));
/// assert_eq!(found.classes[IdleClass::HostWait as usize], Nanos(13_000));
/// // In the first one it is idle until its first activity.
/// let both = analyze::idle_in_steps(&analysis, &analysis.idle, StepChoice::Average).expect("steps")[0];
/// assert_eq!((both.divisor, both.window, both.lead_in), (2, Nanos(40_000), Nanos(6_000)));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn idle_in_steps(analysis: &Analysis, idle: &[super::DeviceIdle], choice: StepChoice) -> Option<Vec<IdleInSteps>> {
    let steps = choice.indices(&analysis.steps)?;
    let divisor = choice.divisor(&analysis.steps);
    let of_device = |(place, idle): (usize, &super::DeviceIdle)| {
        let mut sum = IdleInSteps { device: idle.device, divisor, ..IdleInSteps::default() };
        for step in &steps {
            let time = analysis.step_devices.get(*step).and_then(|devices| devices.get(place));
            let (Some(time), Some(leaves), Some(of_classes)) =
                (time, idle.steps.get(*step), idle.step_classes.get(*step))
            else {
                continue;
            };
            sum.window += time.window;
            sum.busy += time.busy;
            sum.idle += time.idle;
            sum.before_first += time.before_first;
            sum.uncovered += time.uncovered;
            sum.lead_in += of_classes.lead_in;
            sum.lead_out += leaves[IdleLeaf::AfterLast as usize];
            add(&mut sum.classes, &of_classes.classes);
            add(&mut sum.host, &of_classes.host);
            add(&mut sum.leaves, leaves);
        }
        sum
    };
    Some(idle.iter().enumerate().map(of_device).collect())
}

impl IdleInSteps {
    /// The time of gaps of a class.
    #[must_use]
    pub fn of_class(&self, class: IdleClass) -> Nanos {
        self.classes[class as usize]
    }
}

fn add<const N: usize>(sums: &mut [Nanos; N], more: &[Nanos; N]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += *more;
    }
}
