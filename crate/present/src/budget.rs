//! The step budget in words: the first sentences, and the tree.

use crate::kernel_names::short_names;
use crate::messages::{find, message};
use crate::text::{clipped, count, duration, percent};
use stepscope_analyze::{
    Analysis, Branch, BudgetBranch, BudgetCause, BudgetLeaf, BudgetMean, CauseChange, CauseKind, Confidence, FewSteps,
    FirstLine, HostLoss, IdleLeaf, InJob, Late, LateRankCause, LongerCompute, LostOnHost, NamedCause, NoRoof, Outcome,
    Portion, Recorder, SlowAlone, is_enough,
};
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_table::messages::Language;

/// The first sentences: one or two causes, or that not enough is recorded, and the remedies.
#[must_use]
pub fn first_sentences(budget: &BudgetMean, language: Language) -> Vec<String> {
    let named: Vec<(String, (f64, Nanos))> =
        budget.causes.iter().take(2).map(|cause| (cause_name(cause, language), (cause.share, cause.score))).collect();
    let fill = |key: &str, portion: Portion| with_portion(&filled(key, budget.whole.name(), &named, language), portion);
    let portion = match budget.first {
        FirstLine::NotEnoughRecorded => budget.unknown_idle,
        FirstLine::LimitUnknown => budget.limit_unknown(),
        FirstLine::SampledCalls => Portion { time: Nanos::ZERO, share: budget.sampled_calls.unwrap_or_default() },
        _ => budget.at_roof,
    };
    let mut sentences = vec![fill(&format!("budget.first.{}", budget.first.name()), portion)];
    let fix = |number: usize| budget.causes.get(number).map(|cause| cause_fix(cause, language));
    let then = || budget.largest_cause().map(|_| fill("budget.then", Portion::default()));
    match budget.first {
        FirstLine::NotEnoughRecorded | FirstLine::LimitUnknown => {
            if budget.first == FirstLine::NotEnoughRecorded {
                sentences.extend(pause_sentence(budget, language));
                ask_for(&mut sentences, &budget.unknown_idle_leaves, budget.recorder, language);
                sentences.extend(limit_unknown_sentences(budget, language));
            } else {
                sentences.extend(largest_kernels(budget, language));
                let is_of_kernels = |leaf: &&BudgetLeaf| matches!(leaf, BudgetLeaf::RoofUnknown(_));
                let of_kernels: Vec<_> = budget.unknown_leaves.iter().filter(is_of_kernels).copied().collect();
                ask_for(&mut sentences, &of_kernels, budget.recorder, language);
                if let Some(other) = unknown_too_sentence(budget, language) {
                    sentences.push(other);
                    ask_for(&mut sentences, &budget.unknown_idle_leaves, budget.recorder, language);
                }
            }
            sentences.extend(then());
        }
        FirstLine::OneCause | FirstLine::NoSingleCause => {
            let first = budget.causes.first();
            sentences
                .extend(first.and_then(|cause| cause.few_steps.as_ref()).map(|few| few_steps_sentence(few, language)));
            sentences.extend(first.and_then(|cause| saving_sentence(cause, budget, language)));
            sentences.extend(first.and_then(|cause| hiding_sentence(cause, language)));
            sentences.extend(first.and_then(|cause| partial_sentence(cause.kind, cause.confidence, language)));
            let is_split = first.is_some_and(|cause| cause.kind == CauseKind::Communication);
            sentences.extend(budget.in_job.iter().filter(|_| is_split).map(|split| split_sentence(split, language)));
            let rank_cause = first.and_then(|cause| cause.rank_cause);
            sentences.extend(rank_cause.map(|by| rank_cause_sentence(&by, language)));
            sentences.extend(fix(0));
        }
        FirstLine::TwoCauses => sentences.extend([fix(0), fix(1)].into_iter().flatten()),
        FirstLine::CapturesGraph | FirstLine::SampledCalls => sentences.extend(then()),
        FirstLine::AtLimit | FirstLine::Nothing | FirstLine::NoDevice | FirstLine::NoTime => {}
    }
    sentences.extend(host_sentences(budget, language));
    sentences.extend(unknown_idle_sentences(budget, language));
    let says_it = budget.first.lacks_cause() || !budget.first.has_device_times();
    let largest = budget.causes.first().map_or(Nanos::ZERO, |cause| cause.score);
    if !says_it && budget.limit_unknown().time > largest {
        sentences.extend(limit_unknown_sentences(budget, language));
    }
    sentences.extend(kinds_sentence(budget, language));
    sentences
}

