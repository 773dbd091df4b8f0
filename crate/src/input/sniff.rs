//! Which reader a file belongs to, by its first bytes.

use super::head::{ENOUGH, Head, Verdict};
use crate::error::{Error, ErrorKind};
use crate::read::{READERS, Reader};
use crate::refusal::Refusal;

/// The first reader in the table that says yes; `None` while one of them wants to see more.
///
/// # Errors
///
/// If all say no: what each said.
pub fn sniff(path: &str, head: Head<'_>) -> Result<Option<&'static dyn Reader>, Error> {
    let head = Head { bytes: head.bytes.get(..ENOUGH).unwrap_or(head.bytes), ..head };
    let mut undecided = false;
    for reader in READERS {
        match reader.sniff(path, head) {
            // One that is asked earlier may still claim it.
            Verdict::Yes if !undecided => return Ok(Some(*reader)),
            Verdict::Yes => {}
            Verdict::NeedMore if !head.whole => undecided = true,
            Verdict::NeedMore | Verdict::No(_) => {}
        }
    }
    if undecided { Ok(None) } else { Err(unknown(path, head)) }
}

/// That no reader knows a file, and what each said.
pub(super) fn unknown(path: &str, head: Head<'_>) -> Error {
    let tried = READERS.iter().map(|reader| {
        let why = match reader.sniff(path, head) {
            Verdict::No(why) => why,
            Verdict::Yes | Verdict::NeedMore => Refusal::Undecided,
        };
        (reader.about().title, why)
    });
    Error::at(ErrorKind::UnknownFormat(tried.collect()), 0)
}
