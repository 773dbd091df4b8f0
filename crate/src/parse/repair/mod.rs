//! Slow and careful reading of one damaged object or member: a copy that is valid JSON, and what was changed.
//!
//! What was meant is clear of a raw control character, a stray backslash, `NaN` or a comma too many. It is
//! not of a quote without a backslash: the string may end there or not. So a quote ends a string only if what
//! follows makes sense in that place (see [`strings`]); where the text behind it turns out to make none, the
//! scanner goes back and takes that quote for a part of the text, a bounded number of times.
//!
//! All of it depends on nothing but the text from the object's start to at most [`WINDOW`] bytes on, so that
//! the chunks in which it arrives make no difference.

mod bare;
mod look;
mod resume;
mod strings;

pub(super) use self::strings::first_key;

use super::fault::FaultKind;
use super::scanner::{DEEPEST, PADDING};

/// How much of the text a repair looks at. Real events are far shorter.
pub(super) const WINDOW: usize = 1 << 20;

/// How many bytes may be looked at in all for one repair, going back included.
const MOST_WORK: usize = 4 * WINDOW;

/// How often a scan may go back to a quote.
const MOST_RETURNS: usize = 64;

/// Where the damaged text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is an object of the list.
    Element,
    /// It is a member of the outer object, from its key on.
    Member,
}

/// What comes behind the text that is at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// More of the file, which may be waited for.
    More,
    /// More of the file, which is not looked at.
    Limit,
    /// Nothing: the file ends.
    Nothing,
}

/// What became of an attempt.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It is valid now.
    Repaired(Repaired),
    /// The text at hand does not tell.
    NeedMore,
    /// It cannot be repaired.
    Beyond {
        /// Whether the file ends in it.
        ended: bool,
        /// Where its end is, by its brackets, if these are sound.
        end: Option<usize>,
    },
}

/// A valid copy.
#[derive(Clone, Debug, Default)]
pub(super) struct Repaired {
    /// The object or member, followed by [`PADDING`] zeros.
    pub(super) text: Vec<u8>,
    /// Where the original ends.
    pub(super) end: usize,
    /// What was repaired, one of each kind.
    pub(super) repairs: Vec<Repair>,
    /// Whether what follows the original makes sense there.
    pub(super) fits: bool,
}

/// Something that was repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repair {
    pub(super) kind: FaultKind,
    /// Where in the original.
    pub(super) at: usize,
    pub(super) expected: &'static str,
}

/// Tries to repair the object or member that starts at the text's start, and says how much work it was.
pub(super) fn repair(text: &[u8], behind: Behind, place: Place) -> (Outcome, usize) {
    let (text, behind) = if text.len() > WINDOW { (&text[..WINDOW], Behind::Limit) } else { (text, behind) };
    let mut machine = Machine::new(text, behind, place);
    let mut failed_at = None;
    for rules in Rules::ALL {
        machine.restart(rules);
        match machine.run() {
            Ok(()) => {
                machine.repaired.fits = true;
                return (Outcome::Repaired(machine.finish()), machine.work);
            }
            Err(Stop::NeedMore) => return (Outcome::NeedMore, machine.work),
            Err(Stop::Ended | Stop::Failed) => {
                failed_at.get_or_insert(machine.farthest);
            }
        }
    }
    if let Some(repaired) = machine.doubtful.take() {
        return (Outcome::Repaired(repaired), machine.work);
    }
    let (at, stack) = failed_at.unwrap_or_default();
    match resume::end_by_brackets(text, at, stack, behind, place) {
        Ok(end) => (Outcome::Beyond { ended: machine.ended, end }, machine.work),
        Err(_) => (Outcome::NeedMore, machine.work),
    }
}

/// Why a scan stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// The text at hand does not tell.
    NeedMore,
    /// The file ends.
    Ended,
    /// This cannot be.
    Failed,
}

type Step<T> = Result<T, Stop>;

