//! Right checksums over damage: otherwise the code after the checks would never be tested.

use std::collections::BTreeMap;

use flate2::{Crc, Decompress, FlushDecompress, Status};
use stepscope_format::compact;

/// Corrects the checksums of a compact file's blocks, of gzip's members and of an archive's entries, as far as these
/// can be found; removes those of Zstandard frames.
pub fn seal(file: &mut Vec<u8>) {
    if file.starts_with(&compact::TAG) {
        blocks(file);
    } else if file.starts_with(&GZIP) {
        members(file);
    } else if file.starts_with(b"PK") {
        entries(file);
    } else if file.get(257..262) == Some(b"ustar") {
        headers(file);
    } else {
        frames(file);
    }
}

/// Checks a file as it is, and with right checksums.
///
/// # Errors
///
/// The check that fails.
pub fn with_and_without_seal(file: &[u8], check: impl Fn(&[u8]) -> Result<(), String>) -> Result<(), String> {
    check(file)?;
    let mut sealed = file.to_vec();
    seal(&mut sealed);
    if sealed == file { Ok(()) } else { check(&sealed).map_err(|what| format!("with right checksums: {what}")) }
}

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Bytes of a compact file before its first block, and of a block before its content.
const FILE_HEADER: usize = 16;
const BLOCK_HEADER: usize = 20;
const SYNC: &[u8] = b"\xf7SB1";

/// The limit of unpacking: damage may make a bomb.
const MOST: u64 = 64 << 20;

fn sum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn u16_at(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u16::from_le_bytes(*bytes).into())
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize)
}

fn put(file: &mut [u8], at: usize, value: u32) {
    if let Some(place) = file.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = value.to_le_bytes();
    }
}

/// A compact file's blocks.
fn blocks(file: &mut [u8]) {
    let mut at = FILE_HEADER;
    while let Some(block) = file.get_mut(at..) {
        let Some(found) = block.windows(SYNC.len()).position(|window| window == SYNC) else { return };
        let block = &mut block[found..];
        let Some((head, rest)) = block.split_at_mut_checked(BLOCK_HEADER) else { return };
        let length = u32_at(head, 8);
        let Some(content) = rest.get(..length) else {
            at += found + SYNC.len();
            continue;
        };
        let sums = [&head[4..12], content].map(|bytes| sum(bytes).to_le_bytes());
        head[12..].copy_from_slice(sums.as_flattened());
        at += found + BLOCK_HEADER + length;
    }
}

/// Inflates deflated data: the number of its bytes that were used, the checksum and the length; `None` if it does not
/// end.
fn inflate(data: &[u8]) -> Option<(usize, u32, u64)> {
    let (mut inflate, mut crc, mut piece) = (Decompress::new(false), Crc::new(), vec![0; 32 << 10]);
    while inflate.total_out() < MOST {
        let before = (inflate.total_in(), inflate.total_out());
        let rest = data.get(usize::try_from(before.0).ok()?..)?;
        let status = inflate.decompress(rest, &mut piece, FlushDecompress::None).ok()?;
        crc.update(&piece[..usize::try_from(inflate.total_out() - before.1).ok()?]);
        if status == Status::StreamEnd {
            return Some((usize::try_from(inflate.total_in()).ok()?, crc.sum(), inflate.total_out()));
        }
        if before == (inflate.total_in(), inflate.total_out()) {
            break;
        }
    }
    None
}

/// Gzip's members.
fn members(file: &mut [u8]) {
    let mut at = 0;
    while let Some(member) = file.get(at..).filter(|member| member.starts_with(&GZIP)) {
        let Some(header) = gzip_header(member) else { return };
        let Some((used, crc, length)) = member.get(header..).and_then(inflate) else { return };
        let end = at + header + used;
        put(file, end, crc);
        put(file, end + 4, length as u32);
        at = end + 8;
    }
}

/// The length of a member's header.
fn gzip_header(member: &[u8]) -> Option<usize> {
    let flags = *member.get(3)?;
    let mut length = 10;
    if flags & 4 != 0 {
        length += 2 + u16_at(member, length);
    }
    for text in [8, 16] {
        if flags & text != 0 {
            length += member.get(length..)?.iter().position(|byte| *byte == 0)? + 1;
        }
    }
    Some(if flags & 2 != 0 { length + 2 } else { length })
}

/// A zip archive's entries, those of its directory and those without one.
fn entries(file: &mut [u8]) {
    let mut sums = BTreeMap::new();
    for at in places(file, b"PK\x03\x04") {
        let (flags, method, packed) = (u16_at(file, at + 6), u16_at(file, at + 8), u32_at(file, at + 18));
        let Some(data) = file.get(at + 30 + u16_at(file, at + 26) + u16_at(file, at + 28)..) else { continue };
        let unpacked = match method {
            0 => data.get(..packed).map(|data| (packed, sum(data))),
            8 => inflate(data).map(|(used, crc, _)| (used, crc)),
            _ => None,
        };
        let Some((used, crc)) = unpacked else { continue };
        let behind = file.len() - data.len() + used;
        if flags & 8 == 0 {
            put(file, at + 14, crc);
        } else if file.get(behind..).is_some_and(|behind| behind.starts_with(b"PK\x07\x08")) {
            put(file, behind + 4, crc);
        }
        sums.insert(at, crc);
    }
    for at in places(file, b"PK\x01\x02") {
        if let Some(crc) = sums.get(&u32_at(file, at + 42)) {
            put(file, at + 16, *crc);
        }
    }
}

