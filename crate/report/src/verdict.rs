//! What it all comes to: where the average step's time goes, and what to do first.

use serde_json::Value;

use super::html::Html;
use super::tables::{self, list};
use super::{cells, name_of};
use stepscope_base::Nanos;
use stepscope_present::budget::sentences_of;
use stepscope_present::text::{count, duration, outside_of_step, percent_or_dash, whole_step_span};
use stepscope_table::messages::Language;

/// Pieces of advice that are shown at once; the rest is a click away.
const FIRST: usize = 6;

/// Ranks that are named.
const NAMED: usize = 16;

/// Pieces of evidence for an advice.
const EVIDENCE: usize = 5;

/// What was odd that is said at once.
const ODD: usize = 3;

/// A part of the step's time: its name, the key of its class's colour, its time and the whole.
type Tile<'a> = (&'a str, &'a str, &'a Value, Option<i64>);

/// The parts of a rank's average step, as the page's overview has them.
fn tiles(rank: &Value) -> [Tile<'_>; 4] {
    let average = &rank["average"];
    let data_wait = &average["categories"]["dataloader_ns"];
    // Without any wait in the trace, a zero would claim that there was none.
    let is_known = rank["phase_sources"]["dataloader"] != "absent" || data_wait.as_i64() != Some(0);
    let data_wait = if is_known { data_wait } else { &Value::Null };
    let device = &average["device_time"];
    // Where the trace does not show what the device does, it is neither busy nor idle.
    let before_first = device["before_first_activity_ns"].as_i64().unwrap_or_default();
    let window = device["window_ns"].as_i64();
    // Nor where hardly anything would be left of the whole.
    let uncovered = device["uncovered_ns"].as_i64().unwrap_or_default();
    let is_known = |window: &i64| uncovered.saturating_mul(100) <= *window;
    let whole = window.filter(is_known).map(|window| window - before_first - uncovered);
    // Waits are of the steps that the timeline shows, which may be fewer than there are lengths of.
    let covers_all = average["covered_steps"].is_null() || average["covered_steps"] == average["steps"];
    let step = if covers_all || window == Some(0) { average["step_ns"].as_i64() } else { window };
    let exposed = match &average["exposed_on_hosts_ns"] {
        Value::Null => ("Exposed communication", "communication", &device["exposed_communication_ns"], whole),
        of_hosts => ("Exposed communication", "communication", of_hosts, step),
    };
    [
        ("Device busy", "kernel", &device["busy_ns"], whole),
        exposed,
        ("Data wait", "dataloader", data_wait, step),
        ("Device idle", "idle", &device["idle_ns"], whole),
    ]
}

/// Where the average step's time goes: of one rank as tiles, of several as a table.
pub(super) fn verdict(html: &mut Html, summary: &Value) {
    match list(&summary["ranks"]) {
        [] => {}
        [one] => of_one(html, one),
        several => of_several(html, several),
    }
    odd(html, summary);
}

/// What was wrong with what was read, as far as it matters.
fn odd(html: &mut Html, summary: &Value) {
    let warnings = list(&summary["inputs"]).iter().flat_map(|input| list(&input["warnings"]));
    let mut told: Vec<String> = Vec::new();
    for warning in warnings.filter(|warning| warning["severity"] != "info") {
        let sentence = cells::sentence(&cells::text(&warning["code"]));
        if !told.contains(&sentence) {
            told.push(sentence);
        }
    }
    html.short_list("advice odd", "Read with warnings", &told, ODD, ": see the end");
}

/// How it is known where steps begin, where no framework marks them.
fn source(rank: &Value) -> Option<&'static str> {
    match rank["step_source"].as_str()? {
        "whole_trace" => Some("The trace marks no steps: one step is shown."),
        "inference_marks" => Some("Steps as the inference engine marks them."),
        "pattern" => Some("Steps by the given pattern."),
        "table" => {
            Some("The step time is that of the profiler's own table of steps, whose clock the timeline does not share.")
        }
        "repeating_ranges" => Some("Steps by ranges whose names count up."),
        _ => None,
    }
}

