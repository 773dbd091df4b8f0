//! Errors as JavaScript objects.

use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::error::{Error, ErrorKind};

/// What the page needs to tell of an error in the person's language.
#[derive(Serialize)]
pub(super) struct ErrorReport {
    code: &'static str,
    file: String,
    position: Option<u64>,
    message: String,
    /// Formats, and the code of why each does not fit.
    tried: Vec<(&'static str, &'static str)>,
    expected: &'static str,
}

impl ErrorReport {
    pub(super) fn of(error: &Error) -> Self {
        let (tried, expected) = match &error.kind {
            ErrorKind::UnknownFormat(tried) => (tried.iter().map(|(format, why)| (*format, why.name())).collect(), ""),
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
    // Objects rather than Maps, null rather than undefined: what JSON would give.
    report.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}
