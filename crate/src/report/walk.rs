//! The way from the job to what holds it up, level by level.

use serde_json::Value;

use super::html::Html;
use super::{cells, tables};

/// Ranks that a line names.
const NAMED: usize = 16;

/// A line each, as deep as it lies; what is off stands out.
pub(super) fn walk(html: &mut Html, walk: &Value) {
    let lines = tables::list(walk);
    if lines.is_empty() {
        return;
    }
    html.open("section", "advice walk");
    html.element("h2", "", "From the job to the cause");
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
