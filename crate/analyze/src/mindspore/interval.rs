//! The iteration interval, and its limit above which data may limit the steps. METRICS sections 3 and 9.

use crate::Definition;
use stepscope_base::Nanos;

/// The mean iteration interval of a rank's step trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IterationInterval {
    /// The mean.
    pub mean: Nanos,
    /// The mean step that it is a part of.
    pub step: Nanos,
    /// Whether the profiler recorded the step trace.
    pub recorded: bool,
    /// Whether the device takes its data from a queue of its own (sink mode).
    pub sinks: bool,
    /// Whether that is a guess, on the steps that the profiler's rows mark: both limits count then.
    pub guessed: bool,
}

/// Limits of an iteration interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalLimits {
    /// With data sinking, in ns.
    pub time: f64,
    /// Without it, as a part of the step.
    pub share: f64,
    /// Whether the time is the only limit, without data sinking, too.
    time_alone: bool,
}

impl IntervalLimits {
    /// The limits of a definition: MindInsight's guide says 1 ms, its program uses half of that. Its program knows no
    /// other limit, whether data sink or not.
    #[must_use]
    pub const fn of(definition: Definition) -> Self {
        let is_theirs = matches!(definition, Definition::MindSpore);
        Self { time: if is_theirs { 500_000.0 } else { 1_000_000.0 }, share: 0.05, time_alone: is_theirs }
    }

    /// The same with other numbers.
    #[must_use]
    pub const fn with(self, time: f64, share: f64) -> Self {
        Self { time, share, ..self }
    }

    /// Whether the share is a limit at all.
    #[must_use]
    pub const fn has_share(&self) -> bool {
        !self.time_alone
    }

    /// The limit of an interval, in ns, given its step.
    #[must_use]
    pub fn of_interval(&self, sinks: bool, step: Nanos) -> f64 {
        if sinks || self.time_alone { self.time } else { share_of(step, self.share) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a part of a length")]
fn share_of(step: Nanos, share: f64) -> f64 {
    share * step.0 as f64
}

impl IterationInterval {
    /// The limit, in ns: an interval above it is long.
    #[must_use]
    pub fn limit(&self, limits: IntervalLimits) -> f64 {
        let of = |sinks| limits.of_interval(sinks, self.step);
        if self.guessed { of(true).min(of(false)) } else { of(self.sinks) }
    }

    /// Whether it is longer than its limit.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a length, to be compared with a limit")]
    pub fn is_long(&self, limits: IntervalLimits) -> bool {
        self.mean.0 as f64 > self.limit(limits)
    }

    /// Whether it is so short that data cannot limit the steps: within its limit, and a small part of the step, unless the
    /// time alone is the limit.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a length, to be compared with a limit")]
    pub fn is_short(&self, limits: IntervalLimits) -> bool {
        let share = if limits.has_share() { share_of(self.step, limits.share) } else { f64::INFINITY };
        self.mean.0 as f64 <= self.limit(limits).min(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_interval_is_within_its_limit_and_a_small_part_of_the_step() {
        let by = |definition, mean: i64, step: i64, sinks: bool| {
            let interval =
                IterationInterval { mean: Nanos(mean), step: Nanos(step), recorded: true, sinks, guessed: false };
            let limits = IntervalLimits::of(definition);
            (interval.limit(limits), interval.is_short(limits))
        };
        let of = |mean, step, sinks| by(Definition::Stepscope, mean, step, sinks);
        assert_eq!(of(1_000_000, 20_000_000, true), (1_000_000.0, true));
        assert_eq!(of(1_000_001, 90_000_000, true), (1_000_000.0, false));
        assert_eq!(of(900_000, 3_000_000, true), (1_000_000.0, false), "30 % of the step");
        assert_eq!(of(1_000_001, 90_000_000, false), (4_500_000.0, true));
        assert_eq!(of(150_001, 3_000_000, false), (150_000.0, false));
        let guessed = |step| {
            let (mean, step) = (Nanos::ZERO, Nanos(step));
            let interval = IterationInterval { mean, step, recorded: false, sinks: true, guessed: true };
            interval.limit(IntervalLimits::of(Definition::Stepscope))
        };
        assert_eq!((guessed(3_000_000), guessed(90_000_000)), (150_000.0, 1_000_000.0), "the shorter of both");
        for sinks in [true, false] {
            let theirs = |mean, step| by(Definition::MindSpore, mean, step, sinks);
            assert_eq!(theirs(500_000, 600_000), (500_000.0, true), "MindInsight looks at no part of the step");
            assert_eq!(theirs(500_001, 90_000_000), (500_000.0, false));
        }
    }
}
