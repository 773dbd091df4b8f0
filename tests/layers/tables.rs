//! Checks derived from the descriptions of tables: their messages, the documentation's list of columns, the columns of
//! data frames.

use std::collections::BTreeSet;
use std::fs;

use stepscope::analyze::described_tables;
use stepscope::table::messages::{CHINESE, ENGLISH, heading, heading_keys, meaning, title_key};
use stepscope::table::{Column, Show, Unit, View};

use super::page::messages;
use super::{none, root, text};

/// The list of columns in the documentation.
const LIST: &str = "docs/src/tables.md";

/// The columns of data frames.
const FRAMES: &str = "collector/python/stepscope/_described.py";

#[test]
fn tables_have_titles_and_their_columns_headings_and_meanings_in_both_languages() {
    let mut missing = Vec::new();
    for language in ["en", "zh"] {
        let messages = messages(language);
        for table in described_tables() {
            if table.view.is_some() {
                let title = title_key(table.id);
                let without = ["", ".why"].into_iter().filter(|end| !messages.contains_key(&[&title, *end].concat()));
                missing.extend(without.map(|end| format!("{language}: {title}{end}")));
            }
            for column in table.columns.iter().filter(|column| column.show != Show::Data) {
                let keys = heading_keys(table.id, column);
                let has = |suffix: &str| keys.iter().any(|key| messages.contains_key(&[key, suffix].concat()));
                // A word needs no explanation.
                let is_word = !column.unit.is_number() && column.unit != Unit::Flag;
                if !has("") || !(is_word || has(".why")) {
                    missing.push(format!("{language}: {}.{}", table.id, column.key));
                }
            }
        }
    }
    none(&missing);
}

#[test]
fn every_message_of_tables_is_of_one() {
    let tables = described_tables();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut words: BTreeSet<String> = BTreeSet::new();
    for table in &tables {
        // A test of the report finds titles that it does not use.
        known.insert(title_key(table.id));
        for column in &table.columns {
            known.extend(heading_keys(table.id, column));
            words.extend(if let Unit::Word(prefix) = column.unit { Some([prefix, "."].concat()) } else { None });
        }
    }
    for messages in [ENGLISH, CHINESE] {
        let messages: serde_json::Map<String, serde_json::Value> = serde_json::from_str(messages).expect("texts");
        let is_of_one = |key: &str| {
            // The step budget's texts are looked up by the names of its leaves and causes; a unit test has them all.
            // The program prints the savings of advice, too.
            let column = [".why", ".none", ".without"].iter().find_map(|suffix| key.strip_suffix(suffix));
            known.contains(column.unwrap_or(key))
                || words.iter().any(|word| key.starts_with(word))
                || key.starts_with("budget.")
                || key.starts_with("advice.gain")
        };
        let left: Vec<String> = messages.keys().filter(|key| !is_of_one(key)).cloned().collect();
        none(&left);
    }
}

#[test]
fn keys_and_sorts_are_those_of_columns() {
    for table in described_tables() {
        let keys: BTreeSet<&str> = table.columns.iter().map(|column| column.key).collect();
        assert_eq!(keys.len(), table.columns.len(), "{}: a key twice", table.id);
        for key in table.first.iter().chain([&table.sort]) {
            assert!(keys.contains(key), "{}: no column {key}", table.id);
        }
    }
}

/// A link to the timeline takes the second column of a span for its end if that is a moment, else for its length.
#[test]
fn spans_begin_with_a_moment() {
    for table in described_tables() {
        let unit = |key: &str| table.columns.iter().find(|column| column.key == key).expect("a column").unit;
        if let Some([start, end]) = table.span {
            assert_eq!(unit(start), Unit::Moment, "{}.{start}", table.id);
            let wanted = if ["length_ns", "total_ns"].contains(&end) { Unit::Duration } else { Unit::Moment };
            assert_eq!(unit(end), wanted, "{}.{end}", table.id);
        }
        for column in &table.columns {
            // Collectives of a step start so long after the step.
            let is_offset = table.id == "step_trace.steps[].collectives";
            let is_moment = !is_offset && ["start_ns", "end_ns"].iter().any(|ending| column.key.ends_with(ending));
            assert!(!is_moment || column.unit == Unit::Moment, "{}.{}", table.id, column.key);
        }
    }
}

