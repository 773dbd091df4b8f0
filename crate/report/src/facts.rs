//! Facts about the traces: recorded data, devices, framework, time.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cells::text;
use super::texts::Texts;
use crate::path::list;
use stepscope_present::text::{bytes, count, date_to_second};

/// The number of devices, frameworks and hosts that are named.
const NAMED: usize = 4;

/// The version of the tool that writes the report.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A fact: its name and its value, which is text of the trace.
pub(super) type Fact = (String, String);

/// The facts about a summary's traces, in order. Facts that no trace has are left out.
pub(super) fn facts(summary: &Value, texts: &Texts) -> Vec<Fact> {
    let ranks = list(&summary["ranks"]);
    let mut facts = Vec::new();
    let mut add = |key: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            facts.push((texts.word(key), value));
        }
    };
    match ranks {
        [rank] => {
            add("about.file", file(summary, rank, texts));
            add("about.rank", number(rank, texts));
            add("about.device", devices_of_one(rank, texts));
        }
        several => {
            add("group.ranks", here(summary, several, texts));
            add("about.device", devices_of_several(several, texts));
        }
    }
    add("report.parallel", parallel(&summary["job"], texts));
    add("about.framework", frameworks(summary, texts));
    add("report.backend", named(ranks.iter().map(|rank| text(&rank["communication_backend"])), texts));
    add("report.host", named(list(&summary["job"]["ranks"]).iter().map(|rank| text(&rank["host"])), texts));
    add("about.start", start(ranks, texts));
    facts
}

/// The tool and its version.
pub(super) fn tool(texts: &Texts) -> Fact {
    (texts.word("report.made"), texts.say("report.tool", &[("version", VERSION)]))
}

fn file(summary: &Value, rank: &Value, texts: &Texts) -> Option<String> {
    let name = text(&rank["input"]);
    let size = list(&summary["inputs"]).first().and_then(|input| input["bytes"].as_u64());
    match size {
        Some(size) => Some(texts.say("report.file", &[("name", &name), ("size", &bytes(size))])),
        None => Some(name),
    }
}

fn number(rank: &Value, texts: &Texts) -> Option<String> {
    let number = rank["rank"].as_u64()?.to_string();
    let world = rank["world_size"].as_u64().map(|world| world.to_string());
    Some(world.map_or(number.clone(), |world| texts.say("about.of", &[("rank", &number), ("world", &world)])))
}

/// The number of ranks; for traces that are not ranks of one job, the number of traces.
fn here(summary: &Value, ranks: &[Value], texts: &Texts) -> Option<String> {
    let all = count(ranks.len() as u64);
    let job = &summary["job"];
    let Some(world) = job["world_size"].as_u64() else {
        return (!ranks.is_empty()).then(|| texts.say("report.traces", &[("count", &all)]));
    };
    let is_own = |rank: &&Value| rank["repeated"] != true && rank["apart"] != true;
    let here = count(list(&job["ranks"]).iter().filter(is_own).count() as u64);
    let world = count(world);
    Some(if here == world {
        texts.say("report.ranks", &[("count", &world)])
    } else {
        texts.say("report.ranks.of", &[("here", &here), ("world", &world)])
    })
}

/// The devices of a rank by their names, as the page's facts have them.
fn devices_of_one(rank: &Value, texts: &Texts) -> Option<String> {
    let devices = list(&rank["devices"]);
    let used = list(&rank["device_time"]).len();
    if devices.is_empty() {
        let unnamed = || format!("{used} × {}", texts.word("about.unnamed"));
        return (rank["only_tables"] != true).then(|| match used {
            0 => texts.word("report.device.none"),
            _ => unnamed(),
        });
    }
    let mut names: Vec<&Value> = Vec::new();
    for device in devices {
        if !names.contains(&&device["name"]) {
            names.push(&device["name"]);
        }
    }
    let of_name = |name: &&Value| {
        let some: Vec<&Value> = devices.iter().filter(|device| device["name"] == **name).collect();
        let name = Some(text(name)).filter(|name| !name.is_empty()).unwrap_or_else(|| texts.word("about.unnamed"));
        let all = some.len();
        let is_some = (1..all).contains(&used) && all == devices.len();
        let used =
            is_some.then(|| texts.say("about.devices.used", &[("used", &used.to_string()), ("all", &all.to_string())]));
        let memory = some[0]["memory_bytes"].as_u64().map(bytes);
        let parts = [Some(format!("{all} × {name}")), used, memory];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    };
    Some(names.iter().take(NAMED).map(of_name).collect::<Vec<_>>().join(texts.comma()))
}

/// The names of all ranks' devices, without counts: each rank may list all devices of its host.
fn devices_of_several(ranks: &[Value], texts: &Texts) -> Option<String> {
    named(ranks.iter().flat_map(|rank| list(&rank["devices"])).map(|device| text(&device["name"])), texts)
}

/// The parallel layout of the job, in the order of the report.
fn parallel(job: &Value, texts: &Texts) -> Option<String> {
    let parts = list(&job["parallel"]).iter().filter_map(|one| {
        let kind = texts.listed("drill_down.parallel", one["kind"].as_str()?);
        Some(format!("{kind} {}", one["size"].as_u64()?))
    });
    Some(parts.collect::<Vec<_>>().join(texts.comma()))
}

fn frameworks(summary: &Value, texts: &Texts) -> Option<String> {
    let of_input =
        |input: &Value| [&input["framework"], &input["framework_version"]].map(text).join(" ").trim().to_owned();
    let all: Vec<String> = list(&summary["inputs"]).iter().map(of_input).collect();
    // A name without a version is left out if the same name has one.
    let is_known = |name: &String| !all.iter().any(|other| other.starts_with(&[name, " "].concat()));
    named(all.iter().filter(|name| is_known(name)).cloned(), texts)
}

/// Distinct texts that are not empty, in their order; if they are many, only the first ones.
fn named(all: impl Iterator<Item = String>, texts: &Texts) -> Option<String> {
    let mut seen = BTreeSet::new();
    let all: Vec<String> = all.filter(|name| !name.is_empty() && seen.insert(name.clone())).collect();
    let mut shown: Vec<String> = all.iter().take(NAMED).cloned().collect();
    let left = all.len() - shown.len();
    if left > 0 {
        shown.push(texts.say("report.more", &[("count", &count(left as u64))]));
    }
    (!shown.is_empty()).then(|| shown.join(texts.comma()))
}

/// The start of the recording; with several ranks, the earliest one.
fn start(ranks: &[Value], texts: &Texts) -> Option<String> {
    let starts = ranks.iter().filter_map(|rank| rank["origin_unix_ns"].as_str()?.parse::<i64>().ok());
    let starts: Vec<i64> = starts.collect();
    let first = format!("{} UTC", date_to_second(*starts.iter().min()?));
    Some(if starts.len() > 1 { texts.say("report.start.several", &[("first", &first)]) } else { first })
}
