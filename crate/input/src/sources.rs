//! The files that were opened, and the files in their archives.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;

use super::archive::{Archived, MOST_ENTRIES};
use super::devices::Devices;
use super::entry_path::{Distinct, cleaned, is_hidden};
use super::group::{Intake, Plan, RankFiles};
use super::layer::Layer;
use super::loader::Loader;
use super::opened::Opened;
use super::sniff::sniff;
use super::tar::{self, Member, is_tar};
use super::unpack_read::UnpackRead;
use super::zip::{self, is_zip};
use crate::source::Source;
use stepscope_base::{Code, Error, ErrorKind, PartAt, ReadAt};
use stepscope_read::{Apart, ENOUGH, Head, ShardReading};
use stepscope_trace::Loaded;

/// All readable files, including files in archives.
///
/// ```
/// use stepscope::input::{Opened, Sources};
///
/// let mut file = &br#"{"schemaVersion": 1, "traceEvents": [
///   {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 10.5, "dur": 2}
/// ]}"#[..];
/// let mut sources = Sources::default();
/// sources.add("job/rank0.json", &mut file);
/// let plan = sources.plan(&Default::default());
/// let mut opened = Opened::new(|_| Ok(Box::new(file)));
/// let rank = sources.load(&plan.ranks[0], 1 << 18, &mut opened, &mut Vec::new())?;
/// assert_eq!((rank.loaded.trace.slices.len(), rank.bytes), (1, 134));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[derive(Default)]
pub struct Sources {
    list: Vec<Source>,
    intake: Intake,
    files: usize,
}

/// A rank that was read.
pub struct LoadedRank {
    /// Its trace and warnings.
    pub loaded: Loaded,
    /// Bytes of its files, packed.
    pub bytes: u64,
}

impl Sources {
    /// Adds a file by its path, with `/`; for an archive, adds its files.
    ///
    /// An unreadable file is added, too, so that it is reported.
    pub fn add(&mut self, path: &str, file: &mut dyn ReadAt) {
        let (number, before) = (self.files, self.list.len());
        self.files += 1;
        let added = self.add_file(path, number, file).and_then(|()| self.split_devices(before, file));
        if let Err(error) = added {
            self.refuse(self.source(path, number), Error::new(ErrorKind::Io(error.to_string())));
        }
    }

    /// Adds a file that cannot be opened.
    pub fn add_unreadable(&mut self, path: &str, error: Error) {
        self.files += 1;
        self.refuse(self.source(path, self.files - 1), error);
    }

    fn source(&self, path: &str, file: usize) -> Source {
        let (layers, notes) = (Vec::new(), Vec::new());
        let (process, device, pipe) = (None, None, false);
        Source { path: path.to_owned(), file, start: 0, len: 0, bytes: 0, process, device, pipe, layers, notes }
    }

    fn refuse(&mut self, source: Source, error: Error) {
        self.intake.add_unreadable(&source.path, error);
        self.list.push(source);
    }

    fn add_file(&mut self, path: &str, number: usize, file: &mut dyn ReadAt) -> io::Result<()> {
        let (len, pipe) = (file.len(), file.is_pipe());
        let source = Source { len, bytes: if pipe { 0 } else { len }, pipe, ..self.source(path, number) };
        let mut magic = [0; 4];
        let known = file.read_at(0, &mut magic)?;
        if is_zip(&magic[..known]) {
            let mut archive = Archive::new(self, source);
            let listing = zip::list(file)?;
            for entry in listing.entries {
                let head =
                    |source: &Source| Beginning::of(PartAt::new(&mut *file, source.start, source.len), &source.layers);
                archive.add(entry, head)?;
            }
            archive.end(listing.damage, listing.too_many);
            return Ok(());
        }
        let beginning = Beginning::of(PartAt::new(&mut *file, 0, source.len), &[])?;
        let packed = Source { layers: beginning.layers.clone(), ..source };
        if !is_tar(&beginning.bytes) {
            let processes = if packed.is_plain() && !pipe { ranks_in(path, &beginning, file) } else { Vec::new() };
            for process in &processes {
                let path = format!("{path}/process {process}");
                self.add_source(Source { path, process: Some(*process), ..packed.clone() }, &beginning);
            }
            if processes.is_empty() {
                let number = self.list.len();
                self.add_source(packed, &beginning);
                self.look_at_end(number, file)?;
            }
            return Ok(());
        }
        // Packed data is unpacked once: a file's first bytes are read right after its header.
        let mut archive = Archive::new(self, packed);
        let mut each = |entry: Archived, member: &mut Member<'_>| archive.add_member(entry, member);
        let (listing, damage) = if beginning.layers.is_empty() {
            (tar::list(&mut tar::Plain { file, at: 0 }, &mut each)?, None)
        } else {
            let mut unpacked = UnpackRead::new(file, &beginning.layers);
            let listing = tar::list(&mut unpacked, &mut each)?;
            (listing, unpacked.damage())
        };
        archive.end(damage.or(listing.damage), listing.too_many);
        Ok(())
    }

