//! A linker for old C libraries: its programs run on ten-year-old systems, and it links for other processors.

use std::path::PathBuf;

use super::environment;
use crate::shell::Result;

/// The folder of programs with `cargo-zigbuild` and its linker.
pub(crate) fn ensure() -> Result<PathBuf> {
    environment::ensure("zig", "1 minute")
}
