//! The kinds of records beside a program's own spans.

use serde::Deserialize;

/// A kind of records beside the program's own spans.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Ranges and instant events of NVTX.
    Nvtx,
    /// Activities of the GPU, and the calls that launch them.
    Cuda,
    /// Steps, phases and data loading of Python's frameworks.
    Python,
    /// Allocations and releases that the program reports.
    Memory,
}