/// The split of a rank's exposed communication, by the traces of the other ranks.
#[must_use]
pub fn split_sentence(split: &InJob, language: Language) -> String {
    let key = match (split.transfer, split.late.is_empty()) {
        (Some(_), true) => "budget.in_job",
        (Some(_), false) => "budget.in_job.late",
        (None, true) => "budget.in_job.part",
        (None, false) => "budget.in_job.part.late",
    };
    let text = message(language, key).replace("{waiting}", &duration(split.waiting));
    let text = text.replace("{transfer}", &duration(split.transfer.unwrap_or_default()));
    text.replace("{late}", &late_names(&split.late, language))
}

/// The same of a rank, with the largest loss of its hosts where it has no device activity: in a step by its index, or in
/// the average step.
#[must_use]
pub fn rank_sentences(
    (analysis, step): (&Analysis, Option<usize>),
    budget: &BudgetMean,
    language: Language,
) -> Vec<String> {
    let mut sentences = first_sentences(budget, language);
    if let Some(loss) = analysis.lost_on_host(step) {
        // The profiler's table of steps is the device's, though no timeline is.
        if loss.kind == HostLoss::IterationInterval
            && budget.first == FirstLine::NoDevice
            && let Some(first) = sentences.first_mut()
        {
            *first = message(language, "budget.first.step_trace").to_owned();
        }
        sentences.push(host_loss_sentence(&loss, language));
        sentences.extend(loss.few_steps.map(|few| few_steps_sentence(&few, language)));
    }
    sentences
}

/// The pause that most of the unknown time is, if a single one is.
fn pause_sentence(budget: &BudgetMean, language: Language) -> Option<String> {
    let name = budget.unknown_idle_leaves.first()?.name();
    let mut leaves = budget.branches.iter().flat_map(|branch| &branch.leaves);
    let span = leaves.find(|leaf| leaf.name == name)?.longest?.span;
    // A mean of several is no part of a pause.
    let is_most = budget.windows * budget.devices == 1 && span.len() + span.len() > budget.unknown_idle.time;
    let text = message(language, "budget.one_pause").replace("{time}", &duration(span.len()));
    is_most.then(|| text.replace("{start}", &duration(span.start)))
}

/// The part in which the device runs kernels of unknown limit beside another one, the largest of these kernels, and what
/// to record; nothing where it is small.
fn limit_unknown_sentences(budget: &BudgetMean, language: Language) -> Vec<String> {
    let unknown = budget.limit_unknown();
    if unknown.share < SAID {
        return Vec::new();
    }
    let text = portion_sentence("budget.limit_unknown", unknown, budget, language);
    let of_kernels = budget.unknown_leaves.iter().filter(|leaf| matches!(leaf, BudgetLeaf::RoofUnknown(_)));
    // Where a cause is known, its remedy comes first.
    let asked = of_kernels
        .filter(|_| budget.first == FirstLine::NotEnoughRecorded)
        .find_map(|leaf| ask(*leaf, budget.recorder));
    let asked = asked.map(|key| message(language, key).to_owned());
    std::iter::once(text).chain(largest_kernels(budget, language)).chain(asked).collect()
}

/// The other part of unknown cause, where kernels of unknown limit take longer.
fn unknown_too_sentence(budget: &BudgetMean, language: Language) -> Option<String> {
    let unknown = budget.unknown_idle;
    (unknown.share >= SAID).then(|| portion_sentence("budget.unknown_too", unknown, budget, language))
}

