//! Messages of tables: headings, meanings, words of lists. `{matrix}` and others are placeholders for the names of a
//! device's units.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{Column, Show};

/// The English messages, by key.
pub const ENGLISH: &str = include_str!("messages/en.json");

/// The Chinese messages, by key.
pub const CHINESE: &str = include_str!("messages/zh.json");

/// The English messages without meanings: in the browser, only the page shows those, and it has the messages itself.
static SHORT: [u8; without_meanings::<0>(ENGLISH.as_bytes()).1] = without_meanings(ENGLISH.as_bytes()).0;

/// The lines of a file without those of meanings, as far as there is room, and their size.
const fn without_meanings<const ROOM: usize>(file: &[u8]) -> ([u8; ROOM], usize) {
    let (mut lines, mut size) = ([0; ROOM], 0);
    let (mut start, mut at, mut is_meaning) = (0, 0, false);
    while at < file.len() {
        if file[at] == b'.' && matches!(file.split_at(at).1, [_, b'w', b'h', b'y', b'"', b':', ..]) {
            is_meaning = true;
        }
        if file[at] == b'\n' {
            // The last message ends without a comma.
            if file[start] == b'}' && size > 1 && size <= ROOM && lines[size - 2] == b',' {
                lines[size - 2] = b' ';
            }
            while !is_meaning && start <= at {
                if size < ROOM {
                    lines[size] = file[start];
                }
                size += 1;
                start += 1;
            }
            (start, is_meaning) = (at + 1, false);
        }
        at += 1;
    }
    (lines, size)
}

/// A language of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Chinese.
    Chinese,
}

impl Language {
    /// The language with a code, `en` or `zh`; none if there are no messages in it.
    #[must_use]
    pub fn named(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::English),
            "zh" => Some(Self::Chinese),
            _ => None,
        }
    }
}

/// Messages of a file, by key.
#[must_use]
pub fn read(file: &str) -> BTreeMap<String, String> {
    serde_json::from_str(file).unwrap_or_default()
}

/// The English messages.
fn english() -> &'static BTreeMap<String, String> {
    static MESSAGES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let messages = || {
        if cfg!(target_family = "wasm") { serde_json::from_slice(&SHORT).unwrap_or_default() } else { read(ENGLISH) }
    };
    MESSAGES.get_or_init(messages)
}

/// The possible keys of a heading, the most specific first: `column.TABLE.KEY`, the same with the first part of the
/// table's key, `column.KEY`, `column.` and the last part of the key.
pub fn heading_keys(table: &str, column: &Column) -> [String; 4] {
    let group = table.split(['.', '[']).next().unwrap_or(table);
    [
        format!("column.{table}.{}", column.key),
        format!("column.{group}.{}", column.key),
        format!("column.{}", column.key),
        format!("column.{}", column.last_key()),
    ]
}

/// These keys; for columns only in data without the last one, which belongs to other headings.
fn own_keys(table: &str, column: &Column) -> impl Iterator<Item = String> {
    let keys = if column.show == Show::Data { 3 } else { 4 };
    heading_keys(table, column).into_iter().take(keys)
}

/// The key of the title of a table; one without a view may have another title in each front end.
#[must_use]
pub fn title_key(table: &str) -> String {
    ["table.", table].concat()
}

/// The title of a table; its ID if there is no message.
#[must_use]
pub fn title(table: &str) -> &str {
    english().get(&title_key(table)).map_or(table, String::as_str)
}

/// The heading of a table's column; the last part of its key if there is no message.
#[must_use]
pub fn heading(table: &str, column: &Column) -> &'static str {
    let known = own_keys(table, column).find_map(|key| english().get(&key));
    known.map_or(column.last_key(), String::as_str)
}

/// The meaning of a table's column; empty if it has none.
#[must_use]
pub fn meaning(table: &str, column: &Column) -> &'static str {
    let known = own_keys(table, column).find_map(|key| english().get(&[&key, ".why"].concat()));
    known.map_or("", String::as_str)
}

/// The key of the text for a cell without a value: `heading` with `.none`, or with `.without` if the row also lacks
/// the value of [`Column::with`].
#[must_use]
pub fn none_key(heading: &str, is_without: bool) -> String {
    [heading, if is_without { ".without" } else { ".none" }].concat()
}

/// The text of a cell without a value, if the table has one.
#[must_use]
pub fn none(table: &str, column: &Column, is_without: bool) -> Option<&'static str> {
    let keys = heading_keys(table, column).into_iter();
    keys.filter_map(|key| english().get(&none_key(&key, is_without))).map(String::as_str).next()
}

/// A word of a column's list; the word itself if there is no message.
#[must_use]
pub fn word<'a>(prefix: &str, word: &'a str) -> &'a str {
    english().get(&format!("{prefix}.{word}")).map_or(word, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browser_has_all_messages_but_meanings() {
        let short: BTreeMap<String, String> = serde_json::from_slice(&SHORT).expect("messages");
        let mut rest = read(ENGLISH);
        rest.retain(|key, _| !key.ends_with(".why"));
        assert_eq!(short, rest);
    }

    #[test]
    fn both_languages_have_the_same_keys() {
        let [english, chinese] =
            [ENGLISH, CHINESE].map(|text| serde_json::from_str::<BTreeMap<String, String>>(text).expect("texts"));
        assert_eq!(english.keys().collect::<Vec<_>>(), chinese.keys().collect::<Vec<_>>());
        assert_eq!(word("tensor_core_use", "not_used"), "no");
    }
}
