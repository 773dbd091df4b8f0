//! Clocks, and CPU time.

use std::hint::black_box;
use std::time::Instant;

/// Source of times.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    Monotonic,
    Counter,
}

/// Each clock with its reading function.
pub(crate) const CLOCKS: [(Clock, fn()); 2] = [
    (Clock::Monotonic, || {
        black_box(Instant::now());
    }),
    (Clock::Counter, || {
        black_box(counter());
    }),
];

#[cfg(target_arch = "x86_64")]
fn counter() -> u64 {
    // SAFETY: every processor of this architecture has the instruction.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(not(target_arch = "x86_64"))]
fn counter() -> u64 {
    0
}

/// CPU time in ns, of this thread and of the process.
pub(crate) struct CpuTime {
    pub(crate) thread: f64,
    pub(crate) process: f64,
}

pub(crate) fn cpu_time() -> CpuTime {
    let read = |clock| {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: it writes into `time` alone.
        unsafe { libc::clock_gettime(clock, &raw mut time) };
        time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
    };
    CpuTime { thread: read(libc::CLOCK_THREAD_CPUTIME_ID), process: read(libc::CLOCK_PROCESS_CPUTIME_ID) }
}
