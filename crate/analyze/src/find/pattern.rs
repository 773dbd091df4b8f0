//! Patterns for texts: a part in any case of letters, with wildcards, or the whole text.

use memchr::memmem;

/// A condition on a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// The text equals this.
    Whole(String),
    /// The text contains this.
    Part(TextPart),
}

/// A part of a text, in lower case: pieces in this order, with anything between them (`*`). A piece is literal texts
/// with any one character between each two (`?`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextPart {
    pieces: Vec<Vec<String>>,
    /// Whether blanks are ignored, as in `[64,3]` and `[64, 3]`.
    without_blanks: bool,
}

impl Pattern {
    /// A text that contains this; `*` and `?` stand for any text and any character.
    pub(super) fn part(text: &str) -> Self {
        Self::Part(TextPart::new(text, false))
    }

    /// As [`part`](Self::part), ignoring blanks.
    pub(super) fn without_blanks(text: &str) -> Self {
        Self::Part(TextPart::new(&spaceless(text), true))
    }

    /// Whether a text matches.
    pub(super) fn holds(&self, text: &str) -> bool {
        match self {
            Self::Whole(whole) => whole == text,
            Self::Part(part) => part.is_in(text),
        }
    }
}

impl TextPart {
    fn new(text: &str, without_blanks: bool) -> Self {
        let lower = text.to_lowercase();
        let pieces = lower.split('*').filter(|piece| !piece.is_empty());
        Self { pieces: pieces.map(|piece| piece.split('?').map(str::to_owned).collect()).collect(), without_blanks }
    }

    fn is_in(&self, text: &str) -> bool {
        let mut lower = if text.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase() };
        if self.without_blanks {
            lower = spaceless(&lower);
        }
        let mut rest = lower.as_str();
        self.pieces.iter().all(|piece| match behind(rest, piece) {
            Some(left) => {
                rest = left;
                true
            }
            None => false,
        })
    }
}

fn spaceless(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

/// The text after the first match of a piece.
fn behind<'a>(text: &'a str, piece: &[String]) -> Option<&'a str> {
    let (first, others) = piece.split_first()?;
    let mut from = 0;
    loop {
        let at = from + memmem::find(&text.as_bytes()[from..], first.as_bytes())?;
        if let Some(rest) = after(&text[at + first.len()..], others) {
            return Some(rest);
        }
        from = at + text[at..].chars().next()?.len_utf8();
    }
}

/// The text after these literals, each of them after any one character.
fn after<'a>(text: &'a str, literals: &[String]) -> Option<&'a str> {
    literals.iter().try_fold(text, |rest, literal| {
        let mut characters = rest.chars();
        characters.next()?;
        characters.as_str().strip_prefix(literal.as_str())
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether a pattern describes a whole text: the definition, character by character.
    fn describes(pattern: &[char], text: &[char]) -> bool {
        match (pattern, text) {
            ([], rest) => rest.is_empty(),
            (['*', others @ ..], rest) => (0..=rest.len()).any(|from| describes(others, &rest[from..])),
            (['?', others @ ..], [_, rest @ ..]) => describes(others, rest),
            ([one, others @ ..], [first, rest @ ..]) => one == first && describes(others, rest),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn a_part_is_what_wildcards_around_it_describe(pattern in "[abÄ*?]{0,6}", text in "[abAÄ]{0,9}") {
            let around: Vec<char> = format!("*{pattern}*").to_lowercase().chars().collect();
            let lower: Vec<char> = text.to_lowercase().chars().collect();
            prop_assert_eq!(Pattern::part(&pattern).holds(&text), describes(&around, &lower));
        }
    }

    #[test]
    fn blanks_of_shapes_count_for_nothing_where_that_is_asked() {
        assert!(Pattern::without_blanks("[64,3]").holds("[[64, 3], []]"));
        assert!(!Pattern::part("[64,3]").holds("[[64, 3], []]"));
        assert!(Pattern::without_blanks("[64, *, 7]").holds("[[64,3,7]]"));
    }
}
