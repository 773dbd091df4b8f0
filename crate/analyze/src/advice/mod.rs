//! Advice: rules with thresholds, their measurements, and upper bounds of the gain. METRICS section 9.
//!
//! A rule is data ([`AdviceRule`]): a comparison, and a function that measures. The texts for people are elsewhere. The
//! gain is an upper bound, in ns per step: the time by which a step would be shorter if the subject of the rule took no
//! time, as far as the times of sections 2 to 7 allow. Each rule's function documents its bound. Work of the host costs
//! no more than a device idles for it (`claim`), and no two rules promise the same time (`distinct`).

mod cards;
mod claim;
mod conclusion;
mod device;
mod distinct;
mod facts;
mod host;
mod job;
mod judgement;
mod late;
mod launching;
mod measured;
mod memory;
mod printed;
mod program_part;
mod recorded;
mod rule;
mod rules;
mod slow_calls;
mod tensor_cores;
mod tensorboard;
mod why;

pub use self::cards::{AdviceCard, Outside, RuleOutcome, advice_cards};
pub use self::conclusion::{Conclusion, Missing, Verdict};
pub use self::distinct::{CLAIM_ORDER, CONTRADICTIONS};
pub use self::facts::unseen as unseen_work;
pub use self::judgement::Judgement;
pub use self::measured::{AdviceUnit, Evidence, Measured};
pub use self::printed::has_summary as has_printed_summary;
pub use self::program_part::program_part_around;
pub(crate) use self::program_part::{operator_around, range_around};
pub use self::rule::{AdviceRule, Condition, RuleSet, Threshold};
pub use self::rules::RULES;
pub use self::why::{Exemption, NotApplicable};

use self::distinct::{distinct, within_idle};
use self::facts::{Facts, WORTH};
use self::measured::Waits;
use self::rule::Judge;
use super::budget::LONG_WORK;
use super::cluster::Job;
use super::mindspore::cluster;
use super::{Analysis, BudgetVerdict, CauseCost, CauseKind, Definition, IntervalSet, mean};
use stepscope_base::CompactSort;
use stepscope_trace::Trace;

/// A set of rules with thresholds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdviceConfig {
    /// The rules.
    pub set: RuleSet,
    /// Changed thresholds, by index of the rule and of its threshold.
    changed: Vec<(usize, usize, f64)>,
}

impl AdviceConfig {
    /// A set of rules with its own thresholds.
    #[must_use]
    pub fn of(set: RuleSet) -> Self {
        Self { set, changed: Vec::new() }
    }

    /// Changes a threshold by its name. Returns whether there is one of that name, and the number is finite.
    ///
    /// ```
    /// use stepscope::analyze::AdviceConfig;
    ///
    /// let mut config = AdviceConfig::default();
    /// assert!(config.set_threshold("dataloader", 0.1) && config.set_threshold("long_gaps.share", 0.02));
    /// assert!(!config.set_threshold("dataloaders", 0.1) && !config.set_threshold("dataloader", f64::NAN));
    /// ```
    pub fn set_threshold(&mut self, name: &str, value: f64) -> bool {
        let found = RULES
            .iter()
            .enumerate()
            .find_map(|(rule, of)| Some((rule, of.thresholds.iter().position(|threshold| threshold.name == name)?)));
        let Some((rule, threshold)) = found.filter(|_| value.is_finite()) else { return false };
        self.changed.push((rule, threshold, value));
        true
    }

    /// The rules of the set, with their thresholds under a definition.
    fn rules(&self, definition: Definition) -> impl Iterator<Item = (&'static AdviceRule, Vec<f64>)> + '_ {
        RULES.iter().enumerate().filter(|(_, rule)| rule.set == self.set).map(move |(index, rule)| {
            let chosen = |(number, threshold): (usize, &Threshold)| {
                let changed = self.changed.iter().rev().find(|change| (change.0, change.1) == (index, number));
                changed.map_or_else(|| threshold.under(definition), |change| change.2)
            };
            (rule, rule.thresholds.iter().enumerate().map(chosen).collect())
        })
    }
}

/// The judgements of a rank by all rules. Rules that compare ranks use this one's tables of the others.
///
/// Those that hold come first, the most gain before the others; then those that do not; then those that could not be
/// judged. [`with_costs`] sorts them by the causes of the step budget.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{AdviceConfig, AnalysisConfig};
///
/// // The host waits for data in 8 of 20 µs.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":0,"dur":20},
///   {"ph":"X","cat":"user_annotation","name":"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
///    "pid":1,"tid":1,"ts":0,"dur":8},
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":8,"dur":12}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let analysis = analyze::analyze(&trace, &AnalysisConfig::standard());
/// let found = analyze::advice(&trace, &analysis, &AdviceConfig::default());
/// assert_eq!((found[0].rule.id, found[0].holds, found[0].gain()), ("dataloader", true, Some(Nanos(8_000))));
/// assert!(!found[1].holds);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn advice(trace: &Trace, analysis: &Analysis, config: &AdviceConfig) -> Vec<Judgement> {
    let averages_recorded_time = analysis.averages_recorded_time();
    let facts = Facts::of(trace, analysis);
    // Other tools' rules stay as they are.
    let captures = facts.captures() && config.set == RuleSet::Stepscope;
    let job = cluster(&[(trace.meta.distributed.rank.unwrap_or_default(), trace)]);
    let definition = analysis.definition.definition;
    let judged = config.rules(definition).map(|(rule, thresholds)| {
        let measured = match rule.judge {
            Judge::Rank(judge) => judge(&facts, &thresholds),
            Judge::Tables(judge) if rule.id == "iteration_interval" => {
                judge(analysis, &thresholds).map(|found| host::between_steps(&facts, found))
            }
            // The page has not loaded the code of these rules then.
            Judge::Tables(_) if !analysis.mindspore.has_judged_tables() => Err(NotApplicable::NoTable),
            Judge::Tables(judge) => judge(analysis, &thresholds),
            Judge::Job(judge, _) => job.as_ref().ok_or(NotApplicable::OneRank).and_then(|job| judge(job, &thresholds)),
        };
        let measured = measured.map(|found| found.of_steady_step(captures));
        // Times in tables of a job are no part of this rank's steps.
        let step = (!matches!(rule.judge, Judge::Job(..))).then_some(analysis.average.length);
        let is_recorded_time = step.is_some() && averages_recorded_time;
        Judgement { definition, is_recorded_time, ..Judgement::of(rule, thresholds, measured, step) }
    });
    let mut judged: Vec<Judgement> = judged.collect();
    distinct(&mut judged, Some(trace), |time| facts.per_period(time), &facts.idle_periods());
    sorted(judged)
}

