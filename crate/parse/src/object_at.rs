//! Reads one object of a list by its position, in the same way as the [`Document`] of the whole file.

use super::document::{Document, Sink};
use super::fault::Fault;
use super::keys::Keys;
use super::scanner::{Object, PADDING, skip_value};
use crate::strings::{key, skip_space};
use crate::wrong::Wrong;

/// The content at a position of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectAt {
    /// More text is needed.
    NeedMore,
    /// No object.
    Nothing,
    /// An object.
    Found(WholeObject),
}

/// An object with all of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeObject {
    /// Its text, byte for byte as in the file; if it was repaired, the valid copy.
    pub text: Vec<u8>,
    /// Whether it had to be repaired.
    pub is_repaired: bool,
}

/// The object at the start of a text, which continues unless `is_end`.
///
/// Damage is repaired by the same rules as when the whole file was read, from the same text: from the object's start
/// on.
#[must_use]
pub fn object_at(text: &[u8], is_end: bool) -> ObjectAt {
    if !text.starts_with(b"{") {
        return if text.is_empty() && !is_end { ObjectAt::NeedMore } else { ObjectAt::Nothing };
    }
    let mut document = Document::new("", Keys::new(&[]));
    let mut first = First::default();
    // In a list of its own, any object is an element.
    let room = document.space(text.len() + 1);
    room[0] = b'[';
    room[1..].copy_from_slice(text);
    document.advance(text.len() + 1, &mut first);
    if is_end && first.found.is_none() {
        document.finish(&mut first);
    }
    match first.found {
        Some(Some(found)) => ObjectAt::Found(found),
        Some(None) => ObjectAt::Nothing,
        None if is_end => ObjectAt::Nothing,
        None => ObjectAt::NeedMore,
    }
}

/// Keeps the first object, if it is at the start.
#[derive(Default)]
struct First {
    found: Option<Option<WholeObject>>,
    faults: bool,
}

impl Sink for First {
    fn object(&mut self, object: &Object<'_>) {
        let is_it = object.position == 1;
        let found = || WholeObject { text: object.text().to_vec(), is_repaired: self.faults };
        if self.found.is_none() {
            self.found = Some(is_it.then(found));
        }
    }

    fn member(&mut self, _: &str, _: &[u8], _: u64) {}

    fn fault(&mut self, fault: Fault) {
        // Faults after the object are reported after it.
        self.faults |= fault.position >= 1;
    }
}

/// The members of an object whose text is valid JSON, in their order, each with its value's text; empty for other
/// texts.
#[must_use]
pub fn members_of(object: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut buffer = object.to_vec();
    buffer.resize(object.len() + PADDING, 0);
    let mut wrong = Wrong::default();
    let mut found = Vec::new();
    if !object.starts_with(b"{") {
        return found;
    }
    let mut at = skip_space(&buffer, 1);
    while let Some((name, value)) = key(&buffer, at, &mut wrong) {
        let Some(end) = skip_value(&buffer, value, 1, &mut wrong) else { break };
        found.push((name.to_str().into_owned(), buffer[value..end.get()].to_vec()));
        let next = skip_space(&buffer, end.get());
        if buffer[next] != b',' {
            break;
        }
        at = skip_space(&buffer, next + 1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, is_end: bool) -> ObjectAt {
        object_at(text.as_bytes(), is_end)
    }

    fn whole(text: &str) -> ObjectAt {
        ObjectAt::Found(WholeObject { text: text.as_bytes().to_vec(), is_repaired: false })
    }

    #[test]
    fn an_object_is_found_once_all_of_it_is_there_and_what_follows_makes_sense() {
        let event = r#"{"ph": "X", "name": "a}\"", "args": {"id": 18446744073709551615, "list": [1.50, {}]}}"#;
        let text = format!("{event}, {{\"ph\": \"X\"}}]}}");
        for len in 0..text.len() {
            let found = found(&text[..len], false);
            let expected = if len > event.len() { whole(event) } else { ObjectAt::NeedMore };
            assert_eq!(found, expected, "{}", &text[..len]);
        }
        assert_eq!(found(event, true), whole(event));
        assert_eq!(found(&event[..40], true), ObjectAt::Nothing);
        for nothing in ["", " {}", "[1]", "12"] {
            assert_eq!(found(nothing, true), ObjectAt::Nothing, "{nothing}");
        }
    }

    #[test]
    fn what_is_repaired_is_the_same_as_when_the_file_was_read() {
        let text = r#"{"name": "a "quoted" name", "dur": NaN, "args": {"x": 1,}}, {"ph": "X"}]"#;
        let ObjectAt::Found(found) = found(text, false) else { unreachable!("it can be repaired") };
        assert!(found.is_repaired);
        assert_eq!(
            String::from_utf8_lossy(&found.text),
            r#"{"name": "a \"quoted\" name", "dur": null, "args": {"x": 1}}"#
        );
    }

    #[test]
    fn members_keep_their_order_and_their_values_text() {
        let text = br#"{"a\u0062": 9007199254740993, "s" : "x\ny" ,"a":{ "b" : [1, 2.500] },"a":null}"#;
        let found: Vec<(String, String)> = members_of(text)
            .into_iter()
            .map(|(key, value)| (key, String::from_utf8_lossy(&value).into_owned()))
            .collect();
        let expected =
            [("ab", "9007199254740993"), ("s", r#""x\ny""#), ("a", r#"{ "b" : [1, 2.500] }"#), ("a", "null")];
        assert_eq!(found, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
        assert!(members_of(b"{}").is_empty() && members_of(b"[]").is_empty() && members_of(b"").is_empty());
    }
}
