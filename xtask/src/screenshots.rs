//! `cargo xtask screenshots`: the pictures in the book.

use crate::docs::sources;
use crate::page::{self, Optimization};
use crate::shell::{Result, heading, run};
use crate::skips::skip;
use crate::test::node_with;
use crate::{programs, setup};

/// Takes all pictures of the page for release, or the named ones.
pub(crate) fn task(names: &[String]) -> Result {
    setup::page()?;
    setup::browser_tests()?;
    programs::build()?;
    let page = page::build(&programs::debug(page::GENERATOR), Optimization::Shipped)?;
    let mut node = node_with(&page)?;
    match setup::python::ensure_notebook() {
        Ok(python) => drop(node.env(setup::python::NOTEBOOK, python)),
        Err(error) => skip(&format!("the picture of a notebook: {error}")),
    }
    heading("pictures");
    run(node.arg("screenshots.mjs").arg(sources().join("img")).args(names))
}
