//! Tar archives, plain or compressed: their entries and the positions of their bytes.
//!
//! Reads POSIX (`ustar`, with pax headers) and GNU tar's long names; rejects sparse files and links. To reach a file
//! in a compressed archive, everything before it is unpacked.
//!
//! Written after POSIX.1-2024 (pax) and GNU tar's manual.

use std::io;

use super::archive::{Archived, LINK, Listing, MOST_ENTRIES};
use super::unpack_read::UnpackRead;
use stepscope_base::ReadAt;

const BLOCK: usize = 512;

/// The longest headers with names that are read.
const LONGEST_HEADER: u64 = 1 << 16;

/// Whether a file starts like a tar archive.
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(..BLOCK).is_some_and(|block| block[257..].starts_with(b"ustar") && checksum_is_right(block))
}

/// An archive, read from front to back.
pub(super) trait Forward {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize>;
    /// Skips bytes and returns their number, which is smaller than wanted only at the end.
    fn skip(&mut self, len: u64) -> io::Result<u64>;
}

/// A plain archive, in which skipped bytes are not read.
pub(super) struct Plain<'a> {
    pub(super) file: &'a mut dyn ReadAt,
    pub(super) at: u64,
}

impl Forward for Plain<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.file.read_at(self.at, buffer)?;
        self.at += len as u64;
        Ok(len)
    }

    fn skip(&mut self, len: u64) -> io::Result<u64> {
        let len = len.min(self.file.len().saturating_sub(self.at));
        self.at += len;
        Ok(len)
    }
}

/// A file of an archive, read from front to back while the archive is read.
pub(super) struct Member<'a> {
    archive: &'a mut dyn Forward,
    len: u64,
    /// The number of bytes read.
    at: u64,
    /// Whether the archive ends before the file does.
    cut: bool,
}

impl Member<'_> {
    /// Whether the archive was found to end within it.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }
}

impl ReadAt for Member<'_> {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if offset != self.at {
            return Err(io::Error::other("a file of an archive is read from front to back"));
        }
        let left = usize::try_from(self.len - self.at).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let read = self.archive.read(&mut buffer[..wanted])?;
        self.at += read as u64;
        self.cut |= read < wanted;
        Ok(read)
    }
}

impl<R: ReadAt> Forward for UnpackRead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        UnpackRead::read(self, buffer)
    }

    fn skip(&mut self, len: u64) -> io::Result<u64> {
        let mut scrap = vec![0; 1 << 16];
        let mut left = len;
        while left > 0 {
            let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(scrap.len());
            let read = UnpackRead::read(self, &mut scrap[..wanted])?;
            left -= read as u64;
            if read < wanted {
                break;
            }
        }
        Ok(len - left)
    }
}

