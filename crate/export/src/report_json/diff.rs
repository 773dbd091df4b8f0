//! Two traces beside each other: what `stepscope diff --json` prints, and what the page's tab shows.

use serde::Serialize;

use super::diff_side::DiffSide;
use super::text::{indented, json};
use super::times::AverageReport;
use stepscope_analyze::Rank;
use stepscope_analyze::{
    CauseChange, CompareConfig, Contribution, OperatorChange, Outcome, Phase, Role, SideStep, Sides, TimeChange,
    compare,
};

use stepscope_present::budget::outcome_sentences;
use stepscope_table::messages::Language;

/// The schema's name and version.
const SCHEMA: &str = "stepscope.diff/1";

/// A comparison of two ranks. METRICS section 10.
#[derive(Debug, Serialize)]
pub struct Diff {
    schema: &'static str,
    a: SideReport,
    b: SideReport,
    step: TimeReport,
    roles: Vec<RoleReport>,
    /// The part of the steps that is no role's; left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    before_first_activity: Option<TimeReport>,
    phases: Vec<PhaseReport>,
    contributions: Vec<ContributionReport>,
    operators: Vec<OperatorReport>,
    /// The causes of lost time by the step budgets, those that changed most first.
    causes: Vec<CauseReport>,
    /// What became of the step where a large cause of the first side is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<OutcomeReport>,
    steps: Vec<Both<Option<StepReport>>>,
}

/// The same of both sides.
#[derive(Debug, Serialize)]
struct Both<T> {
    a: T,
    b: T,
}

impl<T: Copy> From<Sides<T>> for Both<T> {
    fn from(sides: Sides<T>) -> Self {
        Self { a: sides.a, b: sides.b }
    }
}

/// One of the traces.
#[derive(Debug, Serialize)]
struct SideReport {
    input: String,
    rank: Option<u64>,
    framework: String,
    framework_version: String,
    step_source: &'static str,
    average: AverageReport,
}

/// A time per step on both sides, and how much more it is in the second.
#[derive(Debug, Serialize)]
struct TimeReport {
    a_ns: i64,
    b_ns: i64,
    change_ns: i64,
}

#[derive(Debug, Serialize)]
struct RoleReport {
    role: &'static str,
    time: TimeReport,
}

#[derive(Debug, Serialize)]
struct PhaseReport {
    phase: &'static str,
    host: TimeReport,
    device: TimeReport,
}

#[derive(Debug, Serialize)]
struct ContributionReport {
    role: &'static str,
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    shapes: String,
    time: TimeReport,
    /// In the steps that count, as the totals.
    calls: Both<u64>,
    total_ns: Both<i64>,
    mean_ns: Both<Option<i64>>,
    own_total_ns: Both<i64>,
}

#[derive(Debug, Serialize)]
struct OperatorReport {
    name: String,
    class: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    shapes: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    types: String,
    calls: Both<u64>,
    host_total: TimeReport,
    host_self: TimeReport,
    device_total: TimeReport,
    device_self: TimeReport,
}

/// A cause's time per window of the budget on both sides.
#[derive(Debug, Serialize)]
struct CauseReport {
    cause: &'static str,
    /// The last part of its messages' keys.
    wording: &'static str,
    time: TimeReport,
}

#[derive(Debug, Serialize)]
struct OutcomeReport {
    /// `as_predicted`, `less`, `more` or `not_shorter`.
    verdict: &'static str,
    cause: CauseReport,
    /// What times are per: a step, or the time from step to step.
    windows: &'static str,
    /// Between what removing as much of the cause as is gone was predicted to save.
    predicted_low_ns: i64,
    predicted_high_ns: i64,
    /// How much shorter it became; less than zero if it became longer.
    achieved_ns: i64,
    /// The cause that grew most, where one did by enough to matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    grown: Option<CauseReport>,
    /// All that in words, in English.
    sentences: Vec<String>,
}

impl CauseReport {
    fn of(change: &CauseChange) -> Self {
        let Sides { a, b } = change.score;
        let time = TimeReport { a_ns: a.0, b_ns: b.0, change_ns: change.difference().0 };
        Self { cause: change.kind.name(), wording: change.wording, time }
    }
}

