//! Fatal errors: a file is unreadable. All other problems are [`crate::Warning`]s.

use std::fmt;

use crate::rejection::RejectionReason;

/// The reason why nothing could be read, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The file with the error, as the user knows it; empty until the file's name is known.
    pub file: String,
    /// The byte of the (uncompressed) file at which the error occurred, where that is known.
    pub position: Option<u64>,
}

/// Kinds of errors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file is empty.
    Empty,
    /// No reader recognizes the format; for each format, the reason why its reader rejected the file.
    UnknownFormat(Vec<(&'static str, RejectionReason)>),
    /// A file of a known producer that is not read, for this reason.
    Unread(RejectionReason),
    /// A file of a known producer that adds nothing to its other files, for this reason.
    Nothing(RejectionReason),
    /// Another file is an export of the same recording and is read instead: its path.
    Twin(String),
    /// The format was recognized, but the text ends or breaks before the first event.
    Syntax {
        /// The expected text.
        expected: &'static str,
    },
    /// The text is well-formed, but none of its events can be used.
    NoEvents,
    /// The database is so damaged that none of its tables can be found.
    Database(String),
    /// The compressed stream is damaged from the start.
    Compression(String),
    /// A container that is known but not read, such as an encrypted one; with the reason.
    Unsupported(String),
    /// More slices than the model's 32-bit ids can name.
    TooManyEvents,
    /// The file could not be read.
    Io(String),
}

impl Error {
    /// An error that concerns a whole file.
    #[must_use]
    pub fn new(kind: ErrorKind) -> Self {
        Self { kind, file: String::new(), position: None }
    }

    /// An error at a byte of the uncompressed file.
    #[must_use]
    pub fn at(kind: ErrorKind, position: u64) -> Self {
        Self { kind, file: String::new(), position: Some(position) }
    }

    /// The same error with its file.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        file.clone_into(&mut self.file);
        self
    }

    /// Whether leaving the file out loses nothing: another file has the same contents, or it has none.
    #[must_use]
    pub fn is_harmless(&self) -> bool {
        matches!(self.kind, ErrorKind::Twin(_) | ErrorKind::Nothing(_))
    }

    /// A stable name of the kind, for translations.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self.kind {
            ErrorKind::Empty => "empty",
            ErrorKind::UnknownFormat(_) => "unknown_format",
            ErrorKind::Unread(_) => "unread",
            ErrorKind::Nothing(_) => "nothing",
            ErrorKind::Twin(_) => "twin",
            ErrorKind::Syntax { .. } => "syntax",
            ErrorKind::NoEvents => "no_events",
            ErrorKind::Database(_) => "database",
            ErrorKind::Compression(_) => "compression",
            ErrorKind::Unsupported(_) => "unsupported",
            ErrorKind::TooManyEvents => "too_many_events",
            ErrorKind::Io(_) => "io",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}: ", self.file)?;
        }
        if let Some(position) = self.position {
            write!(f, "at byte {position}: ")?;
        }
        match &self.kind {
            ErrorKind::Empty => f.write_str("the file is empty"),
            ErrorKind::UnknownFormat(tried) => {
                f.write_str("not a trace of a known format (")?;
                for (index, (format, why)) in tried.iter().enumerate() {
                    if index > 0 {
                        f.write_str("; ")?;
                    }
                    write!(f, "{format}: {}", why.describe())?;
                }
                f.write_str(")")
            }
            ErrorKind::Unread(why) => write!(f, "known, but not read: {}", why.describe()),
            ErrorKind::Nothing(why) => write!(f, "known, adds nothing: {}", why.describe()),
            ErrorKind::Twin(other) => write!(f, "the same recording as {other}, which is read instead"),
            ErrorKind::Syntax { expected } => write!(f, "expected {expected}"),
            ErrorKind::NoEvents => f.write_str(
                "no event in it can be used: none is a slice, counter value, memory event or mark with a time",
            ),
            ErrorKind::Database(what) => write!(f, "the database is damaged: {what}"),
            ErrorKind::Compression(what) => write!(f, "the compressed data is damaged: {what}"),
            ErrorKind::Unsupported(why) => f.write_str(why),
            ErrorKind::TooManyEvents => f.write_str("more than 4 billion events"),
            ErrorKind::Io(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_the_file_and_the_place() {
        let error = Error::at(ErrorKind::Syntax { expected: "a value" }, 42).in_file("a.json");
        assert_eq!(error.to_string(), "a.json: at byte 42: expected a value");
        let tried = vec![("one", RejectionReason::NotJson), ("two", RejectionReason::ChromeTrace)];
        let error = Error::new(ErrorKind::UnknownFormat(tried));
        assert_eq!(
            error.to_string(),
            "not a trace of a known format (one: its first bytes are not JSON; two: a Chrome trace)"
        );
        assert_eq!(Error::new(ErrorKind::TooManyEvents).to_string(), "more than 4 billion events");
        assert_eq!(Error::new(ErrorKind::Io("no disk".into())).in_file("b").to_string(), "b: no disk");
    }
}
