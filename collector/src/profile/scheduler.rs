//! Selects the steps to record.

use std::ops::Range;

/// State of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It is not recorded.
    Closed,
    /// It is recorded as a warm-up step, so that the initial cost of recording falls into no step that counts.
    Ready,
    /// It is recorded.
    Record,
    /// It is recorded, and ends a recording.
    RecordAndReturn,
}

/// A repeating cycle of steps, as in `torch.profiler.schedule` and `paddle.profiler.make_scheduler`.
///
/// ```text
/// skip_first │ wait │ warm_up │ active │ wait │ warm_up │ active │ …     `repeat` times
///   Closed    Closed   Ready    Record  Closed   Ready    Record
///                               the last of them: RecordAndReturn
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cycle {
    /// Steps that are not recorded, at the beginning of each cycle; Paddle calls them closed.
    pub wait: u64,
    /// Steps that are recorded as warm-up steps; Paddle calls them ready.
    pub warm_up: u64,
    /// Steps that are recorded; zero counts as one.
    pub active: u64,
    /// Number of cycles; zero: without end.
    pub repeat: u64,
    /// Steps before the first cycle.
    pub skip_first: u64,
}

impl Cycle {
    /// The state of a step, the first being 0.
    #[must_use]
    pub fn state(&self, step: u64) -> State {
        let Some(step) = step.checked_sub(self.skip_first) else { return State::Closed };
        let before = self.wait.saturating_add(self.warm_up);
        let turn = before.saturating_add(self.active.max(1));
        if self.repeat > 0 && step / turn >= self.repeat {
            return State::Closed;
        }
        match step % turn {
            step if step < self.wait => State::Closed,
            step if step < before => State::Ready,
            step if step + 1 < turn => State::Record,
            _ => State::RecordAndReturn,
        }
    }
}

/// Selects the steps to record.
///
/// ```
/// use stepscope_collector::{Cycle, Scheduler, State};
///
/// let mut scheduler = Scheduler::cycle(Cycle { wait: 1, warm_up: 1, active: 2, repeat: 1, skip_first: 0 });
/// let states: Vec<State> = (0..6).map(|step| scheduler.state(step, 0)).collect();
/// use State::{Closed, Ready, Record, RecordAndReturn};
/// assert_eq!(states, [Closed, Ready, Record, RecordAndReturn, Closed, Closed]);
///
/// let mut every_hundredth = Scheduler::of(|step| if step % 100 == 0 { RecordAndReturn } else { Closed });
/// assert_eq!(every_hundredth.state(300, 2), RecordAndReturn);
/// ```
pub struct Scheduler(Box<dyn FnMut(u64, u64) -> State>);

impl Scheduler {
    /// All steps, in one recording.
    #[must_use]
    pub fn always() -> Self {
        Self::of(|_| State::Record)
    }

    /// A repeating cycle.
    #[must_use]
    pub fn cycle(cycle: Cycle) -> Self {
        Self::of(move |step| cycle.state(step))
    }

    /// A range of steps, in one recording, after a warm-up step if there is one, as Paddle does with a pair of numbers.
    #[must_use]
    pub fn steps(steps: Range<u64>) -> Self {
        Self::of(move |step| match step {
            step if step + 1 == steps.start && !steps.is_empty() => State::Ready,
            step if steps.contains(&step) && step + 1 == steps.end => State::RecordAndReturn,
            step if steps.contains(&step) => State::Record,
            _ => State::Closed,
        })
    }

    /// A range of epochs, in one recording: [`Profiler::next_epoch`](crate::Profiler::next_epoch) counts them.
    #[must_use]
    pub fn epochs(epochs: Range<u64>) -> Self {
        Self(Box::new(move |_, epoch| if epochs.contains(&epoch) { State::Record } else { State::Closed }))
    }

    /// The states that a function returns for each step's number.
    #[must_use]
    pub fn of(mut state: impl FnMut(u64) -> State + 'static) -> Self {
        Self(Box::new(move |step, _| state(step)))
    }

    /// The state of a step of an epoch, both counted from 0.
    #[must_use]
    pub fn state(&mut self, step: u64, epoch: u64) -> State {
        (self.0)(step, epoch)
    }
}

impl std::fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scheduler")
    }
}

impl Default for Scheduler {
    fn default() -> Self {
        Self::always()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(mut scheduler: Scheduler, steps: u64) -> String {
        let letter = |step| match scheduler.state(step, 0) {
            State::Closed => '-',
            State::Ready => 'w',
            State::Record => 'r',
            State::RecordAndReturn => 'R',
        };
        (0..steps).map(letter).collect()
    }

    #[test]
    fn turns_are_those_of_the_frameworks() {
        let cycle = |wait, warm_up, active, repeat, skip_first| {
            states(Scheduler::cycle(Cycle { wait, warm_up, active, repeat, skip_first }), 16)
        };
        assert_eq!(cycle(1, 1, 3, 2, 0), "-wrrR-wrrR------");
        assert_eq!(cycle(1, 1, 3, 0, 2), "---wrrR-wrrR-wrr");
        assert_eq!(cycle(0, 0, 1, 3, 0), "RRR-------------");
        assert_eq!(cycle(2, 0, 2, 1, 1), "---rR-----------");
        assert_eq!(cycle(0, 2, 0, 1, 0), "wwR-------------");
        assert_eq!(Cycle { active: u64::MAX, wait: u64::MAX, ..Cycle::default() }.state(7), State::Closed);
    }

    #[test]
    fn ranges_begin_with_a_warm_up() {
        assert_eq!(states(Scheduler::steps(2..5), 8), "-wrrR---");
        assert_eq!(states(Scheduler::steps(0..3), 5), "rrR--");
        assert_eq!(states(Scheduler::steps(3..3), 6), "------");
        assert_eq!(states(Scheduler::always(), 3), "rrr");
        let mut epochs = Scheduler::epochs(1..3);
        let of_epochs: Vec<State> = (0..4).map(|epoch| epochs.state(9, epoch)).collect();
        assert_eq!(of_epochs, [State::Closed, State::Record, State::Record, State::Closed]);
    }
}
