//! Scanning of the outer object's members, and the search for the list after a broken one.

use std::num::NonZeroUsize;

use super::{Behind, Document, LongValue, Seen, Sink, State, Step, Within};
use crate::fault::FaultKind;
use crate::repair::{DamagedPart, Outcome, Repaired};
use crate::scanner::skip_value;
use crate::strings::{key, skip_space};
use crate::wrong::Wrong;

/// The most white space after a member that is buffered to see what follows.
const MOST_SPACE: usize = 4096;

impl Document {
    pub(super) fn member(&mut self, from: usize, behind: Behind, sink: &mut impl Sink) -> Step {
        let at = skip_space(&self.buffer, from);
        if at >= self.filled {
            return Step::CutOff(self.filled);
        }
        match self.buffer[at] {
            b'}' => {
                if behind == Behind::Comma {
                    sink.fault(self.fault(FaultKind::Punctuation, at, "a member behind the comma"));
                }
                self.state = State::End;
                Step::At(at + 1)
            }
            b',' => {
                if behind != Behind::Value {
                    sink.fault(self.fault(FaultKind::Punctuation, at, "a member before the comma"));
                }
                self.state = State::Members { behind: Behind::Comma };
                Step::At(at + 1)
            }
            // The list was closed too early, or twice.
            b'{' if self.list_seen => {
                sink.fault(self.fault(FaultKind::Punctuation, at, "a key in quotes"));
                self.state = State::List { within: Within::Object, behind: Behind::Start };
                Step::At(at)
            }
            b']' if self.list_seen => {
                sink.fault(self.fault(FaultKind::Punctuation, at, "a key in quotes"));
                Step::At(at + 1)
            }
            _ => {
                if behind == Behind::Value {
                    sink.fault(self.fault(FaultKind::Punctuation, at, "a comma between two members"));
                    self.state = State::Members { behind: Behind::Start };
                }
                self.key_and_value(at, sink)
            }
        }
    }

    fn key_and_value(&mut self, at: usize, sink: &mut impl Sink) -> Step {
        let mut wrong = Wrong::default();
        let Some((key, value)) = key(&self.buffer, at, &mut wrong) else {
            return self.broken_member(at, wrong, sink);
        };
        let is_list = self.buffer[value] == b'[';
        if is_list && key.bytes() == self.list_key.as_bytes() {
            if self.list_seen {
                sink.fault(self.fault(FaultKind::SecondList, value, "one list"));
            }
            self.list_seen = true;
            self.state = State::List { within: Within::Object, behind: Behind::Start };
            return Step::At(value + 1);
        }
        match skip_value(&self.buffer, value, 1, &mut wrong).map(NonZeroUsize::get) {
            Some(end) => self.valid_member(at, value, end, sink),
            None => self.broken_member(at, wrong, sink),
        }
    }

    /// Passes on a member that starts at `start`, unless the text after it makes its end doubtful.
    fn valid_member(&mut self, start: usize, value: usize, end: usize, sink: &mut impl Sink) -> Step {
        match self.follows_member(end) {
            // A number may continue in the next chunk, too.
            None => return Step::CutOff(start),
            Some(true) => {}
            // Perhaps a quote in the text ended it too early.
            Some(false) => match self.repair(start, DamagedPart::Member) {
                Outcome::NeedMore => return Step::Hold(start),
                Outcome::Repaired(repaired)
                    if !repaired.repairs.is_empty() && !self.holds_list(start, start + repaired.end) =>
                {
                    if let Some(step) = self.repaired_member(start, &repaired, sink) {
                        return step;
                    }
                }
                Outcome::Repaired(_) | Outcome::Beyond { .. } => {}
            },
        }
        if let Some((key, _)) = key(&self.buffer, start, &mut Wrong::default()) {
            if key.bytes() == self.list_key.as_bytes() {
                sink.fault(self.fault(FaultKind::SecondList, value, "a list"));
            }
            sink.member(&key.to_str(), &self.buffer[value..end], self.position(value));
        }
        self.state = State::Members { behind: Behind::Value };
        Step::At(end)
    }

    /// Whether the text after a member's value may follow it; none if more text is needed.
    fn follows_member(&self, end: usize) -> Option<bool> {
        let next = skip_space(&self.buffer, end);
        if next < self.filled {
            return Some(matches!(self.buffer[next], b',' | b'}'));
        }
        (self.last_chunk || next - end > MOST_SPACE).then_some(true)
    }

