//! Modules of the analyzer.

use std::path::Path;

use super::{files, none, short, text};

/// A folder (or file) of `crate/src`, what it may use of the others, and which crates it must not name.
struct Layer {
    name: &'static str,
    uses: &'static [&'static str],
    never: &'static [&'static str],
}

/// Nothing of ours does any of this natively: the program and the page do.
const OUTSIDE: [&str; 7] = ["std::fs", "std::env", "std::net", "std::thread", "std::process", "std::time", "std::path"];

const JS: [&str; 4] = ["wasm_bindgen", "js_sys", "web_sys", "plotters_canvas"];

const SERDE: [&str; 2] = ["serde", "serde_json"];

const LAYERS: [Layer; 15] = [
    Layer { name: "units", uses: &[], never: &["serde", "serde_json", "std::io"] },
    Layer { name: "sort", uses: &["units"], never: &["serde", "serde_json", "std::io"] },
    Layer { name: "refusal", uses: &[], never: &["serde", "serde_json", "std::io"] },
    Layer { name: "error", uses: &["refusal"], never: &["serde", "serde_json", "std::io"] },
    Layer { name: "warn", uses: &["sort"], never: &["serde", "serde_json", "std::io"] },
    // A database is read here and there: parse takes what stands before it, the trait of such files.
    Layer { name: "parse", uses: &["units", "input"], never: &["serde", "serde_json", "std::io"] },
    // The loader is the one place that knows the table of readers; readers know of it only what a head is.
    // It names the errors of IO, which whoever hands files over does.
    Layer {
        name: "input",
        uses: &["error", "refusal", "sort", "warn", "read", "trace"],
        never: &["serde", "serde_json"],
    },
    Layer { name: "trace", uses: &["units", "error", "sort", "warn"], never: &["serde", "serde_json", "std::io"] },
    Layer {
        name: "read",
        uses: &["input", "parse", "sort", "trace", "units", "error", "refusal", "warn"],
        never: &["std::io"],
    },
    Layer { name: "table", uses: &["units"], never: &["serde", "std::io"] },
    Layer {
        name: "analyze",
        uses: &["sort", "table", "trace", "units"],
        never: &["serde", "serde_json", "std::io", "format!"],
    },
    Layer { name: "summary", uses: &["analyze", "input", "trace", "warn"], never: &["serde", "serde_json", "std::io"] },
    Layer {
        name: "present",
        uses: &["sort", "analyze", "summary", "table", "trace", "units"],
        never: &["serde", "serde_json", "std::io"],
    },
    Layer {
        name: "export",
        uses: &["analyze", "sort", "table", "trace", "summary", "units", "warn"],
        never: &["plotters"],
    },
    // What present draws of what export says.
    Layer {
        name: "report",
        uses: &["analyze", "present", "table", "trace", "units", "warn"],
        never: &["std::io", "plotters"],
    },
];

/// The edge to JavaScript uses everything; nothing uses it.
const EDGE: &str = "web";

/// Code without comments and without unit tests, which end every file that has them.
pub(super) fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let code = lines.take_while(|(_, line)| *line != "#[cfg(test)]");
    code.map(|(number, line)| (number, line.split("//").next().unwrap_or_default()))
}

/// The names that follow a path's beginning in a line, such as `trace` in `use crate::trace::Trace`.
fn names_after<'a>(line: &'a str, start: &str) -> Vec<&'a str> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    line.match_indices(start)
        .filter(|(at, _)| !line[..*at].ends_with(is_part))
        .map(|(at, _)| {
            let rest = &line[at + start.len()..];
            &rest[..rest.find(|character| !is_part(character)).unwrap_or(rest.len())]
        })
        .collect()
}

