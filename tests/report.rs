//! The report in one HTML file, of every fixture's summary: whole, well formed, and all that it should say.

#![expect(clippy::panic, reason = "a test says so what is wrong")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stepscope::Nanos;
use stepscope::present::text::duration;
use stepscope::report::{escaped, report};
use stepscope_tests::files::root;

/// The summaries of all fixtures, by their paths.
fn summaries() -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("tests/fixtures")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("expected/summary.json") {
                let text = fs::read(&path).expect("a file");
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

/// Elements that hold nothing and have no end.
const EMPTY: [&str; 5] = ["meta", "circle", "line", "rect", "path"];

/// Fails where an element is not ended, or another one is.
fn well_formed(path: &Path, html: &str) {
    let mut open: Vec<&str> = Vec::new();
    // Style sheets are no markup.
    let style = html.find("</style>").unwrap_or_default();
    let body = html.strip_prefix("<!doctype html>\n").expect("a document");
    let mut rest = body;
    while let Some(start) = rest.find('<') {
        let inside = &rest[start + 1..];
        let end = inside.find('>').unwrap_or_else(|| panic!("{}: a tag without an end", path.display()));
        let tag = &inside[..end];
        rest = &inside[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap_or_default();
        if let Some(ended) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(ended), "{}: at {:?}", path.display(), &rest[..rest.len().min(80)]);
        } else if !tag.ends_with('/') && !EMPTY.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{}: {open:?} have no end", path.display());
    assert!(style > 0);
}

#[test]
fn every_summary_has_a_report() {
    let summaries = summaries();
    assert!(summaries.len() > 50, "there are fixtures");
    for (path, summary) in summaries {
        let made = report(&summary, None).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let html = format!("{}{}", made.before, made.after);
        well_formed(&path, &html);
        assert!(html.len() < 1_500_000, "{}: {}", path.display(), html.len());
        assert!(!html.contains("<script"), "{}", path.display());
        // Nothing is fetched: no address but the one that names what SVG is.
        assert!(!html.contains("src=") && !html.contains("href=") && !html.contains("url("), "{}", path.display());
        let summary: Value = serde_json::from_slice(&summary).expect("JSON");
        for rule in summary["advice"].as_array().into_iter().flatten() {
            let title = rule["title"].as_str().expect("a title");
            assert!(html.contains(&escaped(title)), "{}: {title}", path.display());
        }
        for rank in summary["ranks"].as_array().expect("ranks") {
            let average = &rank["average"];
            if average["steps"].as_u64() > Some(0) {
                let step = duration(Nanos(average["step_ns"].as_i64().expect("a time")));
                assert!(html.contains(&step), "{}: {step}", path.display());
                let is_told = html.contains("Data wait</span>");
                let is_one = summary["ranks"].as_array().map_or(0, Vec::len) == 1;
                let is_none = rank["phase_sources"]["dataloader"] == "absent" && average["roles"]["dataloader_ns"] == 0;
                assert!(!is_one || is_told != is_none, "{}: {is_told}", path.display());
            }
            for (list, name) in [("operators", "name"), ("kernels", "name"), ("copies", "name"), ("steps", "name")] {
                for row in rank[list].as_array().into_iter().flatten().take(10) {
                    let text = escaped(row[name].as_str().expect("a name"));
                    assert!(html.contains(&text), "{}: {list}: {text}", path.display());
                }
            }
            for table in rank["recorded"].as_array().into_iter().flatten() {
                let id = table["id"].as_str().expect("an id").replace('_', " ");
                assert!(html.contains(&format!("As recorded: {id}")), "{}: {id}", path.display());
            }
        }
    }
}

/// What stands in `</script>` or a quotation mark must not end anything, wherever it comes from.
#[test]
fn text_of_a_trace_is_text_everywhere() {
    const EVIL: &str = "</style></script><b onclick=\"x\">&\u{202e}";
    fn poisoned(value: &Value) -> Value {
        match value {
            Value::String(_) => json!(EVIL),
            Value::Array(items) => items.iter().map(poisoned).collect(),
            Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), poisoned(value))).collect(),
            other => other.clone(),
        }
    }
    for (path, summary) in summaries() {
        let summary: Value = serde_json::from_slice(&summary).expect("JSON");
        let mut evil = poisoned(&summary);
        // What holds is shown.
        for rule in evil["advice"].as_array_mut().into_iter().flatten() {
            rule["verdict"] = json!("holds");
        }
        let made = report(evil.to_string().as_bytes(), None).unwrap_or_else(|error| panic!("{error}"));
        let html = format!("{}{}", made.before, made.after);
        well_formed(&path, &html);
        assert!(!html.contains("<b onclick"), "{}", path.display());
        assert_eq!(html.matches("</style>").count(), 1, "{}", path.display());
    }
}

#[test]
fn what_is_no_summary_is_refused() {
    let error = report(b"{", None).expect_err("no JSON");
    assert!(error.contains("the summary"), "{error}");
    let error = report(b"{}", Some("<script>")).expect_err("no hash");
    assert!(error.contains("hash"), "{error}");
    // A hash that would say more than one.
    assert!(report(b"{}", Some("<script data-hash=\"a' *\">")).is_err());
    let made = report(b"{}", Some("<script data-hash=\"sha256-a+/=\">")).expect("a report");
    assert!(made.before.contains("script-src 'sha256-a+/=' 'wasm-unsafe-eval'"), "{}", made.before);
}
