//! Files with random access.

use std::io;

/// A file whose bytes can be read from any offset: natively a file, in the browser a Blob.
pub trait ReadAt {
    /// Number of its bytes.
    fn len(&self) -> u64;

    /// Whether it has no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it can only be read from front to back: its length is not known, and [`len`](Self::len) is `u64::MAX`.
    fn is_pipe(&self) -> bool {
        false
    }

    /// The only process whose events are read from it, where several ranks were recorded into one file.
    fn process(&self) -> Option<i64> {
        None
    }

    /// Copies bytes from an offset on; returns their number, which is less than requested only at the end.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

impl<R: ReadAt + ?Sized> ReadAt for &mut R {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn is_pipe(&self) -> bool {
        (**self).is_pipe()
    }

    fn process(&self) -> Option<i64> {
        (**self).process()
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buffer)
    }
}

impl<R: ReadAt + ?Sized> ReadAt for Box<R> {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn is_pipe(&self) -> bool {
        (**self).is_pipe()
    }

    fn process(&self) -> Option<i64> {
        (**self).process()
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buffer)
    }
}

impl ReadAt for &[u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }
}

/// A piece of a file.
pub struct PartAt<R> {
    file: R,
    start: u64,
    len: u64,
    process: Option<i64>,
}

impl<R: ReadAt> PartAt<R> {
    /// At most `len` bytes of a file from an offset on.
    pub fn new(file: R, start: u64, len: u64) -> Self {
        let len = len.min(file.len().saturating_sub(start));
        Self { file, start, len, process: None }
    }

    /// The same piece, with only one process's events to read.
    #[must_use]
    pub fn of_process(self, process: Option<i64>) -> Self {
        Self { process, ..self }
    }
}

impl<R: ReadAt> ReadAt for PartAt<R> {
    fn len(&self) -> u64 {
        self.len
    }

    fn is_pipe(&self) -> bool {
        self.file.is_pipe()
    }

    fn process(&self) -> Option<i64> {
        self.process
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.len.saturating_sub(offset)).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        if len == 0 { Ok(0) } else { self.file.read_at(self.start + offset, &mut buffer[..len]) }
    }
}

/// Bytes that are read and cached at once.
const BLOCK: usize = 1 << 18;

/// Number of cached blocks: a database's reader returns to some, such as the upper pages of its tables.
const KEPT: usize = 32;

/// A file whose reads are expensive, such as a Blob's: caches the most recently read blocks.
pub struct CachedAt<R> {
    file: R,
    /// Blocks by their numbers, the most recently used one last.
    blocks: Vec<(u64, Vec<u8>)>,
}

impl<R: ReadAt> CachedAt<R> {
    /// Caches up to 8 MiB of a file.
    pub fn new(file: R) -> Self {
        Self { file, blocks: Vec::new() }
    }

    fn block(&mut self, number: u64) -> io::Result<&[u8]> {
        if let Some(at) = self.blocks.iter().rposition(|(known, _)| *known == number) {
            let block = self.blocks.remove(at);
            self.blocks.push(block);
        } else {
            let oldest = if self.blocks.len() < KEPT { Vec::new() } else { self.blocks.remove(0).1 };
            let mut bytes = oldest;
            bytes.resize(BLOCK, 0);
            let len = self.file.read_at(number * BLOCK as u64, &mut bytes)?;
            bytes.truncate(len);
            self.blocks.push((number, bytes));
        }
        Ok(self.blocks.last().map_or(&[], |(_, bytes)| bytes.as_slice()))
    }
}

impl<R: ReadAt> ReadAt for CachedAt<R> {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn is_pipe(&self) -> bool {
        self.file.is_pipe()
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.len() >= BLOCK {
            return self.file.read_at(offset, buffer);
        }
        let mut filled = 0;
        while filled < buffer.len() {
            let at = offset + filled as u64;
            let block = self.block(at / BLOCK as u64)?;
            let inside = usize::try_from(at % BLOCK as u64).unwrap_or_default();
            let rest = block.get(inside..).unwrap_or_default();
            let len = rest.len().min(buffer.len() - filled);
            if len == 0 {
                break;
            }
            buffer[filled..filled + len].copy_from_slice(&rest[..len]);
            filled += len;
        }
        Ok(filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the reads.
    struct Counted(Vec<u8>, usize);

    impl ReadAt for Counted {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            (&mut &self.0[..]).read_at(offset, buffer)
        }
    }

    #[test]
    fn a_piece_ends_where_it_ends() {
        let mut file = &b"0123456789"[..];
        let mut buffer = [0; 8];
        let mut part = PartAt::new(&mut file, 3, 4);
        assert_eq!((part.len(), part.read_at(1, &mut buffer).unwrap(), &buffer[..3]), (4, 3, &b"456"[..]));
        assert_eq!(part.read_at(9, &mut buffer).unwrap(), 0);
        assert_eq!(PartAt::new(&mut file, 8, 100).len(), 2);
        assert!(PartAt::new(&mut file, 11, 1).is_empty());
    }

    #[test]
    fn what_is_read_again_comes_from_memory() {
        let bytes: Vec<u8> = (0..BLOCK * (KEPT + 2) + 7).map(|n| u8::try_from(n % 251).unwrap()).collect();
        let mut cached = CachedAt::new(Counted(bytes.clone(), 0));
        let mut buffer = [0; 4096];
        for place in [0, 5, BLOCK - 100, 4000] {
            assert_eq!(cached.read_at(place as u64, &mut buffer).unwrap(), 4096);
            assert_eq!(buffer, bytes[place..place + 4096]);
        }
        assert_eq!(cached.file.1, 2, "two blocks, each read once");
        for block in 0..KEPT + 2 {
            cached.read_at((block * BLOCK) as u64, &mut buffer).unwrap();
        }
        assert_eq!(cached.blocks.len(), KEPT);
        let end = bytes.len() - 3;
        assert_eq!(cached.read_at(end as u64, &mut buffer).unwrap(), 3);
        assert_eq!(buffer[..3], bytes[end..]);
        assert_eq!(cached.read_at(1 << 40, &mut buffer).unwrap(), 0);
    }
}
