//! From raw recordings, whole or of killed processes, to a compact file.

mod ranks;
mod recordings;

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use stepscope_format::compact::{Origin, Process, RECORDINGS, Thread, Writer};
use stepscope_format::raw::{self, Recording, Sink};
use stepscope_format::{Category, Damage, Kind, Record, about};

pub use self::ranks::{RankRecordings, ranks};
use self::recordings::{Whole, header, recordings};
use crate::{record, sample};

/// Summary of recovered recordings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Recordings, which are processes, without those of samplers.
    pub processes: u32,
    /// Those of them that their programs closed.
    pub closed: u32,
    /// Records of theirs, without those that only switch threads.
    pub records: u64,
    /// Records of samplers.
    pub samples: u64,
    /// Those of `records` that are spans which were open when their process ended.
    pub open: u64,
    /// Records that were dropped because the disk was full.
    pub dropped: u64,
    /// Other losses that the recordings report: see [`about::LOST`].
    pub lost: u64,
    /// Damaged parts, by file.
    pub damages: Vec<(PathBuf, Damage)>,
}

/// Damages that are listed one by one.
const MOST_DAMAGES: usize = 1000;

/// The output is written when it has grown to this.
const BATCH: usize = 1 << 20;

/// Makes a compact file of all recordings in a folder, by name.
///
/// If this process asked for a recording there and the environment had started one elsewhere (see
/// [`start`](fn@crate::start)), that one is included, as far as it has been recorded. A recording that this process is
/// still writing is marked in the compact file as having lost its rest.
///
/// # Errors
///
/// If a file cannot be read or the output not be written, or there is no recording in the folder.
pub fn recover(folder: &Path, output: &mut dyn Write) -> io::Result<Recovered> {
    let files = recordings(folder)?;
    let mut conversion = Conversion::new(output, &files);
    for path in &files {
        conversion.add(path)?;
    }
    conversion.finish()
}

/// Makes a compact file of the recordings of one rank, as returned by [`ranks`].
///
/// # Errors
///
/// As [`recover`].
pub fn recover_rank(rank: &RankRecordings, output: &mut dyn Write) -> io::Result<Recovered> {
    let mut conversion = Conversion::new(output, rank.files.iter().chain(&rank.samples));
    for path in &rank.files {
        conversion.add(path)?;
    }
    conversion.of = Some(&rank.processes);
    for path in &rank.samples {
        conversion.add(path)?;
    }
    conversion.finish()
}

/// Makes a compact file of one recording.
///
/// # Errors
///
/// If it cannot be read or is no recording, or the output cannot be written.
pub fn recover_file(path: &Path, output: &mut dyn Write) -> io::Result<Recovered> {
    let mut conversion = Conversion::new(output, [path]);
    conversion.add(path)?;
    conversion.finish()
}

/// The readable recordings, by name; conversion reports the errors of the others.
fn origins(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> String {
    let origin = |path: &Path| {
        let recording = header(&mut File::open(path).ok()?).ok()?.ok()?;
        Some(Origin { process: recording.process, began: recording.begin.monotonic })
    };
    let all: Vec<Origin> = paths.into_iter().filter_map(|path| origin(path.as_ref())).collect();
    Origin::text(&all)
}

struct Conversion<'a> {
    writer: Writer,
    /// The recordings, as a fact of the first process.
    origins: String,
    output: &'a mut dyn Write,
    found: Recovered,
    path: PathBuf,
    process: u32,
    next_process: u32,
    /// Whether the recording is a sampler's.
    of_sampler: bool,
    thread: u64,
    /// Names' numbers of the threads that were written.
    threads: HashMap<u64, u32>,
    failed: Option<io::Error>,
    /// Processes whose samples are kept; all if `None`.
    of: Option<&'a BTreeSet<u32>>,
    /// The end of its latest record.
    latest: u64,
}

/// Whether this process records into a file: later records are missing from the copy.
fn is_being_written(path: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    record::recording_path().is_some_and(|own| real(&own).is_some_and(|own| Some(own) == real(path)))
}

