//! The assignment of files to ranks.
//!
//! The rules, which the page shows and whose result users can change:
//!
//! 1. A file that is a trace on its own is a rank.
//! 2. A file that is a part of a profiler's folder is read together with the other parts of the same run and
//!    rank, those with events first, then by their paths.
//! 3. A part that names no rank goes to its run's first rank. Where a run has several devices, parts of one device go to
//!    that of its number, and parts of several are read for each of them.
//! 4. Among several exports of one recording only the best is read; the others are left out.
//! 5. Files with recordings of one process, window after window, are a rank, in whatever folder they are.
//! 6. Recordings of several runs in one folder, as far as their times show, are separate traces.
//! 7. A file that says nothing of a trace beside it, as a log does, is left out where there are traces.
//! 8. A file that no reader recognizes is left out, and listed with each reader's reason.
//!
//! A rank has the name of its file or of its run's folder; equal names get as many folders in front as make them
//! distinct.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::natural::natural;
use super::runs::runs;
use super::sniff::{owner, refused, sniff};
use super::windows::{Held, held_elsewhere, homes, joined};
use stepscope_base::{CompactSort, Error, ErrorKind, map_of};
use stepscope_read::Head;
use stepscope_read::{Export, Method, Reader, RunPart, Windows};

/// The files that were added, each with the findings from its first bytes.
#[derive(Default)]
pub struct Intake {
    files: Vec<Candidate>,
}

struct Candidate {
    path: String,
    found: Result<(&'static dyn Reader, Option<RunPart>), Error>,
    /// None if no reader recognizes it.
    export: Option<Export>,
    windows: Option<Windows>,
    /// The only device in it, if its name has no rank.
    device: Option<u64>,
}

impl Candidate {
    /// A file by its path and first bytes.
    fn new(path: &str, head: Head<'_>) -> Self {
        let head = Head { whole: true, ..head };
        let found = match sniff(path, head) {
            Ok(Some(reader)) => Ok((reader, reader.part_of(path, head))),
            Ok(None) => Err(refused(path, head)),
            Err(error) => Err(error),
        };
        let reader = found.as_ref().map_or_else(|_| owner(path, head), |(reader, _)| Some(*reader));
        let export = reader.map(|reader| reader.export_of(path, head));
        let windows = found.as_ref().ok().and_then(|(reader, _)| reader.windows_of(head));
        let found = found.map_err(|error| error.in_file(path));
        Self { path: path.to_owned(), found, export, windows, device: None }
    }
}

/// The files of each rank.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The ranks, in the order in which they are read.
    pub ranks: Vec<RankFiles>,
    /// Files that are not part of a rank, with the reason.
    pub left_out: Vec<(usize, Error)>,
}

/// A run by its folder, and its number if the folder has several.
type Run<'a> = (&'a str, Option<usize>);

/// A rank's name, number, and files with their order.
type NamedParts = (String, Option<u64>, Vec<(u8, usize)>);

/// The files of a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankFiles {
    /// Its name: that of its only file, or of the run's folder.
    pub name: String,
    /// Its number, if the grouping has one; else the trace or its name may have it.
    pub rank: Option<u64>,
    /// Its files by number, in the order in which they are read.
    pub files: Vec<usize>,
}

impl Intake {
    /// Adds a file: its path in the folder or archive, with `/`, and its first bytes, uncompressed.
    pub fn add(&mut self, path: &str, head: Head<'_>) {
        self.files.push(Candidate::new(path, head));
    }

    /// Notes the only device in a file.
    pub(super) fn set_device(&mut self, file: usize, device: u64) {
        self.files[file].device = Some(device);
    }

    /// Puts a part of a file in its place.
    pub(super) fn replace(&mut self, file: usize, path: &str, head: Head<'_>) {
        self.files[file] = Candidate::new(path, head);
    }

    /// Adds a file that cannot be read, so that the other files keep their numbers.
    pub fn add_unreadable(&mut self, path: &str, error: Error) {
        let found = Err(error.in_file(path));
        self.files.push(Candidate { path: path.to_owned(), found, export: None, windows: None, device: None });
    }

