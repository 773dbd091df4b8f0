//! Python environments with packages from PyPI, in the project's own folder of tools.
//!
//! `xtask/requirements/NAME.txt` pins every package, with its dependencies, by version and hash. To change it, write
//! the wanted packages into a file and run `uv pip compile --universal --generate-hashes --no-header --no-annotate`.

use std::path::PathBuf;

use super::announce::announce;
use super::apt;
use crate::paths;
use crate::shell::{Result, command, python, run, succeeds};

/// The file that pins the packages of an environment.
pub(super) fn requirements(name: &str) -> PathBuf {
    paths::root().join("xtask/requirements").join(format!("{name}.txt"))
}

/// The folder of programs of an environment, which is created once from the pinned packages.
pub(super) fn ensure(name: &str, how_long: &str) -> Result<PathBuf> {
    let folder = paths::tools().join(name);
    let programs = folder.join("bin");
    let program = programs.join("python3");
    let pinned = requirements(name);
    let read = |path: &PathBuf| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let wanted = read(&pinned)?;
    let done = folder.join("installed.txt");
    if read(&done).is_ok_and(|installed| installed == wanted) && succeeds(command(&program).arg("--version")) {
        return Ok(programs);
    }
    announce(&format!("the packages of {name} from PyPI"), how_long);
    let make = |python: &PathBuf| succeeds(command(python).args(["-m", "venv", "--clear"]).arg(&folder));
    let found = python()?;
    if !make(&found) {
        // Debian's Python does not include venv.
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
    let install = ["-m", "pip", "install", "-q", "--only-binary=:all:", "--require-hashes", "-r"];
    run(command(&program).args(install).arg(&pinned))?;
    std::fs::write(&done, wanted).map_err(|error| format!("{}: {error}", done.display()))?;
    Ok(programs)
}