impl<'a> Conversion<'a> {
    fn new(output: &'a mut dyn Write, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        Self {
            writer: Writer::new(),
            origins: origins(paths),
            output,
            found: Recovered::default(),
            path: PathBuf::new(),
            process: 0,
            next_process: 0,
            of_sampler: false,
            thread: 0,
            threads: HashMap::new(),
            failed: None,
            of: None,
            latest: 0,
        }
    }

    fn add(&mut self, path: &Path) -> io::Result<()> {
        let told = |what: &dyn std::fmt::Display| io::Error::other(format!("{}: {what}", path.display()));
        let file = File::open(path).map_err(|error| record::with_path(path, &error))?;
        let len = file.metadata()?.len();
        path.clone_into(&mut self.path);
        self.threads.clear();
        (self.thread, self.latest) = (0, 0);
        match raw::read(&mut Whole(file, len), self, &mut |_| {}) {
            // Killed while the file was made: there is nothing in it.
            Err((Some(damage), _)) if damage.position == 0 => self.damage(damage),
            Err((_, message)) => return Err(told(&message)),
            Ok(()) => {}
        }
        if is_being_written(path) {
            self.goes_on();
        }
        self.writer.flush();
        self.write(0)
    }

    /// Records that the rest is missing.
    fn goes_on(&mut self) {
        const TEXT: &str = "what was recorded once this file had been made";
        self.writer.name(self.process, u32::MAX, TEXT);
        let (kind, category, at) = (Kind::Process, Category::General, self.latest);
        let lost = Record { kind, category, aux: about::LOST, name: u32::MAX, at, extent: 0, value: 1 };
        self.writer.record(self.process, self.thread, lost);
        self.found.lost += 1;
    }

    fn write(&mut self, from: usize) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let output = self.writer.output();
        if output.len() > from {
            self.output.write_all(output)?;
            output.clear();
        }
        Ok(())
    }

    fn write_batch(&mut self) {
        if self.failed.is_none() {
            self.failed = self.write(BATCH).err();
        }
    }

    fn finish(self) -> io::Result<Recovered> {
        self.output.write_all(&self.writer.finish())?;
        self.output.flush()?;
        Ok(self.found)
    }
}

impl Sink for Conversion<'_> {
    fn recording(&mut self, recording: &Recording) {
        self.process = self.next_process;
        self.next_process += 1;
        self.of_sampler = recording.fact(sample::ROLE).is_some();
        if !self.of_sampler {
            self.found.processes += 1;
            self.found.closed += u32::from(recording.closed);
        }
        self.found.dropped += recording.dropped;
        let mut facts = recording.facts.clone();
        let origins = std::mem::take(&mut self.origins);
        if !origins.is_empty() {
            facts.push((RECORDINGS.to_owned(), origins));
        }
        self.writer.process(&Process {
            number: self.process,
            id: recording.process,
            parent: recording.parent,
            closed: recording.closed,
            dropped: recording.dropped,
            reused: recording.reused,
            unix_offset: recording.unix_offset(),
            facts,
        });
    }

    fn name(&mut self, number: u32, text: &[u8]) {
        self.writer.name(self.process, number, &String::from_utf8_lossy(text));
        self.write_batch();
    }

    fn record(&mut self, record: &Record, _position: u64) {
        if record.kind == Kind::Thread {
            self.thread = record.value;
            if self.threads.insert(record.value, record.name) != Some(record.name) {
                let (serial, id, name) = (record.value, record.extent, record.name);
                self.writer.thread(&Thread { process: self.process, serial, id, name });
            }
            return;
        }
        let other = matches!(record.kind, Kind::Counter | Kind::Process) && record.extent != 0;
        if other && self.of.is_some_and(|of| u32::try_from(record.extent).is_ok_and(|id| !of.contains(&id))) {
            return;
        }
        let records = if self.of_sampler { &mut self.found.samples } else { &mut self.found.records };
        *records += 1;
        self.latest = self.latest.max(record.end());
        self.found.open += u64::from(record.kind == Kind::Open);
        if record.kind == Kind::Process && record.aux == about::LOST {
            self.found.lost += record.value;
        }
        self.writer.record(self.process, self.thread, *record);
        self.write_batch();
    }

    fn damage(&mut self, damage: Damage) {
        if self.found.damages.len() < MOST_DAMAGES {
            self.found.damages.push((self.path.clone(), damage));
        }
    }
}
