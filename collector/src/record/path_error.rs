//! Errors with the paths that they are about.

use std::io;
use std::path::Path;

/// An error with the path that it is about.
pub(crate) fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
