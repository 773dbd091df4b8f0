//! The judgement of a rule, and its worth.

use std::cmp::Reverse;

use stepscope_base::Nanos;

use super::measured::{AdviceUnit, Measured, Waits};
use super::rule::{AdviceRule, Condition, Judge};
use super::why::{Exemption, NotApplicable};
use crate::cluster::{RankRow, TransferAlone};
use crate::{CauseCost, CauseKind, Definition};

/// A rule's judgement of a trace.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The rule.
    pub rule: &'static AdviceRule,
    /// Its thresholds, as chosen.
    pub thresholds: Vec<f64>,
    /// The definition that sets the thresholds that the user did not change.
    pub definition: Definition,
    /// The measurement, or the reason why there is none.
    pub measured: Result<Measured, NotApplicable>,
    /// The limit that the value was compared with.
    pub threshold: f64,
    /// Whether the rule holds: there is something to do.
    pub holds: bool,
    /// The step that the gain is a part of; none if that is not known.
    pub step: Option<Nanos>,
    /// The same if it is not the mean step, but another time, such as that from a step's start to the next one's.
    pub other_whole: Option<Nanos>,
    /// Whether that step is the recorded time rather than a whole step.
    pub is_recorded_time: bool,
    /// The rule that explains more of the same time, if any.
    pub covered_by: Option<&'static str>,
    /// The step budget's cause that the rule is about, where it names that cause.
    pub cost: Option<CauseCost>,
    /// The listed cause of the step budget that the rule is a detail of, if any.
    pub detail_of: Option<CauseCost>,
}

impl Judgement {
    /// Returns the id of its texts: the rule's, or that of a wording that fits the trace's devices.
    #[must_use]
    pub fn wording(&self) -> &'static str {
        self.measured.as_ref().ok().and_then(|found| found.wording).unwrap_or(self.rule.id)
    }

    /// Sets the last part of its messages' keys.
    pub(super) fn word(&mut self, wording: &'static str) {
        if let Ok(found) = &mut self.measured {
            found.wording = Some(wording);
        }
    }

    pub(super) fn of(
        rule: &'static AdviceRule,
        thresholds: Vec<f64>,
        mut measured: Result<Measured, NotApplicable>,
        step: Option<Nanos>,
    ) -> Self {
        let told = measured.as_ref().ok().and_then(|found| found.step);
        let other_whole = told.filter(|told| step != Some(*told) && *told > Nanos::ZERO);
        let step = told.or(step).filter(|step| *step > Nanos::ZERO);
        if let (Ok(found), Some(step)) = (&mut measured, step) {
            // Savings are parts of the step.
            found.gain = found.gain.map(|gain| gain.min(step));
        }
        let first = thresholds.first().copied().unwrap_or_default();
        let threshold = measured.as_ref().ok().and_then(|found| found.threshold).unwrap_or(first);
        let of = |found: &Measured| found.exemption.is_none() && rule.condition.holds(found.value, threshold);
        let holds = measured.as_ref().is_ok_and(of);
        let definition = Definition::default();
        Self {
            rule,
            thresholds,
            definition,
            measured,
            threshold,
            holds,
            step,
            other_whole,
            is_recorded_time: false,
            covered_by: None,
            cost: None,
            detail_of: None,
        }
    }

    /// The expected saving, by which rules are sorted: the budget's for a rule about one of its causes, else half of
    /// the gain, as only that upper bound is known.
    #[must_use]
    pub fn saves(&self) -> Option<Nanos> {
        let half = || self.gain().map(|gain| Nanos(gain.0 / 2));
        self.cost.filter(|_| self.holds).map(|cost| cost.saves()).or_else(half)
    }

    /// Upper bound of the saving per step; none if the rule does not hold or the bound is unknown.
    #[must_use]
    pub fn gain(&self) -> Option<Nanos> {
        self.measured.as_ref().ok().filter(|_| self.holds)?.gain
    }

    /// The same as a part of that step.
    #[must_use]
    pub fn gain_share(&self) -> Option<f64> {
        self.gain()?.ratio_of(self.step?)
    }

    /// The exemption of a rule that does not hold though its value is reached; none if it is not, or the rule holds.
    #[must_use]
    pub fn exemption(&self) -> Option<Exemption> {
        let found = self.measured.as_ref().ok()?;
        found.exemption.filter(|_| self.rule.condition.holds(found.value, self.threshold))
    }
}

impl Judgement {
    /// Whether the rule compares ranks.
    #[must_use]
    pub fn is_of_job(&self) -> bool {
        matches!(self.rule.judge, Judge::Job(..))
    }

    /// The place of the cause that it is a detail of: the largest saving comes first, and nothing after all causes.
    pub(super) fn place_of_cause(&self) -> (Reverse<i64>, Option<CauseKind>) {
        let cause = self.detail_of.filter(|_| self.holds);
        (Reverse(cause.map_or(-1, |cause| cause.saves().0)), cause.map(|cause| cause.cause.kind))
    }

    /// The order of judgements: those that hold, the most gain first, then those that do not, then those without a
    /// measurement.
    pub(super) fn order(&self) -> (bool, bool, Reverse<i64>) {
        let gain = self.saves().map_or(-1, |gain| gain.0);
        (!self.holds, self.measured.is_err(), Reverse(gain))
    }

