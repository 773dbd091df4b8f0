//! The files that were dropped or named, with what their archives hold.

use std::collections::BTreeMap;
use std::io;

use super::archive::{Listing, MOST_ENTRIES};
use super::entry_path::{Distinct, cleaned, is_hidden};
use super::group::{Intake, Plan, RankFiles};
use super::head::{ENOUGH, Head};
use super::layer::Layer;
use super::loader::{Loaded, Loader};
use super::read_at::{PartAt, ReadAt};
use super::tar::{self, is_tar};
use super::unpack_read::UnpackRead;
use super::zip::{self, is_zip};
use crate::error::{Error, ErrorKind};
use crate::warn::Code;

/// All that may be read: files, and files in archives.
///
/// ```
/// use stepscope::input::Sources;
///
/// let mut file = &br#"{"schemaVersion": 1, "traceEvents": [
///   {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 10.5, "dur": 2}
/// ]}"#[..];
/// let mut sources = Sources::default();
/// sources.add("job/rank0.json", &mut file);
/// let plan = sources.plan(&Default::default());
/// let rank = sources.load(&plan.ranks[0], 1 << 18, &mut |_| Ok(Box::new(file)), &mut Vec::new())?;
/// assert_eq!((rank.loaded.trace.slices.len(), rank.bytes), (1, 134));
/// # Ok::<(), stepscope::Error>(())
/// ```
#[derive(Default)]
pub struct Sources {
    list: Vec<Source>,
    intake: Intake,
    files: usize,
}

/// A file, or a file in an archive.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path, an archive's own path before it, with `/`.
    pub path: String,
    /// Which of the files that were added has its bytes, and where.
    pub file: usize,
    /// Where its bytes start there.
    pub start: u64,
    /// How many there are, as they are packed.
    pub len: u64,
    /// How large it is for a person: as it is packed, where that can be told from what else is packed with it.
    pub bytes: u64,
    /// How they are packed; nothing for bytes as they are.
    pub layers: Vec<Layer>,
    /// What is odd about the archive that it lies in.
    notes: Vec<(Code, String)>,
}

/// A rank that was read.
pub struct LoadedRank {
    /// Its trace and what was odd.
    pub loaded: Loaded,
    /// Bytes of its files as they are packed.
    pub bytes: u64,
}

impl Sources {
    /// Adds a file by its path, with `/`; an archive is added as the files in it.
    ///
    /// A file that cannot be read is added too, so that it is told of.
    pub fn add(&mut self, path: &str, file: &mut dyn ReadAt) {
        let number = self.files;
        self.files += 1;
        if let Err(error) = self.add_file(path, number, file) {
            self.refuse(self.source(path, number), Error::new(ErrorKind::Io(error.to_string())));
        }
    }

    /// Adds a file that cannot even be opened.
    pub fn add_unreadable(&mut self, path: &str, error: Error) {
        self.files += 1;
        self.refuse(self.source(path, self.files - 1), error);
    }

    fn source(&self, path: &str, file: usize) -> Source {
        Source { path: path.to_owned(), file, start: 0, len: 0, bytes: 0, layers: Vec::new(), notes: Vec::new() }
    }

    fn refuse(&mut self, source: Source, error: Error) {
        self.intake.add_unreadable(&source.path, error);
        self.list.push(source);
    }

    fn add_file(&mut self, path: &str, number: usize, file: &mut dyn ReadAt) -> io::Result<()> {
        let source = Source { len: file.len(), bytes: file.len(), ..self.source(path, number) };
        let mut magic = [0; 4];
        let known = file.read_at(0, &mut magic)?;
        if is_zip(&magic[..known]) {
            let listing = zip::list(file)?;
            return self.add_archive(&source, listing, file);
        }
        let (head, read) = head_of(&source, file)?;
        if !is_tar(&head) {
            self.add_source(Source { layers: read.layers, ..source }, &head, read.damage.as_deref());
            return Ok(());
        }
        let (listing, damage) = if read.layers.is_empty() {
            (tar::list(&mut tar::Plain { file, at: 0 })?, None)
        } else {
            let mut unpacked = UnpackRead::new(file, &read.layers);
            let listing = tar::list(&mut unpacked)?;
            let damage = unpacked.damage();
            (listing, damage)
        };
        let damage = damage.or(listing.damage);
        let packed = Source { layers: read.layers, ..source };
        self.add_archive(&packed, Listing { damage, ..listing }, file)
    }

