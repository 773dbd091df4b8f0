//! A JSON document that is a list of objects, or an object with such a list in it, chunk by chunk.
//!
//! Only what is not yet scanned is held: a chunk and the part of an object that the chunk before cut.
//!
//! What is no such document is read as far as it makes sense: objects one after another, a second document behind
//! the first, lists that nobody closed. A damaged object is repaired if what was meant is clear, else skipped.

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

/// Receives what a [`Document`] finds.
pub trait Sink {
    /// An object of the list. If it was repaired, so its text; the faults told right before say what was.
    fn object(&mut self, object: &Object<'_>);
    /// Another member of the outer object: its key, its value's text (valid JSON), and the byte of
    /// the file at which the value starts.
    fn member(&mut self, key: &str, value: &[u8], position: u64);
    /// Something is wrong or was repaired; the document goes on behind it.
    fn fault(&mut self, fault: Fault);
}

/// A value longer than this is taken for a broken one or skipped: real ones (sources of a program, say)
/// have megabytes.
const LONGEST_VALUE: usize = 64 << 20;

/// Below this many bytes a cut value is simply scanned again with the next chunk.
const RESCAN: usize = 1 << 20;

/// The farthest a scanner looks ahead of the byte it calls wrong: a pair of `\u` escapes.
const LOOK_AHEAD: usize = 12;

/// Work that repairs may always be, and what each byte of the file adds to it: a file of nothing but damage must
/// not take longer than its length justifies.
const REPAIR_ALWAYS: u64 = 64 << 20;
const REPAIR_PER_BYTE: u64 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first byte that matters.
    Start,
    /// In the outer object.
    Members { behind: Behind },
    /// In the list.
    List { within: Within, behind: Behind },
    /// In the list, behind a broken object, looking for the next one.
    SeekObject { within: Within, seen: Seen },
    /// In the outer object, behind a broken value, looking for the list.
    SeekList { seen: Seen },
    /// In a member's value that is too long to hold.
    LongMember(LongValue),
    /// Behind the document.
    End,
    /// In text behind the document, looking for objects like those before all the same.
    Trailing { seen: Seen },
}

/// Where the objects stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// In a list that is a member of the outer object.
    Object,
    /// In a list that is the document.
    Document,
    /// One after another, without a list.
    Lines,
}

/// What stands before a place in the list or in the outer object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    /// The opening bracket, or something that was told already.
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
    /// The closing brace of an object, or the list's key.
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
    /// The same, and it takes more than a few bytes: each attempt is much work.
    Hold(usize),
    /// At this place an object begins behind which somebody else may have read.
    Stop(usize),
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
    /// Whether the file ends in the middle of something.
    cut: bool,
    /// The first key of the last object that was skipped: the next ones begin with the same, most likely.
    broken_key: Vec<u8>,
    repair_work: u64,
    /// Behind a comma, an object that begins there or later is not read.
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

    /// Ends a run: the next one starts at `next`, once enough of a long value is there.
    fn wait(&mut self, next: usize) {
        self.begin = next;
        let pending = self.filled - next;
        self.again.add(pending);
        // Scanning a long value again with every chunk would take quadratic time.
        let worthwhile = pending.min(LONGEST_VALUE.saturating_sub(pending));
        self.wait_for = if pending < RESCAN { 0 } else { self.filled + worthwhile };
    }

    /// Ends a run: the next one tries again to repair what starts at `next`, with twice as much of it, up to all that a
    /// repair looks at.
    fn hold(&mut self, next: usize) {
        self.begin = next;
        let pending = self.filled - next;
        self.again.add(pending);
        self.wait_for = next + (2 * pending).min(repair::WINDOW).max(pending + 1);
    }

    /// Whether a fault only says that the rest of a value has not arrived yet.
    fn cut_off(&self, wrong: Wrong, start: usize) -> bool {
        !self.last_chunk && wrong.at + LOOK_AHEAD > self.filled && self.filled - start < LONGEST_VALUE
    }

    /// The file ends in the middle of something.
    fn end_in_the_middle(&mut self) -> Step {
        self.cut = true;
        Step::CutOff(self.filled)
    }

    /// Tries to repair what starts at `start`; gives up on files that have been too much work.
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

    /// White space may come in any amount, also behind something broken. It is held only where what comes behind it
    /// decides what something is, and then no more of it than a repair looks at.
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
            // It never shrinks: this is the most that was ever held, the chunk at hand with it.
            document.buffer.len() - PADDING - CHUNK
        };
        for begin in nothing {
            assert!(held(begin) <= begin.len(), "{begin}: {} bytes", held(begin));
        }
        for begin in a_window {
            let held = held(begin);
            // The last attempt comes with the chunk that fills the window.
            assert!((repair::WINDOW - CHUNK..repair::WINDOW).contains(&held), "{begin}: {held} bytes");
        }
    }
}
