//! Checks the workflows of continuous integration by actionlint: names, expressions, and outdated actions.

use std::path::{Path, PathBuf};

use crate::shell::{Result, command, heading, run};
use crate::skips::skip;
use crate::{paths, setup};

/// Checks each workflow, if the pinned actionlint is available.
pub(crate) fn test() -> Result {
    heading("workflows");
    match setup::actionlint() {
        Ok(programs) => lint(&programs.join("actionlint"), &files()?),
        Err(error) => {
            skip(&format!("the workflows, by actionlint: {error}"));
            Ok(())
        }
    }
}

/// Checks files. Other programs on the machine (shellcheck, ruff, pyflakes) must not change the result.
fn lint(actionlint: &Path, files: &[PathBuf]) -> Result {
    run(command(actionlint).args(["-no-color", "-shellcheck=", "-pyflakes="]).args(files))
}

/// The project's workflows.
fn files() -> Result<Vec<PathBuf>> {
    let folder = paths::root().join(".github/workflows");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "yml" || end == "yaml"));
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflows_are_found() {
        let names: Vec<_> = files()
            .expect("workflows")
            .iter()
            .filter_map(|path| path.file_name()?.to_str().map(String::from))
            .collect();
        assert_eq!(names, ["release.yml", "test.yml"]);
    }
}
