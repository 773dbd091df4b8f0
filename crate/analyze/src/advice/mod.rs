//! What to do about it: rules with thresholds, what they measured, what following them could gain. METRICS section 9.
//!
//! A rule is data ([`AdviceRule`]): what it compares with what, and a function that measures. What it says to a
//! person is other people's matter. The gain is an upper bound, in ns per step: what a step would be shorter by if
//! what the rule is about took no time at all, as far as the times of sections 2 to 7 allow. Each rule's function
//! says what bounds it. What the host does costs no more than a device idles for it (`claim`), and no two rules promise
//! the same time (`distinct`).

mod cards;
mod claim;
mod conclusion;
mod device;
mod distinct;
mod facts;
mod host;
mod job;
mod late;
mod memory;
mod recorded;
mod rules;
mod slow_calls;
mod tensor_cores;
mod tensorboard;
mod why;

pub use self::cards::{AdviceCard, Outside, RuleOutcome, advice_cards};
pub use self::conclusion::{Conclusion, Missing, Verdict};
pub use self::distinct::{CLAIM_ORDER, CONTRADICTIONS};
pub use self::facts::unseen as unseen_work;
pub use self::rules::RULES;
pub use self::why::{Exemption, NotApplicable};

use self::claim::Claim;
use self::distinct::distinct;
use self::facts::Facts;
use super::cluster::{Job, RankRow, TransferAlone};
use super::mindspore::{Cluster, cluster};
use super::{Analysis, BudgetVerdict, CauseCost, CauseKind, Definition, IdleLeaf, IntervalLimits, IntervalSet, mean};
use stepscope_base::{CompactSort, Interval, Nanos};
use stepscope_trace::{EventId, Trace};

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

/// What a value and its threshold are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceUnit {
    /// A part of 1.
    Share,
    /// A length of time in ns.
    Nanoseconds,
    /// Bytes.
    Bytes,
    /// A number of things.
    Count,
    /// Bytes per second.
    ByteRate,
    /// Floating-point operations.
    Operations,
    /// The same per second.
    OperationRate,
}

impl AdviceUnit {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Nanoseconds => "ns",
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::ByteRate => "bytes_per_second",
            Self::Operations => "flops",
            Self::OperationRate => "flops_per_second",
        }
    }
}

/// When a rule holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The value is above the threshold.
    Above,
    /// The value is below it.
    Below,
}

