//! The files of a folder and of the folders in it.

use std::collections::{HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::result::Result;

/// Folders are read no deeper than this.
const DEEPEST: usize = 32;

/// Paths that a line names; more are counted.
const MOST_NAMED: usize = 3;

/// The files of a folder, and the parts of it that were not read.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// By path. Hidden files and those of hidden folders are left out.
    pub(crate) files: Vec<PathBuf>,
    /// Links to folders outside of the folder.
    outside: Vec<PathBuf>,
    /// Links to files or folders that are read at another place.
    again: Vec<PathBuf>,
    /// Links that lead to nothing.
    broken: Vec<PathBuf>,
    /// Folders that cannot be read, and why.
    unreadable: Vec<(PathBuf, String)>,
    /// Folders that lie too deep.
    deep: Vec<PathBuf>,
}

impl Walked {
    /// A line about links that were not followed, and one about folders that were not read.
    pub(crate) fn notes(&self) -> Vec<String> {
        let names = |paths: &[PathBuf]| {
            let mut names: Vec<String> = paths.iter().take(MOST_NAMED).map(|path| path.display().to_string()).collect();
            if paths.len() > MOST_NAMED {
                names.push(format!("{} more", paths.len() - MOST_NAMED));
            }
            names.join(", ")
        };
        let kinds = [
            ("to a folder outside", &self.outside),
            ("to what is read already", &self.again),
            ("to nothing", &self.broken),
        ];
        let links: Vec<String> = kinds
            .iter()
            .filter(|(_, paths)| !paths.is_empty())
            .map(|(kind, paths)| format!("{kind} ({})", names(paths)))
            .collect();
        let mut notes = Vec::new();
        if !links.is_empty() {
            notes.push(format!("links not followed: {}", links.join("; ")));
        }
        let mut unread: Vec<String> =
            self.unreadable.iter().map(|(path, why)| format!("{}: {why}", path.display())).collect();
        if unread.len() > MOST_NAMED {
            let more = unread.len() - MOST_NAMED;
            unread.truncate(MOST_NAMED);
            unread.push(format!("{more} more"));
        }
        if !self.deep.is_empty() {
            unread.push(format!("{}: deeper than {DEEPEST} folders", names(&self.deep)));
        }
        if !unread.is_empty() {
            notes.push(format!("folders not read: {}", unread.join("; ")));
        }
        notes
    }
}

/// Identity of a file or folder, independent of its path.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Identity {
    #[cfg(unix)]
    Inode(u64, u64),
    Path(PathBuf),
}

impl Identity {
    fn of(path: &Path, about: &Metadata) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            // Some network file systems have no inodes.
            if about.ino() != 0 {
                return Self::Inode(about.dev(), about.ino());
            }
        }
        let _ = about;
        Self::Path(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }
}

/// A folder's files, those of the folders in it among them.
///
/// A link to a file is followed, unless the file is read already. A link to a folder is followed only if it leads to a
/// folder within this one that is not read at its own place, such as a hidden one. A folder that cannot be read is noted.
///
/// # Errors
///
/// If the folder itself cannot be read.
pub(crate) fn files_in(folder: &Path) -> Result<Walked> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (about, root) = (fs::metadata(folder).map_err(failed)?, folder.canonicalize().map_err(failed)?);
    fs::read_dir(folder).map_err(failed)?;
    let mut walk = Walk { folders: HashSet::from([Identity::of(folder, &about)]), ..Walk::default() };
    walk.folder(folder, DEEPEST);
    // Links come last, so that what they lead to has its own name where it has one.
    while let Some((link, depth)) = walk.links.pop_front() {
        walk.follow(link, depth, &root);
    }
    walk.found.files.sort();
    Ok(walk.found)
}

#[derive(Default)]
struct Walk {
    found: Walked,
    folders: HashSet<Identity>,
    files: HashSet<Identity>,
    /// Links that are still to be followed, with the depth that is left for folders below them.
    links: VecDeque<(PathBuf, usize)>,
}

