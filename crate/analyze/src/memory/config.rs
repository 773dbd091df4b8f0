//! The choices of a memory report.

use stepscope_base::Interval;

/// The choices of a memory report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryConfig {
    /// The part of time that the curves show; all of it if none.
    pub span: Option<Interval>,
    /// Number of parts of equal length into which a curve's span is cut; only the extremes of each are kept.
    pub columns: usize,
    /// Most blocks that are listed, the largest first.
    pub listed: usize,
}

impl MemoryConfig {
    /// All of the time in 600 columns, and 1000 blocks.
    #[must_use]
    pub fn standard() -> Self {
        Self { span: None, columns: 600, listed: 1000 }
    }
}