    /// Removes times that the rank's job shows by its row and the lengths of its transfers: waits for other ranks, for at
    /// least `of_stages` where the row has none, and the time that a jump of its clock may add to its steps. The rank was
    /// judged before these were known.
    pub(super) fn among_ranks(&mut self, row: &RankRow, transfers: &TransferAlone, of_stages: Nanos) {
        let Ok(found) = &mut self.measured else { return };
        let Some(gain) = found.gain else { return };
        let sound = match &found.waits {
            // Those of steps that count.
            Waits::Of(events) => gain.min(transfers.of_events(events)),
            _ if !matches!(self.rule.judge, Judge::Rank(_)) => gain,
            _ => (gain - row.added_by_jump).max(Nanos::ZERO),
        };
        let is_reduced = matches!(found.waits, Waits::Gain | Waits::GainAndValue);
        let waiting = row.waiting.map_or(of_stages, |waiting| waiting.all);
        let left = if is_reduced { (sound - waiting).max(Nanos::ZERO) } else { sound };
        found.gain = Some(left);
        if left != gain {
            // The budget of the rank alone does not know that.
            self.cost = None;
        }
        // The time that a jump adds is in the value as well, if that is a time for which longer is worse.
        let unit = self.rule.thresholds.first().map(|threshold| threshold.unit);
        let is_time = matches!(unit, Some(AdviceUnit::Share | AdviceUnit::Nanoseconds));
        let kept = match found.waits {
            Waits::Nothing | Waits::Gain | Waits::GainAndValue
                if is_time && self.rule.condition == Condition::Above =>
            {
                sound
            }
            _ => gain,
        };
        let of_own = found.value * left.ratio_of(gain).unwrap_or(1.0);
        found.value *= kept.ratio_of(gain).unwrap_or(1.0);
        if left == Nanos::ZERO && gain > Nanos::ZERO {
            let is_waiting = sound > Nanos::ZERO || matches!(found.waits, Waits::Of(_));
            let why = if is_waiting { Exemption::OnlyWaiting } else { Exemption::ClockJumps };
            found.exemption = found.exemption.or(Some(why));
        } else if found.waits == Waits::GainAndValue && !self.rule.condition.holds(of_own, self.threshold) {
            found.exemption = found.exemption.or(Some(Exemption::MostlyWaiting));
        }
        self.holds &= found.exemption.is_none() && self.rule.condition.holds(found.value, self.threshold);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Measured, RULES, Waits};
    use super::*;
    use crate::cluster::Waiting;

    /// A rule whose gain is only waiting for others, or added by a clock jump, has no finding.
    #[test]
    fn what_is_left_among_other_ranks() {
        let of = |rule: &str, waits: Waits, waiting: i64, added: i64| {
            let rule = RULES.iter().find(|one| one.id == rule).expect("a rule");
            let value = if rule.condition == Condition::Above { 0.5 } else { 0.05 };
            let measured = Measured { value, gain: Some(Nanos(100)), waits, ..Measured::default() };
            let mut judgement = Judgement::of(rule, vec![0.1], Ok(measured), Some(Nanos(1_000)));
            let waiting = Some(Waiting { all: Nanos(waiting), otherwise: Nanos(waiting), known: Nanos(waiting) });
            let row = RankRow { waiting, added_by_jump: Nanos(added), ..RankRow::default() };
            judgement.among_ranks(&row, &TransferAlone::default(), Nanos::ZERO);
            (judgement.holds, judgement.gain(), judgement.exemption())
        };
        // The value is the one of the tiles, including waits.
        let exposed = |waiting| {
            let rule = RULES.iter().find(|one| one.id == "exposed_communication").expect("a rule");
            let measured =
                Measured { value: 0.5, gain: Some(Nanos(100)), waits: Waits::GainAndValue, ..Measured::default() };
            let mut judgement = Judgement::of(rule, vec![0.1], Ok(measured), Some(Nanos(200)));
            let waiting = Some(Waiting { all: Nanos(waiting), otherwise: Nanos(waiting), known: Nanos(waiting) });
            let row = RankRow { waiting, ..RankRow::default() };
            judgement.among_ranks(&row, &TransferAlone::default(), Nanos::ZERO);
            let value = judgement.measured.as_ref().expect("a value").value;
            (value, judgement.gain(), judgement.exemption())
        };
        assert_eq!(exposed(30), (0.5, Some(Nanos(70)), None));
        assert_eq!(exposed(90), (0.5, None, Some(Exemption::MostlyWaiting)));
        assert_eq!(exposed(100), (0.5, None, Some(Exemption::OnlyWaiting)));
        let waits = |waiting, added| of("tensorboard_communication", Waits::Gain, waiting, added);
        assert_eq!(waits(0, 0), (true, Some(Nanos(100)), None));
        assert_eq!(waits(30, 20), (true, Some(Nanos(50)), None));
        assert_eq!(waits(100, 0), (false, None, Some(Exemption::OnlyWaiting)));
        // With what the jump adds, its value is gone, too.
        assert_eq!(waits(0, 90), (false, None, None));
        let idles = |added| of("low_utilization", Waits::Nothing, 0, added);
        assert_eq!([idles(60).1, idles(0).1], [40, 100].map(|gain| Some(Nanos(gain))));
        assert_eq!(idles(120), (false, None, Some(Exemption::ClockJumps)));
    }
}
