//! A JSON document that is a list of objects, or an object with such a list in it, chunk by chunk.
//!
//! Only what is not yet scanned is held: a chunk and the part of an object that the chunk before cut.

use std::num::NonZeroUsize;

use super::keys::Keys;
use super::scanner::{Object, PADDING, Scanner, Wrong, key, skip_space, skip_value};

/// Receives what a [`Document`] finds.
pub trait Sink {
    /// An object of the list.
    fn object(&mut self, object: &Object<'_>);
    /// Another member of the outer object: its key, its value's text (valid JSON), and the byte of
    /// the file at which the value starts.
    fn member(&mut self, key: &str, value: &[u8], position: u64);
    /// Something is wrong; the document goes on behind it.
    fn fault(&mut self, fault: Fault);
}

/// What is wrong with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault.
    pub kind: FaultKind,
    /// The byte of the file at which it was noticed.
    pub position: u64,
    /// What should have been there.
    pub expected: &'static str,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An object of the list is not valid JSON; it was skipped.
    MalformedObject,
    /// The list holds something other than an object; it was skipped.
    NotAnObject,
    /// A comma between two objects is missing, or one stands where no object is before or behind it.
    Comma,
    /// Another member's value is not valid JSON; it was skipped.
    MalformedMember,
    /// Another member's value is longer than sensible; it was skipped.
    LongMember,
    /// Text follows the document's end.
    TrailingText,
    /// The document ends early.
    Truncated,
}

/// A value longer than this is taken for a broken one or skipped: real ones (sources of a program, say)
/// have megabytes.
const LONGEST_VALUE: usize = 64 << 20;

/// Below this many bytes a cut value is simply scanned again with the next chunk.
const RESCAN: usize = 1 << 20;

/// The farthest a scanner looks ahead of the byte it calls wrong: a pair of `\u` escapes.
const LOOK_AHEAD: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first byte that matters.
    Start,
    /// In the outer object; the flag says whether a comma is due first.
    Members { comma_due: bool },
    /// In the list.
    List { in_object: bool, behind: Behind },
    /// In the list, behind a broken object, looking for the next one.
    SeekObject { in_object: bool, seen: Seen },
    /// In the outer object, behind a broken value, looking for the list.
    SeekList { seen: Seen },
    /// In a member's value that is too long to hold.
    LongMember(LongValue),
    /// Behind the document.
    End { trailing_told: bool },
}

/// What stands before a place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    /// The opening bracket, or something broken that was told already.
    Start,
    /// A value: a comma is due.
    Value,
    /// A comma: a value is due.
    Comma,
}

/// How much of what is looked for stands right before a place: white space between is not held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// None of it.
    Nothing,
    /// The closing brace of an event, or the list's key.
    First,
    /// That and the comma or colon behind it.
    Second,
}

/// How far a value that is not held has been followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LongValue {
    depth: u32,
    in_string: bool,
    after_backslash: bool,
}

/// Whether a step came to a place from which the next can start.
enum Step {
    /// At this place of the buffer.
    At(usize),
    /// The buffer's content ends in the middle; this place is where to start again with more.
    CutOff(usize),
}

/// Scans a document that arrives in chunks.
#[derive(Debug)]
pub struct Document {
    list_key: &'static str,
    scanner: Scanner,
    buffer: Vec<u8>,
    /// The part of the buffer that is to be scanned is `begin..filled`; zeros follow.
    begin: usize,
    filled: usize,
    /// The byte of the file at `buffer[0]`.
    base: u64,
    /// Nothing new can be found before the buffer holds this much.
    wait_for: usize,
    state: State,
    list_seen: bool,
    last_chunk: bool,
}

impl Document {
    /// A document whose list is the value of `list_key`, or the document itself.
    #[must_use]
    pub fn new(list_key: &'static str, keys: Keys) -> Self {
        Self {
            list_key,
            scanner: Scanner::new(keys),
            buffer: vec![0; PADDING],
            begin: 0,
            filled: 0,
            base: 0,
            wait_for: 0,
            state: State::Start,
            list_seen: false,
            last_chunk: false,
        }
    }

    /// Room for the next `len` bytes of the file, to be filled before [`advance`](Self::advance).
    pub fn space(&mut self, len: usize) -> &mut [u8] {
        if self.begin > 0 {
            self.buffer.copy_within(self.begin..self.filled, 0);
            self.base += self.begin as u64;
            self.wait_for = self.wait_for.saturating_sub(self.begin);
            self.filled -= self.begin;
            self.begin = 0;
        }
        let needed = self.filled + len + PADDING;
        if self.buffer.len() < needed {
            self.buffer.reserve_exact(needed - self.buffer.len());
            self.buffer.resize(needed, 0);
        }
        &mut self.buffer[self.filled..self.filled + len]
    }

