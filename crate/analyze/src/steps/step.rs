//! A step, the steps of a trace, and the choice of those that enter averages.

use std::collections::BTreeSet;

use super::inference::InferenceStep;
use crate::IntervalSet;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::ActivityId;
#[cfg(doc)]
use stepscope_trace::Trace;

/// The source of the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepSource {
    /// The framework marks them.
    Marks,
    /// An inference engine marks them: vLLM, `SGLang` and others.
    InferenceMarks,
    /// The user gave the pattern.
    Pattern,
    /// Ranges whose names count up.
    RepeatingRanges,
    /// An operator that the user named, from one run to the next.
    Operator,
    /// Operators of `MindSpore` that repeat, from `GetNext` or the first of them to the next one.
    RepeatingOperators,
    /// The profiler's own table of steps, whose clock the events do not share: no event belongs to a step, and only the
    /// table has the lengths of steps.
    Table,
    /// None: all host operators, or all device activities, are one step.
    WholeTrace,
}

impl StepSource {
    /// Whether the trace itself has the times of its steps.
    #[must_use]
    pub fn is_marked(self) -> bool {
        !matches!(self, Self::Table | Self::WholeTrace)
    }

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Marks => "marks",
            Self::InferenceMarks => "inference_marks",
            Self::Pattern => "pattern",
            Self::RepeatingRanges => "repeating_ranges",
            Self::RepeatingOperators => "repeating_operators",
            Self::Operator => "operator",
            Self::Table => "table",
            Self::WholeTrace => "whole_trace",
        }
    }
}

/// One step: of training, or of an inference engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name: the number the framework gives it.
    pub name: String,
    /// The mark's span on the host.
    pub mark: Interval,
    /// The part of it for which the profiler recorded.
    pub host: Interval,
    /// The span extended by the activities that were launched in it.
    pub span: Interval,
    /// Number of activities that were launched in it.
    pub activities: u64,
    /// Whether profiling, or its process, stopped before it was complete.
    pub partial: bool,
    /// Whether its producer marks it as a warm-up, or it is a first step that took much longer than the others.
    pub warm_up: bool,
    /// Number of its samples, where its producer records that.
    pub samples: Option<u64>,
    /// The graph that it ran, where its producer records that: `MindSpore` compiles a program into several graphs and
    /// numbers the iterations of each separately.
    pub graph: Option<u64>,
    /// Whether the timeline shows its activity. A profiler's step trace can have more steps than its timeline, which
    /// ends after a number of operators.
    pub covered: bool,
    /// Whether a graph is captured in it, which happens once: its launches start nothing, so it is unlike steady steps.
    pub captures: bool,
    /// The facts in the mark of an inference engine.
    pub inference: Option<InferenceStep>,
}

impl Step {
    /// The part of the mark in which the profiler recorded nothing.
    #[must_use]
    pub fn unrecorded(&self) -> Nanos {
        self.mark.len() - self.host.len()
    }

    /// Whether it enters averages of the activity in steps.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.covered && self.is_complete()
    }

    /// Whether its length enters averages, whether or not the timeline covers it.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.partial && !self.warm_up && !self.captures && !self.span.is_empty()
    }
}

/// The steps of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The steps by start.
    pub steps: Vec<Step>,
    /// Their source.
    pub source: StepSource,
    /// By row of [`Trace::activities`], index of its step.
    pub step_of_activity: Vec<Option<u32>>,
    /// The activities that run on their stream after one with a later launch: their links or times are wrong, and they
    /// extend no step.
    pub out_of_order: Vec<ActivityId>,
    /// Whether each mark lasts from one call of the profiler's `step()` to the next, as Paddle's do: its length is then
    /// what the step costs, the last one's, too.
    pub marks_are_whole_steps: bool,
}

impl Steps {
    /// The indices of the steps that enter averages. If there are none, of covered steps that are neither partial nor
    /// warm-up steps, else of all covered ones that are not empty.
    #[must_use]
    pub fn counted(&self) -> Vec<usize> {
        self.first_of(|step| step.covered)
    }

    /// The indices of the steps whose lengths enter averages, including those that the timeline does not cover.
    #[must_use]
    pub fn complete(&self) -> Vec<usize> {
        self.first_of(|_| true)
    }

