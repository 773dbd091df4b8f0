//! Python's wheel: the package with the notebook's widget, the program, and what that finds beside itself.

use std::path::Path;

use super::copy;
use super::native::Built;
use crate::paths;
use crate::shell::{Result, command, python, run};

/// Writes the wheel of one processor; the page is in `dist` already.
pub(super) fn write(dist: &Path, built: &Built) -> Result {
    let embedded = paths::target().join("embed");
    // What `stepscope report --trace` puts into its reports.
    copy(&embedded.join("analyzer.html"), &dist.join("embed/analyzer.html"))?;
    let mut script = command(python()?);
    script.args(["-c", include_str!("wheel.py")]).arg(dist).arg(&built.folder).arg(embedded.join("widget.js"));
    script.arg(paths::root().join("LICENSE")).arg(dist).arg(env!("CARGO_PKG_VERSION"));
    run(script.arg(format!("py3-none-{}", built.platform)))
}
