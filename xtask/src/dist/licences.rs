//! The licences of all that is built into what is handed out.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::shell::{Result, capture, cargo, command, python};

/// The file, beside our own licence.
pub(super) const NAME: &str = "LICENSES.txt";

/// Writes those of packages of ours and all that they are built of, for a target if one is said.
pub(super) fn write(folder: &Path, packages: &[&str], target: Option<&str>) -> Result {
    let mut tree = cargo();
    tree.args(["tree", "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    for package in packages {
        tree.args(["--package", package]);
    }
    if let Some(target) = target {
        tree.args(["--target", target]);
    }
    let tree = capture(&mut tree).ok_or("cargo tree failed")?;
    let metadata = capture(cargo().args(["metadata", "--format-version", "1"])).ok_or("cargo metadata failed")?;
    let sysroot = capture(command("rustc").args(["--print", "sysroot"])).ok_or("rustc told no sysroot")?;
    let mut script = command(python()?);
    script.args(["-c", include_str!("licences.py")]).arg(folder.join(NAME)).arg(tree).arg(sysroot);
    script.stdin(Stdio::piped());
    let failed = |error: std::io::Error| format!("{NAME}: {error}");
    let mut child = script.spawn().map_err(failed)?;
    let written = child.stdin.take().map_or(Ok(()), |mut input| input.write_all(metadata.as_bytes()));
    let status = child.wait().map_err(failed)?;
    written.map_err(failed)?;
    if status.success() { Ok(()) } else { Err(format!("{NAME}: {status}")) }
}