/// Which quotes may end a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rules {
    /// Only those with an even number of quotes before them in the string: quoted words have two each.
    even: bool,
    /// Also those behind a backslash, which is then the text's last character.
    behind_backslash: bool,
}

impl Rules {
    /// The likeliest first.
    const ALL: [Self; 3] = [
        Self { even: true, behind_backslash: false },
        Self { even: true, behind_backslash: true },
        Self { even: false, behind_backslash: true },
    ];
}

/// The objects and lists that are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stack {
    /// One bit per container, the innermost in bit 0: set for an object.
    objects: u128,
    depth: u32,
}

impl Stack {
    fn push(&mut self, object: bool) {
        self.objects = self.objects << 1 | u128::from(object);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.objects >>= 1;
        self.depth = self.depth.saturating_sub(1);
    }

    /// Whether the innermost container is an object.
    fn in_object(self) -> bool {
        self.objects & 1 != 0
    }
}

/// A quote that was taken for a string's end, and how to go back to it.
#[derive(Clone, Copy, Debug)]
struct Choice {
    /// The string's first byte behind its opening quote.
    start: usize,
    /// The quote.
    quote: usize,
    /// How many quotes the string has before it.
    inner: usize,
    /// Whether a backslash stands before it.
    behind_backslash: bool,
    written: usize,
    repairs: usize,
    stack: Stack,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A key, or the end of an object that has no member yet.
    Key,
    /// A value.
    Value,
    /// What follows a value.
    Behind,
    /// Nothing.
    Done,
}

struct Machine<'a> {
    text: &'a [u8],
    behind: Behind,
    place: Place,
    rules: Rules,
    at: usize,
    stack: Stack,
    repaired: Repaired,
    choices: Vec<Choice>,
    returns: usize,
    work: usize,
    /// Where the scan failed that came farthest.
    farthest: (usize, Stack),
    /// Whether a scan came to the file's end.
    ended: bool,
    /// A whole object, but what follows makes no sense.
    doubtful: Option<Repaired>,
}

impl<'a> Machine<'a> {
    fn new(text: &'a [u8], behind: Behind, place: Place) -> Self {
        Self {
            text,
            behind,
            place,
            rules: Rules::ALL[0],
            at: 0,
            stack: Stack::default(),
            repaired: Repaired::default(),
            choices: Vec::new(),
            returns: 0,
            work: 0,
            farthest: (0, Stack::default()),
            ended: false,
            doubtful: None,
        }
    }

    fn restart(&mut self, rules: Rules) {
        self.rules = rules;
        self.at = 0;
        self.stack = Stack::default();
        self.repaired = Repaired::default();
        self.choices.clear();
        self.returns = 0;
        self.farthest = (0, Stack::default());
    }

    fn finish(&mut self) -> Repaired {
        let mut repaired = std::mem::take(&mut self.repaired);
        repaired.end = self.at;
        repaired.text.resize(repaired.text.len() + PADDING, 0);
        repaired
    }

    fn run(&mut self) -> Step<()> {
        let mut next = match self.place {
            Place::Element => Next::Value,
            Place::Member => {
                // As if the outer object had just been opened.
                self.stack.push(true);
                Next::Key
            }
        };
        loop {
            let step = match next {
                Next::Key => self.key(),
                Next::Value => self.value(),
                Next::Behind => self.behind_value(),
                Next::Done => return Ok(()),
            };
            next = match step {
                Ok(next) => next,
                Err(Stop::Failed) => {
                    if self.at >= self.farthest.0 {
                        self.farthest = (self.at, self.stack);
                    }
                    if !self.may_lie_in_a_string() {
                        return Err(Stop::Failed);
                    }
                    self.go_back()?
                }
                Err(stop) => {
                    self.ended |= stop == Stop::Ended;
                    self.farthest = (self.at, self.stack);
                    return Err(stop);
                }
            };
        }
    }

