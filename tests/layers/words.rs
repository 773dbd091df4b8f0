//! Texts for users are plain: no riddles, no words that the field does not use. The rules stand in CONTRIBUTING.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use stepscope_tests::files::root;

/// Phrases that no text for users has. Code and doc comments may.
const FORBIDDEN: [&str; 12] = [
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
];

/// No sentence begins with one of these.
const BEGINNINGS: [&str; 5] = ["Of ", "What ", "Whose ", "Who ", "At most all of it"];

/// Texts that may: a question, and a peer's own words.
const ALLOWED: [&str; 1] = ["What if"];

/// Words that no Chinese text has, each with the one that MindSpore's, Paddle's or NVIDIA's documentation has for it.
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
    // Names of values that stand in a text are seen by nobody.
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
            // Addresses and code in a sentence are no words of ours.
            let words: String = line.split('`').step_by(2).collect();
            found.push((format!("{}:{}", path.display(), number + 1), words));
        }
    }
    found
}

#[test]
fn texts_for_users_are_plain() {
    let pages = ["docs/src", "docs/src/recording"].map(|name| pages(&root().join(name))).into_iter().flatten();
    let pages = pages.chain(["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root().join(name)));
    let texts = ["www/i18n/en.json", "crate/table/src/messages/en.json"].map(|name| messages(&root().join(name)));
    let texts = texts.into_iter().flatten().chain(pages.flat_map(|page| prose(&page)));
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
    let texts = ["www/i18n/zh.json", "crate/table/src/messages/zh.json"].map(|name| messages(&root().join(name)));
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

/// The book names each tab as the page does.
#[test]
fn the_book_names_all_tabs() {
    for (language, page) in [("en", "docs/src/page.md"), ("zh", "docs/src/zh/page.md")] {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        let separator = if language == "zh" { "、" } else { ", " };
        let cells = text.lines().filter(|line| line.starts_with("| ")).filter_map(|line| line.split('|').nth(2));
        let named: BTreeSet<&str> = cells.flat_map(|cell| cell.split(separator)).map(str::trim).collect();
        let texts = messages(&root().join(format!("www/i18n/{language}.json")));
        // Slices are what the tab of operators has where there are none.
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
fn phrases_are_found_as_words() {
    assert_eq!(faults("A threshold is no household word."), Vec::<&str>::new());
    assert_eq!(faults("The rule holds. Of these, two."), ["holds", "Of "]);
    assert_eq!(faults("What if"), Vec::<&str>::new());
}
