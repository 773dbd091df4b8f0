//! The drill-down from the job to the cause of its delay, level by level, in the page's words.

use serde_json::Value;

use super::cells;
use super::html::Html;
use super::texts::Texts;
use crate::path::list;
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_present::text::{amount_of_flops, count, duration, percent_change};

/// The number of ranks that a line names.
const NAMED: usize = 8;

/// The number of open lines with a finding; the rest is a click away.
const SHOWN: usize = 12;

/// The numbers of a line in reading order; a total follows the number that is a part of it.
const NUMBERS: [&str; 40] = [
    "ranks",
    "world_size",
    "only_tables",
    "not_averaged",
    "step",
    "period",
    "between_steps",
    "compute",
    "exposed_communication",
    "exposed_memcpy",
    "idle",
    "gain",
    "gain_together",
    "compared",
    "matched",
    "collectives",
    "size",
    "least",
    "mean",
    "most",
    "above_mean",
    "per_step",
    "exposed_time",
    "transfer",
    "long",
    "share_of_active",
    "share_of_step",
    "wait",
    "waiting",
    "waiting_known",
    "reduce",
    "tasks_known",
    "value",
    "usual",
    "by",
    "last_in",
    "voted",
    "data",
    "host",
    "link",
];

/// The reasons why traces are not ranks of one job: a sentence, and one for each trace; none if they are.
pub(super) fn not_a_job(apart: &Value, all: usize, texts: &Texts) -> Option<(String, Vec<String>)> {
    let traces = list(&apart["traces"]);
    if traces.is_empty() {
        return None;
    }
    let key = if apart["recordings"].as_u64() == Some(1) { "ranks.one_recording" } else { "ranks.not_a_job" };
    let reasons = traces.iter().map(|trace| {
        let [input, reason, other] = [&trace["input"], &trace["reason"], &trace["other"]].map(cells::text);
        let key = format!("ranks.apart.{reason}");
        texts.say(texts.find(&key).map_or("ranks.apart.no_rank", |_| &key), &[("input", &input), ("other", &other)])
    });
    Some((texts.say(key, &[("count", &count(all as u64))]), reasons.collect()))
}

/// Whether there are stragglers, and the part of the job for which that is known.
pub(super) fn verdict(job: &Value, stragglers: &[Value], texts: &Texts) -> String {
    let number = |value: &Value| count(value.as_u64().unwrap_or_default());
    let coverage = &job["coverage"];
    let numbers = [
        ("count", count(stragglers.len() as u64)),
        ("ranks", number(&coverage["ranks_compared"])),
        ("world", number(&job["world_size"])),
        ("matched", number(&coverage["collectives_matched"])),
        ("collectives", number(&coverage["collectives"])),
    ];
    let numbers: Vec<(&str, &str)> = numbers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    match job["verdict"].as_str().unwrap_or_default() {
        "found" if coverage["ranks_compared"].as_u64() > Some(1) => texts.say("drill_down.found", &numbers),
        "found" => texts.say("drill_down.found.tables", &numbers),
        "none" => {
            let noted = list(&job["slow_alone"]).iter().chain(job.get("longer_compute"));
            let alone = noted.map(|one| one["text"].as_str().unwrap_or_default().to_owned());
            std::iter::once(texts.say("drill_down.none", &numbers)).chain(alone).collect::<Vec<_>>().join(" ")
        }
        "only_tables" => texts.say("drill_down.unjudged.only_tables", &numbers),
        "no_collectives" => texts.say("drill_down.unjudged.no_collectives", &numbers),
        _ => texts.say("drill_down.unjudged.nothing_matched", &numbers),
    }
}

/// The late rank and its cause, if there is one.
pub(super) fn late(stragglers: &[Value], texts: &Texts) -> Option<String> {
    let first = stragglers.first()?;
    let cause = texts.listed("ranks.cause", first["cause"].as_str()?);
    Some(texts.say("job.late", &[("what", &place(first, &first["place"], texts)), ("cause", &cause)]))
}

/// An outlier: a rank, a stage, a link or the links of a group.
fn place(one: &Value, kind: &Value, texts: &Texts) -> String {
    let ranks = list(&one["ranks"]);
    let rank = |index: usize| ranks.get(index).map_or_else(String::new, |rank| cells::cell("rank", rank, texts));
    match kind.as_str() {
        Some("rank") => texts.say("rank", &[("rank", &rank(0))]),
        Some("stage") => texts.say("ranks.place.stage", &[("stage", &cells::cell("stage", &one["stage"], texts))]),
        Some("link") => texts.say("ranks.place.link", &[("from", &rank(0)), ("to", &rank(1))]),
        _ => texts.say("ranks.place.group", &[("ranks", &named(ranks, texts))]),
    }
}

