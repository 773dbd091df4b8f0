//! Texts for users are plain: no riddles, no words that the field does not use. The rules stand in CONTRIBUTING.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use stepscope::export::report_json::published_schemas;
use stepscope::page_schema;
use stepscope_tests::files::root;

use super::files;

/// Phrases that texts for users do not contain. Code and doc comments may.
const FORBIDDEN: [&str; 21] = [
    "tell",
    "told",
    "tells",
    "said",
    "nobody",
    "goes on",
    "go on",
    "holds up",
    "hold up",
    "held up",
    "holds",
    "meanwhile",
    "by itself",
    "nearer",
    "reckoned",
    "mended",
    "any more",
    "no such",
    "all the same",
    "anew",
    "fills",
];

/// No sentence begins with one of these.
const BEGINNINGS: [&str; 8] =
    ["Of ", "What ", "Whose ", "Who ", "At most all of it", "Recorded are ", "Not reached are ", "Known are "];

/// Exceptions: a question, the system's own words, and a word of the JSON. This list only shrinks.
const ALLOWED: [&str; 4] =
    ["What if", "What if, on average of the steps; delays of unknown cause stay", "No such file", "holds"];

/// Sources with texts for users: the program, the HTML report, warnings, errors.
const SOURCES: [&str; 6] = [
    "collector/cli/src",
    "crate/report/src",
    "crate/base/src/rejection.rs",
    "crate/base/src/warn.rs",
    "crate/base/src/error.rs",
    "crate/read/src",
];

/// Files of messages, by language.
const FILES_OF_MESSAGES: [&str; 4] = [
    "www/i18n/LANGUAGE.json",
    "crate/table/src/messages/LANGUAGE.json",
    "crate/present/src/messages/LANGUAGE.json",
    "crate/report/src/messages/report.LANGUAGE.json",
];

/// Words that no Chinese text contains, each with the term of MindSpore's, Paddle's or NVIDIA's documentation.
const CHINESE: [(&str, &str); 9] = [
    ("角色", "时间类别"),
    ("步长", "单步时间"),
    ("步骤", "步"),
    ("片段", "切片"),
    ("置值", "memset"),
    ("极限", "上限"),
    ("任务", "作业"),
    ("在场", "已加载"),
    ("忙碌", "繁忙"),
];

/// The faults of a Chinese text: words of [`CHINESE`], and Latin letters without a space beside Chinese ones.
fn chinese_faults(text: &str) -> Vec<String> {
    let is_chinese = |character: char| ('\u{4e00}'..='\u{9fff}').contains(&character);
    let words = CHINESE.iter().filter(|(word, _)| text.contains(word)).map(|(word, good)| format!("{word}: {good}"));
    let beside = text.chars().zip(text.chars().skip(1)).filter(|(one, next)| {
        is_chinese(*one) && next.is_ascii_alphabetic() || one.is_ascii_alphabetic() && is_chinese(*next)
    });
    words.chain(beside.map(|(one, next)| format!("no space: {one}{next}"))).collect()
}

/// The forbidden phrases of a text.
fn faults(text: &str) -> Vec<&'static str> {
    if ALLOWED.contains(&text) {
        return Vec::new();
    }
    // Names of values in braces are not visible in a text.
    let parts: Vec<&str> = text
        .split('{')
        .enumerate()
        .map(|(index, part)| if index == 0 { part } else { part.split_once('}').map_or(part, |(_, rest)| rest) })
        .collect();
    let text = parts.concat();
    let lower = text.to_lowercase();
    let is_word = |at: usize, phrase: &str| {
        let around = [lower[..at].chars().next_back(), lower[at + phrase.len()..].chars().next()];
        around.into_iter().flatten().all(|character| !character.is_alphanumeric())
    };
    let has = |phrase: &&str| lower.match_indices(*phrase).any(|(at, _)| is_word(at, phrase));
    let begins = |beginning: &&str| {
        let sentences = [". ", "! ", "? ", ": "].map(|end| [end, beginning].concat());
        text.starts_with(*beginning) || sentences.iter().any(|sentence| text.contains(sentence.as_str()))
    };
    FORBIDDEN.into_iter().filter(|phrase| has(phrase)).chain(BEGINNINGS.into_iter().filter(|one| begins(one))).collect()
}