/// What a line uses that its layer must not; `None` for a layer that nothing is said of.
fn violations(layer: &str, is_root: bool, line: &str) -> Option<Vec<String>> {
    let rules = LAYERS.iter().find(|rules| rules.name == layer);
    if rules.is_none() && layer != EDGE {
        return None;
    }
    let mut found = Vec::new();
    if line.contains("crate::{") {
        found.push("crate::{…} hides what is used: name each module in a line of its own".to_owned());
    }
    if line.contains("super::super::") || (is_root && line.contains("super::")) {
        found.push("a path up to the crate's root hides what is used: say crate::".to_owned());
    }
    let Some(rules) = rules else { return Some(found) };
    for used in names_after(line, "crate::") {
        if used != layer && !rules.uses.contains(&used) && !used.is_empty() {
            found.push(format!("{layer} must not use {used}"));
        }
    }
    for name in rules.never.iter().chain(&OUTSIDE).chain(&JS) {
        let word = name.trim_end_matches('!');
        let ends = if name.ends_with('!') { "!" } else { "::" };
        let mut places = line.match_indices(word);
        if places.any(|(at, _)| line[at + word.len()..].starts_with(ends) && !line[..at].ends_with(['_', ':'])) {
            found.push(format!("{layer} must not name {name}"));
        }
    }
    Some(found)
}

/// The layer of a file below `crate/src`, and whether the file is that layer's own root.
fn layer_of(inside: &str) -> (&str, bool) {
    match inside.split_once('/') {
        Some((folder, rest)) => (folder, rest == "mod.rs"),
        None => (inside.trim_end_matches(".rs"), true),
    }
}

#[test]
fn every_module_uses_only_the_stages_before_it() {
    let mut problems = Vec::new();
    for path in files("crate/src", &[".rs"]) {
        let name = short(&path);
        let inside = name.trim_start_matches("crate/src/");
        let (layer, is_root) = layer_of(inside);
        if layer == "lib" || inside.ends_with("/tests.rs") {
            continue;
        }
        for (number, line) in code(&text(&path)) {
            match violations(layer, is_root, line) {
                Some(found) => problems.extend(found.iter().map(|what| format!("{name}:{number}: {what}"))),
                None => {
                    problems.push(format!("{name}: {layer} is no known layer; give it a line in tests/layers/rust.rs"));
                    break;
                }
            }
        }
    }
    none(&problems);
}

#[test]
fn the_scan_sees_what_is_forbidden() {
    let first = |layer: &str, line: &str| violations(layer, false, line).expect("a layer").first().cloned();
    assert_eq!(first("analyze", "use crate::present::text;").as_deref(), Some("analyze must not use present"));
    assert_eq!(first("analyze", "let a: crate::warn::Code;").as_deref(), Some("analyze must not use warn"));
    assert_eq!(first("analyze", "    x.push(format!(\"{y}\"));").as_deref(), Some("analyze must not name format!"));
    assert_eq!(first("trace", "use serde_json::Value;").as_deref(), Some("trace must not name serde_json"));
    assert_eq!(first("export", "use web_sys::Window;").as_deref(), Some("export must not name web_sys"));
    assert_eq!(first("read", "use std::fs::File;").as_deref(), Some("read must not name std::fs"));
    assert!(first("export", "use crate::{web, read};").is_some());
    assert!(first("export", "use super::super::web;").is_some());
    assert!(violations("units", true, "use super::warn;").is_some_and(|found| !found.is_empty()));
    assert_eq!(first("export", "use crate::analyze::Step;"), None);
    assert_eq!(first("parse", "pub(in super::super) fn f() {}"), None);
    assert_eq!(violations("gpu", false, ""), None);
}

