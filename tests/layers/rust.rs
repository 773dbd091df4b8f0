//! Modules of the analyzer.

use std::path::Path;

use super::{analyzer, files, none, short, text};

/// A crate of the analyzer, with its allowed dependencies among our crates and others. The compiler enforces them; this
/// list makes a new dependency a decision.
struct Layer {
    name: &'static str,
    ours: &'static [&'static str],
    others: &'static [&'static str],
}

/// Each after those that it depends on. The facade, which is not listed, has the edge to JavaScript.
const LAYERS: [Layer; 11] = [
    Layer { name: "base", ours: &[], others: &[] },
    Layer { name: "parse", ours: &["base"], others: &["hashbrown", "rustc-hash"] },
    Layer { name: "trace", ours: &["base"], others: &["hashbrown", "rustc-hash"] },
    Layer {
        name: "read",
        ours: &["base", "parse", "trace"],
        others: &["hashbrown", "memchr", "rustc-hash", "serde", "serde_json"],
    },
    Layer { name: "input", ours: &["base", "read", "trace"], others: &["flate2", "ruzstd"] },
    // The words of tables are JSON, which the page reads, too.
    Layer { name: "table", ours: &["base"], others: &["schemars", "serde", "serde_json"] },
    Layer { name: "analyze", ours: &["base", "table", "trace"], others: &["hashbrown", "memchr", "rustc-hash"] },
    Layer {
        name: "present",
        ours: &["analyze", "base", "table", "trace"],
        others: &["hashbrown", "plotters", "plotters-backend", "rustc-hash"],
    },
    Layer {
        name: "export",
        ours: &["analyze", "base", "present", "table", "trace"],
        others: &["hashbrown", "rustc-hash", "schemars", "serde", "serde_json"],
    },
    // For program and page: the facade does not re-export it.
    Layer { name: "style", ours: &["analyze", "base", "present", "trace"], others: &[] },
    Layer { name: "report", ours: &["analyze", "base", "present", "table", "trace"], others: &["serde_json"] },
];

/// None of our crates does any of this natively: the program and the page do.
const OUTSIDE: [&str; 7] = ["std::fs", "std::env", "std::net", "std::thread", "std::process", "std::time", "std::path"];

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

pub(super) fn manifest(folder: &str) -> toml::Table {
    text(&stepscope_tests::files::root().join(folder).join("Cargo.toml")).parse().expect("TOML")
}

#[test]
fn every_crate_depends_on_the_stages_before_it_only() {
    for (place, layer) in LAYERS.iter().enumerate() {
        let package = manifest(&format!("crate/{}", layer.name));
        assert!(package.get("target").is_none(), "{} has dependencies of one platform", layer.name);
        let (ours, others): (Vec<_>, Vec<_>) = package["dependencies"]
            .as_table()
            .expect("dependencies")
            .keys()
            .map(String::as_str)
            // Our own formats are allowed everywhere through their own crate.
            .filter(|name| *name != "stepscope-format")
            .partition(|name| name.starts_with("stepscope-"));
        let ours: Vec<&str> = ours.iter().map(|name| name.trim_start_matches("stepscope-")).collect();
        assert_eq!(sorted(&ours), sorted(layer.ours), "{}'s own dependencies", layer.name);
        assert_eq!(sorted(&others), sorted(layer.others), "{}'s dependencies of others", layer.name);
        let before = |name: &&str| LAYERS[..place].iter().any(|layer| layer.name == *name);
        assert!(ours.iter().all(before), "{} depends on what comes after it", layer.name);
    }
    let folders = std::fs::read_dir(stepscope_tests::files::root().join("crate")).expect("the crates");
    for folder in folders.map(|folder| folder.expect("a folder")).filter(|folder| folder.path().join("src").exists()) {
        let name = folder.file_name().into_string().expect("a name");
        assert!(name == "fuzz" || LAYERS.iter().any(|layer| layer.name == name), "crate/{name} has no line in LAYERS");
    }
}

fn sorted<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let mut names = names.to_vec();
    names.sort_unstable();
    names
}

