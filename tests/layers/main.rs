//! The architecture's rules beyond the compiler's: allowed dependencies of crates, sizes of files, consistent texts and
//! colors.

#![expect(clippy::panic, reason = "a test says so what is wrong")]

mod budget;
mod circles;
mod dependencies;
mod documents;
mod formats;
mod json;
mod licences;
mod numbers;
mod page;
mod rust;
mod schema;
mod tables;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use stepscope_tests::files::root;

/// The repository's files below a folder whose names end with one of `endings`, by path.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    const NOT_OURS: [&str; 5] = ["target", "node_modules", ".git", ".tools", "corpus"];
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() {
                if !NOT_OURS.contains(&&*name) {
                    folders.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The analyzer's sources, of all its crates.
fn analyzer() -> Vec<PathBuf> {
    let all = files("crate", &[".rs"]).into_iter();
    all.filter(|path| short(path).contains("/src/") && !short(path).starts_with("crate/fuzz/")).collect()
}

/// A path from the repository's root, with slashes.
fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[track_caller]
fn none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}
