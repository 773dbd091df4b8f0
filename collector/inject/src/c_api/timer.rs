//! Named timers, and their statistics in the layout of Paddle's `StatSet`.

use std::cell::RefCell;
use std::ffi::c_char;

use stepscope_collector::{Timing, all_timer_status, count_timers, reset_timers, timed, timer_status};

use super::text::{copy, text};
use crate::guard::guard;

/// Timers that run on a thread, by name, the innermost last.
struct Running(Vec<(Box<str>, Timing)>);

impl Drop for Running {
    /// A thread that ends within a timer has not ended it.
    fn drop(&mut self) {
        self.0.drain(..).for_each(std::mem::forget);
    }
}

thread_local! {
    static RUNNING: RefCell<Running> = const { RefCell::new(Running(Vec::new())) };
}

/// Whether timers count even while nothing is recorded.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_count_timers(always: i32) {
    guard((), || count_timers(always != 0));
}

/// Starts the timer of a name on this thread.
///
/// # Safety
///
/// The text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_timer_begin(name: *const c_char) {
    guard((), || {
        // SAFETY: as the caller promises.
        let Some(name) = (unsafe { text(name) }) else { return };
        let timing = timed(&name);
        let _ = RUNNING.try_with(|running| running.borrow_mut().0.push((name.into(), timing)));
    });
}

/// Starts the timer of a name on this thread, with a text about this time.
///
/// # Safety
///
/// Both texts end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_timer_begin_info(name: *const c_char, info: *const c_char) {
    guard((), || {
        // SAFETY: as the caller promises.
        let (Some(name), info) = (unsafe { (text(name), text(info)) }) else { return };
        let timing = timed(&name).info(&info.unwrap_or_default());
        let _ = RUNNING.try_with(|running| running.borrow_mut().0.push((name.into(), timing)));
    });
}

/// Ends this thread's innermost timer of a name; whether there was one.
///
/// # Safety
///
/// The text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_timer_end(name: *const c_char) -> i32 {
    guard(0, || {
        // SAFETY: as the caller promises.
        let Some(name) = (unsafe { text(name) }) else { return 0 };
        let ended = RUNNING.try_with(|running| {
            let running = &mut running.borrow_mut().0;
            let place = running.iter().rposition(|(known, _)| **known == *name)?;
            Some(running.remove(place))
        });
        i32::from(ended.ok().flatten().is_some())
    })
}

/// Writes the counts of a timer, or of all timers for a null pointer; returns the text's length, 0 if there is no such timer.
///
/// # Safety
///
/// The text ends with a zero; the buffer has room for so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_timer_status(name: *const c_char, buffer: *mut c_char, size: usize) -> usize {
    guard(0, || {
        // SAFETY: as the caller promises.
        let told = match unsafe { text(name) } {
            Some(name) => timer_status(&name).unwrap_or_default(),
            None => all_timer_status(),
        };
        // SAFETY: as the caller promises.
        unsafe { copy(told.as_bytes(), buffer, size) }
    })
}

/// Prints a timer's statistics.
///
/// # Safety
///
/// The text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_print_status(name: *const c_char) {
    guard((), || {
        // SAFETY: as the caller promises.
        if let Some(status) = unsafe { text(name) }.and_then(|name| timer_status(&name)) {
            eprint!("{status}");
        }
    });
}

/// Prints the statistics of all timers.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_print_all_status() {
    guard((), || eprint!("{}", all_timer_status()));
}

/// Resets all timers.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_reset_timers() {
    guard((), reset_timers);
}
