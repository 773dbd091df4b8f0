//! NUMBERS.md and NUMBERS.zh.md explain each number in the page's own words: those of its headings.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::{none, root, text};

/// Sections by the first part of a message's key, with their titles in English and in Chinese.
const SECTIONS: [(&str, &str, &str); 26] = [
    ("tile", "Overview", "概览"),
    ("budget", "Where the time goes", "时间去向"),
    ("category", "Categories of time", "时间类别"),
    ("column", "Columns of tables", "表格的列"),
    ("row", "Row of a table", "表格的一行"),
    ("event", "Event", "事件"),
    ("range", "A range of time", "时间范围"),
    ("step_trace", "Step trace", "迭代轨迹"),
    ("benchmark", "Throughput", "吞吐量"),
    ("critical", "Critical path", "关键路径"),
    ("path", "Classes of the critical path", "关键路径的类别"),
    ("what_if", "What if", "假如"),
    ("calls", "Calls by stack", "按调用栈的调用"),
    ("idle", "Idle time", "空闲时间"),
    ("leaf", "Idle time by cause", "按原因的空闲时间"),
    ("launch", "Launches", "启动"),
    ("queue", "Queues", "队列"),
    ("memory", "Memory", "内存"),
    ("data", "Data", "数据"),
    ("compare", "Comparing", "对比"),
    ("ranks", "Ranks of a job", "作业的各 rank"),
    ("drill_down", "From the job to a cause", "从作业到原因"),
    ("advice", "Rules of advice", "建议的规则"),
    ("resources", "Resources", "资源"),
    ("definition", "Other tools' definitions", "其他工具的定义"),
    ("value", "Values of other tools' definitions", "其他工具定义的数值"),
];

/// A language of the document.
struct Language {
    /// The language code of its messages' files.
    code: &'static str,
    path: &'static str,
    head: &'static str,
    columns: &'static str,
    /// The title of a section.
    title: fn(&(&'static str, &'static str, &'static str)) -> &'static str,
}

const ENGLISH: Language = Language {
    code: "en",
    path: "crate/NUMBERS.md",
    head: "# What each number means\n\n\
           The page shows these sentences when one points at a heading. They are its messages (`www/i18n/en.json`, `crate/table/src/messages/en.json`, `crate/present/src/messages/en.json`); \
           `STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test layers` writes this file from them. In a table of a step, or \
           of a choice, a number is about that step or choice.\n",
    columns: "| heading | meaning |",
    title: |section| section.1,
};

const CHINESE: Language = Language {
    code: "zh",
    path: "crate/NUMBERS.zh.md",
    head: "# 各数字的含义\n\n\
           在页面上指向标题时显示的就是这些句子。它们来自页面的文本（`www/i18n/zh.json`、`crate/table/src/messages/zh.json`、`crate/present/src/messages/zh.json`），\
           由 `STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test layers` 写出。在某一步或某项选择的表格中，数字针对该步或该选择。\n",
    columns: "| 标题 | 含义 |",
    title: |section| section.2,
};

/// Messages about the effect of a control, or about actions: not numbers.
const CONTROLS: [&str; 20] = [
    "header", "files", "export", "perfetto", "report", "overview", "quality", "about", "steps", "merge", "slices",
    "limiter", "kernel", "find", "table", "job", "printed", "profile", "runs", "strategy",
];

/// Headings of columns with words, not numbers.
const WORDS: [&str; 18] = [
    "column.name",
    "column.copies.name",
    "column.step",
    "column.class",
    "column.shapes",
    "column.types",
    "column.stack",
    "column.thread",
    "column.operator",
    "column.device",
    "column.memory.name",
    "column.memory.allocated_by.name",
    "column.memory.released_by.name",
    "column.memory.planned[].tensors.name",
    "column.memory.type",
    "column.memory.data_type",
    "column.memory.shape",
    "column.memory.format",
];

/// The messages of a language in the order of the files, which keeps related ones together.
fn messages(language: &str) -> Vec<(String, String)> {
    ["crate/table/src/messages", "crate/present/src/messages", "www/i18n"]
        .iter()
        .flat_map(|folder| messages_in(&format!("{folder}/{language}.json")))
        .collect()
}

fn messages_in(path: &str) -> Vec<(String, String)> {
    let file = text(&root().join(path));
    let all: BTreeMap<String, Value> = serde_json::from_str(&file).expect("messages are texts");
    let mut ordered: Vec<(usize, String, String)> = all
        .into_iter()
        .map(|(key, message)| {
            let at = file.find(&format!("\"{key}\":")).expect("a key of the file");
            (at, key, message.as_str().expect("a text").to_owned())
        })
        .collect();
    ordered.sort();
    ordered.into_iter().map(|(_, key, message)| (key, message)).collect()
}

fn heading_of(key: &str) -> Option<&str> {
    key.strip_suffix(".why").or_else(|| key.strip_suffix(".formula"))
}

/// A message with the forms of nouns for several.
fn for_several(message: &str) -> String {
    let mut parts = message.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}').and_then(|(name, rest)| Some((name.rsplit_once('|')?.1, rest))) {
            Some((several, rest)) => text += &[several, rest].concat(),
            None => text += &["{", part].concat(),
        }
    }
    text
}

