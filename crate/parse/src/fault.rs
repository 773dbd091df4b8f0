//! Faults and repairs of a document.

/// A fault of a document, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The byte of the file at which it was found.
    pub position: u64,
    /// The expected content.
    pub expected: &'static str,
}

/// Kinds of faults. Repairs are reported once per kind and event (or other member).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An object of the list is not valid JSON beyond repair; it was skipped.
    MalformedObject,
    /// The list has an element other than an object; it was skipped.
    NotAnObject,
    /// Repaired: a comma or a bracket is missing or superfluous.
    Punctuation,
    /// Another member is not valid JSON beyond repair; it was skipped.
    MalformedMember,
    /// Another member's value is too long; it was skipped.
    LongMember,
    /// Text follows the document's end.
    TrailingText,
    /// The document ends within a value.
    Truncated,
    /// The document ends between two values: only closing brackets are missing.
    Unclosed,
    /// Repaired: a string has a control character, which is kept.
    ControlCharacter,
    /// Repaired: a string has a quote without a backslash, which is kept.
    Quote,
    /// Repaired: a string has a backslash without a valid escape sequence, which is kept.
    Escape,
    /// Repaired: a string is not valid UTF-8 or has an unpaired surrogate, which was replaced.
    Encoding,
    /// Repaired: a missing value, now `null`; or a word that JSON does not have, now `null` or a text.
    Word,
    /// Repaired: a number is not written as in JSON.
    Number,
    /// A value is nested too deep; it was replaced by `null`.
    Deep,
    /// The objects follow one another, not in a list.
    Lines,
    /// Another document follows the first; it is read as well.
    SecondDocument,
    /// The list's key occurs again, or its value is not a list; every list is read.
    SecondList,
}