    /// Scans what the first `len` bytes of [`space`](Self::space) complete.
    pub fn advance(&mut self, len: usize, sink: &mut impl Sink) {
        self.filled += len;
        self.buffer[self.filled..self.filled + PADDING].fill(0);
        if self.filled >= self.wait_for {
            self.run(sink);
        }
    }

    /// Scans the rest; tells a document that ends early.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        self.last_chunk = true;
        self.buffer[self.filled..self.filled + PADDING].fill(0);
        self.run(sink);
        if !matches!(self.state, State::End { .. }) {
            let position = self.position(self.filled);
            sink.fault(Fault { kind: FaultKind::Truncated, position, expected: "the rest of the file" });
        }
    }

    fn position(&self, at: usize) -> u64 {
        self.base + at as u64
    }

    fn run(&mut self, sink: &mut impl Sink) {
        let mut at = self.begin;
        loop {
            let step = match self.state {
                State::Start => self.start(at),
                State::Members { comma_due } => self.member(at, comma_due, sink),
                State::List { in_object, behind } => self.list(at, in_object, behind, sink),
                State::SeekObject { in_object, seen } => self.seek_object(at, in_object, seen),
                State::SeekList { seen } => self.seek_list(at, seen),
                State::LongMember(value) => self.long_member(at, value),
                State::End { trailing_told } => self.end(at, trailing_told, sink),
            };
            match step {
                Step::At(next) => at = next,
                Step::CutOff(next) => {
                    self.begin = next;
                    let pending = self.filled - next;
                    // Scanning a long value again with every chunk would take quadratic time.
                    let worthwhile = pending.min(LONGEST_VALUE.saturating_sub(pending));
                    self.wait_for = if pending < RESCAN { 0 } else { self.filled + worthwhile };
                    return;
                }
            }
        }
    }

    fn start(&mut self, mut at: usize) -> Step {
        if self.base == 0 && at == 0 {
            const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
            if self.filled < BYTE_ORDER_MARK.len() && !self.last_chunk {
                return Step::CutOff(at);
            }
            if self.buffer.starts_with(BYTE_ORDER_MARK) {
                at += BYTE_ORDER_MARK.len();
            }
        }
        at = skip_space(&self.buffer, at);
        match self.buffer[at] {
            b'{' => self.state = State::Members { comma_due: false },
            b'[' => {
                self.list_seen = true;
                self.state = State::List { in_object: false, behind: Behind::Start };
            }
            _ => return Step::CutOff(at),
        }
        Step::At(at + 1)
    }

    fn list(&mut self, mut at: usize, in_object: bool, mut behind: Behind, sink: &mut impl Sink) -> Step {
        loop {
            at = skip_space(&self.buffer, at);
            match self.buffer[at] {
                b'{' => {
                    if behind == Behind::Value {
                        sink.fault(self.fault(FaultKind::Comma, at, "a comma between two objects"));
                    }
                    match self.scanner.object(&self.buffer, at) {
                        Ok(end) => {
                            sink.object(&self.scanner.scanned(&self.buffer, at, end, self.position(at)));
                            behind = Behind::Value;
                            at = end;
                        }
                        Err(wrong) => {
                            self.state = State::List { in_object, behind: Behind::Start };
                            return self.broken_object(at, wrong, in_object, sink);
                        }
                    }
                }
                b',' => {
                    if behind != Behind::Value {
                        sink.fault(self.fault(FaultKind::Comma, at, "an object before the comma"));
                    }
                    behind = Behind::Comma;
                    at += 1;
                }
                b']' => {
                    if behind == Behind::Comma {
                        sink.fault(self.fault(FaultKind::Comma, at, "an object behind the comma"));
                    }
                    self.state = if in_object {
                        State::Members { comma_due: true }
                    } else {
                        State::End { trailing_told: false }
                    };
                    return Step::At(at + 1);
                }
                _ => {
                    self.state = State::List { in_object, behind };
                    return self.not_an_object(at, in_object, sink);
                }
            }
        }
    }

    fn broken_object(&mut self, start: usize, wrong: Wrong, in_object: bool, sink: &mut impl Sink) -> Step {
        if self.cut_off(wrong, start) {
            return Step::CutOff(start);
        }
        if self.ends_at(wrong) {
            return Step::CutOff(self.filled);
        }
        sink.fault(self.fault(FaultKind::MalformedObject, wrong.at, wrong.expected));
        self.state = State::SeekObject { in_object, seen: Seen::Nothing };
        Step::At(wrong.at.max(start + 1))
    }

    /// Something in the list that does not start like an object.
    fn not_an_object(&mut self, at: usize, in_object: bool, sink: &mut impl Sink) -> Step {
        if at >= self.filled {
            return Step::CutOff(self.filled);
        }
        let mut wrong = Wrong::default();
        match skip_value(&self.buffer, at, 0, &mut wrong).map(NonZeroUsize::get) {
            // A number may go on in the next chunk.
            Some(end) if end >= self.filled && !self.last_chunk => Step::CutOff(at),
            Some(end) => {
                sink.fault(self.fault(FaultKind::NotAnObject, at, "an object"));
                self.state = State::List { in_object, behind: Behind::Value };
                Step::At(end)
            }
            None => self.broken_object(at, wrong, in_object, sink),
        }
    }

    /// Looks for `}`, a comma and `{`, with nothing else between.
    fn seek_object(&mut self, mut at: usize, in_object: bool, mut seen: Seen) -> Step {
        loop {
            if seen == Seen::Nothing {
                match self.buffer[at..self.filled].iter().position(|byte| *byte == b'}') {
                    Some(found) => (seen, at) = (Seen::First, at + found + 1),
                    None => at = self.filled,
                }
            }
            at = skip_space(&self.buffer, at);
            if at >= self.filled {
                self.state = State::SeekObject { in_object, seen };
                return Step::CutOff(self.filled);
            }
            match (seen, self.buffer[at]) {
                (Seen::First, b',') => (seen, at) = (Seen::Second, at + 1),
                (Seen::Second, b'{') => {
                    self.state = State::List { in_object, behind: Behind::Start };
                    return Step::At(at);
                }
                _ => seen = Seen::Nothing,
            }
        }
    }

    fn member(&mut self, from: usize, comma_due: bool, sink: &mut impl Sink) -> Step {
        let mut at = skip_space(&self.buffer, from);
        if at >= self.filled {
            return Step::CutOff(self.filled);
        }
        if self.buffer[at] == b'}' {
            self.state = State::End { trailing_told: false };
            return Step::At(at + 1);
        }
        if self.buffer[at] == b',' && comma_due {
            at = skip_space(&self.buffer, at + 1);
        }
        let mut wrong = Wrong::default();
        let Some((key, value)) = key(&self.buffer, at, &mut wrong) else {
            return self.broken_member(from, wrong, sink);
        };
        if key.bytes() == self.list_key.as_bytes() && self.buffer[value] == b'[' {
            self.list_seen = true;
            self.state = State::List { in_object: true, behind: Behind::Start };
            return Step::At(value + 1);
        }
        match skip_value(&self.buffer, value, 1, &mut wrong).map(NonZeroUsize::get) {
            // A number may go on in the next chunk.
            Some(end) if end >= self.filled && !self.last_chunk => Step::CutOff(from),
            Some(end) => {
                sink.member(&key.to_str(), &self.buffer[value..end], self.position(value));
                self.state = State::Members { comma_due: true };
                Step::At(end)
            }
            None => self.broken_member(from, wrong, sink),
        }
    }

    fn broken_member(&mut self, start: usize, wrong: Wrong, sink: &mut impl Sink) -> Step {
        if self.cut_off(wrong, start) {
            return Step::CutOff(start);
        }
        if self.ends_at(wrong) {
            return Step::CutOff(self.filled);
        }
        if !self.last_chunk && wrong.at + LOOK_AHEAD > self.filled {
            // Not wrong, but endless: go on without holding it.
            sink.fault(self.fault(FaultKind::LongMember, start, "a shorter value"));
            let at = self.value_of_long_member(start);
            self.state = State::LongMember(LongValue::default());
            return Step::At(at);
        }
        sink.fault(self.fault(FaultKind::MalformedMember, wrong.at, wrong.expected));
        self.state =
            if self.list_seen { State::End { trailing_told: true } } else { State::SeekList { seen: Seen::Nothing } };
        Step::At(wrong.at)
    }

    /// Where the value of the member that begins at `from` starts.
    fn value_of_long_member(&self, from: usize) -> usize {
        let mut at = skip_space(&self.buffer, from);
        if self.buffer[at] == b',' {
            at = skip_space(&self.buffer, at + 1);
        }
        key(&self.buffer, at, &mut Wrong::default()).map_or(from, |(_, value)| value)
    }

    /// Looks for the list's key, a colon and `[`, with nothing else between.
    fn seek_list(&mut self, mut at: usize, mut seen: Seen) -> Step {
        let needle = self.list_key.as_bytes();
        loop {
            if seen == Seen::Nothing {
                let key = self.buffer[at..self.filled].windows(needle.len() + 2).position(|text| {
                    text[0] == b'"' && text[needle.len() + 1] == b'"' && &text[1..=needle.len()] == needle
                });
                let Some(found) = key else {
                    // The key may have begun.
                    let tail = self.filled.saturating_sub(needle.len() + 1).max(at);
                    self.state = State::SeekList { seen };
                    return Step::CutOff(if self.last_chunk { self.filled } else { tail });
                };
                (seen, at) = (Seen::First, at + found + needle.len() + 2);
            }
            at = skip_space(&self.buffer, at);
            if at >= self.filled {
                self.state = State::SeekList { seen };
                return Step::CutOff(self.filled);
            }
            match (seen, self.buffer[at]) {
                (Seen::First, b':') => (seen, at) = (Seen::Second, at + 1),
                (Seen::Second, b'[') => {
                    self.list_seen = true;
                    self.state = State::List { in_object: true, behind: Behind::Start };
                    return Step::At(at + 1);
                }
                _ => seen = Seen::Nothing,
            }
        }
    }

    /// Follows brackets and quotes to the value's end.
    fn long_member(&mut self, from: usize, mut value: LongValue) -> Step {
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
                        self.state = State::Members { comma_due: true };
                        return Step::At(at);
                    }
                    _ => {}
                }
            }
        }
        self.state = State::LongMember(value);
        Step::CutOff(self.filled)
    }

    fn end(&mut self, from: usize, trailing_told: bool, sink: &mut impl Sink) -> Step {
        let at = skip_space(&self.buffer, from);
        if at < self.filled && !trailing_told {
            sink.fault(self.fault(FaultKind::TrailingText, at, "the end of the file"));
            self.state = State::End { trailing_told: true };
        }
        Step::CutOff(self.filled)
    }

    /// Whether a fault only says that the rest of a value has not arrived yet.
    fn cut_off(&self, wrong: Wrong, start: usize) -> bool {
        !self.last_chunk && wrong.at + LOOK_AHEAD > self.filled && self.filled - start < LONGEST_VALUE
    }

    /// Whether a fault only says that the file ends here, which [`finish`](Self::finish) tells.
    fn ends_at(&self, wrong: Wrong) -> bool {
        let rest = self.buffer.get(wrong.at..self.filled).unwrap_or_default();
        self.last_chunk && rest.len() < LOOK_AHEAD && !rest.iter().any(|byte| matches!(byte, b'}' | b']'))
    }

    fn fault(&self, kind: FaultKind, at: usize, expected: &'static str) -> Fault {
        Fault { kind, position: self.position(at), expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nobody;

    impl Sink for Nobody {
        fn object(&mut self, _: &Object<'_>) {}
        fn member(&mut self, _: &str, _: &[u8], _: u64) {}
        fn fault(&mut self, _: Fault) {}
    }

    /// White space may come in any amount, also behind something broken.
    #[test]
    fn white_space_is_not_held() {
        const CHUNK: usize = 1 << 16;
        let begins = [
            r#"{"traceEvents": [{"a": 1}, {"a":]}"#,
            r#"{"traceEvents": [{"a": 1}, {"a":]},"#,
            r#"{"traceEvents": [{"a": 1}"#,
            r#"{"traceEvents": [{"a": 1},"#,
            r#"{"bad": tru, "traceEvents""#,
            r#"{"bad": tru, "traceEvents":"#,
            r#"{"good": true"#,
            "[",
        ];
        for begin in begins {
            let mut document = Document::new("traceEvents", Keys::new(&["a"]));
            document.space(begin.len()).copy_from_slice(begin.as_bytes());
            document.advance(begin.len(), &mut Nobody);
            for _ in 0..100 {
                document.space(CHUNK).fill(b' ');
                document.advance(CHUNK, &mut Nobody);
            }
            assert!(document.buffer.len() < 3 * CHUNK, "{begin}: {} bytes", document.buffer.len());
        }
    }
}
