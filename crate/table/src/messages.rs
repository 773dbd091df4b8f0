//! Messages of tables: headings, meanings, words of lists. `{matrix}` and others are placeholders for the names of a
//! device's units.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{Column, Show};

/// The English messages, by key.
pub const ENGLISH: &str = include_str!("messages/en.json");

/// The Chinese messages, by key.
pub const CHINESE: &str = include_str!("messages/zh.json");

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
    MESSAGES.get_or_init(|| read(ENGLISH))
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

/// The key of the title of a table with a view.
#[must_use]
pub fn title_key(table: &str) -> String {
    ["table.", table].concat()
}

/// The title of a table with a view; its ID if there is no message.
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
    fn both_languages_have_the_same_keys() {
        let [english, chinese] =
            [ENGLISH, CHINESE].map(|text| serde_json::from_str::<BTreeMap<String, String>>(text).expect("texts"));
        assert_eq!(english.keys().collect::<Vec<_>>(), chinese.keys().collect::<Vec<_>>());
        assert_eq!(word("tensor_core_use", "not_used"), "no");
    }
}
