//! Texts kept as facts about a trace.

/// The longest text that is kept as a fact about a trace.
const LONGEST_FACT: usize = 200;

/// The beginning of a text, to be kept as a fact.
pub(crate) fn clip(text: &str) -> String {
    text.chars().take(LONGEST_FACT).collect()
}