fn of_one(html: &mut Html, rank: &Value) {
    let average = &rank["average"];
    let steps = average["steps"].as_u64().unwrap_or_default();
    if steps == 0 {
        let tables = list(&rank["recorded"]).len();
        let text = if rank["only_tables"] == true {
            format!("There is no timeline: the files hold {} of the profiler's own tables.", count(tables as u64))
        } else {
            "No complete step to average.".to_owned()
        };
        html.element("p", "hint", &text);
        return;
    }
    html.open("div", "tiles");
    let is_whole = rank["step_source"] == "whole_trace";
    let whole = &rank["whole_step"];
    let of = match steps {
        _ if is_whole => whole_step_span(whole["span"].as_str().unwrap_or_default()).to_owned(),
        1 => "one step".to_owned(),
        _ => format!("average of {} steps", count(steps)),
    };
    tile(html, "step", "Step time", &time(&average["step_ns"]), &of);
    for (name, class, part, whole) in tiles(rank) {
        // Without a whole there is nothing to be a part of: a zero would claim that it did nothing.
        let Some(share) = share(part, whole) else { continue };
        tile(html, class, name, &percent_or_dash(Some(share)), &time(part));
    }
    html.close("div");
    let before_first = &average["device_time"]["before_first_activity_ns"];
    if before_first.as_i64().is_some_and(|length| length > 0) {
        let note = format!(
            "For {} of the step, at its start, the device state is unknown. The device may run earlier work, which the trace \
             does not show. This time counts as neither busy nor idle.",
            time(before_first)
        );
        html.element("p", "hint", &note);
    }
    let uncovered = &average["device_time"]["uncovered_ns"];
    if uncovered.as_i64().is_some_and(|length| length > 0) {
        let note = format!(
            "For {} of the step the trace does not record what the device does. This time counts as neither busy nor idle.",
            time(uncovered)
        );
        html.element("p", "hint", &note);
    }
    let between = &average["between_steps_ns"];
    if between.as_i64().is_some_and(|length| length > 0) {
        let note = format!("{} lies between two steps on average. It is no part of a step.", time(between));
        html.element("p", "hint", &note);
    }
    if let Some(source) = source(rank) {
        html.element("p", "hint", source);
    }
    let nanos = |key: &str| Nanos(whole[key].as_i64().unwrap_or_default());
    if let Some(outside) = outside_of_step(nanos("outside_ns"), nanos("device_busy_outside_ns")) {
        html.element("p", "hint", &format!("{outside}."));
    }
    if let Some(busy) = rank["device_busy_outside_steps_ns"].as_i64() {
        let busy = duration(Nanos(busy));
        html.element("p", "hint", &format!("The devices are busy for {busy} outside of the steps."));
    }
    let covered = average["covered_steps"].as_u64().unwrap_or(steps);
    if (1..steps).contains(&covered) {
        let (covered, steps) = (count(covered), count(steps));
        let said =
            format!("Device times are of the {covered} of these {steps} steps whose operators the timeline shows.");
        html.element("p", "hint", &said);
    }
}

fn of_several(html: &mut Html, ranks: &[Value]) {
    let heads = ["", "Steps", "Step time"].into_iter().chain(tiles(&Value::Null).map(|(name, ..)| name));
    let rows = ranks.iter().enumerate().map(|(index, rank)| {
        let average = &rank["average"];
        let parts = tiles(rank).map(|(_, _, part, whole)| match share(part, whole) {
            Some(share) => format!("{} ({})", time(part), percent_or_dash(Some(share))),
            None => cells::NONE.to_owned(),
        });
        let steps = match rank["step_source"].as_str() {
            _ if rank["only_tables"] == true => "no timeline".to_owned(),
            // Not one step: nobody knows how many.
            Some("whole_trace") => "none marked".to_owned(),
            _ => count(average["steps"].as_u64().unwrap_or_default()),
        };
        let is_known = rank["only_tables"] != true || average["step_ns"].as_i64() != Some(0);
        let length = if is_known { time(&average["step_ns"]) } else { cells::NONE.to_owned() };
        let start = [steps, length];
        let numbers = start.into_iter().chain(parts).map(|text| (text, true));
        std::iter::once((name_of(rank, index), false)).chain(numbers).collect()
    });
    tables::grid(html, ("Where the average step's time goes", true), heads.map(str::to_owned), rows, ranks.len());
}

fn time(value: &Value) -> String {
    value.as_i64().map_or_else(|| cells::NONE.to_owned(), |nanos| duration(Nanos(nanos)))
}

fn share(part: &Value, whole: Option<i64>) -> Option<f64> {
    Nanos(part.as_i64()?).ratio_of(Nanos(whole?))
}

fn tile(html: &mut Html, class: &str, name: &str, value: &str, hint: &str) {
    html.open("div", &format!("tile of-{class}"));
    html.element("span", "", name);
    html.element("strong", "", value);
    html.element("span", "hint", hint);
    html.close("div");
}

