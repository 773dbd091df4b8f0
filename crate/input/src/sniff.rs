//! Format detection by a file's first bytes.

use stepscope_base::{Error, ErrorKind, RejectionReason};
use stepscope_read::{ENOUGH, Head, Verdict};
use stepscope_read::{READERS, Reader};

/// The first reader in the table that accepts the file; `None` while a reader needs more bytes.
///
/// # Errors
///
/// If all readers reject the file: each one's reason, or the fault if a reader recognizes the file but cannot read
/// it.
pub fn sniff(path: &str, head: Head<'_>) -> Result<Option<&'static dyn Reader>, Error> {
    let head = Head { bytes: head.bytes.get(..ENOUGH).unwrap_or(head.bytes), ..head };
    let mut undecided = false;
    for reader in READERS {
        match reader.sniff(path, head) {
            // An earlier reader may still accept it.
            Verdict::Yes if !undecided => return Ok(Some(*reader)),
            Verdict::Yes => {}
            Verdict::NeedMore if !head.whole => undecided = true,
            Verdict::NeedMore | Verdict::No(_) | Verdict::Unread(_) | Verdict::Nothing(_) => {}
        }
    }
    if undecided { Ok(None) } else { Err(refused(path, head)) }
}

/// The reason why no reader reads a file.
pub(super) fn refused(path: &str, head: Head<'_>) -> Error {
    let mut tried = Vec::new();
    for reader in READERS {
        let why = match reader.sniff(path, head) {
            Verdict::Unread(why) => return Error::new(ErrorKind::Unread(why)),
            Verdict::Nothing(why) => return Error::new(ErrorKind::Nothing(why)),
            Verdict::No(why) => why,
            Verdict::Yes | Verdict::NeedMore => RejectionReason::Undecided,
        };
        tried.push((reader.about().title, why));
    }
    if head.bytes.is_empty() {
        return Error::new(ErrorKind::Empty);
    }
    Error::at(ErrorKind::UnknownFormat(tried), 0)
}

/// The reader that recognizes a file but cannot read it.
pub(super) fn owner(path: &str, head: Head<'_>) -> Option<&'static dyn Reader> {
    READERS.iter().copied().find(|reader| matches!(reader.sniff(path, head), Verdict::Unread(_)))
}
