//! A JSON document that is a list of objects, or an object with such a list in it, chunk by chunk.
//!
//! Only unscanned text is buffered: a chunk, and the part of an object that the previous chunk cut.
//!
//! Other documents are read as far as possible: objects one after another, a second document after the first,
//! unclosed lists. A damaged object is repaired if its meaning is clear, else skipped.

mod begin;
mod list;
mod members;
mod shard;
mod work;

pub use self::shard::{Ends, Shard, ShardSink};

use self::work::Again;
use super::fault::{Fault, FaultKind};
use super::keys::Keys;
use super::repair::{self, DamagedPart, Outcome};
use super::scanner::{Object, PADDING, Scanner};
use crate::wrong::Wrong;

/// Receives the content of a [`Document`].
pub trait Sink {
    /// An object of the list. If it was repaired, its text is the valid copy; the faults right before list the
    /// repairs.
    fn object(&mut self, object: &Object<'_>);
    /// Another member of the outer object: its key, its value's text (valid JSON), and the byte of
    /// the file at which the value starts.
    fn member(&mut self, key: &str, value: &[u8], position: u64);
    /// A fault or a repair; the document continues after it.
    fn fault(&mut self, fault: Fault);
}

/// The longest value: a longer one counts as broken, or is skipped. Real ones (sources of a program, say) have
/// megabytes.
const LONGEST_VALUE: usize = 64 << 20;

/// Up to this many bytes, a cut value is simply scanned again with the next chunk.
const RESCAN: usize = 1 << 20;

/// The most bytes that a scanner reads ahead of a fault's position: a pair of `\u` escapes.
const LOOK_AHEAD: usize = 12;

/// The work that repairs may always take, and the work per byte of the file. The time for a file full of damage must
/// be in proportion to its length.
const REPAIR_ALWAYS: u64 = 64 << 20;
const REPAIR_PER_BYTE: u64 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first significant byte.
    Start,
    /// In the outer object.
    Members { behind: Behind },
    /// In the list.
    List { within: Within, behind: Behind },
    /// In the list, after a broken object, searching the next one.
    SeekObject { within: Within, seen: Seen },
    /// In the outer object, after a broken value, searching the list.
    SeekList { seen: Seen },
    /// In a member's value that is too long to buffer.
    LongMember(LongValue),
    /// After the document.
    End,
    /// In text after the document, searching more objects.
    Trailing { seen: Seen },
}

/// The container of the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// In a list that is a member of the outer object.
    Object,
    /// In a list that is the document.
    Document,
    /// One after another, without a list.
    Lines,
}

/// The token before a position in the list or in the outer object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    /// The opening bracket, or something already reported.
    Start,
    /// A value: a comma is expected.
    Value,
    /// A comma: a value is expected.
    Comma,
}

/// The part of the searched tokens right before a position; white space between is not buffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// None of it.
    Nothing,
    /// The closing brace of an object, or the list's key.
    First,
    /// That, and the comma or colon after it.
    Second,
}

/// The progress in a value that is not buffered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LongValue {
    depth: u32,
    in_string: bool,
    after_backslash: bool,
}

/// The result of a step.
enum Step {
    /// The next step starts at this position of the buffer.
    At(usize),
    /// The buffer ends within a token; this is the position to continue from, with more text.
    CutOff(usize),
    /// The same, but each attempt is expensive: wait for more than a few bytes.
    Hold(usize),
    /// An object begins at this position that another reader may have read, with all after it.
    Stop(usize),
}

/// Scans a document that arrives in chunks.
#[derive(Debug)]
pub struct Document {
    list_key: &'static str,
    scanner: Scanner,
    buffer: Vec<u8>,
    /// The range `begin..filled` of the buffer is unscanned; zeros follow.
    begin: usize,
    filled: usize,
    /// The byte of the file at `buffer[0]`.
    base: u64,
    /// The fill level below which nothing new can be found.
    wait_for: usize,
    state: State,
    list_seen: bool,
    last_chunk: bool,
    /// Whether the file ends within a value.
    cut: bool,
    /// The first key of the last skipped object: the next objects probably begin with the same.
    broken_key: Vec<u8>,
    repair_work: u64,
    /// After a comma, no object is read that begins here or later.
    stop: u64,
    stopped: bool,
    again: Again,
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
            cut: false,
            broken_key: Vec::new(),
            repair_work: 0,
            stop: u64::MAX,
            stopped: false,
            again: Again::default(),
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

    /// Scans the text that the first `len` bytes of [`space`](Self::space) complete.
    pub fn advance(&mut self, len: usize, sink: &mut impl Sink) {
        self.filled += len;
        self.buffer[self.filled..self.filled + PADDING].fill(0);
        if self.filled >= self.wait_for {
            self.run(sink);
        }
    }

