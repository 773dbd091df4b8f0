//! The numbers of the average step: for one rank as tiles, for several as a table.

use serde_json::Value;

use super::html::Html;
use super::texts::Texts;
use super::{cells, tables};
use crate::path::list;
use crate::rank_name::name_of;
use stepscope_base::Nanos;
use stepscope_present::text::{count, duration, percent_or_dash};

/// A part of the step's time: the key of its name, the key of its class's color, its time and the whole.
type Tile<'a> = (&'a str, &'a str, &'a Value, Option<i64>);

/// The parts of a rank's average step, as in the page's overview.
fn tiles(rank: &Value) -> [Tile<'_>; 4] {
    let average = &rank["average"];
    let data_wait = &average["categories"]["dataloader_ns"];
    // If the trace has no waits at all, a zero would be misleading: they may not have been recorded.
    let is_known = rank["phase_sources"]["dataloader"] != "absent" || data_wait.as_i64() != Some(0);
    let data_wait = if is_known { data_wait } else { &Value::Null };
    let device = &average["device_time"];
    // While the device's state is unknown, it is neither busy nor idle.
    let before_first = device["before_first_activity_ns"].as_i64().unwrap_or_default();
    let window = device["window_ns"].as_i64();
    // The same if hardly anything of the whole would be left.
    let uncovered = device["uncovered_ns"].as_i64().unwrap_or_default();
    let is_known = |window: &i64| uncovered.saturating_mul(100) <= *window;
    let whole = window.filter(is_known).map(|window| window - before_first - uncovered);
    // Waits are those of the steps that the timeline covers, which may be fewer than the steps with a length.
    let covers_all = average["covered_steps"].is_null() || average["covered_steps"] == average["steps"];
    let step = if covers_all || window == Some(0) { average["step_ns"].as_i64() } else { window };
    // Without a device, nothing is known to idle.
    let data_tile =
        if list(&rank["device_time"]).is_empty() && !rank.is_null() { "tile.data_wait.host" } else { "tile.data_wait" };
    let exposed = match &average["exposed_on_hosts_ns"] {
        Value::Null => ("tile.exposed_communication", "communication", &device["exposed_communication_ns"], whole),
        of_hosts => ("tile.exposed_communication", "communication", of_hosts, step),
    };
    [
        ("tile.device_busy", "kernel", &device["busy_ns"], whole),
        exposed,
        (data_tile, "dataloader", data_wait, step),
        ("tile.idle", "idle", &device["idle_ns"], whole),
    ]
}

/// The use of the average step's time.
pub(super) fn average(html: &mut Html, summary: &Value, texts: &Texts) {
    match list(&summary["ranks"]) {
        [] => {}
        [one] => of_one(html, one, texts),
        several => of_several(html, several, texts),
    }
}

/// The source of steps, if no framework marks them.
fn source(rank: &Value, texts: &Texts) -> Option<String> {
    let source = rank["step_source"].as_str().filter(|source| *source != "marks")?;
    let key = format!("overview.source.{source}");
    texts.find(&key)?;
    let steps = list(&rank["steps"]).len() as u64;
    Some(texts.say(&key, &[("steps", &count(steps))]))
}

fn of_one(html: &mut Html, rank: &Value, texts: &Texts) {
    let average = &rank["average"];
    let steps = average["steps"].as_u64().unwrap_or_default();
    if steps == 0 {
        if rank["only_tables"] != true {
            html.element("p", "hint", &texts.word("report.no_step"));
        }
        return;
    }
    html.open("div", "tiles");
    let is_whole = rank["step_source"] == "whole_trace";
    let span = rank["whole_step"]["span"].as_str().unwrap_or("events");
    let of = match steps {
        _ if is_whole => texts.listed("tile.step.whole", span),
        1 => texts.word("report.one_step"),
        _ => texts.say("report.mean", &[("count", &count(steps))]),
    };
    let name = if is_whole { "tile.recorded" } else { "tile.step" };
    tile(html, "step", &texts.word(name), &time(&average["step_ns"]), &of);
    for (name, class, part, whole) in tiles(rank) {
        // Without a whole there is no share: a zero would be misleading.
        let Some(share) = share(part, whole) else { continue };
        // A device idles in a part of the host's waits only.
        let (idle, waits) = (time(part), time(&average["data_wait_ns"]));
        let length = match name {
            "tile.data_wait" if idle != waits => texts.say("tile.data_wait.more", &[("time", &idle), ("all", &waits)]),
            _ => idle,
        };
        tile(html, class, &texts.word(name), &percent_or_dash(Some(share)), &length);
    }
    html.close("div");
    notes(rank, texts).iter().for_each(|note| html.element("p", "hint", note));
}

