//! Advice: what each rule measured, what following it could gain, where to look.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::page_text::{exemption, lack, reason, words};
use stepscope_analyze::{
    AdviceCard, AdviceConfig, BudgetVerdict, CauseCost, Conclusion, Evidence, IdleLeaf, Job, Judgement, Missing,
    NamedCause, Outside, RuleOutcome, advice, advice_cards, job_advice, program_part_around, with_costs,
};
use stepscope_analyze::{Rank, numbered, rows_in_job};
use stepscope_present::advice::gain_text;
use stepscope_present::budget::partial_ground;
use stepscope_present::messages::message;
use stepscope_table::messages::Language;
use stepscope_trace::{Class, EventId, Trace};

/// The outcome of each rule, for one rank and the ranks open with it.
#[derive(Debug, JsonSchema, Serialize)]
pub struct AdviceReport {
    set: &'static str,
    steps_counted: u64,
    step_ns: i64,
    /// The number of open ranks, and of those that were judged; only with several ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks_judged: Option<usize>,
    /// The verdict of all rules.
    conclusion: AdviceConclusionReport,
    rules: Vec<AdviceRuleReport>,
}

/// The verdict of all rules.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct AdviceConclusionReport {
    /// `advice`, `cause`, `nothing` or `incomplete`.
    verdict: &'static str,
    /// Data that is missing for the verdict `nothing`.
    missing: Vec<AdviceReasonReport>,
    /// The largest cause of the step budget, if it is large and no rule applies; of a single rank also if no rule that
    /// applies is a detail of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<NamedCauseReport>,
}

/// A cause that the step budget lists.
#[derive(Debug, JsonSchema, Serialize)]
struct NamedCauseReport {
    cause: &'static str,
    /// The last part of its message keys.
    wording: &'static str,
    /// The cost per window.
    score_ns: i64,
    share: f64,
    /// The unit of `share`: `steps`, `periods` from step to step, or the whole `trace`.
    windows: &'static str,
    /// The ground of its time, `limits` of kernels or `launches`, and its known share, where that is not enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial_ground: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known_share: Option<f64>,
    /// The file of the rank, with several ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
    /// The cause and its fix in words, where no rule is about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl NamedCauseReport {
    fn of(cause: &NamedCause, input: Option<&str>) -> Self {
        let ground = partial_ground(cause.kind, cause.confidence);
        Self {
            cause: cause.kind.name(),
            wording: cause.wording,
            score_ns: cause.score.0,
            share: cause.share,
            windows: cause.whole.name(),
            partial_ground: ground.map(|(ground, _)| ground),
            known_share: ground.map(|(_, share)| share),
            input: input.map(str::to_owned),
            title: None,
            text: None,
        }
    }

    fn in_words(self) -> Self {
        let say = |part| Some(said(part, self.wording));
        Self { title: say("cause"), text: say("fix"), ..self }
    }
}

impl AdviceConclusionReport {
    /// The conclusion, with the files of the ranks.
    pub(super) fn of(conclusion: &Conclusion, files: &[&str]) -> Self {
        let missing =
            conclusion.missing.iter().map(|one| AdviceReasonReport { code: one.name(), text: lack(one.name()) });
        let cause = conclusion.cause.as_ref().map(|(place, cause)| {
            NamedCauseReport::of(cause, files.get(*place).copied().filter(|_| files.len() > 1)).in_words()
        });
        Self { verdict: conclusion.verdict.name(), missing: missing.collect(), cause }
    }
}

/// A message of the budget on a cause.
fn said(part: &str, wording: &str) -> String {
    message(Language::English, &format!("budget.{part}.{wording}")).to_owned()
}

/// The conclusion from the cards of some ranks, given by number and file, with the largest cause of each rank's
/// budget.
pub(super) fn concluded<E>(
    cards: &[AdviceCard<E>],
    missing: impl IntoIterator<Item = Missing>,
    ranks: &[(Option<u64>, &str)],
    causes: impl IntoIterator<Item = Option<NamedCause>>,
) -> AdviceConclusionReport {
    let files: Vec<&str> = ranks.iter().map(|(_, file)| *file).collect();
    AdviceConclusionReport::of(
        &Conclusion::of(cards.iter().map(|card| &card.outcome.judgement), missing, causes),
        &files,
    )
}

