//! Scanning of the list's objects, and the search for the next one after a broken one.

use std::num::NonZeroUsize;

use super::{Behind, Document, Seen, Sink, State, Step, Within};
use crate::fault::FaultKind;
use crate::repair::{DamagedPart, Outcome, Repaired, first_key};
use crate::scanner::{PADDING, skip_value};
use crate::strings::skip_space;
use crate::wrong::Wrong;

/// Longer keys are not compared with others.
const LONGEST_KEY: usize = 64;

impl Document {
    pub(super) fn list(&mut self, mut at: usize, within: Within, mut behind: Behind, sink: &mut impl Sink) -> Step {
        loop {
            at = skip_space(&self.buffer, at);
            match self.buffer[at] {
                b'{' if behind == Behind::Comma && self.position(at) >= self.stop => {
                    self.state = State::List { within, behind };
                    return Step::Stop(at);
                }
                b'{' => {
                    if behind == Behind::Value && within != Within::Lines {
                        sink.fault(self.fault(FaultKind::Punctuation, at, "a comma between two objects"));
                    }
                    match self.scanner.object(&self.buffer, at) {
                        Ok(end) if may_follow(self.buffer[end]) => {
                            sink.object(&self.scanner.scanned(&self.buffer, at, end, self.position(at)));
                            behind = Behind::Value;
                            at = end;
                        }
                        Ok(end) => {
                            self.state = State::List { within, behind: Behind::Start };
                            return self.doubtful_object(at, end, within, sink);
                        }
                        Err(wrong) => {
                            self.state = State::List { within, behind: Behind::Start };
                            return self.broken_object(at, wrong, within, sink);
                        }
                    }
                }
                b',' => {
                    if behind != Behind::Value {
                        sink.fault(self.fault(FaultKind::Punctuation, at, "an object before the comma"));
                    }
                    behind = Behind::Comma;
                    at += 1;
                }
                b']' if within != Within::Lines => {
                    if behind == Behind::Comma {
                        sink.fault(self.fault(FaultKind::Punctuation, at, "an object behind the comma"));
                    }
                    self.state = match within {
                        Within::Object => State::Members { behind: Behind::Value },
                        Within::Document | Within::Lines => State::End,
                    };
                    return Step::At(at + 1);
                }
                b'}' | b']' => {
                    sink.fault(self.fault(FaultKind::Punctuation, at, "an object"));
                    at += 1;
                }
                _ => {
                    self.state = State::List { within, behind };
                    return self.not_an_object(at, within, sink);
                }
            }
        }
    }

    /// A valid object with unexpected text after it: perhaps a name with a quote and a brace ended it too early.
    #[cold]
    fn doubtful_object(&mut self, start: usize, end: usize, within: Within, sink: &mut impl Sink) -> Step {
        if end >= self.filled && !self.last_chunk {
            return Step::CutOff(start);
        }
        if end < self.filled {
            match self.repair(start, DamagedPart::Element) {
                Outcome::NeedMore => return Step::Hold(start),
                Outcome::Repaired(repaired) if repaired.fits && !repaired.repairs.is_empty() => {
                    let valid = self.scanned_whole(&repaired);
                    if valid {
                        return self.repaired_object(start, &repaired, within, sink);
                    }
                }
                Outcome::Repaired(_) | Outcome::Beyond { .. } => {}
            }
            self.again.add(end - start);
            // The slots may have been overwritten.
            if self.scanner.object(&self.buffer, start).is_err() {
                return Step::At(end);
            }
        }
        sink.object(&self.scanner.scanned(&self.buffer, start, end, self.position(start)));
        self.state = State::List { within, behind: Behind::Value };
        Step::At(end)
    }

    #[cold]
    fn broken_object(&mut self, start: usize, wrong: Wrong, within: Within, sink: &mut impl Sink) -> Step {
        self.again.add(wrong.at - start);
        if self.cut_off(wrong, start) {
            return Step::CutOff(start);
        }
        match self.repair(start, DamagedPart::Element) {
            Outcome::NeedMore => Step::Hold(start),
            Outcome::Repaired(repaired) => {
                if self.scanned_whole(&repaired) {
                    return self.repaired_object(start, &repaired, within, sink);
                }
                self.skip_object(start, wrong, within, (false, None), sink)
            }
            Outcome::Beyond { ended, end } => self.skip_object(start, wrong, within, (ended, end), sink),
        }
    }

    /// Whether the scanner accepts a repaired object as a whole.
    fn scanned_whole(&mut self, repaired: &Repaired) -> bool {
        self.again.add(repaired.text.len());
        self.scanner.object(&repaired.text, 0) == Ok(repaired.text.len() - PADDING)
    }

    /// Passes on a repaired object, which was scanned last.
    fn repaired_object(&mut self, start: usize, repaired: &Repaired, within: Within, sink: &mut impl Sink) -> Step {
        self.tell_repairs(&repaired.repairs, start, sink);
        let end = repaired.text.len() - PADDING;
        sink.object(&self.scanner.scanned(&repaired.text, 0, end, self.position(start)));
        self.state = State::List { within, behind: Behind::Value };
        Step::At(start + repaired.end)
    }

