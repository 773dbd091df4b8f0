//! Resources of a thread: memory, by an allocator that counts, and processor time.

#![expect(unsafe_code, reason = "an allocator that counts is one that forwards")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes that this thread holds now, and the peak: negative if it freed other threads' memory.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, counting each thread's memory.
pub(crate) struct Counting;

fn count(change: isize) {
    // A thread that ends may free after its counters are gone.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: everything is forwarded to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: as this function's caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: as this function's caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.cast_signed() - layout.size().cast_signed());
        // SAFETY: as this function's caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: as this function's caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Runs something; returns its result, its processor time in seconds, and its peak memory in bytes.
pub(crate) fn metered<T>(run: impl FnOnce() -> T) -> (T, f64, usize) {
    let begun = (HELD.get(), seconds());
    PEAK.set(begun.0);
    let given = run();
    ((given), seconds() - begun.1, (PEAK.get() - begun.0).max(0).cast_unsigned())
}

/// Processor time of this thread; elapsed time if the system does not report it.
fn seconds() -> f64 {
    thread_local!(static START: std::time::Instant = std::time::Instant::now());
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos: Option<f64> = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanos.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64()), |nanos| nanos / 1e9)
}
