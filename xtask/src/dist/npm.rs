//! The element as a package for npm: one module, its types, what it is, examples.

use std::path::Path;

use super::{copy, licences, native};
use crate::paths;
use crate::shell::Result;

/// The module that the page's build made.
const ELEMENT: &str = "element.js";

/// Writes it. The page is built of the same parts, and has their licences.
pub(super) fn write(dist: &Path, page: &Path) -> Result {
    let folder = dist.join("npm");
    native::sources(&paths::embed().join("npm"), &folder)?;
    copy(&paths::embedded().join(ELEMENT), &folder.join(ELEMENT))?;
    copy(&paths::root().join("LICENSE"), &folder.join("LICENSE"))?;
    copy(&page.join(licences::NAME), &folder.join(licences::NAME))
}
