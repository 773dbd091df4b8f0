//! `cargo xtask publish-check`: the registries' checks of `target/dist` and of the crates, without uploading
//! anything.

use std::path::PathBuf;

use crate::shell::{Result, cargo, command, find, heading, run};
use crate::{paths, setup};

/// The published crates, each after its dependencies.
const CRATES: [&str; 16] = [
    "stepscope-format",
    "stepscope-macros",
    "stepscope-base",
    "stepscope-parse",
    "stepscope-trace",
    "stepscope-read",
    "stepscope-input",
    "stepscope-table",
    "stepscope-analyze",
    "stepscope-present",
    "stepscope-export",
    "stepscope-report",
    "stepscope",
    "stepscope-style",
    "stepscope-collector",
    "stepscope-cli",
];

/// Checks all three kinds of packages.
pub(crate) fn task(args: &[String]) -> Result {
    if !args.is_empty() {
        return Err("publish-check takes no options".into());
    }
    let dist = paths::target().join("dist");
    heading("crates.io");
    let mut package = cargo();
    package.args(["package", "--locked", "--no-verify", "--allow-dirty"]);
    run(package.args(CRATES.iter().flat_map(|name| ["--package", name])))?;
    heading("npm");
    let npm = find("npm").ok_or("npm is missing; install it with Node from https://nodejs.org")?;
    let folder = dist.join("npm");
    if !folder.is_dir() {
        return Err("there is no target/dist; run: cargo xtask dist".into());
    }
    run(command(npm).current_dir(folder).args(["pack", "--dry-run"]))?;
    heading("PyPI");
    let twine = setup::twine()?.join("twine");
    let entries = std::fs::read_dir(&dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    let is_wheel = |path: &PathBuf| path.extension().is_some_and(|end| end == "whl");
    let mut wheels: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(is_wheel).collect();
    wheels.sort();
    run(command(twine).args(["check", "--strict"]).args(wheels))
}
