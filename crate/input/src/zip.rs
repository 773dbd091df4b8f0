//! Zip archives: their entries and the positions of their bytes.
//!
//! An archive of any size is listed through [`ReadAt`], natively and in the browser, by its directory alone. Zip64,
//! data descriptors, UTF-8 and old names, and data before and a comment after the archive are supported. An archive
//! without a usable directory, such as a truncated download, is scanned entry by entry.
//!
//! Rejected by name are encrypted entries, methods other than stored, deflate and Zstandard, and split archives.
//! Overlapping entries are rejected, too. Memory grows with the number of entries, which is limited, never with a
//! size that the archive claims.
//!
//! This is not a crate: `zip` needs a blocking, seekable reader and fails without a directory. `rc-zip` fits, but its
//! encoding tables are as large as the whole analyzer, and it does not scan either.
//!
//! Written after PKWARE's APPNOTE 6.3.10.

use std::io;

use super::archive::{Archived, LINK, Listing, MOST_ENTRIES, Scan};
use super::entry_path::decoded;
use super::inflate::Measure;
use super::layer::Layer;
use stepscope_base::{CompactSort, ReadAt};

const LOCAL: [u8; 4] = *b"PK\x03\x04";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const END: [u8; 4] = *b"PK\x05\x06";
const END_64: [u8; 4] = *b"PK\x06\x06";
const LOCATOR_64: [u8; 4] = *b"PK\x06\x07";
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";

const LOCAL_LEN: usize = 30;
const CENTRAL_LEN: usize = 46;
const END_LEN: usize = 22;

/// The longest comment after an archive.
const COMMENT: usize = 0xffff;