impl Condition {
    fn holds(self, value: f64, threshold: f64) -> bool {
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

/// A number of a rule that a person may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// Its name: the rule's for the one that the value is compared with, else the rule's, a dot, and what it is.
    pub name: &'static str,
    /// What it is in.
    pub unit: AdviceUnit,
    /// METRICS' number.
    pub standard: f64,
}

impl Threshold {
    /// Its number where another tool's definition is chosen.
    #[must_use]
    pub fn under(&self, definition: Definition) -> f64 {
        if self.name == "iteration_interval" { IntervalLimits::of(definition).time } else { self.standard }
    }
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct AdviceRule {
    /// Its stable name.
    pub id: &'static str,
    /// Whose it is.
    pub set: RuleSet,
    /// When it holds.
    pub condition: Condition,
    /// What can be adjusted: first what the value is compared with.
    pub thresholds: &'static [Threshold],
    judge: Judge,
}

impl AdviceRule {
    /// The cause of the step budget that it is about; none of rules about a part of one, or about something else.
    #[must_use]
    pub fn cause(&self) -> Option<CauseKind> {
        Some(match self.id {
            "dataloader" => CauseKind::DataPipeline,
            "exposed_communication" => CauseKind::Communication,
            "exposed_copies" => CauseKind::Copies,
            "synchronization" => CauseKind::Synchronization,
            "allocation" => CauseKind::Allocation,
            "slow_calls" => CauseKind::SlowCalls,
            "launch_bound" | "host_bound" => CauseKind::LaunchBound,
            _ => return None,
        })
    }
}

/// How a rule is judged, given its thresholds.
#[derive(Clone, Copy, Debug)]
enum Judge {
    /// By one rank's trace.
    Rank(fn(&Facts<'_>, &[f64]) -> Result<Measured, NotApplicable>),
    /// By what its tables say.
    Tables(fn(&Analysis, &[f64]) -> Result<Measured, NotApplicable>),
    /// By what MindSpore's tables say of the job, else by what the ranks' traces show together.
    Job(fn(&Cluster, &[f64]) -> Result<Measured, NotApplicable>, fn(&Job) -> Result<Measured, NotApplicable>),
}

/// Something to look at.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// A slice, and the part of time that matters.
    Slice(EventId, Interval),
    /// Time in which a device idles, and the slice that shows best what the host did meanwhile.
    Gap {
        /// The device's number as the producer counts.
        device: i64,
        /// When it idles.
        span: Interval,
        /// What the host did, where that is recorded and is the cause.
        host: Option<EventId>,
        /// What most of it is spent on, as the table of gaps says; none where that is not known.
        cause: Option<IdleLeaf>,
    },
    /// Something of a recorded table, or of a job, by its name, and its own value.
    Named(String, f64, AdviceUnit),
}

/// What a rule measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The value.
    pub value: f64,
    /// What it is compared with, where that depends on the trace; else the rule's first threshold.
    threshold: Option<f64>,
    /// What else keeps the rule from holding, whatever the value.
    exemption: Option<Exemption>,
    /// At most so much of a step could be saved; none where there is no telling.
    pub gain: Option<Nanos>,
    /// The step that this is a part of, where the profiler's tables tell one.
    step: Option<Nanos>,
    /// Where it shows most, the longest first.
    pub evidence: Vec<Evidence>,
    /// What of it may be waiting for other ranks, which their job tells.
    waits: Waits,
    /// The texts that fit the trace's devices, where a rule has several.
    wording: Option<&'static str>,
    /// When the devices lose what it promises, until all rules were compared; none where that is not known.
    claim: Option<Claim>,
    /// Whether the gain is the wait for data that MindSpore's tables show.
    waits_for_data: bool,
    /// The rank whose time between steps the gain is a part of, by its number.
    between_steps_of: Option<u64>,
}

impl Measured {
    /// Excuses a rule about time, if that is the time of a step that captures a graph.
    fn of_steady_step(mut self, captures: bool) -> Self {
        if captures && (self.gain.is_some() || self.claim.is_some()) {
            self.exemption = Some(Exemption::CapturesGraph);
        }
        self
    }
}

/// What of a rule's time may be waiting for other ranks: mending that is not this rule's matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Waits {
    /// Nothing.
    #[default]
    Nothing,
    /// What of the gain is exposed communication.
    Gain,
    /// The same, and the value is that as a part of the step. The value keeps the wait, as wherever it is shown, but the rule
    /// holds by what is left without it.
    GainAndValue,
    /// The gain is the time of these parts of collectives.
    Of(Vec<EventId>),
}

/// What a rule says of a trace.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The rule.
    pub rule: &'static AdviceRule,
    /// Its thresholds, as chosen.
    pub thresholds: Vec<f64>,
    /// The definition that gives the thresholds that a person did not change.
    pub definition: Definition,
    /// What was measured, or why nothing could be.
    pub measured: Result<Measured, NotApplicable>,
    /// What the value was compared with.
    pub threshold: f64,
    /// Whether the rule holds: there is something to do.
    pub holds: bool,
    /// The step that the gain is a part of; none if that is not known.
    pub step: Option<Nanos>,
    /// The same if it is not the mean step, but another time, such as that from a step's start to the next one's.
    pub other_whole: Option<Nanos>,
    /// The rule that says more of the same time; none if none does.
    pub covered_by: Option<&'static str>,
    /// What the step budget says of the cause that the rule is about, where it names that cause.
    pub cost: Option<CauseCost>,
}

