//! The element as a package for npm: one module, its types, a description, examples.

use std::path::Path;

use super::{licences, native};
use crate::files::copy;
use crate::paths;
use crate::shell::Result;

/// The module from the page's build.
const ELEMENT: &str = "element.js";

/// Writes it. The page is built from the same parts, and has their licences.
pub(super) fn write(dist: &Path, page: &Path) -> Result {
    let folder = dist.join("npm");
    native::sources(&paths::embed().join("npm"), &folder)?;
    let manifest = folder.join("package.json");
    let text = std::fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    crate::files::write(&manifest, with_addresses(&text)?.as_bytes())?;
    copy(&paths::embedded().join(ELEMENT), &folder.join(ELEMENT))?;
    copy(&paths::root().join("LICENSE"), &folder.join("LICENSE"))?;
    copy(&page.join(licences::NAME), &folder.join(licences::NAME))
}

/// A manifest with the project's addresses from `Cargo.toml`.
fn with_addresses(manifest: &str) -> Result<String> {
    let license = "\n  \"license\":";
    let addresses = format!(
        "\n  \"repository\": {:?},\n  \"homepage\": {:?},{license}",
        env!("CARGO_PKG_REPOSITORY"),
        env!("CARGO_PKG_HOMEPAGE")
    );
    if !manifest.contains(license) {
        return Err("the npm package's manifest names no license".into());
    }
    Ok(manifest.replacen(license, &addresses, 1))
}