    /// Whether a wrong end of a string explains why the scan failed: then its right end comes up as a quote where
    /// none is due, or behind the whole object. (Paddle writes a bracket in front of that.)
    fn may_lie_in_a_string(&self) -> bool {
        self.stack.depth == self.outermost() || matches!(self.text.get(self.at), Some(b'"' | b'['))
    }

    /// How deep it is behind the object or member.
    fn outermost(&self) -> u32 {
        match self.place {
            Place::Element => 0,
            Place::Member => 1,
        }
    }

    /// Takes the last quote that ended a string for a part of the text, and goes on from there.
    fn go_back(&mut self) -> Step<Next> {
        while let Some(choice) = self.choices.pop() {
            self.returns += 1;
            if self.returns > MOST_RETURNS || self.work > MOST_WORK {
                return Err(Stop::Failed);
            }
            self.repaired.text.truncate(choice.written);
            self.repaired.repairs.truncate(choice.repairs);
            self.stack = choice.stack;
            match self.string_behind(choice) {
                Err(Stop::Failed) => {}
                Ok(()) => return Ok(Next::Behind),
                Err(stop) => {
                    self.ended |= stop == Stop::Ended;
                    return Err(stop);
                }
            }
        }
        Err(Stop::Failed)
    }

    /// A value of any kind.
    fn value(&mut self) -> Step<Next> {
        self.space();
        match self.byte()? {
            b'"' => {
                self.string(self.at + 1)?;
                Ok(Next::Behind)
            }
            brace @ (b'{' | b'[') => self.open(brace),
            b',' | b'}' | b']' => {
                self.note(FaultKind::Word, self.at, "a value");
                self.write(b"null");
                Ok(Next::Behind)
            }
            _ => {
                self.bare()?;
                Ok(Next::Behind)
            }
        }
    }

    fn open(&mut self, brace: u8) -> Step<Next> {
        if self.stack.depth >= DEEPEST {
            let end = resume::end_of_deep(self.text, self.at).map_or_else(|| self.end_of_text(), Ok)?;
            self.note(FaultKind::Deep, self.at, "less deep nesting");
            self.work += end - self.at;
            self.at = end;
            self.write(b"null");
            return Ok(Next::Behind);
        }
        self.stack.push(brace == b'{');
        self.copy(1);
        if brace == b'{' {
            return Ok(Next::Key);
        }
        self.space();
        self.drop_commas()?;
        if self.byte()? == b']' {
            self.copy(1);
            self.stack.pop();
            return Ok(Next::Behind);
        }
        Ok(Next::Value)
    }

    /// A member's key and the colon behind it, or the end of the object where no member is due.
    fn key(&mut self) -> Step<Next> {
        self.space();
        self.drop_commas()?;
        match self.byte()? {
            b'"' => self.key_in_quotes(),
            b'}' if self.stack.depth > 1 || self.place == Place::Element => {
                self.copy(1);
                self.stack.pop();
                Ok(Next::Behind)
            }
            _ => Err(Stop::Failed),
        }
    }

    fn key_in_quotes(&mut self) -> Step<Next> {
        let quote = match self.look_key(self.at)? {
            Some((quote, _)) => quote,
            None => return Err(Stop::Failed),
        };
        self.finish_string(self.at + 1, quote);
        self.space();
        // The look at it saw a colon.
        self.copy(1);
        Ok(Next::Value)
    }

    /// A comma and what follows it, or the end of a container, and so on outwards.
    fn behind_value(&mut self) -> Step<Next> {
        if self.stack.depth == self.outermost() {
            return self.end();
        }
        self.space();
        let in_object = self.stack.in_object();
        match self.byte()? {
            b',' => self.comma(in_object),
            b'}' if in_object => self.close(1),
            b']' if !in_object => self.close(1),
            b'"' if in_object && self.look_key(self.at)?.is_some() => {
                self.missing_comma();
                Ok(Next::Key)
            }
            b'}' | b']' => self.other_bracket(in_object),
            _ if in_object => Err(Stop::Failed),
            _ => {
                self.missing_comma();
                Ok(Next::Value)
            }
        }
    }