    fn broken_member(&mut self, start: usize, wrong: Wrong, sink: &mut impl Sink) -> Step {
        self.again.add(wrong.at - start);
        if self.cut_off(wrong, start) {
            return Step::CutOff(start);
        }
        if !self.last_chunk && wrong.at + super::LOOK_AHEAD > self.filled {
            // Valid so far, but too long: continue without buffering it.
            sink.fault(self.fault(FaultKind::LongMember, start, "a shorter value"));
            let at = key(&self.buffer, start, &mut Wrong::default()).map_or(start, |(_, value)| value);
            self.state = State::LongMember(LongValue::default());
            return Step::At(at);
        }
        let (ended, end) = match self.repair(start, DamagedPart::Member) {
            Outcome::NeedMore => return Step::Hold(start),
            // A string without an end must not include the list.
            Outcome::Repaired(repaired) if !self.holds_list(start, start + repaired.end) => {
                if let Some(step) = self.repaired_member(start, &repaired, sink) {
                    return step;
                }
                (false, None)
            }
            Outcome::Repaired(_) => (false, None),
            Outcome::Beyond { ended, end } => (ended, end.filter(|end| !self.holds_list(start, start + end))),
        };
        if ended && end.is_none() && (self.list_seen || !self.holds_list(wrong.at, self.filled)) {
            return self.end_in_the_middle();
        }
        sink.fault(self.fault(FaultKind::MalformedMember, wrong.at, wrong.expected));
        if let Some(end) = end {
            self.state = State::Members { behind: Behind::Value };
            return Step::At(start + end);
        }
        self.state = if self.list_seen {
            State::Trailing { seen: Seen::Nothing }
        } else {
            State::SeekList { seen: Seen::Nothing }
        };
        Step::At(wrong.at)
    }

    /// Passes on a repaired member; none if it is still not valid.
    fn repaired_member(&mut self, start: usize, repaired: &Repaired, sink: &mut impl Sink) -> Option<Step> {
        let mut wrong = Wrong::default();
        let (key, value) = key(&repaired.text, 0, &mut wrong)?;
        let end = skip_value(&repaired.text, value, 1, &mut wrong)?.get();
        self.tell_repairs(&repaired.repairs, start, sink);
        sink.member(&key.to_str(), &repaired.text[value..end], self.position(start));
        self.state = State::Members { behind: Behind::Value };
        Some(Step::At(start + repaired.end))
    }

    /// Whether the list starts between two positions.
    pub(super) fn holds_list(&self, from: usize, to: usize) -> bool {
        self.find_list(from, to, Seen::Nothing).is_ok()
    }

    /// Searches the list's key, a colon and `[`, with only white space between. Returns their position, or the end of
    /// the search and what was seen right before.
    fn find_list(&self, mut at: usize, to: usize, mut seen: Seen) -> Result<usize, (usize, Seen)> {
        self.again.add(to.saturating_sub(at));
        let needle = self.list_key.as_bytes();
        loop {
            if seen == Seen::Nothing {
                let key = self.buffer[at..to].windows(needle.len() + 2).position(|text| {
                    text[0] == b'"' && text[needle.len() + 1] == b'"' && &text[1..=needle.len()] == needle
                });
                let Some(found) = key else {
                    // The key may begin at the end.
                    return Err((to.saturating_sub(needle.len() + 1).max(at), seen));
                };
                (seen, at) = (Seen::First, at + found + needle.len() + 2);
            }
            at = skip_space(&self.buffer, at);
            if at >= to {
                return Err((to, seen));
            }
            match (seen, self.buffer[at]) {
                (Seen::First, b':') => (seen, at) = (Seen::Second, at + 1),
                (Seen::Second, b'[') => return Ok(at),
                _ => seen = Seen::Nothing,
            }
        }
    }

    pub(super) fn seek_list(&mut self, at: usize, seen: Seen) -> Step {
        match self.find_list(at, self.filled, seen) {
            Ok(list) => {
                self.list_seen = true;
                self.state = State::List { within: Within::Object, behind: Behind::Start };
                Step::At(list + 1)
            }
            Err((at, seen)) => {
                self.state = State::SeekList { seen };
                Step::CutOff(if self.last_chunk { self.filled } else { at })
            }
        }
    }

    /// Follows brackets and quotes to the value's end.
    pub(super) fn long_member(&mut self, from: usize, mut value: LongValue) -> Step {
        for at in from..self.filled {
            let byte = self.buffer[at];
            if value.after_backslash {
                value.after_backslash = false;
            } else if value.in_string {
                value.after_backslash = byte == b'\\';
                value.in_string = byte != b'"';
            } else {
                match byte {
                    b'"' => value.in_string = true,
                    b'[' | b'{' => value.depth += 1,
                    b']' | b'}' if value.depth > 0 => value.depth -= 1,
                    b',' | b'}' if value.depth == 0 => {
                        self.state = State::Members { behind: Behind::Value };
                        return Step::At(at);
                    }
                    _ => {}
                }
            }
        }
        self.state = State::LongMember(value);
        Step::CutOff(self.filled)
    }
}
