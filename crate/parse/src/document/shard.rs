//! A shard: a part of a list that is read independently, from the first object after some position, as long as it has
//! no faults.
//!
//! Between two objects of a list, after a comma, earlier text does not affect how the next object is read. So a shard
//! equals the whole file's content there, if the reader of the whole file reaches its begin between two objects and
//! after a comma. Only that reader can decide this: the shard's begin is a guess, which braces in a text may mislead.
//! A fault ends a shard; the reader of the whole file handles it.

use super::list::may_follow;
use super::{Behind, Document, RESCAN, Seen, Sink, State};
use crate::keys::{Key, Keys};
use crate::scanner::Object;
use crate::strings::skip_space;

/// Receives the objects of a shard.
pub trait ShardSink: Sink {
    /// Whether an object can be read without the text before it.
    fn reads_apart(&self, object: &Object<'_>) -> bool;
}

/// The largest distance from a shard's position to its first object.
const LONGEST_SEARCH: u64 = 8 << 20;

/// The extent of a shard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// The position of its first object.
    pub begin: u64,
    /// The position at which it ends.
    pub end: u64,
    /// Whether that is after a comma, so that an object is expected; else after an object.
    pub comma: bool,
    /// The first keys of its objects.
    pub first_keys: Vec<Box<[u8]>>,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Looking for the first object.
    Seeking(Seen),
    Reading(Behind),
    Done(Behind),
}

/// Scans a shard that arrives in chunks.
#[derive(Debug)]
pub struct Shard {
    document: Document,
    /// A key that every object of the list has.
    sign: Key,
    from: u64,
    limit: u64,
    begin: Option<u64>,
    stage: Stage,
}

impl Shard {
    /// The objects that begin between two positions of a file; the first bytes are those at the first position. All
    /// objects of the list have the key `sign`.
    #[must_use]
    pub fn new(list_key: &'static str, keys: Keys, sign: Key, (from, limit): (u64, u64)) -> Self {
        let document = Document { base: from, ..Document::new(list_key, keys) };
        Self { document, sign, from, limit, begin: None, stage: Stage::Seeking(Seen::Nothing) }
    }

    /// Room for the next `len` bytes of the file, to be filled before [`advance`](Self::advance).
    pub fn space(&mut self, len: usize) -> &mut [u8] {
        self.document.space(len)
    }

    /// Scans the text that the first `len` bytes of [`space`](Self::space) complete.
    pub fn advance(&mut self, len: usize, sink: &mut impl ShardSink) {
        let document = &mut self.document;
        document.filled += len;
        document.buffer[document.filled..document.filled + super::PADDING].fill(0);
        if let Stage::Seeking(seen) = self.stage {
            self.seek(seen);
        }
        if let Stage::Reading(behind) = self.stage {
            self.read(behind, sink);
        }
    }

