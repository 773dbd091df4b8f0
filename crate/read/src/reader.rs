//! The interface of readers: what a reader is asked, and what it hands back.

use stepscope_base::{Error, ReadAt, Warnings};
use stepscope_trace::TraceBuilder;

use crate::head::{Head, Verdict};
use crate::recordings::{Export, Windows};

/// Reads the files of one producer.
pub trait Reader: Sync {
    /// A stable name, as in the program's JSON.
    fn id(&self) -> &'static str;
    /// The files that it reads, for a person.
    fn about(&self) -> About;
    /// Whether a file is one of the producer's, by its first bytes.
    ///
    /// The path (in a folder or archive, with `/`) may tell files of one producer apart whose contents look
    /// alike; what it says is never enough for a yes.
    fn sniff(&self, path: &str, head: Head<'_>) -> Verdict;
    /// Whether a slice's position is that of its event, which is an object of JSON.
    fn has_json_events(&self) -> bool {
        false
    }
    /// How it reads a file.
    fn method(&self) -> Method;
    /// Starts to read a piece of a file apart from what is before it, where that gives the same as reading it in turn.
    fn apart(&self) -> Option<Apart> {
        None
    }
    /// Which rank of which run a file is a part of; nothing if it is a rank by itself.
    fn part_of(&self, path: &str, head: Head<'_>) -> Option<RunPart> {
        let _ = (path, head);
        None
    }
    /// Which recording a file is an export of, so that what was exported twice is read once.
    fn export_of(&self, path: &str, head: Head<'_>) -> Export {
        let _ = head;
        Export::only(self.id(), path)
    }
    /// The processes in a file that are a rank each, where it is read here and there and can hold several ranks: what reads
    /// it is given such a [`process`](ReadAt::process).
    fn ranks_in(&self, file: &mut dyn ReadAt) -> Vec<i64> {
        let _ = file;
        Vec::new()
    }
    /// The part of a process's time that a file holds, where a process is recorded more than once and files say so.
    fn windows_of(&self, head: Head<'_>) -> Option<Windows> {
        let _ = head;
        None
    }
}

/// A reader's line in the table of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The producer and its format.
    pub title: &'static str,
    /// Versions, and kinds of devices, whose files are read.
    pub versions: &'static str,
    /// The parts of them that are read.
    pub read: &'static str,
    /// The parts that are not.
    pub not_read: &'static str,
}

/// How a reader reads a file, into the trace that the files before it of the same rank began.
#[derive(Clone, Copy)]
pub enum Method {
    /// From front to back, in chunks.
    Stream(fn(TraceBuilder) -> Box<dyn Reading>),
    /// Here and there, as a database is read.
    Random(RandomRead),
}

/// Reads a file here and there; the last argument is told how many bytes were read so far.
pub type RandomRead = fn(&mut dyn ReadAt, &mut TraceBuilder, &mut Warnings, &mut dyn FnMut(u64)) -> Result<(), Error>;

/// Starts to read the events that begin between two bytes of a file.
pub type Apart = fn((u64, u64)) -> Box<dyn ShardReading>;

/// A piece of a file that is being read apart from what is before it, from some byte of the file on.
pub trait ShardReading {
    /// Room for the next `len` bytes.
    fn space(&mut self, len: usize) -> &mut [u8];
    /// Reads the first `len` bytes of [`space`](Self::space).
    fn advance(&mut self, len: usize);
    /// Whether what comes does not matter any more.
    fn is_done(&self) -> bool;
    /// The counts of it so far.
    fn counts(&self) -> Counts;
    /// Hands over what was found, for [`Reading::join`]: nothing if no event was found.
    fn serialize(self: Box<Self>, hand: &mut dyn FnMut(&[u8]));
}

/// The rank that a file is a part of: files with the same run and rank are read as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunPart {
    /// The folder of the run that profiled it; with nothing else in it if files lie side by side.
    pub run: String,
    /// The rank's number, where the file or its name tells; files of a run without one go to its first rank.
    pub rank: Option<u64>,
    /// Which of a rank's files is read first: those with events before those that only add to them.
    pub order: u8,
}

/// The counts of a file so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events of any kind.
    pub events: u64,
    /// Those of them that are slices.
    pub slices: u64,
    /// Those of the slices that are kernels, copies and fills.
    pub activities: u64,
}

impl Counts {
    /// The counts of a builder so far.
    #[must_use]
    pub fn of(builder: &TraceBuilder) -> Self {
        Self { events: builder.meta.events, slices: builder.slices() as u64, activities: builder.activities() as u64 }
    }
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
    /// Says that no event is read, where it can be told, that begins at this byte of the file or later, until another one is
    /// said: somebody else may have read from there.
    fn stop_at(&mut self, byte: u64) {
        let _ = byte;
    }
    /// At which byte the event begins before which it stopped.
    fn stopped(&self) -> Option<u64> {
        None
    }
    /// The byte of the file that it wants next.
    fn next_byte(&self) -> u64 {
        0
    }
    /// Takes over what [`ShardReading::serialize`] handed over of the piece that begins where this stopped, and goes on behind
    /// that, up to where it is to stop next. Whether that piece was so: else it goes on as if there were none.
    fn join(&mut self, next: &mut dyn FnMut(&mut Vec<u8>) -> bool, stop: u64) -> bool {
        let _ = (next, stop);
        false
    }
    /// The counts so far, of this file and those before it.
    fn counts(&self) -> Counts;
    /// Reads the rest.
    fn finish(self: Box<Self>) -> Finished;
}

/// The result of reading a file.
pub struct Finished {
    /// The trace so far: what was found, even if the file is no good.
    pub builder: TraceBuilder,
    /// The file's oddities.
    pub warnings: Warnings,
    /// Why nothing could be made of it.
    pub error: Option<Error>,
}
