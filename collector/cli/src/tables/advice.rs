//! Advice: the rules that apply, their texts, and the measurements of the others.

use std::collections::BTreeSet;

use stepscope::analyze::{
    AdviceCard, AdviceConfig, AdviceUnit, BudgetWhole, CauseKind, Conclusion, Condition, Evidence, IdleLeaf, Job,
    Judgement, Missing, NamedCause, Outside, RuleOutcome, Verdict, advice, advice_cards, job_advice,
    program_part_around, with_costs,
};
use stepscope::export::report_json::{advice_exemption, advice_lack, advice_reason, advice_share_text, advice_words};
use stepscope::present::advice::gain_text;
use stepscope::present::budget::{cause_sentences, partial_sentence};
use stepscope::present::kernel_names::event_name;
use stepscope::present::messages::message;
use stepscope::present::text::{
    amount_of_flops, bytes, count, duration, flops_per_second, gigabytes_per_second, number, percent,
};
use stepscope::table::messages::Language;
use stepscope::{Nanos, Rank};
use unicode_width::UnicodeWidthStr;

use crate::cut::shortened;
use crate::grid::{Grid, Look, printable};

/// Number of rules at the end of the default output.
const SHOWN: usize = 5;

/// Columns that a name keeps.
const NARROWEST_NAME: usize = 24;

/// The ranks of a card that are named.
const NAMED: usize = 8;

/// Outcome of a rule, with its evidence as lines.
pub(crate) type EvidencedOutcome = RuleOutcome<String>;

/// The same for all its ranks.
type Card = AdviceCard<String>;

/// The judgements of all rules on all ranks, and the conclusion.
pub(crate) struct Advised {
    cards: Vec<Card>,
    /// Whether the traces are not ranks of one job.
    is_apart: bool,
    conclusion: Conclusion,
}

/// Outcomes of the rules for a rank, which may be dropped afterwards.
pub(crate) fn of_rank(rank: &Rank, config: &AdviceConfig, look: Look) -> Vec<EvidencedOutcome> {
    // The budget is needed again after the trace is dropped.
    let judged = with_costs(advice(&rank.trace, &rank.analysis, config), &rank.budget_verdict());
    judged.into_iter().map(|judgement| outcome_of(judgement, Some(rank), look)).collect()
}

fn outcome_of(judgement: Judgement, rank: Option<&Rank>, look: Look) -> EvidencedOutcome {
    let evidence = if judgement.holds { evidence(rank, &judgement, look) } else { String::new() };
    RuleOutcome { judgement, evidence }
}

/// Outcomes of the rules for all ranks and the job, by importance. Ranks are needed for their profilers' tables, and
/// `job` with each rank's row in it.
pub(crate) fn joined(
    ranks: &[&Rank],
    of_ranks: Vec<Vec<EvidencedOutcome>>,
    job: Option<(&Job, &[Option<usize>])>,
    config: &AdviceConfig,
    look: Look,
) -> Advised {
    let lacks = |(rank, rules): (&&Rank, &Vec<EvidencedOutcome>)| {
        Missing::with_rules(&rank.missing, rules.iter().map(|outcome| &outcome.judgement), &rank.budget_verdict())
    };
    let missing: Vec<Missing> = ranks.iter().zip(&of_ranks).flat_map(lacks).collect();
    let numbered = (0..).zip(ranks).map(|(index, rank)| (rank.rank.unwrap_or(index), &rank.trace));
    let of_job = job_advice(&numbered.collect::<Vec<_>>(), job.map(|(job, _)| job), config).into_iter();
    let is_apart = job.is_some_and(|(job, _)| !job.is_one());
    let cards = advice_cards(of_ranks, of_job.map(|judgement| outcome_of(judgement, None, look)).collect(), job);
    let causes = ranks.iter().map(|rank| rank.budget_verdict().cause);
    let conclusion = Conclusion::of(cards.iter().map(|card| &card.outcome.judgement), missing, causes);
    Advised { cards, is_apart, conclusion }
}

