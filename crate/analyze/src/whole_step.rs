//! The only step of a trace without marks: its span, and the part of the trace outside of it. METRICS section 3.

use super::{DeviceReport, IntervalSet, StepSource, Steps};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, Trace};

/// The events whose first and last are the step's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WholeSpan {
    /// Operators of the host; the step ends with the last activity that they launched.
    Operators,
    /// Activities of the devices, if there are no operators.
    Activities,
    /// All events, if there is neither.
    Events,
}

impl WholeSpan {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Operators => "operators",
            Self::Activities => "activities",
            Self::Events => "events",
        }
    }
}

/// The only step of a trace without marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeStep {
    /// The events that it spans.
    pub span: WholeSpan,
    /// The time of the trace, from its first slice to its last, outside of the step.
    pub outside: Nanos,
    /// The time for which any device is busy outside.
    pub busy_outside: Nanos,
}

/// Activity outside of all steps in a trace with marked steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutsideSteps {
    /// The time for which any device is busy before the first step and after the last one.
    pub busy: Nanos,
}

impl OutsideSteps {
    /// The activity outside, if devices are busy there for more than a hundredth of their busy time. A step begins
    /// after the device has finished earlier work, so this may be work of code outside of the steps, or of an earlier
    /// step.
    #[must_use]
    pub fn of(steps: &Steps, devices: &[DeviceReport]) -> Option<Self> {
        let steps = steps.source.is_marked().then(|| IntervalSet::of(steps.steps.iter().map(|step| step.span)))?;
        let hull = steps.hull()?;
        let busy = devices.iter().fold(IntervalSet::new(), |all, device| all.union(&device.sets.busy()));
        let outside = busy.len() - busy.clip(hull).len();
        (outside.0.saturating_mul(100) > busy.len().0).then_some(Self { busy: outside })
    }
}

impl WholeStep {
    /// The span of the step of a trace without marks; none for a trace with marked steps, or without events.
    ///
    /// ```
    /// use stepscope::{Loader, Nanos, analyze};
    /// use stepscope::analyze::{AnalysisConfig, WholeSpan};
    ///
    /// // A kernel of earlier work runs before the only operator.
    /// let text = br#"{"deviceProperties": [], "traceEvents": [
    ///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":0,"dur":3},
    ///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":10,"dur":20}
    /// ]}"#;
    /// # let mut loader = Loader::new("example.json");
    /// # loader.space(text.len()).copy_from_slice(text);
    /// # loader.advance(text.len())?;
    /// let trace = loader.finish()?.trace;
    /// let whole = analyze::analyze(&trace, &AnalysisConfig::standard()).whole_step.expect("no steps are marked");
    /// assert_eq!(whole.span, WholeSpan::Operators);
    /// assert_eq!((whole.outside, whole.busy_outside), (Nanos(10_000), Nanos(3_000)));
    /// # Ok::<(), stepscope::Error>(())
    /// ```
    #[must_use]
    pub fn of(trace: &Trace, steps: &Steps, devices: &[DeviceReport]) -> Option<Self> {
        let [step] = &steps.steps[..] else { return None };
        if steps.source != StepSource::WholeTrace {
            return None;
        }
        let span = if trace.slices_of(Class::Operator).next().is_some() {
            WholeSpan::Operators
        } else if trace.activities.is_empty() {
            WholeSpan::Events
        } else {
            WholeSpan::Activities
        };
        // Instant events and counters alone do not extend the trace.
        let spans = trace.slices.ids().map(|id| trace.slices.interval(id));
        let whole = spans.reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end))).unwrap_or(step.span);
        let busy = devices.iter().fold(IntervalSet::new(), |all, device| all.union(&device.sets.busy()));
        Some(Self {
            span,
            outside: whole.len() - whole.intersection(step.span).len(),
            busy_outside: busy.len() - busy.clip(step.span).len(),
        })
    }
}
