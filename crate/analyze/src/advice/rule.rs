//! Rules: their measurements and units, and the condition under which they hold.

use super::Measured;
use super::facts::Facts;
use super::measured::AdviceUnit;
use super::why::NotApplicable;
use crate::cluster::Job;
use crate::mindspore::Cluster;
use crate::{Analysis, CauseKind, Definition, IntervalLimits};

/// A named set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleSet {
    /// METRICS' own.
    #[default]
    Stepscope,
    /// The seven of PyTorch's TensorBoard plugin.
    TensorBoard,
}

impl RuleSet {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Stepscope, Self::TensorBoard];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stepscope => "stepscope",
            Self::TensorBoard => "tensorboard",
        }
    }

    /// The set of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }
}

/// Condition under which a rule holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The value is above the threshold.
    Above,
    /// The value is below it.
    Below,
}

impl Condition {
    pub(super) fn holds(self, value: f64, threshold: f64) -> bool {
        match self {
            Self::Above => value > threshold,
            Self::Below => value < threshold,
        }
    }

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Above => "above",
            Self::Below => "below",
        }
    }
}

/// An adjustable number of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// Its name: the rule's for the one that the value is compared with, else the rule's, a dot, and its own.
    pub name: &'static str,
    /// Its unit.
    pub unit: AdviceUnit,
    /// METRICS' number.
    pub standard: f64,
}

impl Threshold {
    /// Its number under a definition.
    #[must_use]
    pub fn under(&self, definition: Definition) -> f64 {
        if self.name == "iteration_interval" { IntervalLimits::of(definition).time } else { self.standard }
    }

    /// Whether its rule uses it under a definition.
    #[must_use]
    pub fn applies(&self, definition: Definition) -> bool {
        self.name != "iteration_interval.share" || IntervalLimits::of(definition).has_share()
    }
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct AdviceRule {
    /// Its stable name.
    pub id: &'static str,
    /// The set that it belongs to.
    pub set: RuleSet,
    /// The condition under which it holds.
    pub condition: Condition,
    /// The limits that can be adjusted, that of the value first.
    pub thresholds: &'static [Threshold],
    pub(super) judge: Judge,
    pub(super) causes: &'static [CauseKind],
    /// Whether it measures all of the first of these causes.
    pub(super) is_about_cause: bool,
}

impl AdviceRule {
    /// The cause of the step budget that it is about; none for rules about a part of one, or about something else.
    #[must_use]
    pub fn cause(&self) -> Option<CauseKind> {
        self.causes.first().copied().filter(|_| self.is_about_cause)
    }

    /// The causes of the step budget that it can be a detail of.
    #[must_use]
    pub fn causes(&self) -> &'static [CauseKind] {
        self.causes
    }
}

/// Function that judges a rule, given its thresholds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Judge {
    /// By one rank's trace.
    Rank(fn(&Facts<'_>, &[f64]) -> Result<Measured, NotApplicable>),
    /// By the rank's tables.
    Tables(fn(&Analysis, &[f64]) -> Result<Measured, NotApplicable>),
    /// By MindSpore's tables of the job, else by comparison of the ranks' traces.
    Job(fn(&Cluster, &[f64]) -> Result<Measured, NotApplicable>, fn(&Job) -> Result<Measured, NotApplicable>),
}
