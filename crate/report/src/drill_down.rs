//! The way from the job to what holds it up, level by level.

use serde_json::Value;

use super::html::Html;
use super::{cells, tables};
use stepscope_present::text::{counted, slow_alone};

/// Ranks that a line names.
const NAMED: usize = 16;

/// Why traces are no ranks of one job; nothing if they are.
pub(super) fn not_a_job(html: &mut Html, apart: &Value) {
    let traces = tables::list(&apart["traces"]);
    if traces.is_empty() {
        return;
    }
    html.open("section", "advice drill-down");
    let title = match apart["recordings"].as_u64() {
        Some(1) => "These traces are one recording.",
        _ => "These traces are not ranks of one job. Each is shown on its own.",
    };
    html.element("p", "", title);
    html.raw("<ul>");
    for trace in traces {
        let [input, reason, other] = [&trace["input"], &trace["reason"], &trace["other"]].map(cells::text);
        if trace["reason"] == "same_recording" {
            html.element("li", "", &format!("{input} is a copy of {other}"));
            continue;
        }
        let other = if other.is_empty() { String::new() } else { format!(" (compared with {other})") };
        html.element("li", "", &format!("{input}: {}{other}", reason.replace('_', " ")));
    }
    html.raw("</ul>");
    html.close("section");
}

/// Whether stragglers can be told, and of how much of the job that is known.
fn verdict(job: &Value) -> String {
    let count = |value: &Value| value.as_u64().unwrap_or_default();
    let coverage = &job["coverage"];
    let of = |known: &Value, all: &Value, one: &str, several: &str| {
        format!("{} of {}", count(known), counted(count(all), one, several))
    };
    let matched =
        of(&coverage["collectives_matched"], &coverage["collectives"], "collective matched", "collectives matched");
    let ranks = of(&coverage["ranks_compared"], &job["world_size"], "rank compared", "ranks compared");
    match job["verdict"].as_str().unwrap_or_default() {
        "found" if count(&coverage["ranks_compared"]) > 1 => format!("Stragglers found: {ranks}, {matched}."),
        "found" => "Stragglers found by the profiler's tables.".to_owned(),
        "none" => {
            let alone = tables::list(&job["slow_alone"]).iter().map(|one| {
                let shares = ["longer_share", "waiting_share", "straggler_above"];
                format!(
                    "; {}",
                    slow_alone(count(&one["rank"]), shares.map(|key| one[key].as_f64().unwrap_or_default()))
                )
            });
            format!("No straggler found: {ranks}, {matched}{}.", alone.collect::<String>())
        }
        "only_tables" => "Stragglers cannot be judged: no rank has events.".to_owned(),
        "no_collectives" => "Stragglers cannot be judged: no collective is recorded.".to_owned(),
        _ => {
            format!(
                "Stragglers cannot be judged: no collective that ranks share is matched in the steps that count ({matched})."
            )
        }
    }
}

/// A line each, as deep as it lies; what is off stands out.
pub(super) fn drill_down(html: &mut Html, job: &Value) {
    let lines = tables::list(&job["drill_down"]);
    if lines.is_empty() {
        return;
    }
    html.open("section", "advice drill-down");
    html.element("h2", "", "From the job to the cause");
    html.element("p", "", &verdict(job));
    html.raw("<ul>");
    for line in lines {
        let depth = line["depth"].as_u64().unwrap_or_default().min(9);
        html.open("li", &format!("deep-{depth}"));
        html.element(if line["off"] == true { "strong" } else { "span" }, "", &name(line));
        html.element("span", "hint", &said(line));
        html.raw("</li>\n");
    }
    html.raw("</ul>");
    html.close("section");
}

fn name(line: &Value) -> String {
    let words = [&line["step"], &line["name"]].map(|word| cells::text(word).replace('_', " "));
    match words {
        [step, name] if name.is_empty() => {
            if step == "entry" {
                "job".to_owned()
            } else {
                step
            }
        }
        [step, name] => format!("{step}: {name}"),
    }
}

/// Its numbers, and the ranks that it is about.
fn said(line: &Value) -> String {
    let numbers = line["numbers"].as_object().into_iter().flatten();
    let numbers = numbers.map(|(key, number)| {
        format!("{} {}", key.replace('_', " "), cells::in_unit(&number["value"], &cells::text(&number["unit"])))
    });
    let ranks = tables::list(&line["ranks"]);
    let named: Vec<String> = ranks.iter().take(NAMED).map(|rank| cells::cell("rank", rank)).collect();
    let more = if ranks.len() > NAMED { ", …" } else { "" };
    let ranks = (!named.is_empty()).then(|| format!("rank {}{more}", named.join(", ")));
    let stage = line["stage"].as_u64().map(|stage| format!("stage {stage}"));
    let rule = line["rule"].as_str().map(|rule| rule.replace('_', " "));
    let parts: Vec<String> = numbers.chain(stage).chain(ranks).chain(rule).collect();
    format!(" {}", parts.join(" · "))
}
