//! Names and texts, shortened in the middle.

/// The most characters of a name in the summary.
const SHORT: usize = 120;

/// A name in the summary, shortened in the middle if it is long: names of kernels may have thousands of characters.
pub(super) fn clipped(text: impl AsRef<str>) -> String {
    clipped_to(text.as_ref(), SHORT)
}

/// A text with at most `most` characters, shortened in the middle.
pub(super) fn clipped_to(text: &str, most: usize) -> String {
    let all = text.chars().count();
    if all <= most {
        return text.to_owned();
    }
    let end = most / 4;
    text.chars().take(most - end).chain(std::iter::once('…')).chain(text.chars().skip(all - end)).collect()
}
