//! The causes of lost time on both sides, and the change of the step where one of them is gone: predicted against
//! achieved.

use super::sides::Sides;
use crate::{BudgetCause, BudgetMean, BudgetWhole, CauseKind, FirstLine, Late, Rank, Saving};
use stepscope_base::{CompactSort, Nanos};

/// The causes of one side, per window of its step budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideCauses {
    /// The mean length of a window.
    pub length: Nanos,
    /// The whole that a window is.
    pub whole: BudgetWhole,
    /// Number of windows that count: a single one has no known time to the next.
    pub windows: u64,
    /// The causes, the largest first.
    pub causes: Vec<SideCause>,
    /// The time without a known cause.
    pub unknown: Nanos,
    /// Whether causes are known: they are not without a device, or for steps that capture a graph.
    pub is_known: bool,
    /// Whether the trace marks its steps: only then are two windows the same work.
    pub is_marked: bool,
    /// The devices' models.
    pub devices: String,
}

/// A cause of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideCause {
    /// Its kind.
    pub kind: CauseKind,
    /// The last part of its messages' keys.
    pub wording: &'static str,
    /// Its time per window.
    pub score: Nanos,
    /// The predicted saving of removing it.
    pub saving: Saving,
    /// The late parts of the job; none in a rank's budget.
    pub late: Vec<Late>,
}

impl SideCauses {
    /// The causes of a rank.
    #[must_use]
    pub fn of(rank: &Rank) -> Self {
        Self::of_budget(rank.step_budget(), rank.analysis.steps.source.is_marked(), &[rank])
    }

    /// The causes of a budget of ranks.
    pub(super) fn of_budget(budget: Option<&BudgetMean>, is_marked: bool, ranks: &[&Rank]) -> Self {
        let is_steady = |budget: &&BudgetMean| budget.first.is_steady();
        let cause = |cause: &BudgetCause| {
            let BudgetCause { kind, wording, score, .. } = *cause;
            // Small ones are not replayed.
            let saving = cause.saving.unwrap_or(Saving { low: score, high: score, middle: score });
            SideCause { kind, wording, score, saving, late: cause.late.clone() }
        };
        // Samples of two runs differ by chance.
        let is_known = |budget: &BudgetMean| budget.first.has_device_times() && budget.first != FirstLine::SampledCalls;
        let mut devices: Vec<&str> =
            ranks.iter().flat_map(|rank| &rank.trace.meta.devices).map(|device| device.name.as_str()).collect();
        devices.compact_sort();
        devices.dedup();
        Self {
            length: budget.map_or(Nanos::ZERO, |budget| budget.length),
            whole: budget.map_or(BudgetWhole::Trace, |budget| budget.whole),
            windows: budget.map_or(0, |budget| budget.windows),
            causes: budget
                .filter(is_steady)
                .map(|budget| budget.causes.iter().map(cause).collect())
                .unwrap_or_default(),
            unknown: budget.map_or(Nanos::ZERO, |budget| budget.unknown.time),
            is_known: budget.is_some_and(is_known),
            is_marked,
            devices: devices.join(", "),
        }
    }

    fn find(&self, kind: CauseKind) -> Option<&SideCause> {
        self.causes.iter().find(|cause| cause.kind == kind)
    }
}

/// A cause on both sides, per window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseChange {
    /// Its kind.
    pub kind: CauseKind,
    /// The last part of its messages' keys, of the side where it takes more time.
    pub wording: &'static str,
    /// Its time; zero on a side without the cause.
    pub score: Sides<Nanos>,
    /// The late parts of the job on that side.
    pub late: Vec<Late>,
}

impl CauseChange {
    /// Additional time in the second; less than zero if it takes less.
    #[must_use]
    pub fn difference(&self) -> Nanos {
        self.score.b - self.score.a
    }
}

/// A prediction compared with the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeVerdict {
    /// The step became shorter by the predicted time.
    AsPredicted,
    /// It became shorter by less.
    Less,
    /// It became shorter by more.
    More,
    /// It did not become shorter.
    NotShorter,
}

impl OutcomeVerdict {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::AsPredicted, Self::Less, Self::More, Self::NotShorter];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AsPredicted => "as_predicted",
            Self::Less => "less",
            Self::More => "more",
            Self::NotShorter => "not_shorter",
        }
    }
}

