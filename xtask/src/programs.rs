//! The project's own programs: the analyzer's, and those of the tests.

use std::path::PathBuf;

use crate::paths;
use crate::shell::{Result, cargo, heading, run};

/// The packages with these programs.
const PACKAGES: [&str; 4] = ["-p", "stepscope-cli", "-p", "stepscope-tests"];

/// Builds them with checks of overflow.
pub(crate) fn build() -> Result {
    heading("building the programs");
    run(cargo().args(["build", "--locked"]).args(PACKAGES).arg("--bins"))
}

/// Builds them for release.
pub(crate) fn build_release() -> Result {
    heading("building for release");
    run(cargo().args(["build", "--locked", "--release"]).args(PACKAGES).arg("--bins"))
}

/// Builds all that the tests run or load: programs, libraries, examples.
///
/// Building a part of the workspace would use other features than `cargo test`, and build it again.
pub(crate) fn build_for_tests() -> Result {
    run(cargo().args(["build", "--locked", "--workspace", "--all-targets"]))
}

/// The path of a program with checks.
pub(crate) fn debug(name: &str) -> PathBuf {
    built("debug", name)
}

/// The path of a program for release.
pub(crate) fn release(name: &str) -> PathBuf {
    built("release", name)
}

fn built(profile: &str, name: &str) -> PathBuf {
    paths::target().join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
