//! The step trace as a lane: interval, forward and backward, and tail of each step.

use stepscope_analyze::{Analysis, PointSource, Step, StepTimes};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::Trace;

/// MindSpore's names of the parts.
const PARTS: [&str; 3] = ["iteration_interval", "fp_and_bp", "tail"];

/// The place of the next step to write.
#[derive(Debug)]
pub(super) struct StepTraceCursor {
    /// The next step of the step trace.
    traced: usize,
    /// The next step of the timeline.
    step: usize,
    /// The end of the last step found.
    end: Nanos,
}

/// A step with its parts on the timeline, one after another.
#[derive(Debug)]
pub(super) struct PlacedStep<'a> {
    pub(super) step: &'a Step,
    pub(super) parts: [(&'static str, Interval); 3],
}

impl StepTraceCursor {
    pub(super) fn new() -> Self {
        Self { traced: 0, step: 0, end: Nanos::MIN }
    }

    /// The next step whose parts are known on the timeline's clock.
    pub(super) fn next<'a>(&mut self, trace: &Trace, analysis: &'a Analysis) -> Option<PlacedStep<'a>> {
        let found = analysis.step_trace.as_ref()?;
        if found.source == PointSource::Recorded && !is_marked_by_table(trace) {
            return None;
        }
        while let Some(times) = found.steps.get(self.traced) {
            self.traced += 1;
            let left = &analysis.steps.steps[self.step..];
            let Some(place) = left.iter().position(|step| step.name == times.name) else { continue };
            self.step += place + 1;
            let step = &left[place];
            let start = times.start;
            // Lengths that the profiler left at zero do not add up; steps side by side have no room on one lane.
            let lengths = parts_of(times);
            if lengths.into_iter().sum::<Nanos>() != times.total || start < self.end {
                continue;
            }
            let mut at = start;
            let parts = std::array::from_fn(|part| {
                let from = at;
                at = from + lengths[part];
                (PARTS[part], Interval::new(from, at))
            });
            self.end = at;
            return Some(PlacedStep { step, parts });
        }
        None
    }
}

fn parts_of(times: &StepTimes) -> [Nanos; 3] {
    [times.iteration_interval, times.forward_and_backward, times.tail]
}

/// Whether the timeline's steps are those of the profiler's table, which the reader marks only on the same clock.
fn is_marked_by_table(trace: &Trace) -> bool {
    trace.meta.facts.iter().any(|(name, value)| name == "step_marks" && value == "step_trace_raw")
}