fn document(messages: &[(String, String)], language: &Language) -> String {
    let by_key: BTreeMap<&str, &str> = messages.iter().map(|(key, message)| (key.as_str(), message.as_str())).collect();
    let mut document = language.head.to_owned();
    for section in SECTIONS {
        let rows: Vec<String> = messages
            .iter()
            .filter_map(|(key, formula)| {
                let heading = heading_of(key).filter(|heading| heading.split('.').next() == Some(section.0))?;
                let heading = by_key.get(heading)?;
                let formula = for_several(formula);
                assert!(!formula.contains(['|', '\n']) && !heading.contains('|'), "{key} breaks the table");
                Some(format!("| {heading} | {formula} |\n"))
            })
            .collect();
        assert!(!rows.is_empty(), "no heading is of the section {}", section.0);
        let (title, columns) = ((language.title)(&section), language.columns);
        document.push_str(&format!("\n## {title}\n\n{columns}\n| --- | --- |\n{}", rows.concat()));
    }
    document
}

#[test]
fn the_document_of_numbers_says_what_the_page_says() {
    for language in [ENGLISH, CHINESE] {
        let path = root().join(language.path);
        let document = document(&messages(language.code), &language);
        if std::env::var_os("STEPSCOPE_BLESS").is_some() {
            fs::write(&path, &document).expect("the document can be written");
        } else if fs::read_to_string(&path).ok().as_deref() != Some(&document) {
            none(&[format!("{} is not what the page's messages say; STEPSCOPE_BLESS=1 writes it", language.path)]);
        }
    }
    assert!(text(&root().join("README.md")).contains("crate/NUMBERS.md"), "the README does not name it");
}

#[test]
fn every_heading_has_its_formula() {
    let messages = messages(ENGLISH.code);
    let has = |key: String| messages.iter().any(|(known, _)| *known == key);
    let mut problems = Vec::new();
    for (key, _) in messages.iter().filter(|(key, _)| heading_of(key).is_none()) {
        // The text of a cell without a value is not a heading.
        let is_number = ["column.", "category.", "value."].iter().any(|start| key.starts_with(start))
            && ![".none", ".without"].iter().any(|end| key.ends_with(end));
        if is_number && !WORDS.contains(&key.as_str()) && !has(format!("{key}.why")) {
            problems.push(format!("{key} has no {key}.why"));
        }
    }
    for word in WORDS {
        if !has(word.to_owned()) {
            problems.push(format!("{word} is no heading any more"));
        }
    }
    for (key, _) in messages.iter().filter(|(key, _)| heading_of(key).is_some()) {
        let section = key.split('.').next().unwrap_or_default();
        if !SECTIONS.iter().any(|(known, ..)| *known == section) && !CONTROLS.contains(&section) {
            problems.push(format!("{key} is in no section of NUMBERS.md, and of no control"));
        }
    }
    none(&problems);
}
