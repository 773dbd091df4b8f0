//! Archives and packed files made of damaged ones, with right checksums, so that the code after the checksums is
//! tested, too.

use std::io::Write;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};
use stepscope_tests::files::FileOf;
use stepscope_tests::oracle::Mutations;

use super::{in_place, text};

/// Names that lead elsewhere, are invalid, or occur twice.
const NAMES: [&str; 8] =
    ["../a.json", "/a.json", "a//b.json", "", "C:\\a.json", "job/", "job/rank0.json", "\u{1}.json"];

/// A damaged text packed by gzip; in two of five cases the packed bytes are damaged instead or in addition.
pub(super) fn gzip_of_damage(damage: &mut Mutations, file: &[u8], other: &[u8]) -> Vec<u8> {
    let text = if damage.percent(80) { text(damage, file, other) } else { file.to_vec() };
    let packed = gzip(damage, &text);
    if damage.percent(40) { in_place(damage, &packed, other, 60) } else { packed }
}

/// An archive of one to four files, some damaged.
pub(super) fn archive_of_damage(damage: &mut Mutations, texts: &[FileOf]) -> Vec<u8> {
    let any = |damage: &mut Mutations| texts[damage.place(texts.len())].clone();
    let mut files: Vec<FileOf> = (0..=damage.place(4)).map(|_| any(damage)).collect();
    let other = any(damage);
    damage.rearrange(&mut files, std::slice::from_ref(&other));
    files.truncate(8);
    for (path, bytes) in &mut files {
        if damage.percent(50) {
            *bytes = text(damage, bytes, &other.1);
        }
        if damage.percent(10) {
            NAMES[damage.place(NAMES.len())].clone_into(path);
        }
        match damage.place(8) {
            0 => (*path, *bytes) = (format!("{path}.gz"), gzip(damage, bytes)),
            1 => (*path, *bytes) = (format!("{path}.zst"), zstd(bytes)),
            2 => (*path, *bytes) = (format!("{path}.zip"), zip(damage, &[(path.clone(), bytes.clone())])),
            _ => {}
        }
    }
    let first = files.first().map(|(_, bytes)| &bytes[..]).unwrap_or_default();
    let packed = match damage.place(8) {
        0 => gzip(damage, first),
        1 => zstd(first),
        2 | 3 => tar(&files),
        4 => {
            let archive = tar(&files);
            gzip(damage, &archive)
        }
        _ => zip(damage, &files),
    };
    if damage.percent(20) { in_place(damage, &packed, &other.1, 75) } else { packed }
}

fn level(damage: &mut Mutations) -> Compression {
    [Compression::none(), Compression::fast(), Compression::best()][damage.place(3)]
}

/// One to three members.
fn gzip(damage: &mut Mutations, text: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut rest = text;
    for last in (0..=damage.place(3)).rev() {
        let (member, behind) = rest.split_at(if last == 0 { rest.len() } else { damage.place(rest.len()) });
        rest = behind;
        let mut encoder = GzEncoder::new(&mut packed, level(damage));
        let _ = encoder.write_all(member).and_then(|()| encoder.try_finish());
    }
    packed
}

/// A frame of uncompressed blocks.
fn zstd(text: &[u8]) -> Vec<u8> {
    // No flags; a window of 1 MiB.
    let mut packed = b"\x28\xb5\x2f\xfd\x00\x50".to_vec();
    let mut blocks = text.chunks(5000).peekable();
    while let Some(block) = blocks.next() {
        let header = (block.len() as u32) << 3 | u32::from(blocks.peek().is_none());
        packed.extend(&header.to_le_bytes()[..3]);
        packed.extend(block);
    }
    packed
}

fn tar(files: &[FileOf]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (path, bytes) in files {
        let mut header = [0_u8; 512];
        let path = &path.as_bytes()[..path.len().min(100)];
        header[..path.len()].copy_from_slice(path);
        header[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        archive.extend(header);
        archive.extend(bytes);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

/// An archive with its directory in any order, or without it.
fn zip(damage: &mut Mutations, files: &[FileOf]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (path, bytes) in files {
        let (method, packed) = match damage.place(4) {
            0 => (0_u16, bytes.clone()),
            1 => (93, zstd(bytes)),
            _ => {
                let mut encoder = DeflateEncoder::new(Vec::new(), level(damage));
                let _ = encoder.write_all(bytes);
                (8, encoder.finish().unwrap_or_default())
            }
        };
        let mut crc = Crc::new();
        crc.update(bytes);
        let sizes = [crc.sum(), packed.len() as u32, bytes.len() as u32].map(u32::to_le_bytes);
        let streamed = damage.percent(30);
        let mut fields = vec![20, 0, if streamed { 8 } else { 0 }, 0];
        fields.extend(method.to_le_bytes());
        fields.extend([0; 4]);
        let name = (path.len() as u32).to_le_bytes();
        let offset = (archive.len() as u32).to_le_bytes();
        directory.push(
            [b"PK\x01\x02\x14\0", &fields[..], sizes.as_flattened(), &name, &[0; 10], &offset, path.as_bytes()]
                .concat(),
        );
        let known = if streamed { [[0; 4]; 3] } else { sizes };
        archive.extend([b"PK\x03\x04", &fields[..], known.as_flattened(), &name, path.as_bytes(), &packed].concat());
        if streamed {
            archive.extend([b"PK\x07\x08", sizes.as_flattened()].concat());
        }
    }
    if damage.percent(10) {
        return archive;
    }
    if damage.percent(20) {
        let others = directory.clone();
        damage.rearrange(&mut directory, &others);
    }
    let count = (directory.len() as u16).to_le_bytes();
    let start = (archive.len() as u32).to_le_bytes();
    let directory = directory.concat();
    let size = (directory.len() as u32).to_le_bytes();
    archive.extend(&directory);
    archive.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &start, &[0; 2]].concat());
    archive
}
