//! The drill-down from a job to a cause.

use schemars::JsonSchema;
use serde::Serialize;

use super::Named;

use stepscope_analyze::{DrillDownKind, DrillDownNumber, DrillDownStep, Job, StragglerPlace};

/// A step of the drill-down. Its parent is the last step before it with a smaller `depth`.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DrillDownStepReport {
    /// `entry`, `parallel`, `metric`, `place`, `cause` or `hint`.
    step: &'static str,
    /// The kind of parallelism, the metric, the kind of location, the cause, or the hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    depth: u8,
    off: bool,
    /// Whether a rule checks the number. Only such a number passes as a check.
    checked: bool,
    /// Whether ranks differ in the number by more than a fifth of the mean.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    uneven: bool,
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
    numbers: Named<DrillDownNumberReport>,
    /// The table with details: `ranks`, `stages`, `collectives`, `links` or `stragglers` of the job, `kernels`,
    /// `pipeline` or `idle` of the rank.
    look: &'static str,
}

/// A number with its unit: `ns` per step, `flops` per step, `bytes_per_second`, `share`, `count`.
#[derive(Debug, JsonSchema, Serialize)]
struct DrillDownNumberReport {
    value: f64,
    unit: &'static str,
}

impl DrillDownNumberReport {
    fn of(number: DrillDownNumber) -> Self {
        let unit = match number {
            DrillDownNumber::Time(_) => "ns",
            DrillDownNumber::Flops(_) => "flops",
            DrillDownNumber::Rate(_) => "bytes_per_second",
            DrillDownNumber::Share(_) => "share",
            DrillDownNumber::Count(_) => "count",
        };
        Self { value: number.value(), unit }
    }
}

impl DrillDownStepReport {
    pub(super) fn of(job: &Job, step: &DrillDownStep) -> Self {
        let (mut group, mut stage) = (None, step.stage);
        let (kind, name) = match step.kind {
            DrillDownKind::Entry => ("entry", None),
            DrillDownKind::Parallel(kind) => ("parallel", Some(kind.name())),
            DrillDownKind::Metric(metric) => ("metric", Some(metric.name())),
            DrillDownKind::Place(place) => {
                let name;
                (name, group, stage) = place_of(job, place);
                ("place", Some(name))
            }
            DrillDownKind::Cause(cause) => ("cause", Some(cause.name())),
            DrillDownKind::Hint(hint) => ("hint", Some(hint.name())),
        };
        Self {
            step: kind,
            name,
            depth: step.depth,
            off: step.off,
            checked: step.checked,
            uneven: step.is_uneven(),
            ranks: step.ranks.clone(),
            group,
            stage,
            source: step.source.map(stepscope_analyze::ParallelSource::name),
            rule: step.rule.map(stepscope_analyze::OutlierRule::name),
            numbers: Named(
                step.numbers.iter().map(|(name, number)| (*name, DrillDownNumberReport::of(*number))).collect(),
            ),
            look: step.look.name(),
        }
    }
}

/// The kind of a place, and its group or stage, if it has one.
fn place_of(job: &Job, place: StragglerPlace) -> (&'static str, Option<String>, Option<u32>) {
    let (group, stage) = match place {
        StragglerPlace::Rank(_) | StragglerPlace::Link(_) => (None, None),
        StragglerPlace::Group(group) => (job.groups.get(group).map(|group| group.name.clone()), None),
        StragglerPlace::Stage(stage) => (None, Some(stage)),
    };
    (place.name(), group, stage)
}
