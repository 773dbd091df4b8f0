//! Comparison of two traces: the output of `stepscope diff --json`, and the page's tab.

use schemars::JsonSchema;
use serde::Serialize;

use super::diff_side::DiffSide;
use super::text::{indented, json};
use super::times::AverageReport;
use stepscope_analyze::Rank;
use stepscope_analyze::{
    CauseChange, CompareConfig, Contribution, JobSide, OperatorChange, Outcome, Phase, SideRank, SideStep, Sides,
    TimeCategory, TimeChange, compare, compare_jobs,
};

use stepscope_present::budget::{changed_cause_name, late_names, outcome_sentences};
use stepscope_table::messages::Language;

/// The schema's name and version.
pub(super) const SCHEMA: &str = "stepscope.diff/1";

/// A comparison of two ranks. METRICS section 10.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Diff {
    schema: &'static str,
    a: ComparedSideReport,
    b: ComparedSideReport,
    step: ChangeReport,
    categories: Vec<CategoryChangeReport>,
    /// The earlier name of `categories`.
    #[schemars(extend("deprecated" = true))]
    roles: Vec<CategoryChangeReport>,
    /// The part of the steps before the first recorded activity; left out if zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    before_first_activity: Option<ChangeReport>,
    phases: Vec<PhaseChangeReport>,
    contributions: Vec<ContributionReport>,
    operators: Vec<OperatorChangeReport>,
    /// `nn.Module`s by their paths, such as `Net_0.Linear_0`, paired by these; the row without a name is what is outside of all of them. Left
    /// out unless both sides have some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    modules: Vec<OperatorChangeReport>,
    /// Causes of lost time by the step budgets, largest change first.
    causes: Vec<CauseChangeReport>,
    /// Predicted and achieved saving, if a large cause of the first side is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<OutcomeReport>,
    /// Work per second, if steps follow one another on both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    throughput: Option<ThroughputReport>,
    steps: Vec<Counts<Option<ComparedStepReport>>>,
    /// The jobs that both ranks are of; left out unless both sides are ranks of one job.
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<JobDiffReport>,
}

/// A comparison of two jobs, as means over the ranks of each.
#[derive(Debug, JsonSchema, Serialize)]
struct JobDiffReport {
    /// Number of ranks in the means, and of all ranks.
    averaged: Counts<u64>,
    world_size: Counts<u64>,
    /// The mean window of the ranks' step budgets.
    step: ChangeReport,
    /// Causes of lost time, largest change first.
    causes: Vec<CauseChangeReport>,
    /// Predicted and achieved saving, if a large cause of the first side is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<OutcomeReport>,
    ranks: Vec<RankChangeReport>,
}

/// A rank of both jobs.
#[derive(Debug, JsonSchema, Serialize)]
struct RankChangeReport {
    rank: u64,
    step_ns: Counts<Option<i64>>,
    /// Its own time, with the time to the next step and without exposed communication.
    own_ns: Counts<Option<i64>>,
}

impl JobDiffReport {
    fn between(sides: Sides<&JobSide>, language: Language) -> Self {
        let found = compare_jobs(sides);
        let Sides { a, b } = found.length;
        let rank = |(rank, sides): &(u64, Sides<Option<SideRank>>)| RankChangeReport {
            rank: *rank,
            step_ns: sides.map(|one| one.map(|one| one.step.0)).into(),
            own_ns: sides.map(|one| one.and_then(|one| one.own).map(|own| own.0)).into(),
        };
        Self {
            averaged: sides.map(|side| side.averaged).into(),
            world_size: sides.map(|side| side.world_size).into(),
            step: ChangeReport { a_ns: a.0, b_ns: b.0, change_ns: (b - a).0 },
            causes: found.causes.iter().map(|change| CauseChangeReport::of(change, language)).collect(),
            outcome: found.outcome.as_ref().map(|outcome| OutcomeReport::of(outcome, language)),
            ranks: found.ranks.iter().map(rank).collect(),
        }
    }
}

/// A value on both sides.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(inline)]
struct Counts<T> {
    a: T,
    b: T,
}

impl<T: Copy> From<Sides<T>> for Counts<T> {
    fn from(sides: Sides<T>) -> Self {
        Self { a: sides.a, b: sides.b }
    }
}

