//! Files that are exports of one recording: a profiler may write what it recorded in several formats, and a person
//! may keep a packed copy beside a file. Read together, they would be ranks of a job that never was.

/// A file as one of the exports of a recording: of these only the best is read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Export {
    /// What tells the recording from all others, the same in each of its exports.
    pub recording: String,
    /// Which export is read: the one with the lowest number, or all that have it.
    pub order: u8,
}

/// What a file holds of processes that record themselves, once or several times, and whose children may, too.
///
/// Names are the same in all files of one machine; empty where they are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Windows {
    /// The process, the first one of several.
    pub process: String,
    /// The process that started it.
    pub parent: String,
    /// The recordings that the file is, or was made of.
    pub recordings: Vec<String>,
    /// The process's rank.
    pub rank: Option<u64>,
    /// What kind of file it is.
    pub kind: WindowsKind,
    /// When it was recorded, and what; of a raw recording, where it says on which machine.
    pub life: Option<Life>,
}

/// When a recording was made, and of what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// The machine since it was started: whose clock the times are of.
    pub machine: String,
    /// When it began.
    pub began: u64,
    /// When it was closed; nothing if it was not, or goes on.
    pub ended: Option<u64>,
    /// The command that was recorded.
    pub command: String,
}

/// Kinds of files that hold recordings; of those that hold the same ones the first is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WindowsKind {
    /// Made of recordings that had ended.
    Compact,
    /// As the process left it, or is writing it.
    Raw,
    /// Made of a recording that had not ended: it may have gone on.
    Unfinished,
}

/// Endings of what is packed by itself; a packed copy is read in want of another one, since unpacking takes time.
const PACKED: [&str; 2] = [".gz", ".zst"];

impl Export {
    /// A file of whose recording there may be packed copies, but no export of another format.
    #[must_use]
    pub fn only(reader: &str, path: &str) -> Self {
        Self::one(format!("{reader} {}", unpacked(path)), 0, path)
    }

    /// A file of a recording that is exported in several formats, of which number 0 is the best.
    #[must_use]
    pub fn one(recording: String, format: u8, path: &str) -> Self {
        let packed = PACKED.iter().position(|ending| path.ends_with(ending)).map_or(0, |at| at + 1);
        let order = usize::from(format) * (PACKED.len() + 1) + packed;
        Self { recording, order: u8::try_from(order).unwrap_or(u8::MAX) }
    }
}

/// A path without the ending that says how the file is packed.
fn unpacked(path: &str) -> &str {
    PACKED.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path)
}

/// A path without its endings: what files of several formats have in common that were named alike.
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