/// What to do, by what it may save.
pub(super) fn advice(html: &mut Html, summary: &Value) {
    let several = list(&summary["ranks"]).len() > 1;
    let rules = list(&summary["advice"]);
    let holding: Vec<&Value> = rules.iter().filter(|rule| rule["verdict"] == "holds").collect();
    if holding.is_empty() {
        nothing_to_do(html, &summary["advice_conclusion"]);
        return;
    }
    html.open("section", "advice");
    html.element("h2", "", "Advice");
    cards(html, &holding[..FIRST.min(holding.len())], several);
    if let Some(rest) = holding.get(FIRST..).filter(|rest| !rest.is_empty()) {
        html.open("details", "");
        html.element("summary", "", &format!("{} more", count(rest.len() as u64)));
        cards(html, rest, several);
        html.close("details");
    }
    html.close("section");
}

/// What it means that no rule found a problem.
fn nothing_to_do(html: &mut Html, conclusion: &Value) {
    let text = match conclusion["verdict"].as_str() {
        Some("nothing") => "No rule found a problem.",
        Some("cause") => "No rule found a problem, but the step budget names a cause:",
        Some("incomplete") => "No rule found a problem, but the trace does not show everything that the rules need.",
        _ => return,
    };
    html.open("section", "advice");
    html.element("h2", "", "Advice");
    html.element("p", "", text);
    let missing = list(&conclusion["missing"]);
    if !missing.is_empty() {
        html.raw("<ul>");
        missing.iter().for_each(|one| html.element("li", "", &cells::text(&one["text"])));
        html.raw("</ul>");
    }
    let cause = &conclusion["cause"];
    if let (Some(wording), Some(share), Some(score)) =
        (cause["wording"].as_str(), cause["share"].as_f64(), cause["score_ns"].as_i64())
    {
        let whole = cause["windows"].as_str().unwrap_or("steps");
        let said = sentences_of(wording, (share, Nanos(score)), whole, Language::English).join(" ");
        let whose = cause["input"].as_str().map(|input| format!("{input}: ")).unwrap_or_default();
        html.element("p", "", &(whose + &said));
    }
    html.close("section");
}

/// The ranks that a rule is about: of several the one whose gain is shown comes first.
fn whose(rule: &Value) -> String {
    // Of traces that are no ranks of one job, each is known by its file.
    let files: Vec<&str> = list(&rule["ranks"]).iter().filter_map(|rank| rank["input"].as_str()).collect();
    if !files.is_empty() {
        return format!(" · {}", files.iter().take(NAMED).copied().collect::<Vec<_>>().join(", "));
    }
    let ranks: Vec<String> =
        list(&rule["ranks"]).iter().filter_map(|rank| Some(rank["rank"].as_u64()?.to_string())).collect();
    if ranks.len() < 2 {
        return rule["rank"].as_u64().map(|rank| format!(" · rank {rank}")).unwrap_or_default();
    }
    let median = rule["median_gain_ns_per_step"].as_i64();
    let median = median.map(|gain| format!(", {} in the median", duration(Nanos(gain)))).unwrap_or_default();
    let worst = rule["rank"].as_u64().map(|rank| format!(" on rank {rank}{median}")).unwrap_or_default();
    let shown = ranks.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = if ranks.len() > NAMED { ", …" } else { "" };
    format!("{worst} · {} ranks: {shown}{more}", count(ranks.len() as u64))
}

fn cards(html: &mut Html, rules: &[&Value], several: bool) {
    html.raw("<ol>");
    for rule in rules {
        html.open("li", "");
        html.element("strong", "", &cells::text(&rule["title"]));
        if let Some(saves) = rule["saves"].as_str().filter(|_| !rule["gain_ns_per_step"].is_null()) {
            html.element("span", "hint", &format!(" {saves}"));
        }
        if several {
            html.element("span", "hint", &whose(rule));
        }
        html.element("p", "", &cells::text(&rule["text"]));
        evidence(html, list(&rule["evidence"]));
        html.close("li");
    }
    html.raw("</ol>\n");
}

/// Where to look: what took longest, and when.
fn evidence(html: &mut Html, all: &[Value]) {
    if all.is_empty() {
        return;
    }
    html.raw("<ul>");
    for one in all.iter().take(EVIDENCE) {
        html.open("li", "");
        html.text(&cells::text(&one["name"]));
        if let Some(host) = one["host"].as_str() {
            html.text(&format!("; host: {host}"));
        }
        let [start, length] =
            ["start_ns", "duration_ns"].map(|key| one[key].as_i64().map(|nanos| duration(Nanos(nanos))));
        let said = match (start, length) {
            (Some(start), Some(length)) => format!(" {length}, at {start}"),
            _ if one["value"].is_null() => String::new(),
            _ => format!(" {}", cells::in_unit(&one["value"], &cells::text(&one["unit"]))),
        };
        html.element("span", "hint", &said);
        html.raw("</li>\n");
    }
    if all.len() > EVIDENCE {
        html.element("li", "hint", &format!("… and {} more", count((all.len() - EVIDENCE) as u64)));
    }
    html.raw("</ul>");
}