/// The data that a rank lacks for a verdict, given its rule outcomes.
pub(super) fn lacks(missing: &[Missing], rules: &[EvidencedOutcome], budget: &BudgetVerdict) -> Vec<Missing> {
    Missing::with_rules(missing, rules.iter().map(|outcome| &outcome.judgement), budget)
}

impl AdviceReport {
    /// All rules of the chosen set: those that hold first, largest gain first.
    #[must_use]
    pub fn of(rank: &Rank, config: &AdviceConfig) -> Self {
        Self::among(std::slice::from_ref(rank), rank, None, config)
    }

    /// The advice for one of several ranks: rules that compare ranks come first, and an outcome that many ranks share
    /// is listed once.
    #[must_use]
    pub fn among(ranks: &[Rank], rank: &Rank, job: Option<&Job>, config: &AdviceConfig) -> Self {
        let judged = ranks.iter().map(|rank| if rank.is_dropped { Vec::new() } else { rules_of_rank(rank, config) });
        let rows = rows_in_job(ranks.iter().map(|rank| rank.trace.has_events()));
        Self::joined(ranks, judged.collect(), rank, job.map(|job| (job, rows.as_slice())), config)
    }

    /// The advice from outcomes of ranks that were judged before; other ranks have none. `job` has the row of each
    /// rank in it.
    pub(super) fn joined(
        ranks: &[Rank],
        judged: Vec<Vec<EvidencedOutcome>>,
        rank: &Rank,
        job: Option<(&Job, &[Option<usize>])>,
        config: &AdviceConfig,
    ) -> Self {
        let average = &rank.analysis.average;
        let several = ranks.len() > 1;
        let count = judged.iter().filter(|rules| !rules.is_empty()).count();
        let of_job = rules_of_job(&numbered(ranks), job.map(|(job, _)| job), config);
        let budgets: Vec<BudgetVerdict> = ranks.iter().map(Rank::budget_verdict).collect();
        let lacks = |((rank, rules), budget): ((&Rank, &Vec<EvidencedOutcome>), &BudgetVerdict)| {
            lacks(&rank.missing, rules, budget)
        };
        let missing: Vec<Missing> = ranks.iter().zip(&judged).zip(&budgets).flat_map(lacks).collect();
        let is_apart = job.is_some_and(|(job, _)| !job.is_one());
        let cards = advice_cards(judged, of_job, job);
        let names: Vec<(Option<u64>, &str)> = ranks.iter().map(|rank| (rank.rank, rank.file.as_str())).collect();
        let conclusion = concluded(&cards, missing, &names, budgets.into_iter().map(|budget| budget.cause));
        Self {
            set: config.set.name(),
            steps_counted: average.steps,
            step_ns: average.length.0,
            ranks: several.then_some(ranks.len()),
            ranks_judged: several.then_some(count),
            conclusion,
            rules: cards
                .into_iter()
                .map(|card| AdviceRuleReport::of(&names, is_apart, card, Language::English))
                .collect(),
        }
    }
}

/// The outcome of a rule with its evidence, which is found while the trace is in memory.
pub(super) type EvidencedOutcome = RuleOutcome<Vec<AdviceEvidenceReport>>;

/// The outcomes of the rules for a rank.
pub(super) fn rules_of_rank(rank: &Rank, config: &AdviceConfig) -> Vec<EvidencedOutcome> {
    // The budget is computed now: it is needed again after the trace is dropped.
    let judged = with_costs(advice(&rank.trace, &rank.analysis, config), &rank.budget_verdict());
    judged.into_iter().map(|judgement| outcome_of(Some(rank), judgement)).collect()
}

/// The outcomes of the rules that compare ranks, from the job and the recorded tables; empty for a single rank.
pub(super) fn rules_of_job(ranks: &[(u64, &Trace)], job: Option<&Job>, config: &AdviceConfig) -> Vec<EvidencedOutcome> {
    let judged = if ranks.len() > 1 { job_advice(ranks, job, config) } else { Vec::new() };
    judged.into_iter().map(|judgement| outcome_of(None, judgement)).collect()
}