    /// Adds the files of an archive.
    fn add_archive(&mut self, archive: &Source, listing: Listing, file: &mut dyn ReadAt) -> io::Result<()> {
        let mut distinct = Distinct::default();
        let before = self.list.len();
        for entry in listing.entries {
            let (clean, odd) = cleaned(&entry.path);
            if is_hidden(&clean) {
                continue;
            }
            let (unique, again) = distinct.of(clean);
            let mut source = Source { path: format!("{}/{unique}", archive.path), ..archive.clone() };
            let printable: String = entry.path.chars().filter(|one| !one.is_control()).take(200).collect();
            source.notes.extend((odd || again).then_some((Code::ArchivePath, printable)));
            source.notes.extend(listing.damage.iter().map(|what| (Code::ArchiveDamaged, what.clone())));
            match entry.layers {
                Err(why) => {
                    self.refuse(source, Error::new(ErrorKind::Unsupported(why)));
                    continue;
                }
                // A piece of what has to be unpacked first.
                Ok(_) if !archive.layers.is_empty() => {
                    source.layers.push(Layer::Cut { skip: entry.start, take: entry.len });
                    source.bytes = entry.len;
                }
                Ok(layers) => {
                    source.layers = layers;
                    (source.start, source.len, source.bytes) = (entry.start, entry.len, entry.len);
                }
            }
            let (head, read) = head_of(&source, file)?;
            source.layers = read.layers;
            self.add_source(source, &head, read.damage.as_deref());
        }
        if listing.too_many > 0 {
            let why = format!("it has more than {MOST_ENTRIES} files: those beyond were not looked at");
            self.refuse(archive.clone(), Error::new(ErrorKind::Unsupported(why)));
        } else if self.list.len() == before {
            let kind = match listing.damage {
                Some(what) => ErrorKind::Compression(what),
                None => ErrorKind::Unsupported("there is no file in this archive".to_owned()),
            };
            self.refuse(archive.clone(), Error::new(kind));
        }
        Ok(())
    }

    fn add_source(&mut self, source: Source, head: &[u8], damage: Option<&str>) {
        let unreadable = match (head, damage, container(head)) {
            (_, _, Some(what)) => {
                Some(ErrorKind::Unsupported(format!("this is {what}, which is not read: unpack it first")))
            }
            ([], Some(_), _) => Some(ErrorKind::Compression("it holds not one readable byte".to_owned())),
            _ => None,
        };
        match unreadable {
            Some(kind) => self.refuse(source, Error::new(kind)),
            None => {
                self.intake.add(&source.path, Head { bytes: head, whole: true });
                self.list.push(source);
            }
        }
    }

    /// All that was found, by number.
    #[must_use]
    pub fn list(&self) -> &[Source] {
        &self.list
    }

    /// Which formats they have.
    #[must_use]
    pub fn intake(&self) -> &Intake {
        &self.intake
    }

    /// Which of them make which rank; see [`Intake::plan_as`].
    #[must_use]
    pub fn plan(&self, changes: &BTreeMap<usize, Option<u64>>) -> Plan {
        self.intake.plan_as(changes)
    }

    /// Whether a source can be read here and there where it lies.
    #[must_use]
    pub fn is_random(&self, number: usize) -> bool {
        self.intake.is_random(number) && self.list.get(number).is_some_and(Source::is_plain)
    }