/// Explains why no rule applies, or why that is unknown; empty if some rule applies. `is_said`: the cause stands above.
fn nothing_to_do(ranks: &[&Rank], conclusion: &Conclusion, is_said: bool, look: Look) -> String {
    if is_said && ranks.len() == 1 && conclusion.verdict == Verdict::Cause {
        return wrapped("No rule found a problem beyond the cause above.", look.width);
    }
    let cause = conclusion.cause.as_ref().map(|(place, cause)| {
        let of = ranks.get(*place).filter(|_| ranks.len() > 1);
        let whose = of.map(|rank| format!("{}: ", printable(&rank.file))).unwrap_or_default();
        wrapped(&(whose + &cause_sentences(cause, Language::English).join(" ")), look.width)
    });
    let text: String = match conclusion.verdict {
        Verdict::Advice => return String::new(),
        Verdict::Nothing => wrapped("No rule found a problem.", look.width),
        Verdict::Cause => wrapped("No rule found a problem, but the step budget names a cause:", look.width),
        Verdict::Incomplete => {
            let all = "No rule found a problem, but the trace does not show everything that the rules need.";
            let lacks = conclusion.missing.iter().map(|missing| format!("  - {}\n", advice_lack(missing.name())));
            std::iter::once(wrapped(all, look.width)).chain(lacks).collect()
        }
    };
    text + &cause.unwrap_or_default()
}

/// The applicable rules with the largest gains, for the end of the default output; if none applies, an explanation.
pub(crate) fn top(ranks: &[&Rank], Advised { cards, is_apart, conclusion }: &Advised, look: Look) -> String {
    let holding: Vec<_> = cards.iter().filter(|card| card.outcome.judgement.holds).collect();
    if holding.is_empty() {
        return format!(
            "\n{}\n{}",
            look.title("Advice (--by advice shows all rules)"),
            nothing_to_do(ranks, conclusion, false, look)
        );
    }
    let of_ranks = if ranks.len() > 1 && !is_apart { ", of several ranks the worst's" } else { "" };
    let title = format!(
        "Advice (--by advice shows all rules; gains: as in the step budget, else at most the time lost to it{of_ranks})"
    );
    let mut text = format!("\n{}\n", look.title(&title));
    for (place, card) in (1..).zip(holding.into_iter().take(SHOWN)) {
        text.push_str(&advised((ranks, *is_apart), card, place, look));
        text.extend(card.outcome.evidence.lines().next().map(|most| format!("{most}\n")));
    }
    text
}

/// The applicable rules with the largest gains, and how to see more, for the first screen with so many lines left. If
/// none fits, their number.
pub(crate) fn short(
    ranks: &[&Rank],
    Advised { cards, is_apart, conclusion }: &Advised,
    look: Look,
    lines: usize,
) -> String {
    const FEWER: &str = "--by operators, kernels, idle, … all: tables";
    const TABLES: &str = "a table: --by operators (or kernels, idle, steps, …, all)";
    let more = format!("\n{}", look.line(&["--by advice: what to try".to_owned(), TABLES.to_owned()]));
    // Two for the heading.
    let mut left = lines.saturating_sub(2 + more.lines().count());
    let holding = cards.iter().filter(|card| card.outcome.judgement.holds);
    let mut rest = holding.clone().count();
    let mut rules = nothing_to_do(ranks, conclusion, true, look);
    if rules.lines().count() > left {
        rules.clear();
    }
    for (place, card) in (1..).zip(holding) {
        let rule = facts_of((ranks, *is_apart), card, place, look);
        if rule.lines().count() > left {
            break;
        }
        left = left.saturating_sub(rule.lines().count());
        rest -= 1;
        rules.push_str(&rule);
    }
    if rules.is_empty() {
        let rules = match rest {
            0 if conclusion.verdict == Verdict::Incomplete => "no rule applies, some lack data".to_owned(),
            0 => "no rule applies".to_owned(),
            1 => "1 rule applies".to_owned(),
            _ => format!("{rest} rules apply"),
        };
        return format!("\n{}", look.line(&[format!("--by advice: {rules}"), FEWER.to_owned()]));
    }
    let title = if rest > 0 { format!("Advice ({rest} more: --by advice)") } else { "Advice".to_owned() };
    format!("\n{}\n{rules}{more}", look.title(&title))
}

