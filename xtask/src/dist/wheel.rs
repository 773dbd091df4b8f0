//! Python's wheel: the package with the notebook's widget, the program, and what that finds beside itself.

use std::path::Path;

use super::native::Built;
use crate::paths;
use crate::shell::{Result, command, python, run};

/// Writes the wheel of one processor.
pub(super) fn write(dist: &Path, page: &Path, built: &Built) -> Result {
    let mut script = command(python()?);
    script.arg(paths::root().join("xtask/src/dist/wheel.py")).arg(page).arg(&built.folder);
    script.arg(paths::embedded().join("widget.js")).arg(dist);
    script.arg(paths::root().join("collector/python/README.md"));
    script.arg(dist).arg(env!("CARGO_PKG_VERSION")).arg(format!("py3-none-{}", built.platform));
    script.arg(env!("CARGO_PKG_HOMEPAGE")).arg(env!("CARGO_PKG_REPOSITORY"));
    run(&mut script)
}
