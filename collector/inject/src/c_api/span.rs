//! Names and spans.

use std::ffi::c_char;

use stepscope_collector::{Category, Name, NameNumber, SpanHandle, end_span};

use super::text::text;
use crate::guard::guard;

/// The number of a name, for ever; 0 is the empty name.
///
/// # Safety
///
/// The text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_name(name: *const c_char) -> u32 {
    guard(0, || {
        // SAFETY: as the caller promises.
        let name = unsafe { text(name) };
        name.map_or(0, |name| NameNumber::from(Name::new(&name)).0)
    })
}

/// The category of a number from the caller; other numbers are general.
pub(super) fn category(number: u32) -> Category {
    u8::try_from(number).ok().and_then(Category::of).unwrap_or(Category::General)
}

/// Opens a span on this thread; returns it, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_begin(name: u32, category_number: u32, value: u64) -> u64 {
    guard(0, || SpanHandle::open(category(category_number), NameNumber(name), value).number())
}

/// Closes a span.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_end(span: u64) {
    guard((), || SpanHandle::from_number(span).close());
}

/// Closes a span without recording it, if it is the innermost one.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_discard(span: u64) {
    guard((), || SpanHandle::from_number(span).discard());
}

/// Changes an open span's number.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_set_value(span: u64, value: u64) {
    guard((), || SpanHandle::from_number(span).set_value(value));
}

/// Closes the innermost open span of that name on this thread; whether there was one.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_end_named(name: u32) -> i32 {
    guard(0, || SpanHandle::close_named(NameNumber(name)).into())
}

/// Closes the innermost open span of this thread; whether there was one.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_end_innermost() -> i32 {
    guard(0, || end_span().into())
}