/// The kernels that take a fifth or more of the time of those whose limit is not known, two at most.
fn largest_kernels(budget: &BudgetMean, language: Language) -> Option<String> {
    const LEAST: i64 = 5;
    let all = budget.limit_unknown().time;
    let large = budget.limit_unknown_kernels.iter().filter(|(kernel, _)| kernel.time.0.saturating_mul(LEAST) >= all.0);
    let large: Vec<_> = large.take(2).collect();
    let names: Vec<&str> = large.iter().map(|(_, name)| name.as_str()).collect();
    let named = short_names(&names).into_iter().zip(&large);
    let named: Vec<String> = named
        .map(|(name, (kernel, _))| format!("{} ({})", clipped(&name, LONGEST_NAME), duration(kernel.time)))
        .collect();
    let text = message(language, "budget.limit_unknown.kernels");
    (!named.is_empty()).then(|| text.replace("{kernels}", &named.join(separator_of(language))))
}

fn host_loss_sentence(loss: &LostOnHost, language: Language) -> String {
    let kind = format!("budget.host_loss.{}", loss.kind.name());
    let key = match loss.kind {
        HostLoss::Communication => "budget.host_communication",
        _ => "budget.host_loss",
    };
    let text = filled(key, loss.whole.name(), &[], language).replace("{cause}", message(language, &kind));
    with_portion(&text, Portion { time: loss.time, share: loss.share })
}

/// The reasons why the host is slower than its program, where a named cause is slow launching: waits for a processor,
/// and a profiler that records each call of Python.
fn host_sentences(budget: &BudgetMean, language: Language) -> Vec<String> {
    let named = match budget.first {
        FirstLine::OneCause | FirstLine::NoSingleCause => 1,
        FirstLine::TwoCauses => 2,
        _ => 0,
    };
    if !budget.causes.iter().take(named).any(|cause| cause.kind == CauseKind::LaunchBound) {
        return Vec::new();
    }
    let waits = budget
        .processor_wait
        .map(|share| message(language, "budget.processor_wait").replace("{share}", &percent(share)));
    let records = budget.has_stacks.then(|| message(language, "budget.has_stacks").to_owned());
    waits.into_iter().chain(records).collect()
}

/// The time for which the device idles for an unknown cause, and what to record, where a known cause is named first
/// though it takes less.
fn unknown_idle_sentences(budget: &BudgetMean, language: Language) -> Vec<String> {
    let names_cause = matches!(budget.first, FirstLine::OneCause | FirstLine::TwoCauses);
    let idle = budget.unknown_idle;
    let is_larger = budget.causes.first().is_some_and(|cause| idle.time > cause.score);
    if !(names_cause && is_larger) {
        return Vec::new();
    }
    // A device whose work is not recorded need not idle.
    let idles = budget.unknown_idle_leaves.iter().all(|leaf| leaf.branch() == Branch::Idle);
    let key = if idles { "budget.unknown_idle" } else { "budget.unknown_too" };
    let mut sentences = vec![portion_sentence(key, idle, budget, language)];
    ask_for(&mut sentences, &budget.unknown_idle_leaves, budget.recorder, language);
    sentences
}

/// The kinds of inference steps in the mean, where there are several: a prefill step is unlike a decode step.
fn kinds_sentence(budget: &BudgetMean, language: Language) -> Option<String> {
    budget.kinds.first()?;
    let named = budget.kinds.iter().map(|(kind, number)| {
        let kind_key = format!("budget.kind.{}", kind.name());
        format!("{} {}", count(*number), message(language, &kind_key))
    });
    let kinds = named.collect::<Vec<_>>().join(separator_of(language));
    Some(message(language, "budget.kinds").replace("{kinds}", &kinds))
}

