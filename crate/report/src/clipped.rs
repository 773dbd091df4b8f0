//! Names and texts, shortened in the middle.

/// The most characters of a name in the summary.
const SHORT: usize = 120;

/// A name in the summary, shortened in the middle if it is long: names of kernels may have thousands of characters.
pub(super) fn clipped(text: impl AsRef<str>) -> String {
    stepscope_present::text::clipped(text.as_ref(), SHORT)
}