impl Judgement {
    /// Returns the id of the texts that say it: the rule's, or of a wording that fits the trace's devices.
    #[must_use]
    pub fn wording(&self) -> &'static str {
        self.measured.as_ref().ok().and_then(|found| found.wording).unwrap_or(self.rule.id)
    }

    fn of(
        rule: &'static AdviceRule,
        thresholds: Vec<f64>,
        mut measured: Result<Measured, NotApplicable>,
        step: Option<Nanos>,
    ) -> Self {
        let told = measured.as_ref().ok().and_then(|found| found.step);
        let other_whole = told.filter(|told| step != Some(*told) && *told > Nanos::ZERO);
        let step = told.or(step).filter(|step| *step > Nanos::ZERO);
        if let (Ok(found), Some(step)) = (&mut measured, step) {
            // What is saved is saved of the step.
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
            covered_by: None,
            cost: None,
        }
    }

    /// The middle of what doing it saves, by which rules are sorted: of a rule about a cause of the step budget what the budget says,
    /// else half of its gain, as nothing is known but that it saves no more.
    #[must_use]
    pub fn saves(&self) -> Option<Nanos> {
        let half = || self.gain().map(|gain| Nanos(gain.0 / 2));
        self.cost.filter(|_| self.holds).map(|cost| cost.saves()).or_else(half)
    }

    /// At most so much of a step could be saved; none where the rule does not hold or there is no telling.
    #[must_use]
    pub fn gain(&self) -> Option<Nanos> {
        self.measured.as_ref().ok().filter(|_| self.holds)?.gain
    }

    /// The same as a part of that step.
    #[must_use]
    pub fn gain_share(&self) -> Option<f64> {
        self.gain()?.ratio_of(self.step?)
    }

    /// Why the rule does not hold though its value is reached; none if it is not, or the rule holds.
    #[must_use]
    pub fn exemption(&self) -> Option<Exemption> {
        let found = self.measured.as_ref().ok()?;
        found.exemption.filter(|_| self.rule.condition.holds(found.value, self.threshold))
    }
}

/// Which rules, with which thresholds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdviceConfig {
    /// The rules.
    pub set: RuleSet,
    /// Thresholds that were changed, by index of the rule and of its threshold.
    changed: Vec<(usize, usize, f64)>,
}

impl AdviceConfig {
    /// A set of rules with its own thresholds.
    #[must_use]
    pub fn of(set: RuleSet) -> Self {
        Self { set, changed: Vec::new() }
    }

    /// Changes a threshold by its name; whether there is one of that name, and the number is one.
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

/// What all rules say of a rank; those that compare ranks, by what this one's tables say of others.
///
/// Those that hold come first, the most gain before the others; then those that do not; then those that could not be
/// judged.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{AdviceConfig, AnalysisConfig};
///
/// // Of 20 µs, the host waits 8 for data.
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
            Judge::Tables(judge) => judge(analysis, &thresholds),
            Judge::Job(judge, _) => job.as_ref().ok_or(NotApplicable::OneRank).and_then(|job| judge(job, &thresholds)),
        };
        let measured = measured.map(|found| found.of_steady_step(captures));
        // What tables tell of a job is no part of this rank's steps.
        let step = (!matches!(rule.judge, Judge::Job(..))).then_some(analysis.average.length);
        Judgement { definition, ..Judgement::of(rule, thresholds, measured, step) }
    });
    let mut judged: Vec<Judgement> = judged.collect();
    distinct(&mut judged, Some(trace), |time| facts.per_period(time), &facts.idle_periods());
    sorted(judged)
}

/// Gives rules that are about a cause of the step budget what the budget says of it, so that both promise the same.
#[must_use]
pub fn with_costs(mut judged: Vec<Judgement>, budget: &BudgetVerdict) -> Vec<Judgement> {
    let mut told: Vec<CauseKind> = Vec::new();
    for judgement in judged.iter_mut().filter(|judgement| judgement.holds && judgement.gain().is_some()) {
        // No two rules promise the same time.
        let Some(kind) = judgement.rule.cause().filter(|kind| !told.contains(kind)) else { continue };
        judgement.cost = budget.costs.iter().find(|cost| cost.cause.kind == kind).copied();
        told.push(kind);
    }
    sorted(judged)
}

/// What the rules that compare ranks say of a job: by the profiler's own tables, else by what the ranks' traces show
/// together; nothing of traces that are no ranks of one job. Ranks come with their numbers.
#[must_use]
pub fn job_advice(ranks: &[(u64, &Trace)], together: Option<&Job>, config: &AdviceConfig) -> Vec<Judgement> {
    if together.is_some_and(|job| !job.is_one()) {
        return Vec::new();
    }
    let job = cluster(ranks);
    // No threshold of a rule that compares ranks is another one under another definition.
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
    let rules = RULES.iter().filter_map(|rule| {
        let Judge::Tables(judge) = rule.judge else { return None };
        let thresholds: Vec<f64> = rule.thresholds.iter().map(|threshold| threshold.under(definition)).collect();
        let measured = judge(analysis, &thresholds);
        Some(Judgement { definition, ..Judgement::of(rule, thresholds, measured, Some(analysis.average.length)) })
    });
    let mut judged: Vec<Judgement> = rules.collect();
    let steps = analysis.steps.counted().len() as u64;
    distinct(&mut judged, None, |time| mean(time.len(), steps), &IntervalSet::new());
    judged
}

