//! Sentences on the budget and on advice, in each language. Unlike headings, which the page and reports bring along in
//! their language, the analyzer says them itself.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use stepscope_table::messages::{Language, read};

/// The sentences of a language, as a JSON object by key.
#[must_use]
pub const fn source(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("messages/en.json"),
        Language::Chinese => include_str!("messages/zh.json"),
    }
}

/// The message with a key; the key itself if there is none.
#[must_use]
pub fn message(language: Language, key: &str) -> &str {
    find(language, key).unwrap_or(key)
}

/// The message with a key, if there is one.
#[must_use]
pub fn find(language: Language, key: &str) -> Option<&'static str> {
    static ENGLISH: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    static CHINESE: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let messages = match language {
        Language::English => &ENGLISH,
        Language::Chinese => &CHINESE,
    };
    messages.get_or_init(|| read(source(language))).get(key).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_keys() {
        let [english, chinese] = [Language::English, Language::Chinese].map(|language| read(source(language)));
        assert!(english.len() > 100);
        assert_eq!(english.keys().collect::<Vec<_>>(), chinese.keys().collect::<Vec<_>>());
    }
}
