//! Files on disk and how they are read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use stepscope::base::ReadAt;
use stepscope::read::ENOUGH;

/// The path that stands for standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// Opens a file to be read anywhere, or a pipe to be read from front to back.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn ReadAt>> {
    if path.as_os_str() == STANDARD_INPUT {
        return Ok(Box::new(Pipe { file: io::stdin(), head: Vec::new(), at: 0 }));
    }
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_file() {
        return Ok(Box::new(Disk { len: about.len(), file, at: 0 }));
    }
    if about.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    Ok(Box::new(Pipe { file, head: Vec::new(), at: 0 }))
}

/// A file on disk.
struct Disk {
    file: File,
    len: u64,
    /// Where the next byte is read from.
    at: u64,
}

impl ReadAt for Disk {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        // Beyond what the system can count, seeking would be an error.
        if offset >= self.len {
            return Ok(0);
        }
        if offset != self.at {
            self.file.seek(SeekFrom::Start(offset))?;
            self.at = offset;
        }
        let read = read_full(&mut self.file, buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Bytes of a pipe that can be read again: more than packed ones that give a head.
const HEAD: usize = 4 * ENOUGH;

/// A pipe or device: its beginning can be read again, all else once, in order.
struct Pipe<R> {
    file: R,
    head: Vec<u8>,
    /// Bytes that were read after the head.
    at: u64,
}

impl<R: Read> ReadAt for Pipe<R> {
    fn len(&self) -> u64 {
        u64::MAX
    }

    fn is_pipe(&self) -> bool {
        true
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let known = self.head.len();
        if known < HEAD && self.at == 0 {
            self.head.resize(HEAD, 0);
            let read = read_full(&mut self.file, &mut self.head[known..])?;
            self.head.truncate(known + read);
        }
        let head = usize::try_from(offset).ok().and_then(|offset| self.head.get(offset..)).unwrap_or_default();
        let len = head.len().min(buffer.len());
        buffer[..len].copy_from_slice(&head[..len]);
        if len == buffer.len() {
            return Ok(len);
        }
        if offset + len as u64 != self.head.len() as u64 + self.at {
            return Err(io::Error::other("a pipe can be read only once, from front to back: save it as a file"));
        }
        let read = read_full(&mut self.file, &mut buffer[len..])?;
        self.at += read as u64;
        Ok(len + read)
    }
}

/// Fills the buffer as far as the file goes.
fn read_full(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
