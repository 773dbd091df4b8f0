//! The verdict of a step budget: its causes and what they cost.

use stepscope_base::Nanos;

use super::causes::{BudgetCause, FIRST_SHARE, NamedCause, Saving};
use super::{Branch, BudgetMean};

/// The part of a verdict on a rank that its budget adds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BudgetVerdict {
    /// The largest cause, if it is large enough to be named first.
    pub cause: Option<NamedCause>,
    /// The costs of all causes, the largest first; nothing where steps capture a graph.
    pub costs: Vec<CauseCost>,
    /// The mean time for which the device idles in a window and until the next one: all causes of idle time together
    /// cost no more.
    pub idle: Nanos,
    /// Whether the first sentence says that the unknown part is larger than any cause.
    pub lacks_cause: bool,
}

/// The cost of a cause and the saving of its removal, without the budget that it is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CauseCost {
    /// The cause, and its time per window.
    pub cause: NamedCause,
    /// The bounds of the saving per window, where a replay was asked for.
    pub saving: Option<Saving>,
    /// The mean length that these are parts of.
    pub length: Nanos,
}

impl CauseCost {
    /// The saving of its removal: the middle between the bounds where they are known, else its time.
    #[must_use]
    pub fn saves(&self) -> Nanos {
        self.saving.map_or(self.cause.score, |saving| saving.middle)
    }

    /// The most that its removal may save.
    #[must_use]
    pub fn may_save(&self) -> Nanos {
        self.saving.map_or(self.cause.score, Saving::most)
    }

    /// The bounds, where they are too far apart for a single number.
    #[must_use]
    pub fn wide_saving(&self) -> Option<Saving> {
        self.saving.filter(|saving| saving.is_wide())
    }
}

impl BudgetVerdict {
    /// The part that a budget adds.
    #[must_use]
    pub fn of(budget: &BudgetMean) -> Self {
        let is_steady = budget.first.is_steady();
        let is_large =
            |cause: &&BudgetCause| cause.may_save().ratio_of(budget.length).unwrap_or_default() >= FIRST_SHARE;
        let cause = budget.causes.first().filter(|_| is_steady).filter(is_large);
        let cause = cause.map(|cause| cause.named(budget.whole));
        let (whole, length) = (budget.whole, budget.length);
        let costs = budget.causes.iter().filter(|_| is_steady);
        let costs = costs.map(|cause| CauseCost { cause: cause.named(whole), saving: cause.saving, length });
        let may_idle =
            budget.branches.iter().filter(|branch| matches!(branch.branch, Branch::Idle | Branch::BetweenSteps));
        let idle = may_idle.map(|branch| branch.portion.time).sum();
        Self { cause, costs: costs.collect(), idle, lacks_cause: budget.first.lacks_cause() }
    }
}
