//! Finds the end of a broken object, if its brackets are balanced.

use super::machine::{Behind, DamagedPart, Stack, Step, Stop, skip_space};
use crate::scanner::DEEPEST;

/// The distance after the fault within which an end is searched.
const REACH: usize = 1 << 14;

/// The end of the object or member around `at`, given the open brackets; none if later brackets or quotes do not
/// match. `at` becomes the end of the search.
pub(super) fn end_by_brackets(
    text: &[u8],
    at: &mut usize,
    mut stack: Stack,
    behind: Behind,
    place: DamagedPart,
) -> Step<Option<usize>> {
    let limit = text.len().min(at.saturating_add(REACH));
    let cut = if limit == text.len() && behind == Behind::More { Err(Stop::NeedMore) } else { Ok(None) };
    while *at < limit {
        match text[*at] {
            b',' | b'}' if place == DamagedPart::Member && stack.depth == 1 => return Ok(Some(*at)),
            b'"' => match end_of_string(text, *at, limit) {
                Quoted::Until(end) => {
                    *at = end;
                    continue;
                }
                Quoted::Broken => return Ok(None),
                Quoted::Cut => return cut,
            },
            _ if stack.depth == 0 => return Ok(None),
            bracket @ (b'{' | b'[') => {
                if stack.depth >= DEEPEST {
                    return Ok(None);
                }
                stack.push(bracket == b'{');
            }
            bracket @ (b'}' | b']') => {
                if stack.in_object() != (bracket == b'}') {
                    return Ok(None);
                }
                stack.pop();
                if stack.depth == 0 {
                    return end_of_element(text, *at + 1, limit, behind);
                }
            }
            _ => {}
        }
        *at += 1;
    }
    cut
}

/// The end at `at`, if the text after it may follow there.
fn end_of_element(text: &[u8], at: usize, limit: usize, behind: Behind) -> Step<Option<usize>> {
    let next = skip_space(&text[..limit], at);
    match text[..limit].get(next) {
        Some(byte) => Ok(b",]{".contains(byte).then_some(at)),
        None if limit < text.len() => Ok(None),
        None if behind == Behind::More => Err(Stop::NeedMore),
        None => Ok((behind == Behind::Nothing).then_some(at)),
    }
}

/// The end of a string.
enum Quoted {
    /// It ends before this position.
    Until(usize),
    /// It has a line end: this is not a string, but the text between two.
    Broken,
    /// The text ends within it.
    Cut,
}

fn end_of_string(text: &[u8], quote: usize, limit: usize) -> Quoted {
    let mut at = quote + 1;
    while at < limit {
        match text[at] {
            b'"' => return Quoted::Until(at + 1),
            b'\\' => at += 2,
            b'\n' => return Quoted::Broken,
            _ => at += 1,
        }
    }
    Quoted::Cut
}

/// The end of a container that is nested too deep to be read, if its brackets are balanced.
pub(super) fn end_of_deep(text: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match text.get(at)? {
            b'"' => {
                let Quoted::Until(end) = end_of_string(text, at, text.len()) else { return None };
                at = end;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}