    /// Scans the rest; reports a document that ends early.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        self.last_chunk = true;
        self.stop = u64::MAX;
        self.buffer[self.filled..self.filled + PADDING].fill(0);
        self.run(sink);
        let (kind, expected) = match self.state {
            _ if self.cut => (FaultKind::Truncated, "the rest of the file"),
            State::End | State::Trailing { .. } | State::List { within: Within::Lines, .. } => return,
            State::List { .. } | State::Members { .. } => (FaultKind::Unclosed, "the closing brackets"),
            State::Start | State::SeekObject { .. } | State::SeekList { .. } | State::LongMember(_) => {
                (FaultKind::Truncated, "the rest of the file")
            }
        };
        sink.fault(self.fault(kind, self.filled, expected));
    }

    fn position(&self, at: usize) -> u64 {
        self.base + at as u64
    }

    fn run(&mut self, sink: &mut impl Sink) {
        let mut at = self.begin;
        loop {
            let step = match self.state {
                State::Start => self.start(at, sink),
                State::Members { behind } => self.member(at, behind, sink),
                State::List { within, behind } => self.list(at, within, behind, sink),
                State::SeekObject { within, seen } => self.seek_object(at, within, seen),
                State::SeekList { seen } => self.seek_list(at, seen),
                State::LongMember(value) => self.long_member(at, value),
                State::End => self.end(at, sink),
                State::Trailing { seen } => self.trailing(at, seen),
            };
            match step {
                Step::At(next) => at = next,
                Step::CutOff(next) => return self.wait(next),
                Step::Hold(next) => return self.hold(next),
                Step::Stop(next) => {
                    (self.begin, self.wait_for, self.stopped) = (next, 0, true);
                    return;
                }
            }
        }
    }

    /// Ends a run: the next one starts at `next`, once enough of a long value is buffered.
    fn wait(&mut self, next: usize) {
        self.begin = next;
        let pending = self.filled - next;
        self.again.add(pending);
        // Scanning a long value again with every chunk would take quadratic time.
        let worthwhile = pending.min(LONGEST_VALUE.saturating_sub(pending));
        self.wait_for = if pending < RESCAN { 0 } else { self.filled + worthwhile };
    }

    /// Ends a run: the next one repairs what starts at `next` again, with twice as much text, up to a repair's
    /// window.
    fn hold(&mut self, next: usize) {
        self.begin = next;
        let pending = self.filled - next;
        self.again.add(pending);
        self.wait_for = next + (2 * pending).min(repair::WINDOW).max(pending + 1);
    }

    /// Whether a fault only means that the rest of a value has not arrived yet.
    fn cut_off(&self, wrong: Wrong, start: usize) -> bool {
        !self.last_chunk && wrong.at + LOOK_AHEAD > self.filled && self.filled - start < LONGEST_VALUE
    }

    /// Ends the document within a value.
    fn end_in_the_middle(&mut self) -> Step {
        self.cut = true;
        Step::CutOff(self.filled)
    }

    /// Tries to repair what starts at `start`; gives up on files that took too much work.
    fn repair(&mut self, start: usize, place: DamagedPart) -> Outcome {
        if self.repair_work > REPAIR_ALWAYS + REPAIR_PER_BYTE * self.position(start) {
            return Outcome::Beyond { ended: false, end: None };
        }
        let behind = if self.last_chunk { repair::Behind::Nothing } else { repair::Behind::More };
        let (outcome, work) = repair::repair(&self.buffer[start..self.filled], behind, place);
        self.again.add(work);
        if !matches!(outcome, Outcome::NeedMore) {
            self.repair_work += work as u64;
        }
        outcome
    }

    fn tell_repairs(&self, repairs: &[repair::Repair], start: usize, sink: &mut impl Sink) {
        for repair in repairs {
            sink.fault(self.fault(repair.kind, start + repair.at, repair.expected));
        }
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

    /// Any amount of white space may occur, also after something broken. It is buffered only where the text after it
    /// decides the meaning, and then at most the window of a repair.
    #[test]
    fn white_space_is_not_held() {
        const CHUNK: usize = 1 << 16;
        let nothing = [
            r#"{"traceEvents": [{"a": 1}, {"a":]}"#,
            r#"{"traceEvents": [{"a": 1}, {"a":#}"#,
            r#"{"traceEvents": [{"a": 1}, {"a":#}}"#,
            r#"{"traceEvents": [{"a": 1}, {"a": NaN}"#,
            r#"{"traceEvents": [{"a": 1}]}"#,
            r#"{"a": 1}"#,
            r#"{"b": 1}"#,
            r#"{"traceEvents": [{"a": 1}, {"a":]},"#,
            r#"{"traceEvents": [{"a": 1}"#,
            r#"{"traceEvents": [{"a": 1},"#,
            "[",
        ];
        // A damaged member of the outer object, which may be the list's; an object that may be around a list, or one
        // of many.
        let a_window =
            [r#"{"bad": ]:, "traceEvents""#, r#"{"bad": ]:, "traceEvents":"#, r#"{"good": true"#, r#"{"a": 1, "b": 2"#];
        let held = |begin: &str| {
            let mut document = Document::new("traceEvents", Keys::new(&["a"]));
            document.space(begin.len()).copy_from_slice(begin.as_bytes());
            document.advance(begin.len(), &mut Nobody);
            for _ in 0..100 {
                document.space(CHUNK).fill(b' ');
                document.advance(CHUNK, &mut Nobody);
            }
            // The buffer never shrinks: this is its largest size, without the current chunk.
            document.buffer.len() - PADDING - CHUNK
        };
        for begin in nothing {
            assert!(held(begin) <= begin.len(), "{begin}: {} bytes", held(begin));
        }
        for begin in a_window {
            let held = held(begin);
            // The last attempt is made with the chunk that fills the window.
            assert!((repair::WINDOW - CHUNK..repair::WINDOW).contains(&held), "{begin}: {held} bytes");
        }
    }
}
