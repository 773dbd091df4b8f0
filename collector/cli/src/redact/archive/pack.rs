//! Writes archives: zip (APPNOTE 6.3.10, without its 64-bit fields) and tar (POSIX.1-2024, with GNU's long names).

use std::io::{self, Read, Write};
use std::path::Path;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};

/// Bytes of a block of tar.
const BLOCK: usize = 512;

/// The longest name that a block of tar has room for.
const LONGEST_NAME: usize = 100;

/// Format of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Zip,
    Tar { compressed: bool },
}

impl Packing {
    /// The format from a name.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let ends = |end: &str| name.ends_with(end);
        if ends(".zip") {
            return Some(Self::Zip);
        }
        let compressed = ends(".tar.gz") || ends(".tgz");
        (compressed || ends(".tar")).then_some(Self::Tar { compressed })
    }
}

/// Writes files one after the other.
pub(super) enum Pack<'a> {
    Zip(Zip<'a>),
    Tar(&'a mut dyn Write),
    TarGz(GzEncoder<&'a mut dyn Write>),
}

impl<'a> Pack<'a> {
    pub(super) fn new(packing: Packing, out: &'a mut dyn Write) -> Self {
        match packing {
            Packing::Zip => Self::Zip(Zip { out: Counted { out, count: 0 }, directory: Vec::new(), files: 0 }),
            Packing::Tar { compressed: false } => Self::Tar(out),
            Packing::Tar { compressed: true } => Self::TarGz(GzEncoder::new(out, Compression::default())),
        }
    }

    /// Adds a file of so many bytes.
    pub(super) fn add(&mut self, name: &str, len: u64, content: &mut dyn Read) -> io::Result<()> {
        match self {
            Self::Zip(zip) => zip.add(name, content),
            Self::Tar(out) => add_to_tar(out, name, len, content),
            Self::TarGz(out) => add_to_tar(out, name, len, content),
        }
    }

    pub(super) fn finish(self) -> io::Result<()> {
        let end = [0; 2 * BLOCK];
        match self {
            Self::Zip(zip) => zip.finish(),
            Self::Tar(out) => out.write_all(&end),
            Self::TarGz(mut out) => {
                out.write_all(&end)?;
                out.finish().map(drop)
            }
        }
    }
}

fn add_to_tar(out: &mut dyn Write, name: &str, len: u64, content: &mut dyn Read) -> io::Result<()> {
    if name.len() > LONGEST_NAME {
        let long = [name.as_bytes(), b"\0"].concat();
        out.write_all(&header(b"././@LongLink", long.len() as u64, b'L'))?;
        out.write_all(&long)?;
        pad(out, long.len() as u64)?;
    }
    out.write_all(&header(&name.as_bytes()[..name.len().min(LONGEST_NAME)], len, b'0'))?;
    io::copy(&mut content.take(len), out)?;
    pad(out, len)
}

fn pad(out: &mut dyn Write, len: u64) -> io::Result<()> {
    let rest = usize::try_from(len % BLOCK as u64).unwrap_or_default();
    out.write_all(&[0; BLOCK][..(BLOCK - rest) % BLOCK])
}

fn header(name: &[u8], len: u64, kind: u8) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, name);
    put(100, b"0000600\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    if len < 1 << 33 {
        put(124, format!("{len:011o}\0").as_bytes());
    } else {
        put(124, &[0x80, 0, 0, 0]);
        put(128, &len.to_be_bytes());
    }
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// Writes a zip archive.
pub(super) struct Zip<'a> {
    out: Counted<'a>,
    directory: Vec<u8>,
    files: u16,
}

impl Zip<'_> {
    fn add(&mut self, name: &str, content: &mut dyn Read) -> io::Result<()> {
        let start = small(self.out.count)?;
        let name_len = u16::try_from(name.len()).map_err(|_| io::Error::other("a name is too long"))?;
        // Sizes follow the content; names are UTF-8; the oldest date.
        let common = [&20_u16.to_le_bytes()[..], &[8, 8], &8_u16.to_le_bytes(), &[0, 0, 0x21, 0]].concat();
        self.out.write_all(b"PK\x03\x04")?;
        self.out.write_all(&common)?;
        self.out.write_all(&[0; 12])?;
        self.out.write_all(&name_len.to_le_bytes())?;
        self.out.write_all(&[0; 2])?;
        self.out.write_all(name.as_bytes())?;
        let before = self.out.count;
        let mut crc = Crc::new();
        let mut len = 0;
        let mut deflate = DeflateEncoder::new(&mut self.out, Compression::default());
        let mut piece = vec![0; 1 << 16];
        loop {
            let read = content.read(&mut piece)?;
            if read == 0 {
                break;
            }
            crc.update(&piece[..read]);
            len += read as u64;
            deflate.write_all(&piece[..read])?;
        }
        deflate.finish()?;
        let sizes = [crc.sum(), small(self.out.count - before)?, small(len)?].map(u32::to_le_bytes).concat();
        self.out.write_all(b"PK\x07\x08")?;
        self.out.write_all(&sizes)?;
        self.files = self.files.checked_add(1).ok_or_else(|| io::Error::other("too many files for a zip archive"))?;
        let directory = &mut self.directory;
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&common);
        directory.extend_from_slice(&sizes);
        directory.extend_from_slice(&name_len.to_le_bytes());
        directory.extend_from_slice(&[0; 12]);
        directory.extend_from_slice(&start.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        let start = small(self.out.count)?;
        let len = small(self.directory.len() as u64)?;
        self.out.write_all(&self.directory)?;
        self.out.write_all(b"PK\x05\x06\0\0\0\0")?;
        self.out.write_all(&[self.files.to_le_bytes(), self.files.to_le_bytes()].concat())?;
        self.out.write_all(&[len.to_le_bytes(), start.to_le_bytes()].concat())?;
        self.out.write_all(&[0; 2])
    }
}

/// A number of 32 bits.
fn small(number: u64) -> io::Result<u32> {
    u32::try_from(number)
        .map_err(|_| io::Error::other("it is too large for a zip archive: let the copy's name end in .tar.gz"))
}

/// Counts the written bytes.
struct Counted<'a> {
    out: &'a mut dyn Write,
    count: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