/// Whether a file starts like a zip archive.
pub(super) fn is_zip(head: &[u8]) -> bool {
    [LOCAL, END, DESCRIPTOR].iter().any(|signature| head.starts_with(signature))
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// An entry's header, local or central.
struct Header {
    flags: u16,
    method: u16,
    crc: u32,
    packed: u64,
    /// The position of its local header; only the central header has it.
    local: u64,
}

impl Header {
    /// Reads the fields after the version, and the extra field, which has values that do not fit into 32 bits.
    fn read(fields: &[u8], extra: &[u8], local: u32) -> Self {
        let (packed, size) = (u32_at(fields, 12), u32_at(fields, 16));
        let mut header = Self {
            flags: u16_at(fields, 0),
            method: u16_at(fields, 2),
            crc: u32_at(fields, 8),
            packed: u64::from(packed),
            local: u64::from(local),
        };
        if let Some(wide) = extra_field(extra, 1) {
            let mut at = if size == u32::MAX { 8 } else { 0 };
            if packed == u32::MAX {
                header.packed = u64_at(wide, at);
                at += 8;
            }
            if local == u32::MAX {
                header.local = u64_at(wide, at);
            }
        }
        header
    }

    /// The layers of the entry, or the reason why it cannot be read; without the checksum if it follows the data.
    fn layers(&self, crc: Option<u32>) -> Result<Vec<Layer>, String> {
        const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
        if self.flags & ENCRYPTED != 0 || self.method == 99 {
            return Err("it is encrypted: unpack the archive first".to_owned());
        }
        let name = match self.method {
            0 => return Ok(vec![Layer::Stored(crc)]),
            8 => return Ok(vec![Layer::Deflate(crc)]),
            20 | 93 => return Ok(vec![Layer::Zstd, Layer::Stored(crc)]),
            1 => "shrink",
            6 => "implode",
            9 => "deflate64",
            12 => "bzip2",
            14 => "LZMA",
            95 => "xz",
            98 => "PPMd",
            other => {
                return Err(format!("it is compressed by method {other}, which is not read: unpack the archive first"));
            }
        };
        Err(format!("it is compressed by {name}, which is not read: unpack the archive first"))
    }
}

/// An extra field by its number.
fn extra_field(mut extra: &[u8], wanted: u16) -> Option<&[u8]> {
    while extra.len() >= 4 {
        let len = usize::from(u16_at(extra, 2));
        let body = extra.get(4..4 + len)?;
        if u16_at(extra, 0) == wanted {
            return Some(body);
        }
        extra = &extra[4 + len..];
    }
    None
}

/// An entry's name; some archives have it as UTF-8 in an extra field, beside one in an older code page.
fn name_of(name: &[u8], extra: &[u8]) -> String {
    const UNICODE_PATH: u16 = 0x7075;
    let unicode = extra_field(extra, UNICODE_PATH).and_then(|field| field.get(5..));
    unicode.and_then(|text| std::str::from_utf8(text).ok()).map_or_else(|| decoded(name), str::to_owned)
}

/// The entries of an archive.
pub(super) fn list(file: &mut dyn ReadAt) -> io::Result<Listing> {
    let why = match directory(file)? {
        Ok(place) => match by_directory(file, &place)? {
            Ok(listing) => return Ok(listing),
            Err(why) => why,
        },
        Err(why) => why,
    };
    walk(file, why)
}

/// The position of the central directory.
struct Directory {
    start: u64,
    /// Bytes before the archive, which its offsets do not count.
    before: u64,
    entries: u64,
}

fn directory(file: &mut dyn ReadAt) -> io::Result<Result<Directory, &'static str>> {
    let len = file.len();
    let mut tail = vec![0; usize::try_from(len).unwrap_or(usize::MAX).min(END_LEN + COMMENT)];
    let tail_start = len - tail.len() as u64;
    let read = file.read_at(tail_start, &mut tail)?;
    tail.truncate(read);
    let fits = |at: usize| tail.len() - at >= END_LEN + usize::from(u16_at(&tail, at + 20));
    let found = (0..tail.len().saturating_sub(END_LEN - 1)).rev().find(|at| tail[*at..].starts_with(&END) && fits(*at));
    let Some(at) = found else { return Ok(Err("it has no directory")) };
    let end = &tail[at..];
    let (mut disk, mut entries) = (u64::from(u16_at(end, 4)), u64::from(u16_at(end, 10)));
    let (mut size, mut offset) = (u64::from(u32_at(end, 12)), u64::from(u32_at(end, 16)));
    let mut behind = tail_start + at as u64;
    let mut locator = [0; 20];
    if behind >= 20 && file.read_at(behind - 20, &mut locator)? == 20 && locator.starts_with(&LOCATOR_64) {
        let mut wide = [0; 56];
        // At the locator's offset, or right before the locator if data precedes the archive.
        for place in [u64_at(&locator, 8), behind.saturating_sub(20 + 56)] {
            if file.read_at(place, &mut wide)? == wide.len() && wide.starts_with(&END_64) {
                (disk, entries) = (u64::from(u32_at(&wide, 16)), u64_at(&wide, 32));
                (size, offset) = (u64_at(&wide, 40), u64_at(&wide, 48));
                behind = place;
                break;
            }
        }
    }
    if disk != 0 && disk != 0xffff {
        return Ok(Err("it is one part of several"));
    }
    let start = behind.saturating_sub(size);
    for (start, before) in [(start, start.wrapping_sub(offset)), (offset, 0)] {
        let mut signature = [0; 4];
        let whole = file.read_at(start, &mut signature)? == 4 && (signature == CENTRAL || entries == 0);
        if whole && before <= start {
            return Ok(Ok(Directory { start, before, entries }));
        }
    }
    Ok(Err("its directory is not where it should be"))
}

fn by_directory(file: &mut dyn ReadAt, place: &Directory) -> io::Result<Result<Listing, &'static str>> {
    let mut listing = Listing::default();
    let mut found: Vec<(Header, String, bool)> = Vec::new();
    let mut scan = Scan::new(file, place.start);
    for number in 0..place.entries {
        if number >= MOST_ENTRIES {
            listing.too_many = place.entries - MOST_ENTRIES;
            break;
        }
        let Some(fixed) = scan.take(CENTRAL_LEN)?.filter(|fixed| fixed.starts_with(&CENTRAL)) else {
            return Ok(Err("its directory is damaged"));
        };
        let local = u32_at(fixed, 42);
        let is_link = fixed[5] == 3 && u32_at(fixed, 38) >> 28 == 0xa;
        let lengths = [28, 30, 32].map(|at| usize::from(u16_at(fixed, at)));
        let fields = fixed[8..32].to_vec();
        let Some(rest) = scan.take(lengths.iter().sum())? else { return Ok(Err("its directory is damaged")) };
        let (name, extra) = (&rest[..lengths[0]], &rest[lengths[0]..lengths[0] + lengths[1]]);
        let header = Header::read(&fields, extra, local);
        found.push((header, name_of(name, extra), is_link));
    }
    found.compact_sort_by_key(|(header, ..)| header.local);
    let starts: Vec<u64> = found.iter().map(|(header, ..)| header.local).collect();
    let mut reached = 0;
    for (index, (header, path, is_link)) in found.into_iter().enumerate() {
        let least = header.local.saturating_add(LOCAL_LEN as u64).saturating_add(header.packed);
        let over_another = header.local < reached || starts.get(index + 1).is_some_and(|next| least > *next);
        reached = reached.max(least);
        if path.ends_with(['/', '\\']) {
            continue;
        }
        let layers = if is_link {
            Err(LINK.to_owned())
        } else if over_another {
            Err("it lies over another entry of the archive".to_owned())
        } else {
            header.layers(Some(header.crc))
        };
        let start = match place.before.checked_add(header.local) {
            Some(local) => data_start(file, local)?,
            None => None,
        };
        let (start, layers) = match (layers, start) {
            (Ok(_), None) => (0, Err("its data is not where the archive's directory says".to_owned())),
            (layers, start) => (start.unwrap_or_default(), layers),
        };
        listing.entries.push(Archived { path, start, len: header.packed, layers });
    }
    Ok(Ok(listing))
}