/// The texts of a file of messages.
fn messages(path: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).expect("messages");
    let read: BTreeMap<String, String> = serde_json::from_str(&text).expect("messages");
    read.into_iter().collect()
}

/// The descriptions in a schema, with their paths.
fn descriptions(place: &str, schema: &Value, found: &mut Vec<(String, String)>) {
    match schema {
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    // A property may have that name, too.
                    Value::String(text) if key == "description" => {
                        found.push((place.to_owned(), text.split('`').step_by(2).collect()));
                    }
                    _ => descriptions(&format!("{place}/{key}"), value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| descriptions(place, item, found)),
        _ => {}
    }
}

/// The pages of the book in a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the book").filter_map(Result::ok).map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect()
}

/// The paragraphs of a page of documentation, without code, by their lines.
fn prose(path: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).expect("a page");
    let mut is_code = false;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            // Addresses and code in a sentence are not our words.
            let words: String = line.split('`').step_by(2).collect();
            found.push((format!("{}:{}", path.display(), number + 1), words));
        }
    }
    found
}

/// The Rust files of a folder and of those in it, or the file itself.
fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let entries = fs::read_dir(path).expect("sources").filter_map(Result::ok).map(|entry| entry.path());
    entries
        .filter(|path| path.is_dir() || path.extension().is_some_and(|kind| kind == "rs"))
        .filter(|path| !path.ends_with("tests.rs"))
        .flat_map(|path| sources(&path))
        .collect()
}

/// The texts of a Rust file, up to its tests: literals, and the comments on options of the command line, which are its help.
fn literals(path: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).expect("a source");
    let has_help = text.contains("#[arg(") || text.contains("#[command(");
    let mut found = Vec::new();
    // A literal that goes over several lines, until its last one.
    let mut begun = String::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line == "#[cfg(test)]" {
            break;
        }
        let place = format!("{}:{}", path.display(), number + 1);
        if let Some(comment) = line.strip_prefix("///") {
            if has_help && line_is_help(&text, number) {
                found.push((place, comment.trim().to_owned()));
            }
            continue;
        }
        if line.starts_with("//") {
            continue;
        }
        if let Some(part) = line.strip_suffix('\\') {
            begun.push_str(part);
        } else {
            let whole = std::mem::take(&mut begun) + line;
            let unescaped = whole.replace("\\\"", "'");
            found.extend(unescaped.split('"').skip(1).step_by(2).map(|literal| (place.clone(), literal.to_owned())));
        }
    }
    found
}

/// Whether a comment is on an option or a command: an attribute of the command line follows it.
fn line_is_help(text: &str, number: usize) -> bool {
    let next = text.lines().skip(number).map(str::trim).find(|line| !line.starts_with("///"));
    next.is_some_and(|line| ["#[arg(", "#[command("].iter().any(|attribute| line.starts_with(attribute)))
}

