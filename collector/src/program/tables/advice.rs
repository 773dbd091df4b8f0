//! What to do about it: the rules that hold, their texts, and what the others measured.

use stepscope::analyze::{
    AdviceConfig, AdviceUnit, Condition, Evidence, Job, Judgement, advice, job_advice, join_advice,
};
use stepscope::export::report_json::{advice_excuse, advice_reason, advice_words};
use stepscope::present::text::{
    amount_of_flops, bytes, duration, flops_per_second, gigabytes_per_second, number, percent,
};
use stepscope::{Nanos, Rank};
use unicode_width::UnicodeWidthStr;

use crate::grid::{Grid, Look, printable, shortened};

/// How many rules the end of the default output shows.
const SHOWN: usize = 5;

/// Columns that a name keeps.
const NARROWEST_NAME: usize = 24;

/// What a rule says, and where it shows, as lines.
pub(crate) struct Told {
    judgement: Judgement,
    evidence: String,
}

/// What the rules say of a rank, which is not needed any more.
pub(crate) fn of_rank(rank: &Rank, config: &AdviceConfig, look: Look) -> Vec<Told> {
    let judged = advice(&rank.trace, &rank.analysis, config);
    judged.into_iter().map(|judgement| told(judgement, Some(rank), look)).collect()
}

fn told(judgement: Judgement, rank: Option<&Rank>, look: Look) -> Told {
    let evidence = if judgement.holds { evidence(rank, &judgement, look) } else { String::new() };
    Told { judgement, evidence }
}

/// What the rules say of all ranks and of the job, in the order in which it matters. Of ranks the tables that their
/// profilers wrote are needed.
pub(crate) fn joined(
    ranks: &[Rank],
    of_ranks: Vec<Vec<Told>>,
    job: Option<&Job>,
    config: &AdviceConfig,
    look: Look,
) -> Vec<(Option<usize>, Told)> {
    let numbered = (0..).zip(ranks).map(|(index, rank)| (rank.rank.unwrap_or(index), &rank.trace));
    let of_job = job_advice(&numbered.collect::<Vec<_>>(), job, config).into_iter();
    join_advice(of_ranks, of_job.map(|judgement| told(judgement, None, look)).collect(), |told| &told.judgement)
}

/// The rules that hold and gain most, for the end of the default output; nothing if none holds.
pub(crate) fn top(ranks: &[Rank], judged: Vec<(Option<usize>, Told)>, look: Look) -> String {
    let holding: Vec<_> = judged.into_iter().filter(|(_, told)| told.judgement.holds).collect();
    if holding.is_empty() {
        return String::new();
    }
    let shown = &holding[..SHOWN.min(holding.len())];
    let mut text = format!("\n{}\n", look.title("Advice (--by advice shows all rules; gains are upper bounds)"));
    for (index, (rank, told)) in shown.iter().enumerate() {
        text.push_str(&advised(ranks, *rank, &told.judgement, index + 1, look));
    }
    text
}

/// All rules: those that hold with what to try and where they show, then those that do not, then those that could not be
/// judged.
pub(crate) fn all(ranks: &[Rank], judged: &[(Option<usize>, Told)], look: Look) -> String {
    let title = "Advice (gains are upper bounds, and overlap)";
    let mut text = format!("{}\n", look.title(title));
    let holding: Vec<_> = judged.iter().filter(|(_, told)| told.judgement.holds).collect();
    if holding.is_empty() {
        text.push_str("no rule found anything to do\n");
    }
    for (index, (rank, told)) in holding.iter().enumerate() {
        text.push_str(&advised(ranks, *rank, &told.judgement, index + 1, look));
        text.push_str(&told.evidence);
    }
    let several = ranks.len() > 1;
    let name = |rank: Option<usize>, judgement: &Judgement| {
        let mut name = judgement.rule.id.to_owned();
        if several && let Some(file) = rank.and_then(|rank| ranks.get(rank)).map(|rank| &rank.file) {
            name.push_str(&format!("  {}", printable(file)));
        }
        name
    };
    let judgements = || judged.iter().map(|(rank, told)| (*rank, &told.judgement));
    let passed = judgements().filter(|(_, judgement)| !judgement.holds && judgement.measured.is_ok());
    let rows = passed.map(|(rank, judgement)| {
        let excuse = judgement.excuse().map_or("", |why| advice_excuse(why.name()));
        vec![name(rank, judgement), measured(judgement), compared(judgement), excuse.to_owned()]
    });
    text.push_str(&Grid::new("Rules that passed", ["rule", "measured", "holds", "yet"], rows).to_text(look, 0));
    let unjudged = judgements().filter_map(|(rank, judgement)| {
        let why = judgement.measured.as_ref().err()?;
        Some(vec![name(rank, judgement), advice_reason(why.name()).to_owned()])
    });
    text.push_str(&Grid::new("Rules that could not be judged", ["rule", "why"], unjudged).to_text(look, 0));
    text
}

/// A rule that holds.
fn advised(ranks: &[Rank], rank: Option<usize>, judgement: &Judgement, place: usize, look: Look) -> String {
    let (title, words) = advice_words(judgement.rule.id);
    let of = rank.and_then(|rank| ranks.get(rank));
    let mut facts = vec![format!("{place:>2}  {title} ({})", judgement.rule.id), measured(judgement)];
    facts.push(compared(judgement));
    facts.push(match (judgement.gain(), judgement.gain_share()) {
        (Some(gain), Some(share)) => format!("at most {} per step ({})", duration(gain), percent(share)),
        (Some(gain), None) => format!("at most {} per step", duration(gain)),
        (None, _) => "gain unknown".to_owned(),
    });
    if ranks.len() > 1 {
        facts.extend(of.map(|rank| printable(&rank.file)));
    }
    look.line(&facts) + &wrapped(words, look.width)
}

fn measured(judgement: &Judgement) -> String {
    judgement.measured.as_ref().map_or_else(|_| String::new(), |found| said(judgement, found.value))
}

fn compared(judgement: &Judgement) -> String {
    let when = match judgement.rule.condition {
        Condition::Above => "above",
        Condition::Below => "below",
    };
    format!("{when} {}", said(judgement, judgement.threshold))
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

fn evidence(rank: Option<&Rank>, judgement: &Judgement, look: Look) -> String {
    let Ok(found) = &judgement.measured else { return String::new() };
    let trace = rank.map(|rank| &rank.trace);
    let line = |evidence: &Evidence| match (evidence, trace) {
        (Evidence::Named(name, value, unit), _) => {
            Some(format!("      {}  {}\n", printable(name), in_unit(*value, *unit)))
        }
        (Evidence::Slice(id, span), Some(trace)) => {
            let when = format!("      at {} for {}  ", duration(span.start), duration(span.len()));
            let left = look.width.saturating_sub(when.width()).max(NARROWEST_NAME);
            Some(format!("{when}{}\n", shortened(&printable(trace.name_of(*id)), left)))
        }
        (Evidence::Slice(..), None) => None,
    };
    found.evidence.iter().filter_map(line).collect()
}

/// A sentence, indented, on as many lines as it needs.
fn wrapped(words: &str, width: usize) -> String {
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
