//! Opens added files for reading, and keeps the unpackers of compressed archives.

use std::io;

use super::layer::Layer;
use super::loader::Loader;
use super::unpack_read::UnpackRead;
use crate::source::Source;
use stepscope_base::{Error, ErrorKind, PartAt, ReadAt};

/// The most unpackers kept. An archive has the files of a rank in another order than the one in which they are read.
/// So one unpacker for each kind of file continues from rank to rank.
const MOST_RUNNING: usize = 16;

type Open<'f> = dyn FnMut(usize) -> io::Result<Box<dyn ReadAt + 'f>> + 'f;

/// Opens added files by their numbers, when they are read.
///
/// To reach a file in a compressed tar archive, all bytes before it are unpacked. An unpacker continues from one file
/// to the next, so an archive with any number of ranks costs a few passes.
pub struct Opened<'f> {
    open: Box<Open<'f>>,
    /// By the archive's number; the most recently used is the last.
    running: Vec<(usize, UnpackRead<Box<dyn ReadAt + 'f>>)>,
}

impl<'f> Opened<'f> {
    /// Files that `open` opens.
    pub fn new(open: impl FnMut(usize) -> io::Result<Box<dyn ReadAt + 'f>> + 'f) -> Self {
        Self { open: Box::new(open), running: Vec::new() }
    }

    pub(super) fn open(&mut self, file: usize) -> io::Result<Box<dyn ReadAt + 'f>> {
        (self.open)(file)
    }

    /// The content of a packed source, from its beginning.
    pub(super) fn unpacked(&mut self, source: &Source) -> io::Result<Unpacked<'_, 'f>> {
        if !source.layers.iter().any(|layer| matches!(layer, Layer::Cut { .. })) {
            let file = self.open(source.file)?;
            let part = PartAt::new(file, source.start, source.len);
            return Ok(Unpacked::Alone(Box::new(UnpackRead::new(part, &source.layers))));
        }
        let near = self.running.iter().enumerate().filter(|(_, (file, _))| *file == source.file);
        let near = near.filter_map(|(index, (_, running))| Some((running.distance(&source.layers)?, index)));
        if let Some((_, index)) = near.min() {
            let mut kept = self.running.remove(index);
            kept.1.go_on(&source.layers);
            self.running.push(kept);
        } else {
            let file = self.open(source.file)?;
            if self.running.len() == MOST_RUNNING {
                self.running.remove(0);
            }
            self.running.push((source.file, UnpackRead::new(file, &source.layers)));
        }
        let last = self.running.last_mut().ok_or_else(|| io::Error::other("nothing is open"))?;
        Ok(Unpacked::OfArchive(&mut last.1))
    }
}

/// Reads the content of a packed source.
pub(super) enum Unpacked<'a, 'f> {
    Alone(Box<UnpackRead<PartAt<Box<dyn ReadAt + 'f>>>>),
    OfArchive(&'a mut UnpackRead<Box<dyn ReadAt + 'f>>),
}

impl Unpacked<'_, '_> {
    /// Reads the content into a loader, in chunks of a given size. Returns the position in the packed file.
    pub(super) fn read(self, chunk: usize, loader: &mut Loader) -> Result<u64, Error> {
        match self {
            Self::Alone(mut unpacked) => feed(&mut unpacked, chunk, loader),
            Self::OfArchive(unpacked) => feed(unpacked, chunk, loader),
        }
    }
}

fn feed<R: ReadAt>(unpacked: &mut UnpackRead<R>, chunk: usize, loader: &mut Loader) -> Result<u64, Error> {
    loop {
        let read = unpacked.read(loader.space(chunk)).map_err(|error| Error::new(ErrorKind::Io(error.to_string())))?;
        loader.advance(read)?;
        if read < chunk {
            break;
        }
    }
    if let Some(what) = unpacked.damage() {
        loader.container_damaged(&what);
    }
    Ok(unpacked.position())
}
