//! The choices of a memory report.

use stepscope_base::Interval;

/// The choices of a memory report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryConfig {
    /// The part of time that the curves show; all of it if none.
    pub span: Option<Interval>,
    /// Into how many parts of equal length a curve's span is cut; of each only what matters is kept.
    pub columns: usize,
    /// How many blocks are listed, the largest first.
    pub listed: usize,
}

impl MemoryConfig {
    /// All of the time in 600 columns, and 1000 blocks.
    #[must_use]
    pub fn standard() -> Self {
        Self { span: None, columns: 600, listed: 1000 }
    }
}
