//! Errors as codes, with the text of the latest one per thread.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::io;

/// Success.
pub(super) const OK: i32 = 0;
/// An argument is invalid.
pub(super) const ARGUMENT: i32 = -1;
/// Not possible in this state: it is recording already.
pub(super) const STATE: i32 = -2;
/// A system call failed.
pub(super) const SYSTEM: i32 = -3;
/// An internal error of the library.
pub(super) const INTERNAL: i32 = -4;

thread_local! {
    static LATEST: RefCell<CString> = RefCell::default();
}

/// Keeps an error's text for `stepscope_last_error`; returns its code.
pub(super) fn failed(code: i32, message: &str) -> i32 {
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    let _ = LATEST.try_with(|latest| latest.replace(text));
    code
}

/// As [`failed`], of an error of the recorder.
pub(super) fn failed_with(error: &io::Error) -> i32 {
    let code = match error.kind() {
        io::ErrorKind::InvalidInput => ARGUMENT,
        io::ErrorKind::AlreadyExists => STATE,
        _ => SYSTEM,
    };
    failed(code, &error.to_string())
}

/// Text of the latest error of this thread, valid until its next error; empty if there was none.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_last_error() -> *const c_char {
    LATEST.try_with(|latest| latest.try_borrow().map_or(c"".as_ptr(), |text| text.as_ptr())).unwrap_or(c"".as_ptr())
}
