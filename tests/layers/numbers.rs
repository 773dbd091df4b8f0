//! NUMBERS.md says what each number means in the page's own words: those that stand on its headings.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::{none, root, text};

/// Sections by the first part of a message's key.
const SECTIONS: [(&str, &str); 28] = [
    ("tile", "Overview"),
    ("budget", "Where the time goes"),
    ("overlap", "Device time"),
    ("role", "Categories of time"),
    ("column", "Columns of tables"),
    ("row", "Row of a table"),
    ("event", "Event"),
    ("range", "A range of time"),
    ("step_trace", "Step trace"),
    ("benchmark", "Throughput"),
    ("critical", "Critical path"),
    ("path", "Classes of the critical path"),
    ("what_if", "What if"),
    ("calls", "Calls by stack"),
    ("idle", "Idle time"),
    ("leaf", "Idle time by cause"),
    ("gap", "Gaps"),
    ("launch", "Launches"),
    ("queue", "Queues"),
    ("memory", "Memory"),
    ("data", "Data"),
    ("compare", "Comparing"),
    ("ranks", "Ranks of a job"),
    ("walk", "From the job to a cause"),
    ("advice", "Rules of advice"),
    ("resources", "Resources"),
    ("definition", "Other tools' definitions"),
    ("value", "Values of other tools' definitions"),
];

/// Messages that say what a control does, or what to do: no numbers.
const CONTROLS: [&str; 16] = [
    "header", "files", "export", "perfetto", "report", "overview", "quality", "about", "steps", "merge", "slices",
    "limiter", "kernel", "find", "table", "job",
];

/// Headings of columns that hold words, not numbers.
const WORDS: [&str; 10] = [
    "column.name",
    "column.copies.name",
    "column.step",
    "column.class",
    "column.shapes",
    "column.types",
    "column.stack",
    "column.thread",
    "column.operator",
    "column.device",
];

/// The messages in the file's own order, which tells what belongs together.
fn messages() -> Vec<(String, String)> {
    ["crate/table/src/messages/en.json", "www/i18n/en.json"].iter().flat_map(|path| messages_in(path)).collect()
}

fn messages_in(path: &str) -> Vec<(String, String)> {
    let file = text(&root().join(path));
    let all: BTreeMap<String, Value> = serde_json::from_str(&file).expect("messages are texts");
    let mut ordered: Vec<(usize, String, String)> = all
        .into_iter()
        .map(|(key, message)| {
            let at = file.find(&format!("\"{key}\":")).expect("a key of the file");
            (at, key, message.as_str().expect("a text").to_owned())
        })
        .collect();
    ordered.sort();
    ordered.into_iter().map(|(_, key, message)| (key, message)).collect()
}

fn heading_of(key: &str) -> Option<&str> {
    key.strip_suffix(".why").or_else(|| key.strip_suffix(".formula"))
}

/// A message with the forms of nouns for several.
fn for_several(message: &str) -> String {
    let mut parts = message.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}').and_then(|(name, rest)| Some((name.rsplit_once('|')?.1, rest))) {
            Some((several, rest)) => text += &[several, rest].concat(),
            None => text += &["{", part].concat(),
        }
    }
    text
}

fn document(messages: &[(String, String)]) -> String {
    let by_key: BTreeMap<&str, &str> = messages.iter().map(|(key, message)| (key.as_str(), message.as_str())).collect();
    let mut document = String::from(
        "# What each number means\n\n\
         The page shows these sentences when one points at a heading. They are its messages (`www/i18n/en.json`, `crate/table/src/messages/en.json`); \
         `STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test layers` writes this file from them. In a table of a step, or \
         of a choice, a number is about that step or choice.\n",
    );
    for (section, title) in SECTIONS {
        let rows: Vec<String> = messages
            .iter()
            .filter_map(|(key, formula)| {
                let heading = heading_of(key).filter(|heading| heading.split('.').next() == Some(section))?;
                let heading = by_key.get(heading)?;
                let formula = for_several(formula);
                assert!(!formula.contains(['|', '\n']) && !heading.contains('|'), "{key} breaks the table");
                Some(format!("| {heading} | {formula} |\n"))
            })
            .collect();
        if !rows.is_empty() {
            document.push_str(&format!("\n## {title}\n\n| heading | meaning |\n| --- | --- |\n{}", rows.concat()));
        }
    }
    document
}

#[test]
fn the_document_of_numbers_says_what_the_page_says() {
    let path = root().join("crate/NUMBERS.md");
    let document = document(&messages());
    if std::env::var_os("STEPSCOPE_BLESS").is_some() {
        fs::write(&path, &document).expect("NUMBERS.md can be written");
    } else if fs::read_to_string(&path).ok().as_deref() != Some(&document) {
        none(&["crate/NUMBERS.md is not what the page's messages say; STEPSCOPE_BLESS=1 writes it".to_owned()]);
    }
    assert!(text(&root().join("README.md")).contains("crate/NUMBERS.md"), "the README does not name it");
}

#[test]
fn every_heading_has_its_formula() {
    let messages = messages();
    let has = |key: String| messages.iter().any(|(known, _)| *known == key);
    let mut problems = Vec::new();
    for (key, _) in messages.iter().filter(|(key, _)| heading_of(key).is_none()) {
        let is_number = ["column.", "role.", "value."].iter().any(|start| key.starts_with(start));
        if is_number && !WORDS.contains(&key.as_str()) && !has(format!("{key}.why")) {
            problems.push(format!("{key} has no {key}.why"));
        }
    }
    for word in WORDS {
        if !has(word.to_owned()) {
            problems.push(format!("{word} is no heading any more"));
        }
    }
    for (key, _) in messages.iter().filter(|(key, _)| heading_of(key).is_some()) {
        let section = key.split('.').next().unwrap_or_default();
        if !SECTIONS.iter().any(|(known, _)| *known == section) && !CONTROLS.contains(&section) {
            problems.push(format!("{key} is in no section of NUMBERS.md, and of no control"));
        }
    }
    none(&problems);
}