    /// The format of a file, by its number; none if no reader recognizes it.
    #[must_use]
    pub fn format(&self, file: usize) -> Option<&'static str> {
        Some(self.known(file)?.0.id())
    }

    /// The title of a file's format, by its number; none if no reader recognizes it.
    #[must_use]
    pub fn title(&self, file: usize) -> Option<&'static str> {
        Some(self.known(file)?.0.about().title)
    }

    /// Whether a file needs random access instead of reading from front to back.
    #[must_use]
    pub fn is_random(&self, file: usize) -> bool {
        self.known(file).is_some_and(|(reader, _)| matches!(reader.method(), Method::Random(_)))
    }

    /// The reader of a file.
    pub(super) fn reader(&self, file: usize) -> Option<&'static dyn Reader> {
        self.known(file).map(|(reader, _)| *reader)
    }

    fn known(&self, file: usize) -> Option<&(&'static dyn Reader, Option<RunPart>)> {
        self.files.get(file)?.found.as_ref().ok()
    }

    /// The best readable export of each recording.
    fn best(&self) -> BTreeMap<&str, (u8, usize)> {
        let mut best = BTreeMap::new();
        for (index, file) in self.files.iter().enumerate() {
            if let (Ok(_), Some(Export { recording, order })) = (&file.found, &file.export) {
                let first = best.entry(recording.as_str()).or_insert((*order, index));
                *first = (*first).min((*order, index));
            }
        }
        best
    }

    /// The reasons why files are not part of a rank.
    fn problems(&self) -> BTreeMap<usize, Error> {
        let twin = |file: &Candidate, other: usize| {
            Error::new(ErrorKind::Twin(self.files[other].path.clone())).in_file(&file.path)
        };
        let best = self.best();
        let why_alone = |file: &Candidate| file.found.as_ref().ok().and_then(|(reader, _)| reader.why_alone());
        let has_others = self.files.iter().any(|file| file.found.is_ok() && why_alone(file).is_none());
        let problem = |file: &Candidate| {
            if let Some(why) = why_alone(file).filter(|_| has_others) {
                return Some(Error::new(ErrorKind::Unread(why)).in_file(&file.path));
            }
            let export = file.export.as_ref();
            let other =
                export.and_then(|export| best.get(export.recording.as_str()).filter(|best| best.0 < export.order));
            other.map(|(_, other)| twin(file, *other)).or_else(|| file.found.as_ref().err().cloned())
        };
        let mut problems =
            map_of(self.files.iter().enumerate().filter_map(|(index, file)| Some((index, problem(file)?))));
        let held: Vec<Held<'_>> = self.held().into_iter().filter(|(index, _)| !problems.contains_key(index)).collect();
        let elsewhere = held_elsewhere(&held).into_iter();
        problems.extend(elsewhere.map(|(index, other)| (index, twin(&self.files[index], other))));
        problems
    }

    /// The files that name their recordings.
    fn held(&self) -> Vec<Held<'_>> {
        self.files.iter().enumerate().filter_map(|(index, file)| Some((index, file.windows.as_ref()?))).collect()
    }

    /// The ranks by the rules.
    #[must_use]
    pub fn plan(&self) -> Plan {
        let mut plan = Plan::default();
        let mut parts: BTreeMap<(Run<'_>, u64), Vec<(u8, usize)>> = BTreeMap::new();
        let mut rankless: Vec<(Run<'_>, u8, usize)> = Vec::new();
        let mut by_home: BTreeMap<&str, usize> = BTreeMap::new();
        let problems = self.problems();
        let all = self.held();
        let read: Vec<Held<'_>> = all.iter().filter(|(index, _)| !problems.contains_key(index)).copied().collect();
        let homes = homes(&read, &all);
        let again = self.runs(&read);
        let several = self.runs_of_several();
        let number = |index: usize| again.get(&index).copied();
        plan.left_out.extend(problems.iter().map(|(index, problem)| (*index, problem.clone())));
        for (index, file) in self.files.iter().enumerate().filter(|(index, _)| !problems.contains_key(index)) {
            if let Some(home) = homes.get(&index) {
                let place = *by_home.entry(home).or_insert(plan.ranks.len());
                if place == plan.ranks.len() {
                    plan.ranks.push(RankFiles { name: String::new(), rank: None, files: Vec::new() });
                }
                let rank = &mut plan.ranks[place];
                rank.files.push(index);
                rank.rank = rank.rank.or(file.windows.as_ref().and_then(|windows| windows.rank));
                continue;
            }
            let part = file.found.as_ref().ok().and_then(|(_, part)| part.as_ref());
            let rank = |part: &RunPart| {
                part.rank.or(file.device.filter(|_| several.binary_search(&part.run.as_str()).is_ok()))
            };
            match part.map(|part| (part, rank(part))) {
                None => plan.ranks.push(RankFiles { name: short(&file.path), rank: None, files: vec![index] }),
                Some((RunPart { run, order, .. }, Some(rank))) => {
                    parts.entry(((run.as_str(), number(index)), rank)).or_default().push((*order, index));
                }
                Some((RunPart { run, order, .. }, None)) => {
                    rankless.push(((run.as_str(), number(index)), *order, index));
                }
            }
        }
        for place in by_home.into_values() {
            self.put_in_order(&mut plan.ranks[place].files);
            plan.ranks[place].name = self.name_of(&plan.ranks[place].files);
        }
        let mut alone: BTreeMap<Run<'_>, Vec<(u8, usize)>> = BTreeMap::new();
        for (run, order, index) in rankless {
            let first = parts.range_mut((run, 0)..=(run, u64::MAX)).next();
            first.map_or_else(|| alone.entry(run).or_default(), |(_, files)| files).push((order, index));
        }
        let several = |run: Run<'_>| parts.range((run, 0)..=(run, u64::MAX)).count() > 1;
        let named = parts.iter().map(|((run, rank), files)| {
            let folder = self.folder(*run, files);
            let name = if several(*run) { format!("{folder} (rank {rank})") } else { folder };
            (name, Some(*rank), files.clone())
        });
        let unnamed = alone.iter().map(|(run, files)| (self.folder(*run, files), None, files.clone()));
        for (name, rank, mut files) in self.of_one_process(named.chain(unnamed).collect()) {
            files.compact_sort_by(|a, b| self.order(a, b));
            plan.ranks.push(RankFiles { name, rank, files: files.into_iter().map(|(_, index)| index).collect() });
        }
        self.tell_apart(&mut plan.ranks);
        plan
    }

    /// The runs with several devices: ranks in their files' names, or devices in files without one.
    fn runs_of_several(&self) -> Vec<&str> {
        let parts = self.files.iter().filter_map(|file| {
            let part = file.found.as_ref().ok()?.1.as_ref()?;
            Some((part.run.as_str(), part.rank.or(file.device)?))
        });
        let mut parts: Vec<(&str, u64)> = parts.collect();
        parts.compact_sort();
        let several = parts.chunk_by(|one, other| one.0 == other.0).filter(|same| same.first() != same.last());
        several.map(|same| same[0].0).collect()
    }

    /// Makes equal names of ranks distinct by adding folders in front, as few as needed.
    fn tell_apart(&self, ranks: &mut [RankFiles]) {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, rank) in ranks.iter().enumerate() {
            by_name.entry(rank.name.clone()).or_default().push(place);
        }
        for (name, places) in by_name.into_iter().filter(|(_, places)| places.len() > 1) {
            let above: Vec<Vec<&str>> = places.iter().map(|place| self.above(&ranks[*place])).collect();
            let with = |count: usize| {
                let named = |above: &Vec<&str>| {
                    let last = &above[above.len().saturating_sub(count)..];
                    last.iter().copied().chain([name.as_str()]).collect::<Vec<_>>().join("/")
                };
                above.iter().map(named).collect::<Vec<String>>()
            };
            let most = above.iter().map(Vec::len).max().unwrap_or_default();
            let differ = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len();
            // Processes of one report have equal paths.
            let best =
                (0..=most).map(with).reduce(|best, more| if differ(&more) > differ(&best) { more } else { best });
            for (place, name) in places.into_iter().zip(best.unwrap_or_default()) {
                ranks[place].name = name;
            }
        }
    }

    /// The folders above the one or the file that a rank is named after.
    fn above(&self, rank: &RankFiles) -> Vec<&str> {
        let path = rank.files.first().map_or("", |first| self.files[*first].path.as_str());
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let own = parts.iter().rposition(|part| rank.name.starts_with(part));
        parts[..own.unwrap_or_default()].to_vec()
    }

    /// The runs of files whose folders have several.
    fn runs(&self, files: &[Held<'_>]) -> BTreeMap<usize, usize> {
        let folder = |index: usize| self.known(index)?.1.as_ref().map(|part| part.run.as_str());
        runs(&files.iter().filter_map(|(index, windows)| Some((*index, folder(*index)?, *windows))).collect::<Vec<_>>())
    }

    /// Merges ranks of several folders that have recordings of one process.
    fn of_one_process(&self, ranks: Vec<NamedParts>) -> Vec<NamedParts> {
        let process = |index: usize| self.files[index].windows.as_ref().map(|windows| windows.process.as_str());
        let processes: Vec<Vec<&str>> = ranks
            .iter()
            .map(|(_, _, files)| files.iter().filter_map(|(_, index)| process(*index)))
            .map(|processes| processes.filter(|process| !process.is_empty()).collect())
            .collect();
        let first = joined(&processes);
        let mut found: BTreeMap<usize, NamedParts> = BTreeMap::new();
        for ((name, rank, mut files), first) in ranks.into_iter().zip(first) {
            let (joined, number, others) = found.entry(first).or_insert_with(|| (name, rank, Vec::new()));
            if !others.is_empty() {
                let common = common_folder(files.iter().chain(&*others).map(|(_, index)| &*self.files[*index].path));
                *joined = Some(short(common)).filter(|name| !name.is_empty()).unwrap_or_else(|| joined.clone());
                *number = number.or(rank);
            }
            others.append(&mut files);
        }
        found.into_values().collect()
    }

    /// The ranks by the rules with the user's changes: the number of a file's rank, or none to leave the file out.
    ///
    /// Files with the same number are one rank, together with the rule's files of that rank. All other files stay as
    /// the rules have them.
    #[must_use]
    pub fn plan_as(&self, changes: &BTreeMap<usize, Option<u64>>) -> Plan {
        let mut plan = self.plan();
        let mut ranks: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (index, rank) in changes.iter().filter(|(index, _)| self.known(**index).is_some()) {
            // A file that was left out for another file may still be chosen.
            plan.left_out.retain(|(left, _)| left != index || rank.is_none());
            for rank in &mut plan.ranks {
                rank.files.retain(|file| file != index);
            }
            if let Some(rank) = rank {
                ranks.entry(*rank).or_default().push(*index);
            }
        }
        plan.ranks.retain(|rank| !rank.files.is_empty());
        for (number, mut files) in ranks {
            if let Some(rank) = plan.ranks.iter_mut().find(|rank| rank.rank == Some(number)) {
                rank.files.append(&mut files);
                self.put_in_order(&mut rank.files);
                continue;
            }
            self.put_in_order(&mut files);
            plan.ranks.push(RankFiles { name: self.name_of(&files), rank: Some(number), files });
        }
        self.tell_apart(&mut plan.ranks);
        plan
    }

    /// The name of a rank whose files have no folder of their own.
    fn name_of(&self, files: &[usize]) -> String {
        let first = short(files.first().map_or("", |first| self.files[*first].path.as_str()));
        if files.len() > 1 { format!("{first} + {}", files.len() - 1) } else { first }
    }

    /// Sorts a rank's files in the order in which they are read.
    fn put_in_order(&self, files: &mut [usize]) {
        let order = |file: usize| {
            let part = self.known(file).and_then(|(_, part)| part.as_ref());
            (part.map_or(0, |part| part.order), file)
        };
        files.compact_sort_by(|a, b| self.order(&order(*a), &order(*b)));
    }

    /// The order of two files of a rank: the same for a folder and for every archive of it.
    fn order(&self, (a_order, a): &(u8, usize), (b_order, b): &(u8, usize)) -> Ordering {
        let paths = || natural(&self.files[*a].path, &self.files[*b].path);
        a_order.cmp(b_order).then_with(paths).then(a.cmp(b))
    }

    /// The name of a run's folder for users.
    fn folder(&self, (run, number): Run<'_>, files: &[(u8, usize)]) -> String {
        let first = || {
            files
                .iter()
                .min_by(|a, b| self.order(a, b))
                .map_or(String::new(), |(_, index)| short(&self.files[*index].path))
        };
        let name = Some(short(run)).filter(|name| !name.is_empty()).unwrap_or_else(first);
        number.map_or_else(|| name.clone(), |number| format!("{name} (run {number})"))
    }
}

/// The path of the deepest folder that has all files.
fn common_folder<'a>(mut paths: impl Iterator<Item = &'a str>) -> &'a str {
    let folder = |path: &'a str| path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut common = paths.next().map_or("", folder);
    for path in paths {
        while !common.is_empty() && !path.strip_prefix(common).is_some_and(|rest| rest.starts_with('/')) {
            common = folder(common);
        }
    }
    common
}

