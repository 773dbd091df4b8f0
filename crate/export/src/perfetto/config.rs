//! The part of a trace to write.

use stepscope_base::Interval;

/// The level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Every event.
    Detail,
    /// Steps, overlap lanes and aggregates per step; no single operator or kernel.
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
    /// How much of it.
    pub level: Level,
    /// Which part of the time, in the first rank's own times; all of it if none. Of other ranks it is the same part by
    /// the clock, where that is known.
    pub span: Option<Interval>,
    /// Which graphs of it.
    pub graphs: GraphChoice,
}

impl ExportConfig {
    /// All of the time.
    #[must_use]
    pub fn of(level: Level) -> Self {
        Self { level, span: None, graphs: GraphChoice::default() }
    }
}
