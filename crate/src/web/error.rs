//! Errors and small reports as JavaScript objects.

use serde::Serialize;
use wasm_bindgen::{JsValue, throw_val};

use crate::wire::ProblemReport;
use stepscope_base::{Error, ErrorKind};

impl ProblemReport {
    pub(super) fn of(error: &Error) -> Self {
        let mut report = Self {
            code: error.code(),
            file: error.file.clone(),
            position: error.position,
            // The page names the file on its own.
            message: error.clone().in_file("").to_string(),
            tried: Vec::new(),
            expected: "",
            other: String::new(),
            why: "",
        };
        match &error.kind {
            ErrorKind::UnknownFormat(tried) => {
                report.tried = tried.iter().map(|(format, why)| (*format, why.name())).collect();
            }
            ErrorKind::Syntax { expected } => report.expected = expected,
            ErrorKind::Twin(other) => report.other.clone_from(other),
            ErrorKind::Unread(why) | ErrorKind::Nothing(why) => report.why = why.name(),
            _ => {}
        }
        report
    }
}

/// An error as the object that JavaScript catches.
pub(super) fn to_js(error: &Error) -> JsValue {
    plain(&ProblemReport::of(error))
}

/// Any report as a plain JavaScript object. Values without a JavaScript form, such as integers above 2^53, are thrown
/// as errors.
pub(super) fn plain(report: &impl Serialize) -> JsValue {
    // Objects rather than Maps, null rather than undefined: as in JSON.
    report.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or_else(|error| throw_val(error.into()))
}
