//! Files whose texts can be replaced.

use std::path::Path;

use stepscope_format::compact;

use crate::result::Result;

/// Bytes from which the kind of a file is detected.
pub(super) const HEAD: usize = 512;

/// Rejects files that cannot be copied text by text, with a hint.
pub(super) fn check_format(path: &Path, head: &[u8]) -> Result {
    if head.starts_with(&compact::TAG) || !is_binary(head) {
        return Ok(());
    }
    let what = if head.starts_with(b"SQLite format 3\0") { "this is a database" } else { "this is a binary file" };
    Err(format!(
        "{}: {what}, whose texts cannot be replaced: `stepscope export FILE -o clean.json.gz` writes a copy of the trace in which \
         secrets are masked",
        path.display()
    ))
}

/// Whether a file that begins so is not a text.
pub(super) fn is_binary(head: &[u8]) -> bool {
    head.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
}
