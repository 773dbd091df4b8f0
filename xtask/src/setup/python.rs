//! The tests' own Pythons with packages from PyPI: one to record (with `nvtx`, whose ranges the injection library
//! gets), one with notebooks. They are separate so that each can be used if the other is not available.
//!
//! PyTorch and Paddle are too large for this; tests use them if `STEPSCOPE_PYTHON` names a Python that has them.

use std::path::PathBuf;

use super::environment;
use crate::shell::Result;

/// The variable that names a Python for tests.
pub(crate) const VARIABLE: &str = "STEPSCOPE_PYTHON";

/// The Python for tests: the one that the user names, or else this project's own, created once.
pub(crate) fn ensure() -> Result<PathBuf> {
    if let Some(told) = std::env::var_os(VARIABLE) {
        return Ok(told.into());
    }
    Ok(environment::ensure("python", "20 s")?.join("python3"))
}

/// The variable that names a Python with notebooks for tests.
pub(crate) const NOTEBOOK: &str = "STEPSCOPE_NOTEBOOK";

/// The Python with notebooks, including `JupyterLab`'s nbconvert and kernel: the one that the user names, or else
/// this project's own, created once.
pub(crate) fn ensure_notebook() -> Result<PathBuf> {
    if let Some(told) = std::env::var_os(NOTEBOOK) {
        return Ok(told.into());
    }
    Ok(environment::ensure("notebook", "2 minutes")?.join("python3"))
}