/// One side of a comparison.
#[derive(Debug, JsonSchema, Serialize)]
struct ComparedSideReport {
    input: String,
    rank: Option<u64>,
    framework: String,
    framework_version: String,
    step_source: &'static str,
    average: AverageReport,
}

/// A time per step on both sides, and the increase from the first to the second.
#[derive(Debug, JsonSchema, Serialize)]
struct ChangeReport {
    a_ns: i64,
    b_ns: i64,
    change_ns: i64,
}

#[derive(Debug, JsonSchema, Serialize)]
struct CategoryChangeReport {
    category: &'static str,
    /// The earlier name of `category`.
    #[schemars(extend("deprecated" = true))]
    role: &'static str,
    time: ChangeReport,
}

#[derive(Debug, JsonSchema, Serialize)]
struct PhaseChangeReport {
    phase: &'static str,
    host: ChangeReport,
    device: ChangeReport,
}

#[derive(Debug, JsonSchema, Serialize)]
struct ContributionReport {
    category: &'static str,
    /// The earlier name of `category`.
    #[schemars(extend("deprecated" = true))]
    role: &'static str,
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    shapes: String,
    time: ChangeReport,
    /// Calls in the steps that are averaged.
    calls: Counts<u64>,
    total_ns: Counts<i64>,
    mean_ns: Counts<Option<i64>>,
    own_total_ns: Counts<i64>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct OperatorChangeReport {
    name: String,
    class: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    shapes: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    types: String,
    calls: Counts<u64>,
    host_total: ChangeReport,
    host_self: ChangeReport,
    device_total: ChangeReport,
    device_self: ChangeReport,
}

/// A cause's time per window on both sides.
#[derive(Debug, JsonSchema, Serialize)]
struct CauseChangeReport {
    cause: &'static str,
    /// The last part of its message keys.
    wording: &'static str,
    /// The cause in words.
    name: String,
    /// The late parts of the job, in words; only in jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    late: Option<String>,
    time: ChangeReport,
}

/// Predicted and achieved saving of a cause that is gone.
#[derive(Debug, JsonSchema, Serialize)]
struct OutcomeReport {
    /// `as_predicted`, `less`, `more` or `not_shorter`.
    verdict: &'static str,
    cause: CauseChangeReport,
    /// The unit of times: a step, or the time from step to step.
    windows: &'static str,
    /// Lower bound of the predicted saving.
    predicted_low_ns: i64,
    predicted_high_ns: i64,
    /// The achieved saving; negative if the step became longer.
    achieved_ns: i64,
    /// The cause that grew most, if by enough to matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    grown: Option<CauseChangeReport>,
    /// The outcome in words.
    sentences: Vec<String>,
}

impl CauseChangeReport {
    fn of(change: &CauseChange, language: Language) -> Self {
        let Sides { a, b } = change.score;
        let time = ChangeReport { a_ns: a.0, b_ns: b.0, change_ns: change.difference().0 };
        let late = Some(late_names(&change.late, language)).filter(|late| !late.is_empty());
        let name = changed_cause_name(change, language);
        Self { cause: change.kind.name(), wording: change.wording, name, late, time }
    }
}

impl OutcomeReport {
    fn of(found: &Outcome, language: Language) -> Self {
        let [low, high] = found.predicted;
        Self {
            verdict: found.verdict.name(),
            cause: CauseChangeReport::of(&found.cause, language),
            windows: found.whole.name(),
            predicted_low_ns: low.0,
            predicted_high_ns: high.0,
            achieved_ns: found.achieved.0,
            grown: found.grown.as_ref().map(|grown| CauseChangeReport::of(grown, language)),
            sentences: outcome_sentences(found, language),
        }
    }
}

/// Samples or steps per second on both sides.
#[derive(Debug, JsonSchema, Serialize)]
struct ThroughputReport {
    /// `samples`, if the steps of both sides say how many they have, else `steps`.
    unit: &'static str,
    per_second: Counts<f64>,
    /// The increase, as a share of the first side's.
    change: Option<f64>,
}

#[derive(Clone, Debug, JsonSchema, Serialize)]
struct ComparedStepReport {
    name: String,
    length_ns: i64,
}

impl Diff {
    /// Compares the second rank with the first.
    #[must_use]
    pub fn of(ranks: Sides<&Rank>, config: CompareConfig) -> Self {
        Self::between(ranks.map(|rank| DiffSide::of(rank, config)).as_ref(), Language::English)
    }