/// The change of the step where the first side's cause is gone for the most part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The cause with the greatest predicted saving among those that are gone.
    pub cause: CauseChange,
    /// The whole that a window is, on the first side.
    pub whole: BudgetWhole,
    /// The prediction for the part of the cause that is gone: the smaller and the larger bound.
    pub predicted: [Nanos; 2],
    /// The time by which the window became shorter; less than zero if it became longer.
    pub achieved: Nanos,
    /// The comparison of both.
    pub verdict: OutcomeVerdict,
    /// The cause that grew most, where one grew by enough to matter.
    pub grown: Option<CauseChange>,
}

/// Causes of both sides, those that changed most first; empty where a side does not know them.
pub(super) fn cause_changes(sides: Sides<&SideCauses>) -> Vec<CauseChange> {
    if !sides.a.is_known || !sides.b.is_known {
        return Vec::new();
    }
    // The time between steps is not known for a side with one step.
    let is_told = |kind: &CauseKind| *kind != CauseKind::BetweenSteps || sides.a.windows.min(sides.b.windows) > 1;
    let change = |kind| {
        let found = sides.map(|side| side.find(kind));
        let largest = [found.a, found.b].into_iter().flatten().max_by_key(|cause| cause.score)?;
        let score = found.map(|cause| cause.map_or(Nanos::ZERO, |cause| cause.score));
        Some(CauseChange { kind, wording: largest.wording, score, late: largest.late.clone() })
    };
    let mut changes: Vec<CauseChange> = CauseKind::all().into_iter().filter(is_told).filter_map(change).collect();
    changes.compact_sort_by_key(|change| (std::cmp::Reverse(change.difference().0.abs()), change.kind));
    changes
}

/// A change below this share of a window means nothing: steps differ by as much.
const NOTABLE: f64 = 0.02;

