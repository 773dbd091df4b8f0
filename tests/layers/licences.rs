//! Dependencies have licenses that `deny.toml` allows, and come from crates.io alone.
//!
//! `cargo xtask deny` checks more; this test needs only cargo.

use std::process::Command;

use serde_json::Value;
use stepscope_tests::files::root;

use crate::{none, text};

/// Whether an expression (`MIT OR (ISC AND Zlib)`, or the older form `MIT/ISC`) can be satisfied by allowed licenses.
fn is_met(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let expression = expression.replace('/', " OR ");
    let (mut depth, mut rest) = (0, expression.as_str());
    // Parts at the outermost level: any one suffices for OR, which binds less than AND.
    for (word, any) in [(" OR ", true), (" AND ", false)] {
        let (mut parts, mut from) = (Vec::new(), 0);
        for (at, character) in rest.char_indices() {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ if depth == 0 && rest[at..].starts_with(word) => {
                    parts.push(&rest[from..at]);
                    from = at + word.len();
                }
                _ => {}
            }
        }
        if !parts.is_empty() {
            parts.push(&rest[from..]);
            let met = |part: &&str| is_met(part, allowed);
            return if any { parts.iter().any(met) } else { parts.iter().all(met) };
        }
    }
    rest = rest.trim();
    match rest.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_met(inner, allowed),
        None => allowed(rest),
    }
}

#[test]
fn what_others_wrote_is_under_licences_that_are_allowed() {
    let rules: toml::Value = toml::from_str(&text(&root().join("deny.toml"))).expect("deny.toml");
    let list = rules["licenses"]["allow"].as_array().expect("a list of licences");
    let allowed = |licence: &str| list.iter().any(|one| one.as_str() == Some(licence));
    assert!(is_met("(MIT OR Foo) AND Zlib", &allowed) && is_met("Foo/MIT", &allowed));
    assert!(!is_met("MIT AND Foo", &allowed) && !is_met("(MIT AND Foo) OR (Bar AND MIT)", &allowed));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut metadata = Command::new(cargo);
    metadata.current_dir(root()).args(["metadata", "--format-version", "1", "--locked"]);
    let output = metadata.output().expect("cargo metadata");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut problems = Vec::new();
    let mut theirs = 0;
    for package in found["packages"].as_array().expect("packages") {
        let (name, licence) = (&package["name"], package["license"].as_str());
        match package["source"].as_str() {
            None => assert_eq!(licence, Some("MIT OR Apache-2.0"), "ours: {name}"),
            Some(source) => {
                theirs += 1;
                if source != "registry+https://github.com/rust-lang/crates.io-index" {
                    problems.push(format!("{name} comes from {source}"));
                }
                if !licence.is_some_and(|licence| is_met(licence, &allowed)) {
                    problems.push(format!("{name}: {licence:?} is not met by what deny.toml allows"));
                }
            }
        }
    }
    assert!(theirs > 20, "{theirs} packages of others");
    none(&problems);
}
