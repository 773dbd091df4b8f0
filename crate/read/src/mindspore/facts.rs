//! Facts about the rank, which later files of its folder use.

use stepscope_base::Nanos;
use stepscope_trace::TraceBuilder;

/// A fact about the rank from earlier files.
pub(super) fn fact<'a>(builder: &'a TraceBuilder, key: &str) -> Option<&'a str> {
    builder.meta.facts.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
}

/// Adds a fact about the rank, unless there is one.
pub(super) fn note(builder: &mut TraceBuilder, key: &str, value: &str) {
    if fact(builder, key).is_none() {
        builder.meta.facts.push((key.to_owned(), value.to_owned()));
    }
}

/// The clock of a file: `unix` if its time is after 2001, else that of its kind of file.
pub(super) fn clock(kind: &'static str, start: Nanos) -> &'static str {
    const YEAR_2001: i64 = 978_307_200_000_000_000;
    if start.0 >= YEAR_2001 { "unix" } else { kind }
}
