//! Recordings of one process, window after window: in raw files, and in the files made from them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use stepscope_base::CompactSort;
use stepscope_read::{Windows, WindowsKind};

/// The most generations of parents that are followed.
const HIGHEST: usize = 64;

/// A file by its number, and its recordings.
pub(super) type Held<'a> = (usize, &'a Windows);

/// The files whose recordings are all in other files, each with one of these; so each recording is read once.
pub(super) fn held_elsewhere(files: &[Held<'_>]) -> BTreeMap<usize, usize> {
    let mut files = files.to_vec();
    // Files with several recordings come first: they are complete, and made from the others.
    files.compact_sort_by_key(|(number, windows)| (windows.kind, Reverse(windows.recordings.len()), *number));
    let mut holders: BTreeMap<&str, usize> = BTreeMap::new();
    let mut left_out = BTreeMap::new();
    for (number, windows) in files {
        let mut others = windows.recordings.iter().map(|recording| holders.get(recording.as_str()));
        if let Some(Some(first)) = others.next()
            && others.all(|other| other.is_some())
        {
            left_out.insert(number, *first);
            continue;
        }
        for recording in &windows.recordings {
            holders.entry(recording).or_insert(number);
        }
    }
    left_out
}

/// The process whose rank a file belongs to. A compact file belongs to its own process. A raw file belongs to its
/// process, or to the nearest ancestor with a compact file of the same rank. Other files have none and are grouped by
/// folder.
///
/// `files` are those that are read; `all` includes those that are left out.
pub(super) fn homes<'a>(files: &[Held<'a>], all: &[Held<'a>]) -> BTreeMap<usize, &'a str> {
    let known = |windows: &Windows| !windows.process.is_empty();
    let is_compact = |windows: &Windows| windows.kind != WindowsKind::Raw && known(windows);
    let compact: BTreeMap<&str, Option<u64>> = files
        .iter()
        .filter(|(_, windows)| is_compact(windows))
        .map(|(_, windows)| (windows.process.as_str(), windows.rank))
        .collect();
    let parents: BTreeMap<&str, &str> =
        all.iter().map(|(_, windows)| (windows.process.as_str(), windows.parent.as_str())).collect();
    let home = |windows: &'a Windows| {
        let way = std::iter::successors(Some(windows.process.as_str()), |process| parents.get(process).copied());
        // Process ids are reused, so that the chain of parents may be a cycle.
        way.take(HIGHEST)
            .find(|process| compact.get(process).is_some_and(|rank| windows.rank.is_none() || windows.rank == *rank))
    };
    files.iter().filter_map(|(number, windows)| Some((*number, home(windows)?))).collect()
}

/// For each list of processes, the first list that it is linked to by shared processes.
pub(super) fn joined(lists: &[Vec<&str>]) -> Vec<usize> {
    fn root(joined: &[usize], mut list: usize) -> usize {
        while joined[list] != list {
            list = joined[list];
        }
        list
    }
    let mut joined: Vec<usize> = (0..lists.len()).collect();
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, processes) in lists.iter().enumerate() {
        for process in processes {
            let other = *first.entry(process).or_insert(number);
            let (one, other) = (root(&joined, number), root(&joined, other));
            joined[one.max(other)] = one.min(other);
        }
    }
    (0..lists.len()).map(|list| root(&joined, list)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(process: &str, recordings: &[&str], kind: WindowsKind) -> Windows {
        let recordings = recordings.iter().map(|recording| (*recording).to_owned()).collect();
        Windows { process: process.to_owned(), parent: String::new(), recordings, rank: None, kind, life: None }
    }

    #[test]
    fn each_recording_is_read_once_from_the_file_that_is_most_complete() {
        use WindowsKind::{Compact, Raw, Unfinished};
        let found = |files: &[(&[&str], WindowsKind)]| {
            let files: Vec<Windows> = files.iter().map(|(recordings, kind)| windows("p", recordings, *kind)).collect();
            held_elsewhere(&files.iter().enumerate().collect::<Vec<_>>())
        };
        assert_eq!(found(&[(&["a"], Raw), (&["a"], Compact), (&["b"], Raw)]), BTreeMap::from([(0, 1)]));
        assert_eq!(found(&[(&["a"], Unfinished), (&["a"], Raw)]), BTreeMap::from([(0, 1)]));
        assert_eq!(found(&[(&["a"], Unfinished), (&["b"], Raw)]), BTreeMap::new());
        let whole: &[&str] = &["a", "b"];
        assert_eq!(found(&[(&["a"], Compact), (whole, Compact), (&["b"], Raw)]), BTreeMap::from([(0, 1), (2, 1)]));
        // It has a recording that the other one lacks.
        assert_eq!(found(&[(whole, Compact), (&["b", "c"], Compact)]), BTreeMap::new());
        assert_eq!(found(&[(&["a"], Compact), (&["a"], Compact)]), BTreeMap::from([(1, 0)]));
    }

    #[test]
    fn a_process_is_at_home_where_the_one_is_that_started_it() {
        let of = |process: &str, parent: &str, kind, rank| Windows {
            parent: parent.to_owned(),
            rank,
            ..windows(process, &[process], kind)
        };
        let (compact, raw) = (WindowsKind::Compact, WindowsKind::Raw);
        let files = [
            of("p", "shell", compact, Some(1)),
            of("child", "p", raw, None),
            of("grandchild", "child", raw, Some(1)),
            of("other rank", "p", raw, Some(2)),
            of("stranger", "shell", raw, None),
            // Reused ids.
            of("x", "y", raw, None),
            of("y", "x", raw, None),
            of("", "", raw, None),
        ];
        let files: Vec<Held<'_>> = files.iter().enumerate().collect();
        assert_eq!(homes(&files, &files), BTreeMap::from([(0, "p"), (1, "p"), (2, "p")]));
        // The process between them need not be read.
        let read = [files[0], files[2]];
        assert_eq!(homes(&read, &files), BTreeMap::from([(0, "p"), (2, "p")]));
    }

    #[test]
    fn lists_that_share_a_process_are_joined_through_others_too() {
        let lists = [vec!["a"], vec!["b", "b"], vec![], vec!["c", "b"], vec!["a", "c"], vec!["d"], vec![]];
        assert_eq!(joined(&lists), [0, 0, 2, 0, 0, 5, 6]);
    }
}
