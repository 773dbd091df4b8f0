//! Data quality: warnings of readers, and data that the traces lack for a verdict.

use serde_json::Value;

use super::cells;
use super::html::Html;
use super::texts::Texts;
use crate::clipped::clipped;
use crate::path::list;
use stepscope_present::text::count;

/// The number of warnings that the summary shows; the table has all.
const SHOWN: usize = 8;

/// Severities, the worst first.
const SEVERITIES: [&str; 3] = ["loss", "warning", "info"];

/// Codes whose example is the name of a step.
const OF_STEPS: [&str; 3] = ["partial_step", "warm_up_step", "capture_step"];

/// An oddity of the traces.
pub(super) struct Oddity {
    /// `loss`, `warning` or `info`.
    pub severity: &'static str,
    /// A sentence of the messages.
    pub text: String,
    /// The first case, which is text of a trace; may be empty.
    pub example: String,
}

/// The warnings of all traces by their code, the worst first.
pub(super) fn oddities(summary: &Value, texts: &Texts) -> Vec<Oddity> {
    let inputs = list(&summary["inputs"]);
    let mut codes: Vec<String> = Vec::new();
    for warning in inputs.iter().flat_map(|input| list(&input["warnings"])) {
        let code = cells::text(&warning["code"]);
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    let of_code = |code: &String| {
        let of_input = |input: &'_ Value| list(&input["warnings"]).iter().find(|one| one["code"] == **code).cloned();
        let found: Vec<Value> = inputs.iter().filter_map(of_input).collect();
        let first = found.first()?;
        let severity = SEVERITIES.into_iter().find(|name| first["severity"] == **name)?;
        let sentence = cells::sentence(code, texts);
        let text = match (inputs.len(), first["count"].as_u64()) {
            (1, Some(cases)) if cases > 1 => {
                texts.say("report.quality.times", &[("text", &sentence), ("count", &count(cases))])
            }
            (1, _) => sentence,
            (all, _) => {
                let numbers = [found.len(), all].map(|number| count(number as u64));
                texts.say("report.inputs", &[("text", &sentence), ("count", &numbers[0]), ("all", &numbers[1])])
            }
        };
        let named = found.iter().map(|one| cells::text(&one["example"])).find(|example| !example.is_empty());
        let example = named.unwrap_or_default();
        let is_step = OF_STEPS.contains(&code.as_str()) && !example.is_empty();
        let example = if is_step { texts.say("step", &[("name", &example)]) } else { example };
        Some(Oddity { severity, text, example: clipped(&example) })
    };
    let found: Vec<Oddity> = codes.iter().filter_map(of_code).collect();
    let mut ordered: Vec<Oddity> = Vec::new();
    let mut rest = found;
    for severity in SEVERITIES {
        let (these, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(|one| one.severity == severity);
        ordered.extend(these);
        rest = others;
    }
    ordered
}

/// Codes of lacking data, with the warning that has the same meaning.
const WARNED: [(&str, &str); 2] = [("device", "no_device_activity"), ("events", "only_tables")];

/// Sentences on data that the traces lack for a verdict, without those that a warning covers.
pub(super) fn missing(summary: &Value, texts: &Texts) -> Vec<String> {
    let warnings = || list(&summary["inputs"]).iter().flat_map(|input| list(&input["warnings"]));
    let is_said = |one: &&Value| {
        let warned = WARNED.iter().find(|(code, _)| one["code"] == **code);
        !warned.is_some_and(|(_, warning)| warnings().any(|one| one["code"] == **warning))
    };
    let missing = list(&summary["advice_conclusion"]["missing"]).iter();
    missing
        .filter(is_said)
        .map(|one| {
            let key = format!("advice.missing.{}", cells::text(&one["code"]));
            texts.find(&key).map_or_else(|| cells::text(&one["text"]), str::to_owned)
        })
        .collect()
}

/// Writes the oddities, as far as they fit; the rest is in the table of warnings.
pub(super) fn quality(html: &mut Html, summary: &Value, texts: &Texts) {
    let (oddities, missing) = (oddities(summary, texts), missing(summary, texts));
    html.open_at("section", "card quality", "quality");
    html.element("h2", "", &texts.word("quality"));
    if oddities.is_empty() && missing.is_empty() {
        let key = if list(&summary["inputs"]).len() > 1 { "report.quality.good" } else { "quality.good" };
        html.element("p", "", &texts.word(key));
        html.close("section");
        return;
    }
    html.raw("<ul>");
    for one in oddities.iter().take(SHOWN) {
        html.open("li", "");
        html.element("span", &format!("severity is-{}", one.severity), &texts.listed("severity", one.severity));
        html.raw(" ");
        html.sentence(&one.text);
        if !one.example.is_empty() {
            html.element("span", "hint", &format!(" · {}", one.example));
        }
        html.raw("</li>");
    }
    missing.iter().for_each(|text| html.element("li", "", text));
    html.raw("</ul>");
    if let Some(left) = oddities.len().checked_sub(SHOWN).filter(|left| *left > 0) {
        let title = texts.word("report.table.warnings");
        let values = [("count", &*count(left as u64)), ("title", &title)];
        html.element("p", "hint", &texts.say("report.more.elsewhere", &values));
    }
    html.close("section");
}