impl Walk {
    fn folder(&mut self, folder: &Path, depth: usize) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.found.unreadable.push((folder.to_owned(), error.to_string()));
                return;
            }
        };
        let mut paths = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => paths.push(entry.path()),
                Err(error) => {
                    self.found.unreadable.push((folder.to_owned(), error.to_string()));
                    break;
                }
            }
        }
        paths.retain(|path| !path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with('.')));
        paths.sort();
        for path in paths {
            let Ok(about) = fs::symlink_metadata(&path) else { continue };
            if about.is_symlink() {
                self.links.push_back((path, depth));
            } else if about.is_file() {
                self.files.insert(Identity::of(&path, &about));
                self.found.files.push(path);
            } else if about.is_dir() {
                self.enter(path, &about, depth);
            }
        }
    }

    fn enter(&mut self, path: PathBuf, about: &Metadata, depth: usize) {
        if !self.folders.insert(Identity::of(&path, about)) {
            self.found.again.push(path);
        } else if depth == 0 {
            self.found.deep.push(path);
        } else {
            self.folder(&path, depth - 1);
        }
    }

    fn follow(&mut self, link: PathBuf, depth: usize, root: &Path) {
        let Ok(about) = fs::metadata(&link) else {
            self.found.broken.push(link);
            return;
        };
        if about.is_file() {
            if self.files.insert(Identity::of(&link, &about)) {
                self.found.files.push(link);
            } else {
                self.found.again.push(link);
            }
        } else if about.is_dir() {
            if self.folders.contains(&Identity::of(&link, &about)) {
                self.found.again.push(link);
            } else if link.canonicalize().is_ok_and(|place| place.starts_with(root)) {
                self.enter(link, &about, depth);
            } else {
                self.found.outside.push(link);
            }
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// A folder of a test's own.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("stepscope-walk-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn files(folder: &Path) -> (Vec<String>, Vec<String>) {
        let walked = files_in(folder).unwrap();
        let name = |path: &PathBuf| path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
        let place = format!("{}/", folder.display());
        (walked.files.iter().map(name).collect(), walked.notes().iter().map(|note| note.replace(&place, "")).collect())
    }

    #[test]
    fn a_folder_is_read_once_whatever_leads_to_it() {
        let folder = folder("links");
        for place in ["run-1", ".hidden", "z"] {
            fs::create_dir(folder.join(place)).unwrap();
            fs::write(folder.join(place).join("rank0.json"), place).unwrap();
        }
        symlink(".", folder.join("a")).unwrap();
        symlink(".", folder.join("b")).unwrap();
        symlink("run-1", folder.join("latest-run")).unwrap();
        symlink("..", folder.join("run-1/up")).unwrap();
        symlink("/", folder.join("root")).unwrap();
        symlink("nowhere", folder.join("nothing")).unwrap();
        symlink("round", folder.join("round")).unwrap();
        symlink(".hidden", folder.join("kept")).unwrap();
        let (files, notes) = files(&folder);
        assert_eq!(files, ["kept/rank0.json", "run-1/rank0.json", "z/rank0.json"]);
        assert_eq!(
            notes,
            ["links not followed: to a folder outside (root); to what is read already (a, b, latest-run, 1 more); \
              to nothing (nothing, round)"]
        );
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn links_to_files_are_followed_once() {
        let (folder, outside) = (folder("files"), folder("outside"));
        fs::write(outside.join("far.json"), "far").unwrap();
        fs::write(folder.join("z.json"), "here").unwrap();
        symlink("z.json", folder.join("a.json")).unwrap();
        for name in ["rank0.json", "rank1.json"] {
            symlink(outside.join("far.json"), folder.join(name)).unwrap();
        }
        let (files, notes) = files(&folder);
        assert_eq!(files, ["rank0.json", "z.json"]);
        assert_eq!(notes, ["links not followed: to what is read already (a.json, rank1.json)"]);
        [folder, outside].iter().for_each(|folder| fs::remove_dir_all(folder).unwrap());
    }

    #[test]
    fn an_unreadable_folder_does_not_end_the_rest() {
        let folder = folder("unreadable");
        fs::create_dir(folder.join("closed")).unwrap();
        fs::write(folder.join("open.json"), "open").unwrap();
        fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
        // Root may read everything.
        let is_closed = fs::read_dir(folder.join("closed")).is_err();
        let (files, notes) = files(&folder);
        assert_eq!(files, ["open.json"]);
        let expected: &[&str] =
            if is_closed { &["folders not read: closed: Permission denied (os error 13)"] } else { &[] };
        assert_eq!(notes, expected);
        fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o700)).unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }
}
