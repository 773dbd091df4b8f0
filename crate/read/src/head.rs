//! First bytes of a file, by which readers recognize it.

use stepscope_base::RejectionReason;

/// The most bytes that a reader may need to decide.
pub const ENOUGH: usize = 1 << 16;

/// The beginning of an (uncompressed) file.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The first bytes.
    pub bytes: &'a [u8],
    /// Whether these are all bytes of the file, or as many as a reader may need.
    pub whole: bool,
}

/// A reader's verdict on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Accepted.
    Yes,
    /// Rejected, with the reason.
    No(RejectionReason),
    /// Recognized, but not readable, with the reason.
    Unread(RejectionReason),
    /// Recognized, but without anything beyond the other files of the reader, with the reason.
    Nothing(RejectionReason),
    /// Undecided: more bytes are needed.
    NeedMore,
}

impl<'a> Head<'a> {
    /// The bytes after a byte order mark and white space; empty while only such bytes are known.
    #[must_use]
    pub fn trimmed(&self) -> &'a [u8] {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        if BYTE_ORDER_MARK.starts_with(self.bytes) {
            return &[];
        }
        let bytes = self.bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(self.bytes);
        bytes.trim_ascii_start()
    }

    /// Whether a text occurs in it.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        memchr::memmem::find(self.bytes, text.as_bytes()).is_some()
    }
}