/// The few steps that most of a cause's or a loss's time is in, where it is not spread over the steps.
#[must_use]
pub fn few_steps_sentence(few: &FewSteps, language: Language) -> String {
    let text =
        message(language, if few.names.len() == 1 { "budget.few_steps.one" } else { "budget.few_steps.several" });
    let text = text.replace("{share}", &percent(few.share())).replace("{steps}", &few.first_names());
    let text = text.replace("{count}", &count(few.names.len() as u64)).replace("{of}", &count(few.of));
    text.replace("{time}", &duration(few.means[0])).replace("{others}", &duration(few.means[1]))
}

/// The reason why a rank with more own time is no straggler: its additional part, its share of the waiting, and that of
/// a straggler.
#[must_use]
pub fn slow_alone_sentence(one: &SlowAlone, language: Language) -> String {
    let steps = one.few_steps.as_ref().map(|few| {
        let key = if few.names.len() == 1 { "job.slow_alone.in_step" } else { "job.slow_alone.in_steps" };
        message(language, key).replace("{steps}", &few.first_names())
    });
    let text = message(language, "job.slow_alone").replace("{rank}", &one.rank.to_string());
    let text = text.replace("{by}", &percent(one.by)).replace("{in_steps}", &steps.unwrap_or_default());
    text.replace("{blamed}", &percent(one.blamed)).replace("{needed}", &percent(one.needed))
}

/// The ranks that compute longer and are no stragglers: the longest one's number and excess, and the number of others.
#[must_use]
pub fn longer_compute_sentence(found: &LongerCompute, language: Language) -> String {
    let others = found.ranks.len().saturating_sub(1);
    let key = if others == 0 { "job.longer_compute" } else { "job.longer_compute.several" };
    let rank = found.ranks.first().map(u64::to_string).unwrap_or_default();
    let text = message(language, key).replace("{rank}", &rank).replace("{by}", &percent(found.by));
    text.replace("{others}", &count(others as u64))
}

/// The bounds of the saving of removing a cause, where they are far apart.
#[must_use]
pub fn saving_sentence(cause: &BudgetCause, budget: &BudgetMean, language: Language) -> Option<String> {
    let saving = cause.saving.filter(|saving| saving.is_wide())?;
    let share = |time: Nanos| percent(time.ratio_of(budget.length).unwrap_or_default());
    let text = message(language, if saving.is_low_nothing() { "budget.saves.at_most" } else { "budget.saves.between" });
    let window_key = format!("budget.window.{}", budget.whole.name());
    let text = text.replace("{window}", message(language, &window_key));
    let text = text.replace("{low}", &duration(saving.low)).replace("{low_share}", &share(saving.low));
    Some(text.replace("{high}", &duration(saving.high)).replace("{high_share}", &share(saving.high)))
}

/// The most that can be hidden beside computation, where that is less than the cause.
#[must_use]
pub fn hiding_sentence(cause: &BudgetCause, language: Language) -> Option<String> {
    let time = cause.can_hide.filter(|time| *time < cause.saves())?;
    let key = if time == Nanos::ZERO { "budget.can_hide.none" } else { "budget.can_hide" };
    Some(message(language, key).replace("{time}", &duration(time)))
}

/// The ground of a cause and its known share, where that is not enough for the whole: `limits` of kernels or `launches`.
#[must_use]
pub fn partial_ground(kind: CauseKind, confidence: Confidence) -> Option<(&'static str, f64)> {
    let known = confidence.known().filter(|known| !is_enough(*known))?;
    let is_of_kernels = matches!(kind, CauseKind::AboveRoof(_) | CauseKind::Float32Products);
    Some((if is_of_kernels { "limits" } else { "launches" }, known))
}

/// The same in words.
#[must_use]
pub fn partial_sentence(kind: CauseKind, confidence: Confidence, language: Language) -> Option<String> {
    let (ground, known) = partial_ground(kind, confidence)?;
    Some(message(language, &["budget.partial.", ground].concat()).replace("{share}", &percent(known)))
}

