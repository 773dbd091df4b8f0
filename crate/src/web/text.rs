//! Units as text, for the page.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use stepscope_base::Nanos;
use stepscope_present::text;
use stepscope_report::{Language, Note, Texts};

/// A length of time; see [`text::duration`].
#[wasm_bindgen]
pub fn duration(nanos: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "whole nanoseconds, from JavaScript")]
    text::duration(Nanos(nanos as i64))
}

/// A change of a length of time; see [`text::duration_change`].
#[wasm_bindgen]
pub fn duration_change(nanos: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "whole nanoseconds, from JavaScript")]
    text::duration_change(Nanos(nanos as i64))
}

/// A change as a share; see [`text::percent_change`].
#[wasm_bindgen]
pub fn percent_change(share: Option<f64>) -> String {
    text::percent_change(share)
}

/// Whether a value that is known for that share of the time is representative; see [`stepscope_analyze::is_enough`].
#[wasm_bindgen]
pub fn is_enough(coverage: f64) -> bool {
    stepscope_analyze::is_enough(coverage)
}

/// Bytes; see [`text::bytes`].
#[wasm_bindgen]
pub fn bytes(count: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole bytes, from JavaScript")]
    text::bytes(count.max(0.0) as u64)
}

/// A report in one HTML file on a whole summary, without the files that it carries, as `[before, after]`; see
/// [`stepscope_report::report`]. If `scripts` is empty, it carries nothing. Notes and messages are JSON; see
/// [`Note::list`].
///
/// # Errors
///
/// If the summary, notes or messages are invalid, or the scripts' first tag has no hash.
#[wasm_bindgen]
pub fn html_report(
    summary: &[u8],
    scripts: &str,
    notes: &str,
    language: &str,
    messages: &str,
) -> Result<Vec<String>, String> {
    let texts = Texts::read(language_of(language), [messages])?;
    let scripts = Some(scripts).filter(|scripts| !scripts.is_empty());
    let report = stepscope_report::report(summary, scripts, &Note::list(notes)?, &texts)?;
    Ok(vec![report.before, report.after.to_owned()])
}

/// The summary of a report as Markdown; see [`stepscope_report::markdown`].
///
/// # Errors
///
/// If the summary, notes or messages are invalid.
#[wasm_bindgen]
pub fn markdown_report(summary: &[u8], notes: &str, language: &str, messages: &str) -> Result<String, String> {
    stepscope_report::markdown(summary, &Note::list(notes)?, &Texts::read(language_of(language), [messages])?)
}

/// A language by its code; English if unknown.
pub(crate) fn language_of(code: &str) -> Language {
    Language::named(code).unwrap_or(Language::English)
}

/// [`stepscope_report::Carried`], for JavaScript.
#[derive(Serialize)]
struct CarriedFile {
    before: String,
    after: &'static str,
    compress: bool,
    piece: usize,
}

/// The form in which a report carries a file, by its first bytes; see [`stepscope_report::carried`].
///
/// # Errors
///
/// If it cannot be converted.
#[wasm_bindgen]
pub fn carried_file(number: usize, path: &str, head: &[u8]) -> Result<JsValue, JsValue> {
    let stepscope_report::Carried { before, after, compress, piece } = stepscope_report::carried(number, path, head);
    Ok(serde_wasm_bindgen::to_value(&CarriedFile { before, after, compress, piece })?)
}

/// A count; see [`text::count`].
#[wasm_bindgen]
pub fn count(value: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number that is whole, from JavaScript"
    )]
    if value.fract() == 0.0 { text::count(value.max(0.0) as u64) } else { text::number(value) }
}

/// A share; see [`text::percent_or_dash`].
#[wasm_bindgen]
pub fn percent(share: Option<f64>) -> String {
    text::percent_or_dash(share)
}

/// A rate; see [`text::gigabytes_per_second`].
#[wasm_bindgen]
pub fn gigabytes_per_second(rate: Option<f64>) -> String {
    text::gigabytes_per_second(rate)
}

/// A rate of floating-point operations; see [`text::flops_per_second`].
#[wasm_bindgen]
pub fn flops_per_second(rate: Option<f64>) -> String {
    text::flops_per_second(rate)
}

/// A number of floating-point operations; see [`text::amount_of_flops`].
#[wasm_bindgen]
pub fn amount_of_flops(flops: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number, from JavaScript")]
    text::amount_of_flops(flops.max(0.0) as u64)
}

/// A number of any kind; see [`text::number`].
#[wasm_bindgen]
pub fn number(value: f64) -> String {
    text::number(value)
}

/// A table as CSV; see [`stepscope_present::csv::csv`].
///
/// # Errors
///
/// If it is not a list of lists of strings.
#[wasm_bindgen]
pub fn csv(rows: JsValue) -> Result<Vec<u8>, JsValue> {
    let rows: Vec<Vec<String>> = serde_wasm_bindgen::from_value(rows)?;
    Ok(stepscope_present::csv::csv(&rows))
}

/// A length of time written by the user, such as `50 µs`, in ns; none if it is invalid.
#[wasm_bindgen]
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a threshold")]
pub fn parse_duration(written: &str) -> Option<f64> {
    text::parse_duration(written).map(|time| time.0 as f64)
}
