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
mod grammar;
mod look;
mod machine;
mod resume;
mod strings;

pub(super) use self::strings::first_key;

use super::fault::FaultKind;

/// How much of the text a repair looks at. Real events are far shorter.
pub(super) const WINDOW: usize = 1 << 20;

/// How many bytes may be looked at in all for one repair, going back included.
const MOST_WORK: usize = 4 * WINDOW;

/// How long a value may be that is left out because it nests too deep.
const DEEP_REACH: usize = 1 << 16;

/// How often a scan may go back to a quote.
const MOST_RETURNS: usize = 64;

/// Where the damaged text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DamagedPart {
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
pub(super) fn repair(text: &[u8], behind: Behind, place: DamagedPart) -> (Outcome, usize) {
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
        if !machine.other_ends {
            break;
        }
    }
    if let Some(repaired) = machine.doubtful.take() {
        return (Outcome::Repaired(repaired), machine.work);
    }
    let (at, stack) = failed_at.unwrap_or_default();
    let mut looked = at;
    let end = resume::end_by_brackets(text, &mut looked, stack, behind, place);
    let work = machine.work + (looked - at);
    match end {
        Ok(end) => (Outcome::Beyond { ended: machine.ended, end }, work),
        Err(_) => (Outcome::NeedMore, work),
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
    place: DamagedPart,
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
    /// Whether other rules would let a string end elsewhere.
    other_ends: bool,
    /// A whole object, but what follows makes no sense.
    doubtful: Option<Repaired>,
}
