//! Scripts of the page, of the embedding and of the browser tests: checks without a browser.

use std::path::Path;

use crate::shell::{Result, command, run};
use crate::{paths, setup, skips};

/// Runs all checks that need no browser.
pub(crate) fn check() -> Result {
    setup::script_checks()?;
    // Each of them uses one core.
    let (first, second) = std::thread::scope(|scope| {
        let second = scope.spawn(|| types().and_then(|()| reports(&["--check"])));
        (prettier("--check").and_then(|()| lints()), second.join())
    });
    first?;
    second.map_err(|_| "the check of types panicked")??;
    unit_tests()
}

/// Writes the page's types for messages of the analyzer, from the stored schema.
pub(crate) fn write_types() -> Result {
    setup::script_checks()?;
    reports(&[])
}

fn reports(options: &[&str]) -> Result {
    run(command(setup::node()?).arg(paths::web_tests().join("types.mjs")).args(options))
}

/// Formats all scripts as in `.prettierrc.json`.
pub(crate) fn format() -> Result {
    setup::script_checks()?;
    prettier("--write")
}

/// The names of test files in a folder.
pub(crate) fn tests_in(folder: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".test.mjs")).collect();
    names.sort();
    Ok(names)
}

/// Tests without a browser: layout, navigation, order and search in tables, the address, texts, choice of readers.
fn unit_tests() -> Result {
    let folder = paths::web_tests().join("unit");
    let mut node = command(setup::node()?);
    node.current_dir(&folder).args(["--test", "--test-reporter=spec"]);
    skips::node_test(node.args(tests_in(&folder)?))
}

/// The folders of scripts.
const FOLDERS: [&str; 2] = ["www", "tests/web"];

/// Runs Prettier on all scripts.
fn prettier(what: &str) -> Result {
    let mut prettier = command(setup::node()?);
    prettier.current_dir(paths::root()).arg(paths::web_tests().join("node_modules/prettier/bin/prettier.cjs"));
    run(prettier.args(["--log-level", "warn", what]).args(FOLDERS.map(|folder| format!("{folder}/**/*.{{js,mjs}}"))))
}

/// Runs `ESLint` with the rules of `tests/web/eslint.config.mjs`.
fn lints() -> Result {
    let tests = paths::web_tests();
    let mut eslint = command(setup::node()?);
    eslint.current_dir(paths::root()).arg(tests.join("node_modules/eslint/bin/eslint.js"));
    run(eslint.arg("--config").arg(tests.join("eslint.config.mjs")).args(["--max-warnings", "0"]).args(FOLDERS))
}

/// Runs TypeScript, which checks the types in comments.
fn types() -> Result {
    let tests = paths::web_tests();
    let tsc = tests.join("node_modules/typescript/bin/tsc");
    for scripts in [paths::root().join("www"), paths::embed(), tests] {
        run(command(setup::node()?).arg(&tsc).arg("-p").arg(scripts))?;
    }
    Ok(())
}