#[test]
fn one_reader_does_not_know_another() {
    let mut problems = Vec::new();
    let readers: Vec<String> = std::fs::read_dir(stepscope_tests::files::root().join("crate/src/read"))
        .expect("the readers")
        .filter_map(|entry| entry.expect("an entry").file_name().into_string().ok())
        .filter(|name| name != "mod.rs")
        .map(|name| name.trim_end_matches(".rs").to_owned())
        .collect();
    for path in files("crate/src/read", &[".rs"]) {
        let name = short(&path);
        let own = Path::new(&name).components().nth(3).expect("a file").as_os_str().to_string_lossy().into_owned();
        for (number, line) in code(&text(&path)).filter(|_| own != "mod.rs") {
            // Chrome's events and sampled stacks are many producers', records of CUPTI those of NVIDIA's databases.
            let shared = |used: &&str| ["chrome", "stacks", "cupti"].contains(used);
            for used in names_after(line, "read::").into_iter().filter(|used| !shared(used)) {
                if readers.iter().any(|reader| reader == used) && used != own.trim_end_matches(".rs") {
                    problems.push(format!("{name}:{number}: {own} must not use {used}"));
                }
            }
        }
    }
    none(&problems);
}

/// JSON of small things is read and written here; reports know nothing of it.
#[test]
fn serde_is_where_it_belongs() {
    // The words of tables are JSON, which the page reads, too.
    const PLACES: [&str; 5] =
        ["crate/src/read/", "crate/src/export/", "crate/src/report/", "crate/src/web/", "crate/src/table/messages.rs"];
    let mut problems = Vec::new();
    for path in files("crate/src", &[".rs"]) {
        let name = short(&path);
        // Tests may read what they expect by whatever means.
        if name.ends_with("/tests.rs") {
            continue;
        }
        let derives = |line: &str| line.contains("derive(") && line.contains("Serialize");
        for (number, line) in code(&text(&path)) {
            let uses = SERDE.iter().any(|word| line.contains(&format!("{word}::")));
            if uses && !PLACES.iter().any(|place| name.starts_with(place)) {
                problems.push(format!("{name}:{number}: serde"));
            }
            if derives(line)
                && !(name.starts_with("crate/src/export/report_json") || name.starts_with("crate/src/web/"))
            {
                problems.push(format!("{name}:{number}: only report_json and the page's edge serialize"));
            }
        }
    }
    none(&problems);
}

#[test]
fn every_package_keeps_the_lints() {
    let workspace: toml::Table = text(&stepscope_tests::files::root().join("Cargo.toml")).parse().expect("TOML");
    let lints = &workspace["workspace"]["lints"];
    for lint in ["missing_docs", "unsafe_code", "unreachable_pub"] {
        assert!(lints["rust"].get(lint).is_some(), "the workspace no longer has the lint {lint}");
    }
    for lint in
        ["unwrap_used", "panic", "todo", "dbg_macro", "wildcard_imports", "missing_errors_doc", "missing_panics_doc"]
    {
        assert!(lints["clippy"].get(lint).is_some(), "the workspace no longer has the lint clippy::{lint}");
    }
    for member in workspace["workspace"]["members"].as_array().expect("members") {
        let member = member.as_str().expect("a path");
        let package: toml::Table =
            text(&stepscope_tests::files::root().join(member).join("Cargo.toml")).parse().expect("TOML");
        let kept = package.get("lints").and_then(|lints| lints.get("workspace"));
        assert_eq!(kept.and_then(toml::Value::as_bool), Some(true), "{member} does not keep the workspace's lints");
    }
}

/// What is built for others trusts no path of the machine that built it: anybody may have put files there.
#[test]
fn no_path_of_the_build_is_in_a_release() {
    const SOURCES: [&str; 3] = ["crate/src", "collector/src", "collector/inject/src"];
    const BUILD_PATHS: [&str; 3] = ["CARGO_MANIFEST_DIR", "OUT_DIR", "CARGO_BIN_EXE"];
    let mut problems = Vec::new();
    for path in SOURCES.iter().flat_map(|folder| files(folder, &[".rs"])) {
        let text = text(&path);
        let mut before = "";
        for (number, line) in code(&text) {
            if BUILD_PATHS.iter().any(|name| line.contains(name)) && before.trim() != "#[cfg(debug_assertions)]" {
                problems.push(format!("{}:{number}: not under cfg(debug_assertions): {}", short(&path), line.trim()));
            }
            before = line;
        }
    }
    none(&problems);
}
