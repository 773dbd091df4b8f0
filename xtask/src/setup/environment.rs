//! Environments of Python's with packages from PyPI, in the project's own folder of tools.

use std::path::PathBuf;

use super::{announce, apt};
use crate::paths;
use crate::shell::{Result, command, python, run, succeeds};

/// An environment of that name with these packages, made once: its folder of programs.
pub(super) fn ensure(name: &str, packages: &[&str], how_long: &str) -> Result<PathBuf> {
    let folder = paths::tools().join(name);
    let programs = folder.join("bin");
    let program = programs.join("python3");
    let done = folder.join(packages.join("+"));
    if done.is_file() && succeeds(command(&program).arg("--version")) {
        return Ok(programs);
    }
    announce(&format!("{} from PyPI", packages.join(", ")), how_long);
    let make = |python: &PathBuf| succeeds(command(python).args(["-m", "venv", "--clear"]).arg(&folder));
    let found = python()?;
    if !make(&found) {
        // Debian's Python comes without what makes them.
        if apt::usable() {
            apt::install(&["python3-venv"])?;
        }
        if !make(&PathBuf::from("/usr/bin/python3")) {
            return Err(format!(
                "{} can't make environments; as root, run: apt-get install python3-venv",
                found.display()
            ));
        }
    }
    run(command(&program).args(["-m", "pip", "install", "-q", "--only-binary=:all:"]).args(packages))?;
    std::fs::write(&done, "").map_err(|error| format!("{}: {error}", done.display()))?;
    Ok(programs)
}
