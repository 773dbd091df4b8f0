//! Texts of C.

#![expect(unsafe_code, reason = "texts of C, which end with a zero")]

use std::borrow::Cow;
use std::ffi::c_char;

/// The longest text that is read.
const LONGEST: usize = 1 << 16;

/// A text's bytes; empty for a null pointer.
///
/// # Safety
///
/// It is null, or ends with a zero and stays unchanged for the result's lifetime.
#[inline]
pub(crate) unsafe fn bytes<'a>(text: *const c_char) -> &'a [u8] {
    if text.is_null() {
        return &[];
    }
    // SAFETY: it ends with a zero, or is read no further than `LONGEST`.
    unsafe { std::slice::from_raw_parts(text.cast(), libc::strnlen(text, LONGEST)) }
}

/// A text of wide characters, of four bytes on Linux.
///
/// # Safety
///
/// As of [`bytes`].
pub(crate) unsafe fn wide(text: *const libc::wchar_t) -> String {
    let mut found = String::new();
    if text.is_null() {
        return found;
    }
    for index in 0..LONGEST {
        // SAFETY: all characters before were not the zero at its end.
        match unsafe { *text.add(index) } {
            0 => break,
            character => {
                let character = u32::try_from(character).ok().and_then(char::from_u32);
                found.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }
    found
}

/// Bytes as a text, whatever they are.
#[inline]
pub(crate) fn readable(bytes: &[u8]) -> Cow<'_, str> {
    // Looking for invalid bytes takes much longer, and mostly there are none.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