/// Lists the files of an archive. Each is passed to `each` when the archive is read that far, with its content;
/// `start` is relative to the unpacked archive.
pub(super) fn list(
    archive: &mut dyn Forward,
    each: &mut dyn FnMut(Archived, &mut Member<'_>) -> io::Result<()>,
) -> io::Result<Listing> {
    let mut listing = Listing::default();
    let (mut at, mut zeros, mut count) = (0_u64, 0, 0);
    let mut names = Names::default();
    loop {
        let mut block = [0; BLOCK];
        let read = archive.read(&mut block)?;
        at += BLOCK as u64;
        if read < BLOCK || zeros == 2 {
            // Many writers omit the zeros at the end.
            if read > 0 && zeros == 0 {
                listing.damage = Some("it ends early".to_owned());
            }
            return Ok(listing);
        }
        if block.iter().all(|byte| *byte == 0) {
            zeros += 1;
            continue;
        }
        if !checksum_is_right(&block) {
            listing.damage = Some(format!("at byte {} there is no header of a file", at - BLOCK as u64));
            return Ok(listing);
        }
        zeros = 0;
        let kind = block[156];
        let said = names.size.take();
        let size = match kind {
            // Symbolic links, devices and folders have no data, whatever size they have.
            b'2'..=b'6' => 0,
            // Only the size of a pax header counts: some writers give the size of the link's target here. POSIX
            // allows others to store its data again.
            b'1' => said.unwrap_or_default(),
            _ => said.unwrap_or_else(|| number(&block[124..136])),
        };
        let padded = size.saturating_add(BLOCK as u64 - 1) / BLOCK as u64 * BLOCK as u64;
        if matches!(kind, b'L' | b'x') && size <= LONGEST_HEADER {
            let mut header = vec![0; usize::try_from(padded).unwrap_or_default()];
            let read = archive.read(&mut header)?;
            header.truncate(read.min(usize::try_from(size).unwrap_or_default()));
            at += padded;
            names.learn(kind, &header);
            continue;
        }
        let path = names.path.take().unwrap_or_else(|| path_of(&block));
        let layers = match kind {
            0 | b'0' | b'7' if !path.ends_with('/') => Some(Ok(Vec::new())),
            b'S' => {
                Some(Err("it is stored with holes (sparse), which is not read: unpack the archive first".to_owned()))
            }
            b'1' | b'2' => Some(Err(LINK.to_owned())),
            _ => None,
        };
        let mut read = 0;
        if let Some(layers) = layers {
            if count >= MOST_ENTRIES {
                listing.too_many += 1;
            } else {
                count += 1;
                let mut member = Member { archive: &mut *archive, len: size, at: 0, cut: false };
                each(Archived { path, start: at, len: size, layers }, &mut member)?;
                read = member.at;
            }
        }
        if read + archive.skip(padded - read)? < size {
            listing.damage = Some("it ends early".to_owned());
            return Ok(listing);
        }
        at = at.saturating_add(padded);
    }
}

/// Name and size from extra headers before a file.
#[derive(Default)]
struct Names {
    path: Option<String>,
    size: Option<u64>,
}

impl Names {
    fn learn(&mut self, kind: u8, header: &[u8]) {
        if kind == b'L' {
            self.path = Some(text(header));
            return;
        }
        // Records: length in decimal, a space, `key=value`, a newline.
        let mut rest = header;
        while let Some(space) = rest.iter().position(|byte| *byte == b' ') {
            let len = std::str::from_utf8(&rest[..space]).ok().and_then(|len| len.parse::<usize>().ok());
            let Some(record) = len.and_then(|len| rest.get(space + 1..len)) else { return };
            let line = record.strip_suffix(b"\n").unwrap_or(record);
            if let Some(path) = line.strip_prefix(b"path=") {
                self.path = Some(text(path));
            } else if let Some(size) = line.strip_prefix(b"size=") {
                self.size = std::str::from_utf8(size).ok().and_then(|size| size.parse().ok());
            }
            rest = &rest[space + 1 + record.len()..];
        }
    }
}

/// Text up to a zero.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

fn path_of(block: &[u8; BLOCK]) -> String {
    let name = text(&block[..100]);
    // GNU tar's own format has other fields where POSIX has the prefix of a long path.
    let prefix = if &block[257..263] == b"ustar\0" { text(&block[345..500]) } else { String::new() };
    if prefix.is_empty() { name } else { format!("{prefix}/{name}") }
}

/// A number in octal, or in binary if the first bit is set.
fn number(field: &[u8]) -> u64 {
    if field.first().is_some_and(|byte| byte & 0x80 != 0) {
        let value = |sum: u64, byte: &u8| sum.checked_mul(256).and_then(|sum| sum.checked_add(u64::from(*byte)));
        return field[1..].iter().try_fold(0, value).unwrap_or(u64::MAX);
    }
    let digits = field.iter().skip_while(|byte| **byte == b' ').take_while(|byte| (b'0'..=b'7').contains(byte));
    digits.fold(0_u64, |sum, digit| sum.saturating_mul(8).saturating_add(u64::from(digit - b'0')))
}

/// Whether the sum of a header's bytes, with spaces in the checksum field, is the checksum.
fn checksum_is_right(block: &[u8]) -> bool {
    let sum = |range: &[u8]| range.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    number(&block[148..156]) == sum(&block[..148]) + sum(&block[156..]) + 8 * u64::from(b' ')
}
