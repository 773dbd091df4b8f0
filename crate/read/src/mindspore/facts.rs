//! Facts about the rank, which files of its folder leave for those after them.

use stepscope_base::Nanos;
use stepscope_trace::TraceBuilder;

/// A fact about the rank, as files before this one left it.
pub(super) fn fact<'a>(builder: &'a TraceBuilder, key: &str) -> Option<&'a str> {
    builder.meta.facts.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
}

/// Leaves a fact about the rank, unless there is one.
pub(super) fn note(builder: &mut TraceBuilder, key: &str, value: &str) {
    if fact(builder, key).is_none() {
        builder.meta.facts.push((key.to_owned(), value.to_owned()));
    }
}

/// The clock of a file: since 1970, if a time in it is one of our years, else what its kind of file has.
pub(super) fn clock(kind: &'static str, start: Nanos) -> &'static str {
    const YEAR_2001: i64 = 978_307_200_000_000_000;
    if start.0 >= YEAR_2001 { "unix" } else { kind }
}
