//! The verdict: the use of time in a sentence, and the mean window of the budget as a bar.

use serde_json::Value;

use super::html::Html;
use super::texts::Texts;
use super::{cells, drill_down};
use crate::path::list;
use crate::rank_name::name_of;
use stepscope_base::Nanos;
use stepscope_present::text::{count, duration, percent};

/// The number of ranks whose sentences are shown.
const RANKS: usize = 8;

/// The verdict in words.
pub(super) struct Verdict {
    /// The first sentence of the report.
    pub first: String,
    /// The fix, or the share of time for which the sentence is known.
    pub more: Vec<String>,
    /// A sentence for each rank, or the reason why each trace stands alone. Names of files are text of a trace.
    pub each: Vec<String>,
}

/// The verdict of a summary; none if it has no rank.
pub(super) fn verdict(summary: &Value, texts: &Texts) -> Option<Verdict> {
    match list(&summary["ranks"]) {
        [] => None,
        [rank] => {
            let mut sentences = list(&rank["budget"]["sentences"]).iter().map(cells::text);
            let first = sentences.next().or_else(|| without_budget(rank, texts))?;
            Some(Verdict { first, more: sentences.collect(), each: Vec::new() })
        }
        several => {
            // Ranks whose files have nothing in common have no verdict.
            if summary["job"].is_null() && list(&summary["not_a_job"]["traces"]).is_empty() {
                let first = texts.say("report.traces", &[("count", &count(several.len() as u64))]);
                return Some(Verdict { first, more: Vec::new(), each: sentences_of_each(several, texts) });
            }
            if let Some((first, each)) = drill_down::not_a_job(&summary["not_a_job"], several.len(), texts) {
                return Some(Verdict { first, more: Vec::new(), each });
            }
            let stragglers = list(&summary["stragglers"]);
            let known = drill_down::verdict(&summary["job"], stragglers, texts);
            let mut sentences = list(&summary["job"]["budget"]["sentences"]).iter().map(cells::text);
            if let Some(first) = sentences.next() {
                let is_said = summary["job"]["causes"][0]["late"].is_string();
                let late = drill_down::late(stragglers, texts).filter(|_| !is_said);
                let more = sentences.chain(late).chain([known]).collect();
                return Some(Verdict { first, more, each: sentences_of_each(several, texts) });
            }
            let (first, more) = match drill_down::late(stragglers, texts) {
                Some(late) => (late, vec![known]),
                None => (known, Vec::new()),
            };
            Some(Verdict { first, more, each: sentences_of_each(several, texts) })
        }
    }
}

/// The verdict if no device has activities.
fn without_budget(rank: &Value, texts: &Texts) -> Option<String> {
    if rank["only_tables"] != true {
        return list(&rank["device_time"]).is_empty().then(|| texts.word("budget.first.no_device"));
    }
    let tables = count(list(&rank["recorded"]).len() as u64);
    Some(texts.say("report.no_timeline", &[("count", &tables)]))
}

fn sentences_of_each(ranks: &[Value], texts: &Texts) -> Vec<String> {
    let of_rank = |(place, rank): (usize, &Value)| {
        let sentence = cells::text(list(&rank["budget"]["sentences"]).first()?);
        Some(format!("{}: {sentence}", name_of(rank, place, texts)))
    };
    ranks.iter().enumerate().filter_map(of_rank).collect()
}

/// The verdict as the first section.
pub(super) fn first_section(html: &mut Html, summary: &Value, texts: &Texts) {
    let Some(Verdict { first, more, each }) = verdict(summary, texts) else { return };
    html.open_at("section", "card verdict", "verdict");
    html.element("h2", "", &first);
    if !more.is_empty() {
        html.element("p", "", &more.join(" "));
    }
    if !each.is_empty() {
        html.list(each.iter().take(RANKS));
    }
    if let Some(left) = each.len().checked_sub(RANKS).filter(|left| *left > 0) {
        html.element("p", "hint", &texts.say("report.more", &[("count", &count(left as u64))]));
    }
    html.close("section");
}

/// A part of the budget's mean window with a time above zero.
pub(super) struct Part {
    /// The class that gives the color.
    pub class: String,
    /// Its name in words.
    pub name: String,
    /// Its mean time.
    pub time: Nanos,
    /// Its share of the window.
    pub share: f64,
}

impl Part {
    /// Its time as text.
    pub(super) fn time(&self) -> String {
        duration(self.time)
    }

    /// Its share as text.
    pub(super) fn share(&self) -> String {
        percent(self.share)
    }
}

/// Parts with less than this share are not drawn: they would be less than a pixel, and 0.0 %. The table of the budget
/// has them.
const SHOWN: f64 = 0.0005;

/// The visible parts of a budget, in its order.
pub(super) fn parts(budget: &Value, texts: &Texts) -> Vec<Part> {
    let part = |row: &Value| {
        let time = Nanos(row["mean_ns"].as_i64().filter(|time| *time > 0)?);
        let name = texts.listed("budget.branch", row["branch"].as_str()?);
        let share = row["share"].as_f64().filter(|share| *share >= SHOWN)?;
        Some(Part { class: row["class"].as_str()?.to_owned(), name, time, share })
    };
    list(&budget["branches"]).iter().filter_map(part).collect()
}

/// The whole of a budget's parts, as a title.
pub(super) fn title(budget: &Value, texts: &Texts) -> String {
    if let Some(ranks) = budget["ranks"].as_u64() {
        return texts.say("report.budget.ranks", &[("count", &count(ranks))]);
    }
    let counted = budget["counted"].as_u64().unwrap_or_default();
    let key = match counted {
        _ if budget["windows"] != "steps" => "report.budget.trace",
        _ if budget["shares_of"] == "recorded" => "report.budget.recorded",
        1 => "report.budget.one",
        _ if budget["shares_of"] == "periods" => "report.budget.periods",
        _ => "report.budget.mean",
    };
    texts.say(key, &[("count", &count(counted))])
}
