//! Kinds of damage for each format: in the bytes, and in the format's parts, which are reordered or replaced by another
//! file's parts so that their surroundings stay valid.

mod compact;
mod packed;
mod pages;
mod protobuf;
mod raw;

use stepscope_tests::files::FileOf;
use stepscope_tests::oracle::{Mutations, seal};

/// Kind of damage.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Bytes and lines are added and removed.
    Text,
    /// Text that is packed by gzip after the damage; the packed file may be damaged, too.
    Gzip,
    /// Bytes keep their places; or blocks and records of compact files.
    Compact,
    /// Segments and records of raw recordings.
    Raw,
    /// Fields of messages.
    Protobuf,
    /// Pages and rows of databases.
    Database,
    /// Archives: damaged themselves, or made of damaged files.
    Packed,
}

impl Way {
    /// A damaged copy of a file; `other` is another one of its format, `texts` are files that an archive may contain.
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

/// A copy with damage in place, in `sealed` of 100 cases with right checksums over it.
fn in_place(damage: &mut Mutations, file: &[u8], other: &[u8], sealed: u64) -> Vec<u8> {
    let mut file = damage.in_place(file, other);
    if damage.percent(sealed) {
        seal(&mut file);
    }
    file
}

/// Bytes that are added and removed; in one of four cases lines: events, rows of tables.
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
