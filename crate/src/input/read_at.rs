//! Files that are read here and there, rather than from front to back.

use std::io;

/// A file of which any part can be read: a database of gigabytes is never held whole.
///
/// Natively an opened file, in the browser a `Blob` read in a worker; a slice of memory for tests and small files.
///
/// ```
/// use stepscope::input::ReadAt;
///
/// let mut file: &[u8] = b"0123456789";
/// let mut buffer = [0; 4];
/// assert_eq!(file.read_at(8, &mut buffer)?, 2); // the file ends there
/// assert_eq!(&buffer[..2], b"89");
/// assert_eq!(file.read_at(20, &mut buffer)?, 0);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait ReadAt {
    /// The file's length in bytes.
    fn len(&self) -> u64;

    /// Fills the buffer from a byte of the file on; returns how much of it could be filled. Less than all of it is only
    /// returned where the file ends.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Whether the file holds no byte.
    fn is_empty(&self) -> bool {
        self.len() == 0
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

impl ReadAt for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.as_slice().read_at(offset, buffer)
    }
}
