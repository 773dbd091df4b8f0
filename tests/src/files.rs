//! Files that tests read: the project's own fixtures, and real traces where they lie beside the project.

use std::io::Read;
use std::path::{Path, PathBuf};

use stepscope::analyze::AnalysisConfig;
use stepscope::input::{GunzipEnd, Gunzipper, is_gzip};
use stepscope::{Error, Loaded, Loader, Rank};

/// The workspace's root.
#[must_use]
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Real traces and other tools' results on them, if this checkout has them beside it.
///
/// Says on standard error that what wants them is skipped, if not.
#[must_use]
pub fn real_traces() -> Option<PathBuf> {
    let folder = root().join("../shared/traces");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no real traces at ../shared/traces");
    None
}

/// A file's text, inflated if it is compressed.
///
/// # Panics
///
/// If it cannot be read: a test has no use for that.
#[must_use]
#[expect(clippy::panic, reason = "a test helper")]
pub fn text_of(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes;
    }
    let mut text = Vec::new();
    let result = flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut text);
    result.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text
}

/// Reads a trace in chunks of a given size.
///
/// # Errors
///
/// If it is none.
pub fn load(name: &str, text: &[u8], chunk: usize) -> Result<Loaded, Error> {
    let mut loader = Loader::new(name);
    for piece in text.chunks(chunk) {
        loader.space(piece.len()).copy_from_slice(piece);
        loader.advance(piece.len())?;
    }
    loader.finish()
}

/// Reads and analyses a trace.
///
/// # Errors
///
/// If it is none.
pub fn rank(name: &str, text: &[u8], config: &AnalysisConfig) -> Result<Rank, Error> {
    Ok(Rank::new(name, text.len() as u64, load(name, text, 1 << 18)?, config))
}

/// Reads a file's bytes, compressed or not, in chunks of a given size, as the program does.
///
/// # Errors
///
/// If it is no trace.
pub fn load_file(name: &str, file: &[u8], chunk: usize) -> Result<Loaded, Error> {
    if !is_gzip(file) {
        return load(name, file, chunk);
    }
    let mut loader = Loader::new(name);
    let mut gunzip = Gunzipper::default();
    for mut input in file.chunks(chunk) {
        loop {
            let (used, written) = gunzip.push(input, loader.space(chunk));
            loader.advance(written)?;
            input = &input[used..];
            if input.is_empty() && written < chunk {
                break;
            }
        }
    }
    if let GunzipEnd::Damaged(what) = gunzip.finish() {
        loader.container_damaged(&what);
    }
    loader.finish()
}

/// The stable names of all kinds of errors, as their source gives them.
///
/// # Panics
///
/// If the source no longer reads as it did.
#[must_use]
#[expect(clippy::panic, reason = "a test helper")]
pub fn error_codes() -> Vec<String> {
    let source = root().join("crate/src/error.rs");
    let text = std::fs::read_to_string(&source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    let function = text.split("fn code(").nth(1).and_then(|rest| rest.split("\n    }\n").next()).unwrap_or_default();
    let codes: Vec<String> = function.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(
        codes.len() > 5 && codes.len() == function.matches("ErrorKind::").count(),
        "each kind has a code: {codes:?}"
    );
    codes
}
