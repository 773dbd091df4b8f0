//! Costs of steps as Paddle's timer reports them: `reader_cost`, `batch_cost`, `ips`.

use std::fmt;
use std::time::Duration;

/// Steps that enter no [`CostSummary`]: the first ones are slow.
const SKIPPED: u64 = 10;

/// Least, most and sum of some numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Extremes {
    least: Option<f64>,
    most: f64,
    total: f64,
}

impl Extremes {
    fn add(&mut self, value: f64) {
        self.least = Some(self.least.map_or(value, |least| least.min(value)));
        self.most = self.most.max(value);
        self.total += value;
    }

    fn line(&self, average: f64) -> CostLine {
        CostLine { average, most: self.most, least: self.least.unwrap_or_default() }
    }
}

/// Sums since the last request.
#[derive(Clone, Copy, Debug, Default)]
struct Lately {
    readings: u32,
    reading: Duration,
    steps: u32,
    time: Duration,
    samples: u64,
}

/// Accumulates the costs of steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    lately: Lately,
    steps: u64,
    readers: Extremes,
    batches: Extremes,
    rates: Extremes,
    samples: u64,
    /// Whether some step had no number of samples: steps are counted instead.
    without_samples: bool,
}

fn ratio(value: f64, by: f64) -> f64 {
    if by > 0.0 { value / by } else { 0.0 }
}

impl Costs {
    /// A wait for data.
    pub(super) fn reader(&mut self, time: Duration) {
        self.lately.readings += 1;
        self.lately.reading += time;
        if self.steps >= SKIPPED {
            self.readers.add(time.as_secs_f64());
        }
    }

    /// A step that ended, its wait for data included.
    pub(super) fn step(&mut self, time: Duration, samples: Option<u64>) {
        self.without_samples |= samples.is_none();
        self.lately.steps += 1;
        self.lately.time += time;
        self.lately.samples += samples.unwrap_or_default();
        self.steps += 1;
        if self.steps > SKIPPED {
            let seconds = time.as_secs_f64();
            self.samples += samples.unwrap_or_default();
            self.batches.add(seconds);
            let made = if self.without_samples { 1.0 } else { samples.unwrap_or_default() as f64 };
            self.rates.add(ratio(made, seconds));
        }
    }

    fn unit(&self, unit: &str) -> String {
        format!("{}/s", if self.without_samples { "steps" } else { unit })
    }

    /// The means since the last call.
    pub(super) fn take_info(&mut self, unit: &str) -> String {
        let Lately { readings, reading, steps, time, samples } = std::mem::take(&mut self.lately);
        let mut parts = Vec::new();
        if readings > 0 {
            parts.push(format!("reader_cost: {:.5} s", reading.as_secs_f64() / f64::from(readings)));
        }
        if steps > 0 {
            let made = if self.without_samples { f64::from(steps) } else { samples as f64 };
            parts.push(format!("batch_cost: {:.5} s", time.as_secs_f64() / f64::from(steps)));
            parts.push(format!("ips: {:.3} {}", ratio(made, time.as_secs_f64()), self.unit(unit)));
        }
        parts.join(" ")
    }

    /// All steps but the first ones.
    pub(super) fn summary(&self, unit: &str) -> Option<CostSummary> {
        let steps = self.steps.checked_sub(SKIPPED).filter(|steps| *steps > 0)?;
        let made = if self.without_samples { steps } else { self.samples };
        let reader = self.readers.line(self.readers.total / steps as f64);
        let batch = self.batches.line(self.batches.total / steps as f64);
        Some(CostSummary {
            steps,
            reader_cost: self.readers.least.is_some().then_some(reader),
            batch_cost: batch,
            ips: self.rates.line(ratio(made as f64, self.batches.total)),
            unit: self.unit(unit),
        })
    }
}

/// Mean, most and least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostLine {
    /// The mean.
    pub average: f64,
    /// The most.
    pub most: f64,
    /// The least.
    pub least: f64,
}

/// Costs of steps, without the first ten. Printed, it is Paddle's table.
#[derive(Clone, Debug, PartialEq)]
pub struct CostSummary {
    /// Number of steps.
    pub steps: u64,
    /// A step's wait for data, in seconds; `None` if there was none.
    pub reader_cost: Option<CostLine>,
    /// A whole step, in seconds.
    pub batch_cost: CostLine,
    /// Samples, else steps, per second.
    pub ips: CostLine,
    /// Unit that `ips` counts.
    pub unit: String,
}

impl fmt::Display for CostSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:=^100}", "Perf Summary")?;
        if let Some(reader) = self.reader_cost {
            writeln!(f, "Reader Ratio: {:.3}%", 100.0 * ratio(reader.average, self.batch_cost.average))?;
        }
        writeln!(f, "Time Unit: s, IPS Unit: {}", self.unit)?;
        writeln!(f, "| {:^15} | {:^15} | {:^15} | {:^15} |", "", "avg", "max", "min")?;
        let lines = [("reader_cost", self.reader_cost), ("batch_cost", Some(self.batch_cost)), ("ips", Some(self.ips))];
        for (name, line) in lines {
            if let Some(CostLine { average, most, least }) = line {
                let [average, most, least] = [average, most, least].map(|value| format!("{value:.5}"));
                writeln!(f, "| {name:^15} | {average:^15} | {most:^15} | {least:^15} |")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn information_is_about_the_time_since_it_was_asked_for() {
        let mut costs = Costs::default();
        assert_eq!(costs.take_info("samples"), "");
        costs.reader(ms(2));
        costs.step(ms(10), Some(32));
        costs.reader(ms(4));
        costs.step(ms(30), Some(48));
        assert_eq!(costs.take_info("images"), "reader_cost: 0.00300 s batch_cost: 0.02000 s ips: 2000.000 images/s");
        costs.step(ms(50), None);
        assert_eq!(costs.take_info("images"), "batch_cost: 0.05000 s ips: 20.000 steps/s");
    }

    #[test]
    fn a_summary_leaves_the_first_steps_out() {
        let mut costs = Costs::default();
        for _ in 0..SKIPPED {
            costs.reader(ms(500));
            costs.step(ms(1_000), Some(1));
        }
        assert_eq!(costs.summary("samples"), None);
        for step in [10, 20, 30, 40] {
            costs.reader(ms(step / 10));
            costs.step(ms(step), Some(10));
        }
        let found = costs.summary("samples").expect("four steps");
        assert_eq!((found.steps, found.unit.as_str()), (4, "samples/s"));
        assert!((found.batch_cost.average - 0.025).abs() < 1e-9 && (found.ips.average - 400.0).abs() < 1e-6);
        assert!((found.ips.most - 1_000.0).abs() < 1e-6 && (found.ips.least - 250.0).abs() < 1e-6);
        let text = found.to_string();
        assert!(text.contains("Reader Ratio: 10.000%"), "{text}");
        assert!(text.contains("|   batch_cost    |     0.02500     |     0.04000     |     0.01000     |"), "{text}");
    }
}