    /// Reads one source, in chunks of a given size, into a loader that waits for a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read or nothing can be made of it.
    pub fn read(&self, number: usize, file: &mut dyn ReadAt, chunk: usize, loader: &mut Loader) -> Result<(), Error> {
        let Some(source) = self.list.get(number) else { return Ok(()) };
        source.begin(loader);
        let mut part = PartAt::new(file, source.start, source.len);
        if self.is_random(number) {
            return loader.read(&mut part, &mut |_| {});
        }
        let io = |error: io::Error| Error::new(ErrorKind::Io(error.to_string())).in_file(&source.path);
        if source.is_plain() {
            let mut at = 0;
            loop {
                let read = part.read_at(at, loader.space(chunk)).map_err(io)?;
                if read == 0 {
                    return Ok(());
                }
                loader.advance(read)?;
                at += read as u64;
            }
        }
        let mut unpacked = UnpackRead::new(&mut part, &source.layers);
        loop {
            let read = unpacked.read(loader.space(chunk)).map_err(io)?;
            loader.advance(read)?;
            if read < chunk {
                break;
            }
        }
        if let Some(what) = unpacked.damage() {
            loader.container_damaged(&what);
        }
        Ok(())
    }

    /// Reads a rank, file by file; `open` opens one of the files that were added, by its number.
    ///
    /// # Errors
    ///
    /// If none of its files is any good: why the first one is not. What is wrong with the others goes to `failures`,
    /// and so does what is wrong with a file among good ones.
    pub fn load<'f>(
        &self,
        rank: &RankFiles,
        chunk: usize,
        open: &mut dyn FnMut(usize) -> io::Result<Box<dyn ReadAt + 'f>>,
        failures: &mut Vec<Error>,
    ) -> Result<LoadedRank, Error> {
        let mut loader = Loader::new("");
        let (mut wrong, mut unread) = (Vec::new(), 0);
        let mut bytes = 0;
        for (index, number) in rank.files.iter().enumerate() {
            let Some(source) = self.list.get(*number) else { continue };
            bytes += source.bytes;
            if index == 0 {
                loader = Loader::new(&source.path);
            } else {
                wrong.extend(loader.next_file(&source.path).err());
            }
            let io = |error: io::Error| Error::new(ErrorKind::Io(error.to_string())).in_file(&source.path);
            let read =
                open(source.file).map_err(io).and_then(|mut file| self.read(*number, &mut *file, chunk, &mut loader));
            unread += usize::from(read.is_err());
            wrong.extend(read.err());
        }
        if unread == rank.files.len() && !wrong.is_empty() {
            // What was read of them may be anything.
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
            // What kept a file from being read is the cause of there being nothing.
            Err(error) if wrong.is_empty() => Err(error),
            Err(_) => Err(wrong.remove(0)),
        };
        failures.append(&mut wrong);
        loaded.map(|loaded| LoadedRank { loaded, bytes })
    }
}

impl Source {
    /// Whether its bytes lie there as they are.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.layers.is_empty()
    }

    /// Tells a loader what is odd about the archive.
    pub fn begin(&self, loader: &mut Loader) {
        for (code, what) in &self.notes {
            loader.note(*code, what);
        }
    }
}

/// What reading a head showed.
struct HeadRead {
    layers: Vec<Layer>,
    damage: Option<String>,
}

/// A source's first bytes, unpacked.
fn head_of(source: &Source, file: &mut dyn ReadAt) -> io::Result<(Vec<u8>, HeadRead)> {
    let mut part = PartAt::new(file, source.start, source.len);
    let mut unpacked = UnpackRead::new(&mut part, &source.layers);
    let mut head = vec![0; ENOUGH];
    let len = unpacked.read(&mut head)?;
    head.truncate(len);
    let damage = unpacked.damage();
    Ok((head, HeadRead { layers: unpacked.layers().to_vec(), damage }))
}

/// What a file is that has to be unpacked before anything in it can be read.
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
