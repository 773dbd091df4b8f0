//! The one step of a trace that marks none: what it spans, and how much of the trace lies outside of it. METRICS section 3.

use super::{DeviceReport, IntervalSet, StepSource, Steps};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Class, Trace};

/// The events from the first to the last of which the step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WholeSpan {
    /// Operators of the host; the step ends with the last activity that was launched in it.
    Operators,
    /// Activities of the devices, since there are no operators.
    Activities,
    /// All events, since there is neither.
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

/// The one step of a trace that marks none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeStep {
    /// What it spans.
    pub span: WholeSpan,
    /// The time of the trace, from its first slice to its last, before and after the step.
    pub outside: Nanos,
    /// How long any device is busy in that time.
    pub busy_outside: Nanos,
}

/// What a trace with marked steps shows outside of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutsideSteps {
    /// How long any device is busy before the first step and after the last one.
    pub busy: Nanos,
}

impl OutsideSteps {
    /// Where devices are busy there for more than a hundredth of all the time; a step begins when the device is done with what came
    /// before it, so that this may be work of code outside of the steps, or of an earlier step.
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
    /// What the step of a trace without marks spans; none of a trace with marked steps, or without events.
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
        // Marks and counters alone are no time of it.
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
