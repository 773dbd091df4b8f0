//! A thread that makes the next segment before it is needed, so that the threads that record touch no page first.

use std::io;
use std::thread::{self, Thread};

use super::segment::{Order, Segment};
use super::system;

/// Starts the thread; it is woken by [`Thread::unpark`] when a segment may be wanted, and lasts as long as the process. It asks for a
/// segment to be made, and of which recording, and hands over what it made.
pub(super) fn start(order: fn() -> Option<(u32, Order)>, deliver: fn(u32, u64, Option<Segment>)) -> io::Result<Thread> {
    let work = move || {
        loop {
            while let Some((generation, order)) = order() {
                // Without the lock: others go on meanwhile, and make a segment themselves if this takes too long.
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