impl Judgement {
    /// Whether the rule compares ranks.
    #[must_use]
    pub fn is_of_job(&self) -> bool {
        matches!(self.rule.judge, Judge::Job(..))
    }

    /// What judgements are sorted by: those that hold, the most gain first, then those that do not, then those without any.
    fn order(&self) -> (bool, bool, std::cmp::Reverse<i64>) {
        let gain = self.saves().map_or(-1, |gain| gain.0);
        (!self.holds, self.measured.is_err(), std::cmp::Reverse(gain))
    }

    /// Leaves out what the rank's job tells, by its row and what its transfers take: what it waits for others, and what a jump of
    /// its clock may add to the steps in which it happens, since the rank was judged before that was known.
    fn among_ranks(&mut self, row: &RankRow, transfers: &TransferAlone) {
        let Ok(found) = &mut self.measured else { return };
        let Some(gain) = found.gain else { return };
        let sound = match &found.waits {
            // Those of steps that count.
            Waits::Of(events) => gain.min(transfers.of_events(events)),
            _ if !matches!(self.rule.judge, Judge::Rank(_)) => gain,
            _ => (gain - row.added_by_jump).max(Nanos::ZERO),
        };
        let waiting = row.waiting.filter(|_| matches!(found.waits, Waits::Gain | Waits::GainAndValue));
        let left = (sound - waiting.map_or(Nanos::ZERO, |waiting| waiting.all)).max(Nanos::ZERO);
        found.gain = Some(left);
        if left != gain {
            // The budget of the rank alone does not know that.
            self.cost = None;
        }
        // What a jump adds to the gain is in the value as well, where that is a time that is the worse the longer it is.
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

/// The mean step by MindSpore's step trace, where there is one of the steps that the timeline shows.
fn recorded_step(analysis: &Analysis) -> Option<Nanos> {
    Some(crate::mindspore::recorded_steps(analysis)?.average.total)
}

/// Judgements in the order in which they matter.
fn sorted(mut judged: Vec<Judgement>) -> Vec<Judgement> {
    judged.compact_sort_by_key(Judgement::order);
    judged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Waiting;

    /// A rule whose gain is waiting for others, or what a jump adds, has nothing to say.
    #[test]
    fn what_is_left_among_other_ranks() {
        let of = |rule: &str, waits: Waits, waiting: i64, added: i64| {
            let rule = RULES.iter().find(|one| one.id == rule).expect("a rule");
            let value = if rule.condition == Condition::Above { 0.5 } else { 0.05 };
            let measured = Measured { value, gain: Some(Nanos(100)), waits, ..Measured::default() };
            let mut judgement = Judgement::of(rule, vec![0.1], Ok(measured), Some(Nanos(1_000)));
            let waiting = Some(Waiting { all: Nanos(waiting), otherwise: Nanos(waiting), known: Nanos(waiting) });
            let row = RankRow { waiting, added_by_jump: Nanos(added), ..RankRow::default() };
            judgement.among_ranks(&row, &TransferAlone::default());
            (judgement.holds, judgement.gain(), judgement.exemption())
        };
        // The value is what the tiles show, whatever of it is waiting.
        let exposed = |waiting| {
            let rule = RULES.iter().find(|one| one.id == "exposed_communication").expect("a rule");
            let measured =
                Measured { value: 0.5, gain: Some(Nanos(100)), waits: Waits::GainAndValue, ..Measured::default() };
            let mut judgement = Judgement::of(rule, vec![0.1], Ok(measured), Some(Nanos(200)));
            let waiting = Some(Waiting { all: Nanos(waiting), otherwise: Nanos(waiting), known: Nanos(waiting) });
            let row = RankRow { waiting, ..RankRow::default() };
            judgement.among_ranks(&row, &TransferAlone::default());
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
