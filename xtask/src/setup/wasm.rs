//! The wasm32 target: by rustup where it can download, else from Debian's packages.

use std::path::PathBuf;

use super::announce::announce;
use super::{apt, debian_wasm};
use crate::shell::{Result, capture, cargo_of_toolchain, command, find, succeeds};

/// The target of all web code.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The toolchain that can build for wasm32.
#[derive(Clone, Copy)]
pub(crate) enum WasmToolchain {
    /// The default toolchain of `cargo` here.
    Default,
    /// Debian's, linked into rustup with this name.
    Linked(&'static str),
}

impl WasmToolchain {
    /// `cargo` of this toolchain.
    pub(crate) fn cargo(self) -> std::process::Command {
        cargo_of_toolchain(self.name())
    }

    /// Makes a command of rustup use it.
    pub(crate) fn choose(self, command: &mut std::process::Command) {
        command.env_remove("RUSTUP_TOOLCHAIN");
        if let Some(name) = self.name() {
            command.env("RUSTUP_TOOLCHAIN", name);
        }
    }

    /// The value for `RUSTUP_TOOLCHAIN`, if one is needed.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::Default => None,
            Self::Linked(name) => Some(name),
        }
    }
}

/// The toolchain that can build for wasm32, if there is one.
pub(crate) fn wasm_toolchain() -> Option<WasmToolchain> {
    [WasmToolchain::Default, WasmToolchain::Linked(debian_wasm::TOOLCHAIN)]
        .into_iter()
        .find(|toolchain| has_std(*toolchain))
}

/// Installs a toolchain for wasm32 if there is none.
pub(super) fn ensure() -> Result {
    if wasm_toolchain().is_some() {
        return Ok(());
    }
    announce("the wasm32 target by rustup", "10 s");
    let added = find("rustup").is_some()
        && succeeds(command("rustup").env_remove("RUSTUP_TOOLCHAIN").args(["target", "add", TARGET]));
    if added && wasm_toolchain().is_some() {
        return Ok(());
    }
    if !(cfg!(all(target_os = "linux", target_arch = "x86_64")) && apt::usable() && find("rustup").is_some()) {
        return Err(format!(
            "the wasm32 target is missing and rustup could not download it; run: rustup target add {TARGET}"
        ));
    }
    eprintln!("rustup could not download it; building it from the source in Debian's packages instead");
    debian_wasm::install(TARGET)?;
    wasm_toolchain().map(|_| ()).ok_or_else(|| {
        format!("the wasm32 target was built, but rustc does not see it; run: rustup target add {TARGET}")
    })
}

fn has_std(toolchain: WasmToolchain) -> bool {
    let mut rustc = command("rustc");
    // An unknown toolchain is an error of rustup, which `capture` turns into None.
    toolchain.choose(&mut rustc);
    let Some(folder) = capture(rustc.args(["--print", "target-libdir", "--target", TARGET])) else {
        return false;
    };
    let Ok(entries) = std::fs::read_dir(PathBuf::from(folder)) else {
        return false;
    };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
}
