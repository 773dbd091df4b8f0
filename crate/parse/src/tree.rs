//! A small JSON document as a tree, as far as it can be read.
//!
//! For files that profilers write beside their events, of a few kilobytes to some megabytes. Members keep their
//! order, numbers their digits, and a truncated document keeps all before its end.

use super::decimal::Decimal;
use super::text::{Text, escape_end};

/// The most levels of nested lists and objects.
const DEEPEST: usize = 100;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// `null`, and Python's words in place of numbers: `NaN`, `Infinity`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Decimal),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// An object, its members in the order of the text.
    Object(Vec<(String, Self)>),
}

/// The reason why the rest of a document is missing in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeFault {
    /// The byte of the fault.
    pub position: usize,
    /// The expected content.
    pub expected: &'static str,
    /// Whether the text ends there.
    pub at_end: bool,
}

impl Tree {
    /// The tree of a text, and its fault; no tree if it does not begin like JSON.
    #[must_use]
    pub fn parse(text: &[u8]) -> (Option<Self>, Option<TreeFault>) {
        let mut parser = Parser { text, at: text.strip_prefix(b"\xef\xbb\xbf").map_or(0, |_| 3), fault: None };
        let tree = parser.value(0);
        if parser.fault.is_none() {
            parser.skip_space();
            if parser.at < text.len() {
                parser.fail::<()>("the end of the text");
            }
        }
        (tree, parser.fault)
    }

    /// A member of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.members().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// An object's members; empty if it is not an object.
    #[must_use]
    pub fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// A list's values; empty if it is not a list.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// A string's text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// A number, also in a string.
    #[must_use]
    pub fn number(&self) -> Option<Decimal> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => Decimal::parse(text.trim().as_bytes()),
            _ => None,
        }
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    fault: Option<TreeFault>,
}

impl Parser<'_> {
    fn fail<T>(&mut self, expected: &'static str) -> Option<T> {
        let at_end = self.at >= self.text.len();
        self.fault.get_or_insert(TreeFault { position: self.at.min(self.text.len()), expected, at_end });
        None
    }

    fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Skips a byte, if it is the next.
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Reads a value; after a fault, the part before it.
    fn value(&mut self, depth: usize) -> Option<Tree> {
        self.skip_space();
        match self.text.get(self.at) {
            Some(b'{' | b'[') if depth == DEEPEST => self.fail("fewer levels"),
            Some(b'{') => Some(Tree::Object(self.object(depth))),
            Some(b'[') => Some(Tree::List(self.list(depth))),
            Some(b'"') => self.string().map(Tree::Text),
            Some(_) => self.word(),
            None => self.fail("a value"),
        }
    }

    fn object(&mut self, depth: usize) -> Vec<(String, Tree)> {
        let mut members = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.take(b'}') {
            return members;
        }
        loop {
            self.skip_space();
            if self.text.get(self.at) != Some(&b'"') {
                self.fail::<()>("a member's name");
                return members;
            }
            let Some(name) = self.string() else { return members };
            self.skip_space();
            if !self.take(b':') {
                self.fail::<()>("a colon");
                return members;
            }
            members.extend(self.value(depth + 1).map(|value| (name, value)));
            if self.fault.is_some() || self.ends(b'}') {
                return members;
            }
        }
    }

    fn list(&mut self, depth: usize) -> Vec<Tree> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.take(b']') {
            return items;
        }
        loop {
            items.extend(self.value(depth + 1));
            if self.fault.is_some() || self.ends(b']') {
                return items;
            }
        }
    }

    /// Whether a list or object ends here, with its bracket or with a fault.
    fn ends(&mut self, bracket: u8) -> bool {
        self.skip_space();
        if self.take(bracket) {
            return true;
        }
        if !self.take(b',') {
            self.fail::<()>("a comma or the end of the list");
            return true;
        }
        self.skip_space();
        // A comma after the last value.
        self.take(bracket)
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at + 1;
        let mut at = start;
        let mut escaped = false;
        loop {
            match self.text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    let Some(end) = escape_end(self.text, at) else {
                        self.at = at;
                        return self.fail("an escape sequence");
                    };
                    at = end;
                }
                Some(_) => at += 1,
                None => {
                    self.at = at;
                    return self.fail("the end of a string");
                }
            }
        }
        self.at = at + 1;
        Some(Text::new(&self.text[start..at], escaped).to_str().into_owned())
    }

    /// A number, `true`, `false`, `null`, or one of Python's words.
    fn word(&mut self) -> Option<Tree> {
        let rest = &self.text[self.at..];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let word = &rest[..rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len())];
        let tree = match word {
            b"null" | b"NaN" | b"Infinity" | b"-Infinity" => Tree::Null,
            b"true" => Tree::Bool(true),
            b"false" => Tree::Bool(false),
            // An incomplete number looks like a whole one.
            _ if self.at + word.len() == self.text.len() && self.at > 0 => {
                self.at = self.text.len();
                return self.fail("the rest of a value");
            }
            _ => match Decimal::parse(word) {
                Some(number) => Tree::Number(number),
                None => return self.fail("a value"),
            },
        };
        self.at += word.len();
        Some(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Option<Tree>, Option<TreeFault>) {
        Tree::parse(text.as_bytes())
    }

    #[test]
    fn members_keep_their_order_and_numbers_their_digits() {
        let (tree, fault) =
            parse("\u{feff}{\"b\": [1.50, -2e3, NaN,], \"a\": {\"x\": \"\\u00e9\\n\", \"y\": null, \"z\": true}}\n");
        let tree = tree.unwrap();
        assert_eq!(fault, None);
        assert_eq!(tree.members().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        let numbers: Vec<_> = tree.get("b").unwrap().items().iter().map(Tree::number).collect();
        assert_eq!(numbers, [Decimal::parse(b"1.50"), Decimal::parse(b"-2e3"), None]);
        assert_eq!(tree.get("a").unwrap().get("x").unwrap().text(), Some("é\n"));
    }

    #[test]
    fn of_a_cut_document_everything_before_the_cut_is_there() {
        let text = r#"{"a": [{"b": 10}, {"b": 20, "c": "word"}], "d": 30}"#;
        for length in 1..text.len() {
            let (tree, fault) = parse(&text[..length]);
            let fault = fault.unwrap_or_else(|| panic!("{length} bytes are no document"));
            assert!(fault.at_end && fault.position == length, "{length}: {fault:?}");
            let first = tree.as_ref().and_then(|tree| tree.get("a")?.items().first()?.get("b").cloned());
            assert_eq!(first.is_some(), length > 15, "{length} bytes give {tree:?}");
        }
        let (_, fault) = parse(r#"{"a": 1 "b": 2}"#);
        assert_eq!(fault, Some(TreeFault { position: 8, expected: "a comma or the end of the list", at_end: false }));
        assert_eq!(parse("hello").0, None);
        assert!(parse(&"[".repeat(10_000)).1.is_some_and(|fault| fault.expected == "fewer levels"));
    }
}
