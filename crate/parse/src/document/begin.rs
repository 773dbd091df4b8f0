//! The beginning and the end of a document.

use std::num::NonZeroUsize;

use super::{Behind, Document, RESCAN, Seen, Sink, State, Step, Within};
use crate::fault::FaultKind;
use crate::scanner::skip_value;
use crate::strings::{key, skip_space};
use crate::wrong::Wrong;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The role of an object at the document's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outer {
    /// The one around the list.
    AroundList,
    /// The first of many, without a list.
    FirstOfMany,
}

impl Document {
    pub(super) fn start(&mut self, mut at: usize, sink: &mut impl Sink) -> Step {
        if self.base == 0 && at == 0 {
            if self.filled < BYTE_ORDER_MARK.len() && !self.last_chunk {
                return Step::CutOff(at);
            }
            if self.buffer.starts_with(BYTE_ORDER_MARK) {
                at += BYTE_ORDER_MARK.len();
            }
        }
        at = skip_space(&self.buffer, at);
        match self.buffer[at] {
            b'{' => match self.outer_object(at) {
                None => Step::Hold(at),
                Some(Outer::AroundList) => {
                    self.state = State::Members { behind: Behind::Start };
                    Step::At(at + 1)
                }
                Some(Outer::FirstOfMany) => {
                    sink.fault(self.fault(FaultKind::Lines, at, "a list around the objects"));
                    self.state = State::List { within: Within::Lines, behind: Behind::Start };
                    Step::At(at)
                }
            },
            b'[' => {
                self.list_seen = true;
                self.state = State::List { within: Within::Document, behind: Behind::Start };
                Step::At(at + 1)
            }
            _ => Step::CutOff(at),
        }
    }

    /// The role of the object at `start`; none if more text is needed.
    ///
    /// It is around the list if it has that list. Without a list, it is an element itself if it has a wanted key.
    fn outer_object(&self, start: usize) -> Option<Outer> {
        let mut wrong = Wrong::default();
        let mut wanted = 0;
        let mut at = skip_space(&self.buffer, start + 1);
        let closed = loop {
            if self.buffer[at] == b'}' {
                break true;
            }
            let Some((name, value)) = key(&self.buffer, at, &mut wrong) else { break false };
            let name = name.bytes();
            if name == self.list_key.as_bytes() && self.buffer[value] == b'[' {
                return Some(Outer::AroundList);
            }
            wanted += usize::from(self.scanner.wants(&name));
            let Some(end) = skip_value(&self.buffer, value, 1, &mut wrong).map(NonZeroUsize::get) else { break false };
            at = skip_space(&self.buffer, end);
            match self.buffer[at] {
                b',' => at = skip_space(&self.buffer, at + 1),
                b'}' => {}
                _ => break false,
            }
        };
        // A single wanted key may be a member of an outer object by chance.
        let like_many = if wanted > usize::from(!closed) { Outer::FirstOfMany } else { Outer::AroundList };
        if closed {
            return Some(like_many);
        }
        if self.holds_list(start, self.filled) {
            return Some(Outer::AroundList);
        }
        (self.last_chunk || self.filled - start >= RESCAN).then_some(like_many)
    }

    pub(super) fn end(&mut self, from: usize, sink: &mut impl Sink) -> Step {
        let at = skip_space(&self.buffer, from);
        if at >= self.filled {
            return Step::CutOff(self.filled);
        }
        match self.buffer[at] {
            b'{' | b'[' => {
                sink.fault(self.fault(FaultKind::SecondDocument, at, "the end of the file"));
                self.list_seen = false;
                self.state = State::Start;
                Step::At(at)
            }
            b',' | b']' | b'}' => {
                sink.fault(self.fault(FaultKind::Punctuation, at, "the end of the file"));
                Step::At(at + 1)
            }
            _ => {
                sink.fault(self.fault(FaultKind::TrailingText, at, "the end of the file"));
                self.state = State::Trailing { seen: Seen::Nothing };
                Step::At(at)
            }
        }
    }

    /// Searches objects like those of the list, which may have seemed to end too early.
    pub(super) fn trailing(&mut self, at: usize, seen: Seen) -> Step {
        match self.find_object(at, seen) {
            Ok(found) => {
                self.state = State::List { within: Within::Document, behind: Behind::Start };
                Step::At(found)
            }
            Err((at, seen)) => {
                self.state = State::Trailing { seen };
                Step::CutOff(if self.last_chunk { self.filled } else { at })
            }
        }
    }
}
