//! Cases that JSON allows, forbids or leaves open: as a value of an event, of its args, of the metadata.
//!
//! - valid text gives the values that `serde_json` reads, and no fault;
//! - invalid text is repaired if its meaning is clear; otherwise its event is skipped, and no other;
//! - whole documents, and lists and objects in them, likewise;
//! - each in chunks of every size, as the oracle checks.

#![expect(clippy::panic, reason = "a test says so what is wrong")]

mod careless;
mod documents;
mod names;
mod values;

use stepscope::parse::FaultKind;
use stepscope_tests::oracle::{DocumentContent, Json, check_tokenizer};

/// The content found in a text whose every event `serde_json` reads, in chunks of any size.
#[track_caller]
fn found(text: &[u8]) -> DocumentContent {
    let readable = String::from_utf8_lossy(text);
    match check_tokenizer(text, &[1, 2, 3, 5, 16, 100]) {
        Ok(found) => found,
        Err(error) => panic!("{error}\n{readable}"),
    }
}

fn kinds(found: &DocumentContent) -> Vec<FaultKind> {
    found.faults.iter().map(|fault| fault.kind).collect()
}

/// A text as `serde_json` reads it.
#[track_caller]
fn json(text: &str) -> Json {
    Json::parse(text.as_bytes()).unwrap_or_else(|| panic!("the test is wrong: serde_json refuses {text}"))
}