    /// Looks at the last bytes of a file that no reader knows: a log may end with what its beginning does not show. Only
    /// these are read then.
    fn look_at_end(&mut self, number: usize, file: &mut dyn ReadAt) -> io::Result<()> {
        let source = &self.list[number];
        let is_long = source.is_plain() && !source.pipe && source.len > ENOUGH as u64;
        if !is_long || self.intake.reader(number).is_some() {
            return Ok(());
        }
        let mut end = vec![0; ENOUGH];
        let len = file.read_at(source.len - ENOUGH as u64, &mut end)?;
        let head = Head { bytes: &end[..len], whole: true };
        let reader = sniff(&source.path, head).ok().flatten();
        if reader.is_some_and(|reader| reader.why_alone().is_some()) {
            self.intake.replace(number, &source.path, head);
            let source = &mut self.list[number];
            (source.start, source.len) = (source.start + source.len - ENOUGH as u64, ENOUGH as u64);
        }
        Ok(())
    }

    /// Adds each source that has several devices once for each device.
    fn split_devices(&mut self, before: usize, file: &mut dyn ReadAt) -> io::Result<()> {
        let file = RefCell::new(file);
        let mut devices = Devices::new(&file);
        for number in before..self.list.len() {
            let source = &self.list[number];
            let Some(reader) = self.intake.reader(number).filter(|_| !source.pipe) else { continue };
            let (head, found) = devices.find(reader, source)?;
            let one = found.first().copied().filter(|_| found.len() == 1);
            if let Some(device) = one.and_then(|device| u64::try_from(device).ok()) {
                self.intake.set_device(number, device);
            }
            let parts = if found.len() > 1 { source.of_devices(&found) } else { Vec::new() };
            for (place, part) in parts.into_iter().enumerate() {
                let head = Head { bytes: &head, whole: true };
                if place == 0 {
                    self.intake.replace(number, &part.path, head);
                    self.list[number] = part;
                } else {
                    self.intake.add(&part.path, head);
                    self.list.push(part);
                }
            }
        }
        Ok(())
    }

    fn add_source(&mut self, source: Source, head: &Beginning) {
        let unreadable = match (&head.bytes[..], head.damage, container(&head.bytes)) {
            (_, _, Some(what)) => {
                Some(ErrorKind::Unsupported(format!("this is {what}, which is not read: unpack it first")))
            }
            ([], true, _) => Some(ErrorKind::Compression("it holds not one readable byte".to_owned())),
            _ => None,
        };
        match unreadable {
            Some(kind) => self.refuse(source, Error::new(kind)),
            None => {
                self.intake.add(&source.path, Head { bytes: &head.bytes, whole: true });
                self.list.push(source);
            }
        }
    }

    /// All sources, by number.
    #[must_use]
    pub fn list(&self) -> &[Source] {
        &self.list
    }

    /// The formats of the sources.
    #[must_use]
    pub fn intake(&self) -> &Intake {
        &self.intake
    }

    /// The sources of each rank; see [`Intake::plan_as`].
    #[must_use]
    pub fn plan(&self, changes: &BTreeMap<usize, Option<u64>>) -> Plan {
        self.intake.plan_as(changes)
    }

    /// Whether a source allows random access in its file.
    #[must_use]
    pub fn is_random(&self, number: usize) -> bool {
        self.intake.is_random(number) && self.list.get(number).is_some_and(|source| source.is_plain() && !source.pipe)
    }

