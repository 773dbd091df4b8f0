//! The walk from a job to a cause.

use schemars::JsonSchema;
use serde::Serialize;

use super::Named;
use super::job::place_of;
use stepscope_analyze::{Job, WalkKind, WalkNumber, WalkStep};

/// A step of the walk; it belongs to the last one before it whose `depth` is less.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct WalkStepReport {
    /// `entry`, `parallel`, `metric`, `place` or `cause`.
    step: &'static str,
    /// The kind of parallelism, the metric, the kind of place, the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    depth: u8,
    off: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranks: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    numbers: Named<WalkNumberReport>,
    /// The table with more of it: `ranks`, `stages`, `collectives`, `links`, `stragglers` of the job; `kernels`, `pipeline`,
    /// `idle` of the rank.
    look: &'static str,
}

/// A number with its unit: `ns` per step, `bytes_per_second`, `share`, `count`.
#[derive(Debug, JsonSchema, Serialize)]
struct WalkNumberReport {
    value: f64,
    unit: &'static str,
}

impl WalkNumberReport {
    #[expect(clippy::cast_precision_loss, reason = "numbers for display")]
    fn of(number: WalkNumber) -> Self {
        let (value, unit) = match number {
            WalkNumber::Time(time) => (time.0 as f64, "ns"),
            WalkNumber::Rate(rate) => (rate, "bytes_per_second"),
            WalkNumber::Share(share) => (share, "share"),
            WalkNumber::Count(count) => (count as f64, "count"),
        };
        Self { value, unit }
    }
}

impl WalkStepReport {
    pub(super) fn of(job: &Job, step: &WalkStep) -> Self {
        let (mut group, mut stage) = (None, None);
        let (kind, name) = match step.kind {
            WalkKind::Entry => ("entry", None),
            WalkKind::Parallel(kind) => ("parallel", Some(kind.name())),
            WalkKind::Metric(metric) => ("metric", Some(metric.name())),
            WalkKind::Place(place) => {
                let name;
                (name, group, stage) = place_of(job, place);
                ("place", Some(name))
            }
            WalkKind::Cause(cause) => ("cause", Some(cause.name())),
        };
        Self {
            step: kind,
            name,
            depth: step.depth,
            off: step.off,
            ranks: step.ranks.clone(),
            group,
            stage,
            source: step.source.map(stepscope_analyze::ParallelSource::name),
            rule: step.rule.map(stepscope_analyze::OutlierRule::name),
            numbers: Named(step.numbers.iter().map(|(name, number)| (*name, WalkNumberReport::of(*number))).collect()),
            look: step.look.name(),
        }
    }
}
