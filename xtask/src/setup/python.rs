//! A Python of the tests' own, with packages from PyPI that are recorded: `nvtx`, whose ranges the injection library gets.
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
    Ok(environment::ensure("python", &["nvtx==0.2.17"], "20 s")?.join("python3"))
}
