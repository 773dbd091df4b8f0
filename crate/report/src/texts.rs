//! Texts of a report, in one language.

use std::collections::BTreeMap;

use stepscope_present::messages;
use stepscope_table::messages::{CHINESE, ENGLISH, Language};

/// The messages of a language: the report's own, the page's, headings of tables, sentences. `page` has links to
/// `www/i18n`, which the page uses; compilation fails if links are not checked out.
const fn sources(language: Language) -> [&'static str; 4] {
    let sentences = messages::source(language);
    match language {
        Language::English => {
            [include_str!("messages/report.en.json"), include_str!("page/en.json"), ENGLISH, sentences]
        }
        Language::Chinese => {
            [include_str!("messages/report.zh.json"), include_str!("page/zh.json"), CHINESE, sentences]
        }
    }
}

const _: () = {
    let [_, english, ..] = sources(Language::English);
    let [_, chinese, ..] = sources(Language::Chinese);
    assert!(
        english.as_bytes()[0] == b'{' && chinese.as_bytes()[0] == b'{',
        "crate/report/src/page has links: check them out with `git config core.symlinks true`"
    );
};

/// The messages of a report in one language: its own, the page's, and those of tables.
#[derive(Clone, Debug)]
pub struct Texts {
    language: Language,
    messages: BTreeMap<String, String>,
}

impl Texts {
    /// Returns the messages that are built into this crate. A page already has them, and passes its own to
    /// [`Texts::read`].
    #[must_use]
    pub fn of(language: Language) -> Self {
        Self::read(language, sources(language)).unwrap_or(Self { language, messages: BTreeMap::new() })
    }

    /// Reads messages from JSON objects of texts.
    ///
    /// # Errors
    ///
    /// If one is not an object of texts.
    pub fn read<'a>(language: Language, sources: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut messages = BTreeMap::new();
        for source in sources {
            let read: BTreeMap<String, String> =
                serde_json::from_str(source).map_err(|error| format!("the messages: {error}"))?;
            messages.extend(read);
        }
        Ok(Self { language, messages })
    }

    /// Returns their language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns the language's code in HTML.
    pub(super) fn code(&self) -> &'static str {
        match self.language {
            Language::English => "en",
            Language::Chinese => "zh-Hans",
        }
    }

    /// The message with a key, if there is one.
    pub(super) fn find(&self, key: &str) -> Option<&str> {
        self.messages.get(key).map(String::as_str)
    }

    /// The message with a key; the key itself if there is none.
    pub(super) fn word(&self, key: &str) -> String {
        self.find(key).unwrap_or(key).to_owned()
    }

    /// A word of a list, by the list's prefix; the word itself if there is no message.
    pub(super) fn listed(&self, prefix: &str, word: &str) -> String {
        let found = self.find(&[prefix, ".", word].concat());
        found.unwrap_or(word).to_owned()
    }

    /// The message with a key, with values inserted as on the page: `{name}`, and `{name|one|several}` for a noun's
    /// form.
    pub(super) fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        filled(self.find(key).unwrap_or(key), values)
    }

    /// The end of a sentence before another one.
    pub(super) fn stop(&self) -> &'static str {
        match self.language {
            Language::English => ". ",
            Language::Chinese => "。",
        }
    }

    /// The separator of texts in a list.
    pub(super) fn comma(&self) -> &'static str {
        match self.language {
            Language::English => ", ",
            Language::Chinese => "、",
        }
    }
}