    /// Whether shards of a source can be read independently: it is not packed, and its reader supports that.
    #[must_use]
    pub fn reads_apart(&self, number: usize) -> bool {
        self.apart(number).is_some()
    }

    /// Starts to read a shard: the events that begin between two bytes of a source. The first byte to pass is `from`.
    #[must_use]
    pub fn piece(&self, number: usize, from: u64, limit: u64) -> Option<Box<dyn ShardReading>> {
        Some(self.apart(number)?((from, limit)))
    }

    fn apart(&self, number: usize) -> Option<Apart> {
        let source = self.list.get(number).filter(|source| source.is_plain() && !source.pipe)?;
        self.intake.reader(number).filter(|_| source.layers.is_empty())?.apart()
    }

    /// Reads one source in chunks of a given size into a loader that expects a file. Returns its size for users.
    fn read(
        &self,
        number: usize,
        source: &Source,
        opened: &mut Opened<'_>,
        chunk: usize,
        loader: &mut Loader,
    ) -> Result<u64, Error> {
        source.begin(loader);
        let io = |error: io::Error| Error::new(ErrorKind::Io(error.to_string())).in_file(&source.path);
        if !source.is_plain() {
            let unpacked = opened.unpacked(source).map_err(io)?;
            let packed = unpacked.read(chunk, loader).map_err(|error| error.in_file(&source.path))?;
            return Ok(if source.pipe { packed } else { source.bytes });
        }
        let mut file = opened.open(source.file).map_err(io)?;
        let mut part = source.part(&mut *file);
        if self.is_random(number) {
            loader.read(&mut part, &mut |_| {})?;
            return Ok(source.bytes);
        }
        let mut at = 0;
        loop {
            let read = part.read_at(at, loader.space(chunk)).map_err(io)?;
            if read == 0 {
                return Ok(if source.pipe { at } else { source.bytes });
            }
            loader.advance(read)?;
            at += read as u64;
        }
    }

    /// Reads a rank, file by file.
    ///
    /// # Errors
    ///
    /// If no file of the rank is usable: the error of the first one. Errors of the other files go to `failures`, as
    /// do errors of files beside usable ones.
    pub fn load(
        &self,
        rank: &RankFiles,
        chunk: usize,
        opened: &mut Opened<'_>,
        failures: &mut Vec<Error>,
    ) -> Result<LoadedRank, Error> {
        let mut loader = Loader::new("");
        let (mut wrong, mut unread) = (Vec::new(), 0);
        let mut bytes = 0;
        for (index, number) in rank.files.iter().enumerate() {
            let Some(source) = self.list.get(*number) else { continue };
            if index == 0 {
                loader = Loader::new(&source.path);
            } else {
                wrong.extend(loader.next_file(&source.path).err());
            }
            let read = self.read(*number, source, opened, chunk, &mut loader);
            bytes += *read.as_ref().unwrap_or(&source.bytes);
            unread += usize::from(read.is_err());
            wrong.extend(read.err());
        }
        if unread == rank.files.len() && !wrong.is_empty() {
            // The partial results may be anything.
            let first = wrong.remove(0);
            failures.append(&mut wrong);
            return Err(first);
        }
        if let Some(number) = rank.rank {
            loader.set_rank(number);
        }
        let finished = loader.finish();
        let loaded = match finished {
            Ok(loaded) => Ok(loaded),
            // The error of an unread file is the cause of the empty result.
            Err(error) if wrong.is_empty() => Err(error),
            Err(_) => Err(wrong.remove(0)),
        };
        failures.append(&mut wrong);
        loaded.map(|loaded| LoadedRank { loaded, bytes })
    }
}

/// The processes of a file that are one rank each; empty if the file is one rank.
fn ranks_in(path: &str, beginning: &Beginning, file: &mut dyn ReadAt) -> Vec<i64> {
    let reader = sniff(path, Head { bytes: &beginning.bytes, whole: true }).ok().flatten();
    reader.map(|reader| reader.ranks_in(file)).filter(|processes| processes.len() > 1).unwrap_or_default()
}

/// An archive whose files are added one by one.
struct Archive<'a> {
    sources: &'a mut Sources,
    /// The archive itself.
    file: Source,
    /// The number of sources before it.
    before: usize,
    distinct: Distinct,
}