/// The predicted saving for a cause that is gone, and the achieved one.
#[must_use]
pub fn outcome_sentences(outcome: &Outcome, language: Language) -> Vec<String> {
    let window_key = format!("budget.window.{}", outcome.whole.name());
    let say = |key: &str, cause: &CauseChange| {
        let text = message(language, key).replace("{cause}", &changed_cause_name(cause, language));
        let text = text.replace("{before}", &duration(cause.score.a)).replace("{after}", &duration(cause.score.b));
        let [low, high] = outcome.predicted;
        let text = text.replace("{low}", &duration(low)).replace("{high}", &duration(high));
        let text = text.replace("{achieved}", &duration(Nanos(outcome.achieved.0.abs())));
        text.replace("{window}", message(language, &window_key))
    };
    let predicted = if outcome.predicted[0] == outcome.predicted[1] { "one" } else { "between" };
    let mut sentences = vec![
        say("budget.outcome.fell", &outcome.cause),
        say(&format!("budget.outcome.predicted.{predicted}"), &outcome.cause),
        say(&format!("budget.outcome.{}", outcome.verdict.name()), &outcome.cause),
    ];
    sentences.extend(outcome.grown.as_ref().map(|grown| say("budget.outcome.grew", grown)));
    sentences
}

/// The cost of a single cause, and its remedy.
#[must_use]
pub fn cause_sentences(cause: &NamedCause, language: Language) -> [String; 2] {
    sentences_of(cause.wording, (cause.share, cause.score), cause.whole.name(), language)
}

/// A cause on both sides of a comparison, in words.
#[must_use]
pub fn changed_cause_name(change: &CauseChange, language: Language) -> String {
    about(name_of(change.wording, language), &change.late, language)
}

/// A cause in words.
#[must_use]
pub fn cause_name(cause: &BudgetCause, language: Language) -> String {
    about(name_of(cause.wording, language), &cause.late, language)
}

/// Returns the remedy for a cause.
#[must_use]
pub fn cause_fix(cause: &BudgetCause, language: Language) -> String {
    about(fix_of(cause.wording, language), &cause.late, language)
}

/// Most ranks of a group that are named one by one.
const NAMED_RANKS: usize = 8;

/// The cause that makes a rank late, and its remedy.
#[must_use]
pub fn rank_cause_sentence(by: &LateRankCause, language: Language) -> String {
    let text = message(language, "budget.rank_cause").replace("{rank}", &late_name(&Late::Rank(by.rank), language));
    let text = text.replace("{cause}", &name_of(by.wording, language)).replace("{more}", &duration(by.more));
    text.replace("{fix}", &fix_of(by.wording, language))
}

/// Parts of a job, in words; only the first ones if there are many.
#[must_use]
pub fn late_names(late: &[Late], language: Language) -> String {
    const MOST: usize = 3;
    let named: Vec<String> = late.iter().take(MOST).map(|one| late_name(one, language)).collect();
    named.join(separator_of(language)) + &more_of(late.len() > MOST, language)
}

/// Returns the separator of a list.
fn separator_of(language: Language) -> &'static str {
    if language == Language::Chinese { "、" } else { ", " }
}

/// Returns the end of a list that is cut.
fn more_of(is_cut: bool, language: Language) -> String {
    if is_cut { format!("{}…", separator_of(language)) } else { String::new() }
}

fn late_name(late: &Late, language: Language) -> String {
    match late {
        Late::Rank(rank) => message(language, "budget.late.rank").replace("{rank}", &rank.to_string()),
        Late::Link([from, to]) => {
            message(language, "budget.late.link").replace("{from}", &from.to_string()).replace("{to}", &to.to_string())
        }
        Late::Links(ranks) => {
            let named: Vec<String> = ranks.iter().take(NAMED_RANKS).map(u64::to_string).collect();
            let more = more_of(ranks.len() > NAMED_RANKS, language);
            message(language, "budget.late.links").replace("{ranks}", &(named.join(separator_of(language)) + &more))
        }
        Late::Stage(stage) => message(language, "budget.late.stage").replace("{stage}", &stage.to_string()),
    }
}

/// A message about parts of a job.
fn about(text: String, late: &[Late], language: Language) -> String {
    if late.is_empty() { text } else { text.replace("{late}", &late_names(late, language)) }
}

