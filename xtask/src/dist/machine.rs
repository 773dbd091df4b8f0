//! Checks that no released file has a path of the machine that built it.

use std::path::Path;

use super::sizes::files;
use crate::remap;
use crate::shell::Result;

/// Fails if a file below a folder contains one of the paths that [`remap`] replaces.
pub(super) fn check(folder: &Path) -> Result {
    let paths: Vec<Vec<u8>> =
        remap::prefixes().iter().map(|(path, _)| path.to_string_lossy().as_bytes().to_vec()).collect();
    for file in files(folder)? {
        let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        for path in &paths {
            let found = occurrences(&bytes, path).next().is_some();
            if found {
                let path = String::from_utf8_lossy(path);
                return Err(format!("{} contains the path {path} of this machine", file.display()));
            }
        }
    }
    Ok(())
}

/// Occurrences of a text before a separator: `/root` is not a path in `/rootfs`.
fn occurrences<'a>(bytes: &'a [u8], text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let ends = |at: usize| bytes.get(at + text.len()).is_some_and(|next| [b'/', b'\\'].contains(next));
    let first = text.first().copied();
    let starts = bytes.iter().enumerate().filter(move |(_, byte)| Some(**byte) == first).map(|(at, _)| at);
    starts.filter(move |at| bytes[*at..].starts_with(text) && ends(*at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_this_machine_is_found() {
        let folder = std::env::temp_dir().join(format!("stepscope-machine-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inner")).expect("a folder");
        std::fs::write(folder.join("inner/good"), "/stepscope/crate/src/lib.rs /cargo/registry").expect("a file");
        assert_eq!(check(&folder), Ok(()));
        let path = crate::paths::root().join("crate/src/lib.rs");
        std::fs::write(folder.join("inner/bad"), format!("\0{}\0", path.display())).expect("a file");
        let message = check(&folder).expect_err("a path");
        assert!(message.contains("inner") && message.contains("bad"), "{message}");
        std::fs::remove_dir_all(&folder).expect("it is there");
    }

    #[test]
    fn only_whole_names_of_folders_count() {
        assert_eq!(occurrences(b"/a/b/.c /a/bc/x /a/b", b"/a/b").collect::<Vec<_>>(), [0]);
    }
}