/// The position of an entry's data: after its local header, whose extra field may differ from the directory's.
fn data_start(file: &mut dyn ReadAt, local: u64) -> io::Result<Option<u64>> {
    let mut header = [0; LOCAL_LEN];
    let whole = file.read_at(local, &mut header)? == LOCAL_LEN && header.starts_with(&LOCAL);
    let behind = u64::from(u16_at(&header, 26)) + u64::from(u16_at(&header, 28));
    Ok(whole.then(|| local + LOCAL_LEN as u64 + behind))
}

/// The entries in file order, for an archive without a directory.
fn walk(file: &mut dyn ReadAt, why: &str) -> io::Result<Listing> {
    let mut listing = Listing { damage: Some(format!("{why}; its entries were looked for")), ..Listing::default() };
    let len = file.len();
    let mut search = Search { in_vain: len, ..Search::new(file) };
    let mut at = 0;
    while let Some((start, _)) = search.find(at, &[LOCAL, CENTRAL])? {
        let fixed = search.bytes(start, LOCAL_LEN)?;
        if fixed.len() < LOCAL_LEN || fixed.starts_with(&CENTRAL) {
            break;
        }
        if listing.entries.len() as u64 >= MOST_ENTRIES {
            listing.too_many += 1;
            break;
        }
        let (name_len, extra_len) = (usize::from(u16_at(fixed, 26)), usize::from(u16_at(fixed, 28)));
        let header_len = LOCAL_LEN + name_len + extra_len;
        let Some(header) = search.bytes(start, header_len)?.get(..header_len) else { break };
        let (name, extra) = header[LOCAL_LEN..].split_at(name_len);
        let path = name_of(name, extra);
        let header = Header::read(&header[6..30], extra, 0);
        let data = start + header_len as u64;
        let (packed, crc) = if header.flags & 8 == 0 {
            (header.packed, Some(header.crc))
        } else {
            // Its length follows the data.
            (search.unknown_len(data, header.method)?, None)
        };
        let packed = packed.min(len - data);
        at = data + packed;
        if !path.ends_with(['/', '\\']) {
            listing.entries.push(Archived { path, start: data, len: packed, layers: header.layers(crc) });
        }
    }
    Ok(listing)
}

/// Searches signatures; bytes that are searched repeatedly are read once.
struct Search<'a> {
    file: &'a mut dyn ReadAt,
    /// Bytes of the file from `at` on.
    chunk: Vec<u8>,
    at: u64,
    /// The remaining bytes that may be unpacked in vain in search of an end: stored data may look like any number of
    /// entries.
    in_vain: u64,
}

/// Bytes per search.
const CHUNK: usize = 1 << 16;

impl<'a> Search<'a> {
    fn new(file: &'a mut dyn ReadAt) -> Self {
        Self { file, chunk: Vec::new(), at: 0, in_vain: 0 }
    }

    /// The file's bytes from a position on that are in memory: at least `least`, or up to its end.
    fn bytes(&mut self, from: u64, least: usize) -> io::Result<&[u8]> {
        let inside = from.checked_sub(self.at).and_then(|inside| usize::try_from(inside).ok());
        if let Some(inside) = inside.filter(|inside| self.chunk.len().saturating_sub(*inside) >= least) {
            return Ok(&self.chunk[inside..]);
        }
        self.chunk.resize(CHUNK.max(least), 0);
        let len = self.file.read_at(from, &mut self.chunk)?;
        self.chunk.truncate(len);
        self.at = from;
        Ok(&self.chunk)
    }