/// All rules: those that apply with advice and evidence, then those covered by another rule, those that do not apply,
/// and those that could not be judged.
pub(crate) fn all(ranks: &[&Rank], Advised { cards, is_apart, conclusion }: &Advised, look: Look) -> String {
    let of_ranks = if ranks.len() > 1 && !is_apart { "; of several ranks the worst's" } else { "" };
    let title = format!("Advice (gains: as in the step budget, else at most the time lost to it{of_ranks})");
    let mut text = format!("{}\n", look.title(&title));
    let (holding, others): (Vec<&Card>, Vec<&Card>) = cards.iter().partition(|card| card.outcome.judgement.holds);
    text.push_str(&nothing_to_do(ranks, conclusion, false, look));
    let first = conclusion.cause.as_ref().filter(|_| conclusion.verdict == Verdict::Advice).map(|(_, cause)| cause);
    text.push_str(&first.map(|cause| cause_without_rule(cause, look)).unwrap_or_default());
    let mut above = first.map(|cause| Some(cause.kind));
    for (place, card) in (1..).zip(holding) {
        text.push_str(&cause_above(ranks, card, &mut above, look));
        text.push_str(&advised((ranks, *is_apart), card, place, look));
        text.push_str(&card.outcome.evidence);
        if ranks.len() > 1 {
            card.others.iter().for_each(|(rank, outcome)| text.push_str(&beside(ranks, *rank, outcome, look)));
        }
    }
    let name = |card: &Card| {
        let mut name = card.outcome.judgement.rule.id.to_owned();
        if let Some(whom) = whom(ranks, *is_apart, card) {
            name.push_str(&format!("  {whom}"));
        }
        name
    };
    let (covered, others): (Vec<&Card>, Vec<&Card>) =
        others.into_iter().partition(|card| card.outcome.judgement.covered_by.is_some());
    let rows = covered.iter().map(|card| {
        let judgement = &card.outcome.judgement;
        let other = judgement.covered_by.unwrap_or_default();
        let title = advice_words(other).0;
        vec![name(card), measured(judgement), applies(judgement), format!("{title} ({other})")]
    });
    let heads = ["rule", "measured", "applies", "see"];
    text.push_str(&Grid::new("Rules that apply, covered by another finding", heads, rows).to_text(look, 0));
    let passed = others.iter().filter(|card| card.outcome.judgement.measured.is_ok());
    let rows = passed.map(|card| {
        let judgement = &card.outcome.judgement;
        let exemption = judgement.exemption().map_or("", |why| advice_exemption(why.name())).to_owned();
        vec![name(card), measured(judgement), applies(judgement), exemption]
    });
    text.push_str(
        &Grid::new("Rules that passed or are excused", ["rule", "measured", "applies", "yet"], rows).to_text(look, 0),
    );
    let unjudged = others.iter().filter_map(|card| {
        let why = card.outcome.judgement.measured.as_ref().err()?;
        Some(vec![name(card), advice_reason(why.name()).to_owned()])
    });
    text.push_str(&Grid::new("Rules that could not be judged", ["rule", "why"], unjudged).to_text(look, 0));
    text
}

/// The largest cause and its fix, where rules apply and none of them is a detail of it.
fn cause_without_rule(cause: &NamedCause, look: Look) -> String {
    let [loss, fix] = cause_sentences(cause, Language::English);
    look.title(&loss) + "\n" + &wrapped(&fix, look.width)
}

/// The cause of lost time that a card and those after it are details of, if that differs from the one `above`.
fn cause_above(ranks: &[&Rank], card: &Card, above: &mut Option<Option<CauseKind>>, look: Look) -> String {
    let cause = card.outcome.judgement.detail_of.map(|cost| cost.cause);
    let kind = cause.map(|cause| cause.kind);
    if *above == Some(kind) || above.is_none() && kind.is_none() {
        return String::new();
    }
    *above = Some(kind);
    let Some(cause) = cause else { return look.title("Other findings") + "\n" };
    // The loss differs by rank.
    let above = if ranks.len() > 1 {
        let cause_key = format!("budget.cause.{}", cause.wording);
        format!("Time lost to {}", message(Language::English, &cause_key))
    } else {
        let [loss, _] = cause_sentences(&cause, Language::English);
        let partial = partial_sentence(cause.kind, cause.confidence, Language::English);
        std::iter::once(loss).chain(partial).collect::<Vec<_>>().join(" ")
    };
    look.title(&above) + "\n"
}

