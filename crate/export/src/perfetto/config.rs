//! What to write of a trace.

use stepscope_base::Interval;

/// How much to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Every event.
    Detail,
    /// Steps, overlap lanes and aggregates per step; no single operator or kernel.
    Summary,
}

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportConfig {
    /// How much of it.
    pub level: Level,
    /// Which part of the time, in the first rank's own times; all of it if none. Of other ranks it is the same part by
    /// the clock, where that is known.
    pub span: Option<Interval>,
}

impl ExportConfig {
    /// All of the time.
    #[must_use]
    pub fn of(level: Level) -> Self {
        Self { level, span: None }
    }
}
