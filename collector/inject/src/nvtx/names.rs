//! Names of ranges and instant events.

use std::borrow::Cow;

use stepscope_collector::{AsName, Name};

use super::domains::Domain;
use crate::text::readable;

/// Endings that PyTorch's `emit_nvtx` appends to an operator's name, in this order, where it appends any.
const ENDINGS: [&[u8]; 3] = [b", seq = ", b", op_id = ", b", sizes = "];

/// Name of a range or an instant event, and other data from its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) name: Name,
    /// Whether it is an operator of PyTorch's.
    pub(super) is_operator: bool,
    /// Its sequence number, which joins forward and backward operators.
    pub(super) sequence: Option<u64>,
}

impl Label {
    /// A name that was looked up before.
    pub(super) fn of(name: Name) -> Self {
        Self { name, is_operator: false, sequence: None }
    }

    /// The label of a text.
    #[inline]
    pub(super) fn new(domain: Domain, text: &[u8]) -> Self {
        let (plain, rest) = cut(text);
        let name = match (domain.name(), readable(plain)) {
            ("", Cow::Borrowed(text)) => text.number(),
            ("", Cow::Owned(text)) => text.number(),
            (domain, text) => [domain, ":", &text].concat().number(),
        };
        let is_operator = !rest.is_empty();
        Self { name: Name::of(name), is_operator, sequence: sequence(rest) }
    }
}

/// Splits a text before the ending that makes it unique.
#[inline]
fn cut(text: &[u8]) -> (&[u8], &[u8]) {
    // The endings end in a number or a list: most names need not be searched.
    if !text.last().is_some_and(|last| last.is_ascii_digit() || *last == b']') {
        return (text, &[]);
    }
    let mut from = 0;
    while let Some(comma) = text[from..].iter().position(|byte| *byte == b',') {
        let at = from + comma;
        if ENDINGS.iter().any(|ending| text[at..].starts_with(ending)) {
            return text.split_at(at);
        }
        from = at + 1;
    }
    (text, &[])
}

fn sequence(rest: &[u8]) -> Option<u64> {
    let digits = rest.strip_prefix(ENDINGS[0])?.split(|byte| !byte.is_ascii_digit()).next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_names_unique_is_cut() {
        let parts = |text: &str| {
            let (plain, rest) = cut(text.as_bytes());
            (String::from_utf8_lossy(plain).into_owned(), !rest.is_empty(), sequence(rest))
        };
        let operator = |name: &str, sequence| (name.to_owned(), true, sequence);
        assert_eq!(parts("aten::mm, seq = 7, op_id = 12, sizes = [[2, 3], [3, 4]]"), operator("aten::mm", Some(7)));
        assert_eq!(parts("aten::t, op_id = 12"), operator("aten::t", None));
        assert_eq!(parts("a, b, sizes = []"), operator("a, b", None));
        for text in ["step 4, epoch = 1", "", "a,", ", seq", "a, b"] {
            assert_eq!(parts(text), (text.to_owned(), false, None));
        }
    }
}
