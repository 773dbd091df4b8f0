//! The wasm32 standard library, built from the source in Debian's `rust-web-src`.
//!
//! For machines where rustup cannot download: Debian's `rustc-web` is a whole toolchain beside rustup's. Its standard
//! library is built once for wasm32 and installed where that rustc finds it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::announce::announce;
use super::apt;
use crate::paths;
use crate::shell::{Result, capture, command, run};

/// The name of Debian's toolchain in rustup.
pub(super) const TOOLCHAIN: &str = "debian";

const RUSTLIB: &str = "/usr/lib/rustlib";

/// Installs the packages, builds the library, links the toolchain.
pub(super) fn install(target: &str) -> Result {
    announce("Debian's Rust for the web", "1 minute");
    apt::update();
    let lld = lld_package()?;
    apt::install(&["rustc-web", "cargo-web", "rust-web-src", &lld])?;
    link_lld(&lld)?;
    announce("the standard library for wasm32", "1 minute");
    build_std(target)?;
    run(command("rustup").args(["toolchain", "link", TOOLCHAIN, "/usr"]))
}

/// The linker package that fits the LLVM of `rustc-web`, such as `lld-22`.
fn lld_package() -> Result<String> {
    // rustc-web itself depends on a package that depends on LLVM's library.
    let only_needed = ["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"];
    let mut query = command("apt-cache");
    query.args(["depends", "--recurse"]).args(only_needed.map(|kind| format!("--no-{kind}")));
    let depends = capture(query.arg("rustc-web")).unwrap_or_default();
    let version = depends
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Depends: libllvm"))
        .map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>())
        .find(|digits| !digits.is_empty());
    version.map(|digits| format!("lld-{digits}")).ok_or_else(|| {
        "Debian's package rustc-web is not to be had here; run: rustup target add wasm32-unknown-unknown".into()
    })
}

/// rustc calls its linker `rust-lld`.
fn link_lld(package: &str) -> Result {
    let folder = Path::new(RUSTLIB).join("x86_64-unknown-linux-gnu/bin");
    let program = Path::new("/usr/bin").join(package.replace("lld-", "ld.lld-"));
    let program = if program.exists() { program } else { Path::new("/usr/bin").join(package) };
    run(as_root("mkdir")?.arg("-p").arg(&folder))?;
    run(as_root("ln")?.arg("-sf").arg(program).arg(folder.join("rust-lld")))
}

/// A command that may change [`RUSTLIB`], which belongs to root.
fn as_root(program: &str) -> Result<Command> {
    apt::as_root(program).ok_or_else(|| format!("only root may change {RUSTLIB}; run as root: cargo xtask setup"))
}

fn build_std(target: &str) -> Result {
    let krate = paths::tools().join("wasm-std");
    let io = |error: std::io::Error| format!("{}: {error}", krate.display());
    fs::create_dir_all(krate.join("src")).map_err(io)?;
    fs::write(krate.join("Cargo.toml"), MANIFEST).map_err(io)?;
    fs::write(krate.join("src/lib.rs"), "#![no_std]\n").map_err(io)?;
    let path = format!("/usr/bin:{}", std::env::var("PATH").unwrap_or_default());
    run(command("/usr/bin/cargo")
        .current_dir(&krate)
        .env("PATH", path)
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO")
        .env_remove("RUSTC")
        .env("CARGO_TARGET_DIR", krate.join("target"))
        .env("RUSTC_BOOTSTRAP", "1")
        // Without the bitcode, a later `lto` fails with "failed to get bitcode".
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .args(["build", "--release", "-Zbuild-std=std,panic_abort,proc_macro", "--target", target]))?;
    let built = krate.join("target").join(target).join("release/deps");
    let library = Path::new(RUSTLIB).join(target).join("lib");
    run(as_root("mkdir")?.arg("-p").arg(&library))?;
    run(as_root("cp")?.args(rlibs(&built)?).arg(&library))?;
    fs::remove_dir_all(&krate).map_err(io)
}

/// The standard library's parts, without the empty crate that depends on them.
fn rlibs(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rlib"))
        .filter(|path| !path.to_string_lossy().contains("libwasm_std"))
        .collect())
}

const MANIFEST: &str = "\
[package]
name = \"wasm-std\"
version = \"0.0.0\"
edition = \"2021\"

[profile.release]
panic = \"abort\"
codegen-units = 1

[workspace]
";
