//! Reads, writes, copies and lists files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::shell::Result;
use std::path::PathBuf;

/// All files under a folder, by their path from `root` with forward slashes.
pub(crate) fn read_tree(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) -> Result {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_tree(root, &path, files)?;
        } else {
            let name = path.strip_prefix(root).unwrap_or(&path);
            let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
            files.insert(parts.join("/"), read(&path)?);
        }
    }
    Ok(())
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file, and creates its folders.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, bytes)).map_err(|error| format!("{}: {error}", path.display()))
}

/// The files with an extension in a folder and its subfolders.
pub(crate) fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn copy(from: &Path, to: &Path) -> Result {
    let bytes = fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
    write(to, &bytes)?;
    // Keeps the program executable.
    fs::metadata(from)
        .and_then(|data| fs::set_permissions(to, data.permissions()))
        .map_err(|error| format!("{}: {error}", to.display()))
}
