//! Events without a duration, or without a thread.

use std::ffi::c_char;

use stepscope_collector::{
    Mark, MemoryDevice, NameNumber, StaticName, allocated, async_begin, async_end, counter, flow_end, flow_start,
    flow_step, freed, mark, name_thread,
};

use super::text::text;
use crate::guard::guard;

/// Records an instant event.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_mark(name: u32, value: u64) {
    guard((), || mark(NameNumber(name), value));
}

/// Records an instant event with a number that may be negative: that is an argument then, which has a sign.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_mark_signed(name: u32, value: i64) {
    static VALUE: StaticName = StaticName::new("value");
    guard((), || match u64::try_from(value) {
        Ok(value) => mark(NameNumber(name), value),
        Err(_) => Mark::record(NameNumber(name), 0).argument(&VALUE, value),
    });
}

/// Records a counter's value.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_counter(name: u32, value: f64) {
    guard((), || counter(NameNumber(name), value));
}

/// Begins an operation that belongs to no thread.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_async_begin(name: u32, id: u64) {
    guard((), || async_begin(NameNumber(name), id));
}

/// Ends it.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_async_end(name: u32, id: u64) {
    guard((), || async_end(NameNumber(name), id));
}

/// Starts a flow.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_flow_start(name: u32, id: u64) {
    guard((), || flow_start(NameNumber(name), id));
}

/// Continues it.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_flow_step(name: u32, id: u64) {
    guard((), || flow_step(NameNumber(name), id));
}

/// Ends it.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_flow_end(name: u32, id: u64) {
    guard((), || flow_end(NameNumber(name), id));
}

/// A negative number is the host.
fn device(number: i32) -> MemoryDevice {
    match u32::try_from(number) {
        Ok(number) => MemoryDevice::Device(u16::try_from(number).unwrap_or(u16::MAX)),
        Err(_) => MemoryDevice::Host,
    }
}

/// Records an allocation.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_allocated(device_number: i32, address: u64, bytes: u64) {
    guard((), || allocated(device(device_number), address, bytes));
}

/// Records a release.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_freed(device_number: i32, address: u64, bytes: u64) {
    guard((), || freed(device(device_number), address, bytes));
}

/// Names this thread.
///
/// # Safety
///
/// The text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_name_thread(name: *const c_char) {
    guard((), || {
        // SAFETY: as the caller promises.
        if let Some(name) = unsafe { text(name) } {
            name_thread(&name);
        }
    });
}
