//! Names and texts whose middle is left out.

/// Characters of a name in the summary at most.
const SHORT: usize = 120;

/// A name in the summary, its middle left out if it is long: kernels have names of thousands of characters.
pub(super) fn clipped(text: impl AsRef<str>) -> String {
    clipped_to(text.as_ref(), SHORT)
}

/// A text of at most so many characters, its middle left out.
pub(super) fn clipped_to(text: &str, most: usize) -> String {
    let all = text.chars().count();
    if all <= most {
        return text.to_owned();
    }
    let end = most / 4;
    text.chars().take(most - end).chain(std::iter::once('…')).chain(text.chars().skip(all - end)).collect()
}
