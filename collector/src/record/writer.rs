//! A thread's side of a recording: only one call at a time is in it.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::clock::Clock;
use super::segment::{Owner, Segment};
use super::system::Mapping;

/// A thread's side of a recording.
pub(super) struct Writer {
    pub(super) generation: u32,
    pub(super) clock: Clock,
    pub(super) segment: Option<Segment>,
    pub(super) header: Option<Arc<Mapping>>,
    pub(super) owner: Owner,
    /// Open spans.
    pub(super) depth: u32,
    /// Those of them that were closed before one inside of them.
    pub(super) holes: u32,
    pub(super) committed: usize,
    pub(super) capacity: usize,
    /// Open spans beyond those that a segment can hold: these do not outlive a kill.
    pub(super) deep: Vec<[u64; 4]>,
    /// Events dropped since there was no room on the disk.
    pub(super) dropped: u32,
    pub(super) remembered: Option<FxHashMap<Box<str>, u32>>,
}

thread_local! {
    pub(super) static WRITER: RefCell<Writer> = const {
        RefCell::new(Writer {
            generation: 0,
            clock: Clock::Monotonic,
            segment: None,
            header: None,
            owner: Owner { serial: 0, id: 0, name: 0 },
            depth: 0,
            holes: 0,
            committed: 0,
            capacity: 0,
            deep: Vec::new(),
            dropped: 0,
            remembered: None,
        })
    };
}

/// Runs something that takes the lock, without being re-entered from within it, such as by an allocator that records.
pub(super) fn exclusive<T>(run: impl FnOnce() -> T) -> Option<T> {
    let mut run = Some(run);
    let in_writer = |writer: &RefCell<Writer>| {
        let _busy = writer.try_borrow_mut().ok()?;
        run.take().map(|run| run())
    };
    match WRITER.try_with(in_writer) {
        Ok(done) => done,
        // At a thread's very end nothing of ours calls the recorder.
        Err(_) => run.map(|run| run()),
    }
}