fn outcome_of(rank: Option<&Rank>, judgement: Judgement) -> EvidencedOutcome {
    // A rule that found nothing has no evidence.
    let found = judgement.measured.as_ref().ok().filter(|_| judgement.holds);
    let evidence = found.map(|found| found.evidence.as_slice()).unwrap_or_default();
    RuleOutcome { evidence: evidence.iter().map(|one| AdviceEvidenceReport::of(rank, one)).collect(), judgement }
}

/// The outcome of a rule.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct AdviceRuleReport {
    rule: &'static str,
    value: Option<f64>,
    threshold: f64,
    gain_ns_per_step: Option<i64>,
    text: Cow<'static, str>,
    title: &'static str,
    /// The id of title and text, if not that of the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    wording: Option<&'static str>,
    /// `holds`, `passed` or `not_judged`.
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<AdviceReasonReport>,
    /// The exemption by which the rule passed although its value is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    exemption: Option<AdviceReasonReport>,
    /// The earlier name of `exemption`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("deprecated" = true))]
    excuse: Option<AdviceReasonReport>,
    /// The rule that covers the same time in more detail, if this rule passed for that reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    covered_by: Option<&'static str>,
    unit: &'static str,
    condition: &'static str,
    gain_share_of_step: Option<f64>,
    /// The saving in words, in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    saves: Option<String>,
    /// Cost and saving of the rule's cause by the step budget, if the budget has that cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<CauseCostReport>,
    /// The listed cause of the step budget that the rule is a detail of. Rules are sorted by these.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail_of: Option<NamedCauseReport>,
    /// The time that the share refers to, if not the mean step.
    #[serde(skip_serializing_if = "Option::is_none")]
    gain_share_of_ns: Option<i64>,
    /// The gain and its share are of the recorded time, not of a step: no steps are marked, or only a part of one is recorded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    of_recorded_time: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
    /// The reason why averages of the job do not include these ranks: `tables`, `steps`, `repeated` or `apart`.
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<&'static str>,
    /// The median gain of `ranks`; the first rank has the largest gain. Only with several ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    median_gain_ns_per_step: Option<i64>,
    /// The ranks to which this outcome applies, largest gain first; only with several ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<RankRuleReport>>,
    /// The adjustable thresholds; only where all rules are listed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    thresholds: Vec<AdviceThresholdReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<AdviceEvidenceReport>,
}

/// Cost of a cause of the step budget per window, and the saving without it.
#[derive(Debug, JsonSchema, Serialize)]
struct CauseCostReport {
    name: &'static str,
    score_ns: i64,
    /// The cost as a share of the window.
    share: f64,
    /// Lower bound of the saving; only if the two bounds are far apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    saving_low_ns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saving_low_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saving_high_ns: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saving_high_share: Option<f64>,
}

impl CauseCostReport {
    fn of(cost: &CauseCost) -> Self {
        let saving = cost.wide_saving();
        Self {
            name: cost.cause.kind.name(),
            score_ns: cost.cause.score.0,
            share: cost.cause.share,
            saving_low_ns: saving.map(|saving| saving.low.0),
            saving_low_share: saving.and_then(|saving| saving.low.ratio_of(cost.length)),
            saving_high_ns: saving.map(|saving| saving.high.0),
            saving_high_share: saving.and_then(|saving| saving.high.ratio_of(cost.length)),
        }
    }
}

/// The outcome of a rule for one of several ranks.
#[derive(Debug, JsonSchema, Serialize)]
struct RankRuleReport {
    rank: Option<u64>,
    /// The index among open ranks.
    place: usize,
    /// The file, if the traces are not ranks of one job.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
    value: Option<f64>,
    gain_ns_per_step: Option<i64>,
    gain_share_of_step: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<CauseCostReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<AdviceEvidenceReport>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct AdviceReasonReport {
    code: &'static str,
    text: &'static str,
}

#[derive(Debug, JsonSchema, Serialize)]
struct AdviceThresholdReport {
    name: &'static str,
    unit: &'static str,
    value: f64,
    standard: f64,
}

/// A slice, a gap or a row of a recorded table that shows the problem.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub(super) struct AdviceEvidenceReport {
    name: String,
    /// The number of the rank that it is about; only in a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    /// The unit of `value`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    #[serde(flatten)]
    slice: Option<SliceEvidenceReport>,
    #[serde(flatten)]
    gap: Option<GapEvidenceReport>,
}

