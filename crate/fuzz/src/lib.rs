//! What the fuzz targets check; each panics with what does not hold.
//!
//! ```text
//! cargo install cargo-fuzz
//! cd crate/fuzz
//! cargo run --release --example seeds                          # writes corpus/
//! RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir . tokenizer -- -max_total_time=60 -max_len=4096
//! RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir . trace -- -max_total_time=60 -timeout=10
//! RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir . container -- -max_total_time=60 -timeout=20 -max_len=8192
//! ```
//!
//! `RUSTC_BOOTSTRAP=1` lets a stable compiler build with the sanitizer; a nightly one needs no such word.

use stepscope_tests::oracle;

/// The tokenizer finds what `serde_json` reads, whatever the chunks; the first byte chooses their size.
///
/// # Panics
///
/// If it does not.
pub fn tokenizer(data: &[u8]) {
    let Some((chunk, text)) = data.split_first() else { return };
    if let Err(what) = oracle::check_tokenizer(text, &[1, usize::from(*chunk).max(1)]) {
        panic!("{what}");
    }
}

/// A file is refused clearly, or its numbers add up and survive the export; the first line is its path, which tells
/// readers of a profiler's folder what it is.
///
/// # Panics
///
/// If neither is so.
pub fn trace(data: &[u8]) {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or_default();
    let path = String::from_utf8_lossy(&data[..end]);
    if let Err(what) = oracle::check_trace(&path, data.get(end + 1..).unwrap_or_default()) {
        panic!("{what}");
    }
}

/// An archive or packed file is opened with clean paths, or refused; chunks make no difference.
///
/// # Panics
///
/// If that is not so.
pub fn container(data: &[u8]) {
    if let Err(what) = oracle::check_container(data) {
        panic!("{what}");
    }
}
