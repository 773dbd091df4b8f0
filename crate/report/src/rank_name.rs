//! The name of a rank.

use serde_json::Value;

use crate::cells;
use crate::texts::Texts;

/// A rank's number, and the file that it was read from.
pub(super) fn name_of(rank: &Value, index: usize, texts: &Texts) -> String {
    let number = match rank["rank"].as_u64() {
        Some(number) => texts.say("report.rank.number", &[("number", &number.to_string())]),
        None => texts.say("report.trace.number", &[("number", &(index + 1).to_string())]),
    };
    format!("{number} · {}", cells::text(&rank["input"]))
}
