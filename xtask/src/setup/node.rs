//! Node and packages from the npm registry.

use std::path::{Path, PathBuf};

use super::announce::announce;
use crate::shell::{Result, command, find, run};

/// Node's program.
pub(crate) fn node() -> Result<PathBuf> {
    find("node")
        .ok_or_else(|| "Node is missing; install it from https://nodejs.org or run: apt-get install nodejs npm".into())
}

/// Installs the packages that a folder's `package-lock.json` pins, unless they are there.
pub(super) fn ensure(folder: &Path, what: &str) -> Result {
    node()?;
    let lock = folder.join("package-lock.json");
    // npm keeps a copy of the lock file beside the packages; an older copy means old packages.
    let installed = folder.join("node_modules/.package-lock.json");
    let modified = |path: &PathBuf| std::fs::metadata(path).and_then(|data| data.modified()).ok();
    if modified(&installed).is_some_and(|done| modified(&lock).is_some_and(|wanted| done >= wanted)) {
        return Ok(());
    }
    announce(&format!("{what} from npm"), "20 s");
    let npm = find("npm").ok_or("npm is missing; install it with Node from https://nodejs.org")?;
    run(command(npm).current_dir(folder).args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]))?;
    // npm keeps the time of an unchanged file.
    let now = std::fs::File::options().append(true).open(&installed);
    now.and_then(|file| file.set_modified(std::time::SystemTime::now()))
        .map_err(|error| format!("{}: {error}", installed.display()))
}
