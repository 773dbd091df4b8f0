//! Careful reading of one damaged object or member: makes a valid JSON copy and lists the changes.
//!
//! The meaning of a raw control character, a stray backslash, `NaN` or a superfluous comma is clear. That of a quote
//! without a backslash is not: the string may end there or not. So a quote ends a string only if the text after it
//! makes sense there (see [`strings`]). If later text makes none, the scanner backtracks and takes that quote as a
//! part of the text. It does so a bounded number of times.
//!
//! The result only depends on the text from the object's start to at most [`WINDOW`] bytes after it. The chunks in
//! which it arrives make no difference.

mod bare;
mod grammar;
mod look;
mod machine;
mod resume;
mod strings;

pub(super) use self::machine::{Behind, DamagedPart, Repair, Repaired, WINDOW};
use self::machine::{Machine, Rules, Stop};
pub(super) use self::strings::first_key;

/// The result of an attempt.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It is valid now.
    Repaired(Repaired),
    /// More text is needed.
    NeedMore,
    /// It cannot be repaired.
    Beyond {
        /// Whether the file ends in it.
        ended: bool,
        /// The position of its end, by its brackets, if these are balanced.
        end: Option<usize>,
    },
}

/// Tries to repair the object or member at the text's start; returns the amount of work, too.
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