    fn missing_comma(&mut self) {
        self.note(FaultKind::Punctuation, self.at, "a comma");
        self.write(b",");
    }

    /// One comma or several.
    fn comma(&mut self, in_object: bool) -> Step<Next> {
        let written = self.repaired.text.len();
        let comma = self.at;
        self.copy(1);
        self.space();
        self.drop_commas()?;
        let close = if in_object { b'}' } else { b']' };
        if self.byte()? == close {
            self.note(FaultKind::Punctuation, comma, "something behind the comma");
            self.repaired.text.truncate(written);
            return self.close(1);
        }
        Ok(if in_object { Next::Key } else { Next::Value })
    }

    /// Leaves out commas that have nothing before them.
    fn drop_commas(&mut self) -> Step<()> {
        while self.byte()? == b',' {
            self.note(FaultKind::Punctuation, self.at, "something before the comma");
            self.at += 1;
            self.space();
        }
        Ok(())
    }

    /// Closes the innermost container, whose bracket takes that many bytes of the text.
    fn close(&mut self, len: usize) -> Step<Next> {
        let bracket = if self.stack.in_object() { b'}' } else { b']' };
        self.repaired.text.push(bracket);
        self.at += len;
        self.stack.pop();
        Ok(Next::Behind)
    }

    /// A bracket of the other kind: either it is one too many, or one is missing before it.
    fn other_bracket(&mut self, in_object: bool) -> Step<Next> {
        if in_object && self.is_comma_and_key(self.at + 1)? {
            self.note(FaultKind::Punctuation, self.at, "no bracket");
            self.at += 1;
            return Ok(Next::Behind);
        }
        let mut outer = self.stack;
        outer.pop();
        let around_is_object = if outer.depth == 0 { self.place == Place::Member } else { outer.in_object() };
        if around_is_object == in_object {
            return Err(Stop::Failed);
        }
        let expected = if in_object { "a closing brace" } else { "a closing bracket" };
        self.note(FaultKind::Punctuation, self.at, expected);
        self.close(0)
    }

    /// The end of it all, if what follows makes sense.
    fn end(&mut self) -> Step<Next> {
        let fits = match self.place {
            Place::Element => self.fits_behind_element(self.at)?,
            Place::Member => self.fits_behind_member(self.at)?,
        };
        if fits {
            return Ok(Next::Done);
        }
        if self.doubtful.is_none() && self.place == Place::Element {
            let end = self.at;
            let mut doubtful = self.repaired.clone();
            doubtful.end = end;
            doubtful.text.resize(doubtful.text.len() + PADDING, 0);
            self.doubtful = Some(doubtful);
        }
        Err(Stop::Failed)
    }

    /// The byte at hand.
    fn byte(&self) -> Step<u8> {
        match self.text.get(self.at) {
            Some(byte) => Ok(*byte),
            None => self.end_of_text(),
        }
    }

    /// What it means that there is no more text.
    fn end_of_text<T>(&self) -> Step<T> {
        Err(match self.behind {
            Behind::More => Stop::NeedMore,
            Behind::Limit => Stop::Failed,
            Behind::Nothing => Stop::Ended,
        })
    }

    /// Copies white space.
    fn space(&mut self) {
        let end = look::skip_space(self.text, self.at);
        self.copy(end - self.at);
    }

    fn copy(&mut self, len: usize) {
        self.work += len;
        self.repaired.text.extend_from_slice(&self.text[self.at..self.at + len]);
        self.at += len;
    }

    fn write(&mut self, text: &[u8]) {
        self.repaired.text.extend_from_slice(text);
    }

    /// Remembers the first repair of each kind.
    fn note(&mut self, kind: FaultKind, at: usize, expected: &'static str) {
        if self.repaired.repairs.iter().all(|repair| repair.kind != kind) {
            self.repaired.repairs.push(Repair { kind, at, expected });
        }
    }
}
