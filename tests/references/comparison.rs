//! One number of a reference beside ours.

use std::fmt;

use serde_json::Value;
use stepscope::Nanos;
use stepscope::parse::Decimal;

/// A number of another tool, and ours.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    /// Name of the reference.
    pub(crate) reference: &'static str,
    /// The trace.
    pub(crate) trace: String,
    /// Key of the number.
    pub(crate) key: String,
    expected: f64,
    found: f64,
    /// Largest allowed difference.
    tolerance: f64,
    note: String,
}

impl Comparison {
    /// Integers that must be equal.
    #[expect(clippy::cast_precision_loss, reason = "ns of traces far below 2^53")]
    pub(crate) fn exact(
        reference: &'static str,
        trace: &str,
        key: impl Into<String>,
        expected: i64,
        found: i64,
    ) -> Self {
        assert!(expected.unsigned_abs().max(found.unsigned_abs()) < 1 << 53, "{expected} and {found} are too large");
        Self::close(reference, trace, key, expected as f64, found as f64, 0.0)
    }

    /// Numbers that may differ by a tolerance.
    pub(crate) fn close(
        reference: &'static str,
        trace: &str,
        key: impl Into<String>,
        expected: f64,
        found: f64,
        tolerance: f64,
    ) -> Self {
        let (trace, key) = (trace.to_owned(), key.into());
        Self { reference, trace, key, expected, found, tolerance, note: String::new() }
    }

    /// A check that passes or fails.
    pub(crate) fn of_result(reference: &'static str, trace: &str, result: Result<(), String>) -> Self {
        let found = if result.is_ok() { 1.0 } else { 0.0 };
        let note = result.err().unwrap_or_default();
        Self { note, ..Self::close(reference, trace, reference, 1.0, found, 0.0) }
    }

    /// Whether both numbers agree.
    pub(crate) fn is_same(&self) -> bool {
        (self.expected - self.found).abs() <= self.tolerance
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trace, key, expected, found, note, .. } = self;
        write!(f, "{trace}: {key}: expected {expected}, found {found} ({:+}) {note}", found - expected)
    }
}

/// A time as a number.
#[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
pub(crate) fn float(time: Nanos) -> f64 {
    time.0 as f64
}

/// Microseconds written as a text, in ns.
pub(crate) fn nanos_of_text(value: &Value) -> i64 {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} is no text"));
    let nanos = Decimal::parse(text.as_bytes()).and_then(Decimal::nanos_from_micros);
    nanos.unwrap_or_else(|| panic!("{text} is no time")).0.0
}

/// Whether a key matches a pattern; `*` stands for anything.
pub(crate) fn matches(pattern: &str, key: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == key,
        Some((start, rest)) => key.strip_prefix(start).is_some_and(|key| {
            (0..=key.len()).filter(|at| key.is_char_boundary(*at)).any(|at| matches(rest, &key[at..]))
        }),
    }
}