/// A list of ranks; if they are many, only the first ones.
fn named(ranks: &[Value], texts: &Texts) -> String {
    let shown: Vec<String> = ranks.iter().take(NAMED).map(|rank| cells::cell("rank", rank, texts)).collect();
    let shown = shown.join(", ");
    if ranks.len() <= NAMED {
        return shown;
    }
    texts.say("ranks.more", &[("ranks", &shown), ("count", &count(ranks.len() as u64))])
}

fn ranks_named(ranks: &[Value], texts: &Texts) -> String {
    match ranks {
        [one] => texts.say("rank", &[("rank", &cells::cell("rank", one, texts))]),
        several => texts.say("ranks.named", &[("ranks", &named(several, texts))]),
    }
}

/// Writes each line, indented by its depth. Passed checks are folded.
pub(super) fn drill_down(html: &mut Html, job: &Value, texts: &Texts) {
    let lines = list(&job["drill_down"]);
    if lines.is_empty() {
        return;
    }
    let (off, fine): (Vec<&Value>, Vec<&Value>) = lines.iter().partition(|line| line["off"] == true);
    html.open_at("section", "card drill-down", "job");
    html.element("h2", "", &texts.word("report.drill_down"));
    shown(html, &off[..SHOWN.min(off.len())], texts);
    let rest: Vec<&Value> = off.into_iter().skip(SHOWN).chain(fine).collect();
    if !rest.is_empty() {
        html.open("details", "");
        html.element("summary", "", &texts.say("report.more", &[("count", &count(rest.len() as u64))]));
        shown(html, &rest, texts);
        html.close("details");
    }
    html.close("section");
}

fn shown(html: &mut Html, lines: &[&Value], texts: &Texts) {
    html.raw("<ul>");
    for line in lines {
        let depth = line["depth"].as_u64().unwrap_or_default().min(9);
        html.open("li", &format!("deep-{depth}"));
        html.element(if line["off"] == true { "strong" } else { "span" }, "", &head(line, texts));
        let mut numbers: Vec<(&String, &Value)> = line["numbers"].as_object().into_iter().flatten().collect();
        numbers
            .compact_sort_by_key(|(name, _)| NUMBERS.iter().position(|known| known == name).unwrap_or(NUMBERS.len()));
        let numbers: Vec<String> = numbers.into_iter().map(|(name, one)| number(name, one, texts)).collect();
        if !numbers.is_empty() {
            html.element("span", "hint", &format!(" {}", numbers.join(" · ")));
        }
        html.raw("</li>\n");
    }
    html.raw("</ul>");
}

/// The subject of a line.
fn head(line: &Value, texts: &Texts) -> String {
    let name = cells::text(&line["name"]);
    let in_brackets = |prefix: &str, key: &str| {
        line[key].as_str().map(|word| format!(" ({})", texts.listed(prefix, word))).unwrap_or_default()
    };
    let ranks = list(&line["ranks"]);
    match line["step"].as_str() {
        Some("parallel") => texts.listed("drill_down.parallel", &name) + &in_brackets("drill_down.source", "source"),
        Some("metric") => {
            let of = match ranks {
                [from, to] if name == "link_bandwidth" => format!("{from} → {to}"),
                ranks => ranks_named(ranks, texts),
            };
            let metric = texts.listed("drill_down.metric", &name);
            if line["stage"].is_null() {
                texts.say("drill_down.metric", &[("metric", &metric), ("of", &of)])
            } else {
                let stage = cells::cell("stage", &line["stage"], texts);
                texts.say("drill_down.metric.in_stage", &[("metric", &metric), ("of", &of), ("stage", &stage)])
            }
        }
        Some("place") => place(line, &line["name"], texts) + &in_brackets("ranks.rule", "rule"),
        Some("hint") => {
            let of = ranks_named(ranks, texts);
            let key = format!("drill_down.hint.{name}");
            texts.say(texts.find(&key).map_or("drill_down.entry", |_| &key), &[("of", &of)])
        }
        Some("cause") => texts.say("drill_down.cause", &[("cause", &texts.listed("ranks.cause", &name))]),
        _ => texts.word("drill_down.entry"),
    }
}

fn number(name: &str, one: &Value, texts: &Texts) -> String {
    if name == "by" {
        return percent_change(one["value"].as_f64());
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mean, written with few digits")]
    let text = match (one["unit"].as_str(), one["value"].as_f64()) {
        (Some("ns"), Some(nanos)) => duration(Nanos(nanos as i64)),
        (Some("flops"), Some(flops)) => amount_of_flops(flops.round() as u64),
        (Some(unit), _) => cells::in_unit(&one["value"], unit, texts),
        _ => cells::NONE.to_owned(),
    };
    format!("{} {text}", texts.listed("drill_down.number", name))
}