/// Remarks on the numbers.
fn notes(rank: &Value, texts: &Texts) -> Vec<String> {
    let average = &rank["average"];
    let device = &average["device_time"];
    let timed = |key: &str, length: &Value| {
        let length = length.as_i64().filter(|length| *length > 0)?;
        Some(texts.say(key, &[("time", &duration(Nanos(length)))]))
    };
    let whole = &rank["whole_step"];
    let outside = whole["outside_ns"].as_i64().filter(|outside| *outside > 0).map(|outside| {
        let busy = whole["device_busy_outside_ns"].as_i64().unwrap_or_default();
        let key = if busy > 0 { "overview.outside.busy" } else { "overview.outside" };
        texts.say(key, &[("time", &duration(Nanos(outside))), ("busy", &duration(Nanos(busy)))])
    });
    let beside = rank["device_busy_outside_steps_ns"]
        .as_i64()
        .map(|busy| texts.say("overview.outside_steps", &[("busy", &duration(Nanos(busy)))]));
    let steps = average["steps"].as_u64().unwrap_or_default();
    let covered = average["covered_steps"].as_u64().filter(|covered| (1..steps).contains(covered));
    let covered =
        covered.map(|covered| texts.say("report.covered", &[("covered", &count(covered)), ("steps", &count(steps))]));
    let notes = [
        timed("overview.before_first", &device["before_first_activity_ns"]),
        timed("overview.uncovered", &device["uncovered_ns"]),
        timed("overview.unrecorded", &average["unrecorded_ns"]),
        timed("overview.between_steps", &average["between_steps_ns"]),
        source(rank, texts),
        outside,
        beside,
        covered,
    ];
    notes.into_iter().flatten().collect()
}

fn of_several(html: &mut Html, ranks: &[Value], texts: &Texts) {
    let of_parts = tiles(&Value::Null).map(|(name, ..)| texts.word(name));
    let heads =
        [String::new(), texts.word("report.average.steps"), texts.word("tile.step")].into_iter().chain(of_parts);
    let rows = ranks.iter().enumerate().map(|(index, rank)| {
        let average = &rank["average"];
        let parts = tiles(rank).map(|(_, _, part, whole)| match share(part, whole) {
            Some(share) => format!("{} ({})", time(part), percent_or_dash(Some(share))),
            None => cells::NONE.to_owned(),
        });
        let steps = match rank["step_source"].as_str() {
            _ if rank["only_tables"] == true => texts.word("report.average.none"),
            // Not one step: their number is unknown.
            Some("whole_trace") => texts.word("report.average.unmarked"),
            _ => count(average["steps"].as_u64().unwrap_or_default()),
        };
        let is_known = rank["only_tables"] != true || average["step_ns"].as_i64() != Some(0);
        let length = if is_known { time(&average["step_ns"]) } else { cells::NONE.to_owned() };
        let start = [steps, length];
        let numbers = start.into_iter().chain(parts).map(|text| (text, true));
        std::iter::once((name_of(rank, index, texts), false)).chain(numbers).collect()
    });
    let title = texts.word("report.average");
    tables::grid(
        html,
        &tables::Grid { title: &title, is_open: true, id: "ranks", all: ranks.len() },
        heads,
        rows,
        texts,
    );
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