/// Gives rules about a cause of the step budget the budget's cost, so that both promise the same. A rule whose cause
/// costs hardly anything has no finding, however much time it measures.
#[must_use]
pub fn with_costs(mut judged: Vec<Judgement>, budget: &BudgetVerdict) -> Vec<Judgement> {
    let mut told: Vec<CauseKind> = Vec::new();
    let mut silent: Vec<&str> = Vec::new();
    for judgement in judged.iter_mut().filter(|judgement| judgement.holds && judgement.gain().is_some()) {
        let Some(kind) = judgement.rule.cause() else { continue };
        let cost = budget.costs.iter().find(|cost| cost.cause.kind == kind);
        // Unrecorded work of the host is no part of that cause, though its rules measure it.
        let is_all = kind != CauseKind::LaunchBound;
        let is_little = |cost: &CauseCost| cost.may_save().ratio_of(cost.length).is_some_and(|share| share < WORTH);
        // A cause that is not listed costs nothing, where the budget knows causes.
        let knows = !budget.costs.is_empty() && !budget.lacks_cause;
        // The budget names the same work, and a remedy of its own for it.
        if cost.is_some_and(|cost| cost.cause.wording == LONG_WORK) {
            judgement.word(if judgement.rule.id == "host_bound" { "host_bound.long" } else { "launch_bound.long" });
        }
        if is_all && cost.map_or(knows, is_little) {
            judgement.leave_to(None);
            silent.push(judgement.rule.id);
        } else if !told.contains(&kind) {
            // No two rules promise the same time.
            judgement.cost = cost.copied();
            told.push(kind);
        }
    }
    let is_left_to = |one: &&mut Judgement| one.covered_by.is_some_and(|rule| silent.contains(&rule));
    judged.iter_mut().filter(is_left_to).for_each(Judgement::take_back);
    within_idle(&mut judged, budget);
    for judgement in &mut judged {
        let is_detail = |cost: &&CauseCost| judgement.rule.causes().contains(&cost.cause.kind);
        judgement.detail_of = budget.costs.iter().find(is_detail).copied();
    }
    sorted(judged)
}

/// The judgements of a job by the rules that compare ranks: by the profiler's own tables, else by comparison of the
/// ranks' traces. Empty for traces that are no ranks of one job. Ranks come with their numbers.
#[must_use]
pub fn job_advice(ranks: &[(u64, &Trace)], together: Option<&Job>, config: &AdviceConfig) -> Vec<Judgement> {
    if together.is_some_and(|job| !job.is_one()) {
        return Vec::new();
    }
    let job = cluster(ranks);
    // The thresholds of rules that compare ranks are the same under every definition.
    let judged = config.rules(Definition::default()).filter_map(|(rule, thresholds)| {
        let Judge::Job(judge, judge_together) = rule.judge else { return None };
        let recorded = job.as_ref().ok_or(NotApplicable::NoTable).and_then(|job| judge(job, &thresholds));
        let measured = recorded.or_else(|why| judge_together(together.ok_or(why)?));
        Some(Judgement::of(rule, thresholds, measured, None))
    });
    sorted(judged.collect())
}

/// The judgements of the rules on MindSpore's tables of a rank alone, with the thresholds of the chosen definition.
#[must_use]
pub fn table_advice(analysis: &Analysis) -> Vec<Judgement> {
    let definition = analysis.definition.definition;
    let is_recorded_time = analysis.averages_recorded_time();
    let rules = RULES.iter().filter_map(|rule| {
        let Judge::Tables(judge) = rule.judge else { return None };
        let thresholds: Vec<f64> = rule.thresholds.iter().map(|threshold| threshold.under(definition)).collect();
        let measured = judge(analysis, &thresholds);
        let judgement = Judgement::of(rule, thresholds, measured, Some(analysis.average.length));
        Some(Judgement { definition, is_recorded_time, ..judgement })
    });
    let mut judged: Vec<Judgement> = rules.collect();
    let steps = analysis.steps.counted().len() as u64;
    distinct(&mut judged, None, |time| mean(time.len(), steps), &IntervalSet::new());
    judged
}

/// Judgements by importance: findings are grouped by cause.
fn sorted(mut judged: Vec<Judgement>) -> Vec<Judgement> {
    judged.compact_sort_by_key(|one| {
        let (passes, is_unjudged, gain) = one.order();
        (passes, is_unjudged, one.place_of_cause(), gain)
    });
    judged
}
