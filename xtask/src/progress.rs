//! The steps of a long task: the next one, and the usual and measured time of each.

use std::time::{Duration, Instant};

use crate::shell::{Result, heading};

/// A step, with its usual time on two cores in minutes. Zero: less than half a minute.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) minutes: u32,
}

/// The progress of a task in its steps.
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

    /// Prints the time of each step.
    pub(crate) fn report(&self) {
        let total: Duration = self.took.iter().sum();
        heading(&format!("{} steps took {:.0} s", self.took.len(), total.as_secs_f64()));
        for (step, took) in self.steps.iter().zip(&self.took) {
            eprintln!("{:>6.0} s  {}", took.as_secs_f64(), step.name);
        }
    }
}