impl OutcomeReport {
    fn of(found: &Outcome) -> Self {
        let [low, high] = found.predicted;
        Self {
            verdict: found.verdict.name(),
            cause: CauseReport::of(&found.cause),
            windows: found.whole.name(),
            predicted_low_ns: low.0,
            predicted_high_ns: high.0,
            achieved_ns: found.achieved.0,
            grown: found.grown.as_ref().map(CauseReport::of),
            sentences: outcome_sentences(found, Language::English),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
struct StepReport {
    name: String,
    length_ns: i64,
}

impl Diff {
    /// Compares the second rank with the first.
    #[must_use]
    pub fn of(ranks: Sides<&Rank>, config: CompareConfig) -> Self {
        Self::between(ranks.map(|rank| DiffSide::of(rank, config)).as_ref())
    }

    /// Compares the second side with the first; both are of the same configuration.
    #[must_use]
    pub fn between(sides: Sides<&DiffSide>) -> Self {
        let found = compare(sides.map(|side| &side.compared));
        let step = |side: &DiffSide, index: Option<usize>| side.compared.step(index?).map(StepReport::of);
        Self {
            schema: SCHEMA,
            a: SideReport::of(sides.a),
            b: SideReport::of(sides.b),
            step: TimeReport::of(&found.length),
            roles: Role::ALL.iter().zip(&found.roles).map(RoleReport::of).collect(),
            before_first_activity: (found.before_first.total != Sides::default())
                .then(|| TimeReport::of(&found.before_first)),
            phases: found
                .phases
                .iter()
                .map(|change| PhaseReport {
                    phase: Phase::name(change.phase),
                    host: TimeReport::of(&change.host),
                    device: TimeReport::of(&change.device),
                })
                .collect(),
            contributions: found.contributions.iter().map(ContributionReport::of).collect(),
            operators: found.operators.iter().map(OperatorReport::of).collect(),
            causes: found.causes.iter().map(CauseReport::of).collect(),
            outcome: found.outcome.as_ref().map(OutcomeReport::of),
            steps: found.steps.iter().map(|pair| Both { a: step(sides.a, pair.a), b: step(sides.b, pair.b) }).collect(),
        }
    }

    /// The comparison as text, on one line.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        json(self)
    }

    /// The comparison as indented text.
    #[must_use]
    pub fn to_json_pretty(&self) -> Vec<u8> {
        indented(&self.to_json())
    }
}

impl SideReport {
    fn of(side: &DiffSide) -> Self {
        Self {
            input: side.input.clone(),
            rank: side.rank,
            framework: side.framework.clone(),
            framework_version: side.framework_version.clone(),
            step_source: side.step_source.name(),
            average: AverageReport::of(&side.average),
        }
    }
}

impl StepReport {
    fn of(step: &SideStep) -> Self {
        Self { name: step.name.clone(), length_ns: step.length.0 }
    }
}

impl TimeReport {
    fn of(change: &TimeChange) -> Self {
        let means = change.per_step();
        Self { a_ns: means.a.0, b_ns: means.b.0, change_ns: change.difference().0 }
    }
}

impl RoleReport {
    fn of((role, change): (&Role, &TimeChange)) -> Self {
        Self { role: role.name(), time: TimeReport::of(change) }
    }
}

impl ContributionReport {
    fn of(row: &Contribution) -> Self {
        Self {
            role: row.role.name(),
            name: row.name.clone(),
            shapes: row.shapes.clone(),
            time: TimeReport::of(&row.own),
            calls: row.calls.into(),
            total_ns: row.total.map(|time| time.0).into(),
            mean_ns: row.mean().map(|time| time.map(|time| time.0)).into(),
            own_total_ns: row.own.total.map(|time| time.0).into(),
        }
    }
}

impl OperatorReport {
    fn of(row: &OperatorChange) -> Self {
        Self {
            name: row.name.clone(),
            class: row.class.name(),
            shapes: row.shapes.clone(),
            types: row.types.clone(),
            calls: row.calls.into(),
            host_total: TimeReport::of(&row.host_total),
            host_self: TimeReport::of(&row.host_self),
            device_total: TimeReport::of(&row.device_total),
            device_self: TimeReport::of(&row.device_self),
        }
    }
}