/// The last part of a path.
fn short(path: &str) -> String {
    path.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stepscope_base::RejectionReason;

    const TRACE: &[u8] = br#"{"deviceProperties": [], "traceEvents": ["#;

    #[test]
    fn a_log_is_left_out_beside_a_trace() {
        let log = b"epoch: 0\n====Perf Summary====\n| ips | 2 | 3 | 1 |\n";
        let planned = |files: &[(&str, &[u8])]| {
            let mut intake = Intake::default();
            files.iter().for_each(|(path, bytes)| intake.add(path, Head { bytes, whole: true }));
            let plan = intake.plan();
            let why = plan.left_out.iter().map(|(file, error)| (*file, error.kind.clone())).collect::<Vec<_>>();
            (plan.ranks.into_iter().flat_map(|rank| rank.files).collect::<Vec<_>>(), why)
        };
        let unread = ErrorKind::Unread(RejectionReason::PerfSummary);
        assert_eq!(planned(&[("job/train.log", log), ("job/rank0.json", TRACE)]), (vec![1], vec![(0, unread)]));
        assert_eq!(planned(&[("train.log", log), ("again.log", log)]), (vec![0, 1], Vec::new()));
    }

    /// An archive keeps the order in which a disk happened to have its files.
    #[test]
    fn files_of_a_rank_are_read_in_the_order_of_their_paths() {
        let mut intake = Intake::default();
        let paths = [10, 2, 1].map(|number| format!("run/profiler/step_trace_raw_{number}_detail_time.csv"));
        for path in &paths {
            intake.add(path, Head { bytes: TRACE, whole: true });
        }
        let all = intake.plan_as(&(0..3).map(|file| (file, Some(0))).collect());
        assert_eq!(all.ranks[0].files, [2, 1, 0]);
    }

    #[test]
    fn traces_are_ranks_and_the_rest_is_left_out() {
        let mut intake = Intake::default();
        for (path, bytes) in [("job/rank0.json", TRACE), ("job/notes.txt", b"hello"), ("job/rank1.json", TRACE)] {
            intake.add(path, Head { bytes, whole: true });
        }
        let plan = intake.plan();
        let names: Vec<(&str, &[usize])> =
            plan.ranks.iter().map(|rank| (rank.name.as_str(), rank.files.as_slice())).collect();
        assert_eq!(names, [("rank0.json", &[0][..]), ("rank1.json", &[2][..])]);
        assert_eq!(plan.left_out.len(), 1);
        assert!(plan.left_out[0].1.to_string().starts_with("job/notes.txt: at byte 0: not a trace"));
        let merged = intake.plan_as(&BTreeMap::from([(0, Some(4)), (1, Some(4)), (2, Some(4)), (9, None)]));
        assert_eq!(merged.ranks, [RankFiles { name: "rank0.json + 1".into(), rank: Some(4), files: vec![0, 2] }]);
        assert_eq!(merged.left_out.len(), 1, "what no reader knows cannot be read, whatever a person wants");
        let one = intake.plan_as(&BTreeMap::from([(2, None)]));
        assert_eq!(one.ranks, [RankFiles { name: "rank0.json".into(), rank: None, files: vec![0] }]);
    }

    #[test]
    fn equal_names_get_the_folders_that_differ() {
        let mut intake = Intake::default();
        for path in ["all/cnn/logs/trace.json", "all/gpt/logs/trace.json", "all/odd/other.json"] {
            intake.add(path, Head { bytes: TRACE, whole: true });
        }
        let names = |plan: Plan| plan.ranks.into_iter().map(|rank| rank.name).collect::<Vec<_>>();
        assert_eq!(names(intake.plan()), ["cnn/logs/trace.json", "gpt/logs/trace.json", "other.json"]);
        let chosen = intake.plan_as(&BTreeMap::from([(0, Some(3)), (1, Some(4))]));
        assert_eq!(names(chosen), ["other.json", "cnn/logs/trace.json", "gpt/logs/trace.json"]);
    }

    #[test]
    fn of_two_exports_the_best_is_read_unless_a_person_wants_the_other() {
        let mut intake = Intake::default();
        for path in ["job/rank0.json.gz", "job/rank0.json", "job/rank1.json.gz"] {
            intake.add(path, Head { bytes: TRACE, whole: true });
        }
        let files = |plan: &Plan| plan.ranks.iter().map(|rank| rank.files.clone()).collect::<Vec<_>>();
        let plan = intake.plan();
        assert_eq!(files(&plan), [[1], [2]]);
        assert_eq!(plan.left_out.len(), 1);
        let why = "job/rank0.json.gz: the same recording as job/rank0.json, which is read instead";
        assert_eq!((plan.left_out[0].0, plan.left_out[0].1.to_string().as_str()), (0, why));
        assert!(intake.title(0).is_some(), "it could be read");
        let other = intake.plan_as(&BTreeMap::from([(0, Some(0)), (1, None)]));
        assert_eq!((files(&other), other.left_out.len()), (vec![vec![2], vec![0]], 0));
        let none = intake.plan_as(&BTreeMap::from([(0, None)]));
        assert_eq!((files(&none), none.left_out), (files(&plan), plan.left_out));
    }
}
