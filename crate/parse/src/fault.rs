//! What is wrong with a document, or was repaired in it.

/// What is wrong with a document, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault.
    pub kind: FaultKind,
    /// The byte of the file at which it was noticed.
    pub position: u64,
    /// What should have been there.
    pub expected: &'static str,
}

/// Kinds of faults. Those repaired are told once per kind and event (or other member).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An object of the list is not valid JSON beyond repair; it was skipped.
    MalformedObject,
    /// The list holds something other than an object; it was skipped.
    NotAnObject,
    /// Repaired: a comma or a bracket is missing, or one too many stands somewhere.
    Punctuation,
    /// Another member is not valid JSON beyond repair; it was skipped.
    MalformedMember,
    /// Another member's value is longer than sensible; it was skipped.
    LongMember,
    /// Text follows the document's end.
    TrailingText,
    /// The document ends in the middle of something.
    Truncated,
    /// The document ends between two things: only what closes it is missing.
    Unclosed,
    /// Repaired: a control character stands in a string; it is part of the text.
    ControlCharacter,
    /// Repaired: a quote stands in a string without a backslash before it; it is part of the text.
    Quote,
    /// Repaired: a backslash in a string begins no escape sequence; it is part of the text.
    Escape,
    /// Repaired: a string is not valid UTF-8 or holds half a surrogate pair, which was replaced.
    Encoding,
    /// Repaired: a value is missing, or a word that JSON does not have: `null`, or the word as a text.
    Word,
    /// Repaired: a number is not written as JSON has it.
    Number,
    /// A value is nested too deep; `null` stands in its place.
    Deep,
    /// The objects stand one after another, not in a list.
    Lines,
    /// Another document follows the first; it is read as well.
    SecondDocument,
    /// The list's key occurs again, or its value is no list; every list is read.
    SecondList,
}
