//! Errors and reports as JavaScript objects, and objects of JavaScript as ours.
//!
//! They cross as JSON text, which browsers parse faster than an object can be put together member by member from here.
//! It is the same text as the summary's: one serializer for all, since each is compiled anew for every report.

use js_sys::JSON;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

use crate::error::{Error, ErrorKind};

/// What the page needs to tell of an error in the person's language.
#[derive(Serialize)]
pub(super) struct ErrorReport {
    code: &'static str,
    file: String,
    position: Option<u64>,
    message: String,
    tried: Vec<(&'static str, &'static str)>,
    expected: &'static str,
}

impl ErrorReport {
    pub(super) fn of(error: &Error) -> Self {
        let (tried, expected) = match &error.kind {
            ErrorKind::UnknownFormat(tried) => (tried.clone(), ""),
            ErrorKind::Syntax { expected } => (Vec::new(), *expected),
            _ => (Vec::new(), ""),
        };
        // The page names the file itself.
        let message = error.clone().in_file("").to_string();
        Self { code: error.code(), file: error.file.clone(), position: error.position, message, tried, expected }
    }
}

/// An error as the object that JavaScript catches.
pub(super) fn to_js(error: &Error) -> JsValue {
    plain(&ErrorReport::of(error))
}

/// Any report as a plain JavaScript object.
pub(super) fn plain(report: &impl Serialize) -> JsValue {
    // Writing plain structs to memory cannot fail, nor can reading what was written.
    let text = serde_json::to_string_pretty(report).unwrap_or_default();
    JSON::parse(&text).unwrap_or(JsValue::NULL)
}

/// What JavaScript hands over.
///
/// # Errors
///
/// If it is not of that type: an `Error` of JavaScript.
pub(super) fn from_js<T: DeserializeOwned>(value: &JsValue) -> Result<T, JsValue> {
    let text = JSON::stringify(value)?.as_string().unwrap_or_default();
    // As bytes: readers parse those, and each kind of source is compiled anew.
    serde_json::from_slice(text.as_bytes()).map_err(|error| js_sys::Error::new(&error.to_string()).into())
}
