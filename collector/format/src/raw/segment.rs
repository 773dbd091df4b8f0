//! One segment's bytes.

use super::{Anchor, NAMES_TAG, RECORDS_TAG, segment_word as at, word};
use crate::Record;

/// Open spans of a thread that a segment can hold.
pub const OPEN_SPANS: usize = (at::RECORDS - at::BODY) / 4;

/// Number of records that fit in a segment of so many bytes.
#[must_use]
pub fn segment_capacity(bytes: usize) -> usize {
    (bytes / 8).saturating_sub(at::RECORDS) / 4
}

/// Content of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing: it was never used, or is being given to another thread.
    Unused,
    Records,
    Names,
    /// Something else, which is damage.
    Unknown,
}

/// A segment's first words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) content: Content,
    pub(super) sequence: u64,
    pub(super) thread: u64,
    pub(super) open: usize,
    pub(super) committed: usize,
    pub(super) anchor: Anchor,
    /// Whether a number was beyond what the segment can hold.
    pub(super) damaged: bool,
}

/// Bytes of a segment's head.
pub(super) const HEAD_BYTES: usize = at::BODY * 8;

impl Head {
    /// The head of a segment of `len` bytes.
    pub(super) fn of(bytes: &[u8], len: usize) -> Self {
        let content = match word(bytes, 0) {
            0 => Content::Unused,
            RECORDS_TAG => Content::Records,
            NAMES_TAG => Content::Names,
            _ => Content::Unknown,
        };
        let room = match content {
            Content::Records => segment_capacity(len),
            Content::Names => len.saturating_sub(HEAD_BYTES),
            Content::Unused | Content::Unknown => 0,
        };
        let most = |index: usize, room: usize| {
            let number = usize::try_from(word(bytes, index)).unwrap_or(usize::MAX);
            (number.min(room), number > room)
        };
        let open_room = if content == Content::Records { OPEN_SPANS } else { 0 };
        let (committed, too_many) = most(at::COMMITTED, room);
        let (open, too_deep) = most(at::OPEN, open_room);
        Self {
            content,
            sequence: word(bytes, at::SEQUENCE),
            thread: word(bytes, at::THREAD),
            open,
            committed,
            anchor: anchor(bytes, at::ANCHOR),
            damaged: content == Content::Unknown || (content != Content::Unused && (too_many || too_deep)),
        }
    }
}

/// The anchor at a word.
pub(super) fn anchor(bytes: &[u8], index: usize) -> Anchor {
    Anchor { clock: word(bytes, index), monotonic: word(bytes, index + 1), realtime: word(bytes, index + 2) }
}

/// The words of the record at a word.
pub(super) fn record_words(bytes: &[u8], index: usize) -> [u64; 4] {
    [0, 1, 2, 3].map(|offset| word(bytes, index + offset))
}

/// The open spans of a segment without those whose record is its last one: the process died in between.
pub(super) fn open_spans<'a>(bytes: &'a [u8], head: &Head) -> impl Iterator<Item = Option<Record>> + use<'a> {
    let last = head.committed.checked_sub(1).map(|last| record_words(bytes, at::RECORDS + last * 4));
    let all = (0..head.open).map(|index| record_words(bytes, at::BODY + index * 4)).filter(|words| words[0] != 0);
    let open =
        all.filter(move |words| last.is_none_or(|last| (last[0], last[1], last[3]) != (words[0], words[1], words[3])));
    open.map(Record::of_words)
}

/// The names of a segment, as number and text; `None`, at its end, for one that is damaged.
pub(super) fn names<'a>(bytes: &'a [u8], head: &Head) -> impl Iterator<Item = Option<(u32, &'a [u8])>> + use<'a> {
    let mut rest = bytes.get(HEAD_BYTES..).unwrap_or_default();
    rest = rest.get(..head.committed).unwrap_or(rest);
    std::iter::from_fn(move || {
        let first = rest.first_chunk::<8>()?;
        let number = u64::from_le_bytes(*first);
        let len = (number >> 32) as usize;
        let Some(text) = rest.get(8..).and_then(|rest| rest.get(..len)) else {
            rest = &[];
            return Some(None);
        };
        rest = rest.get(8 + len.next_multiple_of(8)..).unwrap_or_default();
        Some(Some((number as u32, text)))
    })
}
