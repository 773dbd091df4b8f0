//! Arguments of spans.

use std::ffi::c_char;

use stepscope_collector::{NameNumber, SpanHandle, Value};

use super::text::text;
use crate::guard::guard;

fn argument(span: u64, key: u32, value: Value<'_>) {
    guard((), || SpanHandle::from_number(span).argument(NameNumber(key), value));
}

/// Gives an open span a signed integer.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_argument_int(span: u64, key: u32, value: i64) {
    argument(span, key, value.into());
}

/// Gives an open span an unsigned integer.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_argument_uint(span: u64, key: u32, value: u64) {
    argument(span, key, value.into());
}

/// Gives an open span a number with a fraction.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_argument_double(span: u64, key: u32, value: f64) {
    argument(span, key, value.into());
}

/// Gives an open span yes or no.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_argument_bool(span: u64, key: u32, value: i32) {
    argument(span, key, (value != 0).into());
}

/// Gives an open span a text.
///
/// # Safety
///
/// The text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_argument_text(span: u64, key: u32, value: *const c_char) {
    guard((), || {
        // SAFETY: as the caller promises.
        let value = unsafe { text(value) };
        if let Some(value) = value.filter(|_| span != 0) {
            argument(span, key, Value::Text(&value));
        }
    });
}
