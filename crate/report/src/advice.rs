//! Advice, sorted by the time that it may save.

use serde_json::Value;

use super::cells;
use super::html::Html;
use super::texts::Texts;
use crate::clipped::clipped;
use crate::path::list;
use stepscope_base::Nanos;
use stepscope_present::budget::sentences_of;
use stepscope_present::kernel_names::short_name;
use stepscope_present::text::{count, duration};

/// The number of pieces of advice that are open; the rest is a click away.
pub(super) const FIRST: usize = 6;

/// The number of ranks that are named.
const NAMED: usize = 16;

/// Pieces of evidence for an advice.
const EVIDENCE: usize = 5;

/// The rules that apply.
pub(super) fn applying(summary: &Value) -> Vec<&Value> {
    list(&summary["advice"]).iter().filter(|rule| rule["verdict"] == "holds").collect()
}

/// The first part of the keys of a rule's messages.
fn key(rule: &Value) -> String {
    let wording = rule["wording"].as_str().or_else(|| rule["rule"].as_str()).unwrap_or_default();
    format!("advice.{wording}")
}

/// A rule's finding, in short.
pub(super) fn title(rule: &Value, texts: &Texts) -> String {
    texts.find(&[&key(rule), ".title"].concat()).map_or_else(|| cells::text(&rule["title"]), str::to_owned)
}

/// The saving; none if it is unknown.
pub(super) fn saving(rule: &Value) -> Option<&str> {
    rule["saves"].as_str().filter(|_| !rule["gain_ns_per_step"].is_null())
}

/// The advice, sorted by the time that it may save.
pub(super) fn advice(html: &mut Html, summary: &Value, texts: &Texts) {
    let several = list(&summary["ranks"]).len() > 1;
    let rules = applying(summary);
    let nothing = nothing_to_do(&summary["advice_conclusion"], texts);
    if rules.is_empty() && nothing.is_empty() {
        return;
    }
    html.open_at("section", "card advice", "advice");
    html.element("h2", "", &texts.word("report.advice"));
    if rules.is_empty() {
        nothing.iter().for_each(|text| html.element("p", "", text));
    } else {
        cards(html, &rules[..FIRST.min(rules.len())], several, texts);
    }
    if let Some(rest) = rules.get(FIRST..).filter(|rest| !rest.is_empty()) {
        html.open("details", "");
        html.element("summary", "", &texts.say("report.advice.more", &[("count", &count(rest.len() as u64))]));
        cards(html, rest, several, texts);
        html.close("details");
    }
    html.close("section");
}

/// The meaning of finding no problem. The data quality has the data that the trace lacks.
pub(super) fn nothing_to_do(conclusion: &Value, texts: &Texts) -> Vec<String> {
    let key = match conclusion["verdict"].as_str() {
        Some("nothing") => "advice.none",
        Some("cause") => "advice.cause",
        Some("incomplete") => "advice.incomplete",
        _ => return Vec::new(),
    };
    let cause = &conclusion["cause"];
    let costs = cause["share"].as_f64().zip(cause["score_ns"].as_i64());
    let named = cause["wording"].as_str().zip(costs).map(|(wording, (share, score))| {
        let whole = cause["windows"].as_str().unwrap_or("steps");
        let sentences = sentences_of(wording, (share, Nanos(score)), whole, texts.language()).join(" ");
        let whose = cause["input"].as_str().map(|input| format!("{input}: ")).unwrap_or_default();
        whose + &sentences
    });
    std::iter::once(texts.word(key)).chain(named).collect()
}

/// The ranks of a rule's outcome; of several, the one whose gain is shown comes first.
fn whose(rule: &Value, texts: &Texts) -> String {
    // Traces that are not ranks of one job are named by their files.
    let files: Vec<&str> = list(&rule["ranks"]).iter().filter_map(|rank| rank["input"].as_str()).collect();
    if !files.is_empty() {
        return files.iter().take(NAMED).copied().collect::<Vec<_>>().join(texts.comma());
    }
    let ranks: Vec<String> =
        list(&rule["ranks"]).iter().filter_map(|rank| Some(rank["rank"].as_u64()?.to_string())).collect();
    let one = rule["rank"].as_u64().map(|rank| texts.say("rank", &[("rank", &rank.to_string())]));
    if ranks.len() < 2 {
        return one.unwrap_or_default();
    }
    let shown = ranks.iter().take(NAMED).cloned().collect::<Vec<_>>().join(texts.comma());
    let all = count(ranks.len() as u64);
    if ranks.len() > NAMED {
        texts.say("ranks.more", &[("ranks", &shown), ("count", &all)])
    } else {
        texts.say("ranks.named", &[("ranks", &shown)])
    }
}

