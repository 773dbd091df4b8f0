//! The steps of a long task: what comes next, how long it usually takes, and how long each took.

use std::time::{Duration, Instant};

use crate::shell::{Result, heading};

/// A step and how long it usually takes on two cores, in minutes. Zero: less than half a minute.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) minutes: u32,
}

/// Where a task is in its steps.
pub(crate) struct Progress {
    steps: Vec<Step>,
    took: Vec<Duration>,
}

impl Progress {
    pub(crate) fn new(steps: Vec<Step>) -> Self {
        Self { steps, took: Vec::new() }
    }

    /// Runs the next step.
    pub(crate) fn step<T>(&mut self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let start = Instant::now();
        let count = self.took.len();
        if let Some(step) = self.steps.get(count) {
            let next = self.steps.get(count + 1).map(|next| format!("; next: {}", next.name)).unwrap_or_default();
            let left: u32 = self.steps[count..].iter().map(|step| step.minutes).sum();
            let left = if left == 0 { String::new() } else { format!("; about {left} min left") };
            heading(&format!("step {} of {}: {}{next}{left}", count + 1, self.steps.len(), step.name));
        }
        let result = work();
        self.took.push(start.elapsed());
        result
    }

    /// Prints how long each step took.
    pub(crate) fn report(&self) {
        let total: Duration = self.took.iter().sum();
        heading(&format!("{} steps took {:.0} s", self.took.len(), total.as_secs_f64()));
        for (step, took) in self.steps.iter().zip(&self.took) {
            eprintln!("{:>6.0} s  {}", took.as_secs_f64(), step.name);
        }
    }
}
