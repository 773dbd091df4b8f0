//! Cargo's tools, in the versions with which this project is built and checked.

use super::announce::announce;
use crate::paths;
use crate::shell::{Result, capture, command, find, run, succeeds};

pub(super) struct Tool {
    program: &'static str,
    package: &'static str,
    version: &'static str,
    options: &'static [&'static str],
    how_long: &'static str,
}

/// `wasm-bindgen-cli` must equal the version of the `wasm-bindgen` dependency, see `crate/Cargo.toml`.
pub(super) const OF_PAGE: [Tool; 1] = [Tool {
    program: "wasm-bindgen",
    package: "wasm-bindgen-cli",
    version: "0.2.129",
    // Without features that download other programs, and without the programs for its own tests.
    options: &["--no-default-features", "--bin", "wasm-bindgen"],
    how_long: "40 s",
}];

/// An alternative builder of `index.html`; without features that look for a newer version and download programs.
pub(super) const TRUNK: Tool = Tool {
    program: "trunk",
    package: "trunk",
    version: "0.21.14",
    options: &["--no-default-features"],
    how_long: "3 minutes",
};

pub(super) const DENY: Tool =
    Tool { program: "cargo-deny", package: "cargo-deny", version: "0.20.2", options: &[], how_long: "3 minutes" };

pub(super) const FUZZ: Tool =
    Tool { program: "cargo-fuzz", package: "cargo-fuzz", version: "0.13.2", options: &[], how_long: "1 minute" };

/// Installs missing tools into the project's own folder of tools.
pub(super) fn ensure(tools: &[Tool]) -> Result {
    let missing: Vec<&Tool> = tools.iter().filter(|tool| !tool.present()).collect();
    for tool in &missing {
        tool.install()?;
    }
    if !missing.is_empty() {
        let _ = std::fs::remove_dir_all(paths::tools().join("build"));
    }
    Ok(())
}

impl Tool {
    fn present(&self) -> bool {
        let version = find(self.program).and_then(|path| capture(command(path).arg("--version")));
        version.is_some_and(|text| text.split_whitespace().nth(1) == Some(self.version))
    }

    fn install(&self) -> Result {
        announce(&format!("{} {}", self.package, self.version), self.how_long);
        let spec = format!("{}@{}", self.package, self.version);
        let root = paths::tools();
        let binstall = ["binstall", "--no-confirm", "--disable-strategies", "compile", "--root"];
        if find("cargo-binstall").is_some()
            && succeeds(command("cargo").args(binstall).arg(&root).arg(&spec))
            && self.present()
        {
            return Ok(());
        }
        // A debug build is enough: it is a build tool, and compiles in half the time.
        run(command("cargo")
            .env_remove("RUSTUP_TOOLCHAIN")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_TARGET_DIR", root.join("build"))
            .args(["install", "--debug", "--locked", "--force", "--root"])
            .arg(&root)
            .args(self.options)
            .arg(&spec))
        .map_err(|error| {
            format!("{error}; if this machine reaches no registry, install it by: cargo install {spec} --locked")
        })
    }
}
