//! A segment of a recording's file, and an order for one.

use std::fs::File;
use std::io;
use std::sync::atomic::Ordering;

use super::system::{self, Mapping};

/// Distance of touched bytes: no page is smaller.
const PAGE: usize = 4096;

/// A segment that is to be made; its place in the file is reserved.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) file: File,
    pub(super) offset: u64,
    pub(super) bytes: usize,
}

impl Order {
    /// Makes it, with all of its pages allocated.
    pub(super) fn make(&self) -> io::Result<Segment> {
        system::allocate(&self.file, self.offset, self.bytes)?;
        let mapping = Mapping::new(&self.file, self.offset, self.bytes)?;
        for word in mapping.words().iter().step_by(PAGE / 8) {
            word.store(0, Ordering::Relaxed);
        }
        Ok(Segment { mapping, offset: self.offset })
    }
}

/// A piece of the file that one thread writes.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) mapping: Mapping,
    pub(super) offset: u64,
}

/// The writer of a segment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Owner {
    /// The thread's serial number.
    pub(super) serial: u64,
    /// Its system id.
    pub(super) id: u64,
    /// Its name's number.
    pub(super) name: u32,
}
