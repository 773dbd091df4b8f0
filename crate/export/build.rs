//! Takes the English texts of rules from the messages of the page (`src/page/en.json`, a link to `www/i18n`), so that
//! they are written once.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

const MESSAGES: &str = "src/page/en.json";

/// Texts by the last part of their keys: the name of the list, and the beginning of the keys.
const LISTS: [(&str, &str); 3] =
    [("REASONS", "advice.not_applicable."), ("EXEMPTIONS", "advice.exemption."), ("LACKS", "advice.missing.")];

fn main() {
    println!("cargo::rerun-if-changed={MESSAGES}");
    let source = fs::read_to_string(MESSAGES).expect("crate/export/src/page links to www/i18n");
    assert!(source.starts_with('{'), "{MESSAGES} is a link: check it out with `git config core.symlinks true`");
    let messages: Vec<(&str, &str)> = source.lines().filter_map(message).collect();
    let text = |key: &str| messages.iter().find(|(known, _)| *known == key).map(|(_, text)| *text);

    let mut code = String::new();
    list(
        &mut code,
        "RULES",
        "(&str, &str, &str)",
        messages.iter().filter_map(|(key, title)| {
            let of_rule = key.strip_suffix(".title")?;
            let id = of_rule.strip_prefix("advice.")?;
            let fix = text(of_rule).unwrap_or_else(|| panic!("{MESSAGES} has {key}, but not {of_rule}"));
            Some(format!(r#"("{id}", "{title}", "{fix}")"#))
        }),
    );
    for (name, beginning) in LISTS {
        list(
            &mut code,
            name,
            "(&str, &str)",
            messages
                .iter()
                .filter_map(|(key, text)| Some(format!(r#"("{}", "{text}")"#, key.strip_prefix(beginning)?))),
        );
    }
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("advice_text.rs"), code).expect("cargo's folder can be written");
}

/// The key and the text of a line. The text keeps its escapes, which Rust has as well.
fn message(line: &str) -> Option<(&str, &str)> {
    let (key, text) = line.trim().trim_end_matches(',').strip_prefix('"')?.split_once("\": \"")?;
    let text = text.strip_suffix('"').unwrap_or_else(|| panic!("{MESSAGES}: {key} ends on another line"));
    assert!(!["\\u", "\\/", "\\b", "\\f"].iter().any(|escape| text.contains(escape)), "{MESSAGES}: an escape in {key}");
    Some((key, text))
}

/// Writes a list of tuples.
fn list(code: &mut String, name: &str, kind: &str, rows: impl Iterator<Item = String>) {
    let rows: Vec<String> = rows.collect();
    assert!(!rows.is_empty(), "{MESSAGES} has nothing for {name}");
    writeln!(code, "const {name}: [{kind}; {}] = [\n{},\n];", rows.len(), rows.join(",\n")).expect("memory");
}