    fn first_of(&self, is_such: impl Fn(&Step) -> bool) -> Vec<usize> {
        let recorded = |step: &Step| !step.partial && !step.warm_up && !step.span.is_empty();
        let kinds: [&dyn Fn(&Step) -> bool; 3] = [&Step::is_complete, &recorded, &|step| !step.span.is_empty()];
        let found = kinds.iter().map(|kind| self.with(|step| is_such(step) && kind(step)));
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The graphs that the steps ran, by their numbers; empty where they ran one, or it is not recorded.
    #[must_use]
    pub fn graphs(&self) -> Vec<u64> {
        let found = graphs_of(&self.steps);
        if found.len() < 2 { Vec::new() } else { found.into_iter().collect() }
    }

    /// Whether averages are over steps that capture a graph, because no others are complete.
    #[must_use]
    pub fn average_captures(&self) -> bool {
        self.counted().iter().any(|step| self.steps[*step].captures)
    }

    /// The time between consecutive steps that enter averages: time of the job outside of steps. Empty if it is less
    /// than a hundredth of these steps, which is only the call that ends a step.
    #[must_use]
    pub fn between(&self) -> IntervalSet {
        let counted = self.counted();
        let follow = counted.windows(2).filter(|pair| pair[0] + 1 == pair[1]);
        let gap = |pair: &[usize]| {
            let (end, start) = (self.steps[pair[0]].span.end, self.steps[pair[1]].span.start);
            Interval::new(end, start.max(end))
        };
        let length: Nanos = counted.iter().map(|index| self.steps[*index].span.len()).sum();
        Some(IntervalSet::of(follow.map(gap))).filter(|gaps| is_between(gaps.len(), length)).unwrap_or_default()
    }

    /// The mean of the times between steps; zero if there are none.
    #[must_use]
    pub fn mean_between(&self) -> Nanos {
        let gaps = self.counted().windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
        crate::mean(self.between().len(), gaps as u64)
    }

    /// Whether these steps are recorded time rather than whole steps: no steps are marked, or the profiler recorded only a
    /// part of one of them.
    #[must_use]
    pub fn are_recorded_time(&self, steps: &[usize]) -> bool {
        let is_part = |step: &usize| self.steps.get(*step).is_some_and(|step| step.unrecorded() > Nanos::ZERO);
        self.source == StepSource::WholeTrace || steps.iter().any(is_part)
    }

    /// The part of a step's mark in which the profiler recorded nothing; the mean over the steps whose lengths enter
    /// averages, for `None`.
    #[must_use]
    pub fn unrecorded(&self, step: Option<usize>) -> Nanos {
        let of = |index: usize| self.steps.get(index).map_or(Nanos::ZERO, Step::unrecorded);
        let mean_of_complete = || {
            let complete = self.complete();
            crate::mean(complete.iter().map(|index| of(*index)).sum(), complete.len() as u64)
        };
        step.map_or_else(mean_of_complete, of)
    }

    /// Number of steps that the timeline covers.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.with(|step| step.covered).len()
    }

    /// The time of the steps that the timeline does not cover: several in a row with the time between them.
    #[must_use]
    pub fn uncovered(&self) -> IntervalSet {
        let rows = self.steps.chunk_by(|a, b| a.covered == b.covered).filter(|row| !row[0].covered);
        IntervalSet::of(rows.filter_map(|row| Some(Interval::new(row[0].span.start, row.last()?.span.end))))
    }

    fn with(&self, wanted: impl Fn(&Step) -> bool) -> Vec<usize> {
        (0..self.steps.len()).filter(|index| wanted(&self.steps[*index])).collect()
    }
}

/// Whether the time between steps is more than the call that ends a step: a hundredth of the steps or more.
pub(crate) fn is_between(gaps: Nanos, steps: Nanos) -> bool {
    gaps > Nanos::ZERO && gaps.0.saturating_mul(100) >= steps.0
}

/// The graphs that steps ran, by their numbers.
pub(super) fn graphs_of(steps: &[Step]) -> BTreeSet<u64> {
    steps.iter().filter_map(|step| step.graph).collect()
}
