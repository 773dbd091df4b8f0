//! Advice: what each rule measured, what following it could gain, where to look.

use serde::Serialize;

use super::advice_text::{excuse, reason, words};
use crate::analyze::{AdviceConfig, Evidence, Job, Judgement, advice, job_advice, join_advice};
use crate::summary::{Rank, numbered};
use crate::trace::{Class, EventId, Trace};

/// What the rules say of a rank.
#[derive(Debug, Serialize)]
pub struct AdviceReport {
    set: &'static str,
    steps_counted: u64,
    step_ns: i64,
    rules: Vec<RuleReport>,
}

impl AdviceReport {
    /// All rules of the chosen set, those that hold first, the most gain before the others.
    #[must_use]
    pub fn of(rank: &Rank, config: &AdviceConfig) -> Self {
        Self::among(std::slice::from_ref(rank), rank, None, config)
    }

    /// The same of one of several ranks: the rules that compare ranks look at all of them.
    #[must_use]
    pub fn among(ranks: &[Rank], rank: &Rank, job: Option<&Job>, config: &AdviceConfig) -> Self {
        let average = &rank.analysis.average;
        let mut of_ranks = vec![rules_of_rank(rank, config).collect()];
        // Of the others only what is said of all together.
        of_ranks.resize_with(ranks.len(), Vec::new);
        let of_job = rules_of_job(&numbered(ranks), job, config).collect();
        let joined = join_advice(of_ranks, of_job, |(judgement, _)| judgement);
        Self {
            set: config.set.name(),
            steps_counted: average.steps,
            step_ns: average.length.0,
            rules: joined.into_iter().map(|(_, (_, report))| report).collect(),
        }
    }
}

/// A judgement and its report, which is made while the trace is there that it tells of.
pub(super) type Told = (Judgement, RuleReport);

/// What the rules say of a rank.
pub(super) fn rules_of_rank(rank: &Rank, config: &AdviceConfig) -> impl Iterator<Item = Told> {
    let judged = advice(&rank.trace, &rank.analysis, config).into_iter();
    judged.map(|judgement| {
        let report = RuleReport::of(Some(rank), &judgement);
        (judgement, report)
    })
}

/// What the rules say that compare ranks, by the numbers and tables of several; nothing of a single one.
pub(super) fn rules_of_job(
    ranks: &[(u64, &Trace)],
    job: Option<&Job>,
    config: &AdviceConfig,
) -> impl Iterator<Item = Told> {
    let judged = if ranks.len() > 1 { job_advice(ranks, job, config) } else { Vec::new() };
    judged.into_iter().map(|judgement| {
        let report = RuleReport::of(None, &judgement);
        (judgement, report)
    })
}

/// What a rule says.
#[derive(Debug, Serialize)]
pub(super) struct RuleReport {
    rule: &'static str,
    value: Option<f64>,
    threshold: f64,
    gain_ns_per_step: Option<i64>,
    text: &'static str,
    title: &'static str,
    /// `holds`, `passed` or `not_judged`.
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<ReasonReport>,
    /// Why it passed though the value is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    excuse: Option<ReasonReport>,
    unit: &'static str,
    condition: &'static str,
    gain_share_of_step: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
    /// What can be adjusted, where all rules are told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    thresholds: Vec<ThresholdReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<EvidenceReport>,
}

#[derive(Debug, Serialize)]
struct ReasonReport {
    code: &'static str,
    text: &'static str,
}

#[derive(Debug, Serialize)]
struct ThresholdReport {
    name: &'static str,
    unit: &'static str,
    value: f64,
    standard: f64,
}

/// Something to look at: a slice, or something of a recorded table.
#[derive(Debug, Serialize)]
struct EvidenceReport {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    /// Of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    #[serde(flatten)]
    slice: Option<SliceReport>,
}

#[derive(Debug, Serialize)]
struct SliceReport {
    slice: u32,
    start_ns: i64,
    duration_ns: i64,
    class: &'static str,
    /// The table that has its name, and the name to search there.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<String>,
}

impl RuleReport {
    pub(super) fn of(rank: Option<&Rank>, judgement: &Judgement) -> Self {
        let Judgement { rule, thresholds, measured, threshold, holds, .. } = judgement;
        let gain = judgement.gain();
        let (title, text) = words(rule.id);
        let limits = rule.thresholds.iter().zip(thresholds).map(|(limit, value)| ThresholdReport {
            name: limit.name,
            unit: limit.unit.name(),
            value: *value,
            standard: limit.standard,
        });
        let found = measured.as_ref().ok();
        let why = measured.as_ref().err();
        // Of a rule that found nothing there is nothing to look at.
        let evidence = found.filter(|_| *holds).map(|found| found.evidence.as_slice()).unwrap_or_default();
        Self {
            rule: rule.id,
            value: found.map(|found| found.value),
            threshold: *threshold,
            gain_ns_per_step: gain.map(|gain| gain.0),
            text,
            title,
            verdict: match (holds, why) {
                (_, Some(_)) => "not_judged",
                (true, None) => "holds",
                (false, None) => "passed",
            },
            reason: why.map(|why| ReasonReport { code: why.name(), text: reason(why.name()) }),
            excuse: judgement.excuse().map(|why| ReasonReport { code: why.name(), text: excuse(why.name()) }),
            unit: rule.thresholds.first().map_or("", |limit| limit.unit.name()),
            condition: rule.condition.name(),
            gain_share_of_step: judgement.gain_share(),
            rank: rank.and_then(|rank| rank.rank),
            input: rank.map(|rank| rank.file.clone()),
            thresholds: limits.collect(),
            evidence: evidence.iter().map(|one| EvidenceReport::of(rank, one)).collect(),
        }
    }

    /// The same without what can be adjusted.
    pub(super) fn without_thresholds(self) -> Self {
        Self { thresholds: Vec::new(), ..self }
    }
}

impl EvidenceReport {
    fn of(rank: Option<&Rank>, evidence: &Evidence) -> Self {
        match (evidence, rank) {
            (Evidence::Named(name, value, unit), _) => {
                Self { name: name.clone(), value: Some(*value), unit: Some(unit.name()), slice: None }
            }
            (Evidence::Slice(id, span), Some(rank)) => {
                let trace = &rank.trace;
                let table = table_of(trace, *id);
                let slice = SliceReport {
                    slice: id.0,
                    start_ns: span.start.0,
                    duration_ns: span.len().0,
                    class: trace.slices.class(*id).name(),
                    table: table.map(|(table, _)| table),
                    search: table.map(|(_, id)| trace.name_of(id).to_owned()),
                };
                Self { name: trace.name_of(*id).to_owned(), value: None, unit: None, slice: Some(slice) }
            }
            (Evidence::Slice(..), None) => Self { name: String::new(), value: None, unit: None, slice: None },
        }
    }
}

/// The table in which a slice is found, and by whose name: of a call, the operator around it.
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
