//! The book's chapter on JSON names all keys of a summary and of its ranks.

use std::collections::BTreeSet;

use serde_json::Value;
use stepscope::analyze::described_tables;

use super::{files, none, root, text};

/// The keys of all summaries of fixtures: of the object, and of its ranks.
fn keys() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in files("tests/fixtures", &["summary.json"]).iter().filter(|path| path.ends_with("expected/summary.json"))
    {
        let summary: Value = serde_json::from_str(&text(path)).expect("JSON");
        let ranks = summary["ranks"].as_array().into_iter().flatten();
        for object in std::iter::once(&summary).chain(ranks).filter_map(Value::as_object) {
            found.extend(object.keys().cloned());
        }
    }
    found
}

#[test]
fn the_chapter_on_json_names_all_keys() {
    let page = text(&root().join("docs/src/json.md"));
    let keys = keys();
    assert!(keys.contains("schema") && keys.contains("budget"), "{keys:?}");
    // Its line on tables of views stands for them.
    let in_view: BTreeSet<&str> =
        described_tables().into_iter().filter(|table| table.view.is_some()).map(|table| table.id).collect();
    let missing = keys.iter().filter(|key| !in_view.contains(key.as_str()) && !page.contains(&format!("`{key}`")));
    let missing: Vec<String> = missing.map(|key| format!("docs/src/json.md lacks {key}")).collect();
    none(&missing);
}
