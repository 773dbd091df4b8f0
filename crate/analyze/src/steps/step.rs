//! A step, the steps of a trace, and which of them enter averages.

use std::collections::BTreeSet;

use super::inference::InferenceStep;
use crate::IntervalSet;
use stepscope_base::{Interval, Nanos};
use stepscope_trace::ActivityId;
#[cfg(doc)]
use stepscope_trace::Trace;

/// Where the steps come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepSource {
    /// The framework marks them.
    Marks,
    /// An inference engine marks them: vLLM, `SGLang` and others.
    InferenceMarks,
    /// A person named the pattern.
    Pattern,
    /// Ranges whose names count up.
    RepeatingRanges,
    /// The profiler's own table of steps, whose clock the events do not share: no event belongs to a step, and only the
    /// table tells how long a step takes.
    Table,
    /// There are none: all host operators, or all device activities, are one step.
    WholeTrace,
}

impl StepSource {
    /// Whether the trace itself says when its steps were.
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
    pub host: Interval,
    /// The span extended by the activities that were launched in it.
    pub span: Interval,
    /// How many activities were launched in it.
    pub activities: u64,
    /// Whether profiling stopped before it was complete, or its process.
    pub partial: bool,
    /// Whether its producer says that it is a warm-up, or it is a first step that took much longer than the others.
    pub warm_up: bool,
    /// How many samples it worked on, where its producer says so.
    pub samples: Option<u64>,
    /// The graph that it ran, where its producer says so: `MindSpore` compiles a program into several, and numbers their
    /// iterations each for itself.
    pub graph: Option<u64>,
    /// Whether the timeline shows what ran in it. A profiler's step trace can have more steps than its timeline, which ends
    /// after a number of operators.
    pub covered: bool,
    /// Whether a graph is captured in it, which happens once: its launches start nothing, and no steady step is like it.
    pub captures: bool,
    /// The facts in the mark of an inference engine.
    pub inference: Option<InferenceStep>,
}

impl Step {
    /// Whether it enters averages of what ran in steps.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.covered && self.is_complete()
    }

    /// Whether its length enters averages, whatever the timeline shows of it.
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
    /// Where they come from.
    pub source: StepSource,
    /// Per row of [`Trace::activities`], the step it belongs to, by index.
    pub step_of_activity: Vec<Option<u32>>,
    /// The activities that run on their stream after one that was launched later: their links or times are wrong, and they extend no
    /// step.
    pub out_of_order: Vec<ActivityId>,
}

impl Steps {
    /// The indices of the steps that enter averages; if none does, of those that are recorded, else of all that are not empty.
    #[must_use]
    pub fn counted(&self) -> Vec<usize> {
        self.first_of(|step| step.covered)
    }

    /// The indices of the steps whose lengths enter averages: also those of which the timeline shows nothing.
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

    /// The graphs that the steps ran, by their numbers; none where they ran one, or nobody says so.
    #[must_use]
    pub fn graphs(&self) -> Vec<u64> {
        let found = graphs_of(&self.steps);
        if found.len() < 2 { Vec::new() } else { found.into_iter().collect() }
    }

    /// Whether averages are of steps that capture a graph, as no other ones are complete.
    #[must_use]
    pub fn average_captures(&self) -> bool {
        self.counted().iter().any(|step| self.steps[*step].captures)
    }

    /// The time between steps that enter averages and follow each other: time of the job that is no part of a step. Nothing if it is
    /// less than a hundredth of these steps, which is no more than the call that ends a step.
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

    /// How many steps the timeline shows.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.with(|step| step.covered).len()
    }

    /// Where those steps lie that the timeline does not show: several in a row with what is between them.
    #[must_use]
    pub fn uncovered(&self) -> IntervalSet {
        let rows = self.steps.chunk_by(|a, b| a.covered == b.covered).filter(|row| !row[0].covered);
        IntervalSet::of(rows.filter_map(|row| Some(Interval::new(row[0].span.start, row.last()?.span.end))))
    }

    fn with(&self, wanted: impl Fn(&Step) -> bool) -> Vec<usize> {
        (0..self.steps.len()).filter(|index| wanted(&self.steps[*index])).collect()
    }
}

/// Whether the time between steps is more than the call that ends a step: no less than a hundredth of the steps.
pub(crate) fn is_between(gaps: Nanos, steps: Nanos) -> bool {
    gaps > Nanos::ZERO && gaps.0.saturating_mul(100) >= steps.0
}

/// The graphs that steps ran, by their numbers.
pub(super) fn graphs_of(steps: &[Step]) -> BTreeSet<u64> {
    steps.iter().filter_map(|step| step.graph).collect()
}
