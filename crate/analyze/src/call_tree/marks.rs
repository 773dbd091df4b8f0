//! Marks of steps.

use stepscope_base::{CompactSort as _, Interval};

use crate::steps::Steps;

/// The spans of the steps' marks, by start, each to be found once; none where nothing marks steps.
pub(super) struct Marks(Vec<(Interval, bool)>);

impl Marks {
    pub(super) fn of(steps: &Steps) -> Self {
        let is_marked = steps.source.is_marked();
        let marks = steps.steps.iter().filter(|_| is_marked).map(|step| (step.mark, false));
        let mut marks: Vec<(Interval, bool)> = marks.collect();
        marks.compact_sort_by_key(|(mark, _)| mark.start);
        Self(marks)
    }

    /// Whether a slice with this span is the mark of a step. Of several slices with one span, only the outermost is.
    pub(super) fn take(&mut self, span: Interval) -> bool {
        let first = self.0.partition_point(|(mark, _)| mark.start < span.start);
        let mut of_start = self.0[first..].iter_mut().take_while(|(mark, _)| mark.start == span.start);
        let found = of_start.find(|(mark, is_taken)| mark.end == span.end && !*is_taken);
        found.is_some_and(|(_, is_taken)| !std::mem::replace(is_taken, true))
    }
}
