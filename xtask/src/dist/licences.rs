//! The licences of all that is built into released files.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::shell::{Result, capture, cargo, command, python};

/// The file, beside this project's own licence.
pub(super) const NAME: &str = "LICENSES.txt";

/// The list of dependencies for programs that check them.
const SBOM: &str = "sbom.cdx.json";

/// Writes those of packages of this project and of all their dependencies, for a target if one is given.
pub(super) fn write(folder: &Path, packages: &[&str], target: Option<&str>) -> Result {
    let sysroot = capture(command("rustc").args(["--print", "sysroot"])).ok_or("rustc printed no sysroot")?;
    let mut script = command(python()?);
    script.args(["-c", include_str!("licences.py")]).arg(folder.join(NAME)).arg(tree(packages, target)?).arg(sysroot);
    with_metadata(&mut script, NAME)
}

/// Writes the dependencies of packages of this project as a `CycloneDX` document.
pub(super) fn sbom(folder: &Path, packages: &[&str]) -> Result {
    let mut script = command(python()?);
    let version = env!("CARGO_PKG_VERSION");
    script.args(["-c", include_str!("sbom.py")]).arg(folder.join(SBOM)).arg(tree(packages, None)?).arg(version);
    with_metadata(&mut script, SBOM)
}

/// The dependencies of packages, one per line.
fn tree(packages: &[&str], target: Option<&str>) -> Result<String> {
    let mut tree = cargo();
    tree.args(["tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    for package in packages {
        tree.args(["--package", package]);
    }
    if let Some(target) = target {
        tree.args(["--target", target]);
    }
    capture(&mut tree).ok_or_else(|| "cargo tree failed".into())
}

/// Runs a script that reads `cargo metadata`.
fn with_metadata(script: &mut Command, name: &str) -> Result {
    let metadata =
        capture(cargo().args(["metadata", "--locked", "--format-version", "1"])).ok_or("cargo metadata failed")?;
    let failed = |error: std::io::Error| format!("{name}: {error}");
    let mut child = script.stdin(Stdio::piped()).spawn().map_err(failed)?;
    let written = child.stdin.take().map_or(Ok(()), |mut input| input.write_all(metadata.as_bytes()));
    let status = child.wait().map_err(failed)?;
    written.map_err(failed)?;
    if status.success() { Ok(()) } else { Err(format!("{name}: {status}")) }
}
