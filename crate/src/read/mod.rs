//! Readers: one producer each. A reader knows its producer's text; what events mean to the model is
//! said through [`TraceBuilder`](crate::trace::TraceBuilder).
//!
//! To add one: a file or folder here, a line in [`READERS`], a folder of fixtures.

mod kineto;

use crate::error::Error;
use crate::input::{Head, Verdict};
use crate::trace::Trace;
use crate::warn::Warnings;

/// Reads the files of one producer.
pub trait Reader: Sync {
    /// A stable name, as in the program's JSON.
    fn id(&self) -> &'static str;
    /// What it reads, for a person.
    fn title(&self) -> &'static str;
    /// Whether a file is one of the producer's, by its first bytes.
    fn sniff(&self, head: Head<'_>) -> Verdict;
    /// Starts to read a file.
    fn start(&self) -> Box<dyn Reading>;
}

/// A file that is being read.
pub trait Reading {
    /// Room for the next `len` bytes.
    fn space(&mut self, len: usize) -> &mut [u8];
    /// Reads the first `len` bytes of [`space`](Self::space).
    ///
    /// # Errors
    ///
    /// If nothing can be made of the file.
    fn advance(&mut self, len: usize) -> Result<(), Error>;
    /// How many events were found so far.
    fn events(&self) -> u64;
    /// Reads the rest and makes the trace.
    ///
    /// # Errors
    ///
    /// If there is no event.
    fn finish(self: Box<Self>, warnings: &mut Warnings) -> Result<Trace, Error>;
}

/// All readers, in the order in which they are asked.
pub const READERS: &[&dyn Reader] = &[&kineto::Kineto];
