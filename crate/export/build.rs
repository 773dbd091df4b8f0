//! Takes the English texts of rules and of jobs from the messages of the page (`src/page/en.json`, a link to `www/i18n`), so that
//! they are written once.

use std::path::Path;
use std::{env, fs};

const MESSAGES: &str = "src/page/en.json";

/// Texts by the last part of their keys: the name of the list, and the beginning of the keys.
const LISTS: [(&str, &str); 3] =
    [("REASONS", "advice.not_applicable."), ("EXEMPTIONS", "advice.exemption."), ("LACKS", "advice.missing.")];

/// The beginnings of keys of texts on a job, which the program prints.
const OF_JOB: [&str; 5] = ["drill_down.", "ranks.cause.", "ranks.given.", "ranks.rule.", "ranks.warning."];

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed={MESSAGES}");
    let source = fs::read_to_string(MESSAGES).map_err(|error| format!("{MESSAGES}, a link to www/i18n: {error}"))?;
    if !source.starts_with('{') {
        return Err(format!("{MESSAGES} is a link: check it out with `git config core.symlinks true`"));
    }
    let messages = source.lines().filter_map(message).collect::<Result<Vec<_>, _>>()?;
    let text = |key: &str| messages.iter().find(|(known, _)| *known == key).map(|(_, text)| *text);

    let mut rules = Vec::new();
    for (key, title) in &messages {
        let Some(id) = key.strip_prefix("advice.").and_then(|key| key.strip_suffix(".title")) else { continue };
        let fix = text(&format!("advice.{id}")).ok_or_else(|| format!("{MESSAGES} has {key}, but not advice.{id}"))?;
        rules.push(format!(r#"("{id}", "{title}", "{fix}")"#));
    }
    let mut code = list("RULES", "(&str, &str, &str)", &rules)?;
    let wholes = messages.iter().filter_map(|(key, text)| {
        let id = key.strip_prefix("advice.")?.strip_suffix(".whole")?;
        Some(format!(r#"("{id}", "{text}")"#))
    });
    code += &list("WHOLES", "(&str, &str)", &wholes.collect::<Vec<_>>())?;
    for (name, beginning) in LISTS {
        let rows = messages.iter().filter_map(|(key, text)| Some((key.strip_prefix(beginning)?, text)));
        let rows: Vec<String> = rows.map(|(key, text)| format!(r#"("{key}", "{text}")"#)).collect();
        code += &list(name, "(&str, &str)", &rows)?;
    }
    let of_job = messages.iter().filter(|(key, _)| OF_JOB.iter().any(|beginning| key.starts_with(beginning)));
    let of_job = of_job.filter(|(key, _)| !key.ends_with(".why")).map(|(key, text)| format!(r#"("{key}", "{text}")"#));
    code += &list("OF_JOB", "(&str, &str)", &of_job.collect::<Vec<_>>())?;
    let folder = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    fs::write(Path::new(&folder).join("page_text.rs"), code).map_err(|error| error.to_string())
}

/// The key and the text of a line. The text keeps its escapes, which Rust has as well.
fn message(line: &str) -> Option<Result<(&str, &str), String>> {
    let (key, text) = line.trim().trim_end_matches(',').strip_prefix('"')?.split_once("\": \"")?;
    let has_other = ["\\u", "\\/", "\\b", "\\f"].iter().any(|escape| text.contains(escape));
    let text = text.strip_suffix('"').filter(|_| !has_other);
    Some(
        text.map(|text| (key, text))
            .ok_or_else(|| format!("{MESSAGES}: {key} is on two lines, or has other escapes than Rust")),
    )
}

/// A list of tuples.
fn list(name: &str, kind: &str, rows: &[String]) -> Result<String, String> {
    if rows.is_empty() {
        return Err(format!("{MESSAGES} has nothing for {name}"));
    }
    Ok(format!("const {name}: [{kind}; {}] = [\n{},\n];\n", rows.len(), rows.join(",\n")))
}
