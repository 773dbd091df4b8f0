//! The limit that bounds kernels: theory against practice. METRICS section 4.

use super::Roof;
use crate::coverage::Covered;
use stepscope_base::Nanos;

/// The limit that bounds kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The units that compute.
    Compute,
    /// The memory's bandwidth.
    Memory,
    /// Neither, so latency: the kernels are far from both limits. They may also move more than the fewest bytes.
    Latency,
}

impl Bound {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Compute, Self::Memory, Self::Latency];

    /// The share of a limit from which on it bounds, as the NVIDIA Visual Profiler has it: below, latency does.
    pub const LEAST: f64 = 0.6;

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Memory => "memory",
            Self::Latency => "latency",
        }
    }
}

/// The time that kernels would take at their device's limit, beside the time that they took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AtLimit {
    /// At that of the units that compute, in ns.
    pub compute: f64,
    /// At that of the memory, in ns: the fewest bytes over its bandwidth.
    pub memory: f64,
    /// The durations of the kernels whose limit is known.
    pub known: Nanos,
}

impl AtLimit {
    /// Adds a kernel, and its part of the limit of its call.
    pub(crate) fn add(&mut self, roof: &Roof, length: Nanos) {
        let share = float(roof.own) / float(roof.took.max(Nanos(1)));
        *if roof.is_memory { &mut self.memory } else { &mut self.compute } += float(length) * share;
        self.known += length;
    }

    /// The time at the limit as a share of the kernels' time, of which `all` is the whole.
    #[must_use]
    pub fn share(&self, all: Nanos) -> Option<Covered> {
        let share = (self.known > Nanos::ZERO).then(|| (self.compute + self.memory) / float(self.known))?;
        Covered::of(share, self.known, all)
    }

    /// The limit that bounds the kernels; `None` if it is not known for enough of their time.
    #[must_use]
    pub fn bound(&self, all: Nanos) -> Option<Bound> {
        let share = self.share(all)?.enough()?;
        Some(match self.memory > self.compute {
            _ if share < Bound::LEAST => Bound::Latency,
            true => Bound::Memory,
            false => Bound::Compute,
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "shares for display")]
fn float(time: Nanos) -> f64 {
    time.0 as f64
}