/// The saving: with several ranks, of the one that could gain most, and the median.
fn gain(rule: &Value, texts: &Texts) -> Option<String> {
    let gain = saving(rule)?;
    let rank = rule["rank"].as_u64().filter(|_| list(&rule["ranks"]).len() > 1);
    let Some(rank) = rank else { return Some(gain.to_owned()) };
    let rank = texts.say("rank", &[("rank", &rank.to_string())]);
    let median = rule["median_gain_ns_per_step"].as_i64().map(|median| duration(Nanos(median)));
    Some(match median {
        Some(median) => texts.say("advice.gain.ranks", &[("gain", gain), ("rank", &rank), ("median", &median)]),
        None => texts.say("advice.gain.rank", &[("gain", gain), ("rank", &rank)]),
    })
}

fn cards(html: &mut Html, rules: &[&Value], several: bool, texts: &Texts) {
    html.raw("<ol>");
    for rule in rules {
        html.open("li", "");
        html.element("strong", "", &title(rule, texts));
        let parts = [gain(rule, texts), several.then(|| whose(rule, texts)).filter(|whose| !whose.is_empty())];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if !parts.is_empty() {
            html.element("span", "hint", &format!(" {}", parts.join(" · ")));
        }
        let ask = texts.find("budget.ask.host_of_mindspore").unwrap_or_default();
        let text = texts.find(&key(rule)).map_or_else(|| cells::text(&rule["text"]), |text| text.replace("{ask}", ask));
        html.open("p", "");
        html.sentence(&text);
        html.close("p");
        evidence(html, list(&rule["evidence"]), texts);
        html.close("li");
    }
    html.raw("</ol>\n");
}

/// The evidence: the slowest events, with their times.
fn evidence(html: &mut Html, all: &[Value], texts: &Texts) {
    if all.is_empty() {
        return;
    }
    html.raw("<ul>");
    for one in all.iter().take(EVIDENCE) {
        html.open("li", "");
        html.text(&name_of(one, texts));
        let [start, length, total] = ["start_ns", "duration_ns", "on_critical_path_ns"]
            .map(|key| one[key].as_i64().map(|nanos| duration(Nanos(nanos))));
        let when = match (start, length) {
            (Some(start), Some(length)) => {
                let total = total.map(|total| texts.say("advice.evidence.on_path", &[("duration", &total)]));
                let part = clipped(one["within"].as_str().unwrap_or_default());
                let key = if part.is_empty() { "advice.evidence.when" } else { "advice.evidence.within" };
                let when = texts.say(key, &[("part", &part), ("start", &start), ("duration", &length)]);
                total.into_iter().chain([when]).collect::<Vec<_>>().join(" ")
            }
            _ if one["value"].is_null() => String::new(),
            _ => cells::in_unit(&one["value"], &cells::text(&one["unit"]), texts),
        };
        html.element("span", "hint", &format!(" {when}"));
        html.raw("</li>\n");
    }
    if let Some(left) = all.len().checked_sub(EVIDENCE).filter(|left| *left > 0) {
        html.element("li", "hint", &texts.say("report.more", &[("count", &count(left as u64))]));
    }
    html.raw("</ul>");
}

/// An event's name, or that of a gap of a device.
fn name_of(evidence: &Value, texts: &Texts) -> String {
    let host = evidence["host"].as_str().map(clipped);
    let Some(device) = evidence["gap_of_device"].as_i64() else {
        let name = cells::text(&evidence["name"]);
        let name = if evidence["class"] == "kernel" { clipped(short_name(&name)) } else { clipped(name) };
        return match host {
            Some(host) => texts.say("report.evidence.host", &[("name", &name), ("host", &host)]),
            None => name,
        };
    };
    let device = device.to_string();
    match (host, evidence["cause"].as_str()) {
        (Some(host), _) => texts.say("advice.evidence.gap.host", &[("device", &device), ("host", &host)]),
        (None, Some(cause)) => {
            let cause = texts.listed("budget.leaf", cause);
            texts.say("advice.evidence.gap.cause", &[("device", &device), ("cause", &cause)])
        }
        (None, None) => texts.say("advice.evidence.gap", &[("device", &device)]),
    }
}
