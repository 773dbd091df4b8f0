//! Groups the recordings of a folder by rank.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use stepscope_format::raw::{self, Recording, Sink};
use stepscope_format::{Damage, Kind, Record, about};

use super::recordings::{Whole, header, recordings};
use crate::sample;

/// The recordings of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankRecordings {
    /// Its number, if it has one.
    pub rank: Option<u64>,
    /// Its processes' recordings, by name.
    pub files: Vec<PathBuf>,
    /// Recordings of samplers, which sampled the processes of all ranks.
    pub(super) samples: Vec<PathBuf>,
    /// The ids of its processes, for selecting samples.
    pub processes: BTreeSet<u32>,
}

/// Parents and ranks of processes, by id.
#[derive(Default)]
struct Family {
    parents: HashMap<u32, u32>,
    ranks: HashMap<u32, u64>,
}

impl Family {
    /// A process's rank: its own, else that of the process that started it.
    fn rank(&self, process: u32) -> Option<u64> {
        let mut process = process;
        // Ids are reused, so that the chain of parents may be a circle.
        for _ in 0..64 {
            if let Some(rank) = self.ranks.get(&process) {
                return Some(*rank);
            }
            process = *self.parents.get(&process)?;
        }
        None
    }
}

impl Sink for Family {
    fn recording(&mut self, _recording: &Recording) {}

    fn name(&mut self, _number: u32, _text: &[u8]) {}

    fn record(&mut self, record: &Record, _position: u64) {
        let Ok(process) = u32::try_from(record.extent) else { return };
        match (record.kind, record.aux) {
            (Kind::Process, about::COMMAND) => {
                self.parents.insert(process, u32::try_from(record.value).unwrap_or_default());
            }
            (Kind::Process, about::RANK) => {
                self.ranks.insert(process, record.value);
            }
            _ => {}
        }
    }

    fn damage(&mut self, _damage: Damage) {}
}

/// The ranks whose processes were recorded into a folder, by number. Where no process has a rank, all are one. A
/// process without a rank beside others with one, such as a launcher, belongs to the first rank.
///
/// # Errors
///
/// If a file cannot be read, or there is no recording in the folder.
pub fn ranks(folder: &Path) -> io::Result<Vec<RankRecordings>> {
    let mut family = Family::default();
    let mut processes: Vec<(PathBuf, Option<u32>)> = Vec::new();
    let mut samples = Vec::new();
    for path in recordings(folder)? {
        let mut file = File::open(&path)?;
        let Ok(recording) = header(&mut file)? else {
            processes.push((path, None));
            continue;
        };
        if recording.fact(sample::ROLE).is_some() {
            let len = file.metadata()?.len();
            // Damage is reported by the conversion.
            let _ = raw::read(&mut Whole(file, len), &mut family, &mut |_| {});
            samples.push(path);
            continue;
        }
        family.parents.entry(recording.process).or_insert(recording.parent);
        if let Some(rank) = recording.fact("rank").and_then(|rank| rank.parse().ok()) {
            family.ranks.insert(recording.process, rank);
        }
        processes.push((path, Some(recording.process)));
    }
    let rank_of = |process: Option<u32>| process.and_then(|process| family.rank(process));
    let first = processes.iter().filter_map(|(_, process)| rank_of(*process)).min();
    let mut ranks: BTreeMap<Option<u64>, RankRecordings> = BTreeMap::new();
    for (path, process) in processes {
        ranks.entry(rank_of(process).or(first)).or_default().files.push(path);
    }
    if ranks.is_empty() {
        ranks.insert(first, RankRecordings::default());
    }
    for process in family.parents.keys() {
        // A rank with nothing but samples: they belong to the first rank.
        let rank = family.rank(*process).filter(|rank| ranks.contains_key(&Some(*rank))).or(first);
        if let Some(rank) = ranks.get_mut(&rank) {
            rank.processes.insert(*process);
        }
    }
    let with_samples =
        |(rank, found): (Option<u64>, RankRecordings)| RankRecordings { rank, samples: samples.clone(), ..found };
    Ok(ranks.into_iter().map(with_samples).collect())
}
