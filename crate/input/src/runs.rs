//! Separates several runs of a program that were recorded into one folder: each is a trace of its own.

use std::collections::BTreeMap;

use stepscope_base::CompactSort;
use stepscope_read::{Life, Windows};

/// A file by its number, its folder, and its recordings.
pub(super) type Recorded<'a> = (usize, &'a str, &'a Windows);

/// A file whose recording's time is known.
type Lived<'a> = (usize, &'a Windows, &'a Life);

/// The files of folders with several runs, each with its run's number, from 1 on.
///
/// A new run begins when all recordings of top-level processes are closed, and then the same program is recorded
/// again as the same rank. Doubtful files stay in one run.
pub(super) fn runs(files: &[Recorded<'_>]) -> BTreeMap<usize, usize> {
    let began = |windows: &Windows| windows.life.as_ref().map(|life| life.began);
    let mut files = files.to_vec();
    files.compact_sort_by_key(|(file, folder, windows)| (*folder, began(windows), *file));
    let mut runs = BTreeMap::new();
    for files in files.chunk_by(|(_, one, _), (_, other, _)| one == other) {
        let lived: Option<Vec<Lived<'_>>> =
            files.iter().map(|(file, _, windows)| Some((*file, *windows, windows.life.as_ref()?))).collect();
        // Times of different machines cannot be compared.
        let lived = lived.filter(|files| files.iter().all(|(_, _, life)| life.machine == files[0].2.machine));
        let (numbers, last) = of_folder(&lived.unwrap_or_default());
        if last > 1 {
            runs.extend(numbers);
        }
    }
    runs
}

/// The run of each file of a folder, given the files by start; and the number of the last run.
fn of_folder(files: &[Lived<'_>]) -> (Vec<(usize, usize)>, usize) {
    let is_started = |windows: &Windows| files.iter().any(|(_, other, _)| is_of(other, &windows.parent));
    let (started, first): (Vec<Lived<'_>>, Vec<Lived<'_>>) =
        files.iter().partition(|(_, windows, _)| is_started(windows));
    let mut numbered: Vec<(&Lived<'_>, usize)> = Vec::new();
    let mut run = 1;
    // The index of this run's first recording.
    let mut since = 0;
    let mut rest = &*first;
    while let [(_, _, earliest), ..] = rest {
        // Recordings that overlap in time, directly or through others, belong together.
        let mut until = earliest.ended;
        let together = rest.iter().take_while(|(_, _, life)| {
            let goes_on = until.is_none_or(|until| life.began < until) || life.began == earliest.began;
            until = until.zip(life.ended).map(|(until, ended)| until.max(ended));
            goes_on
        });
        let (together, later) = rest.split_at(together.count());
        if together.iter().any(|one| numbered[since..].iter().any(|(before, _)| is_again(one, before))) {
            run += 1;
            since = numbered.len();
        }
        numbered.extend(together.iter().map(|one| (one, run)));
        rest = later;
    }
    // Children belong to the run of their parent process, whenever they end.
    for child in &started {
        let parent = numbered
            .iter()
            .rev()
            .find(|((_, windows, life), _)| is_of(windows, &child.1.parent) && life.began <= child.2.began);
        let run = parent.map_or(1, |(_, run)| *run);
        numbered.push((child, run));
    }
    (numbered.iter().map(|((file, ..), run)| (*file, *run)).collect(), run)
}

/// Whether a recording is of that process; a sampler's recording has no process.
fn is_of(windows: &Windows, process: &str) -> bool {
    !process.is_empty() && windows.process == process
}

/// Whether a recording has the program and rank of an earlier one, but another process.
fn is_again((_, one, life): &Lived<'_>, (_, before, lived): &Lived<'_>) -> bool {
    !one.process.is_empty()
        && !before.process.is_empty()
        && one.process != before.process
        && (one.rank, &life.command) == (before.rank, &lived.command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_read::WindowsKind;

    /// A recording of a process with its parent; a sampler's has an empty process.
    fn recorded(process: &str, parent: &str, command: &str, began: u64, ended: Option<u64>) -> Windows {
        let life = Life { machine: "host boot".to_owned(), began, ended, command: command.to_owned() };
        Windows {
            process: process.to_owned(),
            parent: parent.to_owned(),
            recordings: Vec::new(),
            rank: None,
            kind: WindowsKind::Raw,
            life: Some(life),
        }
    }

    /// The runs of one folder's files, in their order; all 0 if it has one run.
    fn found(files: &[Windows]) -> Vec<usize> {
        let files: Vec<Recorded<'_>> = files.iter().enumerate().map(|(file, windows)| (file, "f", windows)).collect();
        let runs = runs(&files);
        files.iter().map(|(file, ..)| runs.get(file).copied().unwrap_or_default()).collect()
    }

    #[test]
    fn the_same_program_again_is_another_run() {
        let first = recorded("1", "shell", "train", 10, Some(20));
        let second = recorded("5", "shell", "train", 30, Some(40));
        // A child may end at any time.
        let worker = recorded("6", "5", "train", 35, None);
        assert_eq!(found(&[worker.clone(), second.clone(), first.clone()]), [2, 2, 1]);
        let last = recorded("9", "shell", "train", 50, None);
        assert_eq!(found(&[first.clone(), second.clone(), worker, last]), [1, 2, 2, 3]);
        let outlives = recorded("2", "1", "train", 32, Some(60));
        assert_eq!(found(&[first.clone(), recorded("5", "shell", "train", 30, Some(40)), outlives]), [1, 2, 1]);
        // It begins as the previous one ends.
        assert_eq!(found(&[first, recorded("5", "shell", "train", 20, None)]), [1, 2]);
    }

    #[test]
    fn what_may_be_one_run_stays_together() {
        let first = recorded("1", "shell", "train", 10, Some(20));
        for (other, why) in [
            (recorded("5", "shell", "train", 15, Some(40)), "beside the first"),
            (recorded("5", "shell", "evaluate", 30, Some(40)), "another program"),
            (recorded("1", "shell", "train", 30, Some(40)), "the same process, window after window"),
            (recorded("5", "1", "train", 30, Some(40)), "a child that outlived it"),
            (Windows { rank: Some(1), ..recorded("5", "shell", "train", 30, Some(40)) }, "another rank"),
            (Windows { life: None, ..recorded("5", "shell", "train", 30, Some(40)) }, "nothing is known of it"),
        ] {
            assert_eq!(found(&[first.clone(), other]), [0, 0], "{why}");
        }
        let second = recorded("5", "shell", "train", 30, Some(40));
        let killed = recorded("1", "shell", "train", 10, None);
        assert_eq!(found(&[killed, second.clone()]), [0, 0], "nobody knows when it ended");
        let sampler = recorded("", "shell", "record", 5, Some(50));
        assert_eq!(found(&[sampler, first.clone(), second.clone()]), [0, 0, 0], "one recording of both");
        let mut elsewhere = second;
        elsewhere.life = elsewhere.life.map(|life| Life { machine: "other boot".to_owned(), ..life });
        assert_eq!(found(&[first, elsewhere]), [0, 0], "clocks of two machines");
        assert!(found(&[]).is_empty());
    }
}
