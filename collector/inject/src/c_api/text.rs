//! Texts from and to callers.

use std::borrow::Cow;
use std::ffi::{CStr, c_char};

/// A caller's text; `None` for a null pointer. Bytes that are not UTF-8 are replaced.
///
/// # Safety
///
/// A pointer that is not null must lead to bytes that end with a zero and stay as they are for `'a`.
pub(super) unsafe fn text<'a>(pointer: *const c_char) -> Option<Cow<'a, str>> {
    // SAFETY: as the caller promises.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy())
}

/// Copies a text with a zero at its end into a caller's buffer, cut to fit; returns the bytes of the whole text.
///
/// # Safety
///
/// A buffer that is not null must have room for so many bytes.
pub(super) unsafe fn copy(text: &[u8], buffer: *mut c_char, size: usize) -> usize {
    if !buffer.is_null() && size > 0 {
        let len = text.len().min(size - 1);
        // SAFETY: there is room for `size` bytes, of which at most the first `len + 1` are written.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, len);
            *buffer.add(len) = 0;
        }
    }
    text.len()
}
