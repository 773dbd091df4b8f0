//! The interface of readers.

use stepscope_base::{Error, ReadAt, RejectionReason, Warnings};
use stepscope_trace::TraceBuilder;

use crate::head::{Head, Verdict};
use crate::recordings::{Export, Windows};

/// Reads the files of one producer.
pub trait Reader: Sync {
    /// A stable name, as in the program's JSON.
    fn id(&self) -> &'static str;
    /// The files that it reads, for users.
    fn about(&self) -> About;
    /// Whether a file is one of the producer's, by its first bytes.
    ///
    /// The path (in a folder or archive, with `/`) may distinguish files of one producer with similar contents; it
    /// never suffices to accept a file.
    fn sniff(&self, path: &str, head: Head<'_>) -> Verdict;
    /// Whether a slice's position is that of its event, which is an object of JSON.
    fn has_json_events(&self) -> bool {
        false
    }
    /// The way in which it reads a file.
    fn method(&self) -> Method;
    /// Starts to read a shard of a file; none if shards could give another result than the whole file.
    fn apart(&self) -> Option<Apart> {
        None
    }
    /// The run and rank to which a file belongs; none if it is a rank on its own.
    fn part_of(&self, path: &str, head: Head<'_>) -> Option<RunPart> {
        let _ = (path, head);
        None
    }
    /// The reason why its files are left out beside files of other readers; none if they are not.
    fn why_alone(&self) -> Option<RejectionReason> {
        None
    }
    /// The recording of which a file is an export, so that a recording exported twice is read once.
    fn export_of(&self, path: &str, head: Head<'_>) -> Export {
        let _ = head;
        Export::only(self.id(), path)
    }
    /// The processes of a file that are one rank each. For readers with random access whose files may have several
    /// ranks; such a file is then read for one [`process`](ReadAt::process).
    fn ranks_in(&self, file: &mut dyn ReadAt) -> Vec<i64> {
        let _ = file;
        Vec::new()
    }
    /// The devices whose rows a file has side by side, one rank each; `read` fills a buffer with the next bytes of its
    /// text. Such a file is then read once for each, in [`folder_of`](super::folder_of).
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn devices_in(&self, path: &str, read: &mut ReadText<'_>) -> std::io::Result<Vec<i64>> {
        let _ = (path, read);
        Ok(Vec::new())
    }
    /// The recordings of a process in a file, for formats in which a process is recorded more than once.
    fn windows_of(&self, head: Head<'_>) -> Option<Windows> {
        let _ = head;
        None
    }
}

/// Fills a buffer with the next bytes of a text; returns their number, which is 0 at the end.
pub type ReadText<'a> = dyn FnMut(&mut [u8]) -> std::io::Result<usize> + 'a;

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

/// The way in which a reader reads a file, into the trace of the rank's earlier files.
#[derive(Clone, Copy)]
pub enum Method {
    /// From front to back, in chunks.
    Stream(fn(TraceBuilder) -> Box<dyn Reading>),
    /// With random access, as for a database.
    Random(RandomRead),
}

/// Reads a file with random access; the last argument gets the number of bytes read so far.
pub type RandomRead = fn(&mut dyn ReadAt, &mut TraceBuilder, &mut Warnings, &mut dyn FnMut(u64)) -> Result<(), Error>;

/// Starts to read the events that begin between two bytes of a file.
pub type Apart = fn((u64, u64)) -> Box<dyn ShardReading>;

/// A shard that is being read: a range of a file, read without the part before it.
pub trait ShardReading {
    /// Room for the next `len` bytes.
    fn space(&mut self, len: usize) -> &mut [u8];
    /// Reads the first `len` bytes of [`space`](Self::space).
    fn advance(&mut self, len: usize);
    /// Whether further bytes are not needed.
    fn is_done(&self) -> bool;
    /// The counts of it so far.
    fn counts(&self) -> Counts;
    /// Serializes the result for [`Reading::join`]; nothing if no event was found.
    fn serialize(self: Box<Self>, hand: &mut dyn FnMut(&[u8]));
}

/// The rank that a file is a part of: files with the same run and rank are read as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunPart {
    /// The folder of the run; it has nothing else in it if files lie side by side.
    pub run: String,
    /// The rank's number, if the file or its name has it; files of a run without one go to its first rank.
    pub rank: Option<u64>,
    /// The order of a rank's files: those with events before those that only add to them.
    pub order: u8,
}

/// The counts of a file so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events of any kind.
    pub events: u64,
    /// Slices among them.
    pub slices: u64,
    /// Kernels, memcpys and memsets among the slices.
    pub activities: u64,
}

impl Counts {
    /// The counts of a builder so far.
    #[must_use]
    pub fn of(builder: &TraceBuilder) -> Self {
        Self { events: builder.meta.events, slices: builder.slices() as u64, activities: builder.activities() as u64 }
    }
}

/// A file in progress.
pub trait Reading {
    /// Room for the next `len` bytes.
    fn space(&mut self, len: usize) -> &mut [u8];
    /// Reads the first `len` bytes of [`space`](Self::space).
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn advance(&mut self, len: usize) -> Result<(), Error>;
    /// Stops at the first event that begins at this byte of the file or later, until the next call; another reader
    /// may have read from there. Readers that cannot stop read on.
    fn stop_at(&mut self, byte: u64) {
        let _ = byte;
    }
    /// The byte at which the first event after the stop begins.
    fn stopped(&self) -> Option<u64> {
        None
    }
    /// The byte of the file that is needed next.
    fn next_byte(&self) -> u64 {
        0
    }
    /// Merges the result of [`ShardReading::serialize`] for the shard that begins at the stop. Returns whether it
    /// did; reading then continues after the shard, else from the stop. The next stop is `stop`.
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
    /// The trace so far: all that was found, even if the file failed.
    pub builder: TraceBuilder,
    /// The file's oddities.
    pub warnings: Warnings,
    /// The reason why the file could not be read.
    pub error: Option<Error>,
}