    /// Compares the second side with the first, and their jobs if both have one; both are of the same configuration.
    /// Sentences are in a language.
    #[must_use]
    pub fn between(sides: Sides<&DiffSide>, language: Language) -> Self {
        let found = compare(sides.map(|side| &side.compared));
        let categories = || TimeCategory::ALL.iter().zip(&found.categories).map(CategoryChangeReport::of).collect();
        let step = |side: &DiffSide, index: Option<usize>| side.compared.step(index?).map(ComparedStepReport::of);
        Self {
            schema: SCHEMA,
            a: ComparedSideReport::of(sides.a),
            b: ComparedSideReport::of(sides.b),
            step: ChangeReport::of(&found.length),
            categories: categories(),
            roles: categories(),
            before_first_activity: (found.before_first.total != Sides::default())
                .then(|| ChangeReport::of(&found.before_first)),
            phases: found
                .phases
                .iter()
                .map(|change| PhaseChangeReport {
                    phase: Phase::name(change.phase),
                    host: ChangeReport::of(&change.host),
                    device: ChangeReport::of(&change.device),
                })
                .collect(),
            contributions: found.contributions.iter().map(ContributionReport::of).collect(),
            operators: found.operators.iter().map(OperatorChangeReport::of).collect(),
            modules: found.modules.iter().map(OperatorChangeReport::of).collect(),
            causes: found.causes.iter().map(|change| CauseChangeReport::of(change, language)).collect(),
            outcome: found.outcome.as_ref().map(|outcome| OutcomeReport::of(outcome, language)),
            throughput: found.throughput.as_ref().map(|found| ThroughputReport {
                unit: found.unit(),
                per_second: found.per_second.into(),
                change: found.change(),
            }),
            steps: found
                .steps
                .iter()
                .map(|pair| Counts { a: step(sides.a, pair.a), b: step(sides.b, pair.b) })
                .collect(),
            job: sides
                .a
                .job
                .as_ref()
                .zip(sides.b.job.as_ref())
                .map(|(a, b)| JobDiffReport::between(Sides { a, b }, language)),
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

impl ComparedSideReport {
    fn of(side: &DiffSide) -> Self {
        Self {
            input: side.input.clone(),
            rank: side.rank,
            framework: side.framework.clone(),
            framework_version: side.framework_version.clone(),
            step_source: side.step_source.name(),
            average: AverageReport::of(&side.average).with_unrecorded(side.unrecorded),
        }
    }
}

impl ComparedStepReport {
    fn of(step: &SideStep) -> Self {
        Self { name: step.name.clone(), length_ns: step.length.0 }
    }
}

impl ChangeReport {
    fn of(change: &TimeChange) -> Self {
        let means = change.per_step();
        Self { a_ns: means.a.0, b_ns: means.b.0, change_ns: change.difference().0 }
    }
}

impl CategoryChangeReport {
    fn of((category, change): (&TimeCategory, &TimeChange)) -> Self {
        Self { category: category.name(), role: category.name(), time: ChangeReport::of(change) }
    }
}

impl ContributionReport {
    fn of(row: &Contribution) -> Self {
        Self {
            category: row.category.name(),
            role: row.category.name(),
            name: row.name.clone(),
            shapes: row.shapes.clone(),
            time: ChangeReport::of(&row.own),
            calls: row.calls.into(),
            total_ns: row.total.map(|time| time.0).into(),
            mean_ns: row.mean().map(|time| time.map(|time| time.0)).into(),
            own_total_ns: row.own.total.map(|time| time.0).into(),
        }
    }
}

impl OperatorChangeReport {
    fn of(row: &OperatorChange) -> Self {
        Self {
            name: row.name.clone(),
            class: row.class.name(),
            shapes: row.shapes.clone(),
            types: row.types.clone(),
            calls: row.calls.into(),
            host_total: ChangeReport::of(&row.host_total),
            host_self: ChangeReport::of(&row.host_self),
            device_total: ChangeReport::of(&row.device_total),
            device_self: ChangeReport::of(&row.device_self),
        }
    }
}
