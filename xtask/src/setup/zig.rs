//! A linker that knows old C libraries: what is linked here runs on systems that are ten years old, and for another processor.

use std::path::PathBuf;

use super::environment;
use crate::shell::Result;

/// The folder of programs in which `cargo-zigbuild` and what it links with are.
pub(crate) fn ensure() -> Result<PathBuf> {
    environment::ensure("zig", "1 minute")
}
