//! Builds the files that `index.html` names in its `data-trunk` links: the page's files and the wasm module with its
//! JavaScript.
//!
//! The links have trunk's meaning (<https://trunkrs.dev>). Trunk builds the page for releases, and wherever it is
//! installed. Tests do not need it, since compiling trunk takes longer than building the page.
//! `cargo xtask test --all` compares both.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{read, read_tree, write};
use crate::setup::{self, WASM_TARGET};
use crate::shell::{Result, cargo_of_toolchain, command, find, run};
use crate::{paths, remap};

/// The cargo profile of a page for tests: quicker to compile than the one in `index.html`.
const TEST_PROFILE: &str = "wasm-test";

/// The optimization of the wasm.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Optimization {
    /// As in `index.html`: the page for users.
    Shipped,
    /// Without link-time optimization.
    Test,
}

/// Builds the files into a folder.
pub(super) fn build(folder: &Path, optimization: Optimization) -> Result {
    let www = paths::root().join("www");
    let index = read_text(&www.join("index.html"))?;
    let _ = fs::remove_dir_all(folder);
    for link in links(&index)? {
        let href = www.join(link.get("href").ok_or("a data-trunk link of index.html has no href")?);
        match link.get("rel").copied() {
            Some("copy-dir") => {
                let name = href.file_name().unwrap_or_default();
                let target = link.get("data-target-path").map_or_else(|| PathBuf::from(name), PathBuf::from);
                let mut files = BTreeMap::new();
                read_tree(&href, &href, &mut files)?;
                for (name, bytes) in &files {
                    write(&folder.join(&target).join(name), bytes)?;
                }
            }
            Some("rust") => {
                let named = link.get("data-cargo-profile").copied().unwrap_or("release");
                let profile = if optimization == Optimization::Test { TEST_PROFILE } else { named };
                let target = link.get("data-bindgen-target").copied().unwrap_or("web");
                wasm(folder, &href, profile, target)?;
            }
            other => return Err(format!("index.html: xtask knows no data-trunk link with rel {other:?}")),
        }
    }
    write(&folder.join("index.html"), without_links(&index).as_bytes())
}

/// Compiles a package for wasm and writes the module and its JavaScript into a folder; their types, which no browser needs,
/// into the folder `types` beside it.
fn wasm(folder: &Path, manifest: &Path, profile: &str, target: &str) -> Result {
    let toolchain = setup::wasm_toolchain().ok_or("the wasm32 target is missing; run: cargo xtask setup")?;
    let bindgen = find("wasm-bindgen").ok_or("wasm-bindgen is missing; run: cargo xtask setup")?;
    let mut cargo = cargo_of_toolchain(toolchain.name());
    cargo.args(["build", "--locked", "--lib", "--target", WASM_TARGET, "--profile", profile, "--manifest-path"]);
    run(remap::wasm(cargo.arg(manifest), toolchain)?)?;
    let name = package_name(manifest)?;
    let module = paths::target().join(WASM_TARGET).join(profile).join(format!("{name}.wasm"));
    let mut bindgen = command(bindgen);
    bindgen.args(["--target", target, "--out-name", &name, "--out-dir"]);
    run(bindgen.arg(folder).arg(module))?;
    let types = format!("{name}.d.ts");
    let made = read(&folder.join(&types))?;
    write(&paths::target().join("types").join(&types), &made)?;
    remove_file(&folder.join(types))?;
    remove_file(&folder.join(format!("{name}_bg.wasm.d.ts")))
}

fn remove_file(path: &Path) -> Result {
    fs::remove_file(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The name in a manifest, which is before all tables but `[package]`.
fn package_name(manifest: &Path) -> Result<String> {
    let text = read_text(manifest)?;
    let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    name.map(str::to_owned).ok_or_else(|| format!("{}: no package name", manifest.display()))
}

fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).map_err(|error| format!("{}: {error}", path.display()))
}

/// The attributes of each `data-trunk` link, in the order of the document.
fn links(index: &str) -> Result<Vec<BTreeMap<&str, &str>>> {
    let found: Vec<_> = index.split("<link data-trunk").skip(1).map(attributes).collect();
    if found.is_empty() { Err("index.html has no data-trunk link".into()) } else { Ok(found) }
}

/// The attributes up to the end of an element: `name="value"`, as in this project's index.
fn attributes(element: &str) -> BTreeMap<&str, &str> {
    let element = element.split('>').next().unwrap_or_default();
    let mut parts = element.split('"');
    let mut found = BTreeMap::new();
    while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
        found.insert(name.trim().trim_end_matches('='), value);
    }
    found
}

/// The index without the links, which a browser would follow.
fn without_links(index: &str) -> String {
    let mut out = String::with_capacity(index.len());
    for (count, part) in index.split("<link data-trunk").enumerate() {
        let rest = if count == 0 { part } else { part.split_once('>').map_or("", |(_, rest)| rest) };
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "<head>\n  <link data-trunk rel=\"copy-dir\" href=\"../a/b\" data-target-path=\"c\">\n  \
                         <link rel=\"icon\" href=\"./i.svg\">\n</head>";

    #[test]
    fn links_have_attributes_and_leave_the_index() {
        let found = links(INDEX).expect("a link");
        assert_eq!(found, [BTreeMap::from([("rel", "copy-dir"), ("href", "../a/b"), ("data-target-path", "c")])]);
        assert_eq!(without_links(INDEX), "<head>\n  \n  <link rel=\"icon\" href=\"./i.svg\">\n</head>");
        assert!(links("<link rel=\"icon\">").is_err());
    }

    /// Everything that the page's index needs is supported here.
    #[test]
    fn the_index_names_folders_and_a_package() {
        let www = paths::root().join("www");
        let index = read_text(&www.join("index.html")).expect("the index");
        for link in links(&index).expect("links") {
            assert!(["copy-dir", "rust"].contains(&link["rel"]), "{link:?}");
            assert!(www.join(link["href"]).exists(), "{link:?}");
        }
        assert_eq!(package_name(&paths::root().join("crate/Cargo.toml")).as_deref(), Ok("stepscope"));
    }
}
