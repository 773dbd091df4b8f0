//! Paths of the repository, of the tools that the set-up installs for it, and of build results.

use std::path::{Path, PathBuf};

/// The repository's root (the folder of the workspace's `Cargo.toml`).
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Cargo's target folder for the workspace.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Tools of pinned versions, installed for this checkout only; `cargo clean` keeps them.
pub(crate) fn tools() -> PathBuf {
    root().join(".tools")
}

/// The built page, ready for any static host.
pub(crate) fn page() -> PathBuf {
    target().join("page")
}

/// The scripts that put the analyzer into one file, with their `package.json`.
pub(crate) fn embed() -> PathBuf {
    root().join("www").join("embed")
}

/// The analyzer as single files: the element, the notebooks' widget, the scripts of a report.
pub(crate) fn embedded() -> PathBuf {
    target().join("embed")
}

/// The browser tests, with their `package.json`.
pub(crate) fn web_tests() -> PathBuf {
    root().join("tests").join("web")
}