/// Time in which a device idles.
#[derive(Clone, Debug, JsonSchema, Serialize)]
struct GapEvidenceReport {
    gap_of_device: i64,
    start_ns: i64,
    duration_ns: i64,
    /// The host event that best shows the host's activity in the gap, if the host is the cause.
    #[schemars(extend("nullable" = true))]
    host: Option<String>,
    /// The leaf of the step budget with most of the gap.
    #[schemars(extend("nullable" = true))]
    cause: Option<&'static str>,
}

#[derive(Clone, Debug, JsonSchema, Serialize)]
struct SliceEvidenceReport {
    slice: u32,
    start_ns: i64,
    duration_ns: i64,
    /// The time on a mean critical path of all pieces with this name, where this is the longest of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    on_critical_path_ns: Option<i64>,
    class: &'static str,
    /// The page's table with this name, and the text to search there.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<String>,
    /// The range of the program around a call of the host, else the outermost operator around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<String>,
}

impl AdviceRuleReport {
    /// The outcome, with the numbers and files of the ranks. `is_apart`: the traces are not ranks of one job.
    pub(super) fn of(
        ranks: &[(Option<u64>, &str)],
        is_apart: bool,
        card: AdviceCard<Vec<AdviceEvidenceReport>>,
        language: Language,
    ) -> Self {
        let median = card.median_gain();
        let outside = card.outside.map(Outside::name);
        let of_rank = card.rank.and_then(|place| ranks.get(place));
        let of_ranks = (ranks.len() > 1 && card.rank.is_some()).then(|| {
            let list = card.ranks().map(|(place, outcome)| RankRuleReport {
                rank: ranks.get(place).and_then(|(rank, _)| *rank),
                place,
                input: ranks.get(place).filter(|_| is_apart).map(|(_, file)| (*file).to_owned()),
                value: outcome.judgement.measured.as_ref().ok().map(|found| found.value),
                gain_ns_per_step: outcome.judgement.gain().map(|gain| gain.0),
                gain_share_of_step: outcome.judgement.gain_share(),
                cause: outcome.judgement.cost.as_ref().filter(|_| outcome.judgement.holds).map(CauseCostReport::of),
                evidence: if outcome.judgement.holds { outcome.evidence.clone() } else { Vec::new() },
            });
            list.collect()
        });
        let RuleOutcome { judgement, evidence } = card.outcome;
        let Judgement { rule, thresholds, measured, threshold, holds, .. } = &judgement;
        let gain = judgement.gain();
        let (title, text) = words(judgement.wording());
        let used = rule.thresholds.iter().zip(thresholds).filter(|(limit, _)| limit.applies(judgement.definition));
        let limits = used.map(|(limit, value)| AdviceThresholdReport {
            name: limit.name,
            unit: limit.unit.name(),
            value: *value,
            standard: limit.under(judgement.definition),
        });
        let found = measured.as_ref().ok();
        let why = measured.as_ref().err();
        let exempted = || {
            let why = judgement.exemption()?;
            Some(AdviceReasonReport { code: why.name(), text: exemption(why.name()) })
        };
        Self {
            rule: rule.id,
            value: found.map(|found| found.value),
            threshold: *threshold,
            gain_ns_per_step: gain.map(|gain| gain.0),
            text,
            title,
            wording: Some(judgement.wording()).filter(|wording| *wording != rule.id),
            verdict: match (holds, why) {
                (_, Some(_)) => "not_judged",
                (true, None) => "holds",
                (false, None) => "passed",
            },
            reason: why.map(|why| AdviceReasonReport { code: why.name(), text: reason(why.name()) }),
            exemption: exempted(),
            excuse: exempted(),
            covered_by: judgement.covered_by,
            unit: rule.thresholds.first().map_or("", |limit| limit.unit.name()),
            condition: rule.condition.name(),
            gain_share_of_step: judgement.gain_share(),
            saves: holds.then(|| gain_text(&judgement, language)),
            cause: judgement.cost.as_ref().filter(|_| *holds).map(CauseCostReport::of),
            detail_of: judgement.detail_of.filter(|_| *holds).map(|cost| {
                NamedCauseReport::of(&cost.cause, of_rank.map(|(_, file)| *file).filter(|_| ranks.len() > 1))
            }),
            of_recorded_time: judgement.is_recorded_time,
            gain_share_of_ns: judgement.other_whole.filter(|_| judgement.gain_share().is_some()).map(|whole| whole.0),
            rank: of_rank.and_then(|(rank, _)| *rank),
            input: of_rank.map(|(_, file)| (*file).to_owned()),
            outside,
            median_gain_ns_per_step: median.map(|gain| gain.0),
            ranks: of_ranks,
            thresholds: limits.collect(),
            evidence: if *holds { evidence } else { Vec::new() },
        }
    }

