//! Names by number.

use std::collections::HashMap;

/// Most names that are found by their text; beyond, each use of a new name is a name of its own.
///
/// 10 million names would otherwise take a gigabyte of the program's memory.
const MOST_KNOWN: usize = 1 << 20;

/// The names of a process. Numbers stay the same from one recording to the next, and in forked children.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: HashMap<Box<str>, u32>,
    last: u32,
}

/// A name's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbered {
    pub(super) number: u32,
    /// Whether the recording does not have it yet.
    pub(super) new: bool,
    /// Whether the same text has the same number for ever.
    pub(super) known: bool,
}

impl Names {
    /// The number of a text. `lasting`: whether it must be known for ever, however many there are.
    pub(super) fn number(&mut self, text: &str, lasting: bool) -> Numbered {
        if text.is_empty() {
            return Numbered { number: 0, new: false, known: true };
        }
        if let Some(number) = self.known.get(text) {
            return Numbered { number: *number, new: false, known: true };
        }
        // After four billion names, the rest share the last number.
        self.last = self.last.saturating_add(1);
        let known = lasting || self.known.len() < MOST_KNOWN;
        if known {
            self.known.insert(text.into(), self.last);
        }
        Numbered { number: self.last, new: true, known }
    }

    /// All that are known by their text.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, &str)> {
        self.known.iter().map(|(text, number)| (*number, &**text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_numbers_of_their_own() {
        let mut names = Names::default();
        let number = |names: &mut Names, text: &str| {
            let Numbered { number, new, .. } = names.number(text, false);
            (number, new)
        };
        assert_eq!(number(&mut names, ""), (0, false));
        assert_eq!(number(&mut names, "a"), (1, true));
        assert_eq!(number(&mut names, "b"), (2, true));
        assert_eq!(number(&mut names, "a"), (1, false));
        for index in 0..MOST_KNOWN {
            names.number(&index.to_string(), false);
        }
        let once = names.number("once more", false);
        assert!(once.new && !once.known);
        assert_ne!(names.number("once more", false).number, once.number);
        let lasting = names.number("once more", true);
        assert!(lasting.known && names.number("once more", false) == Numbered { new: false, ..lasting });
        assert_eq!(names.all().count(), MOST_KNOWN + 1);
    }
}
