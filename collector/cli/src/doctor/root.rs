//! The files of a machine, or a copy of some of them.

use std::path::{Path, PathBuf};

/// Folder in place of `/`.
pub(super) struct Root(pub(super) PathBuf);

impl Root {
    /// A path of the machine.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.0.join(path.trim_start_matches('/'))
    }

    /// A file's text, without the white space around it; none if it cannot be read.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        let bytes = std::fs::read(self.path(path)).ok()?;
        Some(String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    /// Whether it is this machine itself.
    pub(super) fn is_here(&self) -> bool {
        self.0 == Path::new("/")
    }

    /// The file system that holds a path: its mount point and type.
    pub(super) fn file_system(&self, path: &Path) -> Option<(PathBuf, String)> {
        let mounts = self.text("/proc/mounts")?;
        let of = |line: &str| {
            let mut words = line.split(' ').skip(1);
            // Spaces and the like stand there as numbers.
            let point = words.next()?.replace("\\040", " ");
            Some((PathBuf::from(point), words.next()?.to_owned()))
        };
        let holding = mounts.lines().filter_map(of).filter(|(point, _)| path.starts_with(point));
        // The longest one; of several at one place, the last one is on top.
        holding.max_by_key(|(point, _)| point.as_os_str().len())
    }
}