    /// The outcome without its thresholds.
    pub(super) fn without_thresholds(self) -> Self {
        Self { thresholds: Vec::new(), ..self }
    }
}

impl AdviceEvidenceReport {
    fn of(rank: Option<&Rank>, evidence: &Evidence) -> Self {
        let nothing = Self { name: String::new(), rank: None, value: None, unit: None, slice: None, gap: None };
        match (evidence, rank) {
            (Evidence::Rank(number, value, unit), _) => Self {
                name: format!("rank {number}"),
                rank: Some(*number),
                value: Some(*value),
                unit: Some(unit.name()),
                ..nothing
            },
            (Evidence::Named(name, value, unit), _) => {
                Self { name: name.clone(), value: Some(*value), unit: Some(unit.name()), ..nothing }
            }
            (Evidence::Slice(id, span) | Evidence::Slices(id, span, _), Some(rank)) => {
                let trace = &rank.trace;
                let on_path = if let Evidence::Slices(.., total) = evidence { Some(total.0) } else { None };
                let table = table_of(trace, *id);
                let slice = SliceEvidenceReport {
                    slice: id.0,
                    start_ns: span.start.0,
                    duration_ns: span.len().0,
                    on_critical_path_ns: on_path,
                    class: trace.slices.class(*id).name(),
                    table: table.map(|(table, _)| table),
                    search: table.map(|(_, id)| trace.name_of(id).to_owned()),
                    within: program_part_around(trace, &rank.analysis.steps.steps, *id)
                        .map(|part| trace.name_of(part).to_owned()),
                };
                Self { name: trace.name_of(*id).to_owned(), slice: Some(slice), ..nothing }
            }
            (Evidence::Gap { device, span, host, cause }, Some(rank)) => {
                let gap = GapEvidenceReport {
                    gap_of_device: *device,
                    start_ns: span.start.0,
                    duration_ns: span.len().0,
                    host: host.map(|id| rank.trace.name_of(id).to_owned()),
                    cause: cause.map(IdleLeaf::name),
                };
                Self { name: format!("device {device} idle"), gap: Some(gap), ..nothing }
            }
            (Evidence::Slice(..) | Evidence::Slices(..) | Evidence::Gap { .. }, None) => nothing,
        }
    }
}

/// The table that lists a slice, and the slice whose name is its row: for a call, the operator around it.
fn table_of(trace: &Trace, id: EventId) -> Option<(&'static str, EventId)> {
    let is_row = |id: &EventId| matches!(trace.slices.class(*id), Class::Operator | Class::Annotation);
    match trace.slices.class(id) {
        Class::Kernel => Some(("kernels", id)),
        Class::Memcpy | Class::Memset => Some(("copies", id)),
        _ => {
            let around = std::iter::once(id).chain(trace.slices.ancestors(id));
            around.into_iter().find(is_row).map(|id| ("operators", id))
        }
    }
}
