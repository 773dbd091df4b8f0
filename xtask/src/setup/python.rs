//! Pythons of the tests' own, with packages from PyPI: one with what is recorded (`nvtx`, whose ranges the injection library
//! gets), one with notebooks. They are apart so that one can be had where the other cannot.
//!
//! PyTorch and Paddle are too large for this; tests use them where `STEPSCOPE_PYTHON` names a Python that has them.

use std::path::PathBuf;

use super::environment;
use crate::shell::Result;

/// The variable by which tests are told of a Python.
pub(crate) const VARIABLE: &str = "STEPSCOPE_PYTHON";

/// The Python to test with: the one that a person names, else our own, made once.
pub(crate) fn ensure() -> Result<PathBuf> {
    if let Some(told) = std::env::var_os(VARIABLE) {
        return Ok(told.into());
    }
    Ok(environment::ensure("python", "20 s")?.join("python3"))
}

/// The variable by which tests are told of a Python with notebooks.
pub(crate) const NOTEBOOK: &str = "STEPSCOPE_NOTEBOOK";

/// The Python with notebooks, `JupyterLab`'s nbconvert and kernel among them: the one that a person names, else our own, made once.
pub(crate) fn ensure_notebook() -> Result<PathBuf> {
    if let Some(told) = std::env::var_os(NOTEBOOK) {
        return Ok(told.into());
    }
    Ok(environment::ensure("notebook", "2 minutes")?.join("python3"))
}
