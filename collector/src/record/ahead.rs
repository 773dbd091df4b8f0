//! A thread that makes the next segment before it is needed, so that the threads that record touch no page first.

use std::fs::File;
use std::io;
use std::sync::atomic::Ordering;
use std::thread::{self, Thread};

use super::file::Segment;
use super::state::{self, Global};
use super::system::{self, Mapping};

/// Bytes between two that are touched: no page is smaller.
const PAGE: usize = 4096;

/// A segment that is to be made: its place in the file is taken.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) file: File,
    pub(super) offset: u64,
    pub(super) bytes: usize,
}

impl Order {
    /// Makes it, with all of its pages there.
    fn make(&self) -> io::Result<Segment> {
        system::allocate(&self.file, self.offset, self.bytes)?;
        let mapping = Mapping::new(&self.file, self.offset, self.bytes)?;
        for word in mapping.words().iter().step_by(PAGE / 8) {
            word.store(0, Ordering::Relaxed);
        }
        Ok(Segment { mapping, offset: self.offset })
    }
}

/// Starts the thread; it is woken by [`Thread::unpark`] when a segment may be wanted, and lasts as long as the process.
pub(super) fn start() -> io::Result<Thread> {
    let spawn = || thread::Builder::new().name("stepscope".to_owned()).stack_size(64 << 10).spawn(work);
    // The program's signals are for its own threads.
    Ok(system::without_signals(spawn)?.thread().clone())
}

fn work() {
    loop {
        while let Some((generation, order)) = state::with(Global::order) {
            // Without the lock: others go on meanwhile, and make a segment themselves if this takes too long.
            let made = order.make();
            state::with(|global| global.deliver(generation, order.offset, made.ok()));
        }
        thread::park();
    }
}
