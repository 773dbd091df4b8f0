//! Keeps paths of this machine out of build results, so that the same sources give the same bytes in any folder.

use std::path::PathBuf;
use std::process::Command;

use crate::paths;
use crate::setup::{WASM_TARGET, WasmToolchain};
use crate::shell::{Result, capture, command};

/// Paths that compilers write into artifacts, with their replacements. If several match, the last one is used.
pub(crate) fn prefixes() -> Vec<(PathBuf, &'static str)> {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from);
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| home.map(|home| home.join(".cargo")));
    let mut all: Vec<_> = cargo.map(|cargo| (cargo, "/cargo")).into_iter().collect();
    all.push((paths::root(), "/stepscope"));
    all.push((paths::target(), "/target"));
    all
}

/// Adds the options to a build for wasm32.
pub(crate) fn wasm(cargo: &mut Command, toolchain: WasmToolchain) -> Result<&mut Command> {
    let mut rustc = command("rustc");
    toolchain.choose(&mut rustc);
    let sysroot = capture(rustc.args(["--print", "sysroot"])).ok_or("rustc printed no sysroot")?;
    Ok(options(cargo, WASM_TARGET, Some(PathBuf::from(sysroot))))
}

/// The same options as a list for the environment, which cargo joins with those of `.cargo/config.toml`: for tools
/// that call cargo.
pub(crate) fn wasm_environment(toolchain: WasmToolchain) -> Result<(String, String)> {
    let mut rustc = command("rustc");
    toolchain.choose(&mut rustc);
    let sysroot = capture(rustc.args(["--print", "sysroot"])).ok_or("rustc printed no sysroot")?;
    let name = format!("CARGO_TARGET_{}_RUSTFLAGS", WASM_TARGET.to_uppercase().replace('-', "_"));
    Ok((name, flags(Some(PathBuf::from(sysroot))).join(" ")))
}

/// Adds the options to a build for another target.
pub(crate) fn native<'a>(cargo: &'a mut Command, target: &str) -> &'a mut Command {
    let sysroot = capture(command("rustc").args(["--print", "sysroot"])).map(PathBuf::from);
    options(cargo, target, sysroot)
}

/// Uses cargo's configuration, which joins lists: `RUSTFLAGS` would replace those of `.cargo/config.toml`.
fn options<'a>(cargo: &'a mut Command, target: &str, sysroot: Option<PathBuf>) -> &'a mut Command {
    let flags: Vec<_> = flags(sysroot).iter().map(|flag| format!("{flag:?}")).collect();
    cargo.arg("--config").arg(format!("target.{target}.rustflags=[{}]", flags.join(",")))
}

fn flags(sysroot: Option<PathBuf>) -> Vec<String> {
    let sysroot = sysroot.map(|path| (path, "/rust"));
    let all = sysroot.into_iter().chain(prefixes());
    all.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect()
}
