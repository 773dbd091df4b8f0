//! The scan, with backtracking to quotes.

use crate::fault::FaultKind;
use crate::scanner::PADDING;

/// The text that a repair may read. Real events are far shorter.
pub(crate) const WINDOW: usize = 1 << 20;

/// The most bytes that one repair may process in total, backtracking included.
pub(super) const MOST_WORK: usize = 4 * WINDOW;

/// The longest value that is left out because it is nested too deep.
pub(super) const DEEP_REACH: usize = 1 << 16;

/// The most times that a scan may backtrack to a quote.
pub(super) const MOST_RETURNS: usize = 64;

/// The role of the damaged text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DamagedPart {
    /// An object of the list.
    Element,
    /// A member of the outer object, from its key on.
    Member,
}

/// The text after the buffered one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    /// More of the file, for which the repair may wait.
    More,
    /// More of the file, which is beyond the window.
    Limit,
    /// None: the file ends.
    Nothing,
}

/// A valid copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repaired {
    /// The object or member, followed by [`PADDING`] zeros.
    pub(crate) text: Vec<u8>,
    /// The position after the original.
    pub(crate) end: usize,
    /// The repairs, one of each kind.
    pub(crate) repairs: Vec<Repair>,
    /// Whether the text after the original makes sense there.
    pub(crate) fits: bool,
}

/// A repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    pub(crate) kind: FaultKind,
    /// Its position in the original.
    pub(crate) at: usize,
    pub(crate) expected: &'static str,
}

/// The reason why a scan stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// More text is needed.
    NeedMore,
    /// The file ends.
    Ended,
    /// The text is not valid.
    Failed,
}

pub(super) type Step<T> = Result<T, Stop>;

/// The quotes that may end a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    /// Only quotes with an even number of quotes before them in the string: quoted words have two each.
    pub(super) even: bool,
    /// Also quotes after a backslash, which is then the text's last character.
    pub(super) behind_backslash: bool,
}

impl Rules {
    /// The likeliest rules first.
    pub(super) const ALL: [Self; 3] = [
        Self { even: true, behind_backslash: false },
        Self { even: true, behind_backslash: true },
        Self { even: false, behind_backslash: true },
    ];
}

/// The open objects and lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stack {
    /// One bit per container, the innermost in bit 0: set for an object.
    pub(super) objects: u128,
    pub(super) depth: u32,
}

impl Stack {
    pub(super) fn push(&mut self, object: bool) {
        self.objects = self.objects << 1 | u128::from(object);
        self.depth += 1;
    }

    pub(super) fn pop(&mut self) {
        self.objects >>= 1;
        self.depth = self.depth.saturating_sub(1);
    }

    /// Whether the innermost container is an object.
    pub(super) fn in_object(self) -> bool {
        self.objects & 1 != 0
    }
}

/// A quote that was taken as a string's end, with the state to backtrack to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The string's first byte after its opening quote.
    pub(super) start: usize,
    /// The quote.
    pub(super) quote: usize,
    /// The number of quotes in the string before it.
    pub(super) inner: usize,
    /// Whether it follows a backslash.
    pub(super) behind_backslash: bool,
    pub(super) written: usize,
    pub(super) repairs: usize,
    pub(super) stack: Stack,
}

/// The expected token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A key, or the end of an object without members.
    Key,
    /// A value.
    Value,
    /// The token after a value.
    Behind,
    /// None.
    Done,
}

pub(super) struct Machine<'a> {
    pub(super) text: &'a [u8],
    pub(super) behind: Behind,
    pub(super) place: DamagedPart,
    pub(super) rules: Rules,
    pub(super) at: usize,
    pub(super) stack: Stack,
    pub(super) repaired: Repaired,
    pub(super) choices: Vec<Choice>,
    pub(super) returns: usize,
    pub(super) work: usize,
    /// The farthest position at which a scan failed.
    pub(super) farthest: (usize, Stack),
    /// Whether a scan reached the file's end.
    pub(super) ended: bool,
    /// Whether other rules may give a string another end.
    pub(super) other_ends: bool,
    /// A complete object with text after it that makes no sense.
    pub(super) doubtful: Option<Repaired>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(text: &'a [u8], behind: Behind, place: DamagedPart) -> Self {
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
            other_ends: false,
            doubtful: None,
        }
    }

    pub(super) fn restart(&mut self, rules: Rules) {
        self.rules = rules;
        self.at = 0;
        self.stack = Stack::default();
        self.repaired = Repaired::default();
        self.choices.clear();
        self.returns = 0;
        self.farthest = (0, Stack::default());
    }

    pub(super) fn finish(&mut self) -> Repaired {
        let mut repaired = std::mem::take(&mut self.repaired);
        repaired.end = self.at;
        repaired.text.resize(repaired.text.len() + PADDING, 0);
        repaired
    }

    pub(super) fn run(&mut self) -> Step<()> {
        let mut next = match self.place {
            DamagedPart::Element => Next::Value,
            DamagedPart::Member => {
                // As after the brace of the outer object.
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

    /// Whether a wrong end of a string explains the failure. The right end is then found as an unexpected quote, or
    /// after the whole object. (Paddle writes a bracket before it.)
    pub(super) fn may_lie_in_a_string(&self) -> bool {
        self.stack.depth == self.outermost() || matches!(self.text.get(self.at), Some(b'"' | b'['))
    }

    /// The depth after the object or member.
    pub(super) fn outermost(&self) -> u32 {
        match self.place {
            DamagedPart::Element => 0,
            DamagedPart::Member => 1,
        }
    }

    /// Takes the last quote that ended a string as a part of the text, and continues from there.
    pub(super) fn go_back(&mut self) -> Step<Next> {
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

    /// The current byte.
    pub(super) fn byte(&self) -> Step<u8> {
        match self.text.get(self.at) {
            Some(byte) => Ok(*byte),
            None => self.end_of_text(),
        }
    }

    /// The meaning of the end of the text.
    pub(super) fn end_of_text<T>(&self) -> Step<T> {
        Err(match self.behind {
            Behind::More => Stop::NeedMore,
            Behind::Limit => Stop::Failed,
            Behind::Nothing => Stop::Ended,
        })
    }

    /// Copies white space.
    pub(super) fn space(&mut self) {
        let end = skip_space(self.text, self.at);
        self.copy(end - self.at);
    }

    pub(super) fn copy(&mut self, len: usize) {
        self.work += len;
        self.repaired.text.extend_from_slice(&self.text[self.at..self.at + len]);
        self.at += len;
    }

    pub(super) fn write(&mut self, text: &[u8]) {
        self.repaired.text.extend_from_slice(text);
    }

    /// Keeps the first repair of each kind.
    pub(super) fn note(&mut self, kind: FaultKind, at: usize, expected: &'static str) {
        if self.repaired.repairs.iter().all(|repair| repair.kind != kind) {
            self.repaired.repairs.push(Repair { kind, at, expected });
        }
    }
}

/// The first position from `at` on that is not white space, or the text's end.
pub(super) fn skip_space(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).unwrap_or(rest.len())
}
