//! The words of tables: headings, meanings, words of lists. `{matrix}` and others stand for the names of a device's units.

use std::collections::BTreeMap;
use std::sync::OnceLock;

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

/// The English messages.
fn english() -> &'static BTreeMap<String, String> {
    static MESSAGES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    MESSAGES.get_or_init(|| serde_json::from_str(ENGLISH).unwrap_or_default())
}

/// The Chinese messages.
fn chinese() -> &'static BTreeMap<String, String> {
    static MESSAGES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    MESSAGES.get_or_init(|| serde_json::from_str(CHINESE).unwrap_or_default())
}

/// The message of a key; the key itself where there is no message.
#[must_use]
pub fn message(language: Language, key: &str) -> &str {
    let messages = match language {
        Language::English => english(),
        Language::Chinese => chinese(),
    };
    messages.get(key).map_or(key, String::as_str)
}

/// The heading of a table's column: `column.TABLE.KEY` where that table has a word of its own, else `column.KEY`.
#[must_use]
pub fn heading(table: &str, key: &'static str) -> &'static str {
    let own = english().get(&format!("column.{table}.{key}"));
    own.or_else(|| english().get(&format!("column.{key}"))).map_or(key, String::as_str)
}

/// A word of a column's list; the word itself where there is no message.
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
        assert_eq!(heading("kernels", "total_ns"), "Total");
        assert_eq!(word("tensor_core_use", "not_used"), "no");
    }
}
