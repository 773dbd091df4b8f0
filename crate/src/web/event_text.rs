//! The text of an event in its file, for the page.

use stepscope_format::secrets::{FoundSecrets, mask_json};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::wire::{EventMemberReport, EventObjectReport, EventTextReport};
use stepscope_export::report_json::json;
use stepscope_parse::{ObjectAt, WholeObject, members_of, object_at};

fn member((key, value): (String, Vec<u8>)) -> EventMemberReport {
    match serde_json::from_slice::<String>(&value) {
        Ok(text) => EventMemberReport(key, text, true),
        Err(_) => EventMemberReport(key, lossy(value), false),
    }
}

fn lossy(text: Vec<u8>) -> String {
    String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

impl EventObjectReport {
    fn of(mut found: WholeObject) -> Self {
        found.text = mask_json(&found.text, &mut FoundSecrets::default());
        let (mut members, mut args) = (Vec::new(), Vec::new());
        for (key, value) in members_of(&found.text) {
            if key == "args" && value.starts_with(b"{") {
                args.extend(members_of(&value).into_iter().map(member));
            } else {
                members.push(member((key, value)));
            }
        }
        Self { text: lossy(found.text), is_repaired: found.is_repaired, members, args }
    }
}

/// The object at the beginning of a text: `{object}`, as JSON; none if more text is needed. `is_end`: the file ends
/// with the text.
#[wasm_bindgen]
#[must_use]
pub fn event_text(text: &[u8], is_end: bool) -> Option<Vec<u8>> {
    let object = match object_at(text, is_end) {
        ObjectAt::NeedMore => return None,
        ObjectAt::Nothing => None,
        ObjectAt::Found(found) => Some(EventObjectReport::of(found)),
    };
    Some(json(&EventTextReport { object }))
}