/// Compares a file with its wanted text, or writes it.
fn bless(path: &str, wanted: &str) {
    let file = root().join(path);
    if std::env::var_os("STEPSCOPE_BLESS").is_some() {
        fs::write(&file, wanted).expect("the file can be written");
    } else if fs::read_to_string(&file).ok().as_deref() != Some(wanted) {
        none(&[format!("{path} is not what tables are described as; STEPSCOPE_BLESS=1 writes it")]);
    }
}

/// A message with NVIDIA's names of a device's units.
fn named(text: &str) -> String {
    let text = text.replace("{Matrix}", "Tensor cores").replace("{matrix}", "tensor cores").replace("{warps}", "warps");
    text.replace("{units}", "SMs").replace("{unit}", "SM").replace("{Unit}", "SM")
}

#[test]
fn the_documentation_lists_all_columns() {
    let mut list = String::from(
        "# Columns of tables\n\n\
         The page, the program's tables, HTML reports, CSV files, JSON and data frames have these columns. \
         Keys are those of JSON, CSV files and data frames; a key with dots is an object within an object in JSON. \
         Times are in nanoseconds, shares from 0 to 1. A value that is known for a part of the time has a second key, \
         `KEY_coverage`: that part.\n\n\
         `STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test layers` writes this page from the tables' descriptions.\n",
    );
    let english = messages("en");
    for table in described_tables() {
        let title = title_key(table.id);
        let titled = table.view.map(|_| format!("{}: {}.\n\n", english[&title], english[&(title + ".why")]));
        list.push_str(&format!(
            "\n## `{}`\n\n{}| key | unit | heading | meaning |\n| --- | --- | --- | --- |\n",
            table.id,
            titled.unwrap_or_default()
        ));
        for column in &table.columns {
            // A sign is no unit.
            let unit = column.unit.name().trim_start_matches("signed_").replace('_', " ");
            // A column of data alone may have no heading.
            let is_named = column.show != Show::Data || heading(table.id, column) != column.last_key();
            let heading = if is_named { named(heading(table.id, column)) } else { String::new() };
            let meaning = if is_named { named(meaning(table.id, column)) } else { String::new() };
            assert!(!meaning.contains(['|', '\n']), "{} breaks the list", column.key);
            list.push_str(&format!("| `{}` | {unit} | {heading} | {meaning} |\n", column.key));
        }
    }
    bless(LIST, &list);
    assert!(text(&root().join("docs/src/SUMMARY.md")).contains("(tables.md)"), "the documentation does not name it");
}

/// A table that names a view is in a tab of the page.
#[test]
fn each_view_is_a_tab() {
    let state = text(&root().join("www/js/page/state.js"));
    let (_, groups) = state.split_once("export const GROUPS = {").expect("the groups of tabs");
    let (groups, _) = groups.split_once("\n};").expect("the end of the groups");
    for view in View::ALL {
        assert!(groups.contains(&format!("'{}'", view.name())), "no tab {}", view.name());
    }
}

#[test]
fn data_frames_have_all_columns() {
    let mut python = String::from(
        "\"\"\"The columns of the tables that the analyzer describes.\n\n\
         Written by a test: STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test layers.\n\"\"\"\n\nDESCRIBED = {\n",
    );
    for table in described_tables() {
        let keys = |column: &&Column| {
            let coverage = if column.is_covered { format!(" {}_coverage", column.key) } else { String::new() };
            format!(" {}{coverage}", column.key)
        };
        let keys: String = table.columns.iter().map(keys).collect();
        // Rows of a job belong to no rank. Rows in a list of a rank's row have their index in it.
        let around = table.id.split_once("[].").map(|(around, _)| format!(" {around}_row")).unwrap_or_default();
        let whose = match table.id {
            "collectives" | "stragglers" => "",
            id if id.starts_with("job.") => "job_row",
            id if id.starts_with("cluster.") => "cluster_row",
            _ => "input rank",
        };
        let frame = table.id.replace("[]", "");
        python.push_str(&format!("    \"{frame}\": \"{}\",\n", [whose, &around, &keys].concat().trim_start()));
    }
    python.push_str("}\n");
    bless(FRAMES, &python);
}
