//! The part of a trace to write.

use stepscope_base::Interval;

/// The level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Every event.
    Detail,
    /// Steps, the step trace, overlap lanes and aggregates per step; no single operator or kernel.
    Summary,
}

/// The graphs of a program to write: `MindSpore` compiles a program into several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphChoice {
    /// Their numbers; if empty, all graphs and what belongs to none.
    pub only: Vec<u64>,
    /// Whether the steps of each graph have a lane of their own, rather than one for all.
    pub apart: bool,
}

/// The part to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportConfig {
    /// The level of detail.
    pub level: Level,
    /// The range of time, in the first rank's own times; all time if none. For other ranks it is the same range by
    /// the clock, if that is known.
    pub span: Option<Interval>,
    /// The graphs to write.
    pub graphs: GraphChoice,
}

impl ExportConfig {
    /// All of the time.
    #[must_use]
    pub fn of(level: Level) -> Self {
        Self { level, span: None, graphs: GraphChoice::default() }
    }
}
