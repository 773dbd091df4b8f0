//! `cargo xtask reproduce`: builds the last commit in another folder, and compares the results with `target/dist`.

use std::fs;
use std::path::Path;

use crate::paths;
use crate::shell::{Result, command, heading, run};

/// Builds both and compares their checksums.
pub(crate) fn task(args: &[String]) -> Result {
    if !args.is_empty() {
        return Err("reproduce takes no options".into());
    }
    super::task(&[])?;
    heading("the same in another folder");
    let other = paths::target().join("reproduce");
    let io = |error: std::io::Error| format!("{}: {error}", other.display());
    let _ = fs::remove_dir_all(&other);
    fs::create_dir_all(&other).map_err(io)?;
    let archive = other.join("source.tar");
    run(command("git").args(["archive", "-o"]).arg(&archive).arg("HEAD"))?;
    run(command("tar").arg("-xf").arg(&archive).arg("-C").arg(&other))?;
    // The same tools; all else is built again.
    #[cfg(unix)]
    std::os::unix::fs::symlink(paths::tools(), other.join(".tools")).map_err(io)?;
    let mut cargo = command("cargo");
    run(cargo.current_dir(&other).env_remove("CARGO_TARGET_DIR").args(["xtask", "dist"]))?;
    let [ours, theirs] = [paths::target().join("dist"), other.join("target/dist")].map(|dist| sums(&dist));
    let (ours, theirs) = (ours?, theirs?);
    let differ: Vec<&str> = ours.lines().filter(|line| !theirs.lines().any(|other| other == *line)).collect();
    if differ.is_empty() && ours.lines().count() == theirs.lines().count() {
        heading("both folders gave the same bytes");
        return Ok(());
    }
    Err(format!("built in another folder, these differ:\n{}", differ.join("\n")))
}

fn sums(dist: &Path) -> Result<String> {
    let path = dist.join("SHA256SUMS");
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}