/// The same for a cause, given the last part of its messages' keys, its share and time, and the name of the share's
/// whole.
#[must_use]
pub fn sentences_of(wording: &str, costs: (f64, Nanos), whole: &str, language: Language) -> [String; 2] {
    let named = [(name_of(wording, language), costs)];
    [filled("budget.first.one_cause", whole, &named, language), fix_of(wording, language)]
}

fn name_of(wording: &str, language: Language) -> String {
    message(language, &format!("budget.cause.{wording}")).to_owned()
}

/// The remedy, in which a message of its own is the part that leads to the late rank, if the cause has one.
fn fix_of(wording: &str, language: Language) -> String {
    let lead = find(language, &format!("budget.lead.{wording}")).unwrap_or_default();
    message(language, &format!("budget.fix.{wording}")).replace("{lead}", lead)
}

/// The most characters of a name in a sentence.
const LONGEST_NAME: usize = 80;

/// The least share of a part of unknown cause that has a sentence beside another one.
const SAID: f64 = 0.05;

/// A message with a time and its share.
fn with_portion(text: &str, Portion { time, share }: Portion) -> String {
    text.replace("{share}", &percent(share)).replace("{time}", &duration(time))
}

/// The same with the windows' name.
fn portion_sentence(key: &str, portion: Portion, budget: &BudgetMean, language: Language) -> String {
    with_portion(&filled(key, budget.whole.name(), &[], language), portion)
}

/// A message with the windows' name and the cost of one or two causes.
fn filled(key: &str, whole: &str, causes: &[(String, (f64, Nanos))], language: Language) -> String {
    let window_key = format!("budget.window.{whole}");
    let window = message(language, &window_key);
    let blanks = [["{cause}", "{cause_share}", "{cause_time}"], ["{second}", "{second_share}", "{second_time}"]];
    let text = message(language, key).replace("{window}", window);
    blanks.iter().zip(causes).fold(text, |text, ([name, share, time], (cause, costs))| {
        let text = text.replace(name, cause).replace(share, &percent(costs.0));
        text.replace(time, &duration(costs.1))
    })
}

/// Adds what to record so that the causes of leaves are known, each once.
fn ask_for(sentences: &mut Vec<String>, leaves: &[BudgetLeaf], recorder: Recorder, language: Language) {
    for key in leaves.iter().flat_map(|leaf| asks(*leaf, recorder)) {
        let text = message(language, key);
        if !sentences.iter().any(|known| known == text) {
            sentences.push(text.to_owned());
        }
    }
}

/// The messages about what to record so that a leaf's cause is known, by the names that the recording's profiler has.
fn asks(leaf: BudgetLeaf, recorder: Recorder) -> impl Iterator<Item = &'static str> {
    let is_host_unseen = matches!(leaf, BudgetLeaf::Idle(IdleLeaf::Unrecorded | IdleLeaf::NoHostRecord));
    let of_data = is_host_unseen && recorder == Recorder::MindSporeUnlinked;
    ask(leaf, recorder).into_iter().chain(of_data.then_some("budget.ask.data_of_mindspore"))
}

/// The first of these messages.
fn ask(leaf: BudgetLeaf, recorder: Recorder) -> Option<&'static str> {
    Some(match leaf {
        BudgetLeaf::RoofUnknown(NoRoof::Unlinked) | BudgetLeaf::Idle(IdleLeaf::Unrecorded | IdleLeaf::NoHostRecord)
            if recorder == Recorder::MindSporeUnlinked =>
        {
            "budget.ask.unlinked_of_mindspore"
        }
        BudgetLeaf::RoofUnknown(why) => match why {
            NoRoof::Unlinked => "budget.ask.unlinked",
            NoRoof::Graph => "budget.ask.graph",
            NoRoof::NoShapes => "budget.ask.no_shapes",
            NoRoof::NoFormula => "budget.ask.no_formula",
            NoRoof::NoPeaks | NoRoof::Impossible => "budget.ask.no_peaks",
        },
        BudgetLeaf::Idle(leaf) => match leaf {
            IdleLeaf::Unrecorded | IdleLeaf::NoHostRecord if recorder == Recorder::MindSpore => {
                "budget.ask.host_of_mindspore"
            }
            IdleLeaf::Unrecorded => "budget.ask.unrecorded",
            IdleLeaf::NoHostRecord => "budget.ask.no_host_record",
            IdleLeaf::StartLate | IdleLeaf::QueuedWaiting => "budget.ask.dependency",
            IdleLeaf::BeforeFirst => "budget.ask.before_first",
            IdleLeaf::AfterLast => "budget.ask.after_last",
            IdleLeaf::Uncovered => "budget.ask.not_covered",
            _ => return None,
        },
        _ => return None,
    })
}

