//! Errors with their paths.

use std::io;
use std::path::Path;

/// An error with its path.
pub(crate) fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
