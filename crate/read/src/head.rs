//! The first bytes of a file, for readers to look at.

use stepscope_base::RejectionReason;

/// Bytes that a reader may ask to see before it decides.
pub const ENOUGH: usize = 1 << 16;

/// The beginning of an (uncompressed) file.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The first bytes.
    pub bytes: &'a [u8],
    /// Whether these are all the bytes there are, or all that anybody may ask for.
    pub whole: bool,
}

/// What a reader says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is mine.
    Yes,
    /// It is not, because of this.
    No(RejectionReason),
    /// It is mine, but I cannot read it, because of this.
    Unread(RejectionReason),
    /// It is mine, and adds nothing to what my other files tell, because of this.
    Nothing(RejectionReason),
    /// These bytes do not tell yet.
    NeedMore,
}

impl<'a> Head<'a> {
    /// The bytes without a byte order mark and white space in front; nothing while only such bytes are known.
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