/// The change of the step without a cause. None where no large cause is gone for the most part, or the traces mark no
/// steps or are of other devices.
pub(super) fn outcome(sides: Sides<&SideCauses>, changes: &[CauseChange]) -> Option<Outcome> {
    let Sides { a, b } = sides;
    // Without marked steps, two windows are not the same work; on another device, everything takes another time. A
    // single step has no next one, so its time to the next step is not known.
    let is_periods = |side: &SideCauses| side.whole == BudgetWhole::Periods;
    let is_one = is_periods(a) != is_periods(b) && a.windows.min(b.windows) < 2;
    // A part of a step is not the same work as another part, or a whole one.
    let is_part = a.whole == BudgetWhole::Recorded || b.whole == BudgetWhole::Recorded;
    let is_same = a.is_marked && b.is_marked && a.devices == b.devices && !is_one && !is_part;
    if !is_same || [a.whole, b.whole].contains(&BudgetWhole::Trace) {
        return None;
    }
    let is_notable = |time: Nanos| time.ratio_of(a.length).is_some_and(|share| share.abs() >= NOTABLE);
    let fallen = changes.iter().filter(|change| {
        let fell = change.score.a - change.score.b;
        // Its time may only be without explanation on the second side.
        let is_explained = (b.unknown - a.unknown).0.saturating_mul(2) < fell.0;
        is_notable(fell) && is_explained && change.score.b.0.saturating_mul(2) <= change.score.a.0
    });
    let predicted = |change: &CauseChange| {
        let saving = a.find(change.kind)?.saving;
        let fell = change.score.a - change.score.b;
        // It saves more than its own time where later work moves up.
        let more = (saving.high - change.score.a).max(Nanos::ZERO);
        Some([part_of(saving.low, fell.ratio_of(change.score.a)?), saving.high.min(fell + more)])
    };
    let of = |change: &CauseChange| Some((change.clone(), predicted(change)?));
    let (cause, predicted) = fallen.filter_map(of).max_by_key(|(_, [low, high])| low.0.saturating_add(high.0))?;
    let achieved = a.length - b.length;
    let verdict = match achieved {
        _ if achieved <= Nanos::ZERO => OutcomeVerdict::NotShorter,
        _ if achieved < predicted[0] && is_notable(predicted[0] - achieved) => OutcomeVerdict::Less,
        _ if achieved > predicted[1] && is_notable(achieved - predicted[1]) => OutcomeVerdict::More,
        _ => OutcomeVerdict::AsPredicted,
    };
    let grown = changes.iter().filter(|change| change.difference() > Nanos::ZERO && is_notable(change.difference()));
    let grown = grown.max_by_key(|change| change.difference()).cloned();
    Some(Outcome { cause, whole: a.whole, predicted, achieved, verdict, grown })
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a part of a length")]
fn part_of(time: Nanos, part: f64) -> Nanos {
    Nanos((time.0 as f64 * part).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(length: i64, causes: &[(CauseKind, i64, [i64; 2])]) -> SideCauses {
        let cause = |(kind, score, [low, high]): &(CauseKind, i64, [i64; 2])| {
            let saving = Saving { low: Nanos(*low), high: Nanos(*high), middle: Nanos(low.midpoint(*high)) };
            SideCause { kind: *kind, wording: kind.name(), score: Nanos(*score), saving, late: Vec::new() }
        };
        SideCauses {
            length: Nanos(length),
            whole: BudgetWhole::Steps,
            windows: 4,
            causes: causes.iter().map(cause).collect(),
            unknown: Nanos::ZERO,
            is_known: true,
            is_marked: true,
            devices: String::new(),
        }
    }

    fn of(a: &SideCauses, b: &SideCauses) -> Option<Outcome> {
        let sides = Sides { a, b };
        outcome(sides, &cause_changes(sides))
    }

    #[test]
    fn a_prediction_is_measured_by_what_was_achieved() {
        use CauseKind::{DataPipeline, LaunchBound};
        let before = side(1_000, &[(DataPipeline, 400, [300, 420]), (LaunchBound, 100, [50, 100])]);
        let verdict = |length: i64, causes: &[(CauseKind, i64, [i64; 2])]| {
            of(&before, &side(length, causes)).map(|found| (found.verdict, found.grown.map(|grown| grown.kind)))
        };
        assert_eq!(verdict(620, &[(LaunchBound, 100, [50, 100])]), Some((OutcomeVerdict::AsPredicted, None)));
        assert_eq!(verdict(705, &[]).map(|found| found.0), Some(OutcomeVerdict::AsPredicted), "within a hundredth");
        assert_eq!(
            verdict(900, &[(LaunchBound, 300, [300, 300])]),
            Some((OutcomeVerdict::Less, Some(LaunchBound))),
            "something else takes its place"
        );
        assert_eq!(verdict(500, &[]).map(|found| found.0), Some(OutcomeVerdict::More));
        assert_eq!(verdict(1_100, &[]).map(|found| found.0), Some(OutcomeVerdict::NotShorter));
    }

    #[test]
    fn what_is_gone_in_part_promises_at_least_a_part() {
        let before = side(1_000, &[(CauseKind::Copies, 400, [200, 400])]);
        let found = of(&before, &side(800, &[(CauseKind::Copies, 100, [100, 100])])).expect("an outcome");
        assert_eq!((found.predicted, found.achieved), ([Nanos(150), Nanos(300)], Nanos(200)));
        assert_eq!(found.verdict, OutcomeVerdict::AsPredicted);
    }

    #[test]
    fn one_step_tells_nothing_of_the_time_between_steps() {
        let periods = side(1_300, &[(CauseKind::BetweenSteps, 300, [300, 300])]);
        let periods = SideCauses { whole: BudgetWhole::Periods, ..periods };
        let kinds = |other: &SideCauses| cause_changes(Sides { a: &periods, b: other }).len();
        assert_eq!((kinds(&side(1_000, &[])), kinds(&SideCauses { windows: 1, ..side(1_000, &[]) })), (1, 0));
        assert!(of(&periods, &side(1_000, &[])).is_some(), "the time between them is gone");
        assert_eq!(of(&periods, &SideCauses { windows: 1, ..side(1_000, &[]) }), None);
    }

    #[test]
    fn where_no_cause_is_gone_nothing_is_measured() {
        let before = side(1_000, &[(CauseKind::Copies, 400, [200, 400])]);
        assert_eq!(of(&before, &before), None);
        assert_eq!(of(&before, &side(700, &[(CauseKind::Copies, 300, [300, 300])])), None, "most of it is there");
        let shorter = side(600, &[]);
        assert!(of(&before, &shorter).is_some());
        let others = [
            ("a whole trace", SideCauses { whole: BudgetWhole::Trace, ..shorter.clone() }),
            ("a part of a step", SideCauses { whole: BudgetWhole::Recorded, ..shorter.clone() }),
            ("no marked steps", SideCauses { is_marked: false, ..shorter.clone() }),
            ("one step alone", SideCauses { whole: BudgetWhole::Periods, windows: 1, ..shorter.clone() }),
            ("another device", SideCauses { devices: "another".to_owned(), ..shorter.clone() }),
            ("no longer explained", SideCauses { unknown: Nanos(300), ..shorter.clone() }),
            ("nothing is known", SideCauses { is_known: false, ..shorter }),
        ];
        for (why, other) in others {
            assert_eq!(of(&before, &other), None, "{why}");
        }
    }
}
