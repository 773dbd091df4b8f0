//! An event as it stands in its file, for the page.

use serde::Serialize;
use stepscope_format::secrets::{Found, mask_json};
use wasm_bindgen::prelude::wasm_bindgen;

use stepscope_export::report_json::json;
use stepscope_parse::{ObjectAt, WholeObject, members_of, object_at};

/// Where a slice's event stands, for whoever has the files.
#[derive(Serialize)]
pub(super) struct PlaceReport<'a> {
    /// The rank's name, and its file's.
    pub(super) rank: &'a str,
    pub(super) file: &'a str,
    pub(super) format: &'a str,
    pub(super) at: u64,
    pub(super) is_json: bool,
}

/// What stands at a place of a file.
#[derive(Serialize)]
struct TextReport {
    /// None: there is no object there.
    object: Option<ObjectReport>,
}

#[derive(Serialize)]
struct ObjectReport {
    text: String,
    is_repaired: bool,
    members: Vec<MemberReport>,
    /// Those of the object's `args`.
    args: Vec<MemberReport>,
}

/// A member: its key, its value, and whether that is a text, which is given without quotes and escapes. What is none is
/// as it stands in the file, so that numbers keep all of their digits.
#[derive(Serialize)]
struct MemberReport(String, String, bool);

fn member((key, value): (String, Vec<u8>)) -> MemberReport {
    match serde_json::from_slice::<String>(&value) {
        Ok(text) => MemberReport(key, text, true),
        Err(_) => MemberReport(key, lossy(value), false),
    }
}

fn lossy(text: Vec<u8>) -> String {
    String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

impl ObjectReport {
    fn of(mut found: WholeObject) -> Self {
        found.text = mask_json(&found.text, &mut Found::default());
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

/// The object with which a text begins: `{object}`, as JSON; nothing if more of the text is needed to tell. `is_end`:
/// the file ends with it.
#[wasm_bindgen]
#[must_use]
pub fn event_text(text: &[u8], is_end: bool) -> Option<Vec<u8>> {
    let object = match object_at(text, is_end) {
        ObjectAt::NeedMore => return None,
        ObjectAt::Nothing => None,
        ObjectAt::Found(found) => Some(ObjectReport::of(found)),
    };
    Some(json(&TextReport { object }))
}
