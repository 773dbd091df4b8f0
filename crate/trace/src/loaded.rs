//! A trace as it was read.

use stepscope_base::Warning;

use crate::Trace;

/// A rank that was read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The trace.
    pub trace: Trace,
    /// Warnings, the worst first.
    pub warnings: Vec<Warning>,
}