/// Positions of a signature; a damaged archive has few entries.
fn places(file: &[u8], signature: &[u8]) -> Vec<usize> {
    let all = file.windows(signature.len()).enumerate();
    all.filter(|(_, window)| *window == signature).map(|(at, _)| at).take(100).collect()
}

/// A tar archive's headers.
fn headers(file: &mut [u8]) {
    const HEADER: usize = 512;
    const SUM: std::ops::Range<usize> = 148..156;
    let mut at = 0;
    while let Some(header) = file.get_mut(at..).and_then(|rest| rest.get_mut(..HEADER)) {
        if header.iter().all(|byte| *byte == 0) {
            return;
        }
        header[SUM].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[SUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let digits = header[124..136].iter().take_while(|byte| (b'0'..b'8').contains(byte));
        let size = digits.fold(0_usize, |size, digit| size.saturating_mul(8).saturating_add((digit - b'0').into()));
        at = at.saturating_add(HEADER).saturating_add(size.div_ceil(HEADER).saturating_mul(HEADER));
    }
}

/// Removes the checksums from Zstandard's frames: they cover the unpacked data, which damage may make unreadable.
fn frames(file: &mut Vec<u8>) {
    const CHECKSUM: u8 = 4;
    let mut at = 0;
    while let Some(frame) = file.get(at..).filter(|frame| frame.starts_with(b"\x28\xb5\x2f\xfd")) {
        let Some(flags) = frame.get(4).copied() else { return };
        let single = flags & 0x20 != 0;
        let length = [usize::from(single), 2, 4, 8][usize::from(flags >> 6)];
        let dictionary = [0, 1, 2, 4][usize::from(flags & 3)];
        let mut end = at + 5 + usize::from(!single) + dictionary + length;
        loop {
            let header = u32_at(file, end) & 0xff_ffff;
            end += 3 + if header >> 1 & 3 == 1 { 1 } else { header >> 3 };
            if header & 1 != 0 || end > file.len() {
                break;
            }
        }
        if flags & CHECKSUM != 0 && end + 4 <= file.len() {
            file[at + 4] = flags & !CHECKSUM;
            file.drain(end..end + 4);
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::files::{files_of, root};

    /// A file of the cases of containers.
    fn fixture(path: &str) -> Vec<u8> {
        let files = files_of(&root().join("tests/fixtures")).into_iter();
        files.filter(|(file, _)| file == path).map(|(_, bytes)| bytes).next().expect("a fixture")
    }

    #[test]
    fn what_is_whole_stays_as_it_is() {
        for path in [
            "stepscope/torch/input.stepscope",
            "kineto/gzip_members/input.json.gz",
            "containers/zip_of_ranks/input.zip",
            "containers/zip_streamed/input.zip",
            "containers/zip_no_directory_stored/input.zip",
            "containers/tar/input.tar",
            "containers/tar_gz/input.tar.gz",
        ] {
            let whole = fixture(path);
            let mut sealed = whole.clone();
            seal(&mut sealed);
            assert!(sealed == whole, "{path}");
        }
    }

    #[test]
    fn wrong_sums_become_right_ones() {
        // Positions of checksums; in the tar archive a name is changed instead.
        for (path, at) in [
            ("stepscope/torch/input.stepscope", 16 + 16),
            ("containers/zip_of_ranks/input.zip", 14),
            ("containers/tar/input.tar", 148),
        ] {
            let whole = fixture(path);
            let mut sealed = whole.clone();
            sealed[at] ^= 1;
            seal(&mut sealed);
            assert!(sealed == whole, "{path}");
        }
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"a text").expect("memory");
        let whole = gzip.finish().expect("memory");
        let mut sealed = whole.clone();
        let end = sealed.len();
        sealed[end - 8..].fill(7);
        seal(&mut sealed);
        assert_eq!(sealed, whole);
    }

    #[test]
    fn a_frame_without_its_checksum_is_still_one() {
        for path in ["containers/zstd/input.json.zst", "containers/zstd_frames/input.json.zst"] {
            let whole = fixture(path);
            let mut sealed = whole.clone();
            seal(&mut sealed);
            assert!(sealed.len() < whole.len() && sealed[4] & 4 == 0, "{path}");
            let text = |bytes: &[u8]| {
                let loaded = crate::files::load_file(path, bytes, 100).expect("a trace");
                assert_eq!(loaded.warnings.len(), 0, "{path}");
                loaded.trace.slices.len()
            };
            assert_eq!(text(&sealed), text(&whole), "{path}");
        }
    }
}