/// An analysis returns numbers, never text, and no layer uses the environment of the program.
#[test]
fn no_layer_does_io_or_knows_the_clock() {
    let mut problems = Vec::new();
    for path in analyzer() {
        let name = short(&path);
        if name.ends_with("/tests.rs") {
            continue;
        }
        for (number, line) in code(&text(&path)) {
            let mut named: Vec<&str> = OUTSIDE.into_iter().filter(|word| line.contains(&format!("{word}::"))).collect();
            let is_pure = ["analyze", "parse", "present", "report", "trace"]
                .iter()
                .any(|layer| name.starts_with(&format!("crate/{layer}/")));
            if is_pure && line.contains("std::io::") {
                named.push("std::io");
            }
            // A rank's file has a name, and its warnings an example.
            if name.starts_with("crate/analyze/") && name != "crate/analyze/src/rank.rs" && line.contains("format!(") {
                named.push("format!");
            }
            problems.extend(named.iter().map(|word| format!("{name}:{number}: must not name {word}")));
        }
    }
    none(&problems);
}

#[test]
fn one_reader_does_not_know_another() {
    let mut problems = Vec::new();
    let readers: Vec<String> = std::fs::read_dir(stepscope_tests::files::root().join("crate/read/src"))
        .expect("the readers")
        .filter_map(|entry| entry.expect("an entry").file_name().into_string().ok())
        .filter(|name| name != "lib.rs")
        .map(|name| name.trim_end_matches(".rs").to_owned())
        .collect();
    for path in files("crate/read/src", &[".rs"]) {
        let name = short(&path);
        let own = Path::new(&name).components().nth(3).expect("a file").as_os_str().to_string_lossy().into_owned();
        for (number, line) in code(&text(&path)).filter(|_| own != "lib.rs") {
            // The interface of readers, and the modules for all of them: Chrome's events and sampled stacks come from
            // many producers, records of CUPTI from NVIDIA's databases.
            const SHARED: [&str; 8] = ["chrome", "clip", "cupti", "head", "reader", "recordings", "stacks", "unread"];
            let shared = |used: &&str| SHARED.contains(used);
            let braced = line.split_once("crate::{").map_or("", |(_, rest)| rest.trim_end_matches("};"));
            let braced = braced.split([',', ' ']).map(|name| name.split("::").next().unwrap_or_default());
            if line.ends_with("crate::{") {
                problems.push(format!("{name}:{number}: names over several lines hide what is used"));
            }
            for used in names_after(line, "crate::").into_iter().chain(braced).filter(|used| !shared(used)) {
                if readers.iter().any(|reader| reader == used) && used != own.trim_end_matches(".rs") {
                    problems.push(format!("{name}:{number}: {own} must not use {used}"));
                }
            }
        }
    }
    none(&problems);
}

#[test]
fn every_package_keeps_the_lints() {
    let workspace = manifest("");
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
        let package = manifest(member);
        let kept = package.get("lints").and_then(|lints| lints.get("workspace"));
        assert_eq!(kept.and_then(toml::Value::as_bool), Some(true), "{member} does not keep the workspace's lints");
    }
}

/// A release trusts no path of the machine that built it: on another machine, anyone may have put files there. Sources
/// that a build script writes are read by the compiler alone.
#[test]
fn no_path_of_the_build_is_in_a_release() {
    const SOURCES: [&str; 3] = ["collector/src", "collector/cli/src", "collector/inject/src"];
    const BUILD_PATHS: [&str; 3] = ["CARGO_MANIFEST_DIR", "OUT_DIR", "CARGO_BIN_EXE"];
    const GENERATED: &str = r#"include!(concat!(env!("OUT_DIR"), "/"#;
    let mut problems = Vec::new();
    let theirs = SOURCES.iter().flat_map(|folder| files(folder, &[".rs"]));
    for path in theirs.chain(analyzer()) {
        let text = text(&path);
        let mut before = "";
        for (number, line) in code(&text) {
            let has_path = BUILD_PATHS.iter().any(|name| line.contains(name)) && !line.starts_with(GENERATED);
            if has_path && before.trim() != "#[cfg(debug_assertions)]" {
                problems.push(format!("{}:{number}: not under cfg(debug_assertions): {}", short(&path), line.trim()));
            }
            before = line;
        }
    }
    none(&problems);
}