    /// The next position of any of the signatures.
    fn find(&mut self, mut from: u64, signatures: &[[u8; 4]]) -> io::Result<Option<(u64, [u8; 4])>> {
        loop {
            let bytes = self.bytes(from, 4)?;
            if bytes.len() < 4 {
                return Ok(None);
            }
            let found = |window: &&[u8]| signatures.iter().any(|signature| signature == window);
            if let Some((place, window)) = bytes.windows(4).enumerate().find(|(_, window)| found(window)) {
                return Ok(Some((from + place as u64, window.first_chunk().copied().unwrap_or_default())));
            }
            from += (bytes.len() - 3) as u64;
        }
    }

    /// The length of an entry's data if its header does not have it: deflate data marks its end; for other data, the
    /// next signature does.
    fn unknown_len(&mut self, data: u64, method: u16) -> io::Result<u64> {
        if method == 8 && self.in_vain > 0 {
            let mut measure = Measure::new();
            let mut chunk = vec![0; CHUNK];
            let mut at = data;
            loop {
                let len = self.file.read_at(at, &mut chunk)?;
                at += len as u64;
                match measure.push(&chunk[..len]) {
                    Ok(Some(len)) => return Ok(len),
                    Ok(None) if len == 0 => return Ok(at - data),
                    Ok(None) => {}
                    Err(()) => break,
                }
            }
            self.in_vain = self.in_vain.saturating_sub(at - data);
        }
        let mut from = data;
        while let Some((at, signature)) = self.find(from, &[DESCRIPTOR, LOCAL, CENTRAL])? {
            if signature != DESCRIPTOR {
                return Ok(at - data);
            }
            let descriptor = self.bytes(at, 24)?;
            let len = at - data;
            if u64::from(u32_at(descriptor, 8)) == len || u64_at(descriptor, 8) == len || method == 8 {
                return Ok(len);
            }
            from = at + 4;
        }
        Ok(self.file.len().saturating_sub(data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the bytes read from a file.
    struct Counted(Vec<u8>, u64);

    impl ReadAt for Counted {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += buffer.len() as u64;
            (&mut &self.0[..]).read_at(offset, buffer)
        }
    }

    /// A local header of an entry whose length follows its data.
    fn local(name: &str, method: u8) -> Vec<u8> {
        let mut header = b"PK\x03\x04\x14\0\x08\0".to_vec();
        header.extend([method, 0]);
        header.extend([0; 16]);
        header.extend([u8::try_from(name.len()).unwrap(), 0, 0, 0]);
        header.extend(name.bytes());
        header
    }

    /// Data that looks like ends of an entry, or like other entries.
    #[test]
    fn a_search_reads_each_byte_a_few_times() {
        let mut descriptors = local("a.json", 0);
        descriptors.extend(DESCRIPTOR.repeat(1 << 18));
        let mut entries = Vec::new();
        // Deflate data of one stored block of 60 000 bytes, which holds the headers that follow.
        for _ in 0..10_000 {
            entries.extend(local("b", 8));
            entries.extend([0, 0x60, 0xea, 0x9f, 0x15]);
        }
        for (file, count) in [(descriptors, 1), (entries, 100)] {
            let mut file = Counted(file, 0);
            let listing = list(&mut file).unwrap();
            assert!(listing.entries.len() >= count, "{} entries", listing.entries.len());
            assert!(file.1 < 8 * file.len() + (1 << 20), "{} bytes read of {}", file.1, file.len());
        }
    }

    /// A directory of one entry whose position exceeds 64 bits, after two other bytes.
    #[test]
    fn a_place_beyond_64_bits_is_refused() {
        let mut file = b"##".to_vec();
        let mut central = b"PK\x01\x02\x2d\0\x2d\0".to_vec();
        central.extend([0; 20]);
        central.extend([1, 0, 12, 0]);
        central.extend([0; 10]);
        central.extend([0xff; 4]);
        central.extend(b"a\x01\0\x08\0");
        central.extend([0xff; 8]);
        let size = u8::try_from(central.len()).unwrap();
        file.extend(central);
        file.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
        file.extend([size, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let listing = list(&mut &file[..]).unwrap();
        let [entry] = &listing.entries[..] else { panic!("{} entries", listing.entries.len()) };
        assert_eq!(entry.layers, Err("its data is not where the archive's directory says".to_owned()));
    }
}