/// A row of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetRow {
    /// The leaf's or branch's name.
    pub name: String,
    /// Its depth in the tree.
    pub depth: usize,
    /// Its time in a mean window.
    pub portion: Portion,
}

/// The share from which on a leaf has a row.
const SHOWN: f64 = 0.005;

/// The share from which on a branch has a row before any leaf.
const LARGE: f64 = 0.01;

/// Returns the tree of the budget: its branches from a hundredth on, and, up to `most` rows in all, what takes the longest
/// of its leaves and of the other branches. Leaves without a row of their own are in their branch's.
#[must_use]
pub fn budget_rows(branches: &[BudgetBranch], most: usize, language: Language) -> Vec<BudgetRow> {
    let row = |kind: &str, name: &str, depth: usize, portion: Portion| BudgetRow {
        name: message(language, &format!("budget.{kind}.{name}")).to_owned(),
        depth,
        portion,
    };
    let of_branch = |branch: &BudgetBranch| {
        let leaves = branch.leaves.iter().filter(|leaf| leaf.portion.share >= SHOWN);
        let leaves = leaves.map(|leaf| row("leaf", leaf.name, 1, leaf.portion));
        std::iter::once(row("branch", branch.branch.name(), 0, branch.portion)).chain(leaves).collect::<Vec<_>>()
    };
    let rows: Vec<BudgetRow> = branches.iter().flat_map(of_branch).collect();
    let mut places: Vec<usize> = (0..rows.len()).collect();
    let is_large_branch = |place: &usize| rows[*place].depth == 0 && rows[*place].portion.share >= LARGE;
    let large = places.iter().filter(|place| is_large_branch(place)).count();
    // Among equal ones the first, so that a branch is before its leaves.
    places.compact_sort_by_key(|place| (!is_large_branch(place), std::cmp::Reverse(rows[*place].portion.time), *place));
    places.truncate(most.max(large));
    places.compact_sort();
    places.into_iter().map(|place| rows[place].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_analyze::{Branch, BudgetTwig, BudgetWhole, CauseKind, InferenceKind, OutcomeVerdict, SITUATIONS};

    #[test]
    fn fixes_have_the_lead_that_the_page_links() {
        for language in [Language::English, Language::Chinese] {
            let wordings = CauseKind::all().into_iter().map(CauseKind::name).chain(SITUATIONS);
            for wording in wordings {
                let is_late = wording.starts_with("late_");
                let key = format!("budget.fix.{wording}");
                let raw = message(language, &key);
                assert_eq!(raw.matches("{lead}").count(), usize::from(is_late), "{wording}: {raw}");
                assert!(!fix_of(wording, language).contains("{lead}"), "{wording}");
            }
        }
    }

    #[test]
    fn a_large_leaf_has_a_row_before_a_tiny_branch() {
        let portion = |per_mille: i64| Portion { time: Nanos(per_mille), share: per_mille as f64 / 1000.0 };
        let twig = |name, of: i64| BudgetTwig { name, portion: portion(of), longest: None };
        let branch = |branch, of: i64, leaves: Vec<BudgetTwig>| BudgetBranch { branch, portion: portion(of), leaves };
        let branches = [
            branch(Branch::Compute, 930, vec![twig("at_roof", 600), twig("above_roof_attention", 330)]),
            branch(Branch::ExposedCopies, 4, vec![]),
            branch(Branch::ExposedSets, 3, vec![]),
            branch(Branch::Idle, 63, vec![twig("operator", 50), twig("python", 13)]),
        ];
        let shown = |most: usize| {
            let rows = budget_rows(&branches, most, Language::English);
            rows.iter().map(|row| (row.depth, row.portion.time.0)).collect::<Vec<_>>()
        };
        assert_eq!(shown(4), [(0, 930), (1, 600), (1, 330), (0, 63)]);
        assert_eq!(shown(2), [(0, 930), (0, 63)], "no leaf before a large branch");
        assert_eq!(shown(0), shown(2), "large branches are always there");
        assert_eq!(shown(9).len(), 8);
    }

    #[test]
    fn every_name_has_a_message() {
        const FIRST: [FirstLine; 11] = [
            FirstLine::SampledCalls,
            FirstLine::OneCause,
            FirstLine::TwoCauses,
            FirstLine::NoSingleCause,
            FirstLine::NotEnoughRecorded,
            FirstLine::LimitUnknown,
            FirstLine::AtLimit,
            FirstLine::Nothing,
            FirstLine::NoDevice,
            FirstLine::CapturesGraph,
            FirstLine::NoTime,
        ];
        let mut keys: Vec<String> = FIRST.iter().map(|first| format!("budget.first.{}", first.name())).collect();
        for wording in CauseKind::all().into_iter().map(CauseKind::name).chain(SITUATIONS) {
            keys.extend([format!("budget.cause.{wording}"), format!("budget.fix.{wording}")]);
            if wording.starts_with("late_") {
                keys.push(format!("budget.lead.{wording}"));
            }
        }
        keys.extend(["between", "at_most"].map(|saves| format!("budget.saves.{saves}")));
        keys.extend(["rank", "link", "links", "stage"].map(|late| format!("budget.late.{late}")));
        keys.extend(
            [
                "can_hide",
                "one_pause",
                "can_hide.none",
                "kinds",
                "unknown_idle",
                "host_loss",
                "host_communication",
                "first.step_trace",
                "few_steps.one",
                "few_steps.several",
                "partial.launches",
                "partial.limits",
                "in_job",
                "in_job.late",
                "in_job.part",
                "in_job.part.late",
                "rank_cause",
            ]
            .map(|key| format!("budget.{key}")),
        );
        keys.push("budget.confidence".to_owned());
        keys.extend(["exact", "linked", "partial", "known"].map(|name| format!("budget.confidence.{name}")));
        keys.extend(HostLoss::ALL.iter().map(|loss| format!("budget.host_loss.{}", loss.name())));
        keys.extend(
            ["fell", "predicted.one", "predicted.between", "grew"].map(|part| format!("budget.outcome.{part}")),
        );
        keys.extend(OutcomeVerdict::ALL.iter().map(|verdict| format!("budget.outcome.{}", verdict.name())));
        keys.extend(InferenceKind::ALL.iter().map(|kind| format!("budget.kind.{}", kind.name())));
        keys.extend(BudgetWhole::ALL.iter().map(|whole| format!("budget.window.{}", whole.name())));
        keys.extend(Branch::ALL.iter().map(|branch| format!("budget.branch.{}", branch.name())));
        let leaves = BudgetLeaf::all().into_iter().filter(|leaf| !matches!(leaf, BudgetLeaf::AtRoof(_)));
        for leaf in leaves {
            keys.push(format!("budget.leaf.{}", leaf.name()));
            keys.extend(
                [Recorder::MindSpore, Recorder::MindSporeUnlinked, Recorder::Other]
                    .iter()
                    .flat_map(|one| asks(leaf, *one))
                    .map(str::to_owned),
            );
        }
        for language in [Language::English, Language::Chinese] {
            let missing: Vec<&String> = keys.iter().filter(|key| message(language, key) == key.as_str()).collect();
            assert!(missing.is_empty(), "{language:?} has no words for {missing:?}");
        }
    }
}
