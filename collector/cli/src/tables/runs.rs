//! Traces of several runs that are open together: a list to choose from.

use stepscope::analyze::Job;
use stepscope::present::messages::message;
use stepscope::present::text::{count, duration, percent};
use stepscope::table::messages::Language;
use stepscope::{Rank, run_name, run_steps};
use unicode_width::UnicodeWidthStr;

use super::budget::{Headline, share_of};
use super::job;
use super::verdict::{NO_STEP, only_tables};
use crate::cut::shortened;
use crate::grid::{Look, printable};

/// Runs that the first screen lists.
const SHOWN: usize = 24;

/// Reasons for several runs that the first screen lists.
const SHOWN_REASONS: usize = 4;

/// Most columns of a run's name, and fewest of its largest cause.
const WIDEST_NAME: usize = 48;
const NARROWEST_CAUSE: usize = 24;

/// Each headline of several ranks with their shares, that of the most ranks first.
pub(crate) fn by_headline(headlines: impl IntoIterator<Item = (Headline, f64)>) -> Vec<(Headline, Vec<f64>)> {
    let mut found: Vec<(Headline, Vec<f64>)> = Vec::new();
    for (headline, share) in headlines {
        match found.iter_mut().find(|(known, _)| *known == headline) {
            Some((_, shares)) => shares.push(share),
            None => found.push((headline, vec![share])),
        }
    }
    found.sort_by_key(|(_, shares)| std::cmp::Reverse(shares.len()));
    found
}

/// The name of a run; if that is its first rank's, with the number of the others.
pub(crate) fn name(ranks: &[Rank], run: &[usize]) -> String {
    match run_name(ranks, run) {
        (name, 0) => printable(name),
        (first, others) => format!("{} and {} more", printable(first), count(others as u64)),
    }
}

/// A list of runs, a line each: its ranks, its step, and the largest cause of lost time; and how to see one. `job`
/// compares all traces, `job_of` returns the job of a run's ranks.
pub(crate) fn list(
    (ranks, runs): (&[Rank], &[Vec<usize>]),
    headlines: &[Option<(Headline, f64)>],
    job: Option<&Job>,
    job_of: impl Fn(&[usize]) -> Option<Job>,
    look: Look,
) -> String {
    let mut text =
        format!("{} runs. They are not ranks of one job: each is analyzed on its own.\n", count(runs.len() as u64));
    let reasons = job.and_then(job::not_a_job).unwrap_or_default();
    let reasons: Vec<&str> = reasons.lines().skip(1).collect();
    if reasons.len() <= SHOWN_REASONS {
        reasons.iter().for_each(|reason| text.push_str(&format!("{reason}\n")));
    }
    text.push_str(&format!("\n{}\n", look.title("Runs")));
    let rows: Vec<[String; 5]> = runs.iter().map(|run| row(ranks, run, headlines, job_of(run).as_ref())).collect();
    let heads = ["run", "ranks", "average step", "share", "largest cause of lost time"].map(str::to_owned);
    let shown = || std::iter::once(&heads).chain(rows.iter().take(SHOWN));
    let widest = |column: usize| shown().map(|row| row[column].width()).max().unwrap_or_default();
    let numbers: usize = (1..4).map(|column| widest(column) + 2).sum();
    let left = look.width.saturating_sub(numbers + NARROWEST_CAUSE + 2);
    let name_width = widest(0).min(WIDEST_NAME).min(left.max(NARROWEST_CAUSE));
    for row in shown() {
        let name = shortened(&row[0], name_width);
        let mut line = format!("{name}{}", " ".repeat(name_width.saturating_sub(name.width())));
        for (column, cell) in row.iter().enumerate().take(4).skip(1) {
            line.push_str(&format!("  {}{cell}", " ".repeat(widest(column).saturating_sub(cell.width()))));
        }
        let room = look.width.saturating_sub(line.width() + 2).max(NARROWEST_CAUSE);
        line.push_str(&format!("  {}", shortened(&row[4], room)));
        text.push_str(&format!("{}\n", line.trim_end()));
    }
    if rows.len() > SHOWN {
        text.push_str(&format!("… and {} more (--by all shows all)\n", count((rows.len() - SHOWN) as u64)));
    }
    text + "\n"
        + &look.line(&["one run: stepscope FILE or FOLDER", "--by advice: the advice on each run"].map(str::to_owned))
}

fn row(ranks: &[Rank], run: &[usize], headlines: &[Option<(Headline, f64)>], job: Option<&Job>) -> [String; 5] {
    let of_run = || run.iter().map(|place| &ranks[*place]);
    let step = match run_steps(ranks, run).map(|(least, most)| (duration(least), duration(most))) {
        Some((least, most)) if least != most => format!("{least} to {most}"),
        Some((step, _)) => step,
        None => "–".to_owned(),
    };
    let found = by_headline(run.iter().filter_map(|place| headlines.get(*place).copied().flatten()));
    let (share, cause) = match found.first() {
        Some((none @ (Headline::Nothing(_) | Headline::CapturesGraph | Headline::SampledCalls), _)) => {
            ("–".to_owned(), none.name())
        }
        Some((headline, shares)) => {
            let whose = if shares.len() < run.len() { format!(" ({} ranks)", shares.len()) } else { String::new() };
            (share_of(shares), headline.name() + &whose)
        }
        None => {
            let found = of_run().filter_map(on_host).reduce(|most, next| if next.0 > most.0 { next } else { most });
            found.map_or_else(
                || ("–".to_owned(), of_run().next().map_or_else(String::new, without_cause)),
                |(share, name)| (percent(share), name),
            )
        }
    };
    // The straggler comes first, as on the screen of the run.
    let straggler = job.and_then(|job| Some((job, job.stragglers.first()?)));
    let cause = straggler.map_or(cause.clone(), |(job, first)| {
        let known = if share == "–" { String::new() } else { format!("{cause}; ") };
        format!("{known}straggler: {}", job::place(job, first.place))
    });
    [name(ranks, run), count(run.len() as u64), step, share, cause]
}

/// The largest share of a step that hosts lose, where no device is recorded.
fn on_host(rank: &Rank) -> Option<(f64, String)> {
    let loss = rank.analysis.lost_on_host(None)?;
    Some((loss.share, message(Language::English, &format!("budget.host_loss.{}", loss.kind.name())).to_owned()))
}

/// Reason why no cause is named.
fn without_cause(rank: &Rank) -> String {
    match rank {
        rank if rank.analysis.average.steps > 0 => "no device activity recorded".to_owned(),
        rank if rank.trace.recorded.is_empty() => NO_STEP.to_owned(),
        rank => only_tables(rank),
    }
}