    /// Continues after an object that cannot be repaired, or at the next one if its end is unclear.
    fn skip_object(
        &mut self,
        start: usize,
        wrong: Wrong,
        within: Within,
        (ended, end): (bool, Option<usize>),
        sink: &mut impl Sink,
    ) -> Step {
        let key = first_key(&self.buffer[start..self.filled.min(start + LONGEST_KEY)]);
        self.broken_key = key.unwrap_or_default().to_vec();
        let line = match self.line_like_others(start + 1, wrong.at) {
            Line::NotThere => None,
            Line::At(next) => Some(next),
            Line::NeedMore => return Step::Hold(start),
        };
        let ended = ended && end.is_none() && line.is_none();
        if ended && self.find_object(wrong.at, Seen::Nothing).is_err() {
            return self.end_in_the_middle();
        }
        sink.fault(self.fault(FaultKind::MalformedObject, wrong.at, wrong.expected));
        if let Some(end) = end {
            self.state = State::List { within, behind: Behind::Value };
            return Step::At(start + end);
        }
        if let Some(line) = line {
            self.state = State::List { within, behind: Behind::Start };
            return Step::At(line);
        }
        let at = wrong.at.max(start + 1);
        // An object may begin where the previous one was cut.
        let seen = if self.buffer[at] == b'{' { Seen::Second } else { Seen::Nothing };
        self.state = State::SeekObject { within, seen };
        Step::At(at)
    }

    /// An element of the list that does not start like an object.
    fn not_an_object(&mut self, at: usize, within: Within, sink: &mut impl Sink) -> Step {
        if at >= self.filled {
            return Step::CutOff(self.filled);
        }
        let mut wrong = Wrong::default();
        let end = match skip_value(&self.buffer, at, 0, &mut wrong).map(NonZeroUsize::get) {
            // A number may continue in the next chunk.
            Some(end) if end >= self.filled && !self.last_chunk => return Step::CutOff(at),
            Some(end) => end,
            None if self.cut_off(wrong, at) => return Step::CutOff(at),
            None => match self.repair(at, DamagedPart::Element) {
                Outcome::NeedMore => return Step::Hold(at),
                Outcome::Repaired(repaired) if repaired.fits => at + repaired.end,
                Outcome::Repaired(_) => return self.skip_object(at, wrong, within, (false, None), sink),
                Outcome::Beyond { ended, .. } => return self.skip_object(at, wrong, within, (ended, None), sink),
            },
        };
        sink.fault(self.fault(FaultKind::NotAnObject, at, "an object"));
        self.state = State::List { within, behind: Behind::Value };
        Step::At(end)
    }

    pub(super) fn seek_object(&mut self, at: usize, within: Within, seen: Seen) -> Step {
        match self.find_object(at, seen) {
            Ok(found) => {
                self.state = State::List { within, behind: Behind::Start };
                Step::At(found)
            }
            Err((at, seen)) => {
                self.state = State::SeekObject { within, seen };
                Step::CutOff(if self.last_chunk { self.filled } else { at })
            }
        }
    }

    /// Searches the end of an object or a line, an optional comma, and an object that begins like the others, with
    /// only white space between. Returns its position, or the end of the search and what was seen right before.
    pub(super) fn find_object(&self, from: usize, seen: Seen) -> Result<usize, (usize, Seen)> {
        let found = self.object_from(from, seen);
        let (Ok(to) | Err((to, _))) = found;
        self.again.add(to - from);
        found
    }

    fn object_from(&self, mut at: usize, mut seen: Seen) -> Result<usize, (usize, Seen)> {
        loop {
            if seen == Seen::Nothing {
                match self.buffer[at..self.filled].iter().position(|byte| matches!(byte, b'}' | b'\n')) {
                    Some(found) => (seen, at) = (Seen::First, at + found + 1),
                    None => at = self.filled,
                }
            }
            at = skip_space(&self.buffer, at);
            if at >= self.filled {
                return Err((self.filled, seen));
            }
            match (seen, self.buffer[at]) {
                (Seen::First, b',') => (seen, at) = (Seen::Second, at + 1),
                (Seen::First | Seen::Second, b'{') => match self.begins_like_others(at) {
                    Some(true) => return Ok(at),
                    Some(false) => (seen, at) = (Seen::Nothing, at + 1),
                    None => return Err((at, seen)),
                },
                _ => seen = Seen::Nothing,
            }
        }
    }

    /// The first line between two positions that begins like the list's objects: the object before was cut there.
    fn line_like_others(&self, mut from: usize, to: usize) -> Line {
        while let Some(line) = self.buffer[from.min(to)..to].iter().position(|byte| *byte == b'\n') {
            self.again.add(line);
            from = skip_space(&self.buffer, from + line);
            if self.buffer[from] != b'{' {
                continue;
            }
            match self.begins_like_others(from) {
                Some(true) => return Line::At(from),
                Some(false) => {}
                None => return Line::NeedMore,
            }
        }
        Line::NotThere
    }

    /// Whether an object's first key is one with which the list's objects begin: it is then not nested in another.
    /// None if more text is needed.
    fn begins_like_others(&self, brace: usize) -> Option<bool> {
        let all = self.filled - brace >= 2 * LONGEST_KEY;
        let text = &self.buffer[brace..self.filled.min(brace + 2 * LONGEST_KEY)];
        let Some(key) = first_key(text) else {
            return if all || self.last_chunk { Some(false) } else { None };
        };
        Some(key == self.broken_key || self.scanner.begins_objects(key))
    }
}

/// The result of a search for a line.
enum Line {
    At(usize),
    NotThere,
    /// More text is needed.
    NeedMore,
}

/// Whether a byte may directly follow an object of the list.
#[inline]
pub(super) fn may_follow(byte: u8) -> bool {
    matches!(byte, b',' | b']' | b'{' | b' ' | b'\n' | b'\r' | b'\t')
}