/// A message with its values. Braces within a value are kept.
fn filled(message: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((blank, behind)) = after.split_once('}') else {
            rest = &rest[before.len()..];
            break;
        };
        let mut parts = blank.split('|');
        let name = parts.next().unwrap_or_default();
        let value = values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        match (value, parts.next(), parts.next()) {
            (Some(value), Some(one), Some(several)) => text.push_str(if value == "1" { one } else { several }),
            (Some(value), ..) => text.push_str(value),
            (None, ..) => text.extend(["{", blank, "}"]),
        }
        rest = behind;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn values_are_filled_in_as_the_page_does() {
        assert_eq!(filled("{n} {n|step|steps} of {name}", &[("n", "1"), ("name", "{n}")]), "1 step of {n}");
        assert_eq!(filled("{n} {n|step|steps}", &[("n", "1\u{202f}000")]), "1\u{202f}000 steps");
        assert_eq!(filled("{a} {", &[]), "{a} {");
    }

    /// The report's code, without unit tests.
    fn code() -> impl Iterator<Item = &'static str> {
        let files = [
            include_str!("advice.rs"),
            include_str!("budget.rs"),
            include_str!("cells.rs"),
            include_str!("charts.rs"),
            include_str!("clipped.rs"),
            include_str!("contents.rs"),
            include_str!("drill_down.rs"),
            include_str!("facts.rs"),
            include_str!("lib.rs"),
            include_str!("markdown.rs"),
            include_str!("path.rs"),
            include_str!("quality.rs"),
            include_str!("rank_name.rs"),
            include_str!("tables.rs"),
            include_str!("verdict.rs"),
        ];
        files.into_iter().map(|text| text.split("#[cfg(test)]").next().unwrap_or_default())
    }

    #[test]
    fn lists_of_words_have_messages() {
        let lists = code().flat_map(|code| code.split("listed(\"").skip(1)).filter_map(|rest| rest.split('"').next());
        let lists: BTreeSet<&str> = lists.collect();
        assert!(lists.contains("budget.leaf") && lists.len() > 5, "{lists:?}");
        for texts in [Language::English, Language::Chinese].map(Texts::of) {
            let has = |list: &str| texts.messages.keys().any(|key| key.starts_with(&[list, "."].concat()));
            let missing: Vec<&&str> = lists.iter().filter(|list| !has(list)).collect();
            assert!(missing.is_empty(), "no words of {missing:?}");
        }
    }

    /// The keys that the report's code uses.
    fn asked() -> BTreeSet<&'static str> {
        // Code between literals has spaces.
        let literals = code().flat_map(|code| code.split('"'));
        let is_part = |character: char| character.is_ascii_lowercase() || "._0123456789".contains(character);
        let is_file = |text: &str| text.ends_with(".css");
        let is_key =
            |text: &&str| text.contains('.') && text.chars().all(is_part) && !text.ends_with('.') && !is_file(text);
        literals.filter(is_key).collect()
    }

    #[test]
    fn every_message_is_there_in_both_languages_and_each_is_asked_for() {
        let [english, chinese] = [Language::English, Language::Chinese].map(Texts::of);
        let asked = asked();
        assert!(asked.len() > 80, "{asked:?}");
        let own: BTreeMap<String, String> = serde_json::from_str(sources(Language::English)[0]).expect("messages");
        let theirs: BTreeMap<String, String> = serde_json::from_str(sources(Language::Chinese)[0]).expect("messages");
        assert_eq!(own.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
        let is_key = |key: &&&str| own.contains_key(**key) || key.starts_with("report.");
        let missing: Vec<&&str> = asked
            .iter()
            .filter(is_key)
            .filter(|key| english.find(key).is_none() || chinese.find(key).is_none())
            .collect();
        assert!(missing.is_empty(), "no message has the keys {missing:?}");
        let of_page =
            ["about.", "advice.", "budget.", "category.", "drill_down.", "group.", "idle.", "job.", "memory."];
        let of_page = of_page.into_iter().chain(["overlap.", "overview.", "quality", "ranks.", "severity.", "tile."]);
        let of_page: Vec<&str> = of_page.collect();
        let is_known = |texts: &Texts, key: &str| {
            // Keys of lists are followed by a word.
            let list = [key, "."].concat();
            texts.find(key).is_some() || texts.messages.keys().any(|one| one.starts_with(&list))
        };
        let missing: Vec<&&str> = asked
            .iter()
            .filter(|key| of_page.iter().any(|start| key.starts_with(start)))
            .filter(|key| !(is_known(&english, key) && is_known(&chinese, key)))
            .filter(|key| !crate::tables().any(|path| path.contains(**key)))
            .collect();
        assert!(missing.is_empty(), "the page has no message of the keys {missing:?}");
        let made = ["report.column.", "report.table.", "report.section.", "report.place."];
        let left: Vec<&String> = own
            .keys()
            .filter(|key| !asked.contains(key.as_str()) && !made.iter().any(|start| key.starts_with(start)))
            .collect();
        assert!(left.is_empty(), "nothing asks for {left:?}");
    }
}