    /// Whether no more text is read.
    #[must_use]
    pub fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done(_))
    }

    /// The extent; none if no object was found.
    #[must_use]
    pub fn ends(&mut self) -> Option<Ends> {
        let (Stage::Reading(behind) | Stage::Done(behind)) = self.stage else { return None };
        let begin = self.begin?;
        let first_keys = std::mem::take(self.document.scanner.first_keys());
        Some(Ends {
            begin,
            end: self.document.position(self.document.begin),
            comma: behind == Behind::Comma,
            first_keys,
        })
    }

    fn seek(&mut self, mut seen: Seen) {
        let document = &mut self.document;
        loop {
            match document.find_object(document.begin, seen) {
                Err((at, now)) => {
                    (document.begin, seen) = (at, now);
                    break;
                }
                Ok(at) => {
                    document.begin = at;
                    seen = Seen::Second;
                    let may_wait = document.filled - at < RESCAN;
                    match document.scanner.object(&document.buffer, at) {
                        Ok(end) if end >= document.filled && may_wait => break,
                        Err(wrong) if may_wait && document.cut_off(wrong, at) => break,
                        Ok(end) if may_follow(document.buffer[end]) && is_one(document, self.sign, at, end) => {
                            return self.found(at);
                        }
                        Ok(_) | Err(_) => (document.begin, seen) = (at + 1, Seen::Nothing),
                    }
                }
            }
        }
        self.stage = Stage::Seeking(seen);
        let at = self.document.position(self.document.begin);
        if at >= self.limit || at - self.from > LONGEST_SEARCH {
            self.stage = Stage::Done(Behind::Start);
        }
    }

    fn found(&mut self, at: usize) {
        // First keys of other objects do not count for the list's.
        self.document.scanner.first_keys().clear();
        self.begin = Some(self.document.position(at));
        self.stage = Stage::Reading(Behind::Comma);
    }

    fn read(&mut self, mut behind: Behind, sink: &mut impl ShardSink) {
        let Self { document, limit, .. } = self;
        let mut at = document.begin;
        self.stage = loop {
            at = skip_space(&document.buffer, at);
            match document.buffer[at] {
                b'{' if behind == Behind::Comma => {
                    if document.position(at) >= *limit {
                        break Stage::Done(behind);
                    }
                    // Longer ones, which may be damaged, are left to the reader of the whole file.
                    let may_wait = document.filled - at < RESCAN;
                    match document.scanner.object(&document.buffer, at) {
                        Ok(end) if may_follow(document.buffer[end]) => {
                            let object = document.scanner.scanned(&document.buffer, at, end, document.position(at));
                            if !sink.reads_apart(&object) {
                                break Stage::Done(behind);
                            }
                            sink.object(&object);
                            (at, behind) = (end, Behind::Value);
                        }
                        Ok(end) if end >= document.filled && may_wait => break Stage::Reading(behind),
                        Err(wrong) if may_wait && document.cut_off(wrong, at) => break Stage::Reading(behind),
                        Ok(_) | Err(_) => break Stage::Done(behind),
                    }
                }
                b',' if behind == Behind::Value => (at, behind) = (at + 1, Behind::Comma),
                _ if at >= document.filled => break Stage::Reading(behind),
                _ => break Stage::Done(behind),
            }
        };
        document.begin = at.min(document.filled);
    }
}

/// Whether the object that was scanned last is like those of the list.
fn is_one(document: &Document, sign: Key, start: usize, end: usize) -> bool {
    document.scanner.scanned(&document.buffer, start, end, 0).get(sign).is_some()
}

impl Document {
    /// Sets the stop: after a comma, no object is read that begins at this byte or later, until the next call.
    pub fn stop_at(&mut self, byte: u64, sink: &mut impl Sink) {
        (self.stop, self.stopped) = (byte, false);
        self.advance(0, sink);
    }

    /// The position of the object before which it stopped.
    #[must_use]
    pub fn stopped(&self) -> Option<u64> {
        self.stopped.then(|| self.position(self.begin))
    }

    /// The byte of the file that is needed next.
    #[must_use]
    pub fn next_byte(&self) -> u64 {
        self.position(self.filled)
    }

    /// Continues after a shard, if the shard begins at the stop, up to the next stop.
    pub fn go_on_behind(&mut self, piece: &Ends, stop: u64) -> bool {
        let State::List { within, behind: Behind::Comma } = self.state else { return false };
        if self.stopped() != Some(piece.begin) {
            return false;
        }
        for key in &piece.first_keys {
            self.scanner.note_first(key);
        }
        self.state = State::List { within, behind: if piece.comma { Behind::Comma } else { Behind::Value } };
        (self.stop, self.stopped) = (stop, piece.comma && piece.end >= stop);
        (self.base, self.begin, self.filled, self.wait_for) = (piece.end, 0, 0, 0);
        self.buffer.truncate(super::PADDING);
        self.buffer.fill(0);
        true
    }
}
