//! A curve, and its summary.

use stepscope_trace::RecordedUnit;

use super::kinds::ResourceKind;

/// A curve: a value that is measured repeatedly.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// Its kind.
    pub kind: ResourceKind,
    /// Its owner: a process, a device, an operator of the pipeline.
    pub owner: String,
    /// Its name as the producer writes it.
    pub name: String,
    /// The values' unit.
    pub unit: RecordedUnit,
    /// Whether a value is true until the next one; else each is a measurement of its own, such as of one kernel.
    pub holds: bool,
    /// Whether it is measured at regular intervals, each value of the time since the one before: they have equal weights.
    pub is_regular: bool,
    /// Time in ns and value, sorted by time. Measurements without a time have their number instead.
    pub points: Vec<(f64, f64)>,
}

/// A curve's summary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResourceSummary {
    /// The smallest value.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The mean: weighted by time for values that hold and are not measured at regular intervals, else the plain one.
    pub mean: f64,
    /// The last value.
    pub last: f64,
}

impl Resource {
    /// Its summary; none for a curve without a value.
    #[must_use]
    pub fn summary(&self) -> Option<ResourceSummary> {
        summary(&self.points, self.holds && !self.is_regular)
    }
}

pub(super) fn summary(points: &[(f64, f64)], holds: bool) -> Option<ResourceSummary> {
    let (first, last) = (points.first()?, points.last()?);
    let values = || points.iter().map(|(_, value)| *value);
    let span = last.0 - first.0;
    let mean = if holds && span > 0.0 {
        // Shares first: a sum of products could overflow.
        points.windows(2).map(|pair| pair[0].1 * ((pair[1].0 - pair[0].0) / span)).sum()
    } else {
        let count = points.len() as f64;
        values().map(|value| value / count).sum()
    };
    Some(ResourceSummary {
        min: values().fold(f64::INFINITY, f64::min),
        max: values().fold(f64::NEG_INFINITY, f64::max),
        mean,
        last: last.1,
    })
}
