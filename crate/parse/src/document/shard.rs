//! A piece of a list, read apart from what is before it: from an object that begins behind some place, as far as all is
//! as it should be.
//!
//! Between two objects of a list, behind a comma, nothing that was read before decides how the next object is read. So what was
//! read of a piece is what a reader of the whole would have found there, if that comes to the place where the piece begins,
//! between two objects and behind a comma. Whether it does is for the reader of the whole to say: where a piece begins is a
//! guess, which braces in a text may fool. What is not as it should be ends a piece: that is read by who reads the whole.

use super::list::may_follow;
use super::{Behind, Document, RESCAN, Seen, Sink, State};
use crate::keys::{Key, Keys};
use crate::scanner::Object;
use crate::strings::skip_space;

/// Who takes the objects of a piece.
pub trait ShardSink: Sink {
    /// Whether an object can be read apart from what is before it.
    fn reads_apart(&self, object: &Object<'_>) -> bool;
}

/// How far behind a piece's place its first object may begin.
const LONGEST_SEARCH: u64 = 8 << 20;

/// Between which places a piece was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// Where its first object begins.
    pub begin: u64,
    /// How far it was read.
    pub end: u64,
    /// Whether a comma stands there, so that an object is due; else an object.
    pub comma: bool,
    /// What its objects began with.
    pub first_keys: Vec<Box<[u8]>>,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Looking for the first object.
    Seeking(Seen),
    Reading(Behind),
    Done(Behind),
}

/// Scans a piece that arrives in chunks.
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
    /// The objects that begin from one place of a file on, where the first bytes come from, and before another one. All
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

    /// Scans what the first `len` bytes of [`space`](Self::space) complete.
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

    /// Whether nothing more is read.
    #[must_use]
    pub fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done(_))
    }

    /// Between which places it was read; nothing if no object was found.
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
        // What was no object of the list says nothing of these.
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
                    // Longer ones, which chunks may tell from damage, are left to who reads the whole.
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
    /// Behind a comma, no object is read that begins at this byte of the file or later, until another one is said.
    pub fn stop_at(&mut self, byte: u64, sink: &mut impl Sink) {
        (self.stop, self.stopped) = (byte, false);
        self.advance(0, sink);
    }

    /// Where the object begins before which it stopped.
    #[must_use]
    pub fn stopped(&self) -> Option<u64> {
        self.stopped.then(|| self.position(self.begin))
    }

    /// The byte of the file that comes next.
    #[must_use]
    pub fn next_byte(&self) -> u64 {
        self.position(self.filled)
    }

    /// Goes on behind a piece that somebody else has read, if that begins where this one stopped, up to where it stops
    /// next.
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