/// The ranks of a card, if there are several to choose from: one by its file, more by their numbers.
fn whom(ranks: &[&Rank], is_apart: bool, card: &Card) -> Option<String> {
    let mut about: Vec<usize> = card.ranks().map(|(rank, _)| rank).collect();
    match about[..] {
        _ if ranks.len() < 2 => None,
        [] => None,
        [one] => ranks.get(one).map(|rank| printable(&rank.file)),
        _ if about.len() == ranks.len() && !is_apart => Some(match about.len() {
            2 => "both ranks".to_owned(),
            all => format!("all {} ranks", count(all as u64)),
        }),
        // Numbers identify ranks only if each has a number of its own.
        _ if is_apart || !are_numbered(ranks) => {
            let files: Vec<String> = about.iter().take(NAMED).map(|rank| printable(&ranks[*rank].file)).collect();
            let more = if about.len() > NAMED { ", …" } else { "" };
            let (some, all) = (count(about.len() as u64), count(ranks.len() as u64));
            let what = if is_apart { "traces" } else { "ranks" };
            Some(format!("{some} of {all} {what}: {}{more}", files.join(", ")))
        }
        _ => {
            about.sort_unstable();
            let numbers: Vec<u64> = about.iter().map(|rank| number_of(ranks, *rank)).collect();
            let (some, all) = (count(numbers.len() as u64), count(ranks.len() as u64));
            Some(format!("{some} of {all} ranks: {}", super::job::some_ranks(&numbers, NAMED)))
        }
    }
}

/// Whether each rank has a number of its own.
fn are_numbered(ranks: &[&Rank]) -> bool {
    let numbers: BTreeSet<Option<u64>> = ranks.iter().map(|rank| rank.rank).collect();
    numbers.len() == ranks.len() && !numbers.contains(&None)
}

/// A rank by its number, else by its name: tables of ranks show no invented numbers.
fn rank_of(ranks: &[&Rank], place: usize) -> String {
    match ranks.get(place) {
        Some(Rank { rank: Some(number), .. }) => format!("rank {number}"),
        Some(rank) => printable(&rank.file),
        None => String::new(),
    }
}

fn number_of(ranks: &[&Rank], place: usize) -> u64 {
    ranks.get(place).and_then(|rank| rank.rank).unwrap_or(place as u64)
}

/// Outcome of a rule for another rank than the main one: on a line, with the first evidence.
fn beside(ranks: &[&Rank], rank: usize, outcome: &EvidencedOutcome, look: Look) -> String {
    let judgement = &outcome.judgement;
    let mut facts = vec![format!("    {}", rank_of(ranks, rank)), measured(judgement)];
    facts.extend(judgement.gain().map(|_| gain_text(judgement, Language::English)));
    facts.extend(outcome.evidence.lines().next().map(|first| first.trim_start().to_owned()));
    look.line(&facts)
}

/// A rule that applies.
fn advised((ranks, is_apart): (&[&Rank], bool), card: &Card, place: usize, look: Look) -> String {
    let (_, words) = advice_words(card.outcome.judgement.wording());
    facts_of((ranks, is_apart), card, place, look) + &wrapped(&words, look.width)
}

/// Its title, its number and its gain.
fn facts_of((ranks, is_apart): (&[&Rank], bool), card: &Card, place: usize, look: Look) -> String {
    let judgement = &card.outcome.judgement;
    let (title, _) = advice_words(judgement.wording());
    let mut facts = vec![format!("{place:>2}  {title} ({})", judgement.rule.id), measured(judgement)];
    facts.extend(compared(judgement));
    let mut gain = gain_text(judgement, Language::English);
    if let Some(worst) = card.rank.filter(|_| !card.others.is_empty()) {
        gain.push_str(&format!(" on {}", rank_of(ranks, worst)));
        gain.extend(card.median_gain().map(|median| format!(", {} in the median", duration(median))));
    }
    facts.push(gain);
    facts.extend(whom(ranks, is_apart, card));
    facts.extend(card.outside.map(outside));
    look.line(&facts)
}

/// Reason why the job's averages exclude the ranks of a card.
fn outside(outside: Outside) -> String {
    let why = match outside {
        Outside::Tables => "only its profiler's tables are known",
        Outside::Steps => "only its steps are known",
        Outside::Repeated => "its number occurred before",
        Outside::Apart => "it is of another run",
    };
    format!("not in the job's averages: {why}")
}

fn measured(judgement: &Judgement) -> String {
    let of = if judgement.is_recorded_time { BudgetWhole::Recorded } else { BudgetWhole::Steps };
    let window_key = format!("budget.window.{}", of.name());
    let window = message(Language::English, &window_key);
    let Ok(found) = &judgement.measured else { return String::new() };
    let value = said(judgement, found.value);
    let of_rule = || advice_share_text(judgement.rule.id, &value, window);
    advice_share_text(judgement.wording(), &value, window).or_else(of_rule).unwrap_or(value)
}

