//! `cargo xtask dist`: the files of a release, in `target/dist`:
//!
//! - the page as a zip;
//! - for each platform an archive and a wheel of the program, the page and the library that recorded programs load;
//! - the element as a package for npm;
//! - a list of all dependencies (SBOM), and the checksums of all files.

mod archive;
mod licences;
mod machine;
mod native;
mod npm;
mod publish;
mod reproduce;
mod sizes;
mod wheel;

pub(crate) use publish::task as publish_check;
pub(crate) use reproduce::task as reproduce;

use std::fs;

use crate::files::copy;
use crate::page::{self, Optimization};
use crate::shell::{Result, heading};
use crate::{paths, programs, setup};

/// Builds all of these for release.
pub(crate) fn task(args: &[String]) -> Result {
    if !args.is_empty() {
        return Err("dist takes no options".into());
    }
    setup::page()?;
    setup::trunk()?;
    programs::build()?;
    let page = page::build(&programs::debug(page::GENERATOR), Optimization::Shipped)?;
    heading("putting together target/dist");
    let dist = paths::target().join("dist");
    let _ = fs::remove_dir_all(&dist);
    let built = native::build(&dist)?;
    for name in ["LICENSE", "README.md", "CHANGELOG.md"] {
        copy(&paths::root().join(name), &dist.join(name))?;
    }
    let archive = dist.join(format!("stepscope-page-{}.zip", env!("CARGO_PKG_VERSION")));
    licences::write(&page.folder, &["stepscope"], Some("wasm32-unknown-unknown"))?;
    licences::write(&dist, &["stepscope-cli", "stepscope-inject"], None)?;
    licences::sbom(&dist, &["stepscope-cli", "stepscope-inject"])?;
    page::zip(&archive, &page.folder, Some(&paths::root().join("LICENSE")))?;
    // Beside the program, since `stepscope serve` finds it there.
    native::sources(&page.folder, &dist.join("page"))?;
    for built in &built {
        native::manual(&dist, &built.folder)?;
        wheel::write(&dist, &page.folder, built)?;
        archive::write(&dist, &page.folder, built)?;
    }
    npm::write(&dist, &page.folder)?;
    archive::sums(&dist)?;
    machine::check(&dist)?;
    sizes::show(&dist, &page.demo)
}
