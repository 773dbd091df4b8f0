//! Exports of one recording: a profiler may write it in several formats, and users may keep a packed copy. Read
//! together, these would be ranks of a job that did not exist.

/// A file as one of the exports of a recording: only the best export is read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Export {
    /// The identity of the recording, which is the same in all of its exports.
    pub recording: String,
    /// The order of exports: those with the lowest number are read.
    pub order: u8,
}

/// The recordings in a file, from processes that record themselves, once or several times, as do their children.
///
/// Names are the same in all files of one machine; unknown ones are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Windows {
    /// The process; the first one of several.
    pub process: String,
    /// The process that started it.
    pub parent: String,
    /// The recordings in the file, or from which it was made.
    pub recordings: Vec<String>,
    /// The process's rank.
    pub rank: Option<u64>,
    /// The kind of file.
    pub kind: WindowsKind,
    /// Time and command of a raw recording, if its machine is known.
    pub life: Option<Life>,
}

/// Time and command of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// The machine since its start, whose clock the times are from.
    pub machine: String,
    /// When it began.
    pub began: u64,
    /// The time at which it was closed; none if it was not closed, or is still running.
    pub ended: Option<u64>,
    /// The command that was recorded.
    pub command: String,
}

/// Kinds of files with recordings; of files with the same recordings the first kind is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WindowsKind {
    /// Made from recordings that had ended.
    Compact,
    /// As the process left it, or is writing it.
    Raw,
    /// Made from a recording that had not ended: more may have been recorded later.
    Unfinished,
}

/// Endings of packed files; an unpacked file is preferred, since unpacking takes time.
const PACKED: [&str; 2] = [".gz", ".zst"];

impl Export {
    /// A file of a recording that has no other formats, only packed copies.
    #[must_use]
    pub fn only(reader: &str, path: &str) -> Self {
        Self::one(format!("{reader} {}", unpacked(path)), 0, path)
    }

    /// A file of a recording with several formats; number 0 is the best.
    #[must_use]
    pub fn one(recording: String, format: u8, path: &str) -> Self {
        let packed = PACKED.iter().position(|ending| path.ends_with(ending)).map_or(0, |at| at + 1);
        let order = usize::from(format) * (PACKED.len() + 1) + packed;
        Self { recording, order: u8::try_from(order).unwrap_or(u8::MAX) }
    }
}

/// A path without the ending of the packing.
fn unpacked(path: &str) -> &str {
    PACKED.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path)
}

/// A path without its endings: the same for files of one name in several formats.
pub(super) fn stem(path: &str) -> &str {
    let path = unpacked(path);
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    path[name..].rfind('.').filter(|dot| *dot > 0).map_or(path, |dot| &path[..name + dot])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_what_is_before_the_endings() {
        let stems = ["a.b/c.d.nvvp", "a.b/c.d.csv.gz", "a.b/c", "a/.hidden", "x.prof"].map(stem);
        assert_eq!(stems, ["a.b/c.d", "a.b/c.d", "a.b/c", "a/.hidden", "x"]);
    }

    #[test]
    fn packed_copies_are_of_one_recording_and_come_last() {
        let [plain, gzip, zstd] = ["a/b.json", "a/b.json.gz", "a/b.json.zst"].map(|path| Export::only("x", path));
        assert_eq!((&plain.recording, &plain.recording), (&gzip.recording, &zstd.recording));
        assert!(plain.order < gzip.order && gzip.order < zstd.order);
        assert_ne!(plain.recording, Export::only("y", "a/b.json").recording);
        assert_ne!(plain.recording, Export::only("x", "a/b.json.zip").recording);
        let other = Export::one(plain.recording.clone(), 1, "a/b.json");
        assert!(zstd.order < other.order, "another format is worse than any packing");
    }
}