impl<'a> Archive<'a> {
    fn new(sources: &'a mut Sources, file: Source) -> Self {
        Self { before: sources.list.len(), sources, file, distinct: Distinct::default() }
    }

    /// Adds a file, whose first bytes `head` reads.
    fn add(&mut self, entry: Archived, head: impl FnOnce(&Source) -> io::Result<Beginning>) -> io::Result<()> {
        let (clean, odd) = cleaned(&entry.path);
        if is_hidden(&clean) {
            return Ok(());
        }
        let (unique, again) = self.distinct.of(clean);
        let mut source = Source { path: format!("{}/{unique}", self.file.path), ..self.file.clone() };
        let printable: String = entry.path.chars().filter(|one| !one.is_control()).take(200).collect();
        source.notes.extend((odd || again).then_some((Code::ArchivePath, printable)));
        source.bytes = entry.len;
        match entry.layers {
            Err(why) => {
                self.sources.refuse(source, Error::new(ErrorKind::Unsupported(why)));
                return Ok(());
            }
            // A range of data that must be unpacked first.
            Ok(_) if !self.file.layers.is_empty() => {
                source.layers.push(Layer::Cut { skip: entry.start, take: entry.len });
            }
            Ok(layers) => {
                source.layers = layers;
                (source.start, source.len) = (entry.start, entry.len);
            }
        }
        let head = head(&source)?;
        source.layers.clone_from(&head.layers);
        self.sources.add_source(source, &head);
        Ok(())
    }

    /// Adds a file of a tar archive while the archive is read.
    fn add_member(&mut self, entry: Archived, member: &mut Member<'_>) -> io::Result<()> {
        let packed = !self.file.layers.is_empty();
        self.add(entry, |source| {
            let inside = Beginning::of(&mut *member, &[])?;
            let layers = [&source.layers[..], &inside.layers].concat();
            Ok(Beginning { layers, damage: inside.damage || packed && member.is_cut(), ..inside })
        })
    }

    /// Reports damage of the archive as a whole, after all of its files were added.
    fn end(self, damage: Option<String>, too_many: u64) {
        let notes = damage.iter().map(|what| (Code::ArchiveDamaged, what.clone()));
        for source in &mut self.sources.list[self.before..] {
            source.notes.extend(notes.clone());
        }
        if too_many > 0 {
            let why = format!("it has more than {MOST_ENTRIES} files: those beyond were not looked at");
            self.sources.refuse(self.file, Error::new(ErrorKind::Unsupported(why)));
        } else if self.sources.list.len() == self.before {
            let kind = match damage {
                Some(what) => ErrorKind::Compression(what),
                None => ErrorKind::Unsupported("there is no file in this archive".to_owned()),
            };
            self.sources.refuse(self.file, Error::new(kind));
        }
    }
}

/// A file's first bytes, unpacked.
struct Beginning {
    bytes: Vec<u8>,
    /// The layers of packing.
    layers: Vec<Layer>,
    /// Whether the packed data ends there because of damage.
    damage: bool,
}

impl Beginning {
    /// Reads the first bytes of a file with at least these layers.
    fn of(file: impl ReadAt, layers: &[Layer]) -> io::Result<Self> {
        let mut unpacked = UnpackRead::new(file, layers);
        let mut bytes = vec![0; ENOUGH];
        let len = unpacked.read(&mut bytes)?;
        bytes.truncate(len);
        Ok(Self { bytes, layers: unpacked.layers().to_vec(), damage: unpacked.damage().is_some() })
    }
}

/// The name of a container format that must be unpacked by the user first.
fn container(head: &[u8]) -> Option<&'static str> {
    const MAGICS: [(&[u8], &str); 6] = [
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"Rar!\x1a\x07", "a RAR archive"),
        (b"\xfd7zXZ\x00", "an xz file"),
        (b"BZh", "a bzip2 file"),
        (b"\x04\x22\x4d\x18", "an LZ4 file"),
        (b"PK\x03\x04", "a zip archive inside of another file"),
    ];
    let known = MAGICS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, what)| *what);
    known.or_else(|| is_tar(head).then_some("a tar archive inside of another file"))
}