#[test]
fn texts_for_users_are_plain() {
    let pages = ["docs/src", "docs/src/recording"].map(|name| pages(&root().join(name))).into_iter().flatten();
    let pages =
        pages.chain(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root().join(name)));
    let texts = FILES_OF_MESSAGES.map(|name| messages(&root().join(name.replace("LANGUAGE", "en"))));
    let sources = SOURCES.iter().flat_map(|name| sources(&root().join(name)));
    let mut schemas = Vec::new();
    for (name, schema) in published_schemas().into_iter().chain([("page", page_schema())]) {
        descriptions(name, &schema, &mut schemas);
    }
    let texts = texts.into_iter().chain([schemas]).flatten().chain(pages.flat_map(|page| prose(&page)));
    let texts = texts.chain(sources.flat_map(|source| literals(&source)));
    let found: Vec<String> = texts
        .filter_map(|(place, text)| {
            let faults = faults(&text);
            (!faults.is_empty()).then(|| format!("{place}: {faults:?} in {text:?}"))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn chinese_texts_have_one_word_for_one_thing() {
    let texts = FILES_OF_MESSAGES.map(|name| messages(&root().join(name.replace("LANGUAGE", "zh"))));
    let pages = ["docs/src/zh", "docs/src/zh/recording"].map(|name| pages(&root().join(name))).into_iter().flatten();
    let texts = texts.into_iter().flatten().chain(pages.flat_map(|page| prose(&page)));
    let found: Vec<String> = texts
        .filter_map(|(key, text)| {
            let faults = chinese_faults(&text);
            (!faults.is_empty()).then(|| format!("{key}: {faults:?} in {text:?}"))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A comment names its item by a noun or a verb.
#[test]
fn comments_do_not_begin_with_a_clause() {
    let sources = ["crate", "collector", "tests", "xtask", "www"]
        .into_iter()
        .flat_map(|folder| files(folder, &[".rs", ".js", ".mjs", ".ts", ".css", ".h", ".c", ".py"]));
    let found = sources.flat_map(|path| {
        let text = fs::read_to_string(&path).expect("a source");
        let faults =
            clauses(&text, if path.extension().is_some_and(|end| end == "py") { &["#"] } else { &["//", "/*", "*"] })
                .into_iter()
                .map(|(line, text)| format!("{}:{line}: {text}", path.display()));
        faults.collect::<Vec<_>>()
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The first lines of comments that begin with a clause, with their numbers.
fn clauses<'a>(source: &'a str, starts: &[&str]) -> Vec<(usize, &'a str)> {
    let comment = |line: &str| starts.iter().any(|start| line.trim_start().starts_with(start));
    let lines: Vec<&str> = source.lines().collect();
    let first = |index: usize| comment(lines[index]) && (index == 0 || !comment(lines[index - 1]));
    let firsts = (0..lines.len()).filter(|index| first(*index)).map(|index| (index + 1, lines[index].trim()));
    let begins = |text: &str| {
        let text = text.trim_start_matches(['/', '!', '*', '#', ' ']);
        ["Of ", "What ", "Whose ", "Who "].iter().any(|beginning| text.starts_with(beginning))
    };
    firsts.filter(|(_, text)| begins(text)).collect()
}

/// The book names each tab as the page does.
#[test]
fn the_book_names_all_tabs() {
    for (language, page) in [("en", "docs/src/page.md"), ("zh", "docs/src/zh/page.md")] {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        let separator = if language == "zh" { "、" } else { ", " };
        let cells = text.lines().filter(|line| line.starts_with("| ")).filter_map(|line| line.split('|').nth(2));
        let named: BTreeSet<&str> = cells.flat_map(|cell| cell.split(separator)).map(str::trim).collect();
        let texts = messages(&root().join(format!("www/i18n/{language}.json")));
        // The tab of operators is named slices if there are no operators.
        let tabs = texts
            .iter()
            .filter(|(key, _)| key.strip_prefix("tab.").is_some_and(|tab| !tab.contains('.') && tab != "slices"));
        let missing: Vec<&str> = tabs.map(|(_, tab)| tab.as_str()).filter(|tab| !named.contains(tab)).collect();
        assert!(missing.is_empty(), "{page} lacks {missing:?}");
    }
}

#[test]
fn faults_of_chinese_texts_are_found() {
    assert_eq!(chinese_faults("各 rank 的单步时间，取自 {name}。"), Vec::<String>::new());
    assert_eq!(chinese_faults("trace中的步长"), ["步长: 单步时间", "no space: e中"]);
}

#[test]
fn texts_of_sources_are_found() {
    let path = std::env::temp_dir().join(format!("stepscope-words-{}.rs", std::process::id()));
    let source = "/// No help.\nstruct A {\n    /// Help.\n    #[arg(long)]\n    a: &str,\n}\n// \"no\"\nf(\"one\", \"two \\\n   lines\");\n\
                  #[cfg(test)]\ng(\"no\");\n";
    fs::write(&path, source).expect("a file");
    let texts: Vec<String> = literals(&path).into_iter().map(|(_, text)| text).collect();
    fs::remove_file(&path).expect("it is there");
    assert_eq!(texts, ["Help.", "one", "two lines"]);
}

#[test]
fn clauses_are_found_at_the_beginning_of_comments() {
    let source = "//! Rows.\n\n/// What it is.\nfn a() {}\n    // A row\n    // Of these, two.\n\n/** Of a row. */\n";
    assert_eq!(clauses(source, &["//", "/*", "*"]), [(3, "/// What it is."), (8, "/** Of a row. */")]);
}

#[test]
fn phrases_are_found_as_words() {
    assert_eq!(faults("A threshold is no household word."), Vec::<&str>::new());
    assert_eq!(faults("The rule holds. Of these, two."), ["holds", "Of "]);
    assert_eq!(faults("What if"), Vec::<&str>::new());
}
