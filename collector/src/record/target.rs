//! What is recorded beside the own spans of a program.

use serde::Deserialize;

/// What a recording is made of, beside the program's own spans.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Ranges and marks of NVTX.
    Nvtx,
    /// What the GPU does, and the calls that make it do so.
    Cuda,
    /// Steps, phases and data loading of Python's frameworks.
    Python,
    /// Allocations and releases that the program tells of.
    Memory,
}
