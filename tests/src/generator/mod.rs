//! Synthetic traces of any size, with their true answers.
//!
//! A host and a device are simulated as two sequences of states with exact lengths. The *truth* is counted on those
//! states, moment by moment; the *trace* is that of a profiler. The two share no interval arithmetic, so that a test
//! that compares a report with the truth tests the report.
//!
//! The same [`Spec`] gives the same bytes everywhere.

mod job;
mod program;
mod random;
mod simulate;
mod truth;
mod write;

use std::io::{self, Write};

pub use self::job::{
    CollectiveTruth, Fault, HostCall, JobSpec, JobTruth, Library, LinkTruth, RankTruth, Schedule, Tells,
};
pub use self::program::{Difference, Family, Gone, Problem, Product, Program, ProgramSpec, Waits};
pub use self::random::Random;
use self::simulate::Simulation;
pub use self::truth::{DeviceTruth, IdleTruth, KernelTruth, LaunchTruth, MemoryTruth, OperatorTruth, StepTruth, Truth};
pub use self::write::Producer;
use self::write::Writer;

/// Parameters of a generated trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// Profiler whose format is written.
    pub producer: Producer,
    /// Equal seeds give equal traces.
    pub seed: u64,
    /// Training steps.
    pub steps: usize,
    /// Groups of kernels that a step launches in each of its forward, backward and optimizer part.
    pub groups: usize,
    /// This rank.
    pub rank: u64,
    /// Ranks of the job.
    pub world_size: u64,
    /// Percent of the groups that communicate.
    pub communicating: u64,
    /// Percent of a communicating group's collective that overlaps computation.
    pub overlap: u64,
    /// Mean length of a kernel of computation in the forward, backward and optimizer part, in ns.
    pub kernel: [u64; 3],
    /// Mean idle time of the device between two groups, in ns.
    pub gap: u64,
    /// Time for which the host waits for data in each step, in ns.
    pub data_wait: u64,
    /// Whether each step ends by reading a value from the device, as `loss.item()` does: without that a busy device
    /// lags further after the host with each step.
    pub synchronize: bool,
    /// Time for which the host does nothing in the middle step, in ns.
    pub pause: u64,
    /// Whether Python functions are traced, with the modules that mark the forward phase.
    pub python: bool,
    /// Whether operators carry shapes, types and strides.
    pub shapes: bool,
    /// Whether allocations are traced.
    pub memory: bool,
    /// Kernels from before the first step, whose launching calls are not in the trace.
    pub orphans: usize,
    /// Elements of a collective.
    pub elements: u64,
}

impl Spec {
    /// A small trace with everything in it.
    #[must_use]
    pub fn small(seed: u64) -> Self {
        Self {
            producer: Producer::Kineto,
            seed,
            steps: 4,
            groups: 6,
            rank: 0,
            world_size: 2,
            communicating: 30,
            overlap: 60,
            kernel: [18_000; 3],
            gap: 4_000,
            data_wait: 300_000,
            synchronize: true,
            pause: 0,
            python: true,
            shapes: true,
            memory: true,
            orphans: 3,
            elements: 2_049_000,
        }
    }

    /// The trace that the page's demo button opens: eight steps of a small model on one of two ranks.
    ///
    /// It contains waits for data, a forward part bound by its launches, a backward part with partly exposed
    /// collectives, and a pause in one step.
    #[must_use]
    pub fn demo() -> Self {
        Self {
            steps: 8,
            groups: 40,
            communicating: 25,
            overlap: 55,
            kernel: [5_000, 26_000, 6_000],
            gap: 1_500,
            data_wait: 900_000,
            pause: 4_000_000,
            orphans: 5,
            ..Self::small(7)
        }
    }

    /// A trace of about `bytes` bytes, with the mix of events and the bytes per event of real ones.
    #[must_use]
    pub fn of_size(producer: Producer, bytes: u64) -> Self {
        let spec = Self { producer, steps: 1, groups: 400, communicating: 15, orphans: 0, ..Self::small(11) };
        let mut step = Counter::default();
        // Writing to a counter cannot fail.
        let _ = spec.write(&mut step);
        let step = step.0.max(1);
        if bytes < step {
            let groups = usize::try_from(bytes).unwrap_or(usize::MAX).saturating_mul(spec.groups);
            return Self { groups: (groups / usize::try_from(step).unwrap_or(usize::MAX)).max(1), ..spec };
        }
        Self { steps: usize::try_from((bytes + step / 2) / step).unwrap_or(usize::MAX), ..spec }
    }

    /// Writes the trace as its producer would, and returns the truth about it.
    ///
    /// # Errors
    ///
    /// If the sink does not take the bytes.
    pub fn write(&self, sink: &mut dyn Write) -> io::Result<Truth> {
        let mut simulation = Simulation::new(self);
        let mut writer = Writer::new(sink, self)?;
        for _ in 0..self.steps {
            let events = simulation.step();
            writer.events(&events)?;
        }
        writer.finish()?;
        Ok(simulation.into_truth())
    }

    /// The trace as bytes, with the truth about it.
    #[must_use]
    pub fn generate(&self) -> (Vec<u8>, Truth) {
        let mut bytes = Vec::new();
        // Writing to memory cannot fail.
        let truth = self.write(&mut bytes).unwrap_or_default();
        (bytes, truth)
    }
}

#[derive(Default)]
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
