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

/// What a file was found to hold so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events of any kind.
    pub events: u64,
    /// Those of them that are slices.
    pub slices: u64,
    /// Those of the slices that are kernels, copies and fills.
    pub activities: u64,
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
    /// What was found so far.
    fn counts(&self) -> Counts;
    /// Reads the rest and makes the trace.
    ///
    /// # Errors
    ///
    /// If there is no event.
    fn finish(self: Box<Self>, warnings: &mut Warnings) -> Result<Trace, Error>;
}

/// All readers, in the order in which they are asked.
///
/// PyTorch's, by what it makes of one kernel, the call that launched it and the operator around that:
///
/// ```
/// use stepscope::Loader;
///
/// let text = br#"{"deviceProperties": [], "baseTimeNanoseconds": 1000000000000000000, "traceEvents": [
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":2.5,"dur":5},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":3,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":15,"args":{"device":0,"stream":7,"correlation":9}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let kernel = &trace.activities[0];
/// assert_eq!(trace.name_of(kernel.event), "gemm");
/// assert_eq!(kernel.operator.get().map(|operator| trace.name_of(operator)), Some("aten::mm"));
/// assert_eq!(trace.slices.start(kernel.event).0, 7_500); // ns from the trace's start, which is at 2.5 µs
/// assert_eq!(trace.meta.origin_unix_ns, Some(1_000_000_000_000_002_500));
/// # Ok::<(), stepscope::Error>(())
/// ```
pub const READERS: &[&dyn Reader] = &[&kineto::Kineto];
