//! The page's scripts, those that build the embedding and the browser tests: what can be checked of them without a browser.

use crate::shell::{Result, command, run};
use crate::{paths, setup};

/// Checks all that needs no browser.
pub(crate) fn check() -> Result {
    setup::script_checks()?;
    lints()?;
    types()
}

/// The folders of scripts.
const FOLDERS: [&str; 2] = ["www", "tests/web"];

/// What `ESLint` finds by the rules of `tests/web/eslint.config.mjs`.
fn lints() -> Result {
    let tests = paths::web_tests();
    let mut eslint = command(setup::node()?);
    eslint.current_dir(paths::root()).arg(tests.join("node_modules/eslint/bin/eslint.js"));
    run(eslint.arg("--config").arg(tests.join("eslint.config.mjs")).args(["--max-warnings", "0"]).args(FOLDERS))
}

/// What TypeScript finds by the types in comments.
fn types() -> Result {
    let tests = paths::web_tests();
    let tsc = tests.join("node_modules/typescript/bin/tsc");
    for scripts in [paths::root().join("www"), paths::embed(), tests] {
        run(command(setup::node()?).arg(&tsc).arg("-p").arg(scripts))?;
    }
    Ok(())
}