/// The condition under which a rule applies; none if it applies to any amount.
fn compared(judgement: &Judgement) -> Option<String> {
    let when = match judgement.rule.condition {
        Condition::Above if judgement.threshold <= 0.0 => return None,
        Condition::Above => "above",
        Condition::Below => "below",
    };
    Some(format!("{when} {}", said(judgement, judgement.threshold)))
}

/// The same for a table.
fn applies(judgement: &Judgement) -> String {
    compared(judgement).unwrap_or_else(|| "to any".to_owned())
}

fn said(judgement: &Judgement, value: f64) -> String {
    in_unit(value, judgement.rule.thresholds.first().map_or(AdviceUnit::Count, |threshold| threshold.unit))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "lengths and bytes")]
fn in_unit(value: f64, unit: AdviceUnit) -> String {
    match unit {
        AdviceUnit::Share => percent(value),
        AdviceUnit::Nanoseconds => duration(Nanos(value as i64)),
        AdviceUnit::Bytes => bytes(value as u64),
        AdviceUnit::Count => number(value),
        AdviceUnit::ByteRate => gigabytes_per_second(Some(value / 1e9)),
        AdviceUnit::Operations => amount_of_flops(value as u64),
        AdviceUnit::OperationRate => flops_per_second(Some(value)),
    }
}

/// The name of a leaf of idle time, as in the step budget.
pub(super) fn leaf_name(leaf: IdleLeaf) -> String {
    message(Language::English, &format!("budget.leaf.{}", leaf.name())).to_owned()
}

/// The same within a sentence.
pub(super) fn leaf_words(leaf: IdleLeaf) -> String {
    let name = leaf_name(leaf);
    let mut letters = name.chars();
    match (leaf, letters.next()) {
        (IdleLeaf::Python, _) | (_, None) => name,
        (_, Some(first)) => first.to_lowercase().chain(letters).collect(),
    }
}

fn evidence(rank: Option<&Rank>, judgement: &Judgement, look: Look) -> String {
    let Ok(found) = &judgement.measured else { return String::new() };
    let line = |evidence: &Evidence| match (evidence, rank) {
        (Evidence::Rank(number, value, unit), _) => Some(format!("      rank {number}  {}\n", in_unit(*value, *unit))),
        (Evidence::Named(name, value, unit), _) => {
            Some(format!("      {}  {}\n", printable(name), in_unit(*value, *unit)))
        }
        (Evidence::Slice(id, span) | Evidence::Slices(id, span, _), Some(rank)) => {
            let trace = &rank.trace;
            let (start, length) = (duration(span.start), duration(span.len()));
            let when = match evidence {
                Evidence::Slices(.., total) => {
                    format!("      {} of a mean path, longest piece {length} at {start}  ", duration(*total))
                }
                _ => format!("      at {start} for {length}  "),
            };
            let left = look.width.saturating_sub(when.width()).max(NARROWEST_NAME);
            let part = program_part_around(trace, &rank.analysis.steps.steps, *id)
                .map(|part| format!(" in {}", trace.name_of(part)));
            let name = event_name(trace, *id).into_owned() + &part.unwrap_or_default();
            Some(format!("{when}{}\n", shortened(&printable(&name), left)))
        }
        (Evidence::Gap { device, span, host, cause }, Some(rank)) => {
            let when = format!("      at {} for {}  ", duration(span.start), duration(span.len()));
            let left = look.width.saturating_sub(when.width()).max(NARROWEST_NAME);
            let host = host.map(|id| format!("; host: {}", rank.trace.name_of(id)));
            let why = host.or_else(|| cause.map(|cause| format!("; {}", leaf_words(cause))));
            let idle = format!("device {device} idle{}", why.unwrap_or_default());
            Some(format!("{when}{}\n", shortened(&printable(&idle), left)))
        }
        (Evidence::Slice(..) | Evidence::Slices(..) | Evidence::Gap { .. }, None) => None,
    };
    found.evidence.iter().filter_map(line).collect()
}

/// A sentence, indented, on as many lines as it needs.
pub(crate) fn wrapped(words: &str, width: usize) -> String {
    const INDENT: &str = "    ";
    let (mut text, mut used) = (String::new(), usize::MAX);
    for word in words.split(' ') {
        if used.saturating_add(1 + word.width()) > width {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(INDENT);
            used = INDENT.width();
        } else {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += word.width();
    }
    text.push('\n');
    text
}
