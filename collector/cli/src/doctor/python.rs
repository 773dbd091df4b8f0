//! Packages of a Python that can be recorded.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::check::Check;

/// A Python as it was found.
#[derive(Default)]
pub(super) struct Python {
    version: Option<String>,
    /// Packages with their versions.
    packages: Vec<(String, String)>,
    /// Folders of packages, in which NVIDIA's libraries may be.
    pub(super) folders: Vec<PathBuf>,
    problem: String,
}

/// Asks without importing anything: that takes seconds, and may fail for reasons of its own.
const SCRIPT: &str = "\
import platform, sys
from importlib import metadata
print('version', platform.python_version())
for name in ('nvtx', 'torch', 'paddlepaddle', 'paddlepaddle-gpu', 'mindspore', 'jax'):
    try:
        print('package', name, metadata.version(name))
    except metadata.PackageNotFoundError:
        pass
for folder in sys.path:
    if folder.endswith('-packages'):
        print('folder', folder)
";

/// Asks a Python.
pub(super) fn look(program: &str) -> Python {
    let mut found = Python::default();
    // -S would hide the packages; -E is the user's choice.
    match Command::new(program).args(["-c", SCRIPT]).stdin(Stdio::null()).output() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            for line in text.lines() {
                match line.split_once(' ') {
                    Some(("version", version)) => found.version = Some(version.to_owned()),
                    Some(("folder", folder)) => found.folders.push(PathBuf::from(folder)),
                    Some(("package", package)) => {
                        let (name, version) = package.split_once(' ').unwrap_or((package, ""));
                        found.packages.push((name.to_owned(), version.to_owned()));
                    }
                    _ => {}
                }
            }
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr);
                found.problem = said.lines().last().unwrap_or("it fails").to_owned();
            }
        }
        Err(error) => found.problem = error.to_string(),
    }
    found
}

pub(super) fn check(program: &str, found: &Python) -> Check {
    let (id, title) = ("python", "Python");
    let Some(version) = &found.version else {
        let fix = "only scripts need it; --python names another one";
        return Check::missing(id, title, format!("{program}: {}", found.problem), fix);
    };
    let packages: Vec<String> = found.packages.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let has = |name: &str| found.packages.iter().any(|(known, _)| known.starts_with(name));
    let text =
        format!("{program} {version}{}", packages.iter().map(|package| format!(", {package}")).collect::<String>());
    if has("nvtx") || has("torch") || has("paddlepaddle") {
        return Check::ok(id, title, text);
    }
    let fix =
        "ranges of scripts come from nvtx (pip install nvtx), from torch.cuda.nvtx, or from stepscope's own package";
    Check::limited(id, title, format!("{text}; neither nvtx nor a framework"), fix)
}
