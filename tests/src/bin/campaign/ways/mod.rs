//! How files of each format are damaged: bytes of all, and the parts that a format is made of, in another order or of another
//! file, so that what is around them stays right.

mod compact;
mod packed;
mod pages;
mod protobuf;
mod raw;

use stepscope_tests::files::FileOf;
use stepscope_tests::oracle::{Mutations, seal};

/// How files of a format are damaged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Bytes come and go, and lines.
    Text,
    /// Text that is packed by gzip behind the damage, which may itself be damaged.
    Gzip,
    /// Bytes keep their places; blocks and records of compact files.
    Compact,
    /// Segments and records of raw recordings.
    Raw,
    /// Fields of messages.
    Protobuf,
    /// Pages and rows of databases.
    Database,
    /// Archives: as they are, and made of damaged files.
    Packed,
}

impl Way {
    /// A damaged copy of a file; `other` is another one of its format, `texts` are files that an archive may hold.
    pub(crate) fn damaged(self, damage: &mut Mutations, file: &[u8], other: &[u8], texts: &[FileOf]) -> Vec<u8> {
        let parts = damage.percent(50);
        match self {
            Self::Text => text(damage, file, other),
            Self::Gzip => packed::gzip_of_damage(damage, file, other),
            Self::Compact if parts => compact::damaged(damage, file, other),
            Self::Raw if parts => raw::damaged(damage, file, other),
            Self::Protobuf if parts => protobuf::damaged(damage, file, other),
            Self::Database if parts => pages::damaged(damage, file, other),
            Self::Packed if parts => packed::archive_of_damage(damage, texts),
            Self::Compact | Self::Packed => in_place(damage, file, other, 75),
            Self::Raw | Self::Protobuf | Self::Database => damage.in_place(file, other),
        }
    }
}

/// A copy with damage in place, and so often of a hundred times right checksums over it.
fn in_place(damage: &mut Mutations, file: &[u8], other: &[u8], sealed: u64) -> Vec<u8> {
    let mut file = damage.in_place(file, other);
    if damage.percent(sealed) {
        seal(&mut file);
    }
    file
}

/// Bytes that come and go, one of four times lines: events, rows of tables.
fn text(damage: &mut Mutations, file: &[u8], other: &[u8]) -> Vec<u8> {
    if !damage.percent(25) {
        return damage.spliced(file, other);
    }
    let [mut lines, others] =
        [file, other].map(|text| text.split_inclusive(|byte| *byte == b'\n').collect::<Vec<&[u8]>>());
    damage.rearrange(&mut lines, &others);
    let text = lines.concat();
    if damage.percent(50) { damage.damage(&text) } else { text }
}
