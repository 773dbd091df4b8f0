//! The checks of the fuzz targets, by the targets' names: inputs that once failed are tried by every test run.

use super::{check_container, check_sqlite, check_tokenizer, check_trace, with_and_without_seal};

/// Check of an input.
pub type Check = fn(&[u8]) -> Result<(), String>;

/// The fuzz targets.
pub const TARGETS: [(&str, Check); 4] =
    [("container", container), ("sqlite", sqlite), ("tokenizer", tokenizer), ("trace", trace)];

/// The tokenizer's result matches `serde_json`'s, with any chunks; the first byte chooses their size.
fn tokenizer(data: &[u8]) -> Result<(), String> {
    let Some((chunk, text)) = data.split_first() else { return Ok(()) };
    check_tokenizer(text, &[1, usize::from(*chunk).max(1)]).map(drop)
}

/// A file is rejected with a clear error, or its numbers add up and survive the export. The first line is its path, by
/// which readers of a profiler's folder recognize it. Checksums do not prevent tests of the code after them.
fn trace(data: &[u8]) -> Result<(), String> {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or_default();
    let path = String::from_utf8_lossy(&data[..end]);
    with_and_without_seal(data.get(end + 1..).unwrap_or_default(), |file| check_trace(&path, file))
}

/// An archive, packed file or database is opened with clean paths, or rejected; chunks make no difference. Checksums do
/// not prevent tests of the code after them.
fn container(data: &[u8]) -> Result<(), String> {
    with_and_without_seal(data, check_container)
}

/// A database is read to its end, with any content of its pages.
fn sqlite(data: &[u8]) -> Result<(), String> {
    check_sqlite(data).map(drop)
}
