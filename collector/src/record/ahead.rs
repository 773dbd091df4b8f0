//! A thread that makes the next segment before it is needed, so that the threads that record touch no page first.

use std::io;
use std::thread::{self, Thread};

use super::segment::{Order, Segment};
use super::system;

/// Starts the thread, which lasts as long as the process. [`Thread::unpark`] wakes it when a segment may be wanted. It
/// gets an order for a segment and the recording's number from `order`, and passes the result to `deliver`.
pub(super) fn start(order: fn() -> Option<(u32, Order)>, deliver: fn(u32, u64, Option<Segment>)) -> io::Result<Thread> {
    let work = move || {
        loop {
            while let Some((generation, order)) = order() {
                // Without the lock: other threads continue, and make a segment themselves if this takes too long.
                let made = order.make();
                deliver(generation, order.offset, made.ok());
            }
            thread::park();
        }
    };
    let spawn = || thread::Builder::new().name("stepscope".to_owned()).stack_size(64 << 10).spawn(work);
    // The program's signals are for its own threads.
    Ok(system::without_signals(spawn)?.thread().clone())
}
